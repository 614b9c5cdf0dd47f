//! `facedown analyze`: what the games of a dataset say.

use std::collections::BTreeSet;
use std::path::{Path, PathBuf};

use clap::{Args, ValueEnum};

use super::dataset::{self, rules_meant};
use super::failure::with_causes;
use super::spoken::Speaker;
use super::{Common, Failure, print, tell};
use crate::analysis::{
    self, AnalysisError, Answer, Audience, Calibration, Claims, Exposure, Findings, Flips, Language, Limit,
    Luck, MOST_NETS, Openings, Question, Reveals, Samples, Summary, Values, Weighted,
};
use crate::record::{OnBroken, Reader};
use crate::text::shown;

/// Report what the games of a dataset say: first moves, and what a flip is worth
///
/// Games of different rule sets are reported apart; --rules keeps to those of one.
#[derive(Debug, Args)]
pub struct Analyze {
    /// What to report
    #[arg(value_enum)]
    report: Report,
    /// The dataset: a folder with games/ and plies/ in it; given several times, one of each of several nets, their
    /// figures are joined and told how far they differ
    #[arg(long, value_name = "DIR", required = true)]
    data: Vec<PathBuf>,
    /// Keep to the games of these players, as the report names them
    #[arg(long, value_name = "NAME")]
    players: Option<String>,
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
    ((Luck, (Calibration, (Values, Claims))), (Option<Limit>, (Samples, Summary))),
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
    /// What players say, each claim with a verdict
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
        let (reader, findings) = match &self.data[..] {
            [data] => self.findings(data, common)?,
            several => self.joined(several, common)?,
        };
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

    /// What one dataset says.
    fn findings(&self, data: &Path, common: &Common) -> Result<(Reader, Vec<Findings>), Failure> {
        let on_broken = if self.skip_broken { OnBroken::Skip } else { OnBroken::Fail };
        let reader = dataset::open(data, on_broken)?;
        common.check_game(reader.game())?;
        let rules = common.rules.as_deref().map(|given| rules_meant(given, &reader)).transpose()?;
        let question = Question {
            rules: rules.as_deref(),
            threads: common.thread_count(),
            on_broken,
            depth: self.depth,
            min_games: self.min_games,
        };
        let Answer { mut findings, left_out } =
            self.report.answer(&reader, &question).map_err(|error| match error {
                AnalysisError::OtherGame { .. } | AnalysisError::NoSuchRules { .. } => Failure::usage(error),
                error => Failure::failed(error),
            })?;
        let left_out = left_out.iter().map(|error| with_causes(error));
        for why in reader.skipped().iter().map(|error| with_causes(error)).chain(left_out) {
            tell(format_args!("left out: {why}"));
        }
        if let Some(asked) = &self.players {
            let found: BTreeSet<String> = findings.iter().map(|found| found.players.clone()).collect();
            findings.retain(|found| found.players == *asked);
            if findings.is_empty() {
                let (asked, data) = (shown(asked), data.display());
                let found = found.into_iter().collect::<Vec<_>>().join(", ");
                return Err(Failure::usage(format!("--players {asked}: {data} has games of {found}")));
            }
        }
        Ok((reader, findings))
    }

    /// What the datasets of several nets say together, and then each for itself.
    fn joined(&self, several: &[PathBuf], common: &Common) -> Result<(Reader, Vec<Findings>), Failure> {
        if several.len() > MOST_NETS {
            return Err(Failure::usage(format!("--data: no more than {MOST_NETS} datasets are joined")));
        }
        let mut nets: Vec<(Reader, Vec<Findings>)> = Vec::new();
        for data in several {
            let (reader, mut findings) = self.findings(data, common)?;
            let [net] = &mut findings[..] else {
                let found: Vec<String> = findings.iter().map(Findings::heading).collect();
                return Err(Failure::usage(format!(
                    "{}: expected games of one net under one rule set, found {}; --players and --rules say which are \
                     meant",
                    data.display(),
                    found.join("; ")
                )));
            };
            // Nets of several runs go by the same names.
            net.players = format!("{} of {}", net.players, data.display());
            let like = nets.first().and_then(|(_, first)| first.first());
            if let Some(first) = like.filter(|first| (&first.game, &first.rules) != (&net.game, &net.rules)) {
                let message = format!(
                    "{}: {} under the rules {}; expected {} under {}, as in the first dataset",
                    data.display(),
                    net.game,
                    net.rules,
                    first.game,
                    first.rules
                );
                return Err(Failure::usage(message));
            }
            nets.push((reader, findings));
        }
        let (readers, each): (Vec<Reader>, Vec<Vec<Findings>>) = nets.into_iter().unzip();
        let each = each.concat();
        let findings = std::iter::once(analysis::joined(&each)).chain(each.iter().cloned()).collect();
        let first = readers.into_iter().next().expect("there are several datasets");
        Ok((first, findings))
    }
}

impl Report {
    fn answer(self, reader: &Reader, question: &Question<'_>) -> Result<Answer, AnalysisError> {
        match self {
            Self::All => analysis::analyze::<All>(reader, question),
            Self::Summary => analysis::analyze::<Summary>(reader, question),
            Self::Openings => analysis::analyze::<Openings>(reader, question),
            Self::Exposure => analysis::analyze::<Exposure>(reader, question),
            Self::Flips => analysis::analyze::<Flips>(reader, question),
            Self::Limit => analysis::analyze::<Limit>(reader, question),
            Self::Reveals => analysis::analyze::<Reveals>(reader, question),
            Self::Luck => analysis::analyze::<Luck>(reader, question),
            Self::Values => analysis::analyze::<Values>(reader, question),
            Self::Claims => analysis::analyze::<Claims>(reader, question),
            Self::Games => analysis::analyze::<Samples>(reader, question),
            Self::Calibration => analysis::analyze::<Calibration>(reader, question),
            Self::Weighted => analysis::analyze::<Weighted>(reader, question),
        }
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
