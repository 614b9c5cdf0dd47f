//! Training, on toy games of Jieqi.

use std::collections::HashSet;
use std::fs;
use std::num::NonZeroU64;
use std::path::Path;
use std::process::Command;
use std::sync::Mutex;
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::Duration;

use facedown::game::{Encode, MoveList, Pool, Symmetry, View};
use facedown::net::{Checkpoint, Layout, NetConfig, Network, Place, Precision, card_at};
use facedown::progress::{Progress, Silent};
use facedown::record::Candidate;
use facedown::rules::jieqi::{Jieqi, JieqiView};
use facedown::train::{
    Batch, BeliefGain, Example, Extent, Fitted, Keep, LossWeights, Losses, PrecisionChoice, Rows, Secret,
    Shares, Shelf, TrainConfig, TrainError, Trainer, Window,
};
use facedown::units::{Count, Positive, Probability};
use rand::rngs::ChaCha8Rng;
use rand::{RngExt, SeedableRng};
use tch::Tensor;

use crate::toy_games;

fn count<const MOST: u64>(number: u64) -> Count<MOST> {
    Count::new(number).unwrap()
}

fn place(path: &Path) -> Place {
    Place::claim(path).unwrap()
}

pub fn small_net() -> NetConfig {
    NetConfig {
        channels: count(16),
        blocks: count(2),
        value_planes: count(16),
        value_width: count(16),
        ..NetConfig::default()
    }
}

pub fn config(number: u64) -> TrainConfig {
    let mut config = TrainConfig {
        steps: count(number),
        batch: count(64),
        validation: Probability::literal(0.2),
        ..TrainConfig::default()
    };
    config.schedule.learning_rate = Positive::literal(0.01);
    config.schedule.warm_up = 5;
    config
}

/// A dataset of two shards of sixty games, in `folder`.
pub fn window(folder: &Path, config: &TrainConfig) -> Window<Jieqi> {
    let data = folder.join("data");
    if !data.exists() {
        toy_games::write_shards(&data, 2, 60);
    }
    Window::load(&data, config).unwrap()
}

#[test]
fn losses_fall_on_a_toy_set() {
    let folder = tempfile::tempdir().unwrap();
    let out = folder.path().join("net");
    let config = config(60);
    let window = window(folder.path(), &config);
    let mut trainer = Trainer::new(&small_net(), config);
    let fitted = trainer.fit(&window, &place(&out), &Silent).unwrap();

    let losses = fs::read_to_string(out.join("losses.csv")).unwrap();
    let lines: Vec<Vec<&str>> = losses.lines().map(|line| line.split(',').collect()).collect();
    assert_eq!(lines.iter().map(|line| line[0]).collect::<Vec<_>>(), ["step", "20", "40", "60"]);
    let mean = |line: usize, column: usize| lines[line][column].parse::<f64>().unwrap();
    let [policy, value] = [3, 4].map(|column| (mean(1, column), mean(3, column)));
    assert!(policy.1 < policy.0 - 0.1, "policy loss from {} to {}", policy.0, policy.1);
    assert!(value.1 < value.0 - 0.05, "value loss from {} to {}", value.0, value.1);

    let card = Checkpoint::load(&out, &Layout::of::<Jieqi>()).unwrap().card;
    assert_eq!((card.training.steps, card.training.samples), (60, 60 * 64));
    assert_eq!(card.training.rules.as_deref(), Some("wxf"));
    assert_eq!((card.training.games, card.training.rows), (120, window.positions()));
    assert_eq!((card.training.loss, card.training.validation), (Some(fitted.loss), fitted.validation));
    let validation = fitted.validation.unwrap();
    let column = lines[0].iter().position(|name| *name == "validation_policy_loss").unwrap();
    assert_eq!(format!("{:.5}", validation.policy), lines[3][column]);
    // On games it never saw the network does better than one that has hardly begun.
    let untrained = Trainer::new(&small_net(), self::config(1))
        .fit(&window, &place(&folder.path().join("untrained")), &Silent)
        .unwrap();
    let untrained = untrained.validation.unwrap();
    assert!(validation.policy < untrained.policy - 0.2, "{validation:?} {untrained:?}");
    assert!(validation.value < untrained.value - 0.1, "{validation:?} {untrained:?}");
}

/// Asks to stop after a number of steps.
struct StopAfter {
    steps: u64,
    asked: AtomicU64,
}

impl Progress for StopAfter {
    fn stage(&self, _name: &str, _unit: &str, _total: Option<u64>) {}

    fn update(&self, _done: u64, _figures: &str) {}

    fn say(&self, _line: &str) {}

    fn interrupted(&self) -> bool {
        self.asked.fetch_add(1, Ordering::Relaxed) + 1 >= self.steps
    }
}

#[test]
fn training_that_is_broken_off_goes_on_as_if_it_had_not_been() {
    let folder = tempfile::tempdir().unwrap();
    let [whole, broken] = ["whole", "broken"].map(|name| folder.path().join(name));
    let window = window(folder.path(), &config(12));
    let stop = StopAfter { steps: 5, asked: AtomicU64::new(0) };

    let whole_run = Trainer::new(&small_net(), config(12)).fit(&window, &place(&whole), &Silent).unwrap();
    let first = Trainer::new(&small_net(), config(12)).fit(&window, &place(&broken), &stop).unwrap();
    assert!(matches!(first, Fitted { steps: 5, interrupted: true, .. }), "{first:?}");
    let second = Trainer::resume(&broken, config(7)).unwrap().fit(&window, &place(&broken), &Silent).unwrap();
    assert!(matches!(second, Fitted { steps: 7, interrupted: false, .. }), "{second:?}");
    assert_eq!(second.validation, whole_run.validation);

    let layout = Layout::of::<Jieqi>();
    let [whole, broken] = [whole, broken].map(|path| Checkpoint::load(&path, &layout).unwrap());
    assert_eq!(whole.card, broken.card);
    assert_eq!(whole.losses, broken.losses);
    assert_same_tensors(whole.network.tensors(), broken.network.tensors());
    assert_same_tensors(whole.training, broken.training);
}

