//! The oracle tables: move lists, perft counts and games, computed by OpenSpiel and by a second program.

use std::collections::HashMap;
use std::sync::Arc;

use facedown::game::{PerftCount, Profile, Status, View};
use facedown::rules::banqi::BanqiRules;

use super::{START, legal_moves, named, result, view_under};

/// The rows below the header, by the names of the columns.
fn rows(table: &str) -> impl Iterator<Item = HashMap<&str, &str>> {
    let mut lines = table.lines();
    let header: Vec<_> = lines.next().expect("a header").split('\t').collect();
    lines.map(move |line| header.iter().copied().zip(line.split('\t')).collect())
}

fn with_limit(rules: &str, row: &HashMap<&str, &str>) -> Arc<BanqiRules> {
    Arc::new(named(rules).with_draw_limit(row["limit"].parse().unwrap()))
}

#[test]
fn moves_and_ends_agree_with_the_table() {
    for row in rows(include_str!("../data/banqi_moves.tsv")) {
        let id = row["id"];
        let openspiel = view_under(row["fen"], &with_limit("openspiel", &row));
        let joypip = view_under(row["fen"], &with_limit("joypip", &row));
        assert_eq!(result(&openspiel), row["status"], "{id}");
        assert_eq!(legal_moves(&openspiel).join(" "), row["legal"].trim_matches('-'), "{id}");
        assert_eq!(legal_moves(&openspiel).len().to_string(), row["n_legal"], "{id}");
        // Where the page leaves it open, a win comes before a draw.
        let expected = if row["status_joypip"] == "draw?" { "b-wins" } else { row["status_joypip"] };
        assert_eq!(result(&joypip), expected, "{id}");
        if row["status"] == row["status_joypip"] {
            assert_eq!(legal_moves(&joypip), legal_moves(&openspiel), "{id}");
        }
    }
}

#[test]
fn perft_agrees_with_the_table_at_depths_1_and_2() {
    for row in rows(include_str!("../data/banqi_perft.tsv")) {
        for rules in ["joypip", "openspiel"] {
            let view = view_under(row["fen"], &with_limit(rules, &row));
            for (depth, column) in [(1, "perft1"), (2, "perft2")] {
                let lines = view.perft(depth, PerftCount::Outcomes);
                assert_eq!(lines.to_string(), row[column], "{} {rules} depth {depth}", row["id"]);
            }
        }
    }
}

/// The positions whose depth 3 costs less than a million lines; `facedown verify` counts them all.
#[test]
fn perft_agrees_with_the_table_at_depth_3() {
    let mut counted = 0;
    for row in rows(include_str!("../data/banqi_perft.tsv")) {
        if row["perft3"].len() <= 6 {
            let view = view_under(row["fen"], &with_limit("joypip", &row));
            assert_eq!(view.perft(3, PerftCount::Outcomes).to_string(), row["perft3"], "{}", row["id"]);
            counted += 1;
        }
    }
    assert!(counted >= 10, "{counted}");
}

#[test]
fn games_end_as_in_the_table() {
    for row in rows(include_str!("../data/banqi_games.tsv")) {
        for rules in ["joypip", "openspiel"] {
            let id = row["id"];
            let mut view = view_under(START, &with_limit(rules, &row));
            for text in row["actions"].split(' ') {
                assert_eq!(result(&view), "ongoing", "{id} before {text}");
                let (mv, seen) = view.parse_seen(text).unwrap_or_else(|error| panic!("{id} {error}"));
                assert_eq!(view.seen_text(mv, seen), text);
                view = view.after(mv, seen);
            }
            assert_eq!(result(&view), row["result"], "{id} {rules}");
            let Status::Over(outcome) = view.status() else { unreachable!("it has a result") };
            let reason = outcome.reason.name().replace("stalemate", "no-legal-move");
            assert_eq!(reason, row["reason"], "{id} {rules}");
            let first = view.side_letter(facedown::game::Seat::First).map(String::from);
            assert_eq!(first.as_deref(), Some(row["first_colour"]), "{id}");
            let fen: Vec<_> = view.to_string().split(' ').take(4).map(String::from).collect();
            assert_eq!(fen.join(" "), row["final_fen"], "{id}");
            assert_eq!(view_under(&view.to_string(), view.rules()), view, "{id}");
        }
    }
}
