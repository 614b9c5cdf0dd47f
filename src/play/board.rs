//! A position drawn with characters.

use std::fmt;

/// Draws the board with which a position's text begins, its files and ranks named.
pub struct Board<'a>(pub &'a str);

impl fmt::Display for Board<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let ranks: Vec<&str> = self.0.split(' ').next().unwrap_or_default().split('/').collect();
        // A rank is one digit, so where there are ten of them they count from 0.
        let first = usize::from(ranks.len() < 10);
        let mut files = 0;
        for (below, rank) in (0..ranks.len()).rev().zip(&ranks) {
            write!(f, "{} ", first + below)?;
            let squares: Vec<char> = rank.chars().flat_map(squares).collect();
            files = files.max(squares.len());
            for square in squares {
                write!(f, " {square}")?;
            }
            writeln!(f)?;
        }
        write!(f, "  ")?;
        ('a'..='z').take(files).try_for_each(|file| write!(f, " {file}"))
    }
}

/// The squares that a character of a rank stands for: so many empty ones, or one with a piece.
fn squares(letter: char) -> impl Iterator<Item = char> {
    let (square, times) = letter.to_digit(10).map_or((letter, 1), |empty| ('.', empty as usize));
    std::iter::repeat_n(square, times)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_board_is_drawn_rank_by_rank() {
        let half = Board("C?6/2?5/P?6/2A5 w K1C1p1 0").to_string();
        let lines = ["4  C ? . . . . . .", "3  . . ? . . . . .", "2  P ? . . . . . .", "1  . . A . . . . ."];
        assert_eq!(half, format!("{}\n   a b c d e f g h", lines.join("\n")));
        let whole = Board("9/9/9/9/9/9/9/9/9/4K4 w - 0 1").to_string();
        assert!(whole.starts_with("9  . ."), "{whole}");
        assert!(whole.contains("\n0  . . . . K . . . .\n"), "{whole}");
    }
}
