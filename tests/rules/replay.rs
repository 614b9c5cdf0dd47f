//! Games of self-play, read back from their dataset and judged again ply by ply by the second referee.

use std::slice;
use std::sync::Arc;

use facedown::eval::{EvalError, Evaluations, Evaluator, Query};
use facedown::game::{Eyes, Game, MoverValue, SeatValue, Status, random_stream};
use facedown::progress::Silent;
use facedown::record::{Dataset, DatasetInfo, GameRecord, OnBroken, Reader};
use facedown::rules::jieqi::{Jieqi, JieqiRules};
use facedown::search::SearchConfig;
use facedown::selfplay::{Selfplay, SelfplayConfig};
use facedown::tables::Counters;
use facedown::units::{Count, Probability};

use super::referee::Referee;

const START: &str =
    "xxxxkxxxx/9/1x5x1/x1x1x1x1x/9/9/X1X1X1X1X/1X5X1/9/XXXXKXXXX w R2A2C2P5N2B2r2a2c2p5n2b2 0 1";

/// Likes nothing but moves that give check, and sees no harm in giving it forever.
pub struct Checker;

impl Evaluator<Jieqi> for Checker {
    fn evaluate(&mut self, queries: &[Query<Jieqi>], out: &mut Evaluations) -> Result<(), EvalError> {
        out.clear();
        for Query { view, moves } in queries {
            let game = Jieqi::sample(view, &mut random_stream(0, 0));
            let checks = moves.iter().map(|&mv| {
                let (reveal, _) = game.chances(mv).iter().next().expect("a move has an outcome");
                if game.facts(mv, reveal).check { 1.0 } else { 0.001 }
            });
            let liking: Vec<f32> = checks.collect();
            let all: f32 = liking.iter().sum();
            out.push(liking.iter().map(|liking| liking / all), MoverValue(0.0));
        }
        Ok(())
    }
}

/// How games are played.
pub struct Play {
    pub games: u32,
    pub search: SearchConfig,
    /// The share of moves drawn at random.
    pub explore: Probability,
    pub judge: Judge,
}

/// Makes an evaluator.
pub type Judge = fn() -> Box<dyn Evaluator<Jieqi>>;

/// Plays games to their end by the rules, and returns what a dataset keeps of them.
pub fn play(
    rules: &Arc<JieqiRules>,
    Play { games, search, explore, judge }: Play,
    pool: &rayon::ThreadPool,
) -> Vec<GameRecord> {
    let folder = tempfile::tempdir().expect("a folder");
    let info = DatasetInfo::new::<Jieqi>(slice::from_ref(rules), String::new());
    let dataset = Dataset::create_or_resume(folder.path(), info).expect("a new dataset");
    let config = SelfplayConfig {
        explore_share: explore,
        end_dead_positions: false,
        games_per_shard: Count::literal(64),
        ..SelfplayConfig::default()
    };
    let selfplay = Selfplay::<Jieqi> {
        rules: slice::from_ref(rules),
        config: &config,
        search: &search,
        player: "one".into(),
        prefix: String::new(),
        games,
        seed: 1,
    };
    selfplay.play(&dataset, pool, &|| Ok(judge()), &Counters::start(), &Silent).expect("games are played");
    let reader = Reader::open(folder.path(), OnBroken::Fail).expect("the dataset that was just written");
    reader.records().collect::<Result<_, _>>().expect("whole games")
}

/// Has the second referee judge a game.
///
/// # Errors
///
/// If a move was not playable, the game went on after its end, or it did not end as recorded.
pub fn replay(record: &GameRecord, rules: &Arc<JieqiRules>) -> Result<(), String> {
    let mut game = Jieqi::start(rules);
    let mut referee = Referee::new(START, rules);
    for ply in &record.plies {
        if !referee.playable().contains(&ply.mv) {
            return Err(format!("{} is not playable at ply {} in {}", ply.mv, ply.ply, ply.view));
        }
        let (mv, reveal) =
            game.parse_ply(&format!("{}{}", ply.mv, ply.reveal)).map_err(|error| error.to_string())?;
        let public = game.seen(mv, reveal, Eyes::Public);
        referee.play(&ply.mv, public.opened, public.taken);
        game.play(mv, reveal);
    }
    match referee.status() {
        Status::Over(outcome)
            if outcome.reason == record.end_reason
                && SeatValue::of(outcome).0 == f32::from(record.result) =>
        {
            Ok(())
        }
        status => Err(format!("recorded {} {}, found {status:?}", record.result, record.end_reason.name())),
    }
}
