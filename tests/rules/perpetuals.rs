//! Perpetual check and chase, and repetition: the vectors P1 to P18 and D1 to D10 for the rule sets they
//! name, and two tables of cycles with verdicts of independent programs.

use std::fmt::Write;
use std::sync::Arc;

use facedown::game::{EndReason, Game, Outcome, Profile, Seat, Status, View};
use facedown::rules::jieqi::{JieqiRules, JieqiView};

use super::{game, legal_moves, named, played, view_under};

/// How a line of play ends: at which ply (1 is the first), how, and why.
#[derive(Debug, PartialEq)]
struct Ruling {
    ply: Option<usize>,
    result: &'static str,
    reason: &'static str,
}

const NOTHING: Ruling = Ruling { ply: None, result: "none", reason: "-" };

/// Plays `moves` as far as they go; the view is the last one before the ruling.
fn ruling(fen: &str, moves: &str, rules: &Arc<JieqiRules>) -> (JieqiView, Ruling) {
    let mut before = view_under(fen, rules);
    for (ply, text) in (1..).zip(moves.split(' ')) {
        if !legal_moves(&before).iter().any(|mv| text.starts_with(mv.as_str())) {
            return (before, Ruling { ply: Some(ply), result: "forbidden", reason: "-" });
        }
        let (mv, seen) = before.parse_seen(text).unwrap_or_else(|error| panic!("{error}"));
        let after = before.after(mv, seen);
        if let Status::Over(Outcome { winner, reason }) = after.status() {
            let result = match winner {
                None => "draw",
                Some(Seat::First) => "black-loses",
                Some(Seat::Second) => "red-loses",
            };
            return (before, Ruling { ply: Some(ply), result, reason: reason.name() });
        }
        before = after;
    }
    (before, NOTHING)
}

/// The public view after some plies.
fn after(fen: &str, plies: &str, rules: &Arc<JieqiRules>) -> JieqiView {
    plies.split(' ').fold(view_under(fen, rules), |view, ply| {
        let (mv, seen) = view.parse_seen(ply).unwrap_or_else(|error| panic!("{error}"));
        view.after(mv, seen)
    })
}

