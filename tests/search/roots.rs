//! What a search does with its root: Gumbel and PUCT, forced playouts, the policy target, the line it expects;
//! and the switches that other rules stand behind.

use facedown::eval::{EvalError, Evaluations, Evaluator, Material, Query, Uniform};
use facedown::game::{Eyes, Game, MoveList, MoverValue, Profile, Status, View};
use facedown::rules::jieqi::{Jieqi, JieqiRules, JieqiView};
use facedown::search::{
    ChanceRule, GumbelConfig, InnerRule, LinePly, OpponentEyes, RootRule, Search, SearchConfig, Visits,
};
use facedown::units::{Count, Positive, Strength, Temperature};

use super::toy::{Act, BagView, Bags, Burnt};
use super::{Report, after_a_secret, mover_view, recorded, rules, search, visits};

fn gumbel(budget: u32) -> SearchConfig {
    SearchConfig { root: RootRule::Gumbel, ..visits(budget) }
}

fn noisy(config: SearchConfig) -> SearchConfig {
    SearchConfig { gumbel: GumbelConfig::default(), ..config }
}

/// Every rule that is not the default, by itself and with the others.
fn rules_of_search(budget: u32) -> Vec<SearchConfig> {
    let base = visits(budget);
    vec![
        gumbel(budget),
        noisy(gumbel(budget)),
        SearchConfig { inner: InnerRule::Improved, ..base },
        SearchConfig { chance: ChanceRule::Sampled, ..base },
        SearchConfig { opponent_eyes: OpponentEyes::Public, ..base },
        SearchConfig { forced_playouts: Strength::ONE, noise: SearchConfig::default().noise, ..base },
        SearchConfig {
            inner: InnerRule::Improved,
            chance: ChanceRule::Sampled,
            opponent_eyes: OpponentEyes::Public,
            ..noisy(gumbel(budget))
        },
    ]
}

fn open_game() -> Bags {
    rules([[2, 1, 1], [1, 2, 1]], [0, 0], 5, Burnt::SeenByBoth).start()
}

/// Gives some moves more prior than others, and every position the same value.
struct Skewed(f32);

impl Evaluator<Bags> for Skewed {
    fn evaluate(&mut self, queries: &[Query<Bags>], out: &mut Evaluations) -> Result<(), EvalError> {
        out.clear();
        for query in queries {
            let total = (query.moves.len() * (query.moves.len() + 1) / 2) as f32;
            out.push((1..=query.moves.len()).map(|place| place as f32 / total), MoverValue(self.0));
        }
        Ok(())
    }
}

fn searched(view: BagView, config: SearchConfig, seed: u64) -> Search<Bags> {
    let mut search = Search::<Bags>::new(view, config, seed);
    search.run(&mut Skewed(0.1)).unwrap();
    search
}

#[test]
fn every_rule_tends_to_the_exact_value_and_finds_a_best_move() {
    let game = open_game();
    let exact = game.solve().for_mover(game.mover()).0;
    for config in rules_of_search(20_000) {
        let report = search(&mover_view(&game), config, 5);
        assert!((report.value.0 - exact).abs() < 0.05, "{config:?}: {} of {exact}", report.value.0);
        let chosen = game.solve_moves()[report.best].1.for_mover(game.mover()).0;
        assert!((chosen - exact).abs() < 1e-6, "{config:?} plays for {chosen} of {exact}");
    }
}

#[test]
fn every_rule_repeats_and_does_not_peek() {
    for config in rules_of_search(300) {
        for audit in [false, true] {
            let config = SearchConfig { audit, ..config };
            let [a, b] = [0, 2].map(|burnt| mover_view(&after_a_secret([2, 1, 1], burnt, 7)));
            assert_eq!(search(&a, config, 8), search(&a, config, 8));
            assert_eq!(search(&a, config, 8), search(&b, config, 8), "{config:?}");
        }
    }
}

#[test]
fn every_rule_spends_its_visits_and_divides_its_target() {
    let lone = rules([[0, 0, 0], [0, 0, 0]], [1, 0], 6, Burnt::SeenByBoth).start();
    for game in [open_game(), after_a_secret([2, 1, 1], 0, 7), lone] {
        for budget in [1, 2, 7, 100] {
            for config in rules_of_search(budget) {
                let report = searched(mover_view(&game), config, 2).report();
                let expected = if report.moves.len() == 1 { budget.min(4) } else { budget };
                assert_eq!(report.visits, expected, "{config:?}");
                assert_eq!(report.moves.iter().map(|mv| mv.visits).sum::<u32>(), expected);
                let target: f32 = report.moves.iter().map(|mv| mv.target).sum();
                assert!((target - 1.0).abs() < 1e-5 && report.moves.iter().all(|mv| mv.target >= 0.0));
                assert!(report.depth >= 1.0 && report.depth <= report.deepest as f32);
            }
        }
    }
}

fn start() -> JieqiView {
    let game = Jieqi::start(&JieqiRules::load("wxf").unwrap());
    let Status::ToMove(mover) = game.status() else { panic!("a game begins") };
    game.view(Eyes::Of(mover))
}

