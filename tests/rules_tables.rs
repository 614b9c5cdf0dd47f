//! The oracle tables: perft counts, move lists and games, computed by other programs.

use std::sync::Arc;

use facedown::game::{MoveList, PerftCount, Profile, View};
use facedown::rules::jieqi::{JieqiRules, JieqiView};

const START: &str =
    "xxxxkxxxx/9/1x5x1/x1x1x1x1x/9/9/X1X1X1X1X/1X5X1/9/XXXXKXXXX w R2A2C2P5N2B2r2a2c2p5n2b2 0 1";

/// The rules of the tables: no draws.
fn base() -> Arc<JieqiRules> {
    JieqiRules::load("base").unwrap()
}

/// The rows below the header, split into fields.
fn rows(table: &str) -> impl Iterator<Item = Vec<&str>> {
    table.lines().skip(1).map(|line| line.split('\t').collect())
}

fn position(text: &str) -> JieqiView {
    JieqiView::parse(text, &base()).unwrap_or_else(|error| panic!("{error}"))
}

#[test]
fn perft_agrees_with_the_table_at_every_depth_it_has() {
    for row in rows(include_str!("data/jieqi_perft.tsv")) {
        let view = position(row[2]);
        for (count, first_column) in [(PerftCount::Moves, 8), (PerftCount::Outcomes, 12)] {
            for (depth, &expected) in (1..).zip(&row[first_column..first_column + 4]) {
                if expected != "-" {
                    let lines = view.perft(depth, count);
                    assert_eq!(lines.to_string(), expected, "{} {count:?} depth {depth}", row[0]);
                }
            }
        }
    }
}

#[test]
fn legal_moves_agree_with_the_table() {
    for row in rows(include_str!("data/jieqi_moves.tsv")) {
        let mut moves = MoveList::new();
        position(row[2]).legal_moves(&mut moves);
        let found: Vec<_> = moves.iter().map(ToString::to_string).collect();
        assert_eq!(found.join(" "), row[5].trim_matches('-'), "{}", row[0]);
    }
}

#[test]
fn games_lead_to_the_positions_of_the_table() {
    for row in rows(include_str!("data/jieqi_games.tsv")) {
        let end = row[2].split(' ').fold(position(START), |view, ply| {
            let (mv, seen) = view.parse_seen(ply).unwrap_or_else(|error| panic!("{} {error}", row[0]));
            assert_eq!(view.seen_text(mv, seen), ply);
            view.after(mv, seen)
        });
        let text = end.to_string();
        let fen: Vec<_> = text.split(' ').take(5).collect();
        assert_eq!(fen.join(" "), row[3], "{}", row[0]);
        assert_eq!(position(&text), end, "{}", row[0]);
    }
}