#[test]
fn what_is_learned_does_not_depend_on_the_threads() {
    let folder = tempfile::tempdir().unwrap();
    let fit = |name: &str, pool_threads, parts, threads: Option<u64>| {
        let out = folder.path().join(name);
        let config = TrainConfig { parts: count(parts), threads: threads.map(count), ..config(3) };
        let window = window(folder.path(), &config);
        let pool = rayon::ThreadPoolBuilder::new().num_threads(pool_threads).build().unwrap();
        pool.install(|| Trainer::new(&small_net(), config).fit(&window, &place(&out), &Silent)).unwrap();
        let Checkpoint { training, losses, .. } = Checkpoint::load(&out, &Layout::of::<Jieqi>()).unwrap();
        (training, losses)
    };
    let (training, losses) = fit("by one", 1, 3, None);
    for (name, pool_threads, threads) in [
        ("by two", 2, None),
        ("by three", 3, None),
        ("by two of three", 3, Some(2)),
        ("one of many", 3, Some(1)),
    ] {
        let again = fit(name, pool_threads, 3, threads);
        assert_eq!(again.1, losses, "{name}");
        assert_same_tensors(again.0, training.iter().map(|(name, x)| (name.clone(), x.copy())).collect());
    }
    assert_ne!(fit("in two parts", 2, 2, None).1, losses);
}

#[test]
fn the_gradient_is_that_of_the_whole_batch_however_it_is_cut() {
    let texts: Vec<String> = toy_games::positions(7, 3).iter().map(ToString::to_string).collect();
    let first_moves: Vec<_> =
        toy_games::positions(7, 3).iter().map(|view| [(legal_moves(view)[0], 1.0)]).collect();
    let (pool, taken) = ([2, 2, 1, 2, 2, 4], [1, 0, 0, 0, 0, 2]);
    // What is known of each row: whether it has a policy, a settlement, a secret. No two parts have as many.
    let known = [(1, 1, 0), (0, 0, 0), (1, 0, 1), (1, 1, 0), (0, 1, 1), (1, 1, 1), (1, 0, 1)];
    let examples: Vec<_> = known
        .iter()
        .enumerate()
        .map(|(row, &(policy, settlement, secret))| Example {
            result: (row % 3) as i8 - 1,
            plies_left: 10 * row as u16 + 1,
            full_search: policy == 1,
            settlement: (settlement == 1).then_some(0.5),
            secret: (secret == 1).then_some(Secret { pool: &pool, taken: &taken }),
            ..example(&texts[row], &first_moves[row])
        })
        .map(|example| (example, None))
        .collect();
    let batch = Batch::encode::<Jieqi>(&examples, &[toy_games::rules()], Probability::ZERO).unwrap();

    // Batch norm by fixed statistics, for those of a batch are not those of its parts; weights that are not 0
    // anywhere.
    let gradients = |parts: usize| {
        let network = Network::new(&small_net(), &Layout::of::<Jieqi>(), 1);
        for (_, parameter) in network.parameters() {
            let _ = tch::no_grad(|| parameter.shallow_clone().g_add_scalar_(0.01));
        }
        for part in batch.cut(parts) {
            let losses = Losses::of(&network.forward(&part.planes, false), &part);
            losses.total(&LossWeights::default(), Shares::of(&part, &batch)).backward();
        }
        network.parameters()
    };
    let whole = gradients(1);
    for parts in [2, 3, 7, 20] {
        for ((name, whole), (_, added)) in whole.iter().zip(gradients(parts)) {
            let (whole, added) = (whole.grad(), added.grad());
            let size = whole.abs().max().double_value(&[]);
            assert!(size > 0.0, "{name} learns nothing");
            let off = (&whole - added).abs().max().double_value(&[]);
            assert!(off < 1e-5 * size.max(0.1), "{name} in {parts} parts: off by {off}, of {size}");
        }
    }
}

/// What lies on the shelf of the checkpoint at `path`, whole or not.
fn on_shelf(path: &Path) -> Vec<String> {
    let folder = Shelf::of(path, Keep::default()).folder().to_owned();
    let entries = fs::read_dir(folder).map(|entries| entries.collect::<Vec<_>>()).unwrap_or_default();
    let mut names: Vec<_> =
        entries.into_iter().map(|entry| entry.unwrap().file_name().into_string().unwrap()).collect();
    names.sort();
    names
}

