//! What moves cost, and when flags fall.

use std::num::NonZeroU32;
use std::time::Duration;

use facedown::game::{EndReason, Seat, Status};
use facedown::referee::{Budget, ClockError, ClockRule, Clocks, LiveRules, Opening, PerMove};
use proptest::prelude::*;

use super::{AT_ONCE, BEFORE_MATE, SHUFFLING, at, play, referee, seconds, shuffle, won};

fn whole(seconds: u32) -> NonZeroU32 {
    NonZeroU32::new(seconds).unwrap()
}

fn limit(seconds: u32, factor: Option<u32>) -> Option<PerMove> {
    Some(PerMove { seconds: whole(seconds), overrun_factor: factor.map(whole), opening: None })
}

fn sunwin(budget: u32, per_move: u32, factor: u32) -> Clocks {
    let rule = ClockRule { budget: Some(whole(budget)), per_move: limit(per_move, Some(factor)) };
    rule.wind_up(None).unwrap()
}

fn minutes(minutes: u64, increment: u64) -> Option<Budget> {
    Some(Budget { total: Duration::from_secs(60 * minutes), increment: Duration::from_secs(increment) })
}

#[test]
fn sunwins_clocks_run_faster_beyond_the_limit_of_a_move() {
    let (long, short) = (sunwin(600, 60, 3), sunwin(300, 30, 2));
    let charges = [
        (long, 0.0, 0.0),
        (long, 59.5, 59.5),
        (long, 60.0, 60.0),
        (long, 61.0, 63.0),
        (long, 90.0, 150.0),
        (short, 30.0, 30.0),
        (short, 31.0, 32.0),
        (short, 75.25, 120.5),
    ];
    for (clocks, spent, charged) in charges {
        assert_eq!(clocks.charge(Seat::First, seconds(spent)), seconds(charged), "{spent} s");
    }
}

#[test]
fn sunwins_flag_falls_when_the_clock_is_empty_and_not_at_the_limit() {
    // 60 + 3 * 180 = 600; 30 + 2 * 135 = 300.
    for (clocks, at) in [(sunwin(600, 60, 3), 240.0), (sunwin(300, 30, 2), 165.0)] {
        for seat in Seat::BOTH {
            assert!(!clocks.has_fallen(seat, seconds(at - 0.001)));
            assert!(clocks.has_fallen(seat, seconds(at)));
        }
    }
}

#[test]
fn tuongky_loses_by_the_move_and_by_the_game() {
    let clocks = ClockRule { budget: None, per_move: limit(60, None) }.wind_up(minutes(3, 0)).unwrap();
    assert!(!clocks.has_fallen(Seat::First, seconds(60.0)));
    assert!(clocks.has_fallen(Seat::First, seconds(60.001)));

    let mut table = referee(at(SHUFFLING), &LiveRules::default(), Some(clocks));
    shuffle(&mut table, seconds(60.0));
    shuffle(&mut table, seconds(60.0));
    shuffle(&mut table, seconds(59.0));
    assert_eq!(table.clocks().unwrap().left(Seat::First), Some(seconds(1.0)));
    let flag = won(Seat::Second, EndReason::Flag);
    assert_eq!(table.look_at_clock(seconds(0.999)), Ok(Status::ToMove(Seat::First)));
    assert_eq!(table.look_at_clock(seconds(1.0)), Ok(Status::Over(flag)));
}

#[test]
fn a_limit_per_move_needs_no_budget() {
    let clocks = ClockRule { budget: None, per_move: limit(20, None) }.wind_up(None).unwrap();
    let mut table = referee(at(SHUFFLING), &LiveRules::default(), Some(clocks));
    for _ in 0..10 {
        shuffle(&mut table, seconds(20.0));
    }
    assert_eq!(table.clocks().unwrap().left(Seat::First), None);
    let flag = won(Seat::Second, EndReason::Flag);
    assert_eq!(table.look_at_clock(seconds(20.5)), Ok(Status::Over(flag)));
}

