//! `facedown doctor`: each ailment in a made-up run that has nothing else, and none in a healthy one.

use std::fs;
use std::path::Path;

use facedown::record::GameRecord;
use serde_json::{Value, json};

use crate::program::{stderr_of_failure, stdout};
use crate::toy_games;

/// A run made up of figures and games.
struct Run {
    folder: tempfile::TempDir,
    lines: Vec<Value>,
    games: Vec<GameRecord>,
}

impl Run {
    /// A run in which nothing is off.
    fn healthy() -> Self {
        let folder = tempfile::tempdir().expect("a folder");
        let mut games = toy_games::write_shards(&folder.path().join("toy"), 1, 60);
        for game in &mut games {
            game.result = [1, -1, 1, -1, 0][game.game_id as usize % 5];
            for ply in &mut game.plies {
                ply.result = if ply.seat == 0 { game.result } else { -game.result };
                let doubt = if ply.ply % 4 < 2 { 0.4 } else { -0.4 };
                ply.net_value = 0.6 * f32::from(ply.result) + doubt;
                let moves = ply.candidates.len() as f32;
                ply.candidates.iter_mut().for_each(|candidate| candidate.prior = 1.0 / moves);
            }
        }
        let mut run = Self { folder, lines: Vec::new(), games };
        run.tell("run", json!({"generations": 9, "threads": 2, "slots": 64}));
        run.lines
            .push(json!({"kind": "stage", "stage": "self-play by gen-003", "unit": "games", "total": 400}));
        run.remember(|_| 900.0);
        let parts = json!({
            "batch_fill": 0.97, "mean_batch": 62.1, "share_search": 0.05, "share_planes": 0.03, "share_net": 0.89,
            "share_writing": 0.01, "share_waiting": 0.02,
        });
        run.tell("selfplay", parts);
        run.tell("training", json!({"policy_loss": 2.1, "value_loss": 0.91}));
        run.tell("validation", json!({"policy_loss": 2.2, "value_loss": 0.93}));
        run.tell("trained", json!({"reuse": 4.0}));
        let seconds = json!({"selfplay_seconds": 600, "training_seconds": 300, "gate_seconds": 60, "rating_seconds": 0});
        run.tell("generation", seconds);
        run
    }

    fn tell(&mut self, series: &str, figures: Value) {
        self.lines.push(json!({"kind": "figures", "series": series, "at": 3, "figures": figures}));
    }

    /// Two hours of progress, with this memory after so many hours.
    fn remember(&mut self, memory: impl Fn(f64) -> f64) {
        for minute in 0..120 {
            let (time, memory) = (60.0 * f64::from(minute), memory(f64::from(minute) / 60.0));
            let line =
                json!({"time": time, "kind": "progress", "done": minute, "figures": "", "memory": memory});
            self.lines.push(line);
        }
    }

    fn findings(&self) -> Vec<String> {
        let examination = self.examined();
        assert_eq!(examination["untold"], json!([]), "{examination}");
        let findings = examination["findings"].as_array().expect("a list");
        findings.iter().map(|finding| finding["ailment"].as_str().expect("a name").to_owned()).collect()
    }

    fn examined(&self) -> Value {
        let text: String = self
            .lines
            .iter()
            .map(|line| {
                let mut line = line.clone();
                line.as_object_mut().expect("a line").entry("time").or_insert(json!(0.0));
                format!("{line}\n")
            })
            .collect();
        fs::write(self.folder.path().join("metrics.jsonl"), text).expect("written");
        let dataset = toy_games::dataset(&self.folder.path().join("data"));
        dataset.write_shard("g003-", 0, &self.games).expect("written");
        examine(self.folder.path())
    }
}

fn examine(run: &Path) -> Value {
    let run = run.to_str().expect("UTF-8");
    let told = stdout(&["doctor", "--run", run]);
    let examination: Value =
        serde_json::from_str(&stdout(&["doctor", "--json", "--run", run])).expect("JSON");
    for finding in examination["findings"].as_array().expect("a list") {
        assert!(told.contains(finding["seen"].as_str().expect("a text")), "{told}");
        assert!(told.contains(finding["remedy"].as_str().expect("a text")), "{told}");
    }
    examination
}

#[test]
fn a_healthy_run_has_nothing() {
    let run = Run::healthy();
    assert_eq!(run.findings(), [""; 0]);
    assert_eq!(stdout(&["doctor", "--run", run.folder.path().to_str().expect("UTF-8")]), "nothing is off\n");
}