#[test]
fn the_last_checkpoints_and_the_best_are_kept() {
    let folder = tempfile::tempdir().unwrap();
    let out = folder.path().join("net");
    let config = |steps, rate| {
        let mut config = TrainConfig {
            save_every: NonZeroU64::new(4).unwrap(),
            validate_every: NonZeroU64::new(3).unwrap(),
            ..config(steps)
        };
        config.schedule.learning_rate = Positive::literal(rate);
        config
    };
    let window = window(folder.path(), &config(1, 0.01));
    let shelf = Shelf::of(&out, Keep { last: 3, best: true });
    let mut trainer = Trainer::new(&small_net(), config(6, 0.01));
    trainer.keep_on(shelf.clone());
    trainer.fit(&window, &place(&out), &Silent).unwrap();
    assert_eq!(on_shelf(&out), ["best", "step-0000000004", "step-0000000006"]);
    // A rate at which the network gets worse.
    let mut trainer = Trainer::<Jieqi>::resume(&out, config(8, 0.3)).unwrap();
    trainer.keep_on(shelf.clone());
    trainer.fit(&window, &place(&out), &Silent).unwrap();
    assert_eq!(on_shelf(&out), ["best", "step-0000000008", "step-0000000012", "step-0000000014"]);
    let load = |path: &Path| Checkpoint::load(path, &Layout::of::<Jieqi>()).unwrap();
    let kept: Vec<Checkpoint> = shelf.kept().unwrap().iter().map(|path| load(path)).collect();
    let newest = load(&out);
    assert_eq!(kept.iter().skip(1).map(|kept| kept.card.training.steps).collect::<Vec<_>>(), [8, 12, 14]);
    assert_same_tensors(load(&shelf.kept().unwrap()[3]).training, newest.training);

    // The best by hand, from the table of losses.
    let lines: Vec<Vec<&str>> = newest.losses.lines().map(|line| line.split(',').collect()).collect();
    let weights = LossWeights::default();
    let sum = |line: &Vec<&str>| -> f64 {
        let counted = [
            ("policy", 1.0),
            ("value", 1.0),
            ("plies_left", weights.plies_left.get()),
            ("belief", weights.belief.get()),
        ];
        let column = |name: &str| {
            lines[0].iter().position(|found| *found == format!("validation_{name}_loss")).unwrap()
        };
        counted.iter().map(|(name, weight)| line[column(name)].parse::<f64>().unwrap() * weight).sum()
    };
    let best = lines[1..].iter().min_by(|a, b| sum(a).total_cmp(&sum(b))).unwrap();
    let measured: Vec<u64> = lines[1..].iter().map(|line| line[0].parse().unwrap()).collect();
    assert_eq!(measured, [3, 6, 9, 12, 14]);
    let steps = kept[0].card.training.steps;
    assert!(best[0] == steps.to_string() && steps <= 6, "{steps}: {}", newest.losses);

    // What goes on from it keeps on by what lies there.
    let mut trainer = Trainer::<Jieqi>::resume(&out, config(14, 0.3)).unwrap();
    trainer.keep_on(Shelf::of(&out, Keep { last: 1, best: true }));
    trainer.fit(&window, &place(&out), &Silent).unwrap();
    assert_eq!(on_shelf(&out), ["best", "step-0000000028"]);
    assert_eq!(load(&shelf.kept().unwrap()[0]).card.training.steps, steps);
}

#[test]
fn checkpoints_that_are_kept_are_whole_whenever_training_is_killed() {
    let folder = tempfile::tempdir().unwrap();
    toy_games::write_shards(&folder.path().join("data"), 1, 10);
    let net = folder.path().join("net");
    let train = |steps: &str, more: &[&str]| {
        let mut command = Command::new(env!("CARGO_BIN_EXE_facedown"));
        command
            .current_dir(folder.path())
            .args(["train", "--data", "data", "--out", "net", "--quiet", "--threads", "1", "--steps", steps])
            .args([
                "--set",
                "train.batch=4",
                "--set",
                "train.save_every=1",
                "--set",
                "train.validate_every=1",
            ])
            .args(more);
        command
    };
    let shape = ["--set", "net.channels=8", "--set", "net.blocks=1"];
    assert!(train("1", &shape).status().unwrap().success());
    let mut rng = ChaCha8Rng::seed_from_u64(5);
    for _ in 0..4 {
        let steps = || card_at(&net).map_or(0, |card| card.training.steps);
        let before = steps();
        let mut run = train("1000000", &["--from", "net"]).spawn().unwrap();
        // Once it is at work, at any moment of a step.
        while steps() < before + 2 {
            assert!(run.try_wait().unwrap().is_none(), "training goes on");
        }
        std::thread::sleep(Duration::from_micros(rng.random_range(0..30_000)));
        run.kill().unwrap();
        run.wait().unwrap();
        let kept = Shelf::of(&net, Keep::default()).kept().unwrap();
        assert!(kept.len() >= 3, "{kept:?}");
        for path in &kept {
            Checkpoint::load(path, &Layout::of::<Jieqi>()).unwrap();
        }
    }
    assert!(train("1", &["--from", "net"]).status().unwrap().success());
    let names = on_shelf(&net);
    assert!(names.len() == 4 && names[0] == "best", "nothing is left behind: {names:?}");
    let output = Command::new(env!("CARGO_BIN_EXE_facedown"))
        .current_dir(folder.path())
        .args(["status", "--run", "net.metrics"])
        .output()
        .unwrap();
    let told = String::from_utf8(output.stdout).unwrap();
    assert!(names.iter().all(|name| told.contains(&format!("net.kept/{name}: "))), "{told}");
    fs::remove_dir_all(&net).unwrap();
    let refused = train("1", &[]).output().unwrap();
    assert_eq!(refused.status.code(), Some(2), "{refused:?}");
    assert!(String::from_utf8(refused.stderr).unwrap().contains("net.kept"));
}

/// Keeps what it is told.
#[derive(Default)]
struct Listener(Mutex<Vec<String>>);

impl Progress for Listener {
    fn stage(&self, _name: &str, _unit: &str, _total: Option<u64>) {}

    fn update(&self, _done: u64, _figures: &str) {}

