//! `facedown moves`: lists the legal moves of a position.

use clap::Args;

use super::{Common, Failure, position, print_line, tell};
use crate::game::{Game, MoveList, View};
use crate::rules::{Task, dispatch};

/// List the legal moves of a position on one line, sorted; its state goes to stderr
#[derive(Debug, Args)]
pub struct Moves {
    /// The position [default: the start of the game]
    #[arg(long, value_name = "FEN")]
    position: Option<String>,
}

impl Moves {
    pub fn run(&self, common: &Common) -> Result<(), Failure> {
        dispatch(common.game(), MovesTask { common, asked: self })
    }
}

struct MovesTask<'a> {
    common: &'a Common,
    asked: &'a Moves,
}

impl Task for MovesTask<'_> {
    type Out = Result<(), Failure>;

    fn run<G: Game>(self) -> Result<(), Failure> {
        let view = position::view::<G>(self.asked.position.as_deref(), self.common)?;
        print_line(listed::<G>(&view))?;
        tell(position::state_name::<G>(&view));
        Ok(())
    }
}

/// The legal moves as a sorted text, with a space between each two.
pub fn listed<G: Game>(view: &G::View) -> String {
    let mut moves = MoveList::new();
    view.legal_moves(&mut moves);
    let texts: Vec<_> = moves.iter().map(ToString::to_string).collect();
    texts.join(" ")
}
