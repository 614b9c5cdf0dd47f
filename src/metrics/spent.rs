//! What work has cost so far, in time of cores.

use super::{Line, Told};

/// For each of `lines`, in seconds, the time of cores that self-play and training had taken until then, whichever of
/// a run's processes did them; matches of networks measure what was learned and do not count. A process that dies
/// takes what it did since its last line with it. None for lines from before such time was told.
pub fn learning_seconds(lines: &[Line]) -> Vec<Option<f64>> {
    let mut clock = Clock::default();
    lines.iter().map(|line| clock.read(line)).collect()
}

#[derive(Default)]
struct Clock {
    learned: f64,
    /// What the process that writes the lines had taken by its last one.
    process: f64,
    /// Whether the stage that runs is one of learning.
    learns: bool,
    is_told: bool,
}

impl Clock {
    fn read(&mut self, line: &Line) -> Option<f64> {
        if let Some(process) = line.core_seconds {
            // A smaller figure is that of another process, which began at 0.
            let since = if process < self.process { process } else { process - self.process };
            self.process = process;
            self.is_told = true;
            self.learned += if self.learns { since } else { 0.0 };
        }
        if let Told::Stage { stage, .. } = &line.told {
            self.learns = stage.starts_with("self-play") || ["reading", "training"].contains(&stage.as_str());
        }
        self.is_told.then_some(self.learned)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn stage(stage: &str, core_seconds: f64) -> Line {
        let told = Told::Stage { stage: stage.into(), unit: "games".into(), total: None, generation: None };
        Line { time: 0.0, core_seconds: Some(core_seconds), told }
    }

    #[test]
    fn stages_of_learning_count_and_matches_do_not_over_all_processes_of_a_run() {
        let lines = [
            stage("self-play by material", 1.0),
            stage("training", 11.0),
            stage("gen-001 against material", 14.0),
            stage("self-play by gen-001", 114.0),
            // Killed after 6 seconds of self-play; the next process takes 2 to begin.
            stage("self-play by gen-001", 120.0),
            stage("self-play by gen-001", 2.0),
            stage("training", 22.0),
        ];
        let expected = [0.0, 10.0, 13.0, 13.0, 19.0, 21.0, 41.0];
        assert_eq!(learning_seconds(&lines), expected.map(Some));
        let old = Line { core_seconds: None, ..lines[0].clone() };
        assert_eq!(learning_seconds(&[old]), [None]);
    }
}
