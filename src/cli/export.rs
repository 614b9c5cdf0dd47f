//! `facedown export`: a network for other programs.

use std::fmt::Write;
use std::fs;
use std::path::{Path, PathBuf};

use clap::{Args, ValueEnum};

use super::match_rating::rating_by_match;
use super::{Failure, print_line};
use crate::game::Game;
use crate::net::{
    self, Card, Format, Layout, LossFigures, NetError, Network, card_at, exported_columns, load_network,
};
use crate::rules::{GameKind, Task, dispatch};

/// Write a network in a form that other programs read, with a card that says what it is
///
/// The folder made has the model, the checkpoint's card.toml, and README.md for people.
#[derive(Debug, Args)]
pub struct ExportArgs {
    /// The checkpoint
    #[arg(long, value_name = "CKPT")]
    net: PathBuf,
    /// How the model is written
    #[arg(long, value_enum, default_value_t)]
    format: FormatName,
    /// The folder to make, which is not there yet
    #[arg(long, value_name = "DIR")]
    out: PathBuf,
    /// Under which licence the network is given on, as the card is to say
    #[arg(long, value_name = "TEXT", default_value = env!("CARGO_PKG_LICENSE"))]
    licence: String,
    /// A match that `facedown match --out MATCH` kept: its score says how strong the network is, its opponent being
    /// worth 0
    #[arg(long, value_name = "MATCH")]
    elo_from: Option<PathBuf>,
}

#[derive(Debug, Clone, Copy, Default, ValueEnum)]
#[value(rename_all = "lowercase")]
enum FormatName {
    #[default]
    Safetensors,
    Torchscript,
}

impl ExportArgs {
    /// # Errors
    ///
    /// A usage error if there is no checkpoint, or something stands in the folder's place; a failure if the
    /// disk refuses.
    pub fn run(self) -> Result<(), Failure> {
        let card = card_at(&self.net).map_err(Failure::usage)?;
        let game: GameKind = card.game.parse().map_err(Failure::usage)?;
        dispatch(game, Export(&self))
    }
}

struct Export<'a>(&'a ExportArgs);

impl Task for Export<'_> {
    type Out = Result<(), Failure>;

    fn run<G: Game>(self) -> Self::Out {
        let ExportArgs { net, format, out, licence, elo_from } = self.0;
        let (mut card, network) = load_network(net, &Layout::of::<G>()).map_err(Failure::usage)?;
        if out.exists() {
            return Err(Failure::usage(format!(
                "--out {} exists; name a folder that is not there yet",
                out.display()
            )));
        }
        if let Some(played) = elo_from {
            card.rating = Some(rating_by_match(played, net)?);
        }
        let format = match format {
            FormatName::Safetensors => Format::Safetensors,
            FormatName::Torchscript => Format::TorchScript,
        };
        fs::create_dir_all(out).map_err(unwritable(out))?;
        net::export(&network, format, &out.join(format.file_name()))?;
        let texts = [("card.toml", card.to_toml()), ("README.md", readme(&card, &network, format, licence))];
        for (name, text) in texts {
            let path = out.join(name);
            fs::write(&path, text).map_err(unwritable(&path))?;
        }
        print_line(out.display())?;
        Ok(())
    }
}

fn unwritable(path: &Path) -> impl FnOnce(std::io::Error) -> NetError {
    let path = path.to_owned();
    move |source| NetError::Unwritable { path, source }
}

/// The card for people.
fn readme(card: &Card, network: &Network, format: Format, licence: &str) -> String {
    let training = &card.training;
    let mut text = format!("# A network for {}\n\n", card.game);
    let mut line = |name: &str, said: String| {
        writeln!(text, "- {name}: {said}").expect("a string takes all that is written to it");
    };
    line("file", format!("`{}`", format.file_name()));
    line("size", card.size());
    if format == Format::TorchScript {
        let columns = exported_columns(network);
        let told = columns.into_iter().map(|(name, number)| format!("{name} ({number})"));
        line("output, a row for each position", told.collect::<Vec<_>>().join("; "));
    }
    line("rules", training.rules.clone().unwrap_or_else(|| "none yet".into()));
    line(
        "trained for",
        format!("{} steps on {} positions, repeats counted", training.steps, training.samples),
    );
    line("last trained on", format!("{} games, {} positions", training.games, training.rows));
    for (name, figures) in [("losses", training.loss), ("losses on games held out", training.validation)] {
        line(name, figures.map_or("none measured".into(), |figures| losses(&figures)));
    }
    let not_measured = || "not measured; `facedown ladder` and `--elo-from` a match do".into();
    line("strength", card.rating.as_ref().map_or_else(not_measured, ToString::to_string));
    line("licence", licence.into());
    line("written by", format!("facedown {}", card.facedown));
    text.push_str("\n`card.toml` says what each input plane means and how the policy is ordered.\n");
    text
}

fn losses(figures: &LossFigures) -> String {
    let told = LossFigures::NAMES.into_iter().zip(figures.parts());
    let words = told.filter_map(|(name, figure)| Some(format!("{} {:.4}", name.replace('_', " "), figure?)));
    words.collect::<Vec<_>>().join(", ")
}
