//! Intervals: against textbook values, against resampling, and by how often they cover the truth.

use facedown::analysis::stats::{Arm, ClusteredDifference, ClusteredMean, Interval, Score};
use rand::rngs::ChaCha8Rng;
use rand::{RngExt, SeedableRng};

fn close(found: f64, expected: f64, within: f64) {
    assert!((found - expected).abs() <= within, "found {found}, expected {expected}");
}

#[test]
fn without_draws_a_score_has_wilsons_interval() {
    // Newcombe, Stat. Med. 17 (1998), table I, method 3: 81/263, 15/148, 1/29.
    for (wins, games, low, high) in
        [(81, 263, 0.2553, 0.3662), (15, 148, 0.0624, 0.1605), (1, 29, 0.0061, 0.1718)]
    {
        let score = Score { wins, draws: 0, losses: games - wins };
        let Interval { low: found_low, high: found_high } =
            score.estimate().expect("games").interval.expect("an interval");
        close(found_low, low, 5e-5);
        close(found_high, high, 5e-5);
    }
}

#[test]
fn a_handful_of_draws_is_not_certainty() {
    let drawn = Score { wins: 0, draws: 3, losses: 0 }.estimate().expect("games");
    let Interval { low, high } = drawn.interval.expect("an interval");
    assert!(low < 0.3 && high > 0.7, "{drawn:?}");
    assert!(Score::default().estimate().is_none());
}

#[test]
fn score_intervals_cover_the_truth() {
    let mut rng = ChaCha8Rng::seed_from_u64(1);
    for (win, draw) in [(0.4, 0.3), (0.2, 0.6), (0.7, 0.1), (0.05, 0.1)] {
        for games in [10, 40, 400] {
            let covered = (0..2_000).filter(|_| {
                let mut score = Score::default();
                for _ in 0..games {
                    let u: f64 = rng.random();
                    score.count(if u < win {
                        1
                    } else if u < win + draw {
                        0
                    } else {
                        -1
                    });
                }
                let interval = score.estimate().and_then(|score| score.interval).expect("games");
                (interval.low..=interval.high).contains(&(win + draw / 2.0))
            });
            let share = covered.count() as f64 / 2_000.0;
            assert!((0.93..=0.99).contains(&share), "win {win}, draw {draw}, {games} games: {share}");
        }
    }
}

/// Observations of games that differ in length and share a mood: (game, arm, value).
fn clustered(rng: &mut ChaCha8Rng, games: u64) -> Vec<Vec<(Arm, f64)>> {
    (0..games)
        .map(|_| {
            let mood = rng.random_range(-1.0..1.0);
            let length = rng.random_range(1..12);
            (0..length)
                .map(|_| {
                    let arm = if rng.random_bool(0.4) { Arm::Exposed } else { Arm::Free };
                    let effect = if arm == Arm::Exposed { -0.5 } else { 0.0 };
                    (arm, mood + effect + rng.random_range(-0.5..0.5))
                })
                .collect()
        })
        .collect()
}

fn mean_of(games: &[&Vec<(Arm, f64)>]) -> ClusteredMean {
    let mut mean = ClusteredMean::default();
    for (id, game) in (0..).zip(games) {
        game.iter().for_each(|&(_, value)| mean.observe(id, value));
    }
    mean
}

fn difference_of(games: &[&Vec<(Arm, f64)>]) -> ClusteredDifference {
    let mut difference = ClusteredDifference::default();
    for (id, game) in (0..).zip(games) {
        game.iter().for_each(|&(arm, value)| difference.observe(id, arm, value));
    }
    difference
}

/// The middle 95 % of an estimate over games drawn again with replacement.
fn bootstrap(
    games: &[Vec<(Arm, f64)>],
    estimate: impl Fn(&[&Vec<(Arm, f64)>]) -> f64,
    rng: &mut ChaCha8Rng,
) -> Interval {
    let mut found: Vec<f64> = (0..4_000)
        .map(|_| {
            let drawn: Vec<_> = (0..games.len()).map(|_| &games[rng.random_range(0..games.len())]).collect();
            estimate(&drawn)
        })
        .collect();
    found.sort_by(f64::total_cmp);
    Interval { low: found[100], high: found[3_900] }
}

#[test]
fn clustered_intervals_agree_with_resampling_whole_games() {
    let mut rng = ChaCha8Rng::seed_from_u64(2);
    let games = clustered(&mut rng, 300);
    let all: Vec<_> = games.iter().collect();

    let analytic = mean_of(&all).estimate().expect("observations").interval.expect("games");
    let resampled = bootstrap(&games, |drawn| mean_of(drawn).estimate().expect("some").value, &mut rng);
    let width = resampled.high - resampled.low;
    close(analytic.low, resampled.low, 0.08 * width);
    close(analytic.high, resampled.high, 0.08 * width);

    let analytic = difference_of(&all).estimate().expect("observations").interval.expect("games");
    let resampled = bootstrap(&games, |drawn| difference_of(drawn).estimate().expect("some").value, &mut rng);
    let width = resampled.high - resampled.low;
    close(analytic.low, resampled.low, 0.08 * width);
    close(analytic.high, resampled.high, 0.08 * width);

    // Taking plies for independent would claim far more than the games can bear.
    let values: Vec<f64> = games.iter().flatten().map(|&(_, value)| value).collect();
    let n = values.len() as f64;
    let mean = values.iter().sum::<f64>() / n;
    let spread = (values.iter().map(|value| (value - mean).powi(2)).sum::<f64>() / (n - 1.0) / n).sqrt();
    let clustered = mean_of(&all).estimate().expect("some").interval.expect("games");
    assert!(clustered.high - clustered.low > 1.5 * 2.0 * 1.96 * spread);
}

#[test]
fn clustered_intervals_cover_the_truth() {
    let mut rng = ChaCha8Rng::seed_from_u64(3);
    let mut covered = 0;
    for _ in 0..1_000 {
        let games = clustered(&mut rng, 25);
        let games: Vec<_> = games.iter().collect();
        let interval = difference_of(&games).estimate().expect("some").interval.expect("games");
        covered += u32::from((interval.low..=interval.high).contains(&-0.5));
    }
    assert!((920..=980).contains(&covered), "{covered} of 1,000");
}

#[test]
fn merging_in_order_is_reading_in_order() {
    let mut rng = ChaCha8Rng::seed_from_u64(4);
    let games = clustered(&mut rng, 30);
    let all: Vec<_> = games.iter().collect();
    let whole = mean_of(&all).estimate().expect("some");
    let mut parts = mean_of(&all[..11]);
    parts.merge(ClusteredMean::default());
    parts.merge(mean_of(&all[11..]));
    let parts = parts.estimate().expect("some");
    close(parts.value, whole.value, 1e-12);
    let (parts, whole) = (parts.interval.expect("games"), whole.interval.expect("games"));
    close(parts.low, whole.low, 1e-12);
    close(parts.high, whole.high, 1e-12);
}
