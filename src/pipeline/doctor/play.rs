//! What the newest games say of the network that played them.

use super::super::status::Course;
use super::sample::Sample;
use super::{Ailment, Diagnosis, found, percent};

/// Moves that the policy weighs, on average over positions: 1 is one move alone.
const LEAST_MOVES: f64 = 1.5;
/// The share of drawn games.
const MOST_DRAWS: f64 = 0.6;
/// How much of the result comes true for each point of value.
const SLOPE: std::ops::RangeInclusive<f64> = 0.6..=1.7;
/// Below so many games shares and slopes are chance.
const LEAST_GAMES: u64 = 50;
/// Below so many games that were played out in spite of a resignation their share is chance.
const LEAST_PLAYED_OUT: u64 = 20;

pub fn policy_collapse(sample: &Sample) -> Diagnosis {
    let Some(moves) = sample.moves_weighed() else {
        return Err("policy: no network has played yet".into());
    };
    if moves >= LEAST_MOVES {
        return Ok(None);
    }
    let seen = format!("the policy weighs {moves:.2} moves on average: it has settled on one");
    found(
        Ailment::PolicyCollapse,
        seen,
        "more search.visits, search.noise.share or search.temperature.opening; fewer train.steps",
    )
}

pub fn draw_rate(sample: &Sample) -> Diagnosis {
    if sample.games() < LEAST_GAMES {
        return Err(format!("draws: {} games are too few", sample.games()));
    }
    if sample.draws() <= MOST_DRAWS {
        return Ok(None);
    }
    let seen = format!("{} of the newest games are drawn: results teach little", percent(sample.draws()));
    found(
        Ailment::DrawRate,
        seen,
        "a larger train.search_value, more search.visits, first.player = \"material\", or longer limits in the rules",
    )
}

pub fn resignation(course: &Course) -> Diagnosis {
    let figures = course.last("selfplay");
    let (Some(resignation), Some(most)) = (figures.resignation(), figures.figure("most_mistaken")) else {
        return Ok(None);
    };
    let Some(rate) = resignation.false_positives.filter(|_| resignation.played_out >= LEAST_PLAYED_OUT)
    else {
        return Err(format!("resignation: {} games played out are too few", resignation.played_out));
    };
    if rate.share <= most {
        return Ok(None);
    }
    let seen = format!("players give up too early, allowed are {}: {resignation}", percent(most));
    found(Ailment::Resignation, seen, "a larger selfplay.resign.hopeless or selfplay.resign.plies")
}

pub fn calibration(sample: &Sample) -> Diagnosis {
    if sample.games() < LEAST_GAMES {
        return Err(format!("values: {} games are too few", sample.games()));
    }
    let Some(slope) = sample.slope() else {
        return Err("values: no network has played yet".into());
    };
    let seen = format!("for each point of value {slope:.2} come true");
    if slope < *SLOPE.start() {
        let remedy =
            "values say too much: fewer train.steps, a larger train.window, or a larger train.search_value";
        found(Ailment::Calibration, seen, remedy)
    } else if slope > *SLOPE.end() {
        found(
            Ailment::Calibration,
            seen,
            "values say too little: more train.steps, or a smaller train.search_value",
        )
    } else {
        Ok(None)
    }
}
