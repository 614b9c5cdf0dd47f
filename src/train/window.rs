//! The positions a network learns from: which shards, which games, and how they are read.

use std::collections::HashMap;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use super::order::Order;
use super::rows::{self, Rows, checked_result, in_unit};
use super::{TrainConfig, TrainError};
use crate::game::{Game, Profile, fnv1a};
use crate::record::{Columns, OnBroken, Reader, RowGroup, Shard, Table};
use crate::units::Probability;

/// The most row groups that the sample of held-out rows is taken from.
const SAMPLED_GROUPS: usize = 64;

/// Positions of finished games: the newest shards of a dataset. They stay on the disk, but for a sample of
/// those held out; in memory is a number for each game.
pub struct Window<G: Game> {
    /// Those of the shards taken in, in the order in which they were met.
    rules: Vec<Arc<G::Profile>>,
    reader: Reader,
    use_experiments: bool,
    held_out_share: Probability,
    /// The row groups, those of the newest shard first.
    groups: Vec<Group>,
    games: HashMap<u64, Noted>,
    validation: Rows<G>,
    /// Positions of the whole dataset.
    total: u64,
}

/// A row group: where it is, and how many of its rows are of use.
struct Group {
    shard: usize,
    place: usize,
    /// Which of the window's rule sets its games were played under.
    rules: usize,
    training: u64,
    held_out: u64,
}

/// What is known of a game before its rows are read.
struct Noted {
    shard: u32,
    plies: u16,
}

/// What a row is for.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Use {
    Training,
    HeldOut,
    Nothing,
}

impl<G: Game> Window<G> {
    /// Opens the newest shards of the dataset at `folder`, newest by their names, until they hold as many
    /// positions as `config` asks for, and reads what tells the rows to learn from.
    ///
    /// # Errors
    ///
    /// If there is no such dataset, it cannot be read, it is of another game, or two of its rule sets go by one name.
    pub fn load(folder: &Path, config: &TrainConfig) -> Result<Self, TrainError> {
        Self::of_a_rest(folder, config, 0)
    }

    /// As [`Window::load`], from a dataset whose oldest shards, with so many positions, are there no more: the
    /// window is as large as if they were.
    ///
    /// # Errors
    ///
    /// As [`Window::load`].
    pub fn of_a_rest(folder: &Path, config: &TrainConfig, gone: u64) -> Result<Self, TrainError> {
        let reader = Reader::open(folder, OnBroken::Fail)?;
        if reader.game() != G::NAME {
            let found = reader.game().into();
            return Err(TrainError::OtherGame { folder: folder.into(), found, expected: G::NAME });
        }
        let total = reader.rows(Table::Plies) + gone;
        let mut window = Self {
            rules: Vec::new(),
            reader,
            use_experiments: config.use_experiments,
            held_out_share: config.validation,
            groups: Vec::new(),
            games: HashMap::new(),
            validation: Rows::default(),
            total,
        };
        let wanted = config.window.rows(total);
        let mut found = 0;
        for shard in (0..window.reader.shards().len()).rev() {
            if found >= wanted {
                break;
            }
            found += window.take_in(shard)?;
        }
        window.validation = window.sample(config.validation_rows.get())?;
        Ok(window)
    }

    /// Notes what a shard holds, and says how many rows that is.
    fn take_in(&mut self, number: usize) -> Result<u64, TrainError> {
        let rules = self.rules_of(number)?;
        let shard = &self.reader.shards()[number];
        for (game_id, plies) in rows::lengths(shard)? {
            let noted = Noted { shard: number as u32, plies };
            if let Some(other) = self.games.insert(game_id, noted) {
                let other = self.file(other.shard as usize);
                return Err(TrainError::Repeated { file: self.file(number), other, game_id });
            }
        }
        let plies = shard.file(Table::Plies);
        for (place, group) in plies.row_groups().enumerate() {
            let columns = group.read(&["game_id", "audited", "explored", "value", "result"])?;
            let uses = self.checked_uses(&columns)?;
            let count = |wanted| uses.iter().filter(|&&found| found == wanted).count() as u64;
            let (training, held_out) = (count(Use::Training), count(Use::HeldOut));
            self.groups.push(Group { shard: number, place, rules, training, held_out });
        }
        Ok(plies.rows())
    }

