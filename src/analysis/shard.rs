//! One shard read: its games, their plies, and whether the two tables fit together.

use std::collections::{BTreeMap, HashMap, HashSet};

use super::AnalysisError;
use super::board::Board;
use super::pass::Part;
use super::report::{Report, Setup};
use super::rows::{GAME_COLUMNS, Place, PlyRow, each_game, each_ply};
use super::story::{GameInBrief, Story};
use crate::record::{Shard, Table};

/// What one shard gave.
pub struct ReadShard<'a, R> {
    pub shard: &'a str,
    pub games: Vec<u64>,
    /// By the players.
    pub parts: BTreeMap<String, Part<R>>,
}

impl<'a, R: Report> ReadShard<'a, R> {
    /// # Errors
    ///
    /// If the shard cannot be read or its tables do not fit together.
    pub fn of(shard: &'a Shard, setup: &Setup) -> Result<Self, AnalysisError> {
        let mut read = Self { shard: shard.name(), games: Vec::new(), parts: BTreeMap::new() };
        let known = read.read_games(shard, setup)?;
        let plies = shard.file(Table::Plies);
        let expected = known.values().map(|game| u64::from(game.plies)).sum();
        if plies.rows() != expected {
            return Err(AnalysisError::PlyCount {
                file: plies.path().into(),
                shard: shard.name().into(),
                found: plies.rows(),
                expected,
            });
        }
        let mut reading =
            Reading { shard, known, told: HashSet::new(), story: None, read, board: setup.board };
        let columns = R::READS.columns();
        for group in plies.row_groups() {
            let columns = group.read(&columns)?;
            each_ply(&columns, R::READS, |ply, place| reading.see(ply, place))?;
        }
        reading.close()?;
        let mut read = reading.read;
        read.tell_bytes(Table::ALL.iter().map(|&table| shard.file(table).bytes()).sum());
        Ok(read)
    }

    fn read_games(
        &mut self,
        shard: &Shard,
        setup: &Setup,
    ) -> Result<HashMap<u64, GameInBrief>, AnalysisError> {
        let mut known = HashMap::new();
        let mut twice = None;
        for group in shard.file(Table::Games).row_groups() {
            each_game(&group.read(GAME_COLUMNS)?, |game| {
                let brief = GameInBrief::of(game);
                let empty = || Part { games: 0, plies: 0, report: R::new(setup) };
                let part = self.parts.entry(brief.players.clone()).or_insert_with(empty);
                part.games += 1;
                part.plies += u64::from(game.plies);
                part.report.absorb_game(game);
                self.games.push(game.game_id);
                if known.insert(game.game_id, brief).is_some() {
                    twice = Some(game.game_id);
                }
            })?;
        }
        match twice {
            Some(game_id) => {
                let (first, second) = (self.shard.into(), self.shard.into());
                Err(AnalysisError::RepeatedGame { game_id, first, second })
            }
            None => Ok(known),
        }
    }

    /// Shares the size of the files out among the players, by their plies.
    fn tell_bytes(&mut self, bytes: u64) {
        let plies: u64 = self.parts.values().map(|part| part.plies).sum();
        for part in self.parts.values_mut() {
            part.report.absorb_bytes((bytes * part.plies).checked_div(plies).unwrap_or(0));
        }
    }
}

/// The plies of a shard being read: those of a game come one after the other, which the intervals rely on,
/// and as many as the game has.
struct Reading<'a, R> {
    shard: &'a Shard,
    known: HashMap<u64, GameInBrief>,
    told: HashSet<u64>,
    story: Option<Story>,
    read: ReadShard<'a, R>,
    board: Board,
}

impl<R: Report> Reading<'_, R> {
    fn see(&mut self, ply: &PlyRow<'_>, place: Place<'_>) -> Result<(), AnalysisError> {
        if self.story.as_ref().is_none_or(|story| story.game_id != ply.game_id) {
            self.close()?;
            self.begin(ply.game_id)?;
        }
        let story = self.story.as_mut().expect("a game has been begun");
        story.go_on(ply, place, self.board)?;
        self.report(ply.game_id).absorb_ply(ply);
        Ok(())
    }

    fn begin(&mut self, game_id: u64) -> Result<(), AnalysisError> {
        let file = || self.shard.file(Table::Plies).path().into();
        let Some(game) = self.known.get(&game_id) else {
            let shard = self.shard.name().into();
            return Err(AnalysisError::StrayPlies { file: file(), shard, game_id });
        };
        if !self.told.insert(game_id) {
            return Err(AnalysisError::ScatteredGame { file: file(), game_id });
        }
        self.story.get_or_insert_default().begin(game_id, game);
        Ok(())
    }

    /// Hands on the story that has come to its end, if there is one.
    fn close(&mut self) -> Result<(), AnalysisError> {
        let Some(story) = self.story.take() else { return Ok(()) };
        let (game_id, found) = (story.game_id, story.steps.len());
        let expected = self.known[&game_id].plies;
        if found != usize::from(expected) {
            // Fewer plies than the game has: more of them stand elsewhere, for the sum is right.
            let file = self.shard.file(Table::Plies).path().into();
            return Err(AnalysisError::GameLength { file, game_id, found, expected });
        }
        self.report(game_id).absorb_story(&story);
        self.story = Some(story);
        Ok(())
    }

    fn report(&mut self, game_id: u64) -> &mut R {
        let players = &self.known[&game_id].players;
        &mut self.read.parts.get_mut(players).expect("the players of every game have a part").report
    }
}
