//! What an experiment comes to: a score, how often the conduct made a difference, and a verdict.

use super::{Behaviour, Contrasts, Dose, Trial};
use crate::analysis::stats::{Estimate, Interval};
use crate::analysis::{FEW_GAMES, Finding, Section, Verdict, claim_section};
use crate::arena::Standing;

/// The section on positions that were probed, with what `contrasts` came to.
pub fn probed(contrasts: &Contrasts, how: String) -> Section {
    let findings = contrasts.findings();
    let mut section = claim_section(&Trial::FreeSquares.words(), &findings);
    section.name = "probe";
    section.notes.retain(|note| !is_of_reports(note));
    section.notes.push(how);
    section.notes.push(
        "The best of several moves is chosen by one half of the playouts and scored by the other, both ways round. \
         One position of a game, so intervals are between positions."
            .into(),
    );
    section
}

/// Whether a note says how the reports measure the claim.
fn is_of_reports(note: &str) -> bool {
    note.starts_with("Measured:") || note.starts_with("What would settle it:")
}

/// The section on an experiment in which `player` kept to a claim against itself.
pub fn section(trial: Trial, dose: &Dose, player: &str, standing: &Standing) -> Section {
    let findings = findings(trial, dose, standing);
    let mut section = claim_section(&trial.words(), &findings);
    section.name = trial.name();
    let tried = format!("Tried: {player} that {}, against itself.", trial.conduct(dose));
    // In place of what the reports would measure.
    section.notes.retain(|note| !is_of_reports(note));
    section.notes.push(tried);
    section.notes.push(format!("What would settle it: {}", settle(&findings, player)));
    section
}

fn findings(trial: Trial, dose: &Dose, standing: &Standing) -> Vec<Finding> {
    let score = standing.score();
    let games = score.games();
    let percent = |value: f64, interval: Option<(f64, f64)>| Estimate {
        value: 100.0 * value,
        interval: interval.map(|(low, high)| Interval { low: 100.0 * low, high: 100.0 * high }),
        observations: games,
        games,
    };
    let adjusted = standing.adjusted().map(|mean| percent(mean.mean, Some((mean.low, mean.high))));
    let raw = (games > 0).then(|| percent(score.mean(), Some(score.interval())));
    let mut findings = vec![
        Finding { test: Some((trial.expected(), 50.0)), ..Finding::told("score less luck", "%", adjusted) },
        Finding::told("score as it fell", "%", raw),
    ];
    if let Behaviour::Forbids(_) = trial.behaviour(dose) {
        let conduct = standing.conduct();
        let share = |part: u64, all: u64| {
            let value = part as f64 / all as f64;
            (all > 0).then(|| Estimate { observations: all, ..percent(value, None) })
        };
        findings.extend([
            Finding::told(
                "own plies at which a move was forbidden",
                "%",
                share(conduct.bound, conduct.plies),
            ),
            Finding::told(
                "plies at which the unbound player did it",
                "%",
                share(conduct.breaches, conduct.free_plies),
            ),
        ]);
    }
    findings
}

/// What would settle the claim, after so many games.
fn settle(findings: &[Finding], player: &str) -> String {
    let tested = findings.iter().find_map(|finding| Some((finding.test?, finding.estimate?)));
    let Some(((_, even), Estimate { value, interval: Some(interval), games, .. })) = tested else {
        return "games; there are too few to tell anything.".into();
    };
    let reach = (interval.high - interval.low) / 2.0;
    let effect = (value - even).abs();
    if Verdict::of(findings) != Verdict::TooLittleData {
        return format!(
            "for {player}, these games do; a stronger player may have other reasons to do or not to do it."
        );
    }
    // A figure as far from one half as its interval reaches is just told from it.
    let needed = (games as f64 * (reach / effect).powi(2)).max(FEW_GAMES as f64);
    if needed.is_finite() && needed <= 1e7 {
        format!(
            "about {needed:.0} games, if the effect is as large as it looks; {games} tell one of {reach:.1} points."
        )
    } else {
        format!(
            "nothing by this player: {games} games tell an effect of {reach:.1} points, and none is seen."
        )
    }
}
