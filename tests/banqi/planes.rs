//! What the network is told.

use facedown::game::Encode;
use facedown::rules::banqi::BanqiView;

use super::{START, named, played, view, view_under};

/// The planes that are not 0 everywhere: their names, and their value on each square where it is not, `all`
/// where it is the same on the whole board.
fn told(view: &BanqiView) -> Vec<String> {
    let mut planes = vec![f32::NAN; BanqiView::SHAPE.len()];
    view.planes(&mut planes);
    let mut told = Vec::new();
    for (name, plane) in BanqiView::plane_names().iter().zip(planes.chunks_exact(32)) {
        if plane[0] != 0.0 && plane.iter().all(|&value| value == plane[0]) {
            told.push(format!("{name}: all {:.3}", plane[0]));
            continue;
        }
        for (at, value) in plane.iter().enumerate().filter(|&(_, &value)| value > 0.0) {
            let file = char::from(b'a' + (at % 8) as u8);
            told.push(format!("{name}: {file}{} {value:.3}", at / 8 + 1));
        }
    }
    told
}

#[test]
fn an_endgame_is_told_from_the_movers_side() {
    let expected = [
        "own face-up N: h4 1.000",
        "enemy face-up R: b1 1.000",
        "face-down: c2 1.000",
        "face-down: a3 1.000",
        "own unseen P: all 0.200",
        "enemy unseen A: all 0.500",
        "plies without flip or capture: all 0.400",
        "few of them left: all 0.033",
        "limit of plies without flip or capture: all 0.600",
    ];
    assert_eq!(told(&view("7n/?7/2?5/1R6 b A1p1 20")), expected);
}

#[test]
fn before_the_first_flip_no_colour_is_told_from_the_other() {
    let told = told(&view(START));
    assert_eq!(told[0], "face-down: all 1.000");
    assert_eq!(told.iter().filter(|line| line.ends_with("all 1.000")).count(), 16);
    assert!(told.contains(&"colours not handed out: all 1.000".to_owned()));
}

#[test]
fn the_colours_themselves_are_not_told() {
    let red = played(view(START), "c2=N h4=p");
    let black = played(view(START), "c2=n h4=P");
    assert_eq!(told(&red), told(&black));
    assert_ne!(red.to_string(), black.to_string());
}

#[test]
fn repetitions_are_told_where_they_count() {
    let round = "d3d4 g1h1 d4d3 h1g1";
    let after = |rules: &str, plies: &str| {
        let told = told(&played(view_under("8/3R4/8/6n1 w - 0", &named(rules)), plies));
        told.into_iter()
            .filter(|line| line.starts_with("stood") || line.starts_with("occ"))
            .collect::<Vec<_>>()
    };
    assert_eq!(after("tcga", round), ["stood once before: all 1.000", "occurrence that draws: all 0.333"]);
    assert!(after("joypip", round).is_empty());
}
