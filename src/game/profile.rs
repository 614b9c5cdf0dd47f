//! Named rule sets: data with a name, a text form and a fingerprint.

use std::fmt;
use std::path::Path;
use std::sync::Arc;

use crate::text::{read_file, shown};

/// A rule set could not be had.
#[derive(Debug, thiserror::Error)]
pub enum ProfileError {
    #[error("unknown rules '{}': expected one of {known}, or the path of a TOML file", shown(name))]
    Unknown { name: String, known: String },
    #[error("cannot read the rules file {path}")]
    Unreadable { path: String, source: std::io::Error },
    /// `origin` is the file's path or the built-in name; `message` carries line, column and key.
    #[error("{origin}: {message}")]
    Invalid { origin: String, message: String },
}

/// One rule set of a game.
pub trait Profile: fmt::Debug + Clone + PartialEq + Send + Sync + 'static {
    /// The built-in rule sets: name and TOML text. The first is the default.
    const BUILT_IN: &'static [(&'static str, &'static str)];

    /// The built-in rule set that other programs count, list and play by, in tables made to check rules with.
    const OF_TABLES: &'static str;

    /// Reads a rule set, refusing unknown keys, values out of range and contradictory settings.
    /// `origin` names the text in errors.
    ///
    /// # Errors
    ///
    /// [`ProfileError::Invalid`] with line, column and key.
    fn from_toml(text: &str, origin: &str) -> Result<Self, ProfileError>;

    /// The rule set as TOML that [`Profile::from_toml`] reads back to an equal one.
    fn to_toml(&self) -> String;

    /// The rule set with another limit of plies without progress, as the game counts it.
    fn with_draw_limit(&self, plies: u16) -> Self;

    /// The name the rule set gives itself.
    fn name(&self) -> &str;

    /// A number that differs between rule sets that play differently: FNV-1a over the canonical text,
    /// so that it does not change with the compiler or the machine.
    fn fingerprint(&self) -> u64 {
        fnv1a(self.to_toml().as_bytes())
    }

    /// Finds a rule set by built-in name, or reads it from a file when the name looks like a path.
    ///
    /// # Errors
    ///
    /// If there is no such rule set, the file cannot be read, or its text is not valid.
    fn load(name_or_path: &str) -> Result<Arc<Self>, ProfileError> {
        if let Some((name, text)) = Self::BUILT_IN.iter().find(|(name, _)| *name == name_or_path) {
            return Self::from_toml(text, name).map(Arc::new);
        }
        let path = Path::new(name_or_path);
        if path.extension().is_none_or(|extension| extension != "toml") {
            let known: Vec<_> = Self::BUILT_IN.iter().map(|(name, _)| *name).collect();
            return Err(ProfileError::Unknown { name: name_or_path.into(), known: known.join(", ") });
        }
        let text = read_file(path)
            .map_err(|source| ProfileError::Unreadable { path: name_or_path.into(), source })?;
        Self::from_toml(&text, name_or_path).map(Arc::new)
    }
}

/// The 64-bit FNV-1a hash (Fowler, Noll, Vo).
pub fn fnv1a(bytes: &[u8]) -> u64 {
    bytes.iter().fold(0xcbf2_9ce4_8422_2325, |hash, &byte| {
        (hash ^ u64::from(byte)).wrapping_mul(0x0000_0100_0000_01b3)
    })
}
