//! The game viewer: each game as a list of moves, for everybody, and for those who let the page's script run,
//! a board to step through them.

use serde_json::{Value, json};

use super::text::{Markup, escaped};
use super::{Audience, svg};
use crate::analysis::samples::{Games, SampleGame, SamplePly};
use crate::analysis::scale::percent;
use crate::analysis::words::Language;

/// Draws the viewer of `games`, whose rule set is called `rules`.
pub fn viewer(games: &Games, rules: &str, audience: &Audience<'_>) -> String {
    let language = audience.language;
    let said: Vec<Vec<Option<String>>> = (games.games.iter())
        .map(|game| game.plies.iter().map(|ply| audience.say.say(rules, ply)).collect())
        .collect();
    let mut page = Markup::opened(format_args!(
        "<div class=\"viewer\"><script type=\"application/json\">{}</script>\n",
        in_script(&data(games, &said, language))
    ));
    stage(&mut page, games, language);
    for (game, said) in games.games.iter().zip(&said) {
        transcript(&mut page, game, said, language);
    }
    page.closed("</div>\n")
}

/// What the script knows: the board's measures, the words, the games.
fn data(games: &Games, said: &[Vec<Option<String>>], language: Language) -> Value {
    let board = games.board;
    let (_, ranks) = board.size();
    let (step, margin, height) = svg::measures(board);
    let order: Vec<String> = board.letters().iter().map(|&letter| char::from(letter).to_string()).collect();
    let word = |english| language.word(english);
    json!({
        "board": {
            "step": step,
            "margin": margin,
            "height": height,
            "ranks": ranks,
            "first": board.first_rank() - b'0',
            "shared": board.flips_in_place(),
        },
        "order": order,
        "words": {
            "start": word("Start of the game"),
            "turned": word("turned up"),
            "taken": word("takes"),
            "hidden": word("face down"),
            "moves": word("to move"),
            "seats": [word("First seat"), word("Second seat")],
        },
        "games": games.games.iter().zip(said).map(|(game, said)| json!({
            "end": ending(game, language),
            "plies": plies(game, said),
        })).collect::<Vec<_>>(),
    })
}

/// The plies for the script; a value is the first seat's, in percent.
fn plies(game: &SampleGame, said: &[Option<String>]) -> Vec<Value> {
    let places = 0..game.plies.len();
    places
        .zip(said)
        .map(|(place, said)| ply_data(&game.plies[place], movers_side(game, place), said))
        .collect()
}

