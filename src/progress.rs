//! How long work tells of itself: the library reports, the command line decides what that looks like.

/// Listens to a long task and may ask it to stop.
pub trait Progress: Sync {
    /// A stage begins: `name` says which, `total` is how many `unit`s it will take, where known.
    fn stage(&self, name: &str, unit: &str, total: Option<u64>);

    /// `done` units of the current stage stand; `figures` is a short line of rates and counts.
    fn update(&self, done: u64, figures: &str);

    /// Something worth a line of its own.
    fn say(&self, line: &str);

    /// Figures worth keeping, by name: `series` says what they are about, `at` how far that has come, in steps
    /// or generations. Who only shows progress does not keep them.
    fn measured(&self, _series: &str, _at: u64, _figures: &[(&str, f64)]) {}

    /// Whether the user asked to stop. Long work looks here often and leaves only whole files behind.
    fn interrupted(&self) -> bool;
}

/// Reports to nobody and is never interrupted.
pub struct Silent;

impl Progress for Silent {
    fn stage(&self, _name: &str, _unit: &str, _total: Option<u64>) {}

    fn update(&self, _done: u64, _figures: &str) {}

    fn say(&self, _line: &str) {}

    fn interrupted(&self) -> bool {
        false
    }
}
