//! Datasets to report on.

use std::path::Path;

use facedown::game::{Control, EndReason, Labels, MoveFacts, Phase, PlyKind, SquareName};
use facedown::record::{Candidate, Dataset, DatasetInfo, GameRecord, PlyRecord, WrittenRules};
use rand::rngs::ChaCha8Rng;
use rand::{RngExt, SeedableRng};

/// Writes `games` as a dataset of shards with `per_shard` games each.
pub fn write(folder: &Path, rules: &str, games: &[GameRecord], per_shard: usize) {
    let info = DatasetInfo {
        game: "jieqi".into(),
        rules: vec![WrittenRules { name: rules.into(), text: format!("name = \"{rules}\"\n") }],
        config: "games = 12\n".into(),
    };
    let dataset = Dataset::create_or_resume(folder, info).expect("a fresh folder");
    for (number, shard) in (0..).zip(games.chunks(per_shard)) {
        dataset.write_shard("", number, shard).expect("a shard");
    }
}

/// A game by two equal players, won if `result` is not 0.
pub fn game(id: u64, result: i8, plies: Vec<PlyRecord>) -> GameRecord {
    GameRecord {
        game_id: id,
        game: "jieqi".into(),
        rules: "wxf".into(),
        rules_hash: 7,
        seed: id,
        first: "net-a".into(),
        second: "net-a".into(),
        result,
        settlement: None,
        end_reason: if result == 0 { EndReason::Repetition } else { EndReason::Checkmate },
        resigned_at: None,
        plies: (plies.into_iter().enumerate())
            .map(|(place, ply)| {
                let seat = (place % 2) as u8;
                let result = if seat == 0 { result } else { -result };
                PlyRecord { ply: place as u16, seat, result, ..ply }
            })
            .collect(),
    }
}

/// A ply of a reduced search; the game it is put into gives it its place and result.
pub fn ply(mv: &str, kind: PlyKind, control: Control) -> PlyRecord {
    let square = |name: &[u8]| SquareName::new(name[0], name[1]);
    PlyRecord {
        ply: 0,
        seat: 0,
        view: "xxxxkxxxx/9/1x5x1/x1x1x1x1x/9/9/X1X1X1X1X/1X5X1/9/XXXXKXXXX w".into(),
        mv: mv.into(),
        reveal: if kind.is_flip() { "P" } else { "" }.into(),
        facts: MoveFacts {
            kind,
            from: square(&mv.as_bytes()[..2]),
            to: square(&mv.as_bytes()[2..]),
            shown: Some('P'),
            revealed: kind.is_flip().then_some('P'),
            taken: None,
            taken_hidden: false,
            control,
            check: false,
            in_check: false,
            phase: Phase::Opening,
            face_down_left: 30,
            pool_own: Default::default(),
            pool_enemy: Default::default(),
            locked_own: 0,
            locked_enemy: 0,
            locks: None,
            threats: None,
        },
        full_search: false,
        audited: false,
        explored: false,
        visits: 8,
        value: 0.0,
        net_value: 0.0,
        next_value: 0.0,
        result: 0,
        settlement: None,
        lost_in: None,
        chosen_with: None,
        labels: Labels::default(),
        candidates: Vec::new(),
        outcomes: Vec::new(),
    }
}

pub fn control(attackers: u8, defenders: u8, risk: f32) -> Control {
    Control { attackers, defenders, risk, ..Control::default() }
}

pub fn candidate(mv: &str, kind: PlyKind, visits: u32, q: f32, control: Control) -> Candidate {
    let Control { attackers, defenders, risk, least_attacker, .. } = control;
    Candidate {
        mv: mv.into(),
        kind,
        prior: 0.125,
        visits,
        q,
        q_again: None,
        opened: 1,
        attackers,
        defenders,
        risk,
        least_attacker,
        target: None,
    }
}

/// The flips of the start position onto empty squares that the made-up games know.
const FLIPS: [&str; 17] = [
    "a3a4", "c3c4", "e3e4", "g3g4", "i3i4", "b2e2", "b2b6", "b2a2", "h2e2", "h2g2", "h2h4", "a0a2", "i0i1",
    "b0c2", "h0g2", "c0e2", "d0e1",
];

