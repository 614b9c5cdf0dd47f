//! A rule set as somebody wrote it, and what can be wrong with it.

use serde::Deserialize;
use toml::Spanned;

use super::{
    ChaseRule, CheckRule, ExemptTargets, Exhausted, JieqiRules, Limits, OnExceed, Protection, Roles,
    TakenFaceDown,
};
use crate::game::ProfileError;
use crate::referee::LiveRules;
use crate::rules::jieqi::board::Guards;
use crate::rules::pieces::Role;
use crate::rules::written::{self, Checked, Complaint, optional, required};

/// Reads a rule set; `origin` names the text in errors.
pub fn read(text: &str, origin: &str) -> Result<JieqiRules, ProfileError> {
    written::read(text, origin, Written::checked)
}

/// How often a game sees a capture at most: of every piece but the kings.
const CAPTURES: i64 = 30;

/// How often a piece is turned up at most: every one but the kings.
const REVEALS: i64 = 30;

/// A rule set as written, its numbers still with their places for errors.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Written {
    name: Spanned<String>,
    captured_hidden: Spanned<TakenFaceDown>,
    no_capture_plies: Option<Spanned<i64>>,
    reveal_resets_counter: Option<Spanned<bool>>,
    neutral_repetition: Option<Spanned<i64>>,
    ply_cap: Option<Spanned<i64>>,
    #[serde(default = "yes")]
    free_advisor_elephant: bool,
    #[serde(default = "widest_protection")]
    protected: Protection,
    chase_exempt_attackers: Option<Spanned<Vec<String>>>,
    #[serde(default = "soldiers_at_home")]
    chase_exempt_targets: ExemptTargets,
    #[serde(default = "yes")]
    mate_overrides_forbid: bool,
    #[serde(default)]
    forbid_exhausted: Exhausted,
    check_rule: Option<Spanned<WrittenCheckRule>>,
    chase_rule: Option<Spanned<WrittenChaseRule>>,
    #[serde(default)]
    live: LiveRules,
}

fn yes() -> bool {
    true
}

fn widest_protection() -> Protection {
    Protection::MajorNeverVsLesser
}

fn soldiers_at_home() -> ExemptTargets {
    ExemptTargets::SoldiersOnOwnHalf
}

#[derive(Deserialize)]
#[serde(rename_all = "snake_case")]
enum WrittenCheckRule {
    Consecutive(WrittenConsecutiveChecks),
    SameSquare(WrittenSameSquare),
    Repetition(WrittenRepetition),
}

