//! The newest games of a run, boiled down to a few sums.

use std::path::Path;

use half::f16;

use crate::eval::Plain;
use crate::record::{Columns, OnBroken, Reader, RecordError, Shard, Table};

/// Shards looked at, all of the newest generation.
const MOST_SHARDS: usize = 16;

/// What the newest games come to.
#[derive(Debug, Clone, Default)]
pub struct Sample {
    games: u64,
    draws: u64,
    /// Whether a network played them.
    by_network: bool,
    /// Positions with more than one move looked at, and the moves the policy weighs there: the exponential of
    /// its entropy.
    choices: u64,
    moves_weighed: f64,
    /// Sums over positions of the evaluator's value, the result, and their products.
    positions: f64,
    values: f64,
    results: f64,
    squares: f64,
    products: f64,
}

impl Sample {
    /// The newest generation's games in the dataset at `data`; none if there is no game.
    pub fn of(data: &Path) -> Result<Option<Self>, RecordError> {
        if !data.is_dir() {
            return Ok(None);
        }
        let reader = match Reader::open(data, OnBroken::Skip) {
            Err(RecordError::Empty { .. } | RecordError::NotADataset { .. }) => return Ok(None),
            opened => opened?,
        };
        let generation = |shard: &Shard| shard.name().split('-').next().unwrap_or_default().to_owned();
        let newest = reader.shards().last().map(generation);
        let of_newest = reader.shards().iter().rev().filter(|shard| Some(generation(shard)) == newest);
        let mut sample = Self::default();
        for shard in of_newest.take(MOST_SHARDS) {
            for group in shard.file(Table::Games).row_groups() {
                sample.add_games(&group.read(&["first", "result"])?)?;
            }
            for group in shard.file(Table::Plies).row_groups() {
                sample.add_plies(&group.read(&["net_value", "result", "candidates"])?)?;
            }
        }
        Ok((sample.games > 0).then_some(sample))
    }

    pub fn games(&self) -> u64 {
        self.games
    }

    /// The share of drawn games.
    pub fn draws(&self) -> f64 {
        self.draws as f64 / self.games as f64
    }

    /// Moves that the policy weighs, on average; none without a network.
    pub fn moves_weighed(&self) -> Option<f64> {
        (self.by_network && self.choices > 0).then(|| self.moves_weighed / self.choices as f64)
    }

    /// The slope of the result on the network's value; none without a network, or where all values are alike.
    pub fn slope(&self) -> Option<f64> {
        let covariance = self.products - self.values * self.results / self.positions;
        let variance = self.squares - self.values * self.values / self.positions;
        (self.by_network && variance > 1e-6 * self.positions).then(|| covariance / variance)
    }

    fn add_games(&mut self, columns: &Columns) -> Result<(), RecordError> {
        let players = columns.texts("first")?;
        for (row, result) in columns.numbers::<i8>("result")?.iter().enumerate() {
            self.games += 1;
            self.draws += u64::from(*result == 0);
            self.by_network |= players.value(row).parse::<Plain>().is_err();
        }
        Ok(())
    }

    fn add_plies(&mut self, columns: &Columns) -> Result<(), RecordError> {
        let values = columns.numbers::<f32>("net_value")?;
        let results = columns.numbers::<i8>("result")?;
        let candidates = columns.lists("candidates")?;
        let priors = candidates.columns().numbers::<f16>("prior")?;
        for (row, (&value, &result)) in values.iter().zip(results).enumerate() {
            let (value, result) = (f64::from(value), f64::from(result));
            self.positions += 1.0;
            self.values += value;
            self.results += result;
            self.squares += value * value;
            self.products += value * result;
            let priors = &priors[candidates.range(row)];
            if priors.len() > 1 {
                self.choices += 1;
                self.moves_weighed += entropy(priors).exp();
            }
        }
        Ok(())
    }
}

/// Of shares that need not add up to 1, in nats.
fn entropy(shares: &[f16]) -> f64 {
    let total: f64 = shares.iter().map(|share| share.to_f64()).sum();
    let term = |share: &f16| {
        let share = share.to_f64() / total.max(f64::MIN_POSITIVE);
        if share > 0.0 { -share * share.ln() } else { 0.0 }
    };
    shares.iter().map(term).sum()
}
