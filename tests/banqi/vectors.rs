//! Flips, captures and the end of the game, position by position: the vectors B01 to B42.

use std::fmt::Write;
use std::time::Duration;

use facedown::game::{EndReason, Game, Outcome, PerftCount, Profile, Seat, Status, View};
use facedown::referee::{FirstMover, Referee};
use facedown::rules::banqi::{Banqi, BanqiRules, BanqiView, Move};

use super::{START, end, legal_moves, named, played, taking_cannons, view, view_under};

#[test]
fn every_vector_has_its_answer() {
    let mut wrong = String::new();
    for line in include_str!("../data/banqi_vectors.tsv").lines().skip(1) {
        let fields: Vec<_> = line.split('\t').collect();
        let [id, rules, fen, question, about, expected, reason] = fields[..] else { panic!("{line}") };
        let rules = if rules == "cannons" { taking_cannons() } else { named(rules) };
        let got = answer(view_under(fen, &rules), question, about);
        if got != expected {
            writeln!(wrong, "{id}: {question} {about}: {got}, not {expected}: {reason}").unwrap();
        }
    }
    assert!(wrong.is_empty(), "{wrong}");
}

fn answer(view: BanqiView, question: &str, about: &str) -> String {
    let moves = legal_moves(&view);
    match question {
        "count" => moves.len().to_string(),
        "moves" => moves.join(" "),
        "legality" if moves.iter().any(|mv| mv == about) => "legal".into(),
        "legality" => "illegal".into(),
        "end" => end(&view),
        "play" => {
            let view = played(view, about);
            let text = view.to_string();
            format!("{} {}", end(&view), text.split(' ').nth(3).expect("the quiet plies"))
        }
        other => panic!("no such question: {other}"),
    }
}

#[test]
fn b34_the_start_has_448_outcomes_and_13888_decisions_after_them() {
    let start = view(START);
    assert_eq!(start.perft(1, PerftCount::Outcomes), 448);
    assert_eq!(start.perft(2, PerftCount::Moves), 13_888);
}

#[test]
fn b35_the_first_flip_shows_what_lies_face_down_by_its_number() {
    let start = view(START);
    let mv: Move = "c2".parse().unwrap();
    let odds_of = |letter: &str| -> f64 {
        let shows = |text: String| text.to_uppercase().ends_with(letter);
        let chances = start.chances(mv);
        chances.probabilities().filter(|&(seen, _)| shows(start.seen_text(mv, seen))).map(|(_, p)| p).sum()
    };
    assert_eq!((odds_of("=K"), odds_of("=P")), (2.0 / 32.0, 10.0 / 32.0));
}

#[test]
fn b20_a_cannon_that_takes_what_is_face_down_takes_it_out_of_the_pool() {
    let rules = taking_cannons();
    let view = view_under("8/C1P1?3/8/7? w P1p1 3", &rules);
    let mv: Move = "a3e3".parse().unwrap();
    assert_eq!(view.chances(mv).len(), 2);
    let after = played(view.clone(), "a3e3=p");
    assert_eq!(after.to_string(), "8/2P1C3/8/7? b P1 0");
    assert_eq!(end(&after), "w-wins captured-all");
    // Its own soldier: the black one is still face down.
    let after = played(view, "a3e3=P");
    assert_eq!(after.to_string(), "8/2P1C3/8/7? b p1 0");
    assert_eq!(end(&after), "ongoing");
}

#[test]
fn b42_who_thinks_for_20_seconds_at_such_a_table_loses() {
    let rules = named("joypip");
    let seconds: Vec<_> =
        rules.live.clocks.iter().map(|clock| clock.per_move.expect("a limit").seconds.get()).collect();
    assert_eq!(seconds, [20, 30, 60]);
    assert_eq!(rules.live.first_mover, FirstMover::Random);
    let clocks = rules.live.clocks[0].wind_up(None).unwrap();
    let mut referee = Referee::new(Banqi::start(&rules), &rules.live, Some(clocks));
    let (mv, reveal) = referee.truth().parse_ply("c2=n").unwrap();
    referee.play(Seat::First, mv, reveal, Duration::from_secs(20)).unwrap();
    let (mv, reveal) = referee.truth().parse_ply("c3=N").unwrap();
    let status = referee.play(Seat::Second, mv, reveal, Duration::from_millis(20_001)).unwrap();
    assert_eq!(status, Status::Over(Outcome { winner: Some(Seat::First), reason: EndReason::Flag }));
}

#[test]
fn every_rule_set_reads_back_and_has_a_fingerprint_of_its_own() {
    let mut fingerprints = Vec::new();
    for (name, _) in BanqiRules::BUILT_IN {
        let rules = named(name);
        assert_eq!(rules.name, *name);
        assert_eq!(BanqiRules::from_toml(&rules.to_toml(), "its own text").unwrap(), *rules);
        assert_eq!(rules.with_draw_limit(77).no_progress_plies, 77);
        fingerprints.push(rules.fingerprint());
    }
    fingerprints.sort_unstable();
    fingerprints.dedup();
    assert_eq!(fingerprints.len(), BanqiRules::BUILT_IN.len());
}

#[test]
fn a_limit_under_which_a_game_could_outlast_its_record_is_refused_with_its_place() {
    let rules =
        |limit: u32| BanqiRules::from_toml(&format!("name = \"mine\"\nno_progress_plies = {limit}"), "mine");
    assert_eq!(rules(312).unwrap().no_progress_plies, 312);
    let refused = rules(313).unwrap_err().to_string();
    assert!(refused.starts_with("mine:2:21: no_progress_plies is 313; expected at most 312"), "{refused}");
}
