//! The oracle tables: perft counts, move lists and games, computed by other programs.

use facedown::game::{PerftCount, View, perft};

use super::{START, legal_moves, named, seen_by, view_under};

/// The rows below the header, split into fields.
fn rows(table: &str) -> impl Iterator<Item = Vec<&str>> {
    table.lines().skip(1).map(|line| line.split('\t').collect())
}

#[test]
fn perft_agrees_with_the_table_at_every_depth_it_has() {
    for row in rows(include_str!("../data/jieqi_perft.tsv")) {
        let view = view_under(row[2], &named("base"));
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
fn counting_without_the_last_ply_agrees_with_walking_it() {
    for row in rows(include_str!("../data/jieqi_perft.tsv")).step_by(7) {
        for rules in [seen_by("capturer"), seen_by("both")] {
            let view = view_under(row[2], &rules);
            for count in [PerftCount::Moves, PerftCount::Outcomes] {
                assert_eq!(view.perft(2, count), perft(&view, 2, count), "{} {count:?}", row[0]);
            }
            assert_eq!(view.perft_played(2), view.perft(2, PerftCount::Outcomes), "{}", row[0]);
        }
    }
}

#[test]
fn legal_moves_agree_with_the_table() {
    for row in rows(include_str!("../data/jieqi_moves.tsv")) {
        let found = legal_moves(&view_under(row[2], &named("base")));
        assert_eq!(found.join(" "), row[5].trim_matches('-'), "{}", row[0]);
    }
}

#[test]
fn games_lead_to_the_positions_of_the_table() {
    let rules = named("base");
    for row in rows(include_str!("../data/jieqi_games.tsv")) {
        let end = row[2].split(' ').fold(view_under(START, &rules), |view, ply| {
            let (mv, seen) = view.parse_seen(ply).unwrap_or_else(|error| panic!("{} {error}", row[0]));
            assert_eq!(view.seen_text(mv, seen), ply);
            view.after(mv, seen)
        });
        let text = end.to_string();
        let fen: Vec<_> = text.split(' ').take(5).collect();
        assert_eq!(fen.join(" "), row[3], "{}", row[0]);
        assert_eq!(view_under(&text, &rules), end, "{}", row[0]);
    }
}
