//! The positions a network learns from: which shards, which games, and in what order.

use std::collections::HashMap;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use rand::seq::SliceRandom;

use super::rows::{self, Example, Lengths, Rows};
use super::{TrainConfig, TrainError};
use crate::game::{Game, Profile, random_stream};
use crate::record::{Columns, OnBroken, Reader, Shard, Table};
use crate::units::Probability;

/// Positions of finished games, kept compactly in memory: the newest shards of a dataset.
pub struct Window<G: Game> {
    rules: Arc<G::Profile>,
    rows: Rows<G>,
    /// Row numbers to learn from.
    training: Vec<u32>,
    /// Row numbers to measure on, from other games.
    validation: Vec<u32>,
    /// The games, each with the place of its file among `files`.
    games: HashMap<u64, usize>,
    files: Vec<PathBuf>,
}

impl<G: Game> Window<G> {
    /// Reads the newest shards of the dataset at `folder`, newest by their names, until they hold as many
    /// positions as `config` asks for.
    ///
    /// # Errors
    ///
    /// If there is no such dataset, it cannot be read, it is of another game or of more than one rule set.
    pub fn load(folder: &Path, config: &TrainConfig) -> Result<Self, TrainError> {
        let reader = Reader::open(folder, OnBroken::Fail)?;
        if reader.game() != G::NAME {
            let found = reader.game().into();
            return Err(TrainError::OtherGame { folder: folder.into(), found, expected: G::NAME });
        }
        let newest = reader.shards().last().expect("a reader has shards").file(Table::Plies);
        let rules = G::Profile::from_toml(newest.rules_text(), &newest.path().to_string_lossy())?;
        let mut window = Self::new(Arc::new(rules));
        for shard in reader.shards().iter().rev() {
            window.take_in(shard, newest.rules_text(), config)?;
            if config.window.is_some_and(|rows| window.rows.len() as u64 >= rows.get()) {
                break;
            }
        }
        Ok(window)
    }

    fn take_in(&mut self, shard: &Shard, rules_text: &str, config: &TrainConfig) -> Result<(), TrainError> {
        let plies = shard.file(Table::Plies);
        if plies.rules_text() != rules_text {
            return Err(TrainError::MixedRules {
                file: plies.path().into(),
                found: plies.rules().into(),
                expected: self.rules.name().into(),
            });
        }
        self.files.push(plies.path().into());
        let lengths = rows::lengths(shard)?;
        plies.row_groups().try_for_each(|group| {
            let columns = [rows::COLUMNS, &["audited", "explored"]].concat();
            self.push(&group.read(&columns)?, &lengths, config)
        })
    }

    /// An error about a row, with the file it is in.
    pub(super) fn located(&self, error: TrainError) -> TrainError {
        let game_id = match &error {
            TrainError::View { game_id, .. }
            | TrainError::Move { game_id, .. }
            | TrainError::IllegalMove { game_id, .. }
            | TrainError::Value { game_id, .. }
            | TrainError::Over { game_id, .. } => *game_id,
            _ => return error,
        };
        match self.games.get(&game_id) {
            Some(&file) => TrainError::Row { file: self.files[file].clone(), source: error.into() },
            None => error,
        }
    }

    /// Notes that rows of a game are in the newest file.
    ///
    /// # Errors
    ///
    /// If an earlier file has rows of it.
    fn note_game(&mut self, game_id: u64) -> Result<(), TrainError> {
        let newest = self.files.len() - 1;
        match *self.games.entry(game_id).or_insert(newest) {
            file if file == newest => Ok(()),
            file => Err(TrainError::Repeated {
                file: self.files[file].clone(),
                other: self.files[newest].clone(),
                game_id,
            }),
        }
    }

    fn new(rules: Arc<G::Profile>) -> Self {
        Self {
            rules,
            rows: Rows::default(),
            training: Vec::new(),
            validation: Vec::new(),
            games: HashMap::new(),
            files: Vec::new(),
        }
    }

    /// The rules the games were played under.
    pub fn rules(&self) -> &Arc<G::Profile> {
        &self.rules
    }

    /// Games with at least one position in the window.
    pub fn games(&self) -> usize {
        self.games.len()
    }

    /// The row numbers to learn from, in the order they were read.
    pub fn training(&self) -> &[u32] {
        &self.training
    }

