//! Many players on one scale.

use super::Score;
use super::rating::Z95;

/// Which players met, and how they scored.
#[derive(Debug, Clone, PartialEq)]
pub struct Meeting {
    /// The player whose score is counted, and the opponent, by their places on the ladder.
    pub players: [usize; 2],
    pub score: Score,
}

/// A player's rating.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Rung {
    /// Points above the anchor.
    pub elo: f64,
    /// The 95 % interval's half width; 0 for the anchor.
    pub half_width: f64,
    pub games: u64,
}

/// Ratings of all players on one scale, the first player being the anchor at 0.
#[derive(Debug, Clone, PartialEq)]
pub struct Ladder {
    /// In the order of the players' places.
    pub rungs: Vec<Rung>,
}

/// Rating points for a factor e in the odds.
const POINTS: f64 = 400.0 / std::f64::consts::LN_10;

/// Drawn pairs each meeting is taken to have had besides, so that a clean sweep leaves a finite rating.
const DRAWN_BEFORE: f64 = 1.0;

impl Ladder {
    /// The ratings under which the scores of all meetings together are likeliest, a draw counting as half a
    /// win and half a loss (Bradley and Terry), with intervals from how the pairs of each meeting scatter.
    ///
    /// # Panics
    ///
    /// If a player is not linked to the anchor by meetings, or a meeting names a player that is not there.
    pub fn fit(players: usize, meetings: &[Meeting]) -> Self {
        let unknown = players.saturating_sub(1);
        let mut strengths = vec![0.0; players];
        // Newton's method on a concave likelihood, each step held within what the odds can bear.
        for _ in 0..200 {
            let step = information(&strengths, meetings).solve(&gradient(&strengths, meetings));
            let largest = step.iter().fold(0.0_f64, |largest, change| largest.max(change.abs()));
            let share = (2.0 / largest.max(2.0)).min(1.0);
            (0..unknown).for_each(|player| strengths[player + 1] += share * step[player]);
            if largest < 1e-10 {
                break;
            }
        }
        let deviations = deviations(&strengths, meetings);
        let games = |player| {
            let met = meetings.iter().filter(|meeting| meeting.players.contains(&player));
            met.map(|meeting| meeting.score.games()).sum()
        };
        let rungs = (0..players).map(|player| Rung {
            elo: POINTS * strengths[player],
            half_width: if player == 0 { 0.0 } else { Z95 * POINTS * deviations[player - 1] },
            games: games(player),
        });
        Self { rungs: rungs.collect() }
    }
}

/// The score that a difference in strength predicts.
fn predicted(strengths: &[f64], [player, opponent]: [usize; 2]) -> f64 {
    1.0 / (1.0 + (strengths[opponent] - strengths[player]).exp())
}

/// Pairs with those drawn before, and the points per pair in them.
fn weighed(score: &Score) -> (f64, f64) {
    let pairs = score.pairs() as f64;
    let points = score.mean() * pairs + 0.5 * DRAWN_BEFORE;
    (pairs + DRAWN_BEFORE, points / (pairs + DRAWN_BEFORE))
}

/// The slope of the likelihood for each player but the anchor.
fn gradient(strengths: &[f64], meetings: &[Meeting]) -> Vec<f64> {
    let mut slope = vec![0.0; strengths.len()];
    for meeting in meetings {
        let (pairs, points) = weighed(&meeting.score);
        let surplus = pairs * (points - predicted(strengths, meeting.players));
        slope[meeting.players[0]] += surplus;
        slope[meeting.players[1]] -= surplus;
    }
    slope.split_off(1)
}

/// How sharply the likelihood bends.
fn information(strengths: &[f64], meetings: &[Meeting]) -> Matrix {
    sum_over(strengths.len(), meetings, |meeting| {
        let expected = predicted(strengths, meeting.players);
        weighed(&meeting.score).0 * expected * (1.0 - expected)
    })
}

/// The standard error of each strength but the anchor's: the bend on both sides of how the scores scatter
/// (the "sandwich"), so that what the games of a pair share is accounted for.
fn deviations(strengths: &[f64], meetings: &[Meeting]) -> Vec<f64> {
    let bend = information(strengths, meetings);
    let scatter = sum_over(strengths.len(), meetings, |meeting| {
        let pairs = weighed(&meeting.score).0;
        let error = meeting.score.standard_error();
        // Too few pairs to tell how they scatter: as widely as a single game's.
        let variance = if error.is_finite() { error.powi(2) * pairs } else { 0.25 };
        pairs * variance
    });
    let columns: Vec<Vec<f64>> = (0..bend.size).map(|at| bend.solve(&unit(bend.size, at))).collect();
    columns.iter().map(|column| scatter.quadratic(column).sqrt()).collect()
}

