//! Where the pieces stand, by the text that a view begins with.

use super::board::{Board, Point};

/// The board of one position, its letters as the view writes them: upper case for the first side.
#[derive(Debug, Clone)]
pub struct Placement {
    board: Board,
    /// By rank from the first, then file; none of an empty point.
    letters: Vec<Option<u8>>,
    first_moves: bool,
}

impl Placement {
    /// None if `view` does not begin with a position on `board` and the side to move.
    pub fn read(board: Board, view: &str) -> Option<Self> {
        let (text, rest) = view.split_once(' ')?;
        let (files, ranks) = board.size();
        let mut letters = vec![None; usize::from(files) * usize::from(ranks)];
        for (row, text) in text.split('/').enumerate() {
            let rank = ranks.checked_sub(1 + u8::try_from(row).ok()?)?;
            let mut file = 0_u8;
            for byte in text.bytes() {
                if byte.is_ascii_digit() {
                    file = file.checked_add(byte - b'0')?;
                } else if file < files {
                    letters[usize::from(rank) * usize::from(files) + usize::from(file)] = Some(byte);
                    file += 1;
                } else {
                    return None;
                }
            }
        }
        Some(Self { board, letters, first_moves: rest.starts_with('w') })
    }

    /// What stands on a point of the board, as the view writes it; none if nothing does.
    pub fn at(&self, point: Point) -> Option<u8> {
        let (files, _) = self.board.size();
        self.letters[usize::from(point.rank) * usize::from(files) + usize::from(point.file)]
    }

    /// The upper-case letter of the mover's piece there; none if there is none.
    pub fn own(&self, point: Point) -> Option<u8> {
        self.of_side(point, self.first_moves)
    }

    /// The upper-case letter of the opponent's piece there; none if there is none.
    pub fn enemy(&self, point: Point) -> Option<u8> {
        self.of_side(point, !self.first_moves)
    }

    fn of_side(&self, point: Point, first: bool) -> Option<u8> {
        let letter = self.at(point).filter(u8::is_ascii_alphabetic)?;
        (letter.is_ascii_uppercase() == first).then_some(letter.to_ascii_uppercase())
    }

    /// The points next to one, along files and ranks.
    pub fn beside(&self, point: Point) -> impl Iterator<Item = Point> + use<> {
        let (files, ranks) = self.board.size();
        [(-1, 0), (1, 0), (0, -1), (0, 1)].into_iter().filter_map(move |(file, rank)| {
            let file = point.file.checked_add_signed(file).filter(|&file| file < files)?;
            let rank = point.rank.checked_add_signed(rank).filter(|&rank| rank < ranks)?;
            Some(Point { file, rank })
        })
    }

    /// The points with a piece of the mover's that has that letter.
    pub fn own_pieces(&self, letter: u8) -> impl Iterator<Item = Point> {
        self.points().filter(move |&point| self.own(point) == Some(letter))
    }

    /// The points strictly between two on one file or rank.
    pub fn between(&self, from: Point, to: Point) -> impl Iterator<Item = Point> {
        let within = |a: u8, b: u8, at: u8| (a.min(b) + 1..a.max(b)).contains(&at);
        self.points().filter(move |at| {
            from.file == to.file && at.file == from.file && within(from.rank, to.rank, at.rank)
                || from.rank == to.rank && at.rank == from.rank && within(from.file, to.file, at.file)
        })
    }

    fn points(&self) -> impl Iterator<Item = Point> + use<> {
        let (files, ranks) = self.board.size();
        (0..ranks).flat_map(move |rank| (0..files).map(move |file| Point { file, rank }))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn pieces_are_the_movers_or_the_opponents() {
        let board = Board::of_game("banqi").expect("a board");
        let placement = Placement::read(board, "8/1N?n4/1?R5/1P6 b P1n1 3").expect("a position");
        let at = |name: &str| board.point(name).expect("a square");
        assert_eq!((placement.own(at("d3")), placement.enemy(at("d3"))), (Some(b'N'), None));
        assert_eq!((placement.own(at("c2")), placement.enemy(at("c2"))), (None, Some(b'R')));
        assert_eq!((placement.at(at("c3")), placement.own(at("c3"))), (Some(b'?'), None));
        assert_eq!(placement.own_pieces(b'N').collect::<Vec<_>>(), [at("d3")]);
        assert_eq!(placement.beside(at("a1")).collect::<Vec<_>>(), [at("b1"), at("a2")]);
        assert_eq!(placement.between(at("b1"), at("b4")).collect::<Vec<_>>(), [at("b2"), at("b3")]);
        assert!(Placement::read(board, "8P/8/8/8 w - 0").is_none());
        assert!(Placement::read(board, "8/8/8/8/8 w - 0").is_none());
    }
}