    /// The place of a shard's rules among those of the window, to which they are added.
    fn rules_of(&mut self, number: usize) -> Result<usize, TrainError> {
        let plies = self.reader.shards()[number].file(Table::Plies);
        let rules = G::Profile::from_toml(plies.rules_text(), &plies.path().to_string_lossy())?;
        match self.rules.iter().position(|known| known.name() == rules.name()) {
            Some(place) if self.rules[place].fingerprint() == rules.fingerprint() => Ok(place),
            Some(_) => {
                Err(TrainError::RulesOfOneName { file: plies.path().into(), name: rules.name().into() })
            }
            None => {
                self.rules.push(Arc::new(rules));
                Ok(self.rules.len() - 1)
            }
        }
    }

    /// What each row is for, with its targets looked at, so that a row that makes no sense is found before
    /// hours have passed.
    fn checked_uses(&self, columns: &Columns) -> Result<Vec<Use>, TrainError> {
        let uses = self.uses(columns)?;
        let game_ids = columns.numbers::<u64>("game_id")?;
        let values = columns.numbers::<f32>("value")?;
        let results = columns.numbers::<i8>("result")?;
        for row in (0..uses.len()).filter(|&row| uses[row] != Use::Nothing) {
            in_unit(game_ids[row], "value", values[row])
                .and(checked_result(game_ids[row], results[row]))
                .map_err(|error| in_file(columns.file(), error))?;
        }
        Ok(uses)
    }

    fn uses(&self, columns: &Columns) -> Result<Vec<Use>, TrainError> {
        let game_ids = columns.numbers::<u64>("game_id")?;
        let audited = columns.flags("audited")?;
        let explored = columns.flags("explored")?;
        let of_row = |(row, &game_id): (usize, &u64)| {
            let is_experiment = audited.value(row) || explored.value(row);
            match (is_experiment && !self.use_experiments, is_held_out(game_id, self.held_out_share)) {
                (true, _) => Use::Nothing,
                (false, true) => Use::HeldOut,
                (false, false) => Use::Training,
            }
        };
        Ok(game_ids.iter().enumerate().map(of_row).collect())
    }

    /// Some rows of games held out, from all over the window.
    fn sample(&self, most: u64) -> Result<Rows<G>, TrainError> {
        let all: Vec<&Group> = self.groups.iter().filter(|group| group.held_out > 0).collect();
        let chosen: Vec<&Group> =
            all.iter().copied().step_by(all.len().div_ceil(SAMPLED_GROUPS).max(1)).collect();
        let rows: u64 = chosen.iter().map(|group| group.held_out).sum();
        let stride = rows.div_ceil(most).max(1) as usize;
        let mut sample = Rows::default();
        for group in chosen {
            self.read_group(group, Use::HeldOut, stride, &mut sample)?;
        }
        Ok(sample)
    }

    /// Reads the rows to learn from of some row groups, by their numbers.
    ///
    /// # Errors
    ///
    /// If they cannot be read, or a row says what no game leaves behind.
    ///
    /// # Panics
    ///
    /// If there is no such row group.
    pub(super) fn read(&self, groups: &[usize]) -> Result<Rows<G>, TrainError> {
        let mut rows = Rows::default();
        for &group in groups {
            self.read_group(&self.groups[group], Use::Training, 1, &mut rows)?;
        }
        Ok(rows)
    }

