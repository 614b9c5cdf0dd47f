//! Who knows what of a piece taken face down: the vectors V1 to V6, and what text says of it.

use facedown::game::{Eyes, Game, Labels, View};
use facedown::rules::jieqi::{Jieqi, Move, RolePool};
use facedown::rules::{Color, Role};

use super::{BLACK, RED, is_running, named, played, seen_by, view_under};

const FULL: &str = "r2a2c2p5n2b2";
const ONE_HORSE_LESS: &str = "r2a2c2p5n1b2";
const REDS_OWN: &str = "R1A2C2P5N2B2";

/// The pool field of the view.
fn pool(game: &Jieqi, eyes: Eyes) -> String {
    game.view(eyes).to_string().split(' ').nth(2).unwrap().into()
}

/// Black's pieces as Red, Black and both know them.
fn black_pools(game: &Jieqi) -> [String; 3] {
    [RED, BLACK, Eyes::Public].map(|eyes| {
        let pool = pool(game, eyes);
        // V4: a reveal is public.
        assert!(pool.starts_with(REDS_OWN), "{pool}");
        pool[REDS_OWN.len()..].into()
    })
}

/// The start, after the cannon on b2 took the horse on b9 and turned up as a chariot.
fn after_taking_a_horse(visibility: &str) -> Jieqi {
    let ply = if visibility == "nobody" { "b2b9R" } else { "b2b9Rn" };
    played(Jieqi::start(&seen_by(visibility)), ply)
}

#[test]
fn v1_where_nobody_sees_it_every_pool_keeps_the_horse() {
    assert_eq!(black_pools(&after_taking_a_horse("nobody")), [FULL; 3]);
}

#[test]
fn v2_where_the_capturer_sees_it_only_its_pool_loses_the_horse() {
    assert_eq!(black_pools(&after_taking_a_horse("capturer")), [ONE_HORSE_LESS, FULL, FULL]);
}

#[test]
fn v3_where_both_see_it_every_pool_loses_the_horse() {
    assert_eq!(black_pools(&after_taking_a_horse("both")), [ONE_HORSE_LESS; 3]);
}

#[test]
fn v5_the_players_give_a_reveal_different_odds() {
    let game = after_taking_a_horse("capturer");
    let mv: Move = "a9a8".parse().unwrap();
    let chariot = |eyes| {
        let chances = game.view(eyes).chances(mv);
        chances.probabilities().filter(|(seen, _)| seen.opened == Some(Role::Chariot)).map(|(_, p)| p).sum()
    };
    let (red, black): (f64, f64) = (chariot(RED), chariot(BLACK));
    assert!((red - 2.0 / 14.0).abs() < 1e-12 && (black - 2.0 / 15.0).abs() < 1e-12, "{red} {black}");
}

#[test]
fn v6_at_the_end_the_referee_can_disclose_what_was_taken() {
    let before = view_under("x2k5/R7R/9/9/9/9/9/9/9/4K4 w n1 0 9", &named("wxf"));
    let over = played(super::game(&before), "a8a9n");
    assert!(!is_running(&over));
    assert_eq!(pool(&over, BLACK), "R0A0C0P0N0B0r0a0c0p0n1b0");
    assert_eq!(over.pool(Color::Black), RolePool::EMPTY);
    assert_eq!(over.labels(), Labels { own_taken: [0, 0, 0, 0, 1, 0].into_iter().collect() });
}

#[test]
fn only_the_taker_learns_what_a_face_down_piece_was() {
    let before = super::game(&view_under("3k5/9/9/x1x6/9/9/9/9/9/R3K4 w r1n1 0 1", &named("wxf")));
    let horse = played(before.clone(), "a0a6n");
    let chariot = played(before, "a0a6r");

    assert_ne!(horse.view(RED), chariot.view(RED));
    assert_ne!(horse.key(RED), chariot.key(RED));
    for eyes in [BLACK, Eyes::Public] {
        assert_eq!(horse.view(eyes), chariot.view(eyes));
        assert_eq!(horse.key(eyes), chariot.key(eyes));
    }
    assert!(horse.has_secrets() && is_running(&horse));
}

#[test]
fn a_player_follows_the_game_by_what_it_saw() {
    let game = after_taking_a_horse("capturer");
    for (eyes, seen) in [(RED, "b2b9Rn"), (BLACK, "b2b9R"), (Eyes::Public, "b2b9R")] {
        let start = Jieqi::start(&seen_by("capturer")).view(eyes);
        let (mv, seen) = start.parse_seen(seen).unwrap();
        assert_eq!(start.after(mv, seen), game.view(eyes));
    }
}

#[test]
fn a_players_view_says_whose_it_is_and_what_only_it_saw() {
    let text = |eyes| {
        let text = after_taking_a_horse("capturer").view(eyes).to_string();
        text.split(' ').skip(5).collect::<Vec<_>>().join(" ")
    };
    assert_eq!(text(RED), "eyes w saw n1");
    assert_eq!(text(BLACK), "eyes b");
    assert_eq!(text(Eyes::Public), "");
}

#[test]
fn sampled_worlds_hold_each_secret_as_often_as_the_pool_says() {
    use rand::SeedableRng;
    let black = after_taking_a_horse("capturer").view(BLACK);
    let mut rng = rand::rngs::ChaCha8Rng::seed_from_u64(1);
    let worlds = 15_000;
    let soldiers = (0..worlds)
        .filter(|_| {
            let red_knows = Jieqi::sample(&black, &mut rng).view(RED).to_string();
            red_knows.contains("saw p1")
        })
        .count();
    let share = soldiers as f64 / f64::from(worlds);
    // Four standard errors of a share of 5/15.
    assert!((share - 1.0 / 3.0).abs() < 4.0 * (2.0 / 9.0 / f64::from(worlds)).sqrt(), "{share}");
}
