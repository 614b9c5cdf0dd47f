//! A board as text, rank by rank, as all of xiangqi's relatives write it.

use std::fmt;

/// Writes ranks with a slash between each two: a letter for a piece, and for squares without one how many
/// there are in a row.
pub fn write_ranks<R>(f: &mut fmt::Formatter<'_>, ranks: impl IntoIterator<Item = R>) -> fmt::Result
where
    R: IntoIterator<Item = Option<char>>,
{
    for (place, rank) in ranks.into_iter().enumerate() {
        if place > 0 {
            f.write_str("/")?;
        }
        let mut gap = 0;
        for square in rank {
            let Some(letter) = square else {
                gap += 1;
                continue;
            };
            write_gap(f, gap)?;
            gap = 0;
            write!(f, "{letter}")?;
        }
        write_gap(f, gap)?;
    }
    Ok(())
}

fn write_gap(f: &mut fmt::Formatter<'_>, gap: u32) -> fmt::Result {
    if gap > 0 { write!(f, "{gap}") } else { Ok(()) }
}
