//! Pháo 2 bình 5.

use super::{Heading, Spoken, Which};
use crate::rules::jieqi::{JieqiView, Move, Reveal};
use crate::rules::pieces::Role;

/// A move in Vietnamese: Pháo 2 bình 5, Xe trước thoái 3, and for a face-down piece
/// Pháo úp 2 bình 5 mở Xe, with ăn Mã úp behind it if it took one that was seen.
///
/// # Panics
///
/// If no piece stands where the move starts.
pub fn vietnamese(view: &JieqiView, mv: Move, seen: Reveal) -> String {
    let spoken = Spoken::new(view, mv, seen);
    let name = name(spoken.shown);
    let piece = match spoken.piece {
        Which::OnFile(file) if spoken.face_down => format!("{name} úp {file}"),
        Which::OnFile(file) => format!("{name} {file}"),
        Which::InRow { place, of, file } => {
            let file = file.map(|file| format!(" {file}")).unwrap_or_default();
            format!("{name} {}{file}", place_in_row(place, of))
        }
    };
    let heading = match spoken.heading {
        Heading::Ahead => "tiến",
        Heading::Across => "bình",
        Heading::Back => "thoái",
    };
    let mut text = format!("{piece} {heading} {}", spoken.number);
    if let Some(role) = spoken.opened {
        text += " mở ";
        text += self::name(role);
    }
    if let Some(role) = spoken.taken {
        text += " ăn ";
        text += self::name(role);
        text += " úp";
    }
    text
}

/// Trước and sau for two, giữa for the middle one of three; beyond, the inner ones are numbered.
fn place_in_row(place: usize, of: usize) -> &'static str {
    match (place, of) {
        (0, _) => "trước",
        _ if place + 1 == of => "sau",
        (_, 3) => "giữa",
        (1, _) => "thứ hai",
        (2, _) => "thứ ba",
        _ => "thứ tư",
    }
}

fn name(role: Role) -> &'static str {
    match role {
        Role::Chariot => "Xe",
        Role::Horse => "Mã",
        Role::Elephant => "Tượng",
        Role::Advisor => "Sĩ",
        Role::King => "Tướng",
        Role::Cannon => "Pháo",
        Role::Soldier => "Tốt",
    }
}
