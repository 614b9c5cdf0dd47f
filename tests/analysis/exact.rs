//! Reports and probes give the values that `solve` gives, in positions small enough to be solved.

use std::collections::HashMap;
use std::sync::Arc;

use facedown::analysis::{Cell, Exposure, Findings, Question, analyze};
use facedown::eval::{EvalError, Evaluations, Evaluator, Query};
use facedown::game::{Game, MoverValue, PlyKind, Profile, Seat, Status, View, random_stream};
use facedown::progress::Silent;
use facedown::record::{Candidate, GameRecord, OnBroken, PlyRecord, Reader};
use facedown::rules::jieqi::{Jieqi, JieqiRules, JieqiView};
use facedown::search::{Objective, RootRule, SearchConfig, Visits, solve};
use facedown::study::{Probe, Site};

use super::data::{candidate, game, ply, write};

type Move = <Jieqi as Game>::Move;

/// The most that solving one may look at.
const POSITIONS: u64 = 1_000_000;

/// A solved position with a flip onto a controlled square and one onto a free square.
struct Solved {
    view: JieqiView,
    position: Jieqi,
    moves: Vec<(Move, MoverValue)>,
    nodes: u64,
}

impl Solved {
    /// Values of the flips onto empty squares, controlled ones or free ones.
    fn flips(&self, controlled: bool) -> Vec<(Move, f64)> {
        let flips = self.moves.iter().filter(|&&(mv, _)| {
            self.position.kind(mv) == PlyKind::Flip && (self.position.control(mv).attackers > 0) == controlled
        });
        flips.map(|&(mv, value)| (mv, f64::from(value.0))).collect()
    }

    /// The value of the best flip onto a controlled square, or onto a free one.
    fn best(&self, controlled: bool) -> f64 {
        self.flips(controlled).iter().map(|&(_, value)| value).fold(f64::NEG_INFINITY, f64::max)
    }

    fn mover(&self) -> Seat {
        let Status::ToMove(mover) = self.view.status() else { panic!("a move to choose") };
        mover
    }
}

/// Those of the solved table in which flips can be compared.
fn solved() -> Vec<Solved> {
    let rules: Arc<JieqiRules> = JieqiRules::load("tests/data/short_games.toml").expect("rules");
    let lines = include_str!("../data/jieqi_solved.tsv").lines().skip(1);
    let positions = lines.map(|line| {
        let text = line.split('\t').nth(1).expect("a position");
        let view = JieqiView::parse(text, &rules).expect("a position");
        let solution = solve::<Jieqi>(&view, Objective::Result, POSITIONS).expect("small enough");
        let position = Jieqi::sample(&view, &mut random_stream(0, 0));
        Solved { view, position, moves: solution.moves, nodes: solution.nodes }
    });
    let solved = positions.filter(|solved| !solved.flips(true).is_empty() && !solved.flips(false).is_empty());
    solved.collect()
}

fn mean(values: impl IntoIterator<Item = f64>) -> f64 {
    let values: Vec<f64> = values.into_iter().collect();
    values.iter().sum::<f64>() / values.len() as f64
}

/// In points: flips onto controlled squares, all or those with a least attacker of that letter, against the
/// best onto a free square.
fn price<'a>(solved: impl IntoIterator<Item = &'a Solved>, attacker: Option<char>) -> f64 {
    mean(solved.into_iter().flat_map(|solved| {
        let best_free = solved.best(false);
        let is_asked = move |mv| attacker.is_none() || solved.position.control(mv).least_attacker == attacker;
        let flips = solved.flips(true).into_iter().filter(move |&(mv, _)| is_asked(mv));
        flips.map(move |(_, value)| 50.0 * (value - best_free))
    }))
}

/// In points, the best flip of one kind against the best of the other.
fn contrast<'a>(solved: impl IntoIterator<Item = &'a Solved>) -> f64 {
    mean(solved.into_iter().map(|solved| 50.0 * (solved.best(true) - solved.best(false))))
}

/// The row that audited self-play would write of the position if its searches knew the truth.
fn audited(solved: &Solved) -> PlyRecord {
    let candidates = solved.moves.iter().map(|&(mv, value)| Candidate {
        q_again: Some(value.0),
        ..candidate(&mv.to_string(), solved.position.kind(mv), 1, value.0, solved.position.control(mv))
    });
    let (mv, _) = solved.moves[0];
    let (reveal, _) = solved.position.chances(mv).iter().next().expect("something comes of a move");
    let facts = solved.position.facts(mv, reveal);
    PlyRecord {
        view: solved.view.to_string(),
        facts: facts.clone(),
        full_search: true,
        audited: true,
        candidates: candidates.collect(),
        ..ply(&mv.to_string(), facts.kind, facts.control)
    }
}

