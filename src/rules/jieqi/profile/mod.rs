//! Rule sets: what differs between the places where Jieqi is played.

mod written;

use serde::{Deserialize, Serialize, Serializer};

use super::board::Guards;
use crate::game::{Profile, ProfileError};
use crate::referee::LiveRules;
use crate::rules::pieces::Role;

/// Who learns what a face-down piece was when it is taken.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub enum TakenFaceDown {
    /// It is put aside face down, and stays in everybody's pool.
    #[serde(rename = "nobody")]
    SeenByNobody,
    /// Its owner's pool keeps it; the taker's does not.
    #[serde(rename = "capturer")]
    SeenByTaker,
    #[serde(rename = "both")]
    SeenByAll,
}

/// What a move does that goes beyond a limit.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum OnExceed {
    /// It may not be played.
    Forbid,
    /// It may be played and loses, unless it mates or the opponent forces as hard.
    Lose,
}

/// The moves of one kind in a row that are allowed, by the number of pieces they were made with: one,
/// two, three or more.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize)]
pub struct Limits([u8; 3]);

impl Limits {
    /// # Panics
    ///
    /// If `pieces` is 0.
    pub fn with_pieces(self, pieces: u32) -> u8 {
        assert!(pieces > 0, "a run is made with pieces");
        self.0[pieces.min(3) as usize - 1]
    }
}

/// What bounds checks given again and again.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum CheckRule {
    /// Checks in a row are counted: all of a side's, or each piece's own.
    Consecutive { per_piece: bool, limits: Limits, on_exceed: OnExceed },
    /// In an unbroken row of checks, no piece may check from one square for the `times`-th time.
    SameSquare { times: u8 },
    /// At the `folds`-th occurrence of a position a side loses that checked on all its moves since the
    /// first.
    Repetition { folds: u8 },
}

/// What bounds chases made again and again.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum ChaseRule {
    /// Chases in a row of one piece are counted; the limit may depend on how many pieces took part.
    Consecutive { by_chaser_count: bool, limits: Limits, on_exceed: OnExceed },
    /// At the `folds`-th occurrence of a position a side loses that chased one piece on all its moves
    /// since the first.
    Repetition { folds: u8 },
}

/// Which threats stand even where the threatened piece is protected.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Protection {
    /// None.
    Basic,
    /// Those of a cannon or horse to a chariot.
    RookNeverVsCannonHorse,
    /// Also those of an advisor or elephant to a chariot, cannon or horse.
    MajorNeverVsLesser,
}

/// The enemy pieces, besides the king, that are never chased.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum ExemptTargets {
    None,
    /// Soldiers on their own half, face-down ones on soldiers' squares among them.
    SoldiersOnOwnHalf,
}

impl ExemptTargets {
    pub fn soldiers_at_home(self) -> bool {
        self == ExemptTargets::SoldiersOnOwnHalf
    }
}

/// A set of roles.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Default)]
pub struct Roles(u8);

impl Roles {
    pub fn contains(self, role: Role) -> bool {
        self.0 >> role.index() & 1 == 1
    }

    pub fn iter(self) -> impl Iterator<Item = Role> {
        Role::ALL.into_iter().filter(move |&role| self.contains(role))
    }
}

impl FromIterator<Role> for Roles {
    fn from_iter<I: IntoIterator<Item = Role>>(roles: I) -> Self {
        Self(roles.into_iter().fold(0, |set, role| set | 1 << role.index()))
    }
}

impl Serialize for Roles {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_seq(self.iter().map(Role::letter))
    }
}

/// What becomes of a side that has legal moves, all of which are forbidden.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Default, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Exhausted {
    #[default]
    Lose,
    Draw,
}

