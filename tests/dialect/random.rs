//! Every form over random games, and over garbage.

use facedown::game::{Eyes, Game, MoveList, NotationError, Seat, Status};
use facedown::rules::dialect::{DialectError, Format, Language, Line, Snapshot};
use facedown::rules::jieqi::{Jieqi, JieqiView, Reveal};
use proptest::prelude::*;
use rand::rngs::ChaCha8Rng;
use rand::{RngExt, SeedableRng};

use super::{end, rules};

/// A random game, of which some of what is taken face down is told.
fn game(seed: u64, plies: usize, tells: f64) -> Line {
    let mut rng = ChaCha8Rng::seed_from_u64(seed);
    let mut game = Jieqi::start(&rules());
    let mut line = Line::new(Snapshot::new(game.view(Eyes::Public)));
    for _ in 0..plies {
        let Status::ToMove(_) = game.status() else { break };
        let mut moves = MoveList::new();
        game.legal_moves(&mut moves);
        let mv = moves[rng.random_range(0..moves.len())];
        let reveal = game.chances(mv).draw(&mut rng);
        let told = reveal.taken.filter(|_| rng.random_bool(tells));
        line.play(mv, Reveal { taken: told, ..reveal });
        if told.is_none() {
            // What is not told must stay possible for those who were not told, so it is secret for good.
            game.play(mv, reveal);
        } else {
            game = Jieqi::sample(line.end().view(), &mut rng);
        }
    }
    line
}

fn read(form: Format, text: &str) -> Result<Line, TestCaseError> {
    form.read(text, &rules()).map_err(|error| TestCaseError::fail(format!("{form}: {text}: {error}")))
}

/// What a view says besides the plies that led to it and, if asked, its counters.
fn without(view: &JieqiView, counters: bool) -> String {
    let text = view.to_string();
    let (text, _) = text.split_once(" moves").unwrap_or((&text, ""));
    let fields = text.split(' ').enumerate().filter(|&(place, _)| !counters || !matches!(place, 3 | 4));
    fields.map(|(_, field)| field).collect::<Vec<_>>().join(" ")
}

/// The game with what was taken face down left out.
fn untold(line: &Line) -> Line {
    let mut untold = Line::new(line.start().clone());
    line.plies().for_each(|(mv, seen)| untold.play(mv, Reveal { taken: None, ..seen }));
    untold
}

fn check_forms(line: &Line) -> Result<(), TestCaseError> {
    for form in Format::ALL.into_iter().filter(|&form| form != Format::Jfn) {
        let game = form.write(line).expect("every form but JFN has words for a public game");
        let expected = if form == Format::PyChess { untold(line) } else { line.clone() };
        prop_assert_eq!(&read(form, &game)?, &expected, "{}: {}", form, game);

        let position = form.write(&end(line)).expect("every form but JFN has words for a public position");
        if form != Format::PyChess {
            let again = read(form, &position)?;
            prop_assert_eq!(without(again.end().view(), false), without(line.end().view(), false));
            if matches!(form, Format::JieqiBox | Format::JieqiBoxJson) {
                prop_assert_eq!(again.end().taken(), line.end().taken());
            }
        }
    }
    Ok(())
}

/// Where the text of a position has no pool, it is read back as it was or refused.
fn check_pychess_position(line: &Line) -> Result<(), TestCaseError> {
    let text = Format::PyChess.write(&end(line)).expect("PyChess has words for every position");
    match Format::PyChess.read(&text, &rules()) {
        Ok(again) => {
            prop_assert_eq!(
                again.end().view().position_without_pool(),
                line.end().view().position_without_pool()
            );
        }
        Err(error) => prop_assert!(error.to_string().contains("gone"), "{}: {}", text, error),
    }
    Ok(())
}

fn check_players(line: &Line) -> Result<(), TestCaseError> {
    for seat in Seat::BOTH {
        let seen = line.seen_by(Eyes::Of(seat)).map_err(|error| TestCaseError::fail(error.to_string()))?;
        let view = Format::View.write(&seen).expect("a view text says everything");
        prop_assert_eq!(&read(Format::View, &view)?, &seen);

        let jfn = Format::Jfn.write(&end(&seen)).expect("JFN has words for what a player knows");
        let again = read(Format::Jfn, &jfn)?;
        prop_assert_eq!(without(again.end().view(), true), without(seen.end().view(), true), "{}", jfn);
        prop_assert_eq!(Format::Jfn.write(&again).expect("it was just read"), jfn);
    }
    Ok(())
}

trait WithoutPool {
    fn position_without_pool(&self) -> String;
}

impl WithoutPool for JieqiView {
    fn position_without_pool(&self) -> String {
        let text = without(self, false);
        text.split(' ').enumerate().filter(|&(place, _)| place != 2).map(|(_, field)| field).collect()
    }
}

/// Reads `text` in every form: it may be refused, and then at a byte of it.
fn read_in_all_forms(text: &str) -> Result<(), TestCaseError> {
    for form in Format::ALL {
        match form.read(text, &rules()) {
            Ok(line) => {
                let _ = (form.write(&line), form.unsaid(&line));
                Language::ALL.into_iter().for_each(|language| drop(language.tell(&line)));
            }
            Err(DialectError::Text(NotationError { text: quoted, at, expected, .. })) => {
                prop_assert_eq!(&quoted, text);
                prop_assert!(text.is_char_boundary(at) && !expected.is_empty(), "{}: {}", form, at);
            }
            Err(_) => {}
        }
    }
    Ok(())
}

/// A text of any form with some letters changed, put in or cut out.
fn damaged() -> impl Strategy<Value = String> {
    let text = (any::<u64>(), 0..12_usize, 0..Format::ALL.len(), any::<bool>(), 0..2_usize).prop_map(
        |(seed, plies, form, player, at_end)| {
            let mut line = game(seed, plies, 1.0);
            let form = Format::ALL[form];
            if player || form == Format::Jfn {
                line = line.seen_by(Eyes::Of(Seat::BOTH[seed as usize % 2])).expect("all is told");
            }
            if at_end == 1 {
                line = end(&line);
            }
            form.write(&line).expect("every form has words for this")
        },
    );
    let edit = (any::<prop::sample::Index>(), 0..3_usize, prop::option::of("[ -~é暗]"));
    (text, prop::collection::vec(edit, 0..6)).prop_map(|(text, edits)| {
        let mut letters: Vec<char> = text.chars().collect();
        for (place, cut, put) in edits {
            let at = place.index(letters.len() + 1);
            let cut_end = (at + cut).min(letters.len());
            letters.splice(at..cut_end, put.iter().flat_map(|text| text.chars()));
        }
        letters.into_iter().collect()
    })
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(48))]

    #[test]
    fn random_games_survive_every_form(seed: u64, plies in 0..160_usize, tells in prop::sample::select(vec![0.0, 0.5, 1.0])) {
        let line = game(seed, plies, tells);
        check_forms(&line)?;
        check_pychess_position(&line)?;
    }

    #[test]
    fn what_each_player_saw_survives(seed: u64, plies in 0..160_usize) {
        check_players(&game(seed, plies, 1.0))?;
    }

    #[test]
    fn no_text_makes_reading_panic(text in any::<String>()) {
        read_in_all_forms(&text)?;
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(256))]

    #[test]
    fn no_damaged_text_makes_reading_panic(text in damaged()) {
        read_in_all_forms(&text)?;
    }
}
