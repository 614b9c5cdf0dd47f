//! What both players know of a game, and how a ply changes it.

use arrayvec::ArrayVec;

use super::board::{Board, Cell};
use super::profile::{Exhausted, JieqiRules, OnExceed};
use super::repetition::{Forcing, History, verdict};
use super::runs::{Ply, Runs};
use super::{Move, Reveal, RolePool, keys, seat_of};
use crate::game::{EndReason, MoveList, Outcome, Status};
use crate::rules::hashing::mix;
use crate::rules::pieces::{ByColor, Color, Role};

/// The pieces of one colour that are dealt face down.
pub const DEALT: RolePool = RolePool::new([2, 2, 2, 5, 2, 2]);

/// The most pieces a side has.
const PIECES: usize = 16;

/// The public part of a game: the same in the truth and in every view of it.
#[derive(Debug, PartialEq, Eq)]
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
    /// Checks and chases in a row, where the rules count them.
    runs: Runs,
    /// Whether the last ply went beyond a limit at the cost of the game.
    overstepped: bool,
    /// The key of board and side to move.
    key: u64,
    status: Status,
    /// The legal moves that may not be played, if there are any.
    forbidden: Option<Box<[Move]>>,
}

/// By hand, so that a position can be cloned into another whose memory it then uses: a search does so with every
/// simulation.
impl Clone for Position {
    fn clone(&self) -> Self {
        Self {
            board: self.board.clone(),
            to_move: self.to_move,
            pools: self.pools,
            quiet_plies: self.quiet_plies,
            ply: self.ply,
            history: self.history.clone(),
            runs: self.runs.clone(),
            overstepped: self.overstepped,
            key: self.key,
            status: self.status,
            forbidden: self.forbidden.clone(),
        }
    }

    fn clone_from(&mut self, source: &Self) {
        let Self {
            board,
            to_move,
            pools,
            quiet_plies,
            ply,
            history,
            runs,
            overstepped,
            key,
            status,
            forbidden,
        } = source;
        self.board.clone_from(board);
        self.to_move = *to_move;
        self.pools = *pools;
        self.quiet_plies = *quiet_plies;
        self.ply = *ply;
        self.history.clone_from(history);
        self.runs.clone_from(runs);
        self.overstepped = *overstepped;
        self.key = *key;
        self.status = *status;
        self.forbidden.clone_from(forbidden);
    }
}

/// How a position came about, as far as the rules look back.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Past {
    /// The runs before the first of the moves.
    pub runs: Runs,
    /// Whether the ply before these moves, which are none then, went beyond a limit and so ended the game.
    pub overstepped: bool,
    /// The plies since the last capture or reveal, oldest first.
    pub moves: Vec<Move>,
}