/// `count` made-up games in which a controlled destination costs a flip about 0.16 of value.
///
/// Numbers are drawn, not played: moves need not be legal, but every column a report reads varies, within
/// games and between them.
pub fn made_up(count: u64, seed: u64) -> Vec<GameRecord> {
    let mut rng = ChaCha8Rng::seed_from_u64(seed);
    (0..count)
        .map(|place| {
            let result = [1, 1, 1, 0, 0, -1, -1][rng.random_range(0..7)];
            let mood = rng.random_range(-0.1..0.1_f32);
            let length = rng.random_range(3..90);
            let plies = (0..length).map(|ply| made_up_ply(ply, mood, &mut rng)).collect();
            let mut game = game(1_000 + place * 17, result, plies);
            if result == 0 && rng.random_bool(0.4) {
                game.end_reason = EndReason::NoProgress;
            }
            game
        })
        .collect()
}

fn made_up_ply(place: usize, mood: f32, rng: &mut ChaCha8Rng) -> PlyRecord {
    let seat = (place % 2) as u8;
    let mut candidates: Vec<Candidate> = Vec::new();
    for &flip in &FLIPS {
        if rng.random_bool(0.7) {
            candidates.push(made_up_flip(flip, seat, mood, rng));
        }
    }
    for mv in ["e0e1", "a0a1", "i0i1", "c4c5"] {
        let q = mood + rng.random_range(-0.3..0.2_f32);
        let kind = if mv == "c4c5" { PlyKind::Capture } else { PlyKind::Move };
        candidates.push(candidate(mv, kind, rng.random_range(1..12), q, control(0, 1, 0.0)));
    }
    let chosen = if place == 0 {
        let flips = candidates.iter().filter(|c| c.kind == PlyKind::Flip).count();
        rng.random_range(0..flips.max(1))
    } else {
        rng.random_range(0..candidates.len())
    };
    let chosen = candidates[chosen].clone();
    let mut ply = ply(&chosen.mv, chosen.kind, control(chosen.attackers, chosen.defenders, chosen.risk));
    ply.facts.phase = Phase::ALL[(place / 30).min(2)];
    ply.facts.revealed =
        chosen.kind.is_flip().then(|| ['P', 'P', 'R', 'N', 'C', 'A', 'B'][rng.random_range(0..7)]);
    ply.audited = rng.random_bool(0.1);
    ply.full_search = ply.audited || rng.random_bool(0.3);
    ply.explored = rng.random_bool(0.05);
    ply.visits = candidates.iter().map(|c| c.visits).sum();
    ply.value = mood + 0.05;
    ply.next_value = chosen.q + rng.random_range(-0.3..0.3_f32);
    ply.lost_in = rng.random_bool(0.4).then(|| rng.random_range(1..9));
    ply.candidates = candidates;
    ply
}

fn made_up_flip(first_seat: &str, seat: u8, mood: f32, rng: &mut ChaCha8Rng) -> Candidate {
    let turned: String = match seat {
        0 => first_seat.into(),
        // The board turned by half: file a is file i, rank 0 is rank 9.
        _ => (first_seat.bytes())
            .map(|byte| if byte.is_ascii_digit() { b'0' + b'9' - byte } else { b'a' + b'i' - byte })
            .map(char::from)
            .collect(),
    };
    let attackers = rng.random_range(0..4_u8).saturating_sub(1);
    let defenders = rng.random_range(0..4_u8);
    let kind = if rng.random_bool(0.1) { PlyKind::FlipCapture } else { PlyKind::Flip };
    let risk = f32::from(attackers) * rng.random_range(0.2..1.2);
    // Pieces near the middle are made a little better, so that maps have something to show.
    let middle = 0.02 * (4.0 - f32::from(first_seat.as_bytes()[2].abs_diff(b'e')));
    let price = if attackers > 0 { 0.16 } else { 0.0 };
    let q = mood + middle - price - 0.02 * f32::from(attackers) + rng.random_range(-0.2..0.2_f32);
    candidate(&turned, kind, rng.random_range(1..20), q, control(attackers, defenders, risk))
}
