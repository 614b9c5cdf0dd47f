//! Banqi's rules, clause by clause.

mod commands;
mod facts;
mod files;
mod notation;
mod planes;
mod random;
mod tables;
mod vectors;

use std::sync::Arc;

use facedown::game::{MoveList, Outcome, Profile, Status, View};
use facedown::rules::banqi::{BanqiRules, BanqiView};

const START: &str = "????????/????????/????????/???????? - K1A2B2R2N2C2P5k1a2b2r2n2c2p5 0";

fn named(rules: &str) -> Arc<BanqiRules> {
    BanqiRules::load(rules).unwrap()
}

/// The default rules, but cannons may take face-down pieces.
fn taking_cannons() -> Arc<BanqiRules> {
    let (_, joypip) = BanqiRules::BUILT_IN[0];
    let text = joypip.replace("cannon_takes_face_down = false", "cannon_takes_face_down = true");
    Arc::new(BanqiRules::from_toml(&text, "a test").unwrap())
}

fn view(text: &str) -> BanqiView {
    view_under(text, &named("joypip"))
}

fn view_under(text: &str, rules: &Arc<BanqiRules>) -> BanqiView {
    BanqiView::parse(text, rules).unwrap_or_else(|error| panic!("{error}"))
}

/// The view after plies such as `c2=N c2c3`.
fn played(view: BanqiView, plies: &str) -> BanqiView {
    plies.split_whitespace().fold(view, |view, text| {
        let (mv, seen) = view.parse_seen(text).unwrap_or_else(|error| panic!("{error}"));
        view.after(mv, seen)
    })
}

fn legal_moves(view: &BanqiView) -> Vec<String> {
    let mut moves = MoveList::new();
    view.legal_moves(&mut moves);
    moves.iter().map(ToString::to_string).collect()
}

/// `ongoing`, `draw`, `w-wins` or `b-wins`.
fn result(view: &BanqiView) -> String {
    match view.status() {
        Status::ToMove(_) => "ongoing".into(),
        Status::Over(Outcome { winner: None, .. }) => "draw".into(),
        Status::Over(Outcome { winner: Some(seat), .. }) => {
            format!("{}-wins", view.side_letter(seat).expect("who has won has a colour"))
        }
    }
}

/// [`result`] and why.
fn end(view: &BanqiView) -> String {
    match view.status() {
        Status::ToMove(_) => result(view),
        Status::Over(outcome) => format!("{} {}", result(view), outcome.reason.name()),
    }
}
