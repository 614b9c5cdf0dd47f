//! Moves as players say them.

use facedown::game::View;
use facedown::rules::dialect::{Format, Language, chinese, vietnamese};
use facedown::rules::jieqi::JieqiView;

use super::{read, rules};

/// A position, a ply, and how it is said in Vietnamese and in Chinese.
const SAID: &[(&str, &str, &str, &str)] = &[
    // The classic opening move and replies, face up.
    ("4k4/9/9/9/9/9/9/7C1/9/3K5 w - 0 1", "h2e2", "Pháo 2 bình 5", "炮二平五"),
    ("4k4/9/1c5c1/9/9/9/9/9/9/3K5 b - 0 1", "h7e7", "Pháo 8 bình 5", "炮８平５"),
    ("4k2n1/9/9/9/9/9/9/9/9/3K5 b - 0 1", "h9g7", "Mã 8 tiến 7", "马８进７"),
    ("4k4/9/9/9/9/9/6N2/9/9/3K5 w - 0 1", "g3h1", "Mã 3 thoái 2", "马三退二"),
    ("4k4/9/9/9/9/9/9/9/9/R2K5 w - 0 1", "a0a4", "Xe 9 tiến 4", "车九进四"),
    ("3k5/r8/9/9/9/9/9/9/9/4K4 b - 0 1", "a8a9", "Xe 1 thoái 1", "车１退１"),
    // Advisors and elephants are free, and say the file they reach.
    ("4k4/9/9/9/2A6/9/9/9/9/3K5 w - 0 1", "c5d6", "Sĩ 7 tiến 6", "仕七进六"),
    ("4k4/9/9/9/2b6/9/9/9/9/3K5 b - 0 1", "c5e3", "Tượng 3 tiến 5", "象３进５"),
    ("4k4/9/9/9/9/9/9/9/9/3K5 w - 0 1", "d0d1", "Tướng 6 tiến 1", "帅六进一"),
    ("4k4/9/9/9/9/9/9/9/9/3K5 b - 0 1", "e9f9", "Tướng 5 bình 6", "将５平６"),
    ("4k4/9/9/9/9/p8/9/9/9/3K5 b - 0 1", "a4b4", "Tốt 1 bình 2", "卒１平２"),
    // Two of a kind on a file, three, and more.
    ("4k4/9/9/R8/9/9/9/R8/9/3K5 w - 0 1", "a6b6", "Xe trước bình 8", "前车平八"),
    ("4k4/9/9/R8/9/9/9/R8/9/3K5 w - 0 1", "a2b2", "Xe sau bình 8", "后车平八"),
    ("4k4/9/9/r8/9/9/9/r8/9/3K5 b - 0 1", "a2b2", "Xe trước bình 2", "前车平２"),
    ("4k4/9/9/P8/P8/P8/9/9/9/3K5 w - 0 1", "a5b5", "Tốt giữa bình 8", "中兵平八"),
    ("4k4/P8/9/P8/P8/P8/9/9/9/3K5 w - 0 1", "a6b6", "Tốt thứ hai bình 8", "二兵平八"),
    ("4k4/P8/9/P8/P8/P8/9/9/9/3K5 w - 0 1", "a5b5", "Tốt thứ ba bình 8", "三兵平八"),
    // Two files with two soldiers each: the file is said too.
    ("4k4/9/P7P/P7P/9/9/9/9/9/3K5 w - 0 1", "i7h7", "Tốt trước 1 bình 2", "前兵一平二"),
    // A face-down piece is not one of them: its own word tells it apart.
    ("4k4/9/9/9/9/1C7/9/1X7/9/3K5 w P1 0 1", "b4c4", "Pháo 8 bình 7", "炮八平七"),
    ("4k4/9/9/9/9/1C7/9/1X7/9/3K5 w P1 0 1", "b2c2P", "Pháo úp 8 bình 7 mở Tốt", "暗炮八平七翻兵"),
    ("4k4/9/9/x8/9/9/9/9/9/3K5 b r1 0 1", "a6a5r", "Tốt úp 1 tiến 1 mở Xe", "暗卒１进１翻车"),
    ("4k4/9/9/x8/9/9/9/9/9/R2K5 w n1 0 1", "a0a6n", "Xe 9 tiến 6 ăn Mã úp", "车九进六吃暗马"),
    ("4k4/9/9/x8/9/9/9/9/9/R2K5 w n1 0 1", "a0a6", "Xe 9 tiến 6", "车九进六"),
    (
        "4k4/9/9/x8/9/9/9/9/9/X2K5 w R1b1 0 1",
        "a0a6Rb",
        "Xe úp 9 tiến 6 mở Xe ăn Tượng úp",
        "暗车九进六翻车吃暗象",
    ),
];

#[test]
fn moves_are_said_as_players_say_them() {
    for &(position, ply, in_vietnamese, in_chinese) in SAID {
        let view = JieqiView::parse(position, &rules()).unwrap_or_else(|error| panic!("{error}"));
        let (mv, seen) = view.parse_seen(ply).unwrap_or_else(|error| panic!("{error}"));
        assert_eq!(vietnamese(&view, mv, seen), in_vietnamese, "{position} {ply}");
        assert_eq!(chinese(&view, mv, seen), in_chinese, "{position} {ply}");
    }
}

#[test]
fn a_game_is_told_move_by_move() {
    let game = read(Format::Pikafish, "startpos moves h2e2C h7e7p h0g2N");
    assert_eq!(
        Language::Vietnamese.tell(&game),
        "1. Pháo úp 2 bình 5 mở Pháo | Pháo úp 8 bình 5 mở Tốt\n2. Mã úp 2 tiến 3 mở Mã"
    );
    let from_black = read(Format::Pikafish, "4k4/9/9/9/9/9/9/9/9/3K5 b - 0 7 moves e9f9 d0d1");
    assert_eq!(Language::Chinese.tell(&from_black), "7. … | 将５平６\n8. 帅六进一");
}