/// The visits that moves of the start of Jieqi had, the most first.
fn halved(budget: u32, considered: u64) -> Vec<u32> {
    let gumbel = GumbelConfig { considered: Count::literal(considered), ..gumbel(budget).gumbel };
    let config = SearchConfig { root: RootRule::Gumbel, gumbel, ..visits(budget) };
    let mut search = Search::<Jieqi>::new(start(), config, 3);
    search.run(&mut Uniform).unwrap();
    let mut visits: Vec<u32> = search.report().moves.iter().map(|mv| mv.visits).filter(|&n| n > 0).collect();
    visits.sort_unstable_by(|one, other| other.cmp(one));
    visits
}

#[test]
fn moves_are_halved_as_in_the_paper() {
    // By sequential halving: floor(n / (log2 m * left)) visits for each that is left, until none are.
    assert_eq!(halved(64, 16), [vec![15; 2], vec![7; 2], vec![3; 4], vec![1; 8]].concat());
    assert_eq!(halved(200, 16), [vec![49; 2], vec![21; 2], vec![9; 4], vec![3; 8]].concat());
    assert_eq!(halved(16, 4), [6, 6, 2, 2]);
    assert_eq!(halved(8, 16), [1; 8]);
    assert_eq!(halved(5, 2), [3, 2]);
    assert_eq!(halved(9, 1), [9]);
}

#[test]
fn a_long_search_halves_again() {
    // 1,024 visits, as many again, 2,048, and the rest: each time 256 to a move of its last two.
    let visits = halved(10_000, 16);
    assert!(visits[0] >= 10_000 / 8, "{visits:?}");
    assert!(visits.len() >= 16 && visits.iter().sum::<u32>() == 10_000);
}

#[test]
fn gumbel_noise_draws_by_the_prior() {
    let view = mover_view(&open_game());
    let trials = 3_000;
    let mut chosen = [0_u32; 3];
    for seed in 0..trials {
        let mut search = searched(view.clone(), noisy(gumbel(1)), seed);
        let choice = search.choose(0);
        assert_eq!(choice.probability, None);
        let report = search.report();
        chosen[report.moves.iter().position(|mv| mv.mv == choice.mv).unwrap()] += 1;
    }
    let statistic: f64 = chosen
        .iter()
        .zip([1.0, 2.0, 3.0])
        .map(|(&drawn, weight)| {
            let expected = f64::from(trials as u32) * weight / 6.0;
            (f64::from(drawn) - expected).powi(2) / expected
        })
        .sum();
    // 0.1 % of honest draws exceed this with two degrees of freedom.
    assert!(statistic < 13.82, "{chosen:?}: {statistic}");
}

#[test]
fn without_noise_no_move_is_drawn() {
    let view = mover_view(&open_game());
    let mut search = searched(view, gumbel(40), 1);
    let best = search.report().best;
    let choice = search.choose(0);
    assert_eq!((choice.mv, choice.probability), (search.report().moves[best].mv, Some(1.0)));
}

#[test]
fn the_gumbel_target_is_the_improved_policy() {
    for (game, budget) in [(open_game(), 2), (open_game(), 60), (after_a_secret([2, 1, 1], 0, 7), 30)] {
        let scale = GumbelConfig {
            value_scale: Positive::new(0.1).unwrap(),
            visit_offset: Strength::new(7.0).unwrap(),
            ..gumbel(1).gumbel
        };
        let config = SearchConfig { gumbel: scale, ..gumbel(budget) };
        let report = searched(mover_view(&game), config, 4).report();
        assert!(report.moves.iter().all(|mv| mv.stakes.proof().is_none()), "nothing is certain yet");
        let most = f64::from(report.moves.iter().map(|mv| mv.visits).max().unwrap());
        let visited = || report.moves.iter().filter_map(|mv| Some((f64::from(mv.prior), f64::from(mv.q?.0))));
        let prior: f64 = visited().map(|(prior, _)| prior).sum();
        let mean = visited().map(|(prior, q)| prior * q).sum::<f64>() / prior;
        let visits = f64::from(report.visits);
        let mixed = (f64::from(report.net_value.0) + visits * mean) / (1.0 + visits);
        let weight = |prior: f32, q: Option<MoverValue>| {
            let q = q.map_or(mixed, |q| f64::from(q.0));
            f64::from(prior) * ((7.0 + most) * 0.1 * (1.0 + q) / 2.0).exp()
        };
        let total: f64 = report.moves.iter().map(|mv| weight(mv.prior, mv.q)).sum();
        for mv in &report.moves {
            assert!((f64::from(mv.target) - weight(mv.prior, mv.q) / total).abs() < 1e-5, "{report:?}");
        }
    }
}

#[test]
fn what_gumbel_plays_is_better_than_the_prior() {
    // The claim of the paper, for values that are exact: few visits, and still no worse than no search.
    let game = rules([[3, 2, 1], [1, 0, 0]], [0, 1], 1, Burnt::SeenByBoth).start();
    let exact: Vec<f64> =
        game.solve_moves().iter().map(|(_, value)| f64::from(value.for_mover(game.mover()).0)).collect();
    let by_prior: f64 = exact.iter().zip([1.0, 2.0, 3.0]).map(|(value, weight)| value * weight / 6.0).sum();
    for budget in [2, 4, 12] {
        let trials = 600;
        let played: f64 = (0..trials)
            .map(|seed| exact[searched(mover_view(&game), noisy(gumbel(budget)), seed).report().best])
            .sum();
        assert!(played / f64::from(trials as u32) > by_prior, "{budget} visits: {played} of {trials}");
    }
}