/// The game of one ply.
fn record(id: u64, solved: &Solved) -> GameRecord {
    let mut record = game(id, 0, vec![audited(solved)]);
    record.plies[0].seat = solved.mover() as u8;
    record
}

/// A figure of the row of `table` that begins with the texts `row`.
fn figure(findings: &Findings, table: &str, row: &[&str]) -> f64 {
    let mut tables = findings.sections.iter().flat_map(|section| &section.tables);
    let table = tables.find(|found| found.name == table).expect(table);
    let is_row = |cells: &&Vec<Cell>| {
        cells.iter().zip(row).all(|(cell, text)| matches!(cell, Cell::Text(found) if found == text))
    };
    let cells = table.rows().iter().find(is_row).unwrap_or_else(|| panic!("{}: {row:?}", table.name));
    let place = table.columns().iter().position(|column| column.key == "points").expect("points");
    let Cell::Real(points) = cells[place] else { panic!("{:?}", cells[place]) };
    points
}

#[test]
fn what_audits_see_of_flips_is_what_solve_says_of_them() {
    let solved = solved();
    assert!(solved.len() >= 15, "{} positions", solved.len());
    let folder = tempfile::tempdir().expect("a folder");
    let games: Vec<_> = (1..).zip(&solved).map(|(id, solved)| record(id, solved)).collect();
    write(folder.path(), "short-games", &games, 7);
    let reader = Reader::open(folder.path(), OnBroken::Fail).expect("a dataset");
    let question = Question { rules: None, threads: 1, on_broken: OnBroken::Fail, depth: 1, min_games: 1 };
    let [findings] = &analyze::<Exposure>(&reader, &question).expect("figures").findings[..] else {
        panic!("one rule set and one player")
    };

    let expected = [
        ("exposure_price", &["all", "all"][..], price(&solved, None)),
        ("exposure_price", &["least attacker", "rook 車"], price(&solved, Some('R'))),
        ("exposure_price", &["least attacker", "horse 馬"], price(&solved, Some('N'))),
        ("exposure_price_best", &["best controlled less best free"], contrast(&solved)),
        ("exposure_contrast", &["audited", "any"], contrast(&solved)),
    ];
    for (table, row, expected) in expected {
        let found = figure(findings, table, row);
        // The values are wins, draws, and even odds of them, which the files hold exactly.
        assert!((found - expected).abs() < 1e-9, "{table} {row:?}: {found}, exact {expected}");
    }
}

/// Plays, and values, as `solve` says; the first of several best moves.
#[derive(Default)]
struct Perfect {
    known: HashMap<JieqiView, (usize, MoverValue)>,
}

impl Evaluator<Jieqi> for Perfect {
    fn evaluate(&mut self, queries: &[Query<Jieqi>], out: &mut Evaluations) -> Result<(), EvalError> {
        out.clear();
        for query in queries {
            let (best, value) = *self.known.entry(query.view.clone()).or_insert_with(|| {
                let solution =
                    solve::<Jieqi>(&query.view, Objective::Result, POSITIONS).expect("small enough");
                let best = solution.moves.iter().position(|&(_, value)| value == solution.value);
                (best.expect("some move is best"), solution.value)
            });
            out.push((0..query.moves.len()).map(|place| f32::from(u8::from(place == best))), value);
        }
        Ok(())
    }
}

#[test]
fn a_probe_by_a_perfect_player_finds_what_solve_says() {
    let solved: Vec<_> = solved().into_iter().filter(|solved| solved.nodes < 4_000).collect();
    let moves = |flips: Vec<(Move, f64)>| flips.into_iter().map(|(mv, _)| mv).collect();
    let sites: Vec<_> = (1..)
        .zip(&solved)
        .map(|(game_id, solved)| Site::<Jieqi> {
            game_id,
            ply: 0,
            view: solved.view.clone(),
            controlled: moves(solved.flips(true)),
            free: moves(solved.flips(false)),
            still: Vec::new(),
        })
        .collect();
    // The one visit goes to the move of all the prior.
    let search = SearchConfig {
        visits: Visits::literal(1),
        root: RootRule::Puct,
        ..SearchConfig::default().without_exploration()
    };
    let probe = Probe { name: "perfect".into(), search, playouts: 20, seed: 1 };
    let pool = rayon::ThreadPoolBuilder::new().num_threads(2).build().expect("threads");
    let evaluator = || -> Result<Box<dyn Evaluator<Jieqi>>, EvalError> { Ok(Box::new(Perfect::default())) };
    let findings = probe.run(&sites, &pool, &evaluator, &Silent).expect("played").findings();
    let found = |place: usize| findings[place].estimate.expect("flips were compared").value;
    for (found, expected) in [(found(0), price(&solved, None)), (found(1), contrast(&solved))] {
        assert!((found - expected).abs() < 1.0, "{found}, exact {expected}");
    }
}
