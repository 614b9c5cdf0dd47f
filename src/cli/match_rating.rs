//! What a match that was kept says of the strength of one of its players.

use std::fs;
use std::path::Path;

use super::Failure;
use super::play_match::MatchSettings;
use crate::arena::{Ladder, Meeting, Score};
use crate::net::{Rating, weights_fingerprint};
use crate::pipeline::rating_of;
use crate::record::{OnBroken, Reader, RecordError};
use crate::text::shown;

/// The rating of the network at `net` by the match kept in `folder`; the opponent is the anchor.
///
/// # Errors
///
/// A usage error if the folder holds no match of that network, or one that ended early.
pub fn rating_by_match(folder: &Path, net: &Path) -> Result<Rating, Failure> {
    let refused = |why: String| Failure::usage(format!("--elo-from {}: {why}", folder.display()));
    let text = fs::read_to_string(folder.join("run.toml"));
    let text = text.map_err(|error| refused(format!("holds no match: run.toml: {error}")))?;
    let settings: MatchSettings = toml::from_str(&text)
        .map_err(|error| refused(format!("holds no match: run.toml: {}", shown(error.message()))))?;
    if let Some(sprt) = settings.sprt {
        return Err(refused(format!(
            "the match ended by the sequential test {sprt}, and where one ends the score lies too far from one half"
        )));
    }
    let weights = format!("{:016x}", weights_fingerprint(net).map_err(Failure::usage)?);
    let Some(seat) = settings.weights.iter().take(2).position(|found| *found == weights) else {
        return Err(refused(format!("{} did not play in it", net.display())));
    };
    let players = [&settings.first, &settings.second];
    let score = score(folder, seat).map_err(Failure::usage)?;
    if score.pairs() == 0 {
        return Err(refused("no game is kept in it".into()));
    }
    let ladder = Ladder::fit(2, &[Meeting { players: [1, 0], score }]);
    Ok(rating_of(&ladder.rungs[1], players[1 - seat], &terms(players[seat], &settings)))
}

/// The score of the player in this place of the match.
fn score(folder: &Path, player: usize) -> Result<Score, RecordError> {
    let games = Reader::open(folder, OnBroken::Fail)?.records().collect::<Result<Vec<_>, _>>()?;
    let mut score = Score::new();
    for pair in games.chunks_exact(2) {
        let results = [pair[0].result, -pair[1].result];
        score.add_pair(if player == 0 { results } else { results.map(|result| -result) });
    }
    Ok(score)
}

/// How long the player thought: what the match says, and what the player says of itself.
fn terms(player: &str, settings: &MatchSettings) -> String {
    let visits = format!("{} visits a move", settings.search.visits);
    match player.split_once(',') {
        Some((_, own)) => format!("{visits} but for {own}"),
        None => visits,
    }
}
