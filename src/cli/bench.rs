//! `facedown bench`: what the machine gives.

use std::path::PathBuf;
use std::time::Duration;

use clap::Args;

use super::{Common, Failure, PlayerSpec, TerminalProgress, print, print_line};
use crate::eval::Device;
use crate::game::Game;
use crate::pipeline::{LoopConfig, OneThread, Speed, SpeedError, SpeedTest};
use crate::rules::{Task, dispatch};

/// Measure how fast the network judges positions, and how much of that self-play leaves
///
/// Self-play and the bare network take turns within every few seconds, by all threads and by one, so that a busy
/// machine changes the speeds and hardly the ratios. Takes the settings of `loop`.
#[derive(Debug, Args)]
pub struct BenchArgs {
    /// A checkpoint to measure with [default: an untrained network of the settings' shape]
    #[arg(long, value_name = "CKPT")]
    net: Option<PlayerSpec>,
    /// Rounds of measurement, each four slices
    #[arg(long, value_name = "N", default_value_t = 6, value_parser = clap::value_parser!(u32).range(1..=10_000))]
    rounds: u32,
    /// Milliseconds of a slice
    #[arg(long, value_name = "MS", default_value_t = 1500, value_parser = clap::value_parser!(u64).range(50..=600_000))]
    slice: u64,
    /// Print JSON
    #[arg(long)]
    json: bool,
}

impl BenchArgs {
    /// # Errors
    ///
    /// Usage errors for wrong settings or a player without a network, failures for what goes wrong at work.
    pub fn run(self, common: &Common) -> Result<(), Failure> {
        let mut config: LoopConfig = common.settings()?;
        common.override_rule_names(&mut config.rules);
        config.seed = common.seed.unwrap_or(config.seed);
        let checkpoint = match &self.net {
            None => None,
            Some(PlayerSpec::Checkpoint(path)) => Some(path.clone()),
            Some(player) => {
                return Err(Failure::usage(format!(
                    "--net {player}: expected the folder of a checkpoint to measure with"
                )));
            }
        };
        dispatch(common.game(), Measure { config, arguments: self, checkpoint, common })
    }
}

struct Measure<'a> {
    config: LoopConfig,
    arguments: BenchArgs,
    checkpoint: Option<PathBuf>,
    common: &'a Common,
}

impl Task for Measure<'_> {
    type Out = Result<(), Failure>;

    fn run<G: Game>(self) -> Result<(), Failure> {
        let Self { config, arguments, checkpoint, common } = self;
        if let Some(net) = &arguments.net {
            net.evaluator::<G>(Device::Cpu).map_err(Failure::usage)?;
        }
        let folder = tempfile::tempdir()?;
        let test = SpeedTest::<G> {
            rules: &common.load_rules::<G>(config.rules.first())?,
            config: &config,
            checkpoint: checkpoint.as_deref(),
            rounds: arguments.rounds,
            slice: Duration::from_millis(arguments.slice),
            folder: folder.path(),
        };
        let progress = TerminalProgress::new(common.quiet);
        let speed = test.run(&common.pool()?, &progress).map_err(|error| match error {
            SpeedError::TooShort { .. } => Failure::usage(error),
            error => Failure::failed(error),
        })?;
        drop(progress);
        if arguments.json {
            print_line(serde_json::to_string_pretty(&speed)?)?;
        } else {
            print(told(&speed))?;
        }
        Ok(())
    }
}

fn told(speed: &Speed) -> String {
    let Speed { threads, batch, precision, visits, .. } = speed;
    let shares = &speed.share_of_time;
    let percent = |share: f64| format!("{:.1} %", 100.0 * share);
    let mut lines = vec![
        format!("{threads} threads, batches of {batch}, {precision}, {visits} visits a move"),
        format!("bare network  {:>8.0} positions/s", speed.raw_positions_per_s),
        format!(
            "self-play     {:>8.0} positions/s  ratio {:.3}  mean batch {:.1}",
            speed.selfplay_positions_per_s, speed.selfplay_ratio, speed.mean_batch
        ),
        format!(
            "of its time   search {}  planes {}  net {}  writing {}  waiting {}",
            percent(shares.search),
            percent(shares.planes),
            percent(shares.net),
            percent(shares.writing),
            percent(shares.waiting)
        ),
    ];
    if let Some(OneThread { raw_positions_per_s, selfplay_positions_per_s, selfplay_ratio, .. }) =
        &speed.one_thread
    {
        lines.push(format!(
            "one thread    {raw_positions_per_s:.0} and {selfplay_positions_per_s:.0} positions/s  ratio {selfplay_ratio:.3}"
        ));
    }
    if let Some(OneThread { raw_gain, selfplay_gain, gain_ratio, .. }) = &speed.one_thread {
        lines.push(format!(
            "gain from all threads: bare network {raw_gain:.2}, self-play {selfplay_gain:.2}, ratio {gain_ratio:.3}"
        ));
    }
    lines.join("\n") + "\n"
}
