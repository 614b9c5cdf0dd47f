//! The course of long work, kept where other programs can read it while it goes on.
//!
//! A folder has `metrics.jsonl`, one JSON object a line, and `tensorboard/` with the same figures as event
//! files. Both only ever grow. Work that was cut off and goes on tells again what it does again: of two lines
//! about one thing the later holds.

mod line;
mod memory;
mod processor;
mod spent;
mod tensorboard;

use std::fs::{self, File, OpenOptions};
use std::io::{self, Read, Seek, SeekFrom, Write};
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Mutex, PoisonError};
use std::time::{Duration, Instant, SystemTime, UNIX_EPOCH};

pub use line::{Ended, Line, Told, read};
pub use memory::{give_back_freed, keep_freed, resident_megabytes};
pub use processor::core_seconds;
pub use spent::learning_seconds;
use tensorboard::EventFile;

use crate::progress::Progress;

/// Between two lines about how far a stage has come.
const PROGRESS_EVERY: Duration = Duration::from_secs(5);

/// The file of lines in its folder.
pub const FILE: &str = "metrics.jsonl";

/// The folder of event files.
const EVENTS: &str = "tensorboard";

/// Figures cannot be kept, or not be read.
#[derive(Debug, thiserror::Error)]
pub enum MetricsError {
    #[error("cannot write the figures of the run to {}", path.display())]
    Unwritable { path: PathBuf, source: io::Error },
    #[error("cannot read the figures of the run in {}", path.display())]
    Unreadable { path: PathBuf, source: io::Error },
}

/// Keeps what work tells of itself, and passes it on to whoever listened before.
pub struct Metrics<'a> {
    outer: &'a dyn Progress,
    folder: PathBuf,
    /// The generation that is worked on; [`NO_GENERATION`] if there are none.
    generation: AtomicU64,
    files: Mutex<Files>,
}

/// What stands for no generation.
const NO_GENERATION: u64 = u64::MAX;

struct Files {
    lines: File,
    events: EventFile,
    /// Units of the stage that runs, where known.
    total: Option<u64>,
    /// When the last line about its progress was written.
    last: Option<Instant>,
    /// Whether the disk has refused, which is told once.
    refused: bool,
}

impl<'a> Metrics<'a> {
    /// Keeps what is told from now on in `folder`, behind what is there.
    ///
    /// # Errors
    ///
    /// If the disk refuses.
    pub fn open(folder: &Path, outer: &'a dyn Progress) -> Result<Self, MetricsError> {
        let open = || -> io::Result<Files> {
            let events = folder.join(EVENTS);
            fs::create_dir_all(&events)?;
            let events = EventFile::create(&events, now())?;
            Ok(Files {
                lines: open_lines(&folder.join(FILE))?,
                events,
                total: None,
                last: None,
                refused: false,
            })
        };
        let files = open().map_err(|source| MetricsError::Unwritable { path: folder.into(), source })?;
        let generation = AtomicU64::new(NO_GENERATION);
        Ok(Self { outer, folder: folder.into(), generation, files: Mutex::new(files) })
    }

    /// What follows is about this generation.
    pub fn begin_generation(&self, generation: u32) {
        self.generation.store(generation.into(), Ordering::Relaxed);
    }

    /// Work has come to an end.
    pub fn end(&self, how: Ended) {
        self.write(Told::End { how });
    }

    fn write(&self, told: Told) {
        let refusal = self.with_files(|files| {
            let error = files.write(told).err()?;
            (!std::mem::replace(&mut files.refused, true)).then_some(error)
        });
        if let Some(error) = refusal {
            let path = self.folder.display();
            self.outer.say(&format!("figures of the run could not be kept in {path}: {error}"));
        }
    }

    fn with_files<T>(&self, act: impl FnOnce(&mut Files) -> T) -> T {
        act(&mut self.files.lock().unwrap_or_else(PoisonError::into_inner))
    }

    fn generation(&self) -> Option<u64> {
        Some(self.generation.load(Ordering::Relaxed)).filter(|&generation| generation != NO_GENERATION)
    }
}

impl Progress for Metrics<'_> {
    fn stage(&self, name: &str, unit: &str, total: Option<u64>) {
        self.outer.stage(name, unit, total);
        let generation = self.generation();
        self.with_files(|files| (files.total, files.last) = (total, None));
        self.write(Told::Stage { stage: name.into(), unit: unit.into(), total, generation });
    }

    fn update(&self, done: u64, figures: &str) {
        self.outer.update(done, figures);
        let is_due = self.with_files(|files| {
            let is_due =
                files.total == Some(done) || files.last.is_none_or(|last| last.elapsed() >= PROGRESS_EVERY);
            if is_due {
                files.last = Some(Instant::now());
            }
            is_due
        });
        if is_due {
            let memory = resident_megabytes();
            self.write(Told::Progress { done, figures: figures.into(), memory });
        }
    }

    fn say(&self, line: &str) {
        self.outer.say(line);
    }

    fn measured(&self, series: &str, at: u64, figures: &[(&str, f64)]) {
        self.outer.measured(series, at, figures);
        // JSON has no other numbers, and a figure that is none says nothing.
        let finite = figures.iter().filter(|(_, value)| value.is_finite());
        let figures = finite.map(|&(name, value)| (name.to_owned(), value)).collect();
        self.write(Told::Figures { series: series.into(), at, figures });
    }

    fn interrupted(&self) -> bool {
        self.outer.interrupted()
    }
}

impl Files {
    fn write(&mut self, told: Told) -> io::Result<()> {
        let line = Line { time: now(), core_seconds: core_seconds(), told };
        // In one piece, so that a process that dies leaves at most one line unfinished.
        self.lines.write_all(line.to_text().as_bytes())?;
        if let Told::Figures { series, at, figures } = &line.told {
            for (name, &value) in figures {
                self.events.scalar(line.time, *at, &format!("{series}/{name}"), value as f32)?;
            }
        }
        Ok(())
    }
}

/// Opens a file of lines to go on behind its last whole one.
fn open_lines(path: &Path) -> io::Result<File> {
    let mut file = OpenOptions::new().read(true).append(true).create(true).open(path)?;
    let length = file.seek(SeekFrom::End(0))?;
    if length > 0 {
        let mut last = [0];
        file.seek(SeekFrom::Start(length - 1))?;
        file.read_exact(&mut last)?;
        if last != *b"\n" {
            file.write_all(b"\n")?;
        }
    }
    Ok(file)
}

/// Seconds since 1970.
fn now() -> f64 {
    SystemTime::now().duration_since(UNIX_EPOCH).map_or(0.0, |time| time.as_secs_f64())
}
