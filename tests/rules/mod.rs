//! Jieqi's rules, clause by clause.

mod commands;
mod draws;
mod facts;
mod notation;
mod perpetuals;
mod planes;
mod profiles;
mod referee;
mod replay;
mod second_opinion;
mod tables;
mod vectors;
mod visibility;

use std::sync::Arc;

use facedown::game::{Eyes, Game, MoveList, Profile, Seat, Status, View};
use facedown::rules::jieqi::{Jieqi, JieqiRules, JieqiView};
use rand::SeedableRng;
use rand::rngs::ChaCha8Rng;

const START: &str =
    "xxxxkxxxx/9/1x5x1/x1x1x1x1x/9/9/X1X1X1X1X/1X5X1/9/XXXXKXXXX w R2A2C2P5N2B2r2a2c2p5n2b2 0 1";

fn named(rules: &str) -> Arc<JieqiRules> {
    JieqiRules::load(rules).unwrap()
}

/// The default rules with another answer to who sees what is taken face down.
fn seen_by(whom: &str) -> Arc<JieqiRules> {
    let (_, wxf) = JieqiRules::BUILT_IN[0];
    let text = wxf.replace("captured_hidden = \"capturer\"", &format!("captured_hidden = \"{whom}\""));
    Arc::new(JieqiRules::from_toml(&text, "a test").unwrap())
}

fn view(text: &str) -> JieqiView {
    view_under(text, &named("wxf"))
}

fn view_under(text: &str, rules: &Arc<JieqiRules>) -> JieqiView {
    JieqiView::parse(text, rules).unwrap_or_else(|error| panic!("{error}"))
}

fn game(view: &JieqiView) -> Jieqi {
    Jieqi::sample(view, &mut ChaCha8Rng::seed_from_u64(0))
}

/// The game after plies such as `b2b9Rn`.
fn played(mut game: Jieqi, plies: &str) -> Jieqi {
    for text in plies.split_whitespace() {
        let (mv, reveal) = game.parse_ply(text).unwrap_or_else(|error| panic!("{error}"));
        game.play(mv, reveal);
    }
    game
}

fn legal_moves(view: &JieqiView) -> Vec<String> {
    let mut moves = MoveList::new();
    view.legal_moves(&mut moves);
    moves.iter().map(ToString::to_string).collect()
}

fn is_running(game: &Jieqi) -> bool {
    matches!(game.status(), Status::ToMove(_))
}

const RED: Eyes = Eyes::Of(Seat::First);
const BLACK: Eyes = Eyes::Of(Seat::Second);
