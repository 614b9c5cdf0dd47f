//! The library against the second referee, ply by ply, on games that run in circles.

use std::collections::BTreeMap;
use std::fmt::Write;

use facedown::eval::Material;
use facedown::game::{Encode, EndReason, Eyes, Game, Profile, Status, Symmetry, View};
use facedown::rules::jieqi::{Jieqi, JieqiRules, JieqiView, Move};
use facedown::search::{SearchConfig, Visits};
use facedown::units::Probability;
use rand::rngs::ChaCha8Rng;
use rand::{Rng, RngExt, SeedableRng};

use super::referee::Referee;
use super::replay::{self, Checker, Play};
use super::{START, game, legal_moves, named};

/// A position, and moves that lead around in it.
struct Circle {
    fen: String,
    moves: Vec<String>,
}

/// The circles of both tables, and the start of the game, which has none.
fn circles() -> Vec<Circle> {
    let tables = [
        (include_str!("../data/jieqi_repetition.tsv"), [2, 3]),
        (include_str!("../data/jieqi_counting.tsv"), [3, 4]),
    ];
    let rows = tables.into_iter().flat_map(|(table, columns)| {
        table.lines().skip(1).map(move |line| {
            let fields: Vec<_> = line.split('\t').collect();
            let [fen, moves] = columns.map(|column| fields[column].to_owned());
            Circle { fen, moves: moves.split(' ').map(String::from).collect() }
        })
    });
    rows.chain([Circle { fen: START.into(), moves: vec!["e0e1".into()] }]).collect()
}

/// The position with some face-down pieces put on empty home squares, or none if that spoils it.
fn with_face_down(fen: &str, rules: &std::sync::Arc<JieqiRules>, rng: &mut impl Rng) -> Option<String> {
    let [board, side, _] = fen.splitn(3, ' ').collect::<Vec<_>>()[..] else { panic!("{fen}") };
    let mut rows: Vec<Vec<char>> = board.split('/').map(spread).collect();
    let mut pool = String::new();
    for (letter, back, cannons, soldiers) in [('x', 0, 2, 3), ('X', 9, 7, 6)] {
        let mut added = 0;
        for (row, files) in
            [(back, &[0, 1, 2, 3, 5, 6, 7, 8][..]), (cannons, &[1, 7][..]), (soldiers, &[0, 2, 4, 6, 8][..])]
        {
            for &file in files {
                if rows[row][file] == '.' && rng.random_bool(0.15) {
                    rows[row][file] = letter;
                    added += 1;
                }
            }
        }
        added += rows.iter().flatten().filter(|&&c| c == letter).count() - added;
        pool += &identities(&rows, letter, added, rng)?;
    }
    let board: Vec<_> = rows.iter().map(|row| gathered(row)).collect();
    let pool = if pool.is_empty() { "-".into() } else { pool };
    let fen = format!("{} {side} {pool} 0 1", board.join("/"));
    JieqiView::parse(&fen, rules).is_ok().then_some(fen)
}

/// `count` identities that the pieces on the board leave over, as a pool field.
fn identities(rows: &[Vec<char>], face_down: char, count: usize, rng: &mut impl Rng) -> Option<String> {
    let cased = |c: char| if face_down == 'x' { c.to_ascii_lowercase() } else { c };
    let on_board = |c: char| rows.iter().flatten().filter(|&&found| found == c).count();
    let mut left: Vec<char> = [('R', 2), ('A', 2), ('C', 2), ('P', 5), ('N', 2), ('B', 2)]
        .into_iter()
        .flat_map(|(c, dealt): (char, usize)| {
            std::iter::repeat_n(cased(c), dealt.saturating_sub(on_board(cased(c))))
        })
        .collect();
    let mut counts: BTreeMap<char, usize> = BTreeMap::new();
    for _ in 0..count {
        let drawn = (!left.is_empty()).then(|| left.swap_remove(rng.random_range(0..left.len())))?;
        *counts.entry(drawn).or_default() += 1;
    }
    Some(counts.iter().map(|(letter, count)| format!("{letter}{count}")).collect())
}

fn spread(row: &str) -> Vec<char> {
    row.chars().flat_map(|c| c.to_digit(10).map_or(vec![c], |gap| vec!['.'; gap as usize])).collect()
}

fn gathered(row: &[char]) -> String {
    row.chunk_by(|a, b| *a == '.' && *b == '.').fold(String::new(), |mut text, run| {
        match run[0] {
            '.' => write!(text, "{}", run.len()).expect("a string takes all"),
            piece => text.push(piece),
        }
        text
    })
}

/// What came up in the games, so that their agreement shows something.
#[derive(Default)]
struct Seen {
    ends: BTreeMap<&'static str, usize>,
    forbidden: usize,
    forbidden_flips: usize,
}

