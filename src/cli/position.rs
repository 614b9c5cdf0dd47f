//! The position that commands about single positions take, and what is said of it.

use std::sync::Arc;

use rand::SeedableRng;
use rand::rngs::ChaCha8Rng;

use super::{Common, Failure};
use crate::game::{Eyes, Game, Outcome, Seat, Status, View};

/// The position a text stands for, under the rules that `--rules` names; the start of the game without
/// a text.
pub fn view<G: Game>(text: Option<&str>, common: &Common) -> Result<G::View, Failure> {
    let rules = common.load_rules::<G>(common.rules.as_deref().unwrap_or_default())?;
    match text {
        Some(text) => G::View::parse(text, &rules).map_err(Failure::usage),
        None => Ok(start::<G>(&rules)),
    }
}

/// The public view of the start of the game.
pub fn start<G: Game>(rules: &Arc<G::Profile>) -> G::View {
    G::start(rules).view(Eyes::Public)
}

/// A game that stands as `view` does. What the view leaves open is drawn, always alike.
pub fn game<G: Game>(view: &G::View) -> G {
    G::sample(view, &mut ChaCha8Rng::seed_from_u64(0))
}

/// The state of the player to move: `none`, `check`, `checkmate`, `stalemate`, `draw`, or the name of
/// another end.
pub fn state_name<G: Game>(view: &G::View) -> &'static str {
    match view.status() {
        Status::ToMove(_) if game::<G>(view).in_check() => "check",
        Status::ToMove(_) => "none",
        Status::Over(Outcome { winner: None, .. }) => "draw",
        Status::Over(outcome) => outcome.reason.name(),
    }
}

/// How the game stands: `ongoing`, `draw`, or who has won: `w-wins`, `b-wins`.
pub fn result_name<G: Game>(view: &G::View) -> String {
    match view.status() {
        Status::ToMove(_) => "ongoing".into(),
        Status::Over(Outcome { winner: None, .. }) => "draw".into(),
        Status::Over(Outcome { winner: Some(seat), .. }) => format!("{}-wins", side_name::<G>(view, seat)),
    }
}

/// Whether a text is one that [`result_name`] gives.
pub fn is_result_name(text: &str) -> bool {
    ["ongoing", "draw", "w-wins", "b-wins"].contains(&text)
}

/// The letter of the side that the player at `seat` has; `-` before the game hands out colours.
pub fn side_name<G: Game>(view: &G::View, seat: Seat) -> String {
    view.side_letter(seat).unwrap_or('-').into()
}
