//! The ladder of a run's networks, kept up as the run goes on.

use serde::{Deserialize, Serialize};

use super::contest::{Contestant, RATINGS, Terms, place, read_result, write_result};
use super::work::Work;
use super::{LoopError, RatingConfig};
use crate::arena::{Ladder, Meeting, Rung, Score};
use crate::eval::Plain;
use crate::game::Game;
use crate::net::{Rating, has_weights, note_rating};
use crate::progress::Progress;

/// How one network did.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
struct Results {
    against: Vec<Against>,
}

#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
struct Against {
    /// The opponent's generation; the anchor if there is none.
    generation: Option<u32>,
    score: Score,
}

impl<G: Game> Work<'_, G> {
    /// Lets the network after a generation meet the anchor and the one before, if that is asked for and has
    /// not been done, and tells its rating.
    pub fn rate(&self, generation: u32) -> Result<(), LoopError> {
        let Some(config) = &self.run.config.rating else { return Ok(()) };
        if self.results(config, generation)?.is_none() {
            if !has_weights(&self.run.checkpoint(generation)) {
                return Ok(());
            }
            self.play_ratings(config, generation)?;
        }
        let Some(rung) = self.ladder(config, generation)?.pop() else { return Ok(()) };
        let (_, Rung { elo, half_width, .. }) = rung;
        self.metrics.measured(
            "rating",
            generation.into(),
            &[("elo", elo), ("low", elo - half_width), ("high", elo + half_width)],
        );
        let name = Contestant::Network(generation).name();
        let anchor = config.anchor.name();
        self.metrics.say(&format!("{name}: Elo {elo:+.0} (±{half_width:.0}) above {anchor}"));
        Ok(())
    }

    /// Says on the card of every network up to one how it is rated; each new network moves the others a little.
    pub fn note_ratings(&self, newest: u32) -> Result<(), LoopError> {
        let Some(config) = &self.run.config.rating else { return Ok(()) };
        let terms = format!("{} visits a move", self.run.config.search.visits);
        for (generation, rung) in self.ladder(config, newest)? {
            let rating = rating_of(&rung, config.anchor.name(), &terms);
            note_rating(&self.run.checkpoint(generation), rating)
                .map_err(|source| LoopError::Network { generation, source })?;
        }
        Ok(())
    }

    /// The best of the networks that were rated.
    pub fn best_rated(&self, finished: u32) -> Result<Option<u32>, LoopError> {
        let Some(config) = &self.run.config.rating else { return Ok(None) };
        let rungs = self.ladder(config, finished)?.into_iter();
        Ok(rungs.max_by(|(_, a), (_, b)| a.elo.total_cmp(&b.elo)).map(|(generation, _)| generation))
    }

    fn play_ratings(&self, config: &RatingConfig, generation: u32) -> Result<(), LoopError> {
        let player = Contestant::Network(generation);
        let before = generation - 1;
        let is_there = before > 0 && has_weights(&self.run.checkpoint(before));
        let opponents =
            [Some(Contestant::Plain(config.anchor)), is_there.then_some(Contestant::Network(before))];
        let terms = Terms { games: config.games.get(), sprt: None, judge: Plain::Uniform };
        let mut against = Vec::new();
        for opponent in opponents.into_iter().flatten() {
            let name = format!("{}-{}", player.name(), opponent.name());
            let folder = place(self.run.folder, RATINGS, &name);
            let standing = self.contest(&folder, [player, opponent], &terms)?;
            let generation = match opponent {
                Contestant::Network(generation) => Some(generation),
                Contestant::Plain(_) => None,
            };
            against.push(Against { generation, score: standing.score().clone() });
        }
        write_result(&self.results_file(config, generation), &Results { against })
    }

    /// The rated networks up to one, with their ratings.
    fn ladder(&self, config: &RatingConfig, newest: u32) -> Result<Vec<(u32, Rung)>, LoopError> {
        let mut rated = Vec::new();
        for generation in 1..=newest {
            rated.extend(self.results(config, generation)?.map(|results| (generation, results)));
        }
        // Place 0 is the anchor's. Opponents without results of their own have no place.
        let place_of = |generation: Option<u32>| match generation {
            None => Some(0),
            Some(generation) => rated.iter().position(|(rated, _)| *rated == generation).map(|at| at + 1),
        };
        let meetings = rated.iter().enumerate().flat_map(|(at, (_, results))| {
            results.against.iter().filter_map(move |against| {
                let opponent = place_of(against.generation)?;
                Some(Meeting { players: [at + 1, opponent], score: against.score.clone() })
            })
        });
        let ladder = Ladder::fit(rated.len() + 1, &meetings.collect::<Vec<_>>());
        Ok(rated.iter().map(|(generation, _)| *generation).zip(ladder.rungs.into_iter().skip(1)).collect())
    }

    fn results(&self, config: &RatingConfig, generation: u32) -> Result<Option<Results>, LoopError> {
        read_result(&self.results_file(config, generation))
    }

    /// Ratings above another anchor are other ratings.
    fn results_file(&self, config: &RatingConfig, generation: u32) -> std::path::PathBuf {
        let name = format!("{}-above-{}.toml", Contestant::Network(generation).name(), config.anchor.name());
        place(self.run.folder, RATINGS, &name)
    }
}

/// What the card of a network says of its place on a ladder.
pub fn rating_of(rung: &Rung, anchor: &str, terms: &str) -> Rating {
    let tenths = |points: f64| (10.0 * points).round() / 10.0;
    Rating {
        elo: tenths(rung.elo),
        half_width: tenths(rung.half_width),
        anchor: anchor.into(),
        terms: terms.into(),
        games: rung.games,
    }
}
