//! Players of a match as named on the command line, each with settings of its own.

use std::time::Duration;

use super::{ConfigError, Failure, PlayerSpec, adjusted};
use crate::arena::Considered;
use crate::eval::{Device, EvalError, Evaluator};
use crate::game::Game;
use crate::search::{SearchConfig, Visits};
use crate::tables::Player;

/// A player as named on the command line, with the search it plays by.
#[derive(Debug, Clone)]
pub struct Entrant {
    name: String,
    who: PlayerSpec,
    search: SearchConfig,
    time: Option<Duration>,
    device: Device,
}

/// The longest a player may be given for a move, in seconds: a day.
const LONGEST: f64 = 86_400.0;

impl Entrant {
    /// Reads `PLAYER` or `PLAYER,KEY=VALUE,…` and makes sure that the player can play. The keys are
    /// settings of the search, with or without `search.` before them, which change `search`; and `seconds`,
    /// the time for a move, which lifts the limit of visits unless `visits` is given too. A network judges on
    /// `device`, which is there.
    ///
    /// # Errors
    ///
    /// A usage error that names the player or the setting.
    pub fn read<G: Game>(text: &str, search: &SearchConfig, device: Device) -> Result<Self, Failure> {
        let entrant = Self::parse(text, search, device)?;
        entrant.evaluator::<G>().map_err(Failure::usage)?;
        Ok(entrant)
    }

    /// Reads who judges luck: an evaluator by itself, or, where settings follow, by search.
    ///
    /// # Errors
    ///
    /// A usage error that names the judge or the setting; also for one that would not judge alike each time.
    pub fn read_judge<G: Game>(text: &str, search: &SearchConfig, device: Device) -> Result<Self, Failure> {
        let refused = |why| Err(Failure::usage(format!("judge `{text}`: {why}")));
        let judge = Self::read::<G>(text, search, device)?;
        if judge.who == PlayerSpec::Random {
            return refused("random judges nothing; expected material, uniform, rollout or a checkpoint");
        }
        if judge.time.is_some() {
            return refused("what is judged in limited time does not repeat; expected visits");
        }
        Ok(judge)
    }

    /// A new evaluator for one worker, which searches if the judge was given settings of a search.
    ///
    /// # Errors
    ///
    /// If the checkpoint cannot be used.
    pub fn judge<G: Game>(&self) -> Result<Box<dyn Evaluator<G>>, EvalError> {
        let evaluator = self.who.evaluator(self.device)?;
        if !self.name.contains(',') {
            return Ok(evaluator);
        }
        Ok(Box::new(Considered { evaluator, config: self.search }))
    }

    fn parse(text: &str, search: &SearchConfig, device: Device) -> Result<Self, Failure> {
        let mut parts = text.split(',');
        let who: PlayerSpec = parts.next().unwrap_or_default().parse().map_err(Failure::usage)?;
        let (times, settings): (Vec<&str>, Vec<&str>) = parts.partition(|part| part.starts_with("seconds="));
        let time = times.last().map(|part| seconds(part)).transpose().map_err(Failure::usage)?;
        if who == PlayerSpec::Random && !(times.is_empty() && settings.is_empty()) {
            return Err(Failure::usage(format!(
                "player `{text}`: random does not search and has no settings"
            )));
        }
        let mut search = *search;
        if time.is_some() {
            search.visits = Visits::MOST;
        }
        let settings = settings.into_iter().map(|part| part.strip_prefix("search.").unwrap_or(part));
        let search = adjusted(&search, settings).map_err(Failure::usage)?;
        Ok(Self { name: text.to_owned(), who, search, time, device })
    }

    /// The same player by another name.
    pub fn named(self, name: &str) -> Self {
        Self { name: name.into(), ..self }
    }

    /// The player, its evaluator standing at `judge` among a worker's.
    pub fn player(&self, judge: usize) -> Player {
        Player {
            name: self.name.clone(),
            mind: self.who.mind(judge, &self.search, self.time),
            restraint: None,
        }
    }

    /// What tells the entrant's weights from any others; nothing for one without weights.
    ///
    /// # Errors
    ///
    /// If the checkpoint cannot be read.
    pub fn weights(&self) -> Result<Option<String>, EvalError> {
        self.who.weights()
    }

    /// A new evaluator for one worker.
    ///
    /// # Errors
    ///
    /// If the checkpoint cannot be used.
    pub fn evaluator<G: Game>(&self) -> Result<Box<dyn Evaluator<G>>, EvalError> {
        self.who.evaluator(self.device)
    }
}

/// The time that `seconds=VALUE` gives for a move.
fn seconds(given: &str) -> Result<Duration, ConfigError> {
    let (_, value) = given.split_once('=').unwrap_or_default();
    match value.parse::<f64>() {
        Ok(seconds) if seconds > 0.0 && seconds <= LONGEST => Ok(Duration::from_secs_f64(seconds)),
        _ => Err(ConfigError::Refused {
            given: given.into(),
            message: format!("expected a number of seconds above 0 and up to {LONGEST}"),
        }),
    }
}
