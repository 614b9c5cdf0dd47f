//! A minimal engine protocol in the manner of UCI: a session of text lines, and the engine that answers.
//!
//! The engine holds what its player knows and no more: a [`View`], advanced by what was seen. Letters of
//! pieces that the player could not see are absent from the moves it is told.

mod command;
mod engine;
mod info;

use std::error::Error;
use std::io::{self, BufRead, Write};
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::mpsc::{self, Sender};
use std::sync::{Arc, Mutex, PoisonError};
use std::thread;

use crate::eval::{EvalError, Evaluator};
use crate::game::{Eyes, Game, NotationError, Profile, ProfileError, Seat, Status, View, random_stream};
use crate::search::{SearchConfig, Visits};
use crate::text::{Line, Lines, shown, shown_up_to};
use command::{Command, CommandError, Limit};
use engine::{Engine, Job};

/// What a session starts with; `setoption` changes most of it.
pub struct Setup<'a, G: Game> {
    pub rules: Arc<G::Profile>,
    /// The evaluator's name, for `makes`.
    pub player: String,
    /// The search; its visits are those of a `go` that names no limit.
    pub search: SearchConfig,
    pub seed: u64,
    /// Makes an evaluator from the value of the option `Player`.
    pub makes: &'a dyn Fn(&str) -> Made<G>,
}

/// An evaluator, or why there is none by that name.
pub type Made<G> = Result<Box<dyn Evaluator<G>>, Box<dyn Error + Send + Sync>>;

/// The most characters of an error that are printed: it may quote the input.
const LONGEST_ERROR: usize = 300;

