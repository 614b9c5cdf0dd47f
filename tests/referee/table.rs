//! What a referee lets happen at a table, and what it refuses.

use facedown::game::{EndReason, Eyes, Game, MoveList, Seat, Status};
use facedown::referee::{DrawOffers, LiveRules, Refusal};
use facedown::rules::jieqi::{Move, Reveal};
use rand::rngs::ChaCha8Rng;
use rand::{RngExt, SeedableRng};

use super::{AT_ONCE, BEFORE_MATE, SHUFFLING, at, at_start, drawn, play, referee, seconds, shuffle, won};

fn mv(text: &str) -> Move {
    text.parse().unwrap()
}

#[test]
fn a_random_game_is_played_as_the_game_itself_plays_it() {
    let mut rng = ChaCha8Rng::seed_from_u64(5);
    let mut game = at_start("wxf");
    let mut table = referee(game.clone(), &LiveRules::default(), None);
    while let Status::ToMove(seat) = table.status() {
        let mut moves = MoveList::new();
        game.legal_moves(&mut moves);
        let mv = moves[rng.random_range(0..moves.len())];
        let reveal = table.uncover(mv, &mut rng).unwrap();
        game.play(mv, reveal);
        assert_eq!(table.play(seat, mv, reveal, AT_ONCE), Ok(game.status()));
        for seat in Seat::BOTH {
            assert_eq!(table.view(seat), game.view(Eyes::Of(seat)));
        }
    }
    assert_eq!(table.truth(), &game);
}

#[test]
fn illegal_plies_are_refused_and_change_nothing() {
    let mut table = referee(at_start("wxf"), &LiveRules::default(), None);
    let (taking, reveal) = table.truth().parse_ply("b2b9Rn").unwrap();
    let refused = [
        (Seat::Second, taking, reveal, Refusal::NotOnTurn(Seat::Second)),
        (Seat::First, mv("a0a5"), reveal, Refusal::IllegalMove { mv: "a0a5".into() }),
        (
            Seat::First,
            taking,
            Reveal::default(),
            Refusal::ImpossibleReveal { mv: "b2b9".into(), reveal: "nothing".into() },
        ),
    ];
    for (seat, mv, reveal, refusal) in refused {
        assert_eq!(table.play(seat, mv, reveal, AT_ONCE), Err(refusal));
    }
    let illegal = Refusal::IllegalMove { mv: "e0e5".into() };
    assert_eq!(table.uncover(mv("e0e5"), &mut ChaCha8Rng::seed_from_u64(1)), Err(illegal));
    assert_eq!(table.truth(), &at_start("wxf"));
    assert_eq!(table.play(Seat::First, taking, reveal, AT_ONCE), Ok(Status::ToMove(Seat::Second)));
}

#[test]
fn money_needs_somebody_to_see_what_is_taken() {
    let rules = at_start("sunwin").rules().live.clone();
    let mut table = referee(at_start("base"), &rules, None);
    let unseen = Refusal::UnknownPrice { mv: "b2b9".into() };
    assert_eq!(play(&mut table, "b2b9R", AT_ONCE), Err(unseen));
}

#[test]
fn a_finished_game_refuses_every_act() {
    let mut table = referee(at(BEFORE_MATE), &LiveRules::default(), None);
    let mate = won(Seat::First, EndReason::Checkmate);
    assert_eq!(play(&mut table, "b1b9", AT_ONCE), Ok(Status::Over(mate)));
    let over = Err(Refusal::GameOver(mate));
    assert_eq!(table.play(Seat::Second, mv("d9d8"), Reveal::default(), AT_ONCE), over);
    assert_eq!(table.resign(Seat::Second, AT_ONCE), over);
    assert_eq!(table.offer_draw(Seat::Second, AT_ONCE), over);
    assert_eq!(table.accept_draw(Seat::Second, AT_ONCE), over);
    assert_eq!(table.decline_draw(Seat::Second, AT_ONCE), over);
    assert_eq!(table.look_at_clock(AT_ONCE), over);
}

