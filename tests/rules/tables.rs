//! The oracle tables: perft counts, move lists and games, computed by other programs.

use std::sync::Arc;

use facedown::game::{PerftCount, Profile, View, perft};
use facedown::rules::jieqi::JieqiRules;

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
fn with_advisors_and_elephants_confined_the_revealed_start_counts_as_xiangqi() {
    let (_, base) = JieqiRules::BUILT_IN.iter().find(|(name, _)| *name == "base").unwrap();
    let confined = base.replace("free_advisor_elephant = true", "free_advisor_elephant = false");
    let rules = Arc::new(JieqiRules::from_toml(&confined, "a test").unwrap());
    let revealed = "rnbakabnr/9/1c5c1/p1p1p1p1p/9/9/P1P1P1P1P/1C5C1/9/RNBAKABNR w - 0 1";
    let view = view_under(revealed, &rules);
    for (depth, lines) in [(1, 44), (2, 1_920), (3, 79_666), (4, 3_290_240)] {
        assert_eq!(view.perft(depth, PerftCount::Moves), lines, "depth {depth}");
    }
    assert_eq!(perft(&view, 3, PerftCount::Moves), 79_666);
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