    fn say(&self, line: &str) {
        self.0.lock().unwrap().push(line.into());
    }

    fn interrupted(&self) -> bool {
        false
    }
}

#[test]
fn training_goes_on_in_the_precision_it_began_in_or_says_so() {
    let folder = tempfile::tempdir().unwrap();
    let out = folder.path().join("net");
    let window = window(folder.path(), &config(1));
    let in_precision = |precision| TrainConfig { precision, ..config(1) };
    let fit = |trainer: &mut Trainer<Jieqi>| {
        let listener = Listener::default();
        trainer.fit(&window, &place(&out), &listener).unwrap();
        let told = listener.0.into_inner().unwrap().concat();
        (Checkpoint::load(&out, &Layout::of::<Jieqi>()).unwrap().card.training.precision, told)
    };
    use PrecisionChoice::{Auto, Bfloat16, Float32};
    let (precision, told) = fit(&mut Trainer::new(&small_net(), in_precision(Auto)));
    assert!(precision == Some(Precision::fastest_here()) && !told.contains("from here on"), "{told}");
    fit(&mut Trainer::new(&small_net(), in_precision(Bfloat16)));
    for (choice, expected, changes) in [
        (Auto, Precision::Bfloat16, false),
        (Float32, Precision::Float32, true),
        (Auto, Precision::Float32, false),
        (Bfloat16, Precision::Bfloat16, true),
    ] {
        let (precision, told) = fit(&mut Trainer::resume(&out, in_precision(choice)).unwrap());
        assert_eq!(
            (precision, told.contains("from here on in")),
            (Some(expected), changes),
            "{choice:?}: {told}"
        );
    }
}

fn sorted(mut tensors: Vec<(String, Tensor)>) -> Vec<(String, Tensor)> {
    tensors.sort_by(|(a, _), (b, _)| a.cmp(b));
    tensors
}

fn assert_same_tensors(a: Vec<(String, Tensor)>, b: Vec<(String, Tensor)>) {
    let (a, b) = (sorted(a), sorted(b));
    assert_eq!(a.len(), b.len());
    for ((name, a), (same, b)) in a.iter().zip(&b) {
        assert_eq!(name, same);
        assert!(a.equal(b), "{name}");
    }
}

#[test]
fn a_loss_that_is_no_number_stops_training_and_spares_the_checkpoint() {
    let folder = tempfile::tempdir().unwrap();
    let out = folder.path().join("net");
    let window = window(folder.path(), &config(2));
    Trainer::new(&small_net(), config(2)).fit(&window, &place(&out), &Silent).unwrap();
    let before = fs::read(out.join("weights.safetensors")).unwrap();

    let mut wild = config(50);
    wild.schedule.learning_rate = Positive::literal(1e30);
    let error = Trainer::resume(&out, wild).unwrap().fit(&window, &place(&out), &Silent).unwrap_err();
    let TrainError::NotFinite { step: 3, batch, .. } = &error else { panic!("{error}") };
    assert!(error.to_string().contains("net.step-3.safetensors"), "{error}");
    assert_eq!(fs::read(out.join("weights.safetensors")).unwrap(), before);
    // The batch is there to look into: its games are the window's.
    let saved = Tensor::read_safetensors(batch).unwrap();
    let tensor = |name: &str| &saved.iter().find(|(saved, _)| saved == name).unwrap().1;
    assert_eq!(tensor("planes").size()[0], 64);
    let games = Vec::<i64>::try_from(tensor("games")).unwrap();
    assert!(games.len() == 64 && games.iter().all(|game| (0..120).contains(game)), "{games:?}");
}

#[test]
fn weights_that_are_no_numbers_are_not_written() {
    let folder = tempfile::tempdir().unwrap();
    let out = folder.path().join("net");
    let mut trainer = Trainer::<Jieqi>::new(&small_net(), config(1));
    let (_, weight) = trainer.network().parameters().remove(0);
    let _ = tch::no_grad(|| weight.shallow_clone().fill_(f64::INFINITY));
    let error = trainer.save(&place(&out)).unwrap_err();
    assert!(matches!(error, TrainError::WeightNotFinite { step: 0 }), "{error}");
    assert!(!out.exists());
}

#[test]
fn the_network_that_plays_is_a_mean_of_the_weights() {
    let folder = tempfile::tempdir().unwrap();
    let after = |steps, over| {
        let out = folder.path().join(format!("net-{steps}-{over}"));
        let config = TrainConfig { average_over: count(over), ..config(steps) };
        Trainer::new(&small_net(), config.clone())
            .fit(&window(folder.path(), &config), &place(&out), &Silent)
            .unwrap();
        Checkpoint::load(&out, &Layout::of::<Jieqi>()).unwrap()
    };
    let last = |checkpoint: &Checkpoint| -> Vec<(String, Tensor)> {
        let stored = checkpoint.training.iter();
        let named = stored.filter_map(|(name, x)| Some((name.strip_prefix("last.")?.into(), x.copy())));
        named.collect()
    };
    // Of one step, and over one step, it is the weights themselves.
    for (steps, over) in [(1, 500), (3, 1)] {
        let checkpoint = after(steps, over);
        assert_same_tensors(last(&checkpoint), checkpoint.network.tensors());
    }
    // After two, what comes second counts four fifths, as there were few.
    let [first, second] = [1, 2].map(|steps| after(steps, 500));
    for ((name, mean), (_, newest)) in second.network.tensors().into_iter().zip(sorted(last(&second))) {
        let before = first.network.tensors().into_iter().find(|(found, _)| *found == name).unwrap().1;
        let expected = before * 0.2 + newest * 0.8;
        assert!(mean.allclose(&expected, 1e-5, 1e-7, false), "{name}");
    }
}