/// The session could not begin, or the other end is gone.
#[derive(Debug, thiserror::Error)]
pub enum SessionError {
    #[error("cannot make the engine's evaluator")]
    Player(#[source] Box<dyn Error + Send + Sync>),
    #[error("the engine's evaluator failed")]
    Evaluator(#[from] EvalError),
    #[error("the session's input or output failed")]
    Io(#[from] io::Error),
}

/// What was asked cannot be done; the session goes on.
#[derive(Debug, thiserror::Error)]
enum Refusal {
    #[error(transparent)]
    Command(#[from] CommandError),
    #[error("{0}")]
    Notation(#[from] NotationError),
    #[error(transparent)]
    Rules(#[from] ProfileError),
    #[error("the position is what one player sees, but the other is to move")]
    OtherEyes,
    #[error("a search is under way; send stop first")]
    Busy,
    #[error("no option '{}'; expected Player, Rules, Seed or Visits", shown(.0))]
    Option(String),
    #[error("option {name}: '{}'; expected {expected}", shown(value))]
    Value { name: &'static str, value: String, expected: &'static str },
    #[error("option Player: {0}")]
    Player(String),
}

/// Where both threads write, a line at a time.
struct Voice<W>(Mutex<W>);

impl<W: Write> Voice<W> {
    fn say(&self, line: impl std::fmt::Display) -> io::Result<()> {
        let mut output = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        writeln!(output, "{line}")?;
        output.flush()
    }
}

/// Answers the lines of `input` until `quit` or their end. A search goes on while the next lines are read.
///
/// At the end of the input a search for a number of nodes is finished, any other is stopped.
///
/// # Errors
///
/// If the first evaluator cannot be made, one fails, or the input or output does.
pub fn serve<G: Game>(
    setup: Setup<'_, G>,
    input: impl BufRead,
    output: impl Write + Send,
) -> Result<(), SessionError> {
    let evaluator = (setup.makes)(&setup.player).map_err(SessionError::Player)?;
    let voice = Voice(Mutex::new(output));
    thread::scope(|scope| {
        let (jobs, queue) = mpsc::channel();
        let engine = Engine { evaluator, voice: &voice };
        let working = scope.spawn(move || engine.work(queue));
        let listened = Session::new(setup, jobs, &voice).listen(Lines::new(input));
        let worked = working.join().unwrap_or_else(|panic| std::panic::resume_unwind(panic));
        worked.and(listened)
    })
}

/// The listening half of the session.
struct Session<'a, G: Game, W> {
    setup: Setup<'a, G>,
    /// What the player to move knows.
    view: G::View,
    jobs: Sender<Job<G>>,
    /// The search asked for last: its limit, the wish to stop it, and whether it is over.
    last: Option<(Limit, Arc<AtomicBool>, Arc<AtomicBool>)>,
    voice: &'a Voice<W>,
}

impl<'a, G: Game, W: Write> Session<'a, G, W> {
    fn new(setup: Setup<'a, G>, jobs: Sender<Job<G>>, voice: &'a Voice<W>) -> Self {
        let view = start::<G>(&setup.rules, true);
        Self { setup, view, jobs, last: None, voice }
    }

    fn listen(mut self, lines: Lines<impl BufRead>) -> Result<(), SessionError> {
        for line in lines {
            let line = line?;
            let command = match &line {
                Line::Text(text) => Command::parse(text),
                Line::Unreadable(why) => Err(CommandError::Unreadable(why)),
            };
            let answered = match command {
                Ok(Some(Command::Quit)) => {
                    self.stop();
                    return Ok(());
                }
                Ok(Some(command)) => self.answer(command)?,
                Ok(None) => Ok(()),
                Err(error) => Err(error.into()),
            };
            if let Err(refusal) = answered {
                let refusal = shown_up_to(&refusal.to_string(), LONGEST_ERROR);
                self.voice.say(format_args!("info string error {refusal}"))?;
            }
        }
        if let Some((Limit::Time(_) | Limit::Infinite, ..)) = self.last {
            self.stop();
        }
        Ok(())
    }

    fn answer(&mut self, command: Command<'_>) -> io::Result<Result<(), Refusal>> {
        match command {
            Command::Uci => self.introduce()?,
            Command::IsReady => self.voice.say("readyok")?,
            Command::NewGame => self.view = start::<G>(&self.setup.rules, true),
            Command::SetOption { name, value } => return Ok(self.set(name, value)),
            Command::Position { fen, moves } => return Ok(self.take_position(fen, &moves)),
            Command::Go(limit) => return Ok(self.go(limit)),
            Command::Stop => self.stop(),
            // The listener sees to it.
            Command::Quit => {}
        }
        Ok(Ok(()))
    }

    fn introduce(&self) -> io::Result<()> {
        let Setup { player, search, seed, rules, .. } = &self.setup;
        let names: String = G::Profile::BUILT_IN.iter().map(|(name, _)| format!(" var {name}")).collect();
        self.voice.say(format_args!(
            "id name facedown {} ({})\nid author the facedown project\n\
             option name Player type string default {player}\n\
             option name Rules type combo default {}{names}\n\
             option name Seed type string default {seed}\n\
             option name Visits type spin default {} min 1 max {}\nuciok",
            env!("CARGO_PKG_VERSION"),
            G::NAME,
            rules.name(),
            search.visits,
            engine::MOST_VISITS,
        ))
    }

    fn set(&mut self, name: &str, value: &str) -> Result<(), Refusal> {
        let wrong = |name, expected| Refusal::Value { name, value: value.into(), expected };
        match name.to_ascii_lowercase().as_str() {
            "player" => {
                let evaluator =
                    (self.setup.makes)(value).map_err(|error| Refusal::Player(error.to_string()))?;
                self.setup.player = value.into();
                self.hand_over(Job::Use(evaluator));
            }
            "rules" => {
                self.setup.rules = G::Profile::load(value)?;
                self.view = start::<G>(&self.setup.rules, true);
            }
            "seed" => {
                self.setup.seed = value.parse().map_err(|_| wrong("Seed", "a whole number from 0"))?;
            }
            "visits" => {
                let visits = value.parse().ok().filter(|visits: &Visits| *visits <= engine::MOST_VISITS);
                self.setup.search.visits =
                    visits.ok_or_else(|| wrong("Visits", "a whole number from 1 to 2000000"))?;
            }
            _ => return Err(Refusal::Option(name.into())),
        }
        Ok(())
    }

    /// Takes up a position and the plies from there on; if any of it is wrong, the old position stays.
    fn take_position(&mut self, fen: Option<&str>, moves: &[&str]) -> Result<(), Refusal> {
        let same_mover = moves.len().is_multiple_of(2);
        let mut view = match fen {
            None => start::<G>(&self.setup.rules, same_mover),
            Some(fen) => own_view::<G>(G::View::parse(fen, &self.setup.rules)?, same_mover)?,
        };
        for text in moves {
            let (mv, seen) = view.parse_seen(text)?;
            view = view.after(mv, seen);
        }
        self.view = view;
        Ok(())
    }

    fn go(&mut self, limit: Limit) -> Result<(), Refusal> {
        if self.last.as_ref().is_some_and(|(_, _, over)| !over.load(Ordering::SeqCst)) {
            return Err(Refusal::Busy);
        }
        let [stop, over] = [(); 2].map(|()| Arc::new(AtomicBool::new(false)));
        self.last = Some((limit, stop.clone(), over.clone()));
        let config = self.setup.search.without_exploration();
        let seed = self.setup.seed;
        self.hand_over(Job::Search { view: self.view.clone(), limit, config, seed, stop, over });
        Ok(())
    }

    fn stop(&self) {
        if let Some((_, stop, _)) = &self.last {
            stop.store(true, Ordering::SeqCst);
        }
    }

    /// An engine that is gone has failed, and its error is what the session ends with.
    fn hand_over(&self, job: Job<G>) {
        let _ = self.jobs.send(job);
    }
}

/// The start of the game as the player knows it who is to move after an even number of plies, or an odd one.
fn start<G: Game>(rules: &Arc<G::Profile>, even: bool) -> G::View {
    G::start(rules).view(Eyes::Of(player(G::start(rules).status(), even)))
}

/// The seat to move after an even number of plies from where `status` holds, or an odd one.
fn player(status: Status, even: bool) -> Seat {
    match status {
        Status::ToMove(mover) if even => mover,
        Status::ToMove(mover) => mover.other(),
        Status::Over(_) => Seat::First,
    }
}

/// `view` as its player knows it. A text without a viewer is public: where it leaves nothing open the player
/// knows no more, and where it does the player is taken to know no more.
fn own_view<G: Game>(view: G::View, even: bool) -> Result<G::View, Refusal> {
    let eyes = Eyes::Of(player(view.status(), even));
    match view.eyes() {
        Eyes::Public => {
            let game = G::sample(&view, &mut random_stream(0, 0));
            Ok(if game.has_secrets() { view } else { game.view(eyes) })
        }
        own if own == eyes => Ok(view),
        Eyes::Of(_) => Err(Refusal::OtherEyes),
    }
}
