//! `facedown analyze`: what the games of a dataset say.

use std::path::PathBuf;

use clap::{Args, ValueEnum};

use super::dataset::{self, rules_meant};
use super::failure::with_causes;
use super::spoken::Speaker;
use super::{Common, Failure, print, tell};
use crate::analysis::{
    self, AnalysisError, Answer, Audience, Calibration, Claims, Exposure, Findings, Flips, Language, Limit,
    Luck, Openings, Question, Reveals, Samples, Summary, Values, Weighted,
};
use crate::record::OnBroken;

/// Report what the games of a dataset say: first moves, and what a flip is worth
///
/// Games of different rule sets are reported apart; --rules keeps to those of one.
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
    /// Leave out shards that cannot be read, and say which
    #[arg(long)]
    skip_broken: bool,
    /// Plies the tree of openings is deep
    #[arg(long, value_name = "PLIES", default_value_t = 2, value_parser = clap::value_parser!(u16).range(1..=8))]
    depth: u16,
    /// Games a branch of that tree must have to be shown
    #[arg(long, value_name = "N", default_value_t = 20)]
    min_games: u64,
    /// The language of the page and of the printed tables: en, vi or zh; data stays English
    #[arg(long, value_name = "LANGUAGE", default_value_t)]
    lang: Language,
    /// How to print the tables
    #[arg(long, value_enum, default_value_t = Format::Text)]
    format: Format,
}

/// Every report in one pass.
type All = (
    (Openings, (Exposure, (Option<Flips>, Reveals))),
    ((Luck, (Calibration, (Values, Option<Claims>))), (Option<Limit>, (Samples, Summary))),
);

#[derive(Debug, Clone, Copy, ValueEnum)]
enum Report {
    /// All of the below but the last, in one pass
    All,
    /// Games, lengths, results, endings, players
    Summary,
    /// First moves: results, values, what they turned up
    Openings,
    /// What a flip is worth by who controls the square it lands on
    Exposure,
    /// Banqi: what a flip is worth by its square, its neighbours and the pool
    Flips,
    /// Banqi: plies without a flip or a capture, and the limits of them
    Limit,
    /// The odds of what turns up, and what knowing the taken pieces is worth
    Reveals,
    /// How much of the results is luck
    Luck,
    /// What pieces are worth, fitted to results
    Values,
    /// Jieqi: what players say, each claim with a verdict
    Claims,
    /// Values against results
    Calibration,
    /// A few games to step through, on the page
    Games,
    /// What a flip does to the result, from moves drawn with known probability
    Weighted,
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
    /// A usage error if there is no dataset, or none with what is asked for; a failure if it cannot be read, or the
    /// files cannot be written.
    pub fn run(&self, common: &Common) -> Result<(), Failure> {
        let on_broken = if self.skip_broken { OnBroken::Skip } else { OnBroken::Fail };
        let reader = dataset::open(&self.data, on_broken)?;
        common.check_game(reader.game())?;
        let rules = common.rules.as_deref().map(|given| rules_meant(given, &reader)).transpose()?;
        let question = Question {
            rules: rules.as_deref(),
            threads: common.thread_count(),
            on_broken,
            depth: self.depth,
            min_games: self.min_games,
        };
        let Answer { findings, left_out } = match self.report {
            Report::All => analysis::analyze::<All>(&reader, &question),
            Report::Summary => analysis::analyze::<Summary>(&reader, &question),
            Report::Openings => analysis::analyze::<Openings>(&reader, &question),
            Report::Exposure => analysis::analyze::<Exposure>(&reader, &question),
            Report::Flips => analysis::analyze::<Flips>(&reader, &question),
            Report::Limit => analysis::analyze::<Limit>(&reader, &question),
            Report::Reveals => analysis::analyze::<Reveals>(&reader, &question),
            Report::Luck => analysis::analyze::<Luck>(&reader, &question),
            Report::Values => analysis::analyze::<Values>(&reader, &question),
            Report::Claims => analysis::analyze::<Claims>(&reader, &question),
            Report::Games => analysis::analyze::<Samples>(&reader, &question),
            Report::Calibration => analysis::analyze::<Calibration>(&reader, &question),
            Report::Weighted => analysis::analyze::<Weighted>(&reader, &question),
        }
        .map_err(|error| match error {
            AnalysisError::OtherGame { .. } | AnalysisError::NoSuchRules { .. } => Failure::usage(error),
            error => Failure::failed(error),
        })?;
        let left_out = left_out.iter().map(|error| with_causes(error));
        for why in reader.skipped().iter().map(|error| with_causes(error)).chain(left_out) {
            tell(format_args!("left out: {why}"));
        }
        if let Some(out) = &self.out {
            let speaker = Speaker::new(&reader, self.lang);
            for path in
                analysis::write_files(&findings, out, &Audience { language: self.lang, say: &speaker })?
            {
                if !common.quiet {
                    tell(path.display());
                }
            }
        }
        Ok(print(self.format.of(&findings, self.lang))?)
    }
}

impl Format {
    fn of(self, findings: &[Findings], language: Language) -> String {
        match self {
            Format::Json => format!("{:#}\n", analysis::to_json(findings)),
            Format::Text => written(findings, language, "#", |table| table.to_text()),
            Format::Markdown => written(findings, language, "##", |table| table.to_markdown()),
        }
    }
}

/// The tables and the notes of every section, each rule set under its name.
fn written(
    findings: &[Findings],
    language: Language,
    mark: &str,
    table: impl Fn(&analysis::Table) -> String,
) -> String {
    let mut text = String::new();
    for found in findings {
        let found = found.told_in(language);
        for section in &found.sections {
            text +=
                &format!("{mark} {}: {} under the rules {}\n\n", section.title, found.game, found.heading());
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
