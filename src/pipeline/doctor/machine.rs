//! What the figures of a run say of its use of the machine and of its training.

use super::super::status::{Course, Series};
use super::{Ailment, Diagnosis, found, percent};
use crate::metrics::{Line, Told};

/// Training takes more of a generation's time than this: games are too few for so many steps.
const MOST_TRAINING: f64 = 0.7;
/// Matches take more of a generation's time than this.
const MOST_MATCHES: f64 = 0.4;
/// Of self-play's time, the network has less than this.
const LEAST_NET: f64 = 0.6;
/// Of self-play's time, workers wait longer than this for each other's last games.
const MOST_WAITING: f64 = 0.15;
/// The share of a batch that is filled, on average.
const LEAST_FILL: f64 = 0.75;
/// How often a position is shown in all.
const REUSE: std::ops::RangeInclusive<f64> = 0.5..=15.0;
/// What the value's loss on games held out may exceed that in training by, in nats.
const MOST_GAP: f64 = 0.15;
/// Megabytes an hour that memory may grow by.
const MOST_GROWTH: f64 = 5.0;
/// What memory may grow by in all before its growth is taken for one, in megabytes.
const NO_GROWTH: f64 = 10.0;
/// Hours that memory is watched for at least, after as many of warming up.
const WATCHED: f64 = 0.25;

/// What share each stage takes of a generation's time, and each part of self-play's.
pub fn starved_stage(course: &Course) -> Diagnosis {
    let whole = course.last("generation");
    let seconds = |stage: &str| whole.figure(&format!("{stage}_seconds")).unwrap_or(0.0);
    let matches = seconds("gate") + seconds("rating");
    let all = seconds("selfplay") + seconds("training") + matches;
    if all == 0.0 {
        return Err("shares of the stages: no generation is finished".into());
    }
    if seconds("training") > MOST_TRAINING * all {
        let seen = format!("training takes {} of a generation's time", percent(seconds("training") / all));
        return found(Ailment::StarvedStage, seen, "fewer train.steps, or more games");
    }
    if matches > MOST_MATCHES * all {
        let seen = format!("matches take {} of a generation's time", percent(matches / all));
        return found(Ailment::StarvedStage, seen, "fewer gate.games or rating.games, or more games");
    }
    selfplay_shares(&course.last("selfplay"))
}

fn selfplay_shares(selfplay: &Series) -> Diagnosis {
    let share = |part: &str| selfplay.figure(&format!("share_{part}")).unwrap_or(0.0);
    let waiting = share("waiting");
    if waiting > MOST_WAITING {
        let seen = format!("workers wait {} of self-play for each other's last games", percent(waiting));
        let remedy = "smaller selfplay.games_per_shard, or more games";
        return found(Ailment::StarvedStage, seen, remedy);
    }
    let at_work = 1.0 - waiting;
    // A generation that was played without a network has nothing to starve.
    if selfplay.at() == 0 || share("net") == 0.0 || share("net") >= LEAST_NET * at_work {
        return Ok(None);
    }
    let parts = ["search", "planes", "writing"];
    let largest = parts.into_iter().max_by(|a, b| share(a).total_cmp(&share(b))).expect("three parts");
    let seen = format!(
        "the network works {} of self-play's time; {largest} takes {}",
        percent(share("net") / at_work),
        percent(share(largest) / at_work)
    );
    let remedy = match largest {
        "writing" => "a faster disk, or larger selfplay.games_per_shard",
        _ => "a larger network (net.channels, net.blocks) costs little here; facedown bench tells more",
    };
    found(Ailment::StarvedStage, seen, remedy)
}

pub fn batch_fill(course: &Course) -> Diagnosis {
    let selfplay = course.last("selfplay");
    match (selfplay.figure("batch_fill"), selfplay.figure("mean_batch")) {
        (Some(fill), Some(batch)) if fill < LEAST_FILL => found(
            Ailment::BatchFill,
            format!("batches hold {batch:.1} positions on average, {} of selfplay.slots", percent(fill)),
            "more games in a generation, or fewer selfplay.slots",
        ),
        (Some(_), _) => Ok(None),
        (None, _) => Err("fill of batches: no generation has been played".into()),
    }
}

pub fn reuse(course: &Course) -> Diagnosis {
    let Some(reuse) = course.last("trained").figure("reuse") else {
        return Err("reuse: nothing has been trained".into());
    };
    let seen = format!("every position is shown {reuse:.1} times");
    if reuse < *REUSE.start() {
        found(
            Ailment::Reuse,
            seen,
            "more train.steps or train.reuse, or fewer games: most of what is played is not learned from",
        )
    } else if reuse > *REUSE.end() {
        found(
            Ailment::Reuse,
            seen,
            "fewer train.steps or less train.reuse, or more games: games are learned by heart",
        )
    } else {
        Ok(None)
    }
}

pub fn overfitting(course: &Course) -> Diagnosis {
    let loss = |series: &str| course.last(series).figure("value_loss");
    let (Some(shown), Some(held_out)) = (loss("training"), loss("validation")) else {
        return Err("overfitting: nothing has been measured on games held out".into());
    };
    if held_out - shown <= MOST_GAP {
        return Ok(None);
    }
    let seen = format!("the value's loss is {shown:.3} in training and {held_out:.3} on games held out");
    found(
        Ailment::Overfitting,
        seen,
        "fewer train.steps, a larger train.window, or a larger train.weight_decay",
    )
}

/// Whether memory in self-play grows in the process that was last at work.
pub fn memory(lines: &[Line]) -> Diagnosis {
    let begun =
        lines.iter().rposition(|line| matches!(&line.told, Told::Figures { series, .. } if series == "run"));
    let session = &lines[begun.unwrap_or(0)..];
    let mut in_selfplay = false;
    let mut seen: Vec<(f64, f64)> = Vec::new();
    for line in session {
        match &line.told {
            // Stages take memory each in its way: like is held against like.
            Told::Stage { stage, .. } => in_selfplay = stage.starts_with("self-play"),
            Told::Progress { memory: Some(memory), .. } if in_selfplay => {
                seen.push(((line.time - session[0].time) / 3600.0, *memory));
            }
            _ => {}
        }
    }
    seen.retain(|(hours, _)| *hours >= WATCHED);
    let (Some((first, _)), Some((last, _))) = (seen.first(), seen.last()) else {
        return Err(untold_memory());
    };
    let hours = last - first;
    if hours < WATCHED {
        return Err(untold_memory());
    }
    let growth = slope(&seen);
    if growth <= MOST_GROWTH || growth * hours <= NO_GROWTH {
        return Ok(None);
    }
    found(
        Ailment::Memory,
        format!("memory in self-play grew by {growth:.1} MB an hour over {hours:.1} hours"),
        "smaller search.max_nodes or selfplay.slots if it must last; a restart with --resume frees it",
    )
}

fn untold_memory() -> String {
    "growth of memory: the run has not been at work for half an hour on end".into()
}

/// The slope of the straight line nearest the points, by least squares.
fn slope(points: &[(f64, f64)]) -> f64 {
    let count = points.len() as f64;
    let (sum_x, sum_y) = points.iter().fold((0.0, 0.0), |(x, y), point| (x + point.0, y + point.1));
    let (mean_x, mean_y) = (sum_x / count, sum_y / count);
    let covariance: f64 = points.iter().map(|(x, y)| (x - mean_x) * (y - mean_y)).sum();
    let variance: f64 = points.iter().map(|(x, _)| (x - mean_x).powi(2)).sum();
    covariance / variance.max(f64::MIN_POSITIVE)
}