#[test]
fn either_player_may_resign_at_any_time() {
    for seat in Seat::BOTH {
        let mut table = referee(at(SHUFFLING), &LiveRules::default(), None);
        let resigned = won(seat.other(), EndReason::Resignation);
        assert_eq!(table.resign(seat, AT_ONCE), Ok(Status::Over(resigned)));
    }
}

#[test]
fn an_offer_is_accepted_by_the_other_player_only() {
    let mut table = referee(at(SHUFFLING), &LiveRules::default(), None);
    assert_eq!(table.accept_draw(Seat::Second, AT_ONCE), Err(Refusal::NoOffer));
    table.offer_draw(Seat::First, AT_ONCE).unwrap();
    assert_eq!(table.offer(), Some(Seat::First));
    assert_eq!(table.offer_draw(Seat::Second, AT_ONCE), Err(Refusal::OfferStands));
    assert_eq!(table.accept_draw(Seat::First, AT_ONCE), Err(Refusal::OwnOffer));
    assert_eq!(table.decline_draw(Seat::First, AT_ONCE), Err(Refusal::OwnOffer));
    let agreed = Status::Over(drawn(EndReason::Agreement));
    assert_eq!(table.accept_draw(Seat::Second, AT_ONCE), Ok(agreed));
}

#[test]
fn an_offer_ends_when_declined_and_when_anybody_moves() {
    let mut table = referee(at(SHUFFLING), &LiveRules::default(), None);
    table.offer_draw(Seat::First, AT_ONCE).unwrap();
    table.decline_draw(Seat::Second, AT_ONCE).unwrap();
    assert_eq!(table.offer(), None);
    for offerer in Seat::BOTH {
        table.offer_draw(offerer, AT_ONCE).unwrap();
        shuffle(&mut table, AT_ONCE);
        assert_eq!(table.accept_draw(offerer.other(), AT_ONCE), Err(Refusal::NoOffer));
    }
}

#[test]
fn tencent_takes_offers_on_the_own_turn_after_seven_rounds() {
    let draw_offers = DrawOffers { own_turn_only: true, after_round: 7 };
    let rules = LiveRules { draw_offers, ..LiveRules::default() };
    let mut table = referee(at(SHUFFLING), &rules, None);
    for rounds in 0..7 {
        let early = Err(Refusal::OfferTooEarly { rounds, needed: 7 });
        assert_eq!(table.offer_draw(Seat::First, AT_ONCE), early);
        shuffle(&mut table, AT_ONCE);
    }
    assert_eq!(table.offer_draw(Seat::Second, AT_ONCE), Err(Refusal::OfferOutOfTurn));
    table.offer_draw(Seat::First, AT_ONCE).unwrap();
    assert!(table.accept_draw(Seat::Second, AT_ONCE).is_ok(), "an answer needs no turn");
}

#[test]
fn a_clock_that_runs_back_is_refused() {
    let mut table = referee(at(SHUFFLING), &LiveRules::default(), None);
    table.look_at_clock(seconds(5.0)).unwrap();
    let back = Refusal::ClockRanBack { before: seconds(5.0), found: seconds(4.0) };
    assert_eq!(play(&mut table, "a0a1", seconds(4.0)), Err(back));
    play(&mut table, "a0a1", seconds(5.0)).unwrap();
    assert!(table.look_at_clock(seconds(1.0)).is_ok(), "each turn is timed from its own start");
}

#[test]
fn a_refusal_says_why() {
    let reasons = [
        (
            Refusal::GameOver(won(Seat::First, EndReason::Flag)),
            "the game is over by flag: nobody can act any more",
        ),
        (Refusal::NotOnTurn(Seat::Second), "the second player tried to move: it is the other's turn"),
        (
            Refusal::OfferTooEarly { rounds: 2, needed: 7 },
            "a draw may be offered after 7 rounds, and 2 have been played",
        ),
    ];
    for (refusal, reason) in reasons {
        assert_eq!(refusal.to_string(), reason);
    }
}