#[test]
fn forced_playouts_are_made_and_taken_out_of_the_target() {
    let game = rules([[4, 1, 1], [0, 0, 2]], [3, 0], 8, Burnt::SeenByBoth).start();
    let forced = Strength::new(4.0).unwrap();
    let base = SearchConfig { cpuct: Positive::new(0.4).unwrap(), ..visits(400) };
    let config = SearchConfig { forced_playouts: forced, ..base };
    let report = searched(mover_view(&game), config, 1).report();
    let plain = searched(mover_view(&game), base, 1).report();
    let share = |report: &Report, place: usize| report.moves[place].visits as f32 / report.visits as f32;
    let mut taken_out = 0.0;
    for (place, mv) in report.moves.iter().enumerate().filter(|(_, mv)| mv.visits > 0) {
        assert!(mv.visits as f32 >= (4.0 * mv.prior * report.visits as f32).sqrt().floor() - 1.0, "{mv:?}");
        if place == report.best {
            assert!(mv.target > share(&report, place), "{report:?}");
        } else {
            taken_out += share(&report, place) - mv.target;
        }
        assert!((plain.moves[place].target - share(&plain, place)).abs() < 1e-6, "nothing is forced there");
    }
    assert!(taken_out > 0.02, "{report:?}");
}

#[test]
fn opponents_are_judged_by_what_both_know_if_asked() {
    let view = mover_view(&after_a_secret([2, 1, 1], 0, 7));
    let asked =
        recorded(view.clone(), SearchConfig { opponent_eyes: OpponentEyes::Public, ..visits(500) }, 2);
    let own = asked.iter().filter(|asked| asked.eyes() == view.eyes()).count();
    let public = asked.iter().filter(|asked| asked.eyes() == Eyes::Public).count();
    assert!(own > 50 && public > 50 && own + public == asked.len(), "{own} own, {public} public");
}

#[test]
fn sampled_reveals_stray_from_their_quotas() {
    let view = mover_view(&open_game());
    let behind = |chance: ChanceRule| {
        let report = search(&view, SearchConfig { chance, ..visits(4_000) }, 3);
        let draw = report.moves.iter().find(|mv| mv.mv == Act::Draw).unwrap();
        let odds = view.chances(Act::Draw);
        let strays = draw.outcomes.iter().map(|outcome| {
            (odds.probability(outcome.seen) * f64::from(draw.visits) - f64::from(outcome.visits)).abs()
        });
        strays.fold(0.0, f64::max)
    };
    assert!(behind(ChanceRule::Quota) <= 1.0 + 1e-3);
    assert!(behind(ChanceRule::Sampled) > 1.5);
}

#[test]
fn a_kept_tree_goes_on_under_gumbel() {
    let mut game = open_game();
    let mut first = Search::<Bags>::new(mover_view(&game), gumbel(400), 5);
    first.run(&mut Uniform).unwrap();
    let plies = [(Act::Draw, Some(0)), (Act::Pass, None)];
    for (act, kind) in plies {
        game.play(act, kind);
    }
    let mut kept = first.advance(&plies, mover_view(&game), 6);
    assert!(kept.visits() > 0, "something of the tree is kept");
    kept.run(&mut Uniform).unwrap();
    assert_eq!(u64::from(kept.report().visits), Visits::literal(400).get());
}

#[test]
fn the_expected_line_can_be_played() {
    let mut search = Search::<Jieqi>::new(start(), visits(3_000), 1);
    search.run(&mut Material).unwrap();
    let report = search.report();
    assert_eq!(report.line[0].mv, report.moves[report.best].mv);
    assert!(report.line.len() >= 2 && report.deepest >= report.line.len() as u32, "{:?}", report.line);
    assert_playable(start(), &report.line);
}

#[test]
fn the_expected_line_goes_on_below_a_secret_as_its_player_would_see_it() {
    for seed in 0..20 {
        let view = mover_view(&after_a_secret([2, 1, 1], 0, 7));
        let report = search(&view, visits(2_000), seed);
        assert!(report.line.len() >= 3, "{:?}", report.line);
        assert_eq!(report.policy(Temperature::ZERO)[report.best], 1.0);
        assert_playable(view, &report.line);
    }
}

fn assert_playable<V: View>(mut view: V, line: &[LinePly<V::Move, V::Seen>])
where
    V::Move: PartialEq + std::fmt::Debug,
{
    for ply in line {
        let mut moves = MoveList::new();
        view.legal_moves(&mut moves);
        assert!(moves.contains(&ply.mv), "{ply:?} in {view}");
        assert!(view.chances(ply.mv).probability(ply.seen) > 0.0, "{ply:?} in {view}");
        view = view.after(ply.mv, ply.seen);
    }
}