#[test]
fn the_losses_of_another_training_are_refused() {
    let folder = tempfile::tempdir().unwrap();
    let [out, other] = ["net", "other"].map(|name| folder.path().join(name));
    let window = window(folder.path(), &config(2));
    Trainer::new(&small_net(), config(3)).fit(&window, &place(&other), &Silent).unwrap();
    Trainer::new(&small_net(), config(2)).fit(&window, &place(&out), &Silent).unwrap();
    let losses = out.join("losses.csv");
    for text in [fs::read_to_string(other.join("losses.csv")).unwrap(), String::new(), "no table".into()] {
        fs::write(&losses, &text).unwrap();
        let error = Trainer::<Jieqi>::resume(&out, config(2)).err().expect("refused");
        assert!(matches!(error, TrainError::Losses { .. }), "{text}: {error}");
    }
}

#[test]
fn rows_with_impossible_targets_are_refused_by_file_and_game() {
    let folder = tempfile::tempdir().unwrap();
    let games = toy_games::write_shards(&folder.path().join("sound"), 1, 1);
    for (number, (value, result, expected)) in
        [(f32::NAN, 0, "NaN in the column 'value'"), (1.5, 0, "1.5"), (0.0, 5, "5 in the column 'result'")]
            .into_iter()
            .enumerate()
    {
        let mut games = games.clone();
        (games[0].plies[3].value, games[0].plies[3].result) = (value, result);
        let data = folder.path().join(number.to_string());
        toy_games::dataset(&data).write_shard("", 0, &games).unwrap();
        let error = Window::<Jieqi>::load(&data, &config(1)).err().expect("refused").to_string();
        assert!(error.contains("plies/00000.parquet") && error.contains(expected), "{error}");
    }
}

#[test]
fn games_are_held_out_whole_and_the_newest_shards_come_first() {
    let folder = tempfile::tempdir().unwrap();
    let everything = window(folder.path(), &config(1));
    let games = |rows: &Rows<Jieqi>| -> HashSet<u64> { rows.examples().map(|row| row.game_id).collect() };
    let learned_from = |window: &Window<Jieqi>| -> HashSet<u64> {
        window.training().flat_map(|rows| games(&rows.unwrap())).collect()
    };
    let (training, held_out) = (learned_from(&everything), games(everything.validation()));
    assert!(!held_out.is_empty() && training.is_disjoint(&held_out));
    assert_eq!(training.len() + held_out.len(), 120);
    let rows = everything.training().map(|rows| rows.unwrap().len() as u64).sum::<u64>();
    assert_eq!(
        (everything.positions(), everything.dataset_positions()),
        (rows, rows + everything.held_out())
    );

    let least = NonZeroU64::new(10).unwrap();
    let extent = Extent { least, growth: Probability::ZERO, ..Extent::default() };
    let newest = window(folder.path(), &TrainConfig { window: extent, ..config(1) });
    let kept: HashSet<u64> = &learned_from(&newest) | &games(newest.validation());
    assert_eq!(kept, (60..120).collect());
    assert!(games(newest.validation()).is_subset(&held_out));
}

#[test]
fn a_window_ten_times_the_memory_is_learned_from_and_training_goes_on_in_it() {
    let folder = tempfile::tempdir().unwrap();
    // Thirty row groups of some 120 rows, of which at most three are in memory.
    toy_games::write_shards(&folder.path().join("data"), 30, 5);
    let config = |steps| TrainConfig { rows_in_memory: count(360), ..config(steps) };
    let window = window(folder.path(), &config(1));
    assert!(window.positions() > 10 * 240, "{}", window.positions());
    let [whole, broken] = ["whole", "broken"].map(|name| folder.path().join(name));
    // More than a pass.
    let steps = window.positions() / 64 + 12;
    let fit = |mut trainer: Trainer<Jieqi>, steps, out: &Path| {
        trainer.set_steps(count(steps));
        trainer.fit(&window, &place(out), &Silent).unwrap()
    };
    fit(Trainer::new(&small_net(), config(1)), steps, &whole);
    fit(Trainer::new(&small_net(), config(1)), steps / 2, &broken);
    fit(Trainer::resume(&broken, config(1)).unwrap(), steps - steps / 2, &broken);
    let [whole, broken] = [whole, broken].map(|out| Checkpoint::load(&out, &Layout::of::<Jieqi>()).unwrap());
    assert_same_tensors(whole.training, broken.training);
    assert_same_tensors(whole.network.tensors(), broken.network.tensors());
}

