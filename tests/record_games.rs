//! Made-up games that look like self-play: what the record tests write, read and weigh.

use arrayvec::ArrayVec;
use facedown::game::{Control, EndReason, Labels, Locks, MoveFacts, Phase, PlyKind, SquareName, Threats};
use facedown::record::{Candidate, GameRecord, OutcomeRecord, PlyRecord};
use half::f16;
use rand::rngs::ChaCha8Rng;
use rand::seq::IndexedRandom;
use rand::{RngExt, SeedableRng};

const ROLES: [char; 7] = ['R', 'A', 'C', 'P', 'N', 'B', 'K'];
const FILES: usize = 9;

/// `count` games of a few dozen plies; the same for the same seed.
pub fn games(seed: u64, count: usize) -> Vec<GameRecord> {
    let mut rng = ChaCha8Rng::seed_from_u64(seed);
    (0..count).map(|_| game(&mut rng)).collect()
}

fn game(rng: &mut ChaCha8Rng) -> GameRecord {
    let plies = rng.random_range(1..120_u16);
    let mut board = Board::start();
    let mut value = 0.0;
    GameRecord {
        game_id: rng.random(),
        game: "jieqi".into(),
        rules: "wxf".into(),
        rules_hash: 0x9c3f_6b1e_0d52_77a4,
        seed: rng.random(),
        first: "g003".into(),
        second: "g003".into(),
        result: rng.random_range(-1..=1),
        settlement: rng.random_bool(0.9).then(|| rng.random_range(-1.0..=1.0)),
        end_reason: *EndReason::ALL.choose(rng).expect("there are reasons"),
        resigned_at: rng.random_bool(0.3).then(|| rng.random_range(0..=plies)),
        plies: (0..plies).map(|ply| record(rng, &mut board, &mut value, ply)).collect(),
    }
}

fn record(rng: &mut ChaCha8Rng, board: &mut Board, value: &mut f32, ply: u16) -> PlyRecord {
    let view = board.text(ply);
    let moves = board.moves(rng);
    *value = (-*value + rng.random_range(-0.1..0.1_f32)).clamp(-1.0, 1.0);
    let candidates = candidates(rng, board, &moves, *value);
    let played = moves[rng.random_range(0..candidates.len())];
    let facts = facts(rng, board, played);
    let outcomes = if facts.kind.is_flip() { outcomes(rng, *value) } else { Vec::new() };
    board.play(rng, played);
    PlyRecord {
        ply,
        seat: (ply % 2) as u8,
        view,
        mv: text(played),
        reveal: facts.revealed.map(String::from).unwrap_or_default(),
        full_search: rng.random_bool(0.8),
        audited: rng.random_bool(0.02),
        explored: rng.random_bool(0.02),
        visits: 32,
        value: *value,
        net_value: (*value + rng.random_range(-0.2..0.2_f32)).clamp(-1.0, 1.0),
        next_value: (*value + rng.random_range(-0.1..0.1_f32)).clamp(-1.0, 1.0),
        result: rng.random_range(-1..=1),
        settlement: rng.random_bool(0.9).then(|| rng.random_range(-1.0..=1.0)),
        lost_in: rng.random_bool(0.3).then(|| rng.random_range(1..40)),
        chosen_with: rng.random_bool(0.1).then(|| rng.random()),
        labels: Labels { own_taken: if ply < 40 { ArrayVec::new() } else { pool(rng) } },
        facts,
        candidates,
        outcomes,
    }
}

fn facts(rng: &mut ChaCha8Rng, board: &Board, (from, to): (usize, usize)) -> MoveFacts {
    let kind = board.kind(from, to);
    let face_down_left = board.face_down();
    MoveFacts {
        kind,
        from: square(from),
        to: square(to),
        shown: rng.random_bool(0.9).then(|| role(rng)),
        revealed: kind.is_flip().then(|| role(rng)),
        taken: matches!(kind, PlyKind::Capture | PlyKind::FlipCapture).then(|| role(rng)),
        taken_hidden: rng.random_bool(0.1),
        control: Control {
            attackers: rng.random_range(0..3),
            attackers_hidden: rng.random_range(0..2),
            least_attacker: rng.random_bool(0.5).then(|| role(rng)),
            defenders: rng.random_range(0..3),
            defenders_hidden: rng.random_range(0..2),
            see: pawns(rng),
            risk: pawns(rng),
        },
        check: rng.random_bool(0.1),
        in_check: rng.random_bool(0.1),
        phase: match face_down_left {
            21.. => Phase::Opening,
            8..=20 => Phase::Middle,
            _ => Phase::Endgame,
        },
        face_down_left,
        pool_own: pool(rng),
        pool_enemy: pool(rng),
        locked_own: rng.random_range(0..8),
        locked_enemy: rng.random_range(0..8),
        locks: rng.random_bool(0.8).then(|| Locks { own: squares(rng), enemy: squares(rng) }),
        threats: rng.random_bool(0.8).then(|| Threats {
            attacked: rng.random_range(0..4),
            pinned: rng.random_range(0..3),
            mates: rng.random_range(0..3),
        }),
    }
}