/// One rule set of Jieqi. `configs/rules/jieqi` documents each key.
#[derive(Debug, Clone, PartialEq, Eq, Hash, Serialize)]
pub struct JieqiRules {
    pub name: String,
    pub captured_hidden: TakenFaceDown,
    /// Plies without a capture that draw the game.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub no_capture_plies: Option<u16>,
    /// Whether a reveal starts the count of [`JieqiRules::no_capture_plies`] again.
    pub reveal_resets_counter: bool,
    /// The occurrence of a position that draws the game.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub neutral_repetition: Option<u8>,
    /// Plies that draw the game whatever happens.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub ply_cap: Option<u16>,
    #[serde(rename = "free_advisor_elephant", serialize_with = "guards_as_bool")]
    pub guards: Guards,
    pub protected: Protection,
    pub chase_exempt_attackers: Roles,
    pub chase_exempt_targets: ExemptTargets,
    /// Whether a forbidden move may be played if it mates or stalemates.
    pub mate_overrides_forbid: bool,
    pub forbid_exhausted: Exhausted,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub check_rule: Option<CheckRule>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub chase_rule: Option<ChaseRule>,
    #[serde(skip_serializing_if = "is_default")]
    pub live: LiveRules,
}

fn guards_as_bool<S: Serializer>(guards: &Guards, serializer: S) -> Result<S::Ok, S::Error> {
    serializer.serialize_bool(*guards == Guards::Free)
}

fn is_default(live: &LiveRules) -> bool {
    *live == LiveRules::default()
}

impl JieqiRules {
    /// Whether checks in a row count, from one square or from any.
    pub fn counts_checks(&self) -> bool {
        !matches!(self.check_rule, None | Some(CheckRule::Repetition { .. }))
    }

    /// Whether chases in a row count.
    pub fn counts_chases(&self) -> bool {
        matches!(self.chase_rule, Some(ChaseRule::Consecutive { .. }))
    }

    /// Whether a legal move may be one that may not be played.
    pub fn forbids(&self) -> bool {
        use OnExceed::Forbid;
        matches!(
            self.check_rule,
            Some(CheckRule::SameSquare { .. } | CheckRule::Consecutive { on_exceed: Forbid, .. })
        ) || matches!(self.chase_rule, Some(ChaseRule::Consecutive { on_exceed: Forbid, .. }))
    }

    /// The occurrence of a position at which it is asked who forced it, where perpetual check or chase is
    /// judged by repetition.
    pub fn judged_occurrence(&self) -> Option<u8> {
        match (self.check_rule, self.chase_rule) {
            (Some(CheckRule::Repetition { folds }), _) | (_, Some(ChaseRule::Repetition { folds })) => {
                Some(folds)
            }
            _ => None,
        }
    }
}

impl Profile for JieqiRules {
    const BUILT_IN: &'static [(&'static str, &'static str)] = &[
        ("wxf", include_str!("../../../../configs/rules/jieqi/wxf.toml")),
        ("tencent", include_str!("../../../../configs/rules/jieqi/tencent.toml")),
        ("ziga", include_str!("../../../../configs/rules/jieqi/ziga.toml")),
        ("pychess", include_str!("../../../../configs/rules/jieqi/pychess.toml")),
        ("pychess-deployed", include_str!("../../../../configs/rules/jieqi/pychess-deployed.toml")),
        ("tuongky", include_str!("../../../../configs/rules/jieqi/tuongky.toml")),
        ("comu", include_str!("../../../../configs/rules/jieqi/comu.toml")),
        ("sunwin", include_str!("../../../../configs/rules/jieqi/sunwin.toml")),
        ("base", include_str!("../../../../configs/rules/jieqi/base.toml")),
    ];

    const OF_TABLES: &'static str = "base";

    fn from_toml(text: &str, origin: &str) -> Result<Self, ProfileError> {
        written::read(text, origin)
    }

    fn to_toml(&self) -> String {
        toml::to_string(self).expect("a rule set is plain keys and values")
    }

    fn with_draw_limit(&self, plies: u16) -> Self {
        JieqiRules { no_capture_plies: Some(plies), ..self.clone() }
    }

    fn name(&self) -> &str {
        &self.name
    }
}