#[test]
fn rows_hold_what_was_written() {
    let folder = tempfile::tempdir().unwrap();
    let records = toy_games::write_shards(&folder.path().join("data"), 1, 3);
    let all = TrainConfig { validation: Probability::ZERO, ..config(1) };
    let window = window(folder.path(), &all);
    let plies: Vec<_> = records.iter().flat_map(|game| &game.plies).collect();
    let rows = window.training().next().unwrap().unwrap();
    assert_eq!((window.positions(), rows.len()), (plies.len() as u64, plies.len()));
    let mut secrets = 0;
    let lengths: Vec<usize> =
        records.iter().flat_map(|game| vec![game.plies.len(); game.plies.len()]).collect();
    for ((example, ply), length) in rows.examples().zip(plies).zip(lengths) {
        assert_eq!((example.view, example.result), (ply.view.as_str(), ply.result));
        assert_eq!(
            (usize::from(example.plies_left), example.settlement),
            (length - usize::from(ply.ply), None)
        );
        if let Some(Secret { pool, taken }) = example.secret {
            assert_eq!((pool, taken), (&ply.facts.pool_own[..], &ply.labels.own_taken[..]));
            secrets += 1;
        }
        let candidates: Vec<_> =
            example.candidates.iter().map(|&(mv, share)| (mv.to_string(), share)).collect();
        let total: u32 = ply.candidates.iter().map(|candidate| candidate.visits).sum();
        let of_visits = |candidate: &Candidate| candidate.visits as f32 / total as f32;
        let share = |candidate: &Candidate| candidate.target.unwrap_or_else(|| of_visits(candidate));
        let written: Vec<_> =
            ply.candidates.iter().map(|candidate| (candidate.mv.clone(), share(candidate))).collect();
        assert_eq!(candidates, written);
    }
    assert!(secrets > 0);
}

#[test]
fn a_batch_scores_the_legal_moves_mirrored_or_not() {
    let rules = [toy_games::rules()];
    let views = toy_games::positions(50, 3);
    let texts: Vec<String> = views.iter().map(ToString::to_string).collect();
    let moves: Vec<_> = views.iter().map(legal_moves).collect();
    // Shares that tell the moves of one position apart.
    let candidates: Vec<Vec<_>> = moves
        .iter()
        .map(|moves| {
            let total: usize = (1..=moves.len()).step_by(2).sum();
            let shares = (1..=moves.len()).map(|place| place as f32 / total as f32);
            moves.iter().copied().zip(shares).step_by(2).collect()
        })
        .collect();
    let examples = |symmetry| -> Vec<_> {
        let pairs = texts.iter().zip(&candidates);
        pairs.map(|(view, candidates)| (example(view, candidates), symmetry)).collect()
    };

    for symmetry in [None, Some(Symmetry::Files)] {
        let batch = Batch::encode::<Jieqi>(&examples(symmetry), &rules, Probability::ZERO).unwrap();
        for (row, (view, moves)) in views.iter().zip(&moves).enumerate() {
            let row = row as i64;
            let seen = symmetry.map_or(view.clone(), |by| view.mirrored(by));
            let mut planes = vec![0.0_f32; JieqiView::SHAPE.len()];
            seen.planes(&mut planes);
            assert_eq!(Vec::<f32>::try_from(batch.planes.get(row).flatten(0, -1)).unwrap(), planes);

            let [legal, target] = [&batch.legal.totype(tch::Kind::Float), &batch.target]
                .map(|table| Vec::<f32>::try_from(table.get(row)).unwrap());
            let filler = Vec::<bool>::try_from(batch.filler.get(row)).unwrap();
            for (place, filler) in filler.into_iter().enumerate() {
                let Some(&mv) = moves.get(place) else {
                    assert!(filler && target[place] == 0.0);
                    continue;
                };
                assert!(!filler);
                let index = view.index(mv);
                let index = symmetry.map_or(index, |by| JieqiView::mirrored_index(index, by));
                assert_eq!(legal[place] as usize, index.get());
                let given = candidates[row as usize].iter().find(|&&(given, _)| given == mv);
                assert!((target[place] - given.map_or(0.0, |&(_, share)| share)).abs() < 1e-6);
            }
            let mut expected: Vec<_> = legal_moves(&seen).iter().map(|&mv| seen.index(mv).get()).collect();
            let mut found: Vec<_> = legal[..moves.len()].iter().map(|&index| index as usize).collect();
            expected.sort_unstable();
            found.sort_unstable();
            assert_eq!(found, expected, "the moves of the mirrored position, in {view}");
        }
    }
}

#[test]
fn what_was_not_visited_shares_the_rest_of_the_target() {
    let view = toy_games::positions(1, 1)[0].clone();
    let moves = legal_moves(&view);
    let text = view.to_string();
    let candidates = [(moves[0], 0.5), (moves[2], 0.25)];
    let batch = Batch::encode::<Jieqi>(
        &[(example(&text, &candidates), None)],
        &[toy_games::rules()],
        Probability::ZERO,
    )
    .unwrap();
    assert_eq!(batch.rest.double_value(&[0]), 0.25);
    let network = Network::new(&NetConfig::default(), &Layout::of::<Jieqi>(), 1);
    let output = tch::no_grad(|| network.forward(&batch.planes, false));
    let logs = output.policy.gather(1, &batch.legal, false).log_softmax(-1, tch::Kind::Double);
    let logs = Vec::<f64>::try_from(logs.get(0)).unwrap();
    let others: f64 =
        logs.iter().enumerate().filter(|(place, _)| ![0, 2].contains(place)).map(|(_, log)| log.exp()).sum();
    let expected = -(0.5 * logs[0] + 0.25 * logs[2] + 0.25 * others.ln());
    let loss = Losses::of(&output, &batch).figures().policy;
    assert!((loss - expected).abs() < 1e-4, "{loss}, by hand {expected}");

    // What a share loses by being written in half precision belongs to nobody.
    let rounded = [(moves[0], 0.7), (moves[2], 0.2995)];
    let batch =
        Batch::encode::<Jieqi>(&[(example(&text, &rounded), None)], &[toy_games::rules()], Probability::ZERO)
            .unwrap();
    assert_eq!(batch.rest.double_value(&[0]), 0.0);
}