fn ply_data(ply: &SamplePly, side: Side, said: &Option<String>) -> Value {
    let value = percent(if ply.seat == 0 { ply.value } else { -ply.value });
    json!({
        "seat": ply.seat,
        "view": ply.view.split(' ').next(),
        "red": side == Side::Red,
        "move": ply.mv,
        "said": said,
        "turned": ply.revealed.map(|letter| side.letter(letter)),
        "taken": ply.taken.map(|letter| side.letter(letter.to_ascii_lowercase())),
        "hidden": ply.taken_hidden,
        "own": ply.pool_own,
        "enemy": ply.pool_enemy,
        "value": (value * 10.0).round() / 10.0,
    })
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Side {
    Red,
    Black,
}

impl Side {
    /// A letter as the board has it, large for Red; in the files the large ones are the mover's.
    fn letter(self, letter: char) -> char {
        match (self, letter.is_ascii_uppercase()) {
            (Side::Red, _) => letter,
            (Side::Black, true) => letter.to_ascii_lowercase(),
            (Side::Black, false) => letter.to_ascii_uppercase(),
        }
    }
}

/// Whose move it is at `place`: the second field of the position says it, or where nobody has a side before
/// the first flip, that of the next.
fn movers_side(game: &SampleGame, place: usize) -> Side {
    let side = |place: usize| game.plies.get(place).and_then(|ply| ply.view.split(' ').nth(1));
    match (side(place), side(place + 1)) {
        (Some("b"), _) => Side::Black,
        (Some("w"), _) => Side::Red,
        (_, Some("w")) => Side::Black,
        _ => Side::Red,
    }
}

/// JSON that cannot end the script it stands in.
fn in_script(data: &Value) -> String {
    data.to_string().replace('<', "\\u003c").replace("//", "/\\/")
}

/// The board with its buttons, which the script fills and shows.
fn stage(page: &mut Markup, games: &Games, language: Language) {
    let word = |english| escaped(language.word(english));
    page.add(format_args!(
        "<div class=\"stage\" tabindex=\"0\" hidden>\n<p class=\"bar\"><select class=\"choice\" aria-label=\"{}\">",
        word("Game")
    ));
    for game in &games.games {
        page.add(format_args!("<option>{}</option>", escaped(&name(game, language))));
    }
    page.add(format_args!(
        "</select> <label><input type=\"checkbox\" class=\"letters\"/> {}</label></p>\n<div class=\"board-side\">{}",
        word("letters"),
        svg::stage(games.board, language.word("Board"))
    ));
    page.add(format_args!("<p class=\"bar steps\">"));
    for (class, sign, label) in [
        ("first", "|◀", "Start of the game"),
        ("back", "◀", "One ply back"),
        ("on", "▶", "One ply on"),
        ("last", "▶|", "End of the game"),
    ] {
        page.add(format_args!(
            "<button type=\"button\" class=\"{class}\" aria-label=\"{}\">{sign}</button>",
            word(label)
        ));
    }
    page.add(format_args!(
        "<span class=\"place\"></span></p>\n<input type=\"range\" class=\"slider\" min=\"0\" value=\"0\" \
         aria-label=\"{}\"/></div>\n<div class=\"word-side\"><p class=\"said\" aria-live=\"polite\"></p>\
         <p class=\"turn\"></p>\n<h4>{}</h4><ul class=\"pool own\"></ul>\n<h4>{}</h4>\
         <ul class=\"pool enemy\"></ul>\n<h4>{} <b class=\"value\"></b></h4>\
         <svg class=\"graph\" viewBox=\"0 0 320 110\" role=\"img\" aria-label=\"{}\"></svg></div>\n</div>\n",
        word("ply"),
        word("Own pieces still face down, as the mover knows them"),
        word("The opponent's, as the mover knows them"),
        word("Value for the first seat"),
        word("Value for the first seat"),
    ));
}

/// The game as a list of its moves.
fn transcript(page: &mut Markup, game: &SampleGame, said: &[Option<String>], language: Language) {
    page.add(format_args!(
        "<details class=\"game\"><summary>{}</summary>\n<ol class=\"moves\">",
        escaped(&name(game, language))
    ));
    for (place, (ply, said)) in game.plies.iter().zip(said).enumerate() {
        let side = movers_side(game, place);
        let turned = ply.revealed.map(|letter| format!("={}", side.letter(letter))).unwrap_or_default();
        let said = said.as_ref().map(|said| format!(" <i>{}</i>", escaped(said))).unwrap_or_default();
        page.add(format_args!("<li>{}{turned}{said}</li>", escaped(&ply.mv)));
    }
    page.add(format_args!("</ol></details>\n"));
}

fn ending(game: &SampleGame, language: Language) -> String {
    let result = match game.result {
        1 => "first seat wins",
        0 => "draw",
        _ => "second seat wins",
    };
    format!("{} ({})", language.word(result), language.say(&game.end_reason))
}

/// Why the game is shown, how it ended, and how long it is.
fn name(game: &SampleGame, language: Language) -> String {
    let length = language.say(&format!("{} plies", game.plies.len()));
    format!("{}: {}, {length}, {}", language.word(game.choice.name()), ending(game, language), game.game_id)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::analysis::samples::Choice;

    fn game(views: &[&str]) -> SampleGame {
        let ply = |view: &&str| SamplePly {
            seat: 0,
            view: (*view).into(),
            mv: "a1".into(),
            revealed: None,
            taken: None,
            taken_hidden: false,
            pool_own: Vec::new(),
            pool_enemy: Vec::new(),
            value: 0.0,
        };
        let plies = views.iter().map(ply).collect();
        SampleGame { game_id: 1, choice: Choice::Lot, result: 0, end_reason: "repetition".into(), plies }
    }

    #[test]
    fn the_side_of_a_first_flip_is_seen_in_the_next_position() {
        let sides = |views: &[&str]| {
            let game = game(views);
            (0..views.len()).map(|place| movers_side(&game, place)).collect::<Vec<_>>()
        };
        assert_eq!(sides(&["???? - 0", "p??? w 0"]), [Side::Black, Side::Red]);
        assert_eq!(sides(&["???? - 0", "P??? b 0"]), [Side::Red, Side::Black]);
    }

    #[test]
    fn letters_of_the_mover_become_those_of_a_side() {
        for (side, in_file, on_board) in
            [(Side::Red, 'P', 'P'), (Side::Red, 'p', 'p'), (Side::Black, 'P', 'p'), (Side::Black, 'p', 'P')]
        {
            assert_eq!(side.letter(in_file), on_board, "{side:?} {in_file}");
        }
    }

    #[test]
    fn no_text_ends_the_script() {
        assert_eq!(in_script(&json!("</script>//")), r#""\u003c/script>/\/""#);
    }
}
