//! What pieces are worth: results explained by who has what, face-down pieces by the square they stand on, or
//! where squares say nothing, by what is left in the pool.

use super::board::Board;
use super::figure::{Drawing, Figure, IntervalPlot, IntervalRow};
use super::report::{Report, Section, Setup};
use super::rows::{PlyRow, Reads};
use super::stats::{Estimate, Regression};
use super::story::PHASES;
use super::table::{Columns, Row, Table};

/// Plies from one counted position of a game to the next: neighbours say the same.
const STEP: u16 = 4;

/// The penalty on squared coefficients, in positions: next to nothing, but enough to keep coefficients of
/// pieces that never differ at zero.
const RIDGE: f64 = 1.0;

/// Fits results on material.
#[derive(Debug, Clone)]
pub struct Values {
    board: Board,
    /// By phase: the mover's result on one and the material's difference.
    worth: [Regression; 3],
}

impl Report for Values {
    const READS: Reads = Reads { candidates: false, outcomes: false, views: true, tactics: false };

    fn new(setup: &Setup) -> Self {
        let covariates = 1 + 2 * roles(setup.board).len();
        Self { board: setup.board, worth: [(); 3].map(|()| Regression::new(covariates)) }
    }

    fn absorb_ply(&mut self, ply: &PlyRow<'_>) {
        if !ply.ply.is_multiple_of(STEP) {
            return;
        }
        let (Some(phase), Some(material)) =
            (PHASES.iter().position(|&phase| phase == ply.phase), material(self.board, ply.view))
        else {
            return;
        };
        self.worth[phase].observe(ply.game_id, &material, 50.0 * f64::from(ply.result));
    }

    fn merge(&mut self, later: Self) {
        for (known, later) in self.worth.iter_mut().zip(later.worth) {
            known.merge(later);
        }
    }

    fn finish(self) -> Vec<Section> {
        vec![Section {
            name: "values",
            title: "What pieces are worth",
            headlines: Vec::new(),
            figures: (0..PHASES.len()).map(|phase| self.figure(phase)).collect(),
            tables: vec![self.table()],
            notes: vec![
                format!(
                    "Least squares with a ridge of {RIDGE} position: the mover's result, in points, on the \
                     difference in pieces, every {STEP}th ply. A piece is worth the points by which having one \
                     more of it, all else equal, goes with better results in that phase."
                ),
                "Who has more pieces has often also played better, so worths hold more than the pieces' own \
                 doing."
                    .into(),
            ],
        }]
    }
}

impl Values {
    /// What one more piece is worth in a phase, points; face up and face down by letter of role or square.
    fn worths(&self, phase: usize) -> Vec<(u8, bool, Estimate)> {
        let Some(fit) = self.worth[phase].fit(RIDGE) else { return Vec::new() };
        let roles = roles(self.board);
        let count = roles.len();
        let places = (0..2 * count).map(|at| (roles[at % count], at >= count, fit.coefficient(1 + at)));
        places.filter(|(_, _, worth)| worth.interval.is_some_and(|i| i.high > i.low)).collect()
    }

    /// What one more of the piece `more` is worth less what one more of `less` is, both face up; points.
    pub fn difference(&self, phase: usize, more: u8, less: u8) -> Option<Estimate> {
        let roles = roles(self.board);
        let sign = |role: u8| f64::from(i8::from(role == more) - i8::from(role == less));
        let weights: Vec<f64> = std::iter::once(0.0)
            .chain(roles.iter().map(|&role| sign(role)))
            .chain(roles.iter().map(|_| 0.0))
            .collect();
        Some(self.worth[phase].fit(RIDGE)?.combination(&weights))
    }

    fn name(&self, letter: u8, face_down: bool) -> String {
        let name = self.board.piece_name(&char::from(letter).to_string());
        match (face_down, self.board) {
            (false, _) => name,
            (true, Board::Xiangqi) => format!("face down on the square of a {name}"),
            (true, Board::Half) => format!("{name} face down"),
        }
    }

    fn table(&self) -> Table {
        let columns = Columns::default()
            .plain("phase", "phase")
            .defined("phase")
            .plain("piece", "piece")
            .plain("positions", "positions")
            .plain("games", "games")
            .estimate("worth", "worth", "points", 2, "points");
        let rows = PHASES.iter().enumerate().flat_map(|(phase, name)| {
            let worths = self.worths(phase).into_iter();
            worths.map(move |(letter, face_down, worth)| (name, letter, face_down, worth))
        });
        let rows = rows.map(|(phase, letter, face_down, worth)| {
            let row = Row::default().text(*phase).text(self.name(letter, face_down));
            row.counts(&worth).estimate(Some(worth))
        });
        Table::new("values", "Fitted worth of one more piece", columns, rows.collect())
    }