#[test]
fn the_value_target_is_how_the_game_ended_blended_with_what_the_search_thought() {
    let view = toy_games::positions(1, 1)[0].to_string();
    let cases = [
        (1, 0.5, 0.0, [1.0, 0.0, 0.0]),
        (0, 0.5, 0.0, [0.0, 1.0, 0.0]),
        (-1, 0.5, 0.0, [0.0, 0.0, 1.0]),
        (-1, 0.5, 1.0, [0.5, 0.5, 0.0]),
        (1, -0.5, 0.5, [0.5, 0.25, 0.25]),
    ];
    for (result, value, share, expected) in cases {
        let example = Example { result, value, ..example(&view, &[]) };
        let share = Probability::new(share).unwrap();
        let batch = Batch::encode::<Jieqi>(&[(example, None)], &[toy_games::rules()], share).unwrap();
        assert_eq!(Vec::<f32>::try_from(batch.wdl.get(0)).unwrap(), expected);
        // Nothing was visited, so there is no policy to learn.
        assert_eq!((batch.policy_rows(), batch.has_policy.double_value(&[0])), (0, 0.0));
    }
}

#[test]
fn what_is_not_known_of_a_row_counts_for_nothing() {
    let view = toy_games::positions(1, 1)[0].to_string();
    let (pool, taken) = ([2, 2, 1, 2, 2, 4], [1, 0, 0, 0, 0, 2]);
    let known = Example {
        settlement: Some(0.5),
        plies_left: 70,
        secret: Some(Secret { pool: &pool, taken: &taken }),
        ..example(&view, &[])
    };
    let rules = [toy_games::rules()];
    let encode = |examples: &[_]| Batch::encode::<Jieqi>(examples, &rules, Probability::ZERO).unwrap();
    let network = Network::new(&small_net(), &Layout::of::<Jieqi>(), 1);
    let figures = |batch: &Batch| Losses::of(&network.forward(&batch.planes, false), batch).figures();

    let both = encode(&[(example(&view, &[]), None), (known, None)]);
    assert_eq!((both.rows(), both.settled_rows(), both.secret_rows()), (2, 1, 1));
    let told = figures(&both);
    // A new network says 0 of all: by hand, Huber's loss of 0.7 and of 0.01, a square, and no gain.
    assert!((told.plies_left.unwrap() - (0.49 / 2.0 + 0.0001 / 2.0) / 2.0).abs() < 1e-6, "{told:?}");
    assert_eq!((told.settlement, told.belief), (Some(0.25), Some(0.0)));
    let neither = encode(&[(example(&view, &[]), None)]);
    assert_eq!((figures(&neither).settlement, figures(&neither).belief), (None, None));
}

/// The belief's gain on games held out, after training on toy games whose secrets are redrawn: `draw` is
/// given a pool and how many pieces were taken of it.
fn belief_gain(draw: impl Fn(&mut Pool<6>, u32, &mut ChaCha8Rng)) -> BeliefGain {
    let folder = tempfile::tempdir().unwrap();
    let mut games = toy_games::write_shards(&folder.path().join("sound"), 1, 150);
    let mut rng = ChaCha8Rng::seed_from_u64(3);
    for ply in games.iter_mut().flat_map(|game| &mut game.plies) {
        let number = ply.labels.own_taken.iter().map(|&count| u32::from(count)).sum();
        let pool = Pool::new(ply.facts.pool_own[..].try_into().unwrap());
        let mut left = pool;
        draw(&mut left, number, &mut rng);
        let taken = pool.counts().iter().zip(left.counts()).map(|(before, after)| before - after);
        ply.labels.own_taken = taken.collect();
    }
    toy_games::dataset(&folder.path().join("data")).write_shard("", 0, &games).unwrap();
    let mut config = TrainConfig { validation: Probability::literal(0.3), ..config(80) };
    config.weights.belief = Positive::ONE;
    let fitted = Trainer::new(&small_net(), config.clone())
        .fit(&window(folder.path(), &config), &place(&folder.path().join("net")), &Silent)
        .unwrap();
    fitted.belief.expect("toy games have secrets")
}

#[test]
fn play_that_tells_nothing_of_what_was_taken_gives_no_gain() {
    let found = belief_gain(|pool, number, rng| {
        for _ in 0..number {
            pool.draw(rng);
        }
    });
    let margin = found.margin.unwrap();
    assert!(found.games > 30 && found.positions > 300, "{found:?}");
    assert!(found.gain < margin && found.gain > -0.05, "{found:?}");
}

#[test]
fn a_habit_of_taking_is_found() {
    // The first kinds that are left go first.
    let found = belief_gain(|pool, number, _| {
        for _ in 0..number {
            let kind = pool.kinds().next().unwrap();
            pool.remove(kind);
        }
    });
    assert!(found.gain > 0.5 && found.gain > 5.0 * found.margin.unwrap(), "{found:?}");
}

#[test]
fn rows_that_make_no_sense_are_refused_by_their_game() {
    let rules = [toy_games::rules()];
    let view = toy_games::positions(1, 1)[0].to_string();
    let illegal = "a0a9".parse().unwrap();
    for (view, candidates) in [(view.as_str(), vec![(illegal, 1.0)]), ("no position", vec![])] {
        let example = example(view, &candidates);
        let error = Batch::encode::<Jieqi>(&[(example, None)], &rules, Probability::ZERO).unwrap_err();
        assert!(error.to_string().contains("game 0x00000000000000ab"), "{error}");
    }
}

fn example<'a, M>(view: &'a str, candidates: &'a [(M, f32)]) -> Example<'a, M> {
    Example {
        game_id: 0xab,
        rules: 0,
        view,
        candidates,
        result: 0,
        value: 0.0,
        full_search: true,
        settlement: None,
        plies_left: 1,
        secret: None,
    }
}

