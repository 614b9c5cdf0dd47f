//! `facedown solve`: the exact value of a small position.

use clap::Args;

use super::{Common, Failure, position, print_line};
use crate::game::Game;
use crate::rules::{Task, dispatch};
use crate::search::{Objective, solve};

/// Find out what a small position is worth under best play, by looking at every line
///
/// Prints the value of the position and of each move for the player to move, from -1 to 1. Both players
/// must know the same, now and whatever is played.
#[derive(Debug, Args)]
pub struct Solve {
    /// The position
    #[arg(long, value_name = "FEN")]
    position: String,
    /// The most positions to look at
    #[arg(long, value_name = "N", default_value = "1000000")]
    nodes: u64,
    /// Play for the money that changes hands instead of the result
    #[arg(long)]
    settlement: bool,
}

impl Solve {
    /// # Errors
    ///
    /// A usage error for a position that cannot be read, has no such value, or is too large for `--nodes`.
    pub fn run(&self, common: &Common) -> Result<(), Failure> {
        dispatch(common.game(), SolveTask { common, asked: self })
    }
}

struct SolveTask<'a> {
    common: &'a Common,
    asked: &'a Solve,
}

impl Task for SolveTask<'_> {
    type Out = Result<(), Failure>;

    fn run<G: Game>(self) -> Result<(), Failure> {
        let Solve { position, nodes, settlement } = self.asked;
        let view = position::view::<G>(Some(position), self.common)?;
        let objective = if *settlement { Objective::Settlement } else { Objective::Result };
        let solution = solve::<G>(&view, objective, *nodes).map_err(Failure::usage)?;
        print_line(format_args!("value {:.6}", solution.value.0))?;
        for (mv, value) in &solution.moves {
            print_line(format_args!("{mv} {:.6}", value.0))?;
        }
        print_line(format_args!("nodes {}", solution.nodes))?;
        Ok(())
    }
}