/// What cannot be so in a [`Past`].
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum PastError {
    /// The run at this place.
    Run(usize),
    /// No run is beyond its limit.
    Overstepped,
    /// The move at this place.
    Move(usize),
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
            runs: Runs::default(),
            overstepped: false,
            status: Status::ToMove(seat_of(to_move)),
            forbidden: None,
        };
        position.settle(rules);
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

    /// Checks and chases in a row, where the rules count them.
    pub fn runs(&self) -> &Runs {
        &self.runs
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
        let past = self.history.hash() ^ u64::from(self.overstepped);
        mix(mix(mix(self.key, past), pools), counters)
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
        if self.forbidden.is_some() {
            out.retain(|mv| !self.is_forbidden(*mv));
        }
    }

    pub fn is_playable(&self, mv: Move) -> bool {
        matches!(self.status, Status::ToMove(_))
            && self.board.is_legal(self.to_move, mv.from, mv.to)
            && !self.is_forbidden(mv)
    }

    /// Whether `mv` is a legal move that may not be played.
    pub fn is_forbidden(&self, mv: Move) -> bool {
        self.forbidden.as_ref().is_some_and(|forbidden| forbidden.contains(&mv))
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
        self.overstepped = self.oversteps(rules, mv, OnExceed::Lose);
        let counts = rules.counts_checks() || rules.counts_chases();
        let before = counts.then(|| self.board.clone());

        let left_behind = self.key;
        self.key ^= keys::cell(from, mover) ^ keys::cell(to, taken) ^ keys::BLACK_TO_MOVE;
        self.board.play(from, to, seen_by_all.opened);
        self.key ^= keys::cell(to, self.board.cell(to));

        if let Some(before) = before {
            let (side, after) = (self.to_move, &self.board);
            self.runs = self.runs.after(rules, &Ply { side, mv, capture, before: &before, after });
        }
        self.take_from_pool(self.to_move, seen_by_all.opened);
        self.take_from_pool(self.to_move.other(), seen_by_all.taken);
        if flip || capture {
            self.history.restart(&self.runs);
        } else {
            self.history.push(mv, left_behind);
        }
        let progress = capture || flip && rules.reveal_resets_counter;
        self.quiet_plies = if progress { 0 } else { self.quiet_plies.saturating_add(1) };
        self.ply = self.ply.saturating_add(1);
        self.to_move = self.to_move.other();
        self.settle(rules);
    }

    /// Whether `mv` would go beyond a limit with this consequence, whatever the piece that moves turns up
    /// as: what may be played must not hang on luck.
    fn oversteps(&self, rules: &JieqiRules, mv: Move, consequence: OnExceed) -> bool {
        let side = self.to_move;
        // A run reaches its limit before it goes beyond, and a capture ends it.
        if self.runs.at_limit(rules, side) == Forcing::Nothing || self.board.cell(mv.to) != Cell::Empty {
            return false;
        }
        self.boards_after(mv).all(|after| {
            let ply = Ply { side, mv, capture: false, before: &self.board, after: &after };
            self.runs.after(rules, &ply).broken(rules, side, consequence).is_some()
        })
    }

    /// Whether `mv` mates or stalemates, for a face-down piece if it turns up as something that may be.
    fn may_end_the_game(&self, mv: Move) -> bool {
        self.boards_after(mv).any(|after| !after.can_move(self.to_move.other()))
    }

    /// The board after `mv`, for each identity that is still in the public pool if it turns a piece up.
    fn boards_after(&self, mv: Move) -> impl Iterator<Item = Board> + '_ {
        let identities: ArrayVec<_, 6> = match self.board.cell(mv.from) {
            Cell::FaceDown(color) => self.pools[color].kinds().map(|kind| Some(Role::ALL[kind])).collect(),
            _ => [None].into_iter().collect(),
        };
        identities.into_iter().map(move |opened| {
            let mut after = self.board.clone();
            after.play(mv.from, mv.to, opened);
            after
        })
    }

    fn take_from_pool(&mut self, color: Color, role: Option<Role>) {
        if let Some(role) = role {
            self.pools[color].remove(role.index());
        }
    }

    /// Finds out whether the game is over, and if not, what may not be played.
    fn settle(&mut self, rules: &JieqiRules) {
        self.forbidden = None;
        self.status = self.judge(rules);
        if matches!(self.status, Status::ToMove(_)) && rules.forbids() {
            self.forbid(rules);
        }
    }

    /// Whether the game is over. A move that mates or stalemates wins even where it also draws or breaks
    /// a rule.
    fn judge(&self, rules: &JieqiRules) -> Status {
        let draw = |reason| Status::Over(Outcome { winner: None, reason });
        let reached = |limit: Option<u16>, count| limit.is_some_and(|limit| count >= limit);
        let mover = self.to_move.other();
        if !self.board.can_move(self.to_move) {
            let check = self.board.in_check(self.to_move);
            let reason = if check { EndReason::Checkmate } else { EndReason::Stalemate };
            return Status::Over(Outcome { winner: Some(seat_of(mover)), reason });
        }
        let occurrences = self.repeats() + 1;
        let recurred = |folds: Option<u8>| folds.is_some_and(|folds| occurrences >= usize::from(folds));
        let forced = if self.overstepped {
            verdict(self.forcing_when_overstepped(rules))
        } else if recurred(rules.judged_occurrence()) {
            self.history.judge(rules, &self.board, self.key, mover)
        } else {
            None
        };
        if let Some(outcome) = forced {
            return Status::Over(outcome);
        }
        if recurred(rules.neutral_repetition) {
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

    /// How the sides force each other once the last ply has gone beyond a limit: its side by the run that
    /// is too long, the other by any run that has reached its limit.
    fn forcing_when_overstepped(&self, rules: &JieqiRules) -> ByColor<Forcing> {
        let mover = self.to_move.other();
        let broken = self.runs.broken(rules, mover, OnExceed::Lose).unwrap_or(Forcing::Nothing);
        let mut forcing = ByColor::new(broken, broken);
        forcing[self.to_move] = self.runs.at_limit(rules, self.to_move);
        forcing
    }

    /// Collects the moves that may not be played; a side that has no others is judged for it.
    fn forbid(&mut self, rules: &JieqiRules) {
        if self.runs.at_limit(rules, self.to_move) == Forcing::Nothing {
            return;
        }
        let mut legal = MoveList::new();
        self.legal_moves(&mut legal);
        let is_forbidden = |&mv: &Move| {
            self.oversteps(rules, mv, OnExceed::Forbid)
                && !(rules.mate_overrides_forbid && self.may_end_the_game(mv))
        };
        let forbidden: Vec<_> = legal.iter().copied().filter(is_forbidden).collect();
        if forbidden.len() == legal.len() {
            let winner = match rules.forbid_exhausted {
                Exhausted::Lose => Some(seat_of(self.to_move.other())),
                Exhausted::Draw => None,
            };
            self.status = Status::Over(Outcome { winner, reason: EndReason::NothingPlayable });
        }
        self.forbidden = (!forbidden.is_empty()).then(|| forbidden.into_boxed_slice());
    }

    /// Whether only the kings are left, so that nobody can ever win.
    pub fn is_dead(&self) -> bool {
        self.board.occupied() == self.board.shown_as(Role::King)
    }

    /// The position with left and right exchanged, and its past with it.
    pub fn mirrored(&self, rules: &JieqiRules) -> Position {
        let past = self.past();
        let past = Past {
            runs: past.runs.mirrored(),
            moves: past.moves.into_iter().map(Move::mirrored).collect(),
            ..past
        };
        let Position { to_move, pools, quiet_plies, ply, .. } = *self;
        Position::fresh(rules, self.board.mirrored(), to_move, pools, quiet_plies, ply)
            .with_past(rules, &past)
            .expect("the mirror image of a past is one")
    }

    /// Whether the rules look back at how the position came about.
    pub fn has_past(&self) -> bool {
        !self.history.is_empty() || !self.history.runs().is_empty()
    }

    /// How the position came about.
    pub fn past(&self) -> Past {
        Past {
            runs: self.history.runs().clone(),
            overstepped: self.overstepped && self.history.is_empty(),
            moves: self.history.moves().collect(),
        }
    }

    /// This position, which has no past, with `past`.
    ///
    /// # Errors
    ///
    /// If the pieces cannot have come to stand here so.
    pub fn with_past(self, rules: &JieqiRules, past: &Past) -> Result<Position, PastError> {
        let mut position = self.before(rules, &past.moves)?;
        if let Some(place) = past.runs.iter().position(|run| !run.fits(rules, &position.board)) {
            return Err(PastError::Run(place));
        }
        position.history.restart(&past.runs);
        position.runs = past.runs.clone();
        position.overstepped = past.overstepped;
        position.settle(rules);
        if past.overstepped && position.runs.broken(rules, position.to_move.other(), OnExceed::Lose).is_none()
        {
            return Err(PastError::Overstepped);
        }
        for (place, &mv) in past.moves.iter().enumerate() {
            if !position.is_playable(mv) {
                return Err(PastError::Move(place));
            }
            position.play(rules, mv, Reveal::default());
        }
        Ok(position)
    }

    /// The position that `moves` (oldest first) led here from, none of which took or turned up a piece.
    fn before(self, rules: &JieqiRules, moves: &[Move]) -> Result<Position, PastError> {
        if moves.is_empty() {
            return Ok(self);
        }
        let mut board = self.board;
        let mut mover = self.to_move;
        for (place, mv) in moves.iter().enumerate().rev() {
            mover = mover.other();
            let reversible = match board.cell(mv.to) {
                Cell::FaceUp(piece) => piece.color == mover && board.cell(mv.from) == Cell::Empty,
                _ => false,
            };
            if !reversible {
                return Err(PastError::Move(place));
            }
            board.play(mv.to, mv.from, None);
        }
        let back = |counter: u16| counter.checked_sub(u16::try_from(moves.len()).ok()?);
        let (Some(quiet_plies), Some(ply)) = (back(self.quiet_plies), back(self.ply)) else {
            return Err(PastError::Move(0));
        };
        if board.in_check(mover.other()) {
            return Err(PastError::Move(0));
        }
        Ok(Position::fresh(rules, board, mover, self.pools, quiet_plies, ply))
    }
}
