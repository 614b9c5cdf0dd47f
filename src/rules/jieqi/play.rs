//! What both players know of a game, and how a ply changes it.

use arrayvec::ArrayVec;

use super::board::{Board, Cell};
use super::profile::JieqiRules;
use super::repetition::History;
use super::{Move, Reveal, RolePool, keys, seat_of};
use crate::game::{EndReason, MoveList, Outcome, Status};
use crate::rules::pieces::{ByColor, Color, Role};

/// The pieces of one colour that are dealt face down.
pub const DEALT: RolePool = RolePool::new([2, 2, 2, 5, 2, 2]);

/// The most pieces a side has.
const PIECES: usize = 16;

/// The public part of a game: the same in the truth and in every view of it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Position {
    board: Board,
    to_move: Color,
    /// The identities of each colour that not everybody has seen.
    pools: ByColor<RolePool>,
    /// Plies since the last capture, or reveal where the rules count those.
    quiet_plies: u16,
    /// Plies since the start of the game.
    ply: u16,
    history: History,
    /// The key of board and side to move.
    key: u64,
    status: Status,
}

impl Position {
    pub fn start(rules: &JieqiRules) -> Position {
        Self::fresh(rules, Board::start(rules.guards), Color::Red, ByColor::new(DEALT, DEALT), 0, 0)
    }

    /// A position without a past.
    pub fn fresh(
        rules: &JieqiRules,
        board: Board,
        to_move: Color,
        pools: ByColor<RolePool>,
        quiet_plies: u16,
        ply: u16,
    ) -> Position {
        let side = if to_move == Color::Black { keys::BLACK_TO_MOVE } else { 0 };
        let mut position = Position {
            key: keys::board(&board) ^ side,
            board,
            to_move,
            pools,
            quiet_plies,
            ply,
            history: History::default(),
            status: Status::ToMove(seat_of(to_move)),
        };
        position.status = position.judge(rules);
        position
    }

    pub fn board(&self) -> &Board {
        &self.board
    }

    /// The side to move; in a finished game, the side that would be.
    pub fn to_move(&self) -> Color {
        self.to_move
    }

    /// The identities of `color` that not everybody has seen.
    pub fn pool(&self, color: Color) -> &RolePool {
        &self.pools[color]
    }

    pub fn quiet_plies(&self) -> u16 {
        self.quiet_plies
    }

    pub fn ply(&self) -> u16 {
        self.ply
    }

    pub fn history(&self) -> &History {
        &self.history
    }

    pub fn status(&self) -> Status {
        self.status
    }

    /// How often this position stood before.
    pub fn repeats(&self) -> usize {
        self.history.occurrences(self.key)
    }

    /// Pieces of `color` that were taken face down and that not everybody has seen.
    pub fn unaccounted(&self, color: Color) -> u32 {
        let face_down = self.board.face_down() & self.board.pieces(color);
        self.pools[color].total() - face_down.len()
    }

    /// A hash of everything here that equal positions have equal.
    pub fn hash(&self) -> u64 {
        let pools = keys::pool(&self.pools[Color::Red]) << 24 | keys::pool(&self.pools[Color::Black]);
        let counters = u64::from(self.quiet_plies) << 16 | u64::from(self.ply);
        keys::mix(keys::mix(keys::mix(self.key, self.history.hash()), pools), counters)
    }

    /// Fills `out` with the moves that may be played, sorted; none if the game is over.
    pub fn legal_moves(&self, out: &mut MoveList<Move>) {
        out.clear();
        if matches!(self.status, Status::Over(_)) {
            return;
        }
        let mut pieces = ArrayVec::<_, PIECES>::new();
        self.board.legal_targets(self.to_move, |from, targets| {
            pieces.push((from, targets));
            true
        });
        // A set gives its squares in order: once the pieces are sorted, so are the moves.
        pieces.sort_unstable_by_key(|&(from, _)| from);
        for (from, targets) in pieces {
            out.extend(targets.into_iter().map(|to| Move { from, to }));
        }
    }

    pub fn is_playable(&self, mv: Move) -> bool {
        matches!(self.status, Status::ToMove(_)) && self.board.is_legal(self.to_move, mv.from, mv.to)
    }

