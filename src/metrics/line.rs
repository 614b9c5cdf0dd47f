//! One line of `metrics.jsonl`.

use std::collections::BTreeMap;
use std::fs::File;
use std::io::{self, BufRead, BufReader};
use std::path::Path;

use serde::{Deserialize, Serialize};

use super::{FILE, MetricsError};

/// What was told, and when.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Line {
    /// Seconds since 1970.
    pub time: f64,
    /// Seconds that cores had worked for the process by then, where the system tells.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub core_seconds: Option<f64>,
    #[serde(flatten)]
    pub told: Told,
}

/// What work tells of itself.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(tag = "kind", rename_all = "lowercase")]
pub enum Told {
    /// A stage begins.
    Stage {
        stage: String,
        unit: String,
        /// How many units it takes, where known.
        total: Option<u64>,
        generation: Option<u64>,
    },
    /// How far the stage has come.
    Progress {
        done: u64,
        /// Rates and counts, for people.
        figures: String,
        /// Resident memory in megabytes, where the system tells.
        memory: Option<f64>,
    },
    /// Figures of a series, by name, at a step or a generation.
    Figures { series: String, at: u64, figures: BTreeMap<String, f64> },
    /// Work has come to an end.
    End { how: Ended },
}

/// How work came to an end.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Ended {
    Finished,
    Interrupted,
    /// With what was wrong.
    Failed(String),
}

impl Line {
    /// The line with its end.
    pub fn to_text(&self) -> String {
        serde_json::to_string(self).expect("a line holds finite numbers and texts") + "\n"
    }
}

/// The lines in a folder, oldest first; none if nothing was kept there. A line that was cut off, or that
/// another version wrote, is passed over.
///
/// # Errors
///
/// If the file is there and cannot be read.
pub fn read(folder: &Path) -> Result<Vec<Line>, MetricsError> {
    let path = folder.join(FILE);
    let file = match File::open(&path) {
        Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok(Vec::new()),
        opened => opened.map_err(|source| MetricsError::Unreadable { path: path.clone(), source })?,
    };
    let mut lines = Vec::new();
    for line in BufReader::new(file).split(b'\n') {
        let line = line.map_err(|source| MetricsError::Unreadable { path: path.clone(), source })?;
        lines.extend(serde_json::from_slice::<Line>(&line).ok());
    }
    Ok(lines)
}
