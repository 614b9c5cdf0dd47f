//! Sunwin's money: the vectors M1 to M6, and what holds for every payment.

use facedown::game::{EndReason, Game, MoveList, Outcome, Profile, Seat, SeatValue, Status};
use facedown::referee::{Limits, LiveRules, Money, Stakes, Takings};
use facedown::rules::jieqi::JieqiRules;
use proptest::prelude::*;
use rand::rngs::ChaCha8Rng;
use rand::{RngExt, SeedableRng};

use super::{AT_ONCE, at_start, drawn, play, referee, won};

fn sunwin() -> Money {
    JieqiRules::load("sunwin").unwrap().live.money.expect("Sunwin plays for money")
}

/// What there is after the first seat took the pieces of one text and lost those of the other.
fn takings(won: &str, lost: &str) -> Takings {
    let mut takings = Takings::default();
    for (taker, pieces) in [(Seat::First, won), (Seat::Second, lost)] {
        for letter in pieces.chars() {
            takings.add(taker, sunwin().pieces.of(letter));
        }
    }
    takings
}

const ALL_FIFTEEN: &str = "RRNNBBAACCPPPPP";

/// The payment to the first seat, as text.
fn paid(outcome: Outcome, won: &str, lost: &str) -> String {
    sunwin().settle(outcome, &takings(won, lost)).to(Seat::First).to_string()
}

fn mate() -> Outcome {
    won(Seat::First, EndReason::Checkmate)
}

#[test]
fn m1_a_mate_pays_the_stake_the_pieces_and_the_mate() {
    assert_eq!(paid(mate(), "RN", "P"), "6.95");
}

#[test]
fn m2_a_winner_does_not_pay_for_pieces() {
    assert_eq!(takings("CP", "CNCP").lead(Seat::First), Stakes::from_hundredths(-60));
    assert_eq!(paid(mate(), "CP", "CCN"), "6.00");
}

#[test]
fn m3_all_pieces_and_a_mate_pay_the_most() {
    assert_eq!(takings(ALL_FIFTEEN, "").lead(Seat::First).to_string(), "4.00");
    assert_eq!(paid(mate(), ALL_FIFTEEN, ""), "10.00");
}

#[test]
fn m4_a_resignation_pays_the_most_whatever_was_taken() {
    assert_eq!(takings("", "RRNA").lead(Seat::First).to_string(), "-2.00");
    assert_eq!(paid(won(Seat::First, EndReason::Resignation), "", "RRNA"), "10.00");
}

#[test]
fn m5_in_a_draw_the_lead_changes_hands() {
    assert_eq!(paid(drawn(EndReason::Repetition), "R", "AB"), "0.35");
    assert_eq!(paid(drawn(EndReason::Agreement), "AB", "R"), "-0.35");
}

#[test]
fn m6_a_flag_costs_the_most_even_far_ahead() {
    assert_eq!(takings("RRCCNNAP", "").lead(Seat::First).to_string(), "3.00");
    assert_eq!(paid(won(Seat::Second, EndReason::Flag), "RRCCNNAP", ""), "-10.00");
}

#[test]
fn other_wins_pay_no_mate() {
    let paid_for = [
        (EndReason::Checkmate, "6.10"),
        (EndReason::Stalemate, "6.10"),
        (EndReason::PerpetualCheck, "1.10"),
        (EndReason::PerpetualChase, "1.10"),
        (EndReason::NothingPlayable, "1.10"),
    ];
    for (reason, stakes) in paid_for {
        assert_eq!(paid(won(Seat::First, reason), "P", ""), stakes, "{reason:?}");
        assert_eq!(paid(won(Seat::First, reason), "", "P"), stakes.replace(".1", ".0"), "{reason:?}");
    }
}

#[test]
fn a_fee_comes_off_a_mate_alone() {
    let money = Money { fee: Stakes::from_hundredths(25), ..sunwin() };
    let paid = |reason| money.settle(won(Seat::First, reason), &takings("P", "")).to(Seat::First).to_string();
    assert_eq!(paid(EndReason::Checkmate), "5.85");
    assert_eq!(paid(EndReason::PerpetualCheck), "1.10");
    assert_eq!(paid(EndReason::Resignation), "10.00");
}

#[test]
fn a_payment_is_worth_its_share_of_the_most() {
    let value = |outcome, won: &str, lost: &str| sunwin().settle(outcome, &takings(won, lost)).value().0;
    assert_eq!(value(mate(), "RN", "P"), 0.695);
    assert_eq!(value(drawn(EndReason::NoProgress), "", "R"), -0.075);
    assert_eq!(value(won(Seat::Second, EndReason::Flag), "", ""), -1.0);
}

