//! Progress on a terminal as a bar, elsewhere as plain lines; and the user's wish to stop.

use std::io::IsTerminal;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Mutex, Once, PoisonError};
use std::time::{Duration, Instant};

use indicatif::{ProgressBar, ProgressDrawTarget, ProgressStyle};

use super::tell;
use crate::progress::Progress;

/// Between two plain lines of one stage.
const PLAIN_INTERVAL: Duration = Duration::from_secs(10);

static INTERRUPTED: AtomicBool = AtomicBool::new(false);

/// Shows progress on stderr and listens for Ctrl-C.
pub struct TerminalProgress {
    shown: Shown,
    stage: Mutex<Stage>,
}

#[derive(Clone, Copy, PartialEq)]
enum Shown {
    Nothing,
    Lines,
    Bar,
}

struct Stage {
    name: String,
    unit: String,
    total: Option<u64>,
    bar: Option<ProgressBar>,
    last_line: Instant,
}

impl TerminalProgress {
    /// From now on the first Ctrl-C asks long work to stop at the next safe point, the second ends the
    /// program at once.
    pub fn new(quiet: bool) -> Self {
        static LISTEN: Once = Once::new();
        LISTEN.call_once(|| {
            // Without a handler Ctrl-C ends the program at once, which every file format here survives.
            let _ = ctrlc::set_handler(|| {
                if INTERRUPTED.swap(true, Ordering::SeqCst) {
                    // Without the clean-up of `exit`, which takes libtorch apart under the feet of its threads.
                    signal_hook::low_level::exit(130);
                }
                tell("stopping at the next safe point; again to stop at once");
            });
        });
        let shown = match (quiet, std::io::stderr().is_terminal()) {
            (true, _) => Shown::Nothing,
            (false, true) => Shown::Bar,
            (false, false) => Shown::Lines,
        };
        let stage = Stage {
            name: String::new(),
            unit: String::new(),
            total: None,
            bar: None,
            last_line: Instant::now(),
        };
        Self { shown, stage: Mutex::new(stage) }
    }

    fn with_stage<T>(&self, act: impl FnOnce(&mut Stage) -> T) -> T {
        act(&mut self.stage.lock().unwrap_or_else(PoisonError::into_inner))
    }
}

impl Progress for TerminalProgress {
    fn stage(&self, name: &str, unit: &str, total: Option<u64>) {
        self.with_stage(|stage| {
            stage.finish();
            *stage = Stage {
                name: name.into(),
                unit: unit.into(),
                total,
                bar: (self.shown == Shown::Bar).then(|| bar(name, unit, total)),
                last_line: Instant::now(),
            };
        });
        if self.shown == Shown::Lines {
            match total {
                Some(total) => tell(format_args!("{name}: {total} {unit}")),
                None => tell(name),
            }
        }
    }

    fn update(&self, done: u64, figures: &str) {
        self.with_stage(|stage| {
            if let Some(bar) = &stage.bar {
                bar.set_position(done);
                bar.set_message(figures.to_owned());
            }
            let finished = stage.total == Some(done);
            if self.shown == Shown::Lines && (finished || stage.last_line.elapsed() >= PLAIN_INTERVAL) {
                stage.last_line = Instant::now();
                let total = stage.total.map(|total| format!("/{total}")).unwrap_or_default();
                tell(format_args!("{}: {done}{total} {}  {figures}", stage.name, stage.unit));
            }
        });
    }

    fn say(&self, line: &str) {
        self.with_stage(|stage| match (&stage.bar, self.shown) {
            (Some(bar), _) => bar.suspend(|| tell(line)),
            (None, Shown::Nothing) => {}
            (None, _) => tell(line),
        });
    }

    fn interrupted(&self) -> bool {
        INTERRUPTED.load(Ordering::SeqCst)
    }
}

impl Drop for TerminalProgress {
    fn drop(&mut self) {
        self.with_stage(Stage::finish);
    }
}

impl Stage {
    /// Leaves the bar's last state on the screen.
    fn finish(&mut self) {
        if let Some(bar) = self.bar.take() {
            bar.abandon();
        }
    }
}

fn bar(name: &str, unit: &str, total: Option<u64>) -> ProgressBar {
    let template = match total {
        Some(_) => "{prefix} {wide_bar} {pos}/{len} {unit} {msg} [{elapsed} < {eta}]",
        None => "{prefix} {spinner} {pos} {unit} {msg} [{elapsed}]",
    };
    let style = ProgressStyle::with_template(&template.replace("{unit}", unit))
        .expect("the template is a constant of this file");
    let bar = ProgressBar::with_draw_target(total, ProgressDrawTarget::stderr());
    bar.with_style(style).with_prefix(name.to_owned())
}