fn unit(size: usize, at: usize) -> Vec<f64> {
    (0..size).map(|place| if place == at { 1.0 } else { 0.0 }).collect()
}

/// The matrix of differences between players, each meeting with its weight, without the anchor.
fn sum_over(players: usize, meetings: &[Meeting], weight: impl Fn(&Meeting) -> f64) -> Matrix {
    let size = players.saturating_sub(1);
    let mut sum = Matrix { size, cells: vec![0.0; size * size] };
    for meeting in meetings {
        let weight = weight(meeting);
        for (row, sign) in meeting.players.into_iter().zip([1.0, -1.0]) {
            for (column, other) in meeting.players.into_iter().zip([1.0, -1.0]) {
                if row > 0 && column > 0 {
                    sum.cells[(row - 1) * size + column - 1] += sign * other * weight;
                }
            }
        }
    }
    sum
}

/// A square matrix, row by row.
struct Matrix {
    size: usize,
    cells: Vec<f64>,
}

impl Matrix {
    /// Solves for a positive definite matrix by Gaussian elimination.
    fn solve(&self, right: &[f64]) -> Vec<f64> {
        let (n, mut cells, mut x) = (self.size, self.cells.clone(), right.to_vec());
        for pivot in 0..n {
            assert!(cells[pivot * n + pivot] > 1e-12, "every player is linked to the anchor");
            for row in pivot + 1..n {
                let factor = cells[row * n + pivot] / cells[pivot * n + pivot];
                (pivot..n).for_each(|column| cells[row * n + column] -= factor * cells[pivot * n + column]);
                x[row] -= factor * x[pivot];
            }
        }
        for row in (0..n).rev() {
            let known: f64 = (row + 1..n).map(|column| cells[row * n + column] * x[column]).sum();
            x[row] = (x[row] - known) / cells[row * n + row];
        }
        x
    }

    fn quadratic(&self, x: &[f64]) -> f64 {
        let row = |at: usize| -> f64 { (0..self.size).map(|j| self.cells[at * self.size + j] * x[j]).sum() };
        (0..self.size).map(|at| x[at] * row(at)).sum()
    }
}

#[cfg(test)]
mod tests {
    use rand::RngExt;

    use super::*;
    use crate::arena::Elo;
    use crate::game::random_stream;

    /// A meeting of players with these ratings, its games drawn by chance.
    fn meeting(players: [usize; 2], ratings: &[f64], pairs: u64) -> Meeting {
        let expected = Elo(ratings[players[0]] - ratings[players[1]]).score();
        let mut rng = random_stream(5, (players[0] * 100 + players[1]) as u64);
        let mut score = Score::new();
        for _ in 0..pairs {
            let mut game = || if rng.random_bool(expected) { 1 } else { -1 };
            score.add_pair([game(), game()]);
        }
        Meeting { players, score }
    }

    #[test]
    fn two_players_differ_by_what_their_score_says() {
        let mut score = Score::new();
        (0..150).for_each(|_| score.add_pair([1, 1]));
        (0..49).for_each(|_| score.add_pair([-1, -1]));
        // With the pair drawn before: 150.5 points of 200.
        let ladder = Ladder::fit(2, &[Meeting { players: [1, 0], score: score.clone() }]);
        assert!((ladder.rungs[1].elo - Elo::of(0.7525).0).abs() < 1e-6);
        // The delta method on the score's own standard error, all but the pair drawn before.
        let slope = POINTS / (0.7525 * 0.2475);
        let by_delta = Z95 * slope * score.standard_error();
        assert!((ladder.rungs[1].half_width / by_delta - 1.0).abs() < 0.02);
    }

    #[test]
    fn planted_ratings_are_found_within_their_intervals() {
        let truth = [0.0, 150.0, 260.0, 240.0, 420.0];
        let links = [[1, 0], [2, 1], [3, 2], [4, 3], [2, 0], [3, 0], [4, 1]];
        let meetings: Vec<_> = links.into_iter().map(|link| meeting(link, &truth, 400)).collect();
        let ladder = Ladder::fit(5, &meetings);
        assert_eq!((ladder.rungs[0].elo, ladder.rungs[0].half_width), (0.0, 0.0));
        for (rung, truth) in ladder.rungs.iter().zip(truth).skip(1) {
            assert!((rung.elo - truth).abs() < 1.6 * rung.half_width, "{rung:?}, {truth}");
            assert!(rung.half_width < 40.0, "{rung:?}");
        }
    }

    #[test]
    fn a_clean_sweep_leaves_a_finite_rating() {
        let mut score = Score::new();
        (0..50).for_each(|_| score.add_pair([1, 1]));
        let rung = Ladder::fit(2, &[Meeting { players: [1, 0], score }]).rungs[1];
        assert!(rung.elo > 600.0 && rung.elo.is_finite() && rung.half_width.is_finite(), "{rung:?}");
    }
}
