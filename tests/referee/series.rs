//! Who moves first, game after game.

use facedown::game::{EndReason, Seat};
use facedown::referee::{FirstMover, Player, Series};
use rand::SeedableRng;
use rand::rngs::ChaCha8Rng;

use super::{drawn, won};

#[test]
fn where_red_moves_first_the_players_take_turns_at_red() {
    let mut series = Series::start(FirstMover::Red, &mut ChaCha8Rng::seed_from_u64(1));
    for first in [Player::One, Player::Two, Player::One, Player::Two] {
        assert_eq!(series.player_at(Seat::First), first);
        assert_eq!(series.player_at(Seat::Second), first.other());
        series.advance(won(Seat::First, EndReason::Checkmate));
    }
}

#[test]
fn the_loser_moves_first_and_after_a_draw_the_other_player() {
    let mut series = Series::start(FirstMover::RandomThenLoser, &mut ChaCha8Rng::seed_from_u64(1));
    let one = series.player_at(Seat::First);
    let games = [
        (won(Seat::First, EndReason::Checkmate), one.other()),
        (won(Seat::Second, EndReason::Resignation), one.other()),
        (drawn(EndReason::NoProgress), one),
        (drawn(EndReason::Agreement), one.other()),
        (won(Seat::First, EndReason::Flag), one),
    ];
    for (game, (outcome, next)) in games.into_iter().enumerate() {
        series.advance(outcome);
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