    /// The row numbers to measure on; their games have no row to learn from.
    pub fn validation(&self) -> &[u32] {
        &self.validation
    }

    /// # Panics
    ///
    /// If there is no such row.
    pub fn example(&self, row: u32) -> Example<'_, G::Move> {
        self.rows.example(row as usize)
    }

    /// # Errors
    ///
    /// If there is nothing to learn from.
    pub(super) fn require_training_rows(&self) -> Result<(), TrainError> {
        match self.training.is_empty() {
            true => Err(TrainError::NoRows { games: self.games.len(), held_out: self.validation.len() }),
            false => Ok(()),
        }
    }

    /// Takes in some rows of the plies table.
    fn push(&mut self, columns: &Columns, lengths: &Lengths, config: &TrainConfig) -> Result<(), TrainError> {
        let game_ids = columns.numbers::<u64>("game_id")?;
        let audited = columns.flags("audited")?;
        let explored = columns.flags("explored")?;
        let is_wanted = |row| config.use_experiments || !(audited.value(row) || explored.value(row));
        let first = self.rows.len();
        let taken = self.rows.take_in(columns, lengths, is_wanted);
        taken.map_err(|error| TrainError::Row { file: columns.file().into(), source: error.into() })?;
        let wanted = game_ids.iter().enumerate().filter(|&(row, _)| is_wanted(row));
        for (number, (_, &game_id)) in (first..).zip(wanted) {
            self.note_game(game_id)?;
            let number = u32::try_from(number).expect("a window has fewer than four billion rows");
            match is_held_out(game_id, config.validation) {
                true => self.validation.push(number),
                false => self.training.push(number),
            }
        }
        Ok(())
    }
}

/// Whether a game is kept out of training: by its number alone, so that it stays out for good.
fn is_held_out(game_id: u64, share: Probability) -> bool {
    (scramble(game_id) as f64) < share.get() * 2_f64.powi(64)
}

/// The finaliser of SplitMix64 (Steele, Lea and Flood, 2014): every bit of the result depends on every bit
/// of `x`.
fn scramble(x: u64) -> u64 {
    let x = (x ^ (x >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
    let x = (x ^ (x >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
    x ^ (x >> 31)
}

/// An endless order of a window's rows, in which each comes up once before any comes up again. It depends
/// on the seed and the rows alone, so it can be entered anywhere.
pub(super) struct Order<'a> {
    rows: &'a [u32],
    seed: u64,
    pass: u64,
    shuffled: Vec<u32>,
}

impl<'a> Order<'a> {
    /// # Panics
    ///
    /// If there are no rows.
    pub fn new(rows: &'a [u32], seed: u64) -> Self {
        assert!(!rows.is_empty(), "an order needs rows");
        let mut order = Self { rows, seed, pass: 0, shuffled: Vec::new() };
        order.shuffle(0);
        order
    }

    /// The row at a place of the order.
    pub fn row(&mut self, place: u64) -> u32 {
        let length = self.rows.len() as u64;
        if place / length != self.pass {
            self.shuffle(place / length);
        }
        self.shuffled[(place % length) as usize]
    }

    fn shuffle(&mut self, pass: u64) {
        self.shuffled = self.rows.to_vec();
        self.shuffled.shuffle(&mut random_stream(self.seed, pass));
        self.pass = pass;
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn each_row_comes_up_once_a_pass_and_the_order_can_be_entered_anywhere() {
        let rows: Vec<u32> = (10..60).collect();
        let mut order = Order::new(&rows, 7);
        let places: Vec<u32> = (0..150).map(|place| order.row(place)).collect();
        for pass in places.chunks(50) {
            let mut sorted = pass.to_vec();
            sorted.sort_unstable();
            assert_eq!(sorted, rows);
        }
        assert_ne!(places[..50], places[50..100]);
        assert_eq!(Order::new(&rows, 7).row(123), places[123]);
    }

    #[test]
    fn the_share_held_out_is_the_share_asked_for() {
        for share in [0.0, 0.05, 0.5, 1.0] {
            let asked = Probability::new(share).expect("in range");
            let games = 20_000_u64;
            let held_out = (0..games).filter(|&game| is_held_out(game, asked)).count();
            // Four standard errors.
            let slack = 4.0 * (share * (1.0 - share) / games as f64).sqrt();
            assert!((held_out as f64 / games as f64 - share).abs() <= slack, "{share}: {held_out}");
        }
    }
}