#[test]
fn a_player_must_be_able_to_pay_the_most() {
    assert!(sunwin().admits(Stakes::from_hundredths(1000)));
    assert!(!sunwin().admits(Stakes::from_hundredths(999)));
}

#[test]
fn what_is_taken_face_down_counts_as_what_it_was() {
    let rules = LiveRules { money: Some(sunwin()), ..LiveRules::default() };
    let mut table = referee(at_start("wxf"), &rules, None);
    play(&mut table, "b2b9Rn", AT_ONCE).unwrap();
    assert_eq!(table.takings().lead(Seat::First).to_string(), "0.30");
    play(&mut table, "a9b9p", AT_ONCE).unwrap();
    assert_eq!(table.takings().lead(Seat::First).to_string(), "-0.45");
    assert_eq!(table.settlement(), None);
    table.offer_draw(Seat::Second, AT_ONCE).unwrap();
    table.accept_draw(Seat::First, AT_ONCE).unwrap();
    let settlement = table.settlement().unwrap();
    assert_eq!(settlement.to(Seat::First).to_string(), "-0.45");
    assert_eq!(settlement.to(Seat::Second).to_string(), "0.45");
}

#[test]
fn a_game_for_nothing_has_no_settlement() {
    let mut table = referee(at_start("wxf"), &LiveRules::default(), None);
    table.resign(Seat::First, AT_ONCE).unwrap();
    assert_eq!(table.settlement(), None);
}

fn amount(range: std::ops::RangeInclusive<i32>) -> impl Strategy<Value = Stakes> {
    range.prop_map(Stakes::from_hundredths)
}

prop_compose! {
    fn any_money()(
        [stake, mate, fee, resignation] in std::array::from_fn(|_| amount(0..=3000)),
        [one, other] in std::array::from_fn(|_| amount(0..=2000)),
        above_zero in amount(1..=2000),
    ) -> Money {
        let limits = Limits::new(one.min(other), one.max(other).max(above_zero)).unwrap();
        Money { stake, mate, fee, resignation, limits, pieces: sunwin().pieces }
    }
}

#[test]
fn without_money_a_game_is_worth_its_result() {
    for outcome in [mate(), won(Seat::Second, EndReason::Flag), drawn(EndReason::NoProgress)] {
        assert_eq!(at_start("wxf").settlement(outcome), SeatValue::of(outcome));
    }
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 32, ..ProptestConfig::default() })]

    /// The referee adds up what is taken as it is taken; the game looks at what is left in the end.
    #[test]
    fn a_game_is_worth_what_the_referee_pays_for_it(seed: u64, resigns_at in 1..200_u32) {
        let mut rng = ChaCha8Rng::seed_from_u64(seed);
        let game = at_start("sunwin");
        let live = game.rules().live.clone();
        let mut table = referee(game, &live, None);
        for ply in 0.. {
            let Status::ToMove(seat) = table.status() else { break };
            if ply == resigns_at {
                table.resign(seat, AT_ONCE).unwrap();
                break;
            }
            let mut moves = MoveList::new();
            table.truth().legal_moves(&mut moves);
            let mv = moves[rng.random_range(0..moves.len())];
            let reveal = table.uncover(mv, &mut rng).unwrap();
            table.play(seat, mv, reveal, AT_ONCE).unwrap();
            let split = drawn(EndReason::Agreement);
            prop_assert_eq!(table.truth().settlement(split), sunwin().settle(split, table.takings()).value());
        }
        let Status::Over(outcome) = table.status() else { panic!("the game goes on") };
        prop_assert_eq!(table.truth().settlement(outcome), table.settlement().unwrap().value());
    }
}

proptest! {
    #[test]
    fn a_winner_is_never_paid_less_or_more_than_the_limits(
        money in any_money(),
        reason in prop::sample::select(EndReason::ALL.to_vec()),
        first_wins: bool,
        [mine, theirs] in std::array::from_fn(|_| amount(0..=400)),
    ) {
        let winner = if first_wins { Seat::First } else { Seat::Second };
        let mut takings = Takings::default();
        takings.add(winner, mine);
        takings.add(winner.other(), theirs);

        let settlement = money.settle(won(winner, reason), &takings);
        prop_assert!(settlement.to(winner) >= money.limits.least());
        prop_assert!(settlement.to(winner) <= money.limits.most());

        let split = money.settle(drawn(reason), &takings);
        let lead = mine - theirs;
        prop_assert_eq!(split.to(winner), lead.clamp(-money.limits.most(), money.limits.most()));

        for settlement in [settlement, split] {
            prop_assert_eq!(settlement.to(Seat::First) + settlement.to(Seat::Second), Stakes::ZERO);
            prop_assert!((-1.0..=1.0).contains(&settlement.value().0));
            prop_assert_eq!(settlement.value().0 < 0.0, settlement.to(Seat::First) < Stakes::ZERO);
        }
    }
}