#[test]
fn first_moves_may_have_a_limit_of_their_own() {
    let opening = Some(Opening { moves: whole(3), seconds: whole(30) });
    let rule = ClockRule {
        budget: Some(whole(600)),
        per_move: Some(PerMove { opening, ..limit(60, None).unwrap() }),
    };
    let mut table = referee(at(SHUFFLING), &LiveRules::default(), Some(rule.wind_up(None).unwrap()));
    for _ in 0..3 {
        assert!(table.clocks().unwrap().has_fallen(Seat::First, seconds(31.0)));
        shuffle(&mut table, seconds(10.0));
    }
    assert!(!table.clocks().unwrap().has_fallen(Seat::First, seconds(60.0)));
    assert!(table.clocks().unwrap().has_fallen(Seat::First, seconds(61.0)));
}

#[test]
fn players_may_agree_on_a_budget_with_an_increment() {
    let clocks = ClockRule::default().wind_up(minutes(5, 3)).unwrap();
    let mut table = referee(at(SHUFFLING), &LiveRules::default(), Some(clocks));
    play(&mut table, "a0a1", seconds(10.0)).unwrap();
    assert_eq!(table.clocks().unwrap().left(Seat::First), Some(seconds(293.0)));
    assert_eq!(table.clocks().unwrap().left(Seat::Second), Some(seconds(300.0)));
}

#[test]
fn a_fallen_flag_goes_before_a_mate() {
    let mut table = referee(at(BEFORE_MATE), &LiveRules::default(), Some(sunwin(300, 30, 2)));
    let flag = won(Seat::Second, EndReason::Flag);
    assert_eq!(play(&mut table, "b1b9", seconds(165.0)), Ok(Status::Over(flag)));
    let mut table = referee(at(BEFORE_MATE), &LiveRules::default(), Some(sunwin(300, 30, 2)));
    let mate = won(Seat::First, EndReason::Checkmate);
    assert_eq!(play(&mut table, "b1b9", seconds(164.9)), Ok(Status::Over(mate)));
}

#[test]
fn the_flag_of_the_player_to_move_goes_before_a_resignation_and_an_agreement() {
    let flag = Status::Over(won(Seat::Second, EndReason::Flag));
    let mut table = referee(at(SHUFFLING), &LiveRules::default(), Some(sunwin(300, 30, 2)));
    assert_eq!(table.resign(Seat::Second, seconds(200.0)), Ok(flag));
    let mut table = referee(at(SHUFFLING), &LiveRules::default(), Some(sunwin(300, 30, 2)));
    table.offer_draw(Seat::First, AT_ONCE).unwrap();
    assert_eq!(table.accept_draw(Seat::Second, seconds(200.0)), Ok(flag));
}

#[test]
fn an_untimed_game_never_ends_by_time() {
    for clocks in [None, Some(ClockRule::default().wind_up(None).unwrap())] {
        let mut table = referee(at(SHUFFLING), &LiveRules::default(), clocks);
        assert_eq!(table.look_at_clock(Duration::MAX), Ok(Status::ToMove(Seat::First)));
    }
}

#[test]
fn clocks_that_make_no_sense_are_refused() {
    let fixed = ClockRule { budget: Some(whole(600)), per_move: None };
    assert_eq!(fixed.wind_up(minutes(5, 0)), Err(ClockError::Fixed { seconds: whole(600) }));
    let charged = ClockRule { budget: None, per_move: limit(60, Some(3)) };
    assert_eq!(charged.wind_up(None), Err(ClockError::NothingToCharge));
    assert_eq!(ClockRule::default().wind_up(minutes(0, 5)), Err(ClockError::Empty));
}

proptest! {
    #[test]
    fn thinking_longer_never_costs_less(
        budget in 1u32..5000,
        per_move in 1u32..500,
        factor in prop::option::of(1u32..10),
        [one, other] in [0u64..u64::MAX / 1000, 0u64..10_000_000],
    ) {
        let rule = ClockRule { budget: Some(whole(budget)), per_move: limit(per_move, factor) };
        let clocks = rule.wind_up(None).unwrap();
        let [sooner, later] = [one.min(other), one.max(other)].map(Duration::from_millis);
        let charges = [sooner, later].map(|spent| clocks.charge(Seat::First, spent));
        prop_assert!(sooner <= charges[0] && charges[0] <= charges[1]);
        prop_assert!(clocks.has_fallen(Seat::First, later) || !clocks.has_fallen(Seat::First, sooner));
    }
}
