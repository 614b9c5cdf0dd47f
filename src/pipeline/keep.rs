//! What of a run is cleared away as it goes on, where that is asked for.

use std::path::PathBuf;

use serde::{Deserialize, Serialize};

use super::contest::{read_result, write_result};
use super::work::{Work, prefix};
use super::{KeptShards, LoopError};
use crate::game::Game;
use crate::net::{drop_tensors, has_weights};
use crate::progress::Progress;
use crate::record::{OnBroken, Reader, Table};

/// What a run's dataset had and has no more.
#[derive(Debug, Clone, Default, Serialize, Deserialize)]
pub struct Cleared {
    pub games: u64,
    pub positions: u64,
    /// Shards that are counted above and may still be there.
    removing: Vec<String>,
}

impl<G: Game> Work<'_, G> {
    /// Clears away what is not to be kept once so many generations are finished, and says what stays.
    pub fn clear(&self, finished: u32) -> Result<(), LoopError> {
        let networks = self.clear_networks(finished)?;
        let (shards, games) = match self.run.config.keep.shards {
            KeptShards::All => (0, 0),
            KeptShards::Window => self.clear_shards(finished)?,
        };
        if networks + shards > 0 {
            let cleared = [("networks", networks), ("shards", shards), ("games", games)]
                .map(|(what, n)| (what, n as f64));
            self.metrics.measured("cleared", finished.into(), &cleared);
        }
        Ok(())
    }

    /// Takes the tensors out of old networks; gives how many.
    fn clear_networks(&self, finished: u32) -> Result<u64, LoopError> {
        let Some(newest) = self.run.config.keep.checkpoints else { return Ok(0) };
        let best = [Some(self.champion(finished)?), self.best_rated(finished)?];
        let stays = |generation: u32| {
            u64::from(finished - generation) < newest.get() || best.contains(&Some(generation))
        };
        let mut emptied = Vec::new();
        let mut freed = 0;
        for generation in (1..=finished).filter(|&generation| !stays(generation)) {
            let checkpoint = self.run.checkpoint(generation);
            if has_weights(&checkpoint) {
                let bytes = drop_tensors(&checkpoint);
                freed += bytes.map_err(|source| LoopError::Clear { generation, source })?;
                emptied.push(format!("gen-{generation:03}"));
            }
        }
        if !emptied.is_empty() {
            let kept = (1..=finished).filter(|&generation| stays(generation));
            let kept: Vec<_> = kept.map(|generation| format!("gen-{generation:03}")).collect();
            self.metrics.say(&format!(
                "cleared the weights of {} ({:.1} MB); kept those of {}",
                emptied.join(", "),
                freed as f64 / 1e6,
                kept.join(", ")
            ));
        }
        Ok(emptied.len() as u64)
    }

    /// Removes the shards that no window will reach again: as a dataset grows, the window's oldest position only
    /// moves on. Gives how many, and how many games they held.
    fn clear_shards(&self, finished: u32) -> Result<(u64, u64), LoopError> {
        let reader = Reader::open(self.dataset.folder(), OnBroken::Fail)?;
        let mut cleared = self.cleared()?;
        let total = reader.rows(Table::Plies) + cleared.positions;
        let wanted = self.run.config.train.window.rows(total);
        let newest = prefix(finished - 1);
        let (mut kept_shards, mut kept_positions) = (0, 0);
        let mut games = 0;
        for shard in reader.shards().iter().rev() {
            let positions = shard.file(Table::Plies).rows();
            if kept_positions >= wanted && !shard.name().starts_with(&newest) {
                cleared.removing.push(shard.name().to_owned());
                cleared.positions += positions;
                games += shard.file(Table::Games).rows();
            } else {
                kept_shards += 1;
                kept_positions += positions;
            }
        }
        let shards = cleared.removing.len() as u64;
        if shards > 0 {
            // Told before it is done, so that a run that dies in between knows what it had.
            cleared.games += games;
            write_result(&self.cleared_file(), &cleared)?;
            self.finish_clearing()?;
            self.metrics.say(&format!(
                "cleared {shards} shards with {games} games; kept the newest {kept_shards} with {kept_positions} positions"
            ));
        }
        Ok((shards, games))
    }

    /// Removes what was to be removed when the run was last at work.
    pub fn finish_clearing(&self) -> Result<(), LoopError> {
        let mut cleared = self.cleared()?;
        if cleared.removing.is_empty() {
            return Ok(());
        }
        for shard in &cleared.removing {
            self.dataset.remove_shard(shard)?;
        }
        cleared.removing.clear();
        write_result(&self.cleared_file(), &cleared)
    }

    pub fn cleared(&self) -> Result<Cleared, LoopError> {
        Ok(read_result(&self.cleared_file())?.unwrap_or_default())
    }

    fn cleared_file(&self) -> PathBuf {
        self.run.folder.join("cleared.toml")
    }
}