    /// Plays a legal move, told what everybody saw of it.
    ///
    /// # Panics
    ///
    /// If a pool does not hold what was uncovered.
    pub fn play(&mut self, rules: &JieqiRules, mv: Move, seen_by_all: Reveal) {
        let Move { from, to } = mv;
        let mover = self.board.cell(from);
        let taken = self.board.cell(to);
        let flip = matches!(mover, Cell::FaceDown(_));
        let capture = taken != Cell::Empty;

        let left_behind = self.key;
        self.key ^= keys::cell(from, mover) ^ keys::cell(to, taken) ^ keys::BLACK_TO_MOVE;
        self.board.play(from, to, seen_by_all.opened);
        self.key ^= keys::cell(to, self.board.cell(to));

        self.take_from_pool(self.to_move, seen_by_all.opened);
        self.take_from_pool(self.to_move.other(), seen_by_all.taken);
        if flip || capture {
            self.history.clear();
        } else {
            self.history.push(mv, left_behind);
        }
        let progress = capture || flip && rules.reveal_resets_counter;
        self.quiet_plies = if progress { 0 } else { self.quiet_plies.saturating_add(1) };
        self.ply = self.ply.saturating_add(1);
        self.to_move = self.to_move.other();
        self.status = self.judge(rules);
    }

    fn take_from_pool(&mut self, color: Color, role: Option<Role>) {
        if let Some(role) = role {
            self.pools[color].remove(role.index());
        }
    }

    /// Whether the game is over. A move that mates or stalemates wins even where it also draws.
    fn judge(&self, rules: &JieqiRules) -> Status {
        let draw = |reason| Status::Over(Outcome { winner: None, reason });
        let reached = |limit: Option<u16>, count| limit.is_some_and(|limit| count >= limit);
        if !self.board.can_move(self.to_move) {
            let check = self.board.in_check(self.to_move);
            let reason = if check { EndReason::Checkmate } else { EndReason::Stalemate };
            return Status::Over(Outcome { winner: Some(seat_of(self.to_move.other())), reason });
        }
        if rules.neutral_repetition.is_some_and(|folds| self.repeats() + 1 >= usize::from(folds)) {
            return draw(EndReason::Repetition);
        }
        if reached(rules.no_capture_plies, self.quiet_plies) {
            return draw(EndReason::NoProgress);
        }
        if reached(rules.ply_cap, self.ply) {
            return draw(EndReason::PlyCap);
        }
        Status::ToMove(seat_of(self.to_move))
    }

    /// Whether only the kings are left, so that nobody can ever win.
    pub fn is_dead(&self) -> bool {
        self.board.occupied() == self.board.shown_as(Role::King)
    }

    /// The position with left and right exchanged, and its past with it.
    pub fn mirrored(&self, rules: &JieqiRules) -> Position {
        let moves: Vec<_> = self.history.moves().map(Move::mirrored).collect();
        let now = Position { board: self.board.mirrored(), history: History::default(), ..self.clone() };
        now.with_past(rules, &moves).expect("the mirror image of a legal past is legal")
    }

    /// This position, reached by `moves` (oldest first), none of which took or turned up a piece; `self`
    /// has no past. The error is the place in `moves` of one that cannot have been played.
    pub fn with_past(&self, rules: &JieqiRules, moves: &[Move]) -> Result<Position, usize> {
        let mut board = self.board.clone();
        let mut mover = self.to_move;
        for (place, mv) in moves.iter().enumerate().rev() {
            mover = mover.other();
            let reversible = match board.cell(mv.to) {
                Cell::FaceUp(piece) => piece.color == mover && board.cell(mv.from) == Cell::Empty,
                _ => false,
            };
            if !reversible {
                return Err(place);
            }
            board.play(mv.to, mv.from, None);
        }
        let back = |counter: u16| counter.checked_sub(u16::try_from(moves.len()).ok()?);
        let (Some(quiet_plies), Some(ply)) = (back(self.quiet_plies), back(self.ply)) else {
            return Err(0);
        };
        if board.in_check(mover.other()) {
            return Err(0);
        }
        let mut position = Position::fresh(rules, board, mover, self.pools, quiet_plies, ply);
        for (place, &mv) in moves.iter().enumerate() {
            if !position.is_playable(mv) {
                return Err(place);
            }
            position.play(rules, mv, Reveal::default());
        }
        Ok(position)
    }
}
