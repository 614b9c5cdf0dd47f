//! `facedown perft`: counts the tree below a position.

use clap::Args;

use super::{Common, Failure, position, print_line};
use crate::game::{Game, PerftCount, View, divide};
use crate::rules::{Task, dispatch};

/// Count the lines of play below a position
///
/// A move that turns a piece up leads to one position for each distinct piece it may be. Draws do not
/// end a line.
#[derive(Debug, Args)]
pub struct Perft {
    /// The position [default: the start of the game]
    #[arg(long, value_name = "FEN")]
    position: Option<String>,
    /// The length of the lines, in plies
    #[arg(long, value_name = "PLIES", value_parser = clap::value_parser!(u32).range(0..=20))]
    depth: u32,
    /// Count the last ply once for each distinct piece it may turn up, and not once a move
    #[arg(long)]
    outcomes: bool,
    /// Also count the lines below each move
    #[arg(long)]
    divide: bool,
}

impl Perft {
    pub fn run(&self, common: &Common) -> Result<(), Failure> {
        dispatch(common.game(), PerftTask { common, asked: self })
    }
}

struct PerftTask<'a> {
    common: &'a Common,
    asked: &'a Perft,
}

impl Task for PerftTask<'_> {
    type Out = Result<(), Failure>;

    fn run<G: Game>(self) -> Result<(), Failure> {
        let Perft { position, depth, outcomes, divide: by_move } = self.asked;
        let view = position::view::<G>(position.as_deref(), self.common)?;
        let count = if *outcomes { PerftCount::Outcomes } else { PerftCount::Moves };
        if !by_move || *depth == 0 {
            print_line(view.perft(*depth, count))?;
            return Ok(());
        }
        let parts = divide(&view, *depth, count);
        for (mv, lines) in &parts {
            print_line(format_args!("{mv} {lines}"))?;
        }
        print_line(parts.iter().map(|(_, lines)| lines).sum::<u64>())?;
        Ok(())
    }
}