/// Plays around `circle`, straying now and then, and asks both referees at every ply.
fn play(circle: &Circle, rules: &std::sync::Arc<JieqiRules>, rng: &mut ChaCha8Rng, seen: &mut Seen) {
    let dressed = if rng.random_bool(0.5) { with_face_down(&circle.fen, rules, rng) } else { None };
    let fen = dressed.unwrap_or_else(|| circle.fen.clone());
    let start = JieqiView::parse(&fen, rules).unwrap();
    let mut game: Jieqi = game(&start);
    let mut referee = Referee::new(&fen, rules);
    let mut followed = start;
    let mut played: Vec<String> = Vec::new();
    let stray = [0.02, 0.2][rng.random_range(0..2)];
    for ply in 0..60 {
        let line = || format!("{} under {}: {fen} moves {}", ply, rules.name(), played.join(" "));
        let view = game.view(Eyes::Public);
        assert_eq!(game.status(), referee.status(), "{}", line());
        let moves = legal_moves(&view);
        assert_eq!(moves, referee.playable(), "{}", line());
        let mut runs: Vec<_> = view.runs().map(ToString::to_string).collect();
        runs.sort();
        assert_eq!(runs, referee.run_texts(), "{}", line());
        let text = view.to_string();
        assert_eq!(JieqiView::parse(&text, rules).as_ref(), Ok(&view), "{text}: {}", line());
        assert_eq!(followed, view, "{}", line());
        let mirror = view.mirrored(Symmetry::Files);
        assert_eq!(mirror.status(), view.status(), "{}", line());
        assert_eq!(mirror.mirrored(Symmetry::Files), view, "{}", line());

        if let Status::Over(outcome) = game.status() {
            *seen.ends.entry(outcome.reason.name()).or_default() += 1;
            return;
        }
        let scripted = &circle.moves[ply % circle.moves.len()];
        let back = played.iter().rev().nth(1).map(|mv| format!("{}{}", &mv[2..4], &mv[..2]));
        let choice = match back {
            _ if moves.contains(scripted) && !rng.random_bool(stray) => scripted.clone(),
            Some(back) if moves.contains(&back) && rng.random_bool(0.5) => back,
            _ => moves[rng.random_range(0..moves.len())].clone(),
        };
        let unforbidden = JieqiView::parse(&fen_of(&text), rules).unwrap();
        let legal = legal_moves(&unforbidden);
        seen.forbidden += legal.len().saturating_sub(moves.len());
        let is_flip = |mv: &&String| {
            unforbidden.chances(mv.parse().unwrap()).iter().any(|(reveal, _)| reveal.opened.is_some())
        };
        seen.forbidden_flips += legal.iter().filter(|mv| !moves.contains(mv)).filter(is_flip).count();

        let mv: Move = choice.parse().unwrap();
        let reveal = game.chances(mv).draw(rng);
        let public = game.seen(mv, reveal, Eyes::Public);
        referee.play(&choice, public.opened, public.taken);
        game.play(mv, reveal);
        followed = view.after(mv, public);
        played.push(view.seen_text(mv, public));
    }
}

/// The position alone, without its past.
fn fen_of(text: &str) -> String {
    text.split(' ').take(5).collect::<Vec<_>>().join(" ")
}

/// Plays `rounds` times around every circle under every rule set.
fn agree(rounds: usize, seed: u64) -> Seen {
    let mut rng = ChaCha8Rng::seed_from_u64(seed);
    let mut seen = Seen::default();
    let circles = circles();
    for (name, _) in JieqiRules::BUILT_IN {
        let rules = named(name);
        for _ in 0..rounds {
            play(&circles[rng.random_range(0..circles.len())], &rules, &mut rng, &mut seen);
        }
    }
    seen
}

#[test]
fn both_referees_agree_at_every_ply() {
    let seen = agree(60, 7);
    for reason in
        [EndReason::Checkmate, EndReason::Repetition, EndReason::PerpetualCheck, EndReason::PerpetualChase]
    {
        assert!(seen.ends.contains_key(reason.name()), "no game ended by {}", reason.name());
    }
    assert!(seen.forbidden > 10 && seen.forbidden_flips > 0, "{} {}", seen.forbidden, seen.forbidden_flips);
}

/// More games, and longer searched, are in `docs/soundness.md`.
#[test]
fn games_of_self_play_stand_before_the_second_referee() {
    let pool = rayon::ThreadPoolBuilder::new().num_threads(2).build().expect("threads");
    let play = |visits, explore, judge| Play {
        games: 8,
        search: SearchConfig { visits, ..SearchConfig::default() },
        explore,
        judge,
    };
    let mut perpetual = 0;
    for name in ["wxf", "tencent", "comu", "sunwin"] {
        let rules = named(name);
        let sober = play(Visits::literal(8), Probability::ZERO, || Box::new(Material));
        let checking = play(Visits::literal(1), Probability::literal(0.3), || Box::new(Checker));
        for play in [sober, checking] {
            let records = replay::play(&rules, play, &pool);
            assert_eq!(records.len(), 8);
            for record in records {
                replay::replay(&record, &rules).unwrap_or_else(|error| panic!("{error} under {name}"));
                perpetual += u32::from(record.end_reason == EndReason::PerpetualCheck);
            }
        }
    }
    assert!(perpetual > 0, "no game ended by checks without end");
}
