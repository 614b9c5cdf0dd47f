//! What a line asks for.

use std::str::SplitWhitespace;
use std::time::Duration;

use super::engine::MOST_VISITS;
use crate::search::Visits;
use crate::text::shown;

/// What a line asks for.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Command<'a> {
    Uci,
    IsReady,
    NewGame,
    SetOption {
        name: &'a str,
        value: &'a str,
    },
    Position {
        /// None for the start of the game.
        fen: Option<&'a str>,
        moves: Vec<&'a str>,
    },
    Go(Limit),
    Stop,
    Quit,
}

/// How long to search.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Limit {
    /// For as many simulations as the settings say.
    Usual,
    Nodes(Visits),
    Time(Duration),
    /// Until told to stop.
    Infinite,
}

/// A line asks for nothing that can be done.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum CommandError {
    #[error("{0}")]
    Unreadable(&'static str),
    #[error(
        "unknown command '{}'; expected uci, isready, ucinewgame, setoption, position, go, stop or quit",
        shown(.0)
    )]
    Unknown(String),
    #[error("setoption: expected name NAME value VALUE")]
    SetOption,
    #[error("position: expected startpos or fen and a position, then moves and the plies, if any")]
    Position,
    #[error("go: '{}'; expected nodes N, movetime MS, or infinite", shown(.0))]
    Go(String),
    #[error("go {name}: '{}'; expected a whole number from 1 to {most}", shown(value))]
    Number { name: &'static str, value: String, most: u64 },
}

/// The longest time for a move, in milliseconds: a day.
const LONGEST: u64 = 86_400_000;

impl<'a> Command<'a> {
    /// Reads a line; none if there is nothing on it.
    ///
    /// # Errors
    ///
    /// If it is no command, or one with wrong arguments.
    pub fn parse(line: &'a str) -> Result<Option<Self>, CommandError> {
        let line = line.trim();
        let mut words = line.split_whitespace();
        let Some(name) = words.next() else { return Ok(None) };
        let rest = line[name.len()..].trim_start();
        Ok(Some(match name {
            "uci" => Self::Uci,
            "isready" => Self::IsReady,
            "ucinewgame" => Self::NewGame,
            "setoption" => set_option(rest).ok_or(CommandError::SetOption)?,
            "position" => position(rest).ok_or(CommandError::Position)?,
            "go" => Self::Go(limit(words)?),
            "stop" => Self::Stop,
            "quit" => Self::Quit,
            _ => return Err(CommandError::Unknown(name.into())),
        }))
    }
}

/// Reads `name NAME value VALUE`.
fn set_option(text: &str) -> Option<Command<'_>> {
    let (name, value) = text.strip_prefix("name ")?.split_once(" value ")?;
    let (name, value) = (name.trim(), value.trim());
    (!name.is_empty() && !value.is_empty()).then_some(Command::SetOption { name, value })
}

/// Reads `startpos` or `fen FEN`, then `moves` and the plies, if any.
fn position(text: &str) -> Option<Command<'_>> {
    let (place, plies) = match text.split_once(" moves ") {
        Some((place, plies)) => (place, plies),
        None => (text.strip_suffix(" moves").unwrap_or(text), ""),
    };
    let moves = plies.split_whitespace().collect();
    match place.trim() {
        "startpos" => Some(Command::Position { fen: None, moves }),
        place => {
            let fen = place.strip_prefix("fen ")?.trim();
            Some(Command::Position { fen: Some(fen), moves })
        }
    }
}

/// Reads what stands behind `go`.
fn limit(mut words: SplitWhitespace<'_>) -> Result<Limit, CommandError> {
    let number = |name, value: Option<&str>, most: u64| {
        let value = value.unwrap_or_default();
        let number = value.parse().ok().filter(|number| (1..=most).contains(number));
        number.ok_or_else(|| CommandError::Number { name, value: value.into(), most })
    };
    let limit = match words.next() {
        None => Limit::Usual,
        Some("infinite") => Limit::Infinite,
        Some("nodes") => {
            let nodes = number("nodes", words.next(), MOST_VISITS.get())?;
            Limit::Nodes(Visits::new(nodes).expect("checked to be in range"))
        }
        Some("movetime") => Limit::Time(Duration::from_millis(number("movetime", words.next(), LONGEST)?)),
        Some(other) => return Err(CommandError::Go(other.into())),
    };
    match words.next() {
        None => Ok(limit),
        Some(other) => Err(CommandError::Go(other.into())),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn commands_are_read_with_their_arguments() {
        let parse = |line| Command::parse(line).expect(line).expect("a command");
        assert_eq!(Command::parse(" \r\n"), Ok(None));
        assert_eq!(
            parse("setoption name Player value net=a b\n"),
            Command::SetOption { name: "Player", value: "net=a b" }
        );
        assert_eq!(parse("position  startpos moves "), Command::Position { fen: None, moves: vec![] });
        assert_eq!(
            parse("position fen 9/9 w - 0 1 moves a0a1 b2b9Rn\r\n"),
            Command::Position { fen: Some("9/9 w - 0 1"), moves: vec!["a0a1", "b2b9Rn"] }
        );
        assert_eq!(parse("go movetime 250"), Command::Go(Limit::Time(Duration::from_millis(250))));
        assert_eq!(parse("go"), Command::Go(Limit::Usual));
    }

    #[test]
    fn wrong_arguments_are_named() {
        for (line, said) in [
            ("go nodes 0", "'0'; expected a whole number from 1"),
            ("go nodes 99999999999", "'99999999999'"),
            ("go movetime", "movetime: ''"),
            ("go wtime 1000", "'wtime'"),
            ("go nodes 5 depth", "'depth'"),
            ("setoption Player material", "name NAME"),
            ("position", "startpos"),
            ("position endpos", "startpos"),
            ("goo", "unknown command 'goo'"),
        ] {
            let error = Command::parse(line).expect_err(line).to_string();
            assert!(error.contains(said), "{line}: {error}");
        }
    }
}
