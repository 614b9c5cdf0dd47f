//! Banqi worked out again by the letter of its rules, and solved by looking at every line of play: on a board of
//! letters, and without anything of the library's.

use std::collections::HashMap;

/// What of a rule set bears on small positions.
#[derive(Debug, Clone, Copy)]
pub struct Rules {
    /// Plies without a flip or a capture that draw.
    pub limit: u32,
    /// Whether the third occurrence of a position draws.
    pub third_draws: bool,
    /// Whether a side without a piece has lost, whatever lies face down.
    pub capture_all_wins: bool,
    /// Whether a ply that reaches the limit and wins draws.
    pub draw_before_win: bool,
}

/// Rank 4 first. `?` lies face down, `.` is empty, capitals are Red's.
type Board = [[u8; 8]; 4];

/// What a position's value hangs on.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub struct Position {
    board: Board,
    red_to_move: bool,
    /// What lies face down, sorted.
    pool: Vec<u8>,
    quiet: u32,
    /// The positions since the last flip or capture, this one not among them, sorted: their order does not matter.
    past: Vec<(Board, bool)>,
}

/// A move as text with what it is worth to the player to move.
pub type Worth = (String, f64);

/// Solves positions under one rule set and remembers what it found.
pub struct Solver {
    rules: Rules,
    known: HashMap<Position, f64>,
}

impl Position {
    /// Reads `<board> <side> <pool> <plies without flip or capture>`; further fields say who sits where.
    pub fn read(text: &str) -> Self {
        let fields: Vec<_> = text.split(' ').collect();
        let mut board = [[b'.'; 8]; 4];
        for (row, line) in board.iter_mut().zip(fields[0].split('/')) {
            let cells = line.bytes().flat_map(|letter| match letter {
                b'1'..=b'8' => vec![b'.'; usize::from(letter - b'0')],
                _ => vec![letter],
            });
            row.iter_mut().zip(cells).for_each(|(cell, letter)| *cell = letter);
        }
        let letters: Vec<u8> = fields[2].bytes().filter(|&letter| letter != b'-').collect();
        let mut pool: Vec<u8> =
            letters.chunks(2).flat_map(|pair| vec![pair[0]; usize::from(pair[1] - b'0')]).collect();
        pool.sort_unstable();
        let quiet = fields[3].parse().expect("a count of plies");
        Self { board, red_to_move: fields[1] == "w", pool, quiet, past: Vec::new() }
    }

    fn is_own(&self, piece: u8) -> bool {
        piece.is_ascii_alphabetic() && piece.is_ascii_uppercase() == self.red_to_move
    }

    fn is_enemy(&self, piece: u8) -> bool {
        piece.is_ascii_alphabetic() && !self.is_own(piece)
    }

    fn at(&self, row: i32, column: i32) -> Option<u8> {
        let row = self.board.get(usize::try_from(row).ok()?)?;
        row.get(usize::try_from(column).ok()?).copied()
    }

    /// Where the pieces of the player to move may go, as pairs of row and column.
    fn goes(&self) -> Vec<[(i32, i32); 2]> {
        let squares = (0..4).flat_map(|row| (0..8).map(move |column| (row, column)));
        let mut goes = Vec::new();
        for (row, column) in squares {
            let piece = self.board[row as usize][column as usize];
            if !self.is_own(piece) {
                continue;
            }
            for (down, right) in [(0, 1), (0, -1), (1, 0), (-1, 0)] {
                let on = |steps: i32| (row + steps * down, column + steps * right);
                let cell = |steps: i32| self.at(on(steps).0, on(steps).1);
                match cell(1) {
                    Some(b'.') => goes.push([(row, column), on(1)]),
                    Some(prey) if self.is_enemy(prey) && takes(piece, prey) => {
                        goes.push([(row, column), on(1)]);
                    }
                    _ => {}
                }
                if piece.eq_ignore_ascii_case(&b'c') {
                    let standing: Vec<i32> = (1..8)
                        .take_while(|&steps| cell(steps).is_some())
                        .filter(|&steps| cell(steps) != Some(b'.'))
                        .collect();
                    match standing[..] {
                        [_, prey, ..] if cell(prey).is_some_and(|prey| self.is_enemy(prey)) => {
                            goes.push([(row, column), on(prey)]);
                        }
                        _ => {}
                    }
                }
            }
        }
        goes
    }