fn legal_moves(view: &JieqiView) -> MoveList<<JieqiView as View>::Move> {
    let mut moves = MoveList::new();
    view.legal_moves(&mut moves);
    moves
}

#[test]
fn the_train_command_writes_a_checkpoint_and_goes_on_from_it() {
    let folder = tempfile::tempdir().unwrap();
    toy_games::write_shards(&folder.path().join("data"), 1, 10);
    let train = |data: &str, arguments: &[&str]| {
        let output = Command::new(env!("CARGO_BIN_EXE_facedown"))
            .current_dir(folder.path())
            .args(["train", "--data", data, "--out", "net", "--set", "train.batch=16", "--threads", "1"])
            .args(arguments)
            .output()
            .unwrap();
        let [out, err] = [output.stdout, output.stderr].map(|bytes| String::from_utf8(bytes).unwrap());
        (output.status.code(), out, err)
    };
    let (code, out, err) =
        train("data", &["--steps", "2", "--set", "net.channels=16", "--set", "net.blocks=1"]);
    assert_eq!((code, out.as_str()), (Some(0), "net\n"), "{err}");
    assert!(err.contains("step 2: policy"), "{err}");

    let (code, out, err) = train("data", &["--steps", "3", "--from", "net"]);
    assert_eq!((code, out.as_str()), (Some(0), "net\n"), "{err}");
    let net = Checkpoint::load(&folder.path().join("net"), &Layout::of::<Jieqi>()).unwrap();
    assert_eq!(net.card.training.steps, 5);
    assert_eq!(net.network.parameter_count(), net.card.parameters);

    for (data, arguments, code, expected) in [
        ("data", &["--steps", "1"][..], 2, "--out net exists"),
        ("data", &["--from", "net", "--steps", "0"], 2, "--steps"),
        ("data", &["--from", "net", "--set", "train.batch=0"], 2, "setting `train.batch=0`"),
        ("data", &["--from", "net", "--set", "net.channels=64"], 2, "another one"),
        ("data", &["--from", "data"], 2, "--out net exists"),
        ("net", &["--from", "net"], 2, "not a dataset"),
    ] {
        let (found, out, err) = train(data, arguments);
        assert_eq!(found, Some(code), "{data} {arguments:?}: {err}");
        assert!(err.contains(expected) && out.is_empty(), "{data} {arguments:?}: {err}");
    }

    let facedown = |arguments: &[&str]| {
        let mut command = Command::new(env!("CARGO_BIN_EXE_facedown"));
        command.current_dir(folder.path()).args(arguments).output().unwrap()
    };
    // As many steps as show every position half a time.
    let reused =
        ["train", "--data", "data", "--out", "reused", "--set", "net.channels=8", "--set", "net.blocks=1"];
    let half = ["--set", "train.batch=16", "--set", "train.reuse=0.5"];
    let output = facedown(&[&reused[..], &half].concat());
    assert!(output.status.success(), "{output:?}");
    let window = Window::<Jieqi>::load(&folder.path().join("data"), &TrainConfig::default()).unwrap();
    let steps = card_at(&folder.path().join("reused")).unwrap().training.steps;
    assert_eq!(steps, (window.positions() as f64 * 0.5 / 16.0).round() as u64);
    let inspected = facedown(&["inspect", "net", "--json"]);
    let card: serde_json::Value = serde_json::from_slice(&inspected.stdout).unwrap();
    assert_eq!(card["parameters"], net.card.parameters);
    assert_eq!(card["net"]["heads"].as_array().unwrap().len(), 3);

    let exported = facedown(&["export", "--net", "net", "--format", "torchscript", "--out", "given"]);
    assert!(exported.status.success(), "{exported:?}");
    let readme = fs::read_to_string(folder.path().join("given/README.md")).unwrap();
    for said in ["wxf", "5 steps", "licence: MIT", "strength: not measured"] {
        assert!(readme.contains(said), "{said}: {readme}");
    }
    tch::CModule::load(folder.path().join("given/model.pt")).unwrap();
    let again = facedown(&["export", "--net", "net", "--out", "given"]);
    assert_eq!(again.status.code(), Some(2), "{again:?}");

    // However the path is spelled, it is the same checkpoint.
    let (code, _, err) = train("data", &["--steps", "1", "--from", "./net/"]);
    assert_eq!(code, Some(0), "{err}");
    // One that was set aside when the work was cut off stands there too.
    fs::create_dir(folder.path().join(".net.facedown")).unwrap();
    fs::rename(folder.path().join("net"), folder.path().join(".net.facedown/old")).unwrap();
    let (code, _, err) = train("data", &["--steps", "1"]);
    assert!(code == Some(2) && err.contains("--out net exists"), "{err}");
    let (code, _, err) = train("data", &["--steps", "1", "--from", "net"]);
    assert_eq!(code, Some(0), "{err}");
    let net = Checkpoint::load(&folder.path().join("net"), &Layout::of::<Jieqi>()).unwrap();
    assert_eq!(net.card.training.steps, 7);
}

/// A network that has learned a little from toy games.
pub fn trained(folder: &Path) -> Network {
    let out = folder.join("net");
    let mut config = config(30);
    config.validation = Probability::ZERO;
    Trainer::new(&small_net(), config.clone()).fit(&window(folder, &config), &place(&out), &Silent).unwrap();
    Checkpoint::load(&out, &Layout::of::<Jieqi>()).unwrap().network
}