#[derive(Deserialize)]
#[serde(rename_all = "snake_case")]
enum WrittenChaseRule {
    Consecutive(WrittenConsecutiveChases),
    Repetition(WrittenRepetition),
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct WrittenConsecutiveChecks {
    per_piece: bool,
    limits: Spanned<Vec<i64>>,
    on_exceed: OnExceed,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct WrittenConsecutiveChases {
    by_chaser_count: bool,
    limits: Spanned<Vec<i64>>,
    on_exceed: OnExceed,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct WrittenSameSquare {
    times: Spanned<i64>,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct WrittenRepetition {
    folds: Spanned<i64>,
}

impl Written {
    fn checked(self) -> Checked<JieqiRules> {
        let name = written::name(self.name)?;
        let limit_at = self.no_capture_plies.as_ref().map_or(0, |written| written.span().start);
        let no_capture_plies: Option<u16> = optional("no_capture_plies", self.no_capture_plies, 1..=9999)?;
        let ply_cap = optional("ply_cap", self.ply_cap, 1..=9999)?;
        if no_capture_plies.is_none() && ply_cap.is_none() {
            return Err(Complaint {
                at: 0,
                message: "neither no_capture_plies nor ply_cap is set; expected one of them, \
                          or a game might never end"
                    .into(),
            });
        }
        if let Some(resets) = self.reveal_resets_counter.as_ref().filter(|resets| *resets.get_ref())
            && no_capture_plies.is_none()
        {
            let message = "reveal_resets_counter is true without no_capture_plies; \
                           expected a limit for the counter it resets";
            return Err(Complaint::about(resets, message.into()));
        }
        if let (Some(limit), None) = (no_capture_plies, ply_cap) {
            let resets = self.reveal_resets_counter.as_ref().is_some_and(|resets| *resets.get_ref());
            let progress = if resets { CAPTURES + REVEALS } else { CAPTURES };
            written::bounds_the_game("no_capture_plies", i64::from(limit), progress, limit_at)?;
        }
        if self.live.money.is_some() && *self.captured_hidden.get_ref() == TakenFaceDown::SeenByNobody {
            let message = "captured_hidden is \"nobody\" although live.money pays for pieces; \
                           expected \"capturer\" or \"both\", or nobody could tell what to pay";
            return Err(Complaint::about(&self.captured_hidden, message.into()));
        }
        let neutral_at = self.neutral_repetition.as_ref().map_or(0, |written| written.span().start);
        let chase_rule_at = self.chase_rule.as_ref().map_or(0, |written| written.span().start);
        let rules = JieqiRules {
            captured_hidden: self.captured_hidden.into_inner(),
            no_capture_plies,
            reveal_resets_counter: self.reveal_resets_counter.is_some_and(Spanned::into_inner),
            neutral_repetition: optional("neutral_repetition", self.neutral_repetition, 2..=9)?,
            ply_cap,
            guards: if self.free_advisor_elephant { Guards::Free } else { Guards::Confined },
            protected: self.protected,
            chase_exempt_attackers: exempt_attackers(self.chase_exempt_attackers)?,
            chase_exempt_targets: self.chase_exempt_targets,
            mate_overrides_forbid: self.mate_overrides_forbid,
            forbid_exhausted: self.forbid_exhausted,
            check_rule: self.check_rule.map(|rule| rule.into_inner().checked()).transpose()?,
            chase_rule: self.chase_rule.map(|rule| rule.into_inner().checked()).transpose()?,
            live: self.live,
            name,
        };
        agree_on_repetition(&rules, neutral_at, chase_rule_at)?;
        Ok(rules)
    }
}

impl WrittenCheckRule {
    fn checked(self) -> Checked<CheckRule> {
        Ok(match self {
            WrittenCheckRule::Consecutive(rule) => {
                let limits = limits("check_rule.consecutive.limits", &rule.limits)?;
                if rule.per_piece && !limits.are_equal() {
                    let message = "check_rule.consecutive.limits differ although per_piece is true; \
                                   expected three equal limits, as each piece is counted alone";
                    return Err(Complaint::about(&rule.limits, message.into()));
                }
                CheckRule::Consecutive { per_piece: rule.per_piece, limits, on_exceed: rule.on_exceed }
            }
            WrittenCheckRule::SameSquare(rule) => CheckRule::SameSquare {
                times: required("check_rule.same_square.times", &rule.times, 2..=99)?,
            },
            WrittenCheckRule::Repetition(rule) => {
                CheckRule::Repetition { folds: required("check_rule.repetition.folds", &rule.folds, 2..=9)? }
            }
        })
    }
}

impl WrittenChaseRule {
    fn checked(self) -> Checked<ChaseRule> {
        Ok(match self {
            WrittenChaseRule::Consecutive(rule) => {
                let limits = limits("chase_rule.consecutive.limits", &rule.limits)?;
                if rule.by_chaser_count == limits.are_equal() {
                    let message = format!(
                        "chase_rule.consecutive.limits are {} although by_chaser_count is {}; \
                         expected limits that differ just if the number of chasers counts",
                        if limits.are_equal() { "equal" } else { "different" },
                        rule.by_chaser_count
                    );
                    return Err(Complaint::about(&rule.limits, message));
                }
                let WrittenConsecutiveChases { by_chaser_count, on_exceed, .. } = rule;
                ChaseRule::Consecutive { by_chaser_count, limits, on_exceed }
            }
            WrittenChaseRule::Repetition(rule) => {
                ChaseRule::Repetition { folds: required("chase_rule.repetition.folds", &rule.folds, 2..=9)? }
            }
        })
    }
}

impl Limits {
    fn are_equal(self) -> bool {
        self.0[0] == self.0[2]
    }
}

/// Three limits that do not fall: a piece that joins in never takes moves away.
fn limits(key: &str, written: &Spanned<Vec<i64>>) -> Checked<Limits> {
    let complaint = |expected: &str| {
        Complaint::about(written, format!("{key} is {:?}; expected {expected}", written.get_ref()))
    };
    let numbers: Vec<u8> = written
        .get_ref()
        .iter()
        .map(|&number| u8::try_from(number).ok().filter(|number| (1..=99).contains(number)))
        .collect::<Option<_>>()
        .ok_or_else(|| complaint("numbers from 1 to 99"))?;
    let numbers = numbers.try_into().map_err(|_| complaint("three numbers: with one, two, more pieces"))?;
    let limits = Limits(numbers);
    if limits.0.is_sorted() { Ok(limits) } else { Err(complaint("limits that do not fall")) }
}

fn exempt_attackers(written: Option<Spanned<Vec<String>>>) -> Checked<Roles> {
    let Some(written) = written else { return Ok(Roles::from_iter([Role::King, Role::Soldier])) };
    let role = |text: &String| Role::ALL.into_iter().find(|role| role.letter().to_string() == *text);
    written.get_ref().iter().map(role).collect::<Option<_>>().ok_or_else(|| {
        let message = format!(
            "chase_exempt_attackers is {:?}; expected a list of letters from R A C P N B K",
            written.get_ref()
        );
        Complaint::about(&written, message)
    })
}

/// Whether all that hangs on the occurrences of a position goes together.
fn agree_on_repetition(rules: &JieqiRules, neutral_at: usize, chase_rule_at: usize) -> Checked<()> {
    if let (Some(CheckRule::Repetition { folds }), Some(ChaseRule::Repetition { folds: chase_folds })) =
        (rules.check_rule, rules.chase_rule)
        && folds != chase_folds
    {
        return Err(Complaint {
            at: chase_rule_at,
            message: format!(
                "chase_rule.repetition.folds is {chase_folds}, check_rule.repetition.folds is {folds}; \
                 expected the same, as one occurrence is judged for both"
            ),
        });
    }
    if let (Some(neutral), Some(judged)) = (rules.neutral_repetition, rules.judged_occurrence())
        && neutral < judged
    {
        return Err(Complaint {
            at: neutral_at,
            message: format!(
                "neutral_repetition is {neutral}, below the {judged} folds of check_rule or chase_rule; \
                 expected at least {judged}, or the game is drawn before it can be judged"
            ),
        });
    }
    Ok(())
}
