//! What both players know of a game, which is everything, and how a ply changes it.

use rand::{Rng, RngExt};

use super::Move;
use super::board::{Board, Cell};
use super::capture::{FULL, PiecePool, count_of, identity, piece};
use super::history::History;
use super::keys;
use super::profile::BanqiRules;
use crate::game::{EndReason, MoveList, Outcome, Seat, Status, Symmetry};
use crate::rules::hashing::mix;
use crate::rules::pieces::{Color, Piece};

/// A position with as much of its past as the rules look back at.
#[derive(Debug, PartialEq, Eq)]
pub struct Position {
    board: Board,
    /// What the face-down pieces are, shuffled.
    pool: PiecePool,
    /// The colour of the player who moved first; none before the first flip.
    first: Option<Color>,
    /// The colour to move; Red before the first flip, which is nobody's then.
    side: Color,
    /// Plies since the last flip or capture.
    quiet_plies: u16,
    history: History,
    /// The key of board, pool, colours and side to move.
    key: u64,
    status: Status,
}

/// By hand, so that a position can be cloned into another whose memory it then uses: a search does so with every
/// simulation.
impl Clone for Position {
    fn clone(&self) -> Self {
        Self {
            board: self.board.clone(),
            pool: self.pool,
            first: self.first,
            side: self.side,
            quiet_plies: self.quiet_plies,
            history: self.history.clone(),
            key: self.key,
            status: self.status,
        }
    }

    fn clone_from(&mut self, source: &Self) {
        let Self { board, pool, first, side, quiet_plies, history, key, status } = source;
        self.board.clone_from(board);
        self.pool = *pool;
        self.first = *first;
        self.side = *side;
        self.quiet_plies = *quiet_plies;
        self.history.clone_from(history);
        self.key = *key;
        self.status = *status;
    }
}

/// The move, by its place, that cannot have led to a position.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct WrongPast(pub usize);

impl Position {
    pub fn start(rules: &BanqiRules) -> Position {
        Self::fresh(rules, Board::START, FULL, None, Color::Red, 0)
    }

    /// A position without a past. Before the first flip `first` is none and `side` Red.
    pub fn fresh(
        rules: &BanqiRules,
        board: Board,
        pool: PiecePool,
        first: Option<Color>,
        side: Color,
        quiet_plies: u16,
    ) -> Position {
        let side_key = if side == Color::Black { keys::BLACK_TO_MOVE } else { 0 };
        let mut position = Position {
            key: keys::board(&board) ^ keys::pool(&pool) ^ first.map_or(0, keys::first) ^ side_key,
            board,
            pool,
            first,
            side,
            quiet_plies,
            history: History::default(),
            status: Status::ToMove(Seat::First),
        };
        position.settle(rules);
        position
    }

    pub fn board(&self) -> &Board {
        &self.board
    }

    pub fn pool(&self) -> &PiecePool {
        &self.pool
    }

    /// The colour of the player who moved first; none before the first flip.
    pub fn first(&self) -> Option<Color> {
        self.first
    }

    /// The side to move; in a finished game, the side that would be. Red before the first flip.
    pub fn side(&self) -> Color {
        self.side
    }

