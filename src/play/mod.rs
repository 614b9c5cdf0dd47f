//! A person's game against the program, as lines of text.
//!
//! The person is shown and told what the seat's own eyes see, and the program searches from what its own eyes
//! see. The truth stays in [`sit`], which is the referee.

mod board;
mod wish;

use std::fmt::Display;
use std::io::{self, BufRead, Write};
use std::sync::Arc;

use rand::rngs::ChaCha8Rng;

use crate::eval::{EvalError, Evaluator};
use crate::game::{Eyes, Game, MoveList, Outcome, Seat, Status, View, random_stream};
use crate::search::{RootReport, Search, SearchConfig};
use crate::text::{Line, Lines};
use board::Board;
use wish::Wish;

/// Moves that a hint names.
const HINTS: usize = 3;

/// What a game with a person starts with.
pub struct Setup<G: Game> {
    pub rules: Arc<G::Profile>,
    /// Where the person sits.
    pub person: Seat,
    pub evaluator: Box<dyn Evaluator<G>>,
    /// How the program searches, for its own plies and for hints.
    pub search: SearchConfig,
    /// Of everything random: what is uncovered, and the searches.
    pub seed: u64,
}

/// The game could not go on.
#[derive(Debug, thiserror::Error)]
pub enum PlayError {
    #[error("the program's evaluator failed")]
    Evaluator(#[from] EvalError),
    #[error("the game's input or output failed")]
    Io(#[from] io::Error),
}

/// Plays a game with whoever writes the lines of `input`, until it is over, the person leaves or the lines end.
///
/// # Errors
///
/// If the evaluator fails, or the input or output does.
pub fn sit<G: Game>(setup: Setup<G>, input: impl BufRead, output: impl Write) -> Result<(), PlayError> {
    let game = G::start(&setup.rules);
    let fate = random_stream(setup.seed, 0);
    Sitting { setup, game, plies: 0, fate, lines: Lines::new(input), output }.play()
}

struct Sitting<G: Game, R, W> {
    setup: Setup<G>,
    game: G,
    plies: u64,
    /// What decides what a ply uncovers.
    fate: ChaCha8Rng,
    lines: Lines<R>,
    output: W,
}

/// What a person's turn came to.
enum Turn<M> {
    Ply(M),
    Resigns,
    Leaves,
}

impl<G: Game, R: BufRead, W: Write> Sitting<G, R, W> {
    fn play(mut self) -> Result<(), PlayError> {
        self.say(wish::HELP)?;
        self.show()?;
        loop {
            let mv = match self.game.status() {
                Status::Over(outcome) => return self.tell_end(outcome),
                Status::ToMove(seat) if seat == self.setup.person => match self.ask()? {
                    Turn::Ply(mv) => mv,
                    Turn::Resigns => return self.say("You resign."),
                    Turn::Leaves => return self.say("The game is left unfinished."),
                },
                Status::ToMove(seat) => {
                    let report = self.consider(seat)?;
                    report.moves[report.best].mv
                }
            };
            self.make(mv)?;
        }
    }

    /// Plays a ply and tells the person of it.
    fn make(&mut self, mv: G::Move) -> Result<(), PlayError> {
        let reveal = self.game.chances(mv).draw(&mut self.fate);
        let eyes = Eyes::Of(self.setup.person);
        let told = self.told(mv, self.game.seen(mv, reveal, eyes));
        let who = if self.game.status() == Status::ToMove(self.setup.person) { "You" } else { "facedown" };
        self.game.play(mv, reveal);
        self.plies += 1;
        self.say(format_args!("{who}: {told}"))?;
        self.show()
    }

    /// A ply about to be played, as the person sees it.
    fn told(&self, mv: G::Move, seen: G::Seen) -> String {
        let letters = self.own_view().letters(mv, seen);
        let revealed = letters.revealed.map(|letter| format!(", turning up {letter}")).unwrap_or_default();
        let taken = letters.taken.map(|letter| format!(", taking face down {letter}")).unwrap_or_default();
        format!("{mv}{revealed}{taken}")
    }

    /// What the person knows.
    fn own_view(&self) -> G::View {
        self.game.view(Eyes::Of(self.setup.person))
    }

    fn show(&mut self) -> Result<(), PlayError> {
        let view = self.own_view();
        let side = view.side_letter(self.setup.person);
        let side = side.map(|letter| format!("   your side: {letter}")).unwrap_or_default();
        self.say(format_args!("\n{}\n{view}{side}", Board(&view.to_string())))
    }

    /// Asks until the person plays a ply, or will not play on.
    fn ask(&mut self) -> Result<Turn<G::Move>, PlayError> {
        let mut legal = MoveList::new();
        self.game.legal_moves(&mut legal);
        loop {
            write!(self.output, "> ")?;
            self.output.flush()?;
            let text = match self.lines.next().transpose()? {
                None => return Ok(Turn::Leaves),
                Some(Line::Unreadable(why)) => {
                    self.say(why)?;
                    continue;
                }
                Some(Line::Text(text)) => text,
            };
            match Wish::read(&text, &legal) {
                Ok(Wish::Ply(mv)) => return Ok(Turn::Ply(mv)),
                Ok(Wish::Resign) => return Ok(Turn::Resigns),
                Ok(Wish::Quit) => return Ok(Turn::Leaves),
                Ok(Wish::Help) => self.say(wish::HELP)?,
                Ok(Wish::Board) => self.show()?,
                Ok(Wish::Moves) => {
                    let moves: Vec<String> = legal.iter().map(ToString::to_string).collect();
                    self.say(moves.join(" "))?;
                }
                Ok(Wish::Hint) => self.hint()?,
                Err(refusal) => self.say(refusal)?,
            }
        }
    }

    /// Tells the person which moves the program would look at in the person's place.
    fn hint(&mut self) -> Result<(), PlayError> {
        let report = self.consider(self.setup.person)?;
        let mut places: Vec<usize> = (0..report.moves.len()).filter(|&place| place != report.best).collect();
        places.sort_by_key(|&place| std::cmp::Reverse(report.moves[place].visits));
        for &place in [report.best].iter().chain(&places).take(HINTS) {
            let considered = &report.moves[place];
            let Some(value) = considered.q else { continue };
            let score = 50.0 * (1.0 + value.0);
            self.say(format_args!(
                "{}  {score:.0} % of the points expected, {} visits",
                considered.mv, considered.visits
            ))?;
        }
        Ok(())
    }

    /// Searches from what the player at `seat` knows.
    fn consider(&mut self, seat: Seat) -> Result<RootReport<G::Move, G::Seen>, PlayError> {
        let config = self.setup.search.without_exploration();
        let view = self.game.view(Eyes::Of(seat));
        let mut search = Search::<G>::new(view, config, self.setup.seed.wrapping_add(self.plies));
        search.run(&mut *self.setup.evaluator)?;
        Ok(search.report())
    }

    fn tell_end(&mut self, outcome: Outcome) -> Result<(), PlayError> {
        let (reason, plies) = (outcome.reason.name(), self.plies);
        let result = match outcome.winner {
            None => "A draw",
            Some(winner) if winner == self.setup.person => "You win",
            Some(_) => "facedown wins",
        };
        self.say(format_args!("{result}: {reason}, after {plies} plies."))
    }

    fn say(&mut self, line: impl Display) -> Result<(), PlayError> {
        writeln!(self.output, "{line}")?;
        Ok(self.output.flush()?)
    }
}