    fn flips(&self) -> Vec<(i32, i32)> {
        let squares = (0..4).flat_map(|row| (0..8).map(move |column| (row, column)));
        squares.filter(|&(row, column)| self.board[row as usize][column as usize] == b'?').collect()
    }

    /// The position after a piece turned up, or went somewhere.
    fn after(&self, from: (i32, i32), to: (i32, i32), shown: Option<u8>) -> Self {
        let mut next = self.clone();
        let cell = |(row, column): (i32, i32)| (row as usize, column as usize);
        let ((from_row, from_column), (to_row, to_column)) = (cell(from), cell(to));
        let progress = self.board[to_row][to_column] != b'.';
        let piece = shown.unwrap_or(self.board[from_row][from_column]);
        next.board[from_row][from_column] = b'.';
        next.board[to_row][to_column] = piece;
        if let Some(shown) = shown {
            let place = next.pool.iter().position(|&piece| piece == shown).expect("in the pool");
            next.pool.remove(place);
        }
        next.red_to_move = !self.red_to_move;
        if progress {
            (next.quiet, next.past) = (0, Vec::new());
        } else {
            next.quiet += 1;
            next.past.push((self.board, self.red_to_move));
            next.past.sort_unstable();
        }
        next
    }

    /// What the game is worth to the player to move, if it is over.
    fn end(&self, rules: &Rules) -> Option<f64> {
        let left = self.board.iter().flatten().chain(&self.pool).filter(|&&piece| self.is_own(piece));
        let bare = rules.capture_all_wins && left.count() == 0;
        let stuck = self.flips().is_empty() && self.goes().is_empty();
        let lost = bare || stuck;
        let now = (self.board, self.red_to_move);
        let third = self.past.iter().filter(|&&then| then == now).count() >= 2;
        let drawn = self.quiet >= rules.limit || rules.third_draws && third;
        match (lost, drawn) {
            (false, false) => None,
            (true, true) if rules.draw_before_win => Some(0.0),
            (true, _) => Some(-1.0),
            (false, true) => Some(0.0),
        }
    }
}

/// Whether a piece takes an enemy next to it.
fn takes(piece: u8, prey: u8) -> bool {
    let rank = |piece: u8| {
        let piece = piece.to_ascii_uppercase();
        b"KABRNCP".iter().position(|&other| other == piece).expect("a piece")
    };
    match (piece.to_ascii_uppercase(), prey.to_ascii_uppercase()) {
        (b'C', _) | (b'K', b'P') => false,
        (b'P', prey) => prey == b'P' || prey == b'K',
        _ => rank(piece) <= rank(prey),
    }
}

fn name((row, column): (i32, i32)) -> String {
    format!("{}{}", char::from(b'a' + column as u8), 4 - row)
}

impl Solver {
    pub fn new(rules: Rules) -> Self {
        Self { rules, known: HashMap::new() }
    }

    /// What a position is worth to the player to move.
    pub fn worth(&mut self, position: &Position) -> f64 {
        if let Some(end) = position.end(&self.rules) {
            return end;
        }
        if let Some(&worth) = self.known.get(position) {
            return worth;
        }
        let worth = self.moves(position).into_iter().map(|(_, worth)| worth).fold(-1.0, f64::max);
        self.known.insert(position.clone(), worth);
        worth
    }

    /// What each move of a game that is not over is worth to the player to move, sorted by name.
    pub fn moves(&mut self, position: &Position) -> Vec<Worth> {
        let mut moves = Vec::new();
        for at in position.flips() {
            let draws = position.pool.iter().map(|&shown| self.worth(&position.after(at, at, Some(shown))));
            moves.push((name(at), -draws.sum::<f64>() / position.pool.len() as f64));
        }
        for [from, to] in position.goes() {
            let worth = -self.worth(&position.after(from, to, None));
            moves.push((name(from) + &name(to), worth));
        }
        moves.sort_by(|one, other| one.0.cmp(&other.0));
        moves
    }
}
