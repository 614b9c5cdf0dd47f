//! Which rules games are played under: one rule set, or several whose shards take turns.

use serde::{Deserialize, Serialize};

/// Rule sets by name or path, in settings one text or a list: `rules = "wxf"`, `rules = ["wxf", "tencent"]`. An empty
/// text is the game's first.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(try_from = "Written", into = "Written")]
pub struct RuleNames(Vec<String>);

#[derive(Serialize, Deserialize)]
#[serde(untagged, expecting = "expected the name of a rule set, or a list of names")]
enum Written {
    One(String),
    Several(Vec<String>),
}

impl RuleNames {
    pub fn one(name: impl Into<String>) -> Self {
        Self(vec![name.into()])
    }

    /// At least one.
    pub fn all(&self) -> &[String] {
        &self.0
    }

    /// The one that matches are played under, and whatever else takes one rule set.
    pub fn first(&self) -> &str {
        &self.0[0]
    }
}

impl Default for RuleNames {
    fn default() -> Self {
        Self::one("")
    }
}

impl TryFrom<Written> for RuleNames {
    type Error = &'static str;

    fn try_from(written: Written) -> Result<Self, Self::Error> {
        match written {
            Written::One(name) => Ok(Self::one(name)),
            Written::Several(names) if names.is_empty() => Err("expected a list with the name of a rule set"),
            Written::Several(names) => Ok(Self(names)),
        }
    }
}

impl From<RuleNames> for Written {
    fn from(RuleNames(mut names): RuleNames) -> Self {
        if names.len() == 1 { Self::One(names.remove(0)) } else { Self::Several(names) }
    }
}