    fn figure(&self, phase: usize) -> Figure {
        let rows = self.worths(phase).into_iter().map(|(letter, face_down, estimate)| IntervalRow {
            label: self.name(letter, face_down),
            estimate,
        });
        Figure {
            title: format!("One more piece, {}", PHASES[phase]),
            caption: "Fitted worth in points. n counts positions; bars are 95 % intervals between games."
                .into(),
            drawing: Drawing::Intervals(IntervalPlot { rows: rows.collect(), unit: "points", mark: 0.0 }),
        }
    }
}

/// The letters of the pieces that are counted: all that can be taken.
fn roles(board: Board) -> Vec<u8> {
    let dealt = board.letters().iter().zip(board.start_pool()).filter(|(_, count)| **count > 0);
    dealt.map(|(&letter, _)| letter).collect()
}

/// One, then the mover's pieces less the opponent's: face up by role, then face down by the role of their
/// square, or if squares say nothing, by role in the pool. None if the text is no position.
fn material(board: Board, view: &str) -> Option<Vec<f64>> {
    let mut fields = view.split(' ');
    let (placement, side, pool) = (fields.next()?, fields.next()?, fields.next()?);
    let roles = roles(board);
    let place = |role: u8| roles.iter().position(|&known| known == role);
    let sign = |letter: u8| if letter.is_ascii_uppercase() == (side == "w") { 1.0 } else { -1.0 };
    let mut counts = vec![0.0; 1 + 2 * roles.len()];
    counts[0] = 1.0;
    let (_, ranks) = board.size();
    for (row, text) in placement.split('/').enumerate() {
        let rank = ranks.checked_sub(1 + u8::try_from(row).ok()?)?;
        let mut file = 0;
        for byte in text.bytes() {
            if byte.is_ascii_digit() {
                file += byte - b'0';
                continue;
            }
            let seat = u8::from(byte.is_ascii_lowercase());
            let at = board.seen_from(seat, super::board::Point { file, rank });
            let counted = match byte.to_ascii_uppercase() {
                b'X' => board.home_role(at).and_then(place).map(|place| place + roles.len()),
                letter => place(letter),
            };
            if let Some(place) = counted {
                counts[1 + place] += sign(byte);
            }
            file += 1;
        }
    }
    if board == Board::Half {
        let letters =
            pool.bytes().zip(pool.bytes().skip(1)).filter(|(letter, _)| letter.is_ascii_alphabetic());
        for (letter, count) in letters {
            if let Some(place) = place(letter.to_ascii_uppercase()) {
                counts[1 + roles.len() + place] += sign(letter) * f64::from(count.saturating_sub(b'0'));
            }
        }
    }
    Some(counts)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn face_down_pieces_of_nobody_are_counted_as_what_they_are() {
        let board = Board::of_game("banqi").expect("a board");
        let found = material(board, "8/3rN3/???5/7P b P2k1 7").expect("a position");
        let expected = [("R", 1.0, 0), ("N", -1.0, 0), ("P", -1.0, 0), ("P", -2.0, 7), ("K", 1.0, 7)];
        let mut counts = vec![0.0; 15];
        counts[0] = 1.0;
        for (letter, count, shift) in expected {
            let place = b"KABRNCP".iter().position(|role| *role == letter.as_bytes()[0]).expect("a role");
            counts[1 + shift + place] = count;
        }
        assert_eq!(found, counts);
    }

    #[test]
    fn pieces_are_counted_for_the_mover() {
        let board = Board::of_game("jieqi").expect("a board");
        // Black to move: its face-down rook and pawn against a face-up cannon and a face-down elephant.
        let view = "x3k4/9/9/x8/9/4C4/9/9/9/2X1K4 b - 0 1";
        let found = material(board, view).expect("a position");
        let expected = [("C", -1.0, 0), ("R", 1.0, 1), ("P", 1.0, 1), ("B", -1.0, 1)];
        let roles = roles(board);
        let mut counts = vec![0.0; 1 + 2 * roles.len()];
        counts[0] = 1.0;
        for (letter, count, face_down) in expected {
            let place = roles.iter().position(|role| *role == letter.as_bytes()[0]).expect("a role");
            counts[1 + place + face_down * roles.len()] = count;
        }
        assert_eq!(found, counts);
    }
}
