//! The engine protocol, through pipes.

use std::io::{BufRead, BufReader, Write};
use std::process::{Child, ChildStdin, ChildStdout, Stdio};

use facedown::game::{Eyes, Game, MoveList, Profile, Seat, Status, View, random_stream};
use facedown::rules::banqi::Banqi;
use facedown::rules::jieqi::Jieqi;

use crate::program::facedown;

/// A running engine; killed if a test fails before it has quit.
struct Engine {
    child: Child,
    input: Option<ChildStdin>,
    output: BufReader<ChildStdout>,
}

impl Engine {
    fn start(arguments: &[&str]) -> Self {
        let mut command = facedown(&["uci"]);
        let mut child =
            command.args(arguments).stdin(Stdio::piped()).stdout(Stdio::piped()).spawn().expect("it starts");
        let input = child.stdin.take();
        let output = BufReader::new(child.stdout.take().expect("a pipe"));
        Self { child, input, output }
    }

    fn send(&mut self, line: impl AsRef<[u8]>) {
        let input = self.input.as_mut().expect("still open");
        input.write_all(line.as_ref()).and_then(|()| input.write_all(b"\n")).expect("the engine reads");
    }

    /// The next line that begins with one of `names`; others before it are passed over.
    fn hear(&mut self, names: &[&str]) -> String {
        loop {
            let mut line = String::new();
            assert!(self.output.read_line(&mut line).expect("UTF-8") > 0, "no {names:?} to the end");
            if names.iter().any(|name| line.starts_with(name)) {
                return line.trim_end().to_owned();
            }
        }
    }

    fn asked(&mut self, line: &str, name: &str) -> String {
        self.send(line);
        self.hear(&[name])
    }

    /// Ends the input; returns what was still said.
    fn end(mut self) -> String {
        self.input = None;
        let mut rest = String::new();
        std::io::Read::read_to_string(&mut self.output, &mut rest).expect("UTF-8");
        assert!(self.child.wait().expect("it ends").success());
        rest
    }
}

