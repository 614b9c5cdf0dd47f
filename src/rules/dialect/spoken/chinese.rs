//! 炮二平五: Red's numbers in Chinese, Black's as full-width digits.

use super::{Heading, Spoken, Which};
use crate::rules::jieqi::{JieqiView, Move, Reveal};
use crate::rules::pieces::{Color, Role};

const RED_NUMBERS: [char; 10] = ['〇', '一', '二', '三', '四', '五', '六', '七', '八', '九'];
const BLACK_NUMBERS: [char; 10] = ['０', '１', '２', '３', '４', '５', '６', '７', '８', '９'];

/// A move in Chinese: 炮二平五, 前车退３, and for a face-down piece 暗炮二平五翻车, with 吃暗马 behind it if it
/// took one that was seen.
///
/// # Panics
///
/// If no piece stands where the move starts.
pub fn chinese(view: &JieqiView, mv: Move, seen: Reveal) -> String {
    let spoken = Spoken::new(view, mv, seen);
    let color = spoken.color;
    let name = name(color, spoken.shown);
    let mut text = match spoken.piece {
        Which::OnFile(file) => {
            let dark = if spoken.face_down { "暗" } else { "" };
            format!("{dark}{name}{}", number(color, file))
        }
        Which::InRow { place, of, file } => {
            let file = file.map(|file| number(color, file).to_string()).unwrap_or_default();
            format!("{}{name}{file}", place_in_row(place, of))
        }
    };
    text.push(match spoken.heading {
        Heading::Ahead => '进',
        Heading::Across => '平',
        Heading::Back => '退',
    });
    text.push(number(color, spoken.number));
    if let Some(role) = spoken.opened {
        text.push('翻');
        text.push(self::name(color, role));
    }
    if let Some(role) = spoken.taken {
        text += "吃暗";
        text.push(self::name(color.other(), role));
    }
    text
}

/// 前 and 后 for two, 前 中 后 for three; beyond, the inner ones are numbered from the front.
fn place_in_row(place: usize, of: usize) -> char {
    match place {
        0 => '前',
        _ if place + 1 == of => '后',
        _ if of == 3 => '中',
        _ => RED_NUMBERS[place + 1],
    }
}

fn number(color: Color, number: u8) -> char {
    match color {
        Color::Red => RED_NUMBERS[usize::from(number)],
        Color::Black => BLACK_NUMBERS[usize::from(number)],
    }
}

fn name(color: Color, role: Role) -> char {
    match (role, color) {
        (Role::Chariot, _) => '车',
        (Role::Horse, _) => '马',
        (Role::Cannon, _) => '炮',
        (Role::Elephant, Color::Red) => '相',
        (Role::Elephant, Color::Black) => '象',
        (Role::Advisor, Color::Red) => '仕',
        (Role::Advisor, Color::Black) => '士',
        (Role::King, Color::Red) => '帅',
        (Role::King, Color::Black) => '将',
        (Role::Soldier, Color::Red) => '兵',
        (Role::Soldier, Color::Black) => '卒',
    }
}
