//! Short games of Jieqi by a player who likes to take, with made-up search results: something a small
//! network learns in seconds.

use std::path::Path;
use std::sync::Arc;

use facedown::game::{EndReason, Eyes, Game, MoveList, PlyKind, Profile, Seat, Status, View};
use facedown::record::{Candidate, Dataset, DatasetInfo, GameRecord, PlyRecord};
use facedown::rules::jieqi::{Jieqi, JieqiRules, JieqiView};
use rand::rngs::ChaCha8Rng;
use rand::{RngExt, SeedableRng};

/// Plies after which a game is stopped and won by whoever has more.
const PLIES: u16 = 30;

/// Visits of a move that takes; other moves get one.
const TAKING_VISITS: u32 = 60;

pub fn rules() -> Arc<JieqiRules> {
    JieqiRules::load("wxf").unwrap()
}

/// Positions of random games, each from its mover's eyes.
pub fn positions(count: usize, seed: u64) -> Vec<JieqiView> {
    let mut rng = ChaCha8Rng::seed_from_u64(seed);
    let mut positions = Vec::new();
    while positions.len() < count {
        let mut game = Jieqi::start(&rules());
        while let (Status::ToMove(seat), true) = (game.status(), positions.len() < count) {
            positions.push(game.view(Eyes::Of(seat)));
            let moves = legal_moves(&game);
            let mv = moves[rng.random_range(0..moves.len())];
            let reveal = game.chances(mv).draw(&mut rng);
            game.play(mv, reveal);
        }
    }
    positions
}

/// A dataset for games of this kind.
pub fn dataset(folder: &Path) -> Dataset {
    let info = DatasetInfo::new::<Jieqi>(&[rules()], String::new());
    Dataset::create_or_resume(folder, info).unwrap()
}

/// Writes shards of games of this kind, `games` in each, and gives the games.
pub fn write_shards(folder: &Path, shards: u32, games: u64) -> Vec<GameRecord> {
    let dataset = dataset(folder);
    let mut all = Vec::new();
    for shard in 0..shards {
        let first = u64::from(shard) * games;
        let played: Vec<_> = (first..first + games).map(game).collect();
        dataset.write_shard("", shard, &played).unwrap();
        all.extend(played);
    }
    all
}

fn game(number: u64) -> GameRecord {
    let mut rng = ChaCha8Rng::seed_from_u64(number);
    let rules = rules();
    let mut game = Jieqi::start(&rules);
    let mut plies = Vec::new();
    while let (Status::ToMove(seat), true) = (game.status(), plies.len() < usize::from(PLIES)) {
        let moves = legal_moves(&game);
        let taking: Vec<_> = moves.iter().copied().filter(|&mv| takes(game.kind(mv))).collect();
        let liked = if taking.is_empty() { &moves[..] } else { &taking };
        let mv = liked[rng.random_range(0..liked.len())];
        let reveal = game.chances(mv).draw(&mut rng);
        plies.push(ply(&game, seat, plies.len() as u16, mv, reveal));
        game.play(mv, reveal);
    }
    let ahead = game.view(Eyes::Public).heuristic() * if plies.len() % 2 == 0 { 1.0 } else { -1.0 };
    let result = if ahead.abs() < 1.0 { 0 } else { ahead.signum() as i8 };
    for ply in &mut plies {
        ply.result = if ply.seat == 0 { result } else { -result };
    }
    GameRecord {
        game_id: number,
        game: Jieqi::NAME.into(),
        rules: rules.name().into(),
        rules_hash: rules.fingerprint(),
        seed: number,
        first: "toy".into(),
        second: "toy".into(),
        result,
        settlement: None,
        end_reason: EndReason::PlyCap,
        resigned_at: None,
        plies,
    }
}

fn ply(
    game: &Jieqi,
    seat: Seat,
    number: u16,
    mv: <Jieqi as Game>::Move,
    reveal: <Jieqi as Game>::Reveal,
) -> PlyRecord {
    let candidates = legal_moves(game).iter().map(|&mv| candidate(mv.to_string(), game.kind(mv))).collect();
    PlyRecord {
        ply: number,
        seat: seat as u8,
        view: game.view(Eyes::Of(seat)).to_string(),
        mv: mv.to_string(),
        reveal: game.reveal_text(mv, reveal),
        facts: game.facts(mv, reveal),
        full_search: true,
        audited: false,
        explored: false,
        visits: 32,
        value: 0.0,
        net_value: 0.0,
        next_value: 0.0,
        result: 0,
        settlement: None,
        lost_in: None,
        chosen_with: None,
        labels: game.labels(),
        candidates,
        outcomes: Vec::new(),
    }
}

fn candidate(mv: String, kind: PlyKind) -> Candidate {
    let visits = if takes(kind) { TAKING_VISITS } else { 1 };
    let q_again = None;
    let least_attacker = None;
    Candidate {
        mv,
        kind,
        prior: 0.0,
        visits,
        q: 0.0,
        q_again,
        opened: 0,
        attackers: 0,
        defenders: 0,
        risk: 0.0,
        least_attacker,
        target: None,
    }
}

fn takes(kind: PlyKind) -> bool {
    matches!(kind, PlyKind::Capture | PlyKind::FlipCapture)
}

fn legal_moves(game: &Jieqi) -> MoveList<<Jieqi as Game>::Move> {
    let mut moves = MoveList::new();
    game.legal_moves(&mut moves);
    moves
}
