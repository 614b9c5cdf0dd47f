//! Who moves first, game after game.

use facedown::game::{EndReason, Seat};
use facedown::referee::{FirstMover, Player, Series};
use rand::SeedableRng;
use rand::rngs::ChaCha8Rng;

use super::{drawn, won};

#[test]
fn where_red_moves_first_or_nothing_is_drawn_the_players_take_turns() {
    for rule in [FirstMover::Red, FirstMover::InTurn] {
        let mut rng = ChaCha8Rng::seed_from_u64(1);
        let mut series = Series::start(rule, &mut rng);
        for first in [Player::One, Player::Two, Player::One, Player::Two] {
            assert_eq!(series.player_at(Seat::First), first);
            assert_eq!(series.player_at(Seat::Second), first.other());
            series.advance(won(Seat::First, EndReason::Checkmate), &mut rng);
        }
    }
}

#[test]
fn the_loser_moves_first_and_after_a_draw_the_other_player() {
    let mut rng = ChaCha8Rng::seed_from_u64(1);
    let mut series = Series::start(FirstMover::RandomThenLoser, &mut rng);
    let one = series.player_at(Seat::First);
    let games = [
        (won(Seat::First, EndReason::Checkmate), one.other()),
        (won(Seat::Second, EndReason::Resignation), one.other()),
        (drawn(EndReason::NoProgress), one),
        (drawn(EndReason::Agreement), one.other()),
        (won(Seat::First, EndReason::Flag), one),
    ];
    for (game, (outcome, next)) in games.into_iter().enumerate() {
        series.advance(outcome, &mut rng);
        assert_eq!(series.player_at(Seat::First), next, "after game {}", game + 1);
    }
}

#[test]
fn the_first_game_is_drawn_for_evenly() {
    let mut rng = ChaCha8Rng::seed_from_u64(3);
    let series = 10_000;
    let ones = (0..series)
        .filter(|_| {
            let series = Series::start(FirstMover::RandomThenLoser, &mut rng);
            series.player_at(Seat::First) == Player::One
        })
        .count();
    // Four standard errors, each of 50.
    assert!(ones.abs_diff(series / 2) < 200, "{ones} of {series}");
}

#[test]
fn every_game_is_drawn_for_evenly_where_the_rules_say_so() {
    let mut rng = ChaCha8Rng::seed_from_u64(4);
    let mut series = Series::start(FirstMover::Random, &mut rng);
    let games = 10_000;
    let mut ones = 0;
    for _ in 0..games {
        ones += usize::from(series.player_at(Seat::First) == Player::One);
        series.advance(won(Seat::First, EndReason::CapturedAll), &mut rng);
    }
    assert!(ones.abs_diff(games / 2) < 200, "{ones} of {games}");
}
