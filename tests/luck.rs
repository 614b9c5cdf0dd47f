//! Luck, taken off the results of matches: it never favours anybody in expectation.

use std::sync::Arc;

use facedown::arena::{Counted, End, Judges, Match, Pairing, Standing};
use facedown::eval::{EvalError, Evaluations, Evaluator, Material, Query, Uniform};
use facedown::game::{MoverValue, Profile};
use facedown::progress::Silent;
use facedown::rules::jieqi::{Jieqi, JieqiRules, JieqiView};
use facedown::search::SearchConfig;
use facedown::tables::{Mind, Player};

/// Says anything between -1 and 1 of a position, but always the same: the worst judge that is still fixed.
struct Whim;

impl Evaluator<Jieqi> for Whim {
    fn evaluate(&mut self, queries: &[Query<Jieqi>], out: &mut Evaluations) -> Result<(), EvalError> {
        out.clear();
        for query in queries {
            let view: &JieqiView = &query.view;
            let value = (view.key() >> 40) as f32 / (1_u32 << 23) as f32 - 1.0;
            out.push(query.moves.iter().map(|_| 0.0), MoverValue(value));
        }
        Ok(())
    }
}

fn random() -> Player {
    Player { name: "random".into(), mind: Mind::Random, restraint: None }
}

fn material(visits: u64) -> Player {
    let visits = visits.try_into().expect("in range");
    let config = SearchConfig { visits, ..SearchConfig::default() }.without_exploration();
    Player { name: "material".into(), mind: Mind::Search { judge: 0, config, time: None }, restraint: None }
}

type Judge = fn() -> Box<dyn Evaluator<Jieqi>>;

fn play(rules: &str, players: [Player; 2], pairs: u32, pairing: Pairing, judge: Judge) -> Standing {
    let rules: Arc<JieqiRules> = JieqiRules::load(rules).expect("built in");
    let contest = Match::<Jieqi> {
        rules: &rules,
        players,
        pairs,
        pairing,
        mirrored: false,
        pairs_per_shard: 25,
        sprt: None,
        counted: Counted::AsItFell,
        seed: 1,
    };
    let judges = Judges { players: &|| Ok(vec![Box::new(Material)]), luck: &|| Ok(judge()) };
    let pool = rayon::ThreadPoolBuilder::new().num_threads(2).build().expect("threads");
    let standing = contest.play(&pool, &judges, None, &Silent).expect("played");
    assert_eq!(standing.end, End::AllPlayed);
    standing
}

#[test]
fn luck_has_mean_zero_whatever_the_judge_says() {
    // In sunwin what is taken face down is its taker's secret, so that the players' odds are not the referee's.
    for rules in ["wxf", "sunwin"] {
        for (pairing, pairs) in [(Pairing::Squares, 60), (Pairing::Order, 30)] {
            for judge in [|| -> Box<dyn Evaluator<Jieqi>> { Box::new(Whim) } as Judge, || Box::new(Material)]
            {
                let luck = play(rules, [random(), random()], pairs, pairing, judge).luck().expect("pairs");
                let deviations = luck.mean / ((luck.high - luck.low) / (2.0 * 1.96));
                assert!(deviations.abs() < 2.6, "{rules}, {pairing:?}: {luck:?}");
                assert!(luck.high > luck.low, "there was luck to take off");
            }
        }
    }
}

#[test]
fn a_difference_in_strength_is_kept() {
    let standing = play("wxf", [material(4), random()], 50, Pairing::Squares, || Box::new(Material));
    let (luck, adjusted) = (standing.luck().expect("pairs"), standing.adjusted().expect("pairs"));
    assert!(luck.low < 0.0 && luck.high > 0.0, "{luck:?}");
    assert!((adjusted.mean + luck.mean - standing.score().mean()).abs() < 1e-9);
    assert!(adjusted.low > 0.6, "{adjusted:?}");
}

/// A judge to whom all positions are alike sees luck only where a reveal ends the game.
#[test]
fn without_an_opinion_hardly_anything_is_luck() {
    let spread = |judge: Judge| {
        let standing = play("wxf", [random(), random()], 20, Pairing::Squares, judge);
        let luck = standing.luck().expect("pairs");
        luck.high - luck.low
    };
    assert!(spread(|| Box::new(Uniform)) < 0.2 * spread(|| Box::new(Whim)));
}