fn rows(table: &'static str) -> impl Iterator<Item = Vec<&'static str>> {
    table.lines().skip(1).map(|line| line.split('\t').collect())
}

#[test]
fn every_vector_is_ruled_so_by_the_rule_set_it_names() {
    let mut wrong = String::new();
    for row in rows(include_str!("../data/jieqi_rulings.tsv")) {
        let [id, profile, fen, moves, ply, result, reason, note] = row[..] else { panic!("{row:?}") };
        let expected = Ruling { ply: ply.parse().ok(), result, reason };
        let (_, got) = ruling(fen, moves, &named(profile));
        if got != expected {
            writeln!(wrong, "{id} {profile}: {got:?}, not {expected:?}: {note}").unwrap();
        }
    }
    assert!(wrong.is_empty(), "{wrong}");
}

#[test]
fn every_cycle_of_the_table_has_its_verdict_at_its_last_ply() {
    let wxf = named("wxf");
    for row in rows(include_str!("../data/jieqi_repetition.tsv")) {
        let (_, got) = ruling(row[2], row[3], &wxf);
        assert_eq!((got.ply, got.result), (Some(row[3].split(' ').count()), row[4]), "{row:?}");
    }
}

#[test]
fn runs_are_as_long_as_the_table_says() {
    for row in rows(include_str!("../data/jieqi_counting.tsv")) {
        let [id, profile, _, fen, moves, ply, kind, length, pieces, result, _] = row[..] else {
            panic!("{row:?}")
        };
        let (before, got) = ruling(fen, moves, &named(profile));
        assert_eq!((got.ply, got.result), (ply.parse().ok(), result), "{id}");
        let judged_by_repetition = kind == "chase" && ["ziga", "tuongky"].contains(&profile);
        if got == NOTHING || judged_by_repetition {
            continue;
        }
        // The view before the last move has the run without it.
        let mover = if before.status() == Status::ToMove(Seat::First) { "w" } else { "b" };
        let length: usize = length.parse().unwrap();
        let signs = if kind == "chase" { ["x", "x"] } else { ["+", "@"] };
        // Where the number of chasers does not count, the table has 1.
        let pieces: usize = pieces.parse().unwrap();
        let all_count = kind == "check" || profile == "comu";
        let is_it = |run: &String| {
            signs.iter().any(|sign| run.starts_with(&format!("{mover}{sign}{}", length - 1)))
                && (!all_count || run.len() == format!("{mover}x{}e0", length - 1).len() + 2 * pieces)
        };
        let runs: Vec<_> = before.runs().map(ToString::to_string).collect();
        assert!(runs.iter().any(is_it), "{id}: {length} by {pieces} pieces, before the last: {runs:?}");
    }
}

/// A rule set with some of its text changed.
fn changed(name: &str, changes: &[(&str, &str)]) -> Arc<JieqiRules> {
    let (_, text) = JieqiRules::BUILT_IN.iter().find(|(built_in, _)| *built_in == name).unwrap();
    let text = changes.iter().fold(text.to_string(), |text, (from, to)| {
        assert!(text.contains(from), "{name} has {from}");
        text.replace(from, to)
    });
    Arc::new(JieqiRules::from_toml(&text, "a test").unwrap())
}

#[test]
fn p7_the_same_cycle_is_a_chase_where_soldiers_at_home_are_no_exception() {
    let rules = changed("wxf", &[("\"soldiers_on_own_half\"\n", "\"none\"\n")]);
    let rows = rows(include_str!("../data/jieqi_rulings.tsv"));
    let row = rows.into_iter().find(|row| row[0] == "P7").unwrap();
    let (_, got) = ruling(row[2], row[3], &rules);
    assert_eq!((got.ply, got.result, got.reason), (Some(8), "red-loses", "perpetual-chase"));
}

const ROOK_CHECKS: &str = "a8a9 d9d8 a9a8 d8d9 a8a9 d9d8 a9a8 d8d9 a8a9 d9d8 a9a8 d8d9";
/// As a cannon, the face-down piece checks from d2 over the soldier; as nothing else.
const CANNON_MAY_COME: &str = "3k5/R8/9/9/3p5/9/9/1X7/9/5K3 w R1C1P1 0 1";

#[test]
fn p17_a_check_beyond_the_limit_by_luck_counts_but_does_not_lose() {
    // However many pieces join in, 6 checks are all.
    let rules = changed(
        "comu",
        &[("per_piece = false\nlimits = [6, 12, 18]", "per_piece = false\nlimits = [6, 6, 6]")],
    );
    let (after, got) = ruling(CANNON_MAY_COME, &format!("{ROOK_CHECKS} b2d2C d9e9"), &rules);
    assert_eq!(got, NOTHING);
    assert_eq!(after.runs().map(ToString::to_string).collect::<Vec<_>>(), ["w+7e9a8d2"]);
    let (_, got) = ruling(CANNON_MAY_COME, &format!("{ROOK_CHECKS} b2d2C d9e9 a8a9"), &rules);
    assert_eq!((got.ply, got.result), (Some(15), "red-loses"));
}

#[test]
fn a_flip_that_checks_beyond_the_limit_whatever_turns_up_loses_and_its_text_says_so() {
    let rules = changed(
        "comu",
        &[("per_piece = false\nlimits = [6, 12, 18]", "per_piece = false\nlimits = [6, 6, 6]")],
    );
    let fen = "3k5/R8/9/9/9/9/9/1X7/9/3C1K3 w R1C1P1 0 1";
    let view = after(fen, &format!("{ROOK_CHECKS} b2d2P"), &rules);
    let lost = Outcome { winner: Some(Seat::Second), reason: EndReason::PerpetualCheck };
    assert_eq!(view.status(), Status::Over(lost));
    assert!(view.to_string().ends_with(" runs w+7d9a8d0 over"), "{view}");
    assert_eq!(view_under(&view.to_string(), &rules), view);
    // Without the word the text is that of a game that goes on, as after a check by luck.
    let running = view.to_string().replace(" over", "");
    assert!(matches!(view_under(&running, &rules).status(), Status::ToMove(_)));
}

#[test]
fn a_side_with_forbidden_moves_only_loses_or_draws() {
    // The soldier may not leave the kings' file, and the horse guards the king's squares.
    let fen = "9/1np6/3k5/9/3P5/9/9/5n3/9/3K5 w - 0 1";
    let once = ("[6, 6, 6]", "[1, 1, 1]");
    let end = |rules: &Arc<JieqiRules>| ruling(fen, "d5d6 d7d8", rules).1;
    let lost = end(&changed("tencent", &[once]));
    assert_eq!((lost.ply, lost.result, lost.reason), (Some(2), "red-loses", "nothing-playable"));
    let draw = ("forbid_exhausted = \"lose\"", "forbid_exhausted = \"draw\"");
    let drawn = end(&changed("tencent", &[once, draw]));
    assert_eq!((drawn.ply, drawn.result, drawn.reason), (Some(2), "draw", "nothing-playable"));
}

#[test]
fn a_forbidden_move_may_be_played_if_it_mates_unless_the_rules_say_otherwise() {
    let row = rows(include_str!("../data/jieqi_rulings.tsv")).find(|row| row[0] == "P18").unwrap();
    assert_eq!(ruling(row[2], row[3], &named("tencent")).1, NOTHING);
    let strict = ("mate_overrides_forbid = true", "mate_overrides_forbid = false");
    let (_, got) = ruling(row[2], row[3], &changed("tencent", &[strict]));
    assert_eq!((got.ply, got.result), (Some(13), "forbidden"));
}

#[test]
fn a_forbidden_move_is_refused_as_such() {
    let tencent = named("tencent");
    let fen = "3k5/R8/9/9/9/9/9/9/9/4K4 w - 0 1";
    let game = played(game(&view_under(fen, &tencent)), ROOK_CHECKS);
    let error = game.parse_ply("a8a9").unwrap_err();
    assert_eq!((error.at, error.found.as_str()), (0, "'a8a9', which is forbidden here"));
    assert!(game.parse_ply("a8a7").is_ok());
}

#[test]
fn a_view_keeps_the_runs_from_before_its_moves() {
    let tencent = named("tencent");
    let fen = "3k5/R8/9/9/9/9/X8/9/9/4K4 w P1 0 1";
    let text = |plies: &str| {
        let text = after(fen, plies, &tencent).to_string();
        text.split(' ').skip(5).collect::<Vec<_>>().join(" ")
    };
    // A reveal starts the history again, but not Black's row of chases; Red's row of checks it ends.
    assert_eq!(text("a8a9 d9d8"), "moves a8a9 d9d8");
    assert_eq!(text("a8a9 d9d8 a3a4P"), "");
    let check_by_reveal = "3k5/R8/9/9/9/9/9/1X7/9/3C1K3 w P1 0 1";
    let view = after(check_by_reveal, "a8a9 d9d8 b2d2P d8e8", &tencent);
    assert!(view.to_string().ends_with(" runs w+1d8d0 moves d8e8"), "{view}");
}

/// A view's text behind its position, the byte at which it is refused from there, and words of the
/// complaint.
const REFUSED: &[(&str, usize, &str)] = &[
    ("runs", 0, "runs behind it"),
    ("runs moves a8a9", 0, "runs behind it"),
    ("runs x", 5, "a run such as"),
    ("runs w", 6, "a run such as"),
    ("runs w+", 7, "a run such as"),
    ("runs w+0d9a8", 7, "a run such as"),
    ("runs w+256d9a8", 7, "a run such as"),
    ("runs w+2d9", 10, "a run such as"),
    ("runs w+2d9a8a", 12, "a run such as"),
    ("runs w+2d9a8a8", 12, "a run such as"),
    ("runs w+2é9a8", 8, "a run such as"),
    ("runs w+2d9a7", 5, "a run these rules keep"),
    ("runs w+2d8a8", 5, "a run these rules keep"),
    ("runs w@2d9a8", 5, "a run these rules keep"),
    ("runs wx2d9a8", 5, "a run these rules keep"),
    ("runs b+2d9a8", 5, "a run these rules keep"),
    ("runs w+2d9a8 w+2d9a8", 13, "runs sorted"),
    ("runs wx2d5a8 w+2d9a8", 13, "runs sorted"),
    ("runs w+2d9a8 over", 13, "'over' behind a run beyond its limit"),
    ("over", 0, "in this order"),
    ("moves d8d9 runs w+2d9a8", 11, "a square"),
];

#[test]
fn a_wrong_run_is_refused_at_the_byte_that_is_wrong() {
    let fen = "3k5/R8/9/9/3p5/9/9/9/9/5K3 w - 4 10 ";
    let tencent = named("tencent");
    for &(fields, at, words) in REFUSED {
        let error = JieqiView::parse(&format!("{fen}{fields}"), &tencent).expect_err(fields);
        assert_eq!(error.at, fen.len() + at, "{error}");
        assert!(error.expected.contains(words), "{error}, not {words}");
    }
    assert!(JieqiView::parse(&format!("{fen}runs w+2d9a8 wx1d5a8"), &tencent).is_ok());
}