/// The search's moves with their visits, which add up to 32.
fn candidates(rng: &mut ChaCha8Rng, board: &Board, moves: &[(usize, usize)], value: f32) -> Vec<Candidate> {
    let visited = rng.random_range(moves.len().min(12)..=moves.len().min(24));
    let mut left = 32 - visited as u32;
    let mut candidates: Vec<Candidate> = moves[..visited]
        .iter()
        .map(|&(from, to)| {
            let visits = 1 + rng.random_range(0..=left / 2);
            left -= visits - 1;
            let kind = board.kind(from, to);
            Candidate {
                mv: text((from, to)),
                kind,
                prior: half((rng.random_range(-4.0..0.0_f32)).exp()),
                visits,
                q: half((value + rng.random_range(-0.3..0.1_f32)).clamp(-1.0, 1.0)),
                opened: if kind.is_flip() { visits.min(7) as u8 } else { 0 },
                attackers: rng.random_range(0..3),
                defenders: rng.random_range(0..3),
                risk: half(pawns(rng)),
                q_again: rng.random_bool(0.1).then(|| half(value)),
                least_attacker: rng.random_bool(0.3).then_some('P'),
                target: rng.random_bool(0.8).then(|| half(rng.random_range(0.0..0.1_f32))),
            }
        })
        .collect();
    candidates.sort_by(|a, b| a.mv.cmp(&b.mv));
    candidates
}

fn outcomes(rng: &mut ChaCha8Rng, value: f32) -> Vec<OutcomeRecord> {
    let kinds = rng.random_range(1..=7);
    ROLES[..kinds]
        .iter()
        .map(|&role| OutcomeRecord {
            reveal: Some(role),
            taken: rng.random_bool(0.1).then_some('p'),
            p_mover: 1.0 / kinds as f32,
            p_referee: 1.0 / kinds as f32,
            q: half((value + rng.random_range(-0.3..0.3_f32)).clamp(-1.0, 1.0)),
            n: rng.random_range(0..6),
        })
        .collect()
}

fn half(value: f32) -> f32 {
    f16::from_f32(value).to_f32()
}

fn role(rng: &mut ChaCha8Rng) -> char {
    *ROLES.choose(rng).expect("there are roles")
}

/// Most moves risk nothing; the rest lose some mean of piece values.
fn pawns(rng: &mut ChaCha8Rng) -> f32 {
    if rng.random_bool(0.6) { 0.0 } else { rng.random_range(0..60) as f32 / 15.0 }
}

fn pool(rng: &mut ChaCha8Rng) -> ArrayVec<u8, 14> {
    (0..6).map(|_| rng.random_range(0..3)).collect()
}

fn squares(rng: &mut ChaCha8Rng) -> ArrayVec<SquareName, 16> {
    (0..rng.random_range(0..4)).map(|_| square(rng.random_range(0..90))).collect()
}

fn square(at: usize) -> SquareName {
    SquareName::new(b'a' + (at % FILES) as u8, b'0' + (at / FILES) as u8)
}

fn text((from, to): (usize, usize)) -> String {
    format!("{}{}", square(from), square(to))
}

/// A board on which pieces wander about as no rule allows, but whose text reads like a real one's.
struct Board([u8; 90]);

impl Board {
    fn start() -> Self {
        let mut board = [b'.'; 90];
        let half = *b"XXXXKXXXX..........X.....X.X.X.X.X.X.........";
        board[..45].copy_from_slice(&half);
        for (at, piece) in half.iter().enumerate() {
            board[89 - at] = piece.to_ascii_lowercase();
        }
        Self(board)
    }

    fn moves(&self, rng: &mut ChaCha8Rng) -> Vec<(usize, usize)> {
        let occupied: Vec<usize> = (0..90).filter(|at| self.0[*at] != b'.').collect();
        let from = || occupied.iter().map(|&from| (from, (from * 7 + 13) % 90));
        let mut moves: Vec<_> = from().chain(from().map(|(from, to)| (from, (to + 9) % 90))).collect();
        let dropped = rng.random_range(0..moves.len() / 2);
        moves.rotate_left(dropped);
        moves.truncate(40);
        moves
    }

    fn kind(&self, from: usize, to: usize) -> PlyKind {
        match (self.0[from].eq_ignore_ascii_case(&b'x'), self.0[to] == b'.') {
            (false, true) => PlyKind::Move,
            (false, false) => PlyKind::Capture,
            (true, true) => PlyKind::Flip,
            (true, false) => PlyKind::FlipCapture,
        }
    }

    fn face_down(&self) -> u8 {
        self.0.iter().filter(|piece| piece.eq_ignore_ascii_case(&b'x')).count() as u8
    }

    fn play(&mut self, rng: &mut ChaCha8Rng, (from, to): (usize, usize)) {
        let piece = match self.0[from] {
            b'X' => role(rng) as u8,
            b'x' => role(rng).to_ascii_lowercase() as u8,
            piece => piece,
        };
        self.0[from] = b'.';
        self.0[to] = piece;
    }

    fn text(&self, ply: u16) -> String {
        let mut text = String::new();
        for rank in self.0.chunks(FILES).rev() {
            let mut empty = 0;
            for piece in rank {
                if *piece == b'.' {
                    empty += 1;
                    continue;
                }
                if empty > 0 {
                    text += &empty.to_string();
                    empty = 0;
                }
                text.push(char::from(*piece));
            }
            if empty > 0 {
                text += &empty.to_string();
            }
            text.push('/');
        }
        text.pop();
        let side = if ply.is_multiple_of(2) { 'w' } else { 'b' };
        format!("{text} {side} R2A2C2P5N2B2r2a2c2p5n2b2 {} {}", ply % 10, 1 + ply / 2)
    }
}