impl Drop for Engine {
    fn drop(&mut self) {
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

/// Has two engines play a game that a referee checks; returns how each was told of its plies.
fn play_a_game<G: Game>(rules: &str) -> [String; 2] {
    let arguments = ["--game", G::NAME, "--rules", rules, "--seed"];
    let mut engines = ["1", "2"].map(|seed| Engine::start(&[&arguments[..], &[seed]].concat()));
    let mut told = [String::new(), String::new()];
    let mut game = G::start(&G::Profile::load(rules).expect("built in"));
    let mut chance = random_stream(7, 0);
    while let Status::ToMove(mover) = game.status() {
        let engine = &mut engines[mover as usize];
        engine.send(format!("position startpos moves{}", told[mover as usize]));
        let answer = engine.asked("go nodes 12", "bestmove ");
        let mut moves = MoveList::new();
        game.legal_moves(&mut moves);
        let named = |mv: &&G::Move| mv.to_string() == answer["bestmove ".len()..];
        let mv = *moves.iter().find(named).unwrap_or_else(|| panic!("{answer} is illegal after{}", told[0]));
        let reveal = game.chances(mv).draw(&mut chance);
        for seat in Seat::BOTH {
            let seen = game.seen(mv, reveal, Eyes::Of(seat));
            told[seat as usize] += " ";
            told[seat as usize] += &game.view(Eyes::Of(seat)).seen_text(mv, seen);
        }
        game.play(mv, reveal);
    }
    for (engine, told) in engines.iter_mut().zip(&told) {
        engine.send(format!("position startpos moves{told}"));
        assert_eq!(engine.asked("go nodes 12", "bestmove"), "bestmove (none)");
        engine.send("quit");
    }
    told
}

#[test]
fn two_engines_play_a_game_that_a_referee_checks() {
    // What is taken face down is its taker's secret.
    let told = play_a_game::<Jieqi>("sunwin");
    assert!(told[0].split(' ').count() > 20 && told[0] != told[1], "{told:?}");
    // Banqi has no secrets.
    let told = play_a_game::<Banqi>("joypip");
    assert!(told[0].matches('=').count() > 10 && told[0] == told[1], "{told:?}");
}

#[test]
fn equal_questions_get_equal_answers_with_all_figures() {
    let ask = || {
        let mut engine = Engine::start(&["--seed", "5"]);
        assert!(engine.asked("uci", "id name").starts_with("id name facedown "));
        engine.hear(&["uciok"]);
        engine.send("setoption name Visits value 40");
        engine.send("position startpos moves b2e2N");
        engine.send("go");
        let info = loop {
            let line = engine.hear(&["info "]);
            if line.contains(" nodes 40 ") {
                break line;
            }
        };
        for name in [" depth ", " nps ", " time ", " score cp ", " pv "] {
            assert!(info.contains(name), "{info}");
        }
        engine.hear(&["bestmove"])
    };
    assert_eq!(ask(), ask());
}

#[test]
fn a_search_is_stopped_while_lines_are_read() {
    let mut engine = Engine::start(&[]);
    engine.send("go infinite");
    engine.hear(&["info depth"]);
    // Answered while the search goes on; a second search is not begun.
    assert_eq!(engine.asked("isready", "readyok"), "readyok");
    assert!(engine.asked("go nodes 5", "info string error").contains("send stop first"));
    let best = engine.asked("stop", "bestmove");
    assert_eq!(best.len(), "bestmove a0a1".len());
    engine.asked("go movetime 1", "bestmove");
    engine.send("go infinite");
    engine.hear(&["info depth"]);
    assert!(engine.end().contains("bestmove"), "the end of the input stops it");
}

#[test]
fn the_end_of_the_input_lets_a_counted_search_finish() {
    let mut engine = Engine::start(&[]);
    engine.send("go nodes 300");
    let rest = engine.end();
    assert!(
        rest.contains(" nodes 300 ")
            && rest.trim_end().lines().last().expect("a line").starts_with("bestmove")
    );
}

#[test]
fn what_is_wrong_is_said_and_the_session_goes_on() {
    let mut engine = Engine::start(&[]);
    engine.send("position startpos moves a3a4P");
    let before = engine.asked("go nodes 20", "bestmove");
    let huge = "x".repeat(3 << 20);
    let long_game = format!("position startpos moves{}", " a0a1R".repeat(60_000));
    let table: [(&[u8], &str); 16] = [
        (b"hello", "unknown command 'hello'"),
        (b"\x00\x01 \x7f", "unknown command"),
        (b"go \xff\xfe", "not UTF-8"),
        (huge.as_bytes(), "262144 bytes"),
        (long_game.as_bytes(), "262144 bytes"),
        (b"go depth 3", "'depth'"),
        (b"go nodes -1", "'-1'"),
        (b"go nodes 3000000", "to 2000000"),
        (b"go movetime x", "'x'"),
        (b"position fen 9/9 w", "expected"),
        (b"position startpos moves a3a5", "a3a5"),
        (b"position startpos moves a3a4", "a3a4"),
        (b"position startpos moves a3a4K", "a3a4K"),
        (b"setoption name Hash value 3", "no option 'Hash'"),
        (b"setoption name Player value nobody", "no player 'nobody'"),
        (b"setoption name Rules value chess", "chess"),
    ];
    for (line, said) in table {
        engine.send(line);
        let answer = engine.hear(&["info string error"]);
        assert!(answer.contains(said) && answer.len() < 400, "{answer}");
    }
    // The position of before still stands.
    assert_eq!(engine.asked("go nodes 20", "bestmove"), before);
}

#[test]
fn positions_are_taken_from_text_with_whose_they_are() {
    let mut engine = Engine::start(&["--rules", "sunwin"]);
    // A mate by two rooks; the pools leave open what was taken face down, so that the text is public.
    engine.send("position fen 4k4/R8/9/9/9/9/9/r8/1r7/3K4R w A2C2P5N2B2a2c2p5n2b2 0 1");
    assert_eq!(engine.asked("go nodes 2000", "bestmove"), "bestmove i0i9");
    engine.send("position fen 4k4/R8/9/9/9/9/9/r8/1r7/3K4R w A2C2P5N2B2a2c2p5n2b2 0 1 moves i0i9");
    assert_eq!(engine.asked("go nodes 2000", "bestmove"), "bestmove (none)");
}

#[test]
fn a_wrong_player_is_a_usage_error() {
    crate::program::stderr_of_failure(&["uci", "--net", "nobody"], 2);
    assert!(crate::program::stderr_of_failure(&["uci", "--net", "random"], 2).contains("does not search"));
}
