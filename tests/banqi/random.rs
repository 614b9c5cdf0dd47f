//! Moves drawn without listing them are drawn as evenly as listed ones, and lead to the same games.

use std::collections::HashMap;

use facedown::game::{Eyes, Game, MoveList, Status, random_stream};
use facedown::rules::banqi::Banqi;

use super::{named, view};

fn game(text: &str) -> Banqi {
    Banqi::sample(&view(text), &mut random_stream(0, 0))
}

#[test]
fn every_outcome_of_every_move_is_drawn_as_often_as_it_should_be() {
    let mut rng = random_stream(1, 0);
    for text in [
        "????????/????????/????????/???????? - K1A2B2R2N2C2P5k1a2b2r2n2c2p5 0",
        "C1P1k2?/1pK5/Nn2C1pp/2?A2p1 w P2 7",
        "1r1K2?c/R2pC1p1/c1P1P1Nb/2?k2PA b n1P1 0",
    ] {
        let game = game(text);
        let mut moves = MoveList::new();
        game.legal_moves(&mut moves);
        let draws = 200 * moves.len() * game.chances(moves[0]).len().max(2);
        let mut drawn: HashMap<String, usize> = HashMap::new();
        for _ in 0..draws {
            let mut next = game.clone();
            next.play_at_random(&mut MoveList::new(), &mut rng);
            *drawn.entry(next.view(Eyes::Public).to_string()).or_default() += 1;
        }
        let mut outcomes = 0;
        for &mv in &moves {
            for (reveal, p) in game.chances(mv).probabilities() {
                let mut next = game.clone();
                next.play(mv, reveal);
                let got = drawn.get(&next.view(Eyes::Public).to_string()).copied().unwrap_or_default();
                let p = p / moves.len() as f64;
                let error = (draws as f64 * p * (1.0 - p)).sqrt();
                let off = (got as f64 - draws as f64 * p).abs() / error;
                assert!(off < 5.0, "{mv} in {text}: {got} of {draws}, {off} standard errors off");
                outcomes += 1;
            }
        }
        assert_eq!(drawn.len(), outcomes, "nothing else was drawn");
    }
}

/// OpenSpiel's mean of 3,000 games is 237.7 plies with a standard deviation of 50 a game, 13.8 moves are legal on
/// the mean, and 78.0 % of the games are drawn; more games are in `docs/baselines.md`.
#[test]
fn random_games_are_as_long_and_as_often_drawn_as_those_of_another_program() {
    let rules = named("joypip");
    let mut moves = MoveList::new();
    let mut rng = random_stream(2, 0);
    let games = 3_000;
    let (mut lengths, mut legal, mut draws) = (Vec::new(), 0, 0);
    for _ in 0..games {
        let mut game = Banqi::start(&rules);
        let mut plies = 0.0;
        let outcome = loop {
            match game.status() {
                Status::Over(outcome) => break outcome,
                Status::ToMove(_) => game.legal_moves(&mut moves),
            }
            legal += moves.len();
            game.play_at_random(&mut moves, &mut rng);
            plies += 1.0;
        };
        lengths.push(plies);
        draws += i32::from(outcome.winner.is_none());
    }
    // Three standard errors of the difference between two means of 3,000 games; rounding adds to those given to two
    // digits, and that of the branching is not given.
    let (count, root) = (f64::from(games), f64::from(games / 2).sqrt());
    let (plies, share) = (lengths.iter().sum::<f64>(), f64::from(draws) / count);
    let mean = plies / count;
    let deviation = (lengths.iter().map(|length| (length - mean).powi(2)).sum::<f64>() / count).sqrt();
    let branching = legal as f64 / plies;
    assert!((mean - 237.7).abs() < 3.0 * 50.0 / root, "{mean} plies");
    assert!((deviation - 50.0).abs() < 0.5 + 3.0 * 50.0 / (2.0_f64.sqrt() * root), "{deviation} plies");
    assert!((share - 0.780).abs() < 3.0 * (0.78_f64 * 0.22).sqrt() / root, "{share} drawn");
    assert!((branching - 13.8).abs() < 0.1, "{branching} moves");
}