    pub fn quiet_plies(&self) -> u16 {
        self.quiet_plies
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

    /// A hash of everything here that equal positions have equal.
    pub fn hash(&self) -> u64 {
        mix(mix(self.key, self.history.hash()), u64::from(self.quiet_plies))
    }

    /// The player of `color`; the first before the first flip.
    #[inline]
    pub fn seat_of(&self, color: Color) -> Seat {
        match self.first {
            Some(first) if first != color => Seat::Second,
            Some(_) | None => Seat::First,
        }
    }

    pub fn is_over(&self) -> bool {
        matches!(self.status, Status::Over(_))
    }

    /// Fills `out` with the legal moves, sorted; none if the game is over.
    pub fn legal_moves(&self, rules: &BanqiRules, out: &mut MoveList<Move>) {
        out.clear();
        if !self.is_over() {
            self.board.moves(self.side, rules.cannon_takes_face_down, out);
        }
    }

    pub fn is_legal(&self, rules: &BanqiRules, mv: Move) -> bool {
        let Move { from, to } = mv;
        !self.is_over()
            && match self.board.cell(from) {
                Cell::FaceDown => from == to,
                _ => self.board.targets(self.side, from, rules.cannon_takes_face_down).contains(to),
            }
    }

    /// Whether `mv` shows what a face-down piece is, by turning it up or by taking it.
    #[inline]
    pub fn uncovers(&self, mv: Move) -> bool {
        self.board.cell(mv.to) == Cell::FaceDown
    }

    /// Plays a legal move that uncovered `shown`, if it uncovers anything.
    ///
    /// # Panics
    ///
    /// If the pool does not hold what was uncovered.
    #[inline]
    pub fn play(&mut self, rules: &BanqiRules, mv: Move, shown: Option<Piece>) {
        let Move { from, to } = mv;
        let left_behind = self.key;
        let progress = self.board.cell(to) != Cell::Empty;
        if let Some(piece) = shown {
            self.draw(piece);
        }
        self.key ^= keys::cell(&self.board, to);
        if from == to {
            let piece = shown.expect("a flip shows a piece");
            self.board.set(to, Cell::FaceUp(piece));
            if self.first.is_none() {
                self.first = Some(piece.color);
                self.side = piece.color;
                self.key ^= keys::first(piece.color);
                self.key ^= if piece.color == Color::Black { keys::BLACK_TO_MOVE } else { 0 };
            }
        } else {
            self.key ^= keys::cell(&self.board, from);
            self.board.shift(from, to);
            self.key ^= keys::cell(&self.board, from);
        }
        self.key ^= keys::cell(&self.board, to) ^ keys::BLACK_TO_MOVE;

        if progress {
            self.quiet_plies = 0;
            self.history.restart();
        } else {
            self.quiet_plies = self.quiet_plies.saturating_add(1);
            if rules.repetition.is_some() {
                self.history.push(mv, left_behind);
            }
        }
        self.side = self.side.other();
        self.settle(rules);
    }

    /// Takes a piece that is shown out of the pool.
    #[inline]
    fn draw(&mut self, piece: Piece) {
        let identity = identity(piece);
        self.key ^= keys::left(identity, self.pool.count(identity));
        self.pool.remove(identity);
        self.key ^= keys::left(identity, self.pool.count(identity));
    }

    /// Plays a move drawn from all legal ones, without listing them.
    ///
    /// # Panics
    ///
    /// If the game is over.
    #[inline]
    pub fn play_at_random<R: Rng + ?Sized>(&mut self, rules: &BanqiRules, rng: &mut R) {
        let choices = self.board.choices(self.side, rules.cannon_takes_face_down);
        let mv = choices.nth(rng.random_range(0..choices.count()));
        let shown = self.uncovers(mv).then(|| {
            let mut rest = self.pool;
            piece(rest.draw(rng).expect("the pool covers the face-down pieces"))
        });
        self.play(rules, mv, shown);
    }

    /// Finds out whether the game is over.
    #[inline]
    fn settle(&mut self, rules: &BanqiRules) {
        let lost = self.lost(rules);
        let drawn = self.drawn(rules);
        let end = if rules.draw_before_win { drawn.or(lost) } else { lost.or(drawn) };
        self.status = end.map_or_else(|| Status::ToMove(self.seat_of(self.side)), Status::Over);
    }

    /// Whether the side to move has lost: by having no piece left, or by having nothing to do. The other side
    /// cannot have lost anything with its own ply.
    #[inline]
    fn lost(&self, rules: &BanqiRules) -> Option<Outcome> {
        let nothing_left = self.board.pieces(self.side).is_empty() && count_of(&self.pool, self.side) == 0;
        let nothing_to_do = || !self.board.can_act(self.side, rules.cannon_takes_face_down);
        (nothing_left && rules.capture_all_wins || nothing_to_do()).then(|| {
            let reason = if nothing_left { EndReason::CapturedAll } else { EndReason::Stalemate };
            Outcome { winner: Some(self.seat_of(self.side).other()), reason }
        })
    }

    #[inline]
    fn drawn(&self, rules: &BanqiRules) -> Option<Outcome> {
        let draw = |reason| Some(Outcome { winner: None, reason });
        if self.quiet_plies >= rules.no_progress_plies {
            return draw(EndReason::NoProgress);
        }
        match rules.repetition {
            Some(folds) if self.repeats() + 1 >= usize::from(folds) => draw(EndReason::Repetition),
            _ => None,
        }
    }

    /// The position with the board laid onto itself, and its past with it.
    pub fn mirrored(&self, rules: &BanqiRules, by: Symmetry) -> Position {
        let moves: Vec<Move> = self.history.moves().map(|mv| mv.mirrored(by)).collect();
        let Position { pool, first, side, quiet_plies, .. } = *self;
        Position::fresh(rules, self.board.mirrored(by), pool, first, side, quiet_plies)
            .with_past(rules, &moves)
            .expect("the mirror image of a past is one")
    }

    /// This position, which has no past, as `moves` (oldest first) led to it, all of them quiet.
    ///
    /// # Errors
    ///
    /// If the pieces cannot have come to stand here so.
    pub fn with_past(self, rules: &BanqiRules, moves: &[Move]) -> Result<Position, WrongPast> {
        if moves.is_empty() {
            return Ok(self);
        }
        let (mut board, mut side) = (self.board, self.side);
        for (place, mv) in moves.iter().enumerate().rev() {
            side = side.other();
            let reversible = match board.cell(mv.to) {
                Cell::FaceUp(piece) => piece.color == side && board.cell(mv.from) == Cell::Empty,
                Cell::Empty | Cell::FaceDown => false,
            };
            if !reversible {
                return Err(WrongPast(place));
            }
            board.shift(mv.to, mv.from);
        }
        let length = u16::try_from(moves.len()).map_err(|_| WrongPast(0))?;
        let quiet_plies = self.quiet_plies.checked_sub(length).ok_or(WrongPast(0))?;
        let mut position = Position::fresh(rules, board, self.pool, self.first, side, quiet_plies);
        for (place, &mv) in moves.iter().enumerate() {
            if !position.is_legal(rules, mv) {
                return Err(WrongPast(place));
            }
            position.play(rules, mv, None);
        }
        Ok(position)
    }
}
