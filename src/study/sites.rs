//! Positions of recorded games in which a flip onto a controlled square and one onto a free square can be
//! compared.

use std::collections::BTreeMap;
use std::sync::Arc;

use crate::game::{Game, MoveList, NotationError, PlyKind, View, fnv1a, random_stream};
use crate::record::{GameRecord, Reader, RecordError};
use crate::text::shown_up_to;

/// A position to probe, as its mover sees it.
#[derive(Debug, Clone)]
pub struct Site<G: Game> {
    pub game_id: u64,
    pub ply: u16,
    pub view: G::View,
    /// Flips onto empty squares that the opponent controls, and onto those that it does not; some of each.
    pub controlled: Vec<G::Move>,
    pub free: Vec<G::Move>,
    /// The moves that turn nothing up.
    pub still: Vec<G::Move>,
}

/// The positions of a dataset could not be read.
#[derive(Debug, thiserror::Error)]
pub enum SitesError {
    #[error(transparent)]
    Record(#[from] RecordError),
    #[error("game {game_id}, ply {ply}: the view is none under these rules")]
    View { game_id: u64, ply: u16, source: NotationError },
    #[error(
        "no game by the rules {} has a position with a flip onto a controlled square and one onto a free square",
        shown_up_to(rules, 100)
    )]
    Nowhere { rules: String },
}

/// Draws up to `count` positions from the games that were played by `rules`, at most one from each game: first
/// the games, every one as likely, then a position of each, every one in which there is something to compare as
/// likely. The draw hangs on `seed` and the games alone.
///
/// # Errors
///
/// If the dataset is broken, or has no such position.
pub fn sites<G: Game>(
    reader: &Reader,
    (name, rules): (&str, &Arc<G::Profile>),
    count: usize,
    seed: u64,
) -> Result<Vec<Site<G>>, SitesError> {
    // By the ticket its game has drawn; the lowest win.
    let mut drawn: BTreeMap<(u64, u64), Site<G>> = BTreeMap::new();
    for game in reader.records() {
        let game = game?;
        let ticket = (fnv1a(format!("{seed}/{}", game.game_id).as_bytes()), game.game_id);
        let is_late = drawn.len() >= count && drawn.last_key_value().is_some_and(|(&last, _)| ticket > last);
        if game.rules != name || is_late {
            continue;
        }
        if let Some(site) = site_of(&game, rules, seed)? {
            drawn.insert(ticket, site);
            if drawn.len() > count {
                drawn.pop_last();
            }
        }
    }
    if drawn.is_empty() {
        return Err(SitesError::Nowhere { rules: name.into() });
    }
    Ok(drawn.into_values().collect())
}

/// A position of the game with something to compare.
fn site_of<G: Game>(
    game: &GameRecord,
    rules: &Arc<G::Profile>,
    seed: u64,
) -> Result<Option<Site<G>>, SitesError> {
    let mut plies: Vec<_> = game.plies.iter().collect();
    plies.sort_by_cached_key(|ply| fnv1a(format!("{seed}/{}/{}", game.game_id, ply.ply).as_bytes()));
    for ply in plies {
        let (game_id, ply_number) = (game.game_id, ply.ply);
        let view = G::View::parse(&ply.view, rules).map_err(|source| SitesError::View {
            game_id,
            ply: ply_number,
            source,
        })?;
        let site = Site::of(view, game_id, ply_number);
        if !site.controlled.is_empty() && !site.free.is_empty() {
            return Ok(Some(site));
        }
    }
    Ok(None)
}

impl<G: Game> Site<G> {
    fn of(view: G::View, game_id: u64, ply: u16) -> Self {
        // Legal moves, and who controls what in its mover's eyes, are the same in every world a view allows.
        let world = G::sample(&view, &mut random_stream(0, 0));
        let mut moves = MoveList::<G::Move>::new();
        world.legal_moves(&mut moves);
        let flips = moves.iter().copied().filter(|&mv| world.kind(mv) == PlyKind::Flip);
        let (controlled, free) = flips.partition(|&mv| world.control(mv).attackers > 0);
        let still = moves.iter().copied().filter(|&mv| !world.kind(mv).is_flip()).collect();
        Self { game_id, ply, view, controlled, free, still }
    }
}
