//! `facedown convert`: puts positions and games into the words of another program.

use std::io::ErrorKind;
use std::str::FromStr;
use std::sync::Arc;

use clap::Args;

use super::{Common, Failure, print_line, tell};
use crate::game::{Eyes, Seat};
use crate::rules::GameKind;
use crate::rules::banqi::{Banqi, BanqiView};
use crate::rules::dialect::{DialectError, Format, Language, Line, in_own_words, text_rules};
use crate::rules::jieqi::{Jieqi, JieqiRules};
use crate::text;

/// Convert positions and games between the texts of programs
///
/// A game is a position and the plies played from it. Forms: pikafish, jieqibox, jieqibox-old,
/// jieqibox-pool-last, jieqibox-json (game files), pychess, jfn, and view, our own. Games are also told as
/// players say their moves, in vietnamese or chinese. A text that leaves open what it means is refused; what
/// the new form does not hold is listed on stderr. Banqi has one form, view: converting from it to itself checks a
/// position and the plies behind "then", and with --end plays them.
#[derive(Debug, Args)]
pub struct Convert {
    /// The form of the text
    #[arg(long, value_name = "FORM")]
    from: Format,
    /// The form to write
    #[arg(long, value_name = "FORM")]
    to: Target,
    /// Whose knowledge to write, where the text tells everything: w (Red) or b (Black)
    #[arg(long, value_name = "SIDE", value_parser = player)]
    eyes: Option<Eyes>,
    /// Write the position a game leads to, and not its plies
    #[arg(long)]
    end: bool,
    /// The text [default: standard input, one text a line, or one game file]
    #[arg(value_name = "TEXT", allow_hyphen_values = true)]
    text: Option<String>,
}

/// What to write.
#[derive(Debug, Clone, Copy, PartialEq)]
enum Target {
    Text(Format),
    Spoken(Language),
}

impl FromStr for Target {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        match (text.parse(), text.parse()) {
            (Ok(format), _) => Ok(Self::Text(format)),
            (_, Ok(language)) => Ok(Self::Spoken(language)),
            (Err(unknown), _) => {
                let languages = Language::ALL.map(Language::name).join(", ");
                Err(format!("{unknown}, {languages}"))
            }
        }
    }
}

fn player(text: &str) -> Result<Eyes, String> {
    match text {
        "w" => Ok(Eyes::Of(Seat::First)),
        "b" => Ok(Eyes::Of(Seat::Second)),
        _ => Err("expected w or b".into()),
    }
}

/// What is wrong with one of the texts on standard input.
#[derive(Debug, thiserror::Error)]
enum InputError {
    #[error("cannot read standard input")]
    Unreadable(#[source] std::io::Error),
    #[error("line {number} of standard input")]
    Line { number: usize, source: DialectError },
    #[error("a game file holds one game, and standard input has {0}")]
    SeveralGames(usize),
    #[error("{0} has one form of text; expected --from view --to view, without --eyes")]
    OneForm(GameKind),
}

impl Convert {
    pub fn run(&self, common: &Common) -> Result<(), Failure> {
        match common.game() {
            GameKind::Jieqi => {
                let rules = match &common.rules {
                    Some(name) => common.load_rules::<Jieqi>(name)?,
                    None => text_rules(),
                };
                self.convert_all(|text| self.between_programs(text, &rules, common))
            }
            GameKind::Banqi => {
                let own = Target::Text(Format::View);
                if (self.from, self.to, self.eyes) != (Format::View, own, None) {
                    return Err(Failure::usage(InputError::OneForm(common.game())));
                }
                let rules = common.load_rules::<Banqi>(common.rules.as_deref().unwrap_or_default())?;
                self.convert_all(|text| Ok(in_own_words::<BanqiView>(text, &rules, self.end)?))
            }
        }
    }

    /// Prints what `convert` makes of each text.
    fn convert_all(&self, converted: impl Fn(&str) -> Result<String, DialectError>) -> Result<(), Failure> {
        if let Some(text) = &self.text {
            return Ok(print_line(converted(text).map_err(failure)?)?);
        }
        let input = text::read(std::io::stdin()).map_err(|source| {
            let is_wrong_text = source.kind() == ErrorKind::InvalidData;
            let error = InputError::Unreadable(source);
            if is_wrong_text { Failure::usage(error) } else { Failure::failed(error) }
        })?;
        if self.from == Format::JieqiBoxJson {
            return Ok(print_line(converted(&input).map_err(failure)?)?);
        }
        let lines = || (1..).zip(input.lines()).filter(|(_, line)| !line.trim().is_empty());
        let games = lines().count();
        if self.to == Target::Text(Format::JieqiBoxJson) && games > 1 {
            return Err(Failure::usage(InputError::SeveralGames(games)));
        }
        for (number, text) in lines() {
            let on_line = |source| InputError::Line { number, source };
            print_line(converted(text).map_err(|error| match is_wrong_text(&error) {
                true => Failure::usage(on_line(error)),
                false => Failure::failed(on_line(error)),
            })?)?;
        }
        Ok(())
    }

    /// One text in its new form; what that form does not hold is said on stderr.
    fn between_programs(
        &self,
        text: &str,
        rules: &Arc<JieqiRules>,
        common: &Common,
    ) -> Result<String, DialectError> {
        let mut line = self.from.read(text, rules)?;
        if let Some(eyes) = self.eyes {
            line = line.seen_by(eyes)?;
        }
        if self.end {
            line = Line::new(line.end().clone());
        }
        match self.to {
            Target::Spoken(language) => Ok(language.tell(&line)),
            Target::Text(form) => {
                let text = form.write(&line)?;
                for what in form.unsaid(&line).into_iter().filter(|_| !common.quiet) {
                    tell(format_args!("note: {form} does not say {what}"));
                }
                Ok(text)
            }
        }
    }
}

/// Whether the text is to blame, and not what was asked of it.
fn is_wrong_text(error: &DialectError) -> bool {
    !matches!(error, DialectError::Unknown { .. } | DialectError::Unsayable { .. })
}

fn failure(error: DialectError) -> Failure {
    if is_wrong_text(&error) { Failure::usage(error) } else { Failure::failed(error) }
}