    /// The rows to learn from, a row group at a time, the newest shard first.
    pub fn training(&self) -> impl Iterator<Item = Result<Rows<G>, TrainError>> {
        (0..self.groups.len()).map(|group| self.read(&[group]))
    }

    /// Appends every `stride`th of a row group's rows that are there for `purpose`.
    fn read_group(
        &self,
        group: &Group,
        purpose: Use,
        stride: usize,
        rows: &mut Rows<G>,
    ) -> Result<(), TrainError> {
        let plies = self.shard(group).file(Table::Plies);
        let stored: RowGroup<'_> = plies.row_groups().nth(group.place).expect("a group that was counted");
        let columns = stored.read(&[rows::COLUMNS, &["audited", "explored"]].concat())?;
        let uses = self.uses(&columns)?;
        let places = (0..uses.len()).filter(|&row| uses[row] == purpose).step_by(stride);
        let length = |game_id: u64| self.games.get(&game_id).map(|noted| noted.plies);
        rows.take_in(&columns, group.rules, length, places).map_err(|error| in_file(columns.file(), error))
    }

    fn shard(&self, group: &Group) -> &Shard {
        &self.reader.shards()[group.shard]
    }

    /// The file of a shard's plies.
    fn file(&self, shard: usize) -> PathBuf {
        self.reader.shards()[shard].file(Table::Plies).path().into()
    }

    /// An error about a row, with the file it is in.
    pub(super) fn located(&self, error: TrainError) -> TrainError {
        let noted = error.game_id().and_then(|game_id| self.games.get(&game_id));
        match noted {
            Some(noted) => in_file(&self.file(noted.shard as usize), error),
            None => error,
        }
    }

    /// The rule sets the games were played under.
    pub fn rules(&self) -> &[Arc<G::Profile>] {
        &self.rules
    }

    /// The names of the rule sets, sorted.
    pub fn rule_names(&self) -> Vec<&str> {
        let mut names: Vec<&str> = self.rules.iter().map(|rules| rules.name()).collect();
        names.sort_unstable();
        names
    }

    /// Games in the window.
    pub fn games(&self) -> usize {
        self.games.len()
    }

    /// Positions to learn from.
    pub fn positions(&self) -> u64 {
        self.groups.iter().map(|group| group.training).sum()
    }

    /// Positions of games that are kept out of training.
    pub fn held_out(&self) -> u64 {
        self.groups.iter().map(|group| group.held_out).sum()
    }

    /// Positions of the whole dataset, of which the window is the newest part.
    pub fn dataset_positions(&self) -> u64 {
        self.total
    }

    /// A sample of the positions to measure on.
    pub fn validation(&self) -> &Rows<G> {
        &self.validation
    }

    /// The order in which the rows are learned from.
    ///
    /// # Errors
    ///
    /// If there is nothing to learn from.
    pub(super) fn order(&self, config: &TrainConfig) -> Result<Order, TrainError> {
        if self.positions() == 0 {
            return Err(TrainError::NoRows { games: self.games(), held_out: self.held_out() });
        }
        Ok(Order {
            seed: config.seed ^ self.fingerprint(config),
            groups: self.groups.iter().map(|group| group.training).collect(),
            rows_in_memory: config.rows_in_memory.get(),
            recency: config.recency,
        })
    }

    /// A number that changes with the rows and with what their order depends on.
    pub(super) fn fingerprint(&self, config: &TrainConfig) -> u64 {
        let mut text =
            format!("{} {} {}", config.batch.get(), config.rows_in_memory.get(), config.recency.get());
        for group in &self.groups {
            text.push_str(&format!(" {}:{}:{}", self.shard(group).name(), group.place, group.training));
        }
        fnv1a(text.as_bytes())
    }
}

fn in_file(file: &Path, error: TrainError) -> TrainError {
    match error.game_id() {
        Some(_) => TrainError::Row { file: file.into(), source: error.into() },
        None => error,
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

#[cfg(test)]
mod tests {
    use super::*;

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
