//! What a search draws follows the odds: where nothing is secret, below a secret, and over the worlds themselves.

use std::collections::BTreeMap;

use facedown::eval::{EvalError, Evaluations, Evaluator, Query, Uniform};
use facedown::game::{Eyes, Game, Profile, Seat, View, random_stream};
use facedown::rules::jieqi::{Jieqi, JieqiRules, JieqiView};
use facedown::search::Search;

use super::visits;

/// 0.1 % of honest draws exceed these, with one and with two degrees of freedom.
const LIMITS: [f64; 2] = [10.83, 13.82];

/// Red has three pieces face down, and Black took two of Red's unseen: two rooks and three pawns are left to be
/// told apart.
const SECRET: &str = "3k5/r8/9/9/9/9/X1X5X/9/9/4K4 w R2P3 0 50 eyes w";

fn view(text: &str) -> JieqiView {
    JieqiView::parse(text, &JieqiRules::load("wxf").unwrap()).unwrap()
}

/// Pearson's statistic of counts against what they should be.
fn chi_square(counts: impl IntoIterator<Item = (f64, f64)>) -> f64 {
    counts.into_iter().map(|(count, expected)| (count - expected).powi(2) / expected).sum()
}

/// Judges like [`Uniform`] and keeps what the second player was shown.
#[derive(Default)]
struct Overheard(Vec<String>);

impl Evaluator<Jieqi> for Overheard {
    fn evaluate(&mut self, queries: &[Query<Jieqi>], out: &mut Evaluations) -> Result<(), EvalError> {
        let second = queries.iter().filter(|query| query.view.eyes() == Eyes::Of(Seat::Second));
        self.0.extend(second.map(|query| query.view.to_string()));
        Uniform.evaluate(queries, out)
    }
}

#[test]
fn worlds_are_drawn_with_the_odds_of_drawing_without_putting_back() {
    let view = view(SECRET);
    let mut rng = random_stream(4, 0);
    let draws = 6_000;
    let mut taken = BTreeMap::<String, u32>::new();
    for _ in 0..draws {
        let world = Jieqi::sample(&view, &mut rng).view(Eyes::Of(Seat::Second)).to_string();
        let (_, saw) = world.split_once("saw ").expect("Black saw what it took");
        *taken.entry(saw.split(' ').next().unwrap().into()).or_default() += 1;
    }
    // Two of five, of which two are rooks.
    let odds = [("R2", 0.1), ("R1P1", 0.6), ("P2", 0.3)];
    assert_eq!(taken.len(), odds.len(), "{taken:?}");
    let count = |pair: &str| f64::from(taken.get(pair).copied().unwrap_or(0));
    let statistic = chi_square(odds.map(|(pair, odds)| (count(pair), odds * f64::from(draws))));
    assert!(statistic < LIMITS[1], "{statistic}: {taken:?}");
}

#[test]
fn below_a_secret_reveals_follow_the_pool_of_the_player() {
    let view = view(SECRET);
    let mut search = Search::<Jieqi>::new(view.clone(), visits(4_000), 9);
    search.run(&mut Uniform).unwrap();
    let mut flips = 0;
    for mv in search.report().moves.iter().filter(|mv| !mv.outcomes.is_empty()) {
        let drawn = |seen| mv.outcomes.iter().find(|outcome| outcome.seen == seen).map_or(0, |o| o.visits);
        let odds = view.chances(mv.mv);
        let counts = odds.probabilities().map(|(seen, p)| (f64::from(drawn(seen)), p * f64::from(mv.visits)));
        let statistic = chi_square(counts);
        assert!(statistic < LIMITS[0], "{}: {statistic}, {:?}", mv.mv, mv.outcomes);
        flips += 1;
    }
    assert!(flips >= 3, "{flips} moves that turn up a piece");
}

#[test]
fn in_a_world_where_the_opponent_holds_both_rooks_none_turns_up() {
    let mut overheard = Overheard::default();
    Search::<Jieqi>::new(view(SECRET), visits(4_000), 2).run(&mut overheard).unwrap();
    let turned_up = |letter| move |text: &&String| text.split(' ').next().unwrap().contains(letter);
    let with = |saw: &'static str| overheard.0.iter().filter(move |text| text.contains(saw));
    let both = " saw R2 ";
    assert!(with(both).filter(turned_up('P')).count() > 20, "{} worlds", with(both).count());
    assert_eq!(with(both).filter(turned_up('R')).count(), 0);
    assert!(with(" saw P2 ").filter(turned_up('R')).count() > 20);
}

#[test]
fn where_nothing_is_secret_each_outcome_gets_its_share_to_within_one() {
    // No end is in sight of the start: elsewhere, what is known is passed over.
    let open = Jieqi::start(&JieqiRules::load("wxf").unwrap()).view(Eyes::Of(Seat::First));
    let mut search = Search::<Jieqi>::new(open.clone(), visits(3_000), 1);
    search.run(&mut Uniform).unwrap();
    for mv in &search.report().moves {
        for outcome in &mv.outcomes {
            let odds = open.chances(mv.mv).probability(outcome.seen);
            let share = odds * f64::from(mv.visits);
            let off = f64::from(outcome.visits) - share;
            assert!(
                mv.stakes.proof().is_some() || off.abs() <= 1.0 + 1e-3,
                "{}: {outcome:?}, {share}",
                mv.mv
            );
        }
    }
}
