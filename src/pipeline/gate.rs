//! Which network plays: the newest, or, behind a gate, the last that was found better than the one before.

use serde::{Deserialize, Serialize};

use super::LoopError;
use super::contest::{Contestant, GATES, Terms, place, read_result, write_result};
use super::work::Work;
use crate::arena::{End, Mean, Score, Verdict};
use crate::game::Game;
use crate::progress::Progress;

/// What a network's match against the best before it came to.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
struct Passage {
    /// The best network before, by its generation.
    champion: u32,
    /// Whether the network plays from now on.
    accepted: bool,
    /// Whether the test came to an end; the points decide if not.
    decided: bool,
    /// Of the new network, as it fell.
    score: Score,
    /// Of the new network, less the luck.
    less_luck: Option<Mean>,
}

impl<G: Game> Work<'_, G> {
    /// The network that plays once so many generations are finished.
    pub fn champion(&self, finished: u32) -> Result<u32, LoopError> {
        if self.run.config.gate.is_none() {
            return Ok(finished);
        }
        for generation in (2..=finished).rev() {
            match self.passage(generation)? {
                Some(Passage { accepted: true, .. }) => return Ok(generation),
                Some(Passage { champion, .. }) => return Ok(champion),
                None => {}
            }
        }
        Ok(finished.min(1))
    }

    /// Lets the network after a generation meet the best before it, if there is a gate and it has not.
    pub fn pass_gate(&self, generation: u32) -> Result<(), LoopError> {
        let Some(gate) = &self.run.config.gate else { return Ok(()) };
        // The first network has nobody to be better than.
        if generation < 2 || self.passage(generation)?.is_some() {
            return Ok(());
        }
        let champion = self.champion(generation - 1)?;
        let terms = Terms { games: gate.games.get(), sprt: Some(gate.sprt), judge: gate.judge };
        let players = [generation, champion].map(Contestant::Network);
        let [name, best] = players.map(Contestant::name);
        let standing = self.contest(&place(self.run.folder, GATES, &name), players, &terms)?;
        let less_luck = standing.adjusted();
        let points = less_luck.map_or(standing.score().mean(), |mean| mean.mean);
        let accepted = match standing.end {
            End::Decided(verdict) => verdict == Verdict::Accepted,
            _ => points >= 0.5,
        };
        let decided = matches!(standing.end, End::Decided(_));
        let score = standing.score().clone();
        let passage = Passage { champion, accepted, decided, score, less_luck };
        write_result(&place(self.run.folder, GATES, &format!("{name}.toml")), &passage)?;
        let games = passage.score.games();
        self.metrics.say(&format!(
            "{name} {} against {best}: {:.1} % less the luck over {games} games",
            if accepted { "is let through" } else { "is held back" },
            100.0 * points
        ));
        let flag = |set: bool| f64::from(u8::from(set));
        self.metrics.measured(
            "gate",
            generation.into(),
            &[
                ("accepted", flag(accepted)),
                ("decided", flag(decided)),
                ("champion", champion.into()),
                ("games", games as f64),
                ("points", passage.score.mean()),
                ("points_less_luck", points),
            ],
        );
        Ok(())
    }

    fn passage(&self, generation: u32) -> Result<Option<Passage>, LoopError> {
        let name = format!("{}.toml", Contestant::Network(generation).name());
        read_result(&place(self.run.folder, GATES, &name))
    }
}
