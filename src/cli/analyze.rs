//! `facedown analyze`: what the games of a dataset say.

use std::io::{ErrorKind, Write};
use std::path::PathBuf;

use clap::{Args, ValueEnum};

use super::{Common, Failure};
use crate::analysis::{self, Exposure, Findings, Openings, Summary};
use crate::record::{OnBroken, Reader};

/// Report what the games of a dataset say: first moves, and what a flip is worth
///
/// Games of different rule sets are reported apart; --rules NAME keeps to those of one.
#[derive(Debug, Args)]
pub struct Analyze {
    /// What to report
    #[arg(value_enum)]
    report: Report,
    /// The dataset: a folder with games/ and plies/ in it
    #[arg(long, value_name = "DIR")]
    data: PathBuf,
    /// Also write every table as CSV and JSON, and a page to look at, into this folder
    #[arg(long, value_name = "DIR")]
    out: Option<PathBuf>,
    /// How to print the tables
    #[arg(long, value_enum, default_value_t = Format::Text)]
    format: Format,
}

#[derive(Debug, Clone, Copy, ValueEnum)]
enum Report {
    /// All of the below, in one pass
    All,
    /// Games, lengths, results, endings, players
    Summary,
    /// First moves: results, values, what they turned up
    Openings,
    /// What a flip is worth by who controls the square it lands on
    Exposure,
}

#[derive(Debug, Clone, Copy, ValueEnum)]
enum Format {
    Text,
    Markdown,
    Json,
}

impl Analyze {
    /// # Errors
    ///
    /// If the dataset cannot be read, has no game of the rules asked for, or the files cannot be written.
    pub fn run(&self, common: &Common) -> Result<(), Failure> {
        let reader = Reader::open(&self.data, OnBroken::Fail)?;
        let (rules, threads) = (common.rules.as_deref(), common.thread_count());
        let findings = match self.report {
            Report::All => analysis::analyze::<(Openings, (Exposure, Summary))>(&reader, rules, threads),
            Report::Summary => analysis::analyze::<Summary>(&reader, rules, threads),
            Report::Openings => analysis::analyze::<Openings>(&reader, rules, threads),
            Report::Exposure => analysis::analyze::<Exposure>(&reader, rules, threads),
        }?;
        if let Some(out) = &self.out {
            for path in analysis::write_files(&findings, out)? {
                if !common.quiet {
                    eprintln!("{}", path.display());
                }
            }
        }
        match std::io::stdout().write_all(self.format.of(&findings).as_bytes()) {
            // Whoever reads may have seen enough, as `head` has.
            Err(error) if error.kind() == ErrorKind::BrokenPipe => Ok(()),
            written => Ok(written?),
        }
    }
}

impl Format {
    fn of(self, findings: &[Findings]) -> String {
        match self {
            Format::Json => format!("{:#}\n", analysis::to_json(findings)),
            Format::Text => written(findings, "#", |table| table.to_text()),
            Format::Markdown => written(findings, "##", |table| table.to_markdown()),
        }
    }
}

/// The tables and the notes of every section, each rule set under its name.
fn written(findings: &[Findings], mark: &str, table: impl Fn(&analysis::Table) -> String) -> String {
    let mut text = String::new();
    for found in findings {
        for section in &found.sections {
            text += &format!("{mark} {}: {} under the rules {}\n\n", section.title, found.game, found.rules);
            for shown in section.tables.iter().filter(|table| !table.rows().is_empty()) {
                text += &table(shown);
                text.push('\n');
            }
            for note in &section.notes {
                text += &format!("- {note}\n");
            }
            text.push('\n');
        }
    }
    text
}