#[test]
fn figures_that_are_off_are_found_one_by_one() {
    let selfplay = |part: &str, share: f64, net: f64| {
        let mut figures = json!({"batch_fill": 0.97, "mean_batch": 62.1, "share_net": net});
        figures[part] = share.into();
        figures
    };
    let given_up = |played_out: u32, mistaken: u32| {
        let mut figures = selfplay("share_search", 0.05, 0.9);
        for (part, figure) in [("resigned", 400), ("played_out", played_out), ("mistaken", mistaken)] {
            figures[part] = figure.into();
        }
        figures["most_mistaken"] = 0.05.into();
        figures
    };
    let mut patient = Run::healthy();
    patient.tell("selfplay", given_up(90, 4));
    assert_eq!(patient.findings(), [""; 0]);
    let mut untested = Run::healthy();
    untested.tell("selfplay", given_up(5, 3));
    assert_eq!(untested.examined()["untold"], json!(["resignation: 5 games played out are too few"]));
    // Wilson's interval of 6 among 90.
    let mut hasty = Run::healthy();
    hasty.tell("selfplay", given_up(90, 6));
    let seen = hasty.examined()["findings"][0]["seen"].as_str().expect("a text").to_owned();
    assert!(
        seen.ends_with("6 of 90 played out were not lost: 6.7 %  (95 % interval 3.1 to 13.8 %)"),
        "{seen}"
    );
    let status = stdout(&["status", "--run", hasty.folder.path().to_str().expect("UTF-8")]);
    assert!(status.contains(seen.split_once(": ").expect("figures").1), "{status}");
    for (series, figures, ailment) in [
        ("generation", json!({"selfplay_seconds": 100, "training_seconds": 800}), "starved-stage"),
        (
            "generation",
            json!({"selfplay_seconds": 300, "training_seconds": 100, "gate_seconds": 500}),
            "starved-stage",
        ),
        ("selfplay", selfplay("share_waiting", 0.3, 0.6), "starved-stage"),
        ("selfplay", selfplay("share_search", 0.5, 0.4), "starved-stage"),
        ("selfplay", json!({"batch_fill": 0.4, "mean_batch": 25.6, "share_net": 0.9}), "batch-fill"),
        ("trained", json!({"reuse": 0.2}), "reuse"),
        ("trained", json!({"reuse": 40.0}), "reuse"),
        ("validation", json!({"policy_loss": 2.2, "value_loss": 1.2}), "overfitting"),
        ("selfplay", given_up(90, 6), "resignation"),
    ] {
        let mut run = Run::healthy();
        run.tell(series, figures.clone());
        assert_eq!(run.findings(), [ailment], "{series}: {figures}");
    }
}

#[test]
fn memory_that_grows_is_told_from_memory_that_is_taken_once() {
    let mut leaking = Run::healthy();
    leaking.lines.retain(|line| line["kind"] != "progress");
    leaking.remember(|hours| 900.0 + 30.0 * hours);
    // Progress belongs to the stage before it.
    let stage = leaking.lines.iter().position(|line| line["kind"] == "stage").expect("a stage");
    let stage = leaking.lines.remove(stage);
    let at = leaking.lines.iter().position(|line| line["kind"] == "progress").expect("progress");
    leaking.lines.insert(at, stage);
    assert_eq!(leaking.findings(), ["memory"]);

    let mut warming_up = Run::healthy();
    for line in warming_up.lines.iter_mut().filter(|line| line["kind"] == "progress") {
        let time = line["time"].as_f64().expect("a time");
        line["memory"] = json!(if time < 600.0 { 300.0 + time } else { 900.0 });
    }
    assert_eq!(warming_up.findings(), [""; 0]);
}

#[test]
fn games_that_are_off_are_found_one_by_one() {
    let mut collapsed = Run::healthy();
    for candidate in collapsed.games.iter_mut().flat_map(|game| &mut game.plies) {
        candidate.candidates.iter_mut().for_each(|candidate| candidate.prior = 0.001);
        candidate.candidates[0].prior = 0.97;
    }
    assert_eq!(collapsed.findings(), ["policy-collapse"]);

    let mut drawn = Run::healthy();
    for game in drawn.games.iter_mut().filter(|game| game.game_id % 10 != 0) {
        game.result = 0;
        for ply in &mut game.plies {
            ply.result = 0;
            ply.net_value = 0.0;
        }
    }
    assert_eq!(drawn.findings(), ["draw-rate"]);

    // Values that have nothing to do with results, and values that hardly leave zero.
    for value in [|result: f32, doubt: f32| 0.2 * result + 2.0 * doubt, |result: f32, _: f32| 0.1 * result] {
        let mut off = Run::healthy();
        for ply in off.games.iter_mut().flat_map(|game| &mut game.plies) {
            let result = f32::from(ply.result);
            ply.net_value = value(result, ply.net_value - 0.6 * result);
        }
        assert_eq!(off.findings(), ["calibration"]);
    }
}

#[test]
fn what_cannot_be_told_yet_is_named() {
    let folder = tempfile::tempdir().expect("a folder");
    let errors = stderr_of_failure(&["doctor", "--run", folder.path().to_str().expect("UTF-8")], 2);
    assert!(errors.contains("no run"), "{errors}");
    fs::write(folder.path().join("metrics.jsonl"), "").expect("written");
    fs::create_dir(folder.path().join("data")).expect("made");
    let examination = examine(folder.path());
    assert_eq!(examination["findings"], json!([]));
    assert_eq!(examination["untold"].as_array().expect("a list").len(), 6, "{examination}");
}
