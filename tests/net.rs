//! The network, its deployed form, and checkpoints, on a made-up layout.

use std::fs;
use std::path::Path;

use facedown::game::Shape;
use facedown::net::{
    Card, Checkpoint, Deployed, Format, Layout, NetConfig, NetError, Network, Output, Place, Precision,
    export, exported_columns, load_network, stands_at,
};
use facedown::units::Count;
use rand::rngs::ChaCha8Rng;
use rand::seq::SliceRandom;
use rand::{RngExt, SeedableRng};
use tch::{CModule, Kind, Tensor};

/// The board of xiangqi, a dozen planes, 300 moves scattered over the policy head.
fn layout() -> Layout {
    let shape = Shape { planes: 12, rows: 10, files: 9 };
    let mut cells: Vec<usize> = (0..8 * shape.squares()).collect();
    cells.shuffle(&mut ChaCha8Rng::seed_from_u64(1));
    Layout {
        game: "made-up".into(),
        shape,
        plane_names: (0..shape.planes).map(|plane| format!("plane {plane}")).collect(),
        policy_planes: 8,
        policy_cells: cells[..300].to_vec(),
        secret_kinds: 4,
    }
}

fn place(path: &Path) -> Place {
    Place::claim(path).expect("a free place")
}

fn config() -> NetConfig {
    NetConfig { blocks: Count::literal(2), ..NetConfig::default() }
}

/// Boards of random ones and zeros, like presence planes.
fn boards(count: usize, seed: u64) -> Tensor {
    let mut rng = ChaCha8Rng::seed_from_u64(seed);
    let shape = layout().shape;
    let planes: Vec<f32> =
        (0..count * shape.len()).map(|_| if rng.random_bool(0.1) { 1.0 } else { 0.0 }).collect();
    let size = [count, shape.planes, shape.rows, shape.files].map(|length| length as i64);
    Tensor::from_slice(&planes).view(size)
}

/// A network that has opinions, and batch norm statistics of its own.
fn network(seed: u64) -> Network {
    tch::set_num_threads(1);
    let network = Network::new(&config(), &layout(), seed);
    let mut rng = ChaCha8Rng::seed_from_u64(seed);
    for (_, mut weight) in network.parameters() {
        let nudges: Vec<f32> = (0..weight.numel()).map(|_| rng.random_range(-0.3..0.3)).collect();
        tch::no_grad(|| weight += Tensor::from_slice(&nudges).view_as(&weight));
    }
    for batch in 0..8 {
        network.forward(&boards(16, 100 + batch), true);
    }
    network
}

/// The mean divergence of the policies, in nats, and the mean difference of the values.
fn differences(a: &Output, b: &Output) -> (f64, f64) {
    let log_p = a.policy.log_softmax(-1, Kind::Double);
    let log_q = b.policy.log_softmax(-1, Kind::Double);
    let divergence = (log_p.exp() * (&log_p - &log_q)).sum_dim_intlist(-1, false, Kind::Double);
    let value = |output: &Output| {
        let wdl = output.wdl.softmax(-1, Kind::Double);
        wdl.select(1, 0) - wdl.select(1, 2)
    };
    let apart = (value(a) - value(b)).abs().mean(Kind::Double);
    (divergence.mean(Kind::Double).double_value(&[]), apart.double_value(&[]))
}

#[test]
fn the_deployed_form_says_what_the_trained_form_says() {
    let network = network(3);
    let boards = boards(256, 5);
    let trained = tch::no_grad(|| network.forward(&boards, false));
    for (precision, most_divergence, most_value) in
        [(Precision::Float32, 1e-9, 1e-6), (Precision::Bfloat16, 1e-3, 0.01)]
    {
        let deployed = Deployed::new(&network, precision).forward(&boards).expect("it runs");
        assert_eq!(deployed.policy.size(), [256, 300]);
        let (divergence, value) = differences(&trained, &deployed);
        assert!(divergence < most_divergence, "{precision:?}: policies {divergence:e} nats apart");
        assert!(value < most_value, "{precision:?}: values {value} apart");
        for (name, trained, deployed) in [
            ("plies left", &trained.plies_left, &deployed.plies_left),
            ("settlement", &trained.settlement, &deployed.settlement),
            ("belief", &trained.belief, &deployed.belief),
        ] {
            let [trained, deployed] = [trained, deployed].map(|output| output.as_ref().expect(name));
            assert_eq!(trained.size(), deployed.size());
            let apart = (trained - deployed).abs().mean(Kind::Double).double_value(&[]);
            let scale = trained.abs().mean(Kind::Double).double_value(&[]);
            assert!(apart < most_value * scale.max(1.0), "{precision:?}: {name} {apart} apart");
        }
    }
}

/// The gradients of all weights, one behind the other, of what a network says of some boards.
fn gradients(network: &Network, boards: &Tensor) -> Tensor {
    let said = network.forward(boards, true);
    let loss = said.policy.log_softmax(-1, Kind::Float).select(1, 0)
        + said.wdl.log_softmax(-1, Kind::Float).select(1, 0);
    let parameters = network.parameters();
    parameters.iter().for_each(|(_, weight)| weight.shallow_clone().zero_grad());
    (-loss).mean(Kind::Float).backward();
    let gradients: Vec<Tensor> = parameters.iter().map(|(_, weight)| weight.grad()).collect();
    let gradients = gradients.iter().filter(|gradient| gradient.defined());
    Tensor::cat(&gradients.map(|gradient| gradient.flatten(0, -1)).collect::<Vec<_>>(), 0).copy()
}

#[test]
fn the_tower_trains_in_the_kind_of_its_input_and_weights_stay_32_bit_floats() {
    let network = network(5);
    let boards = boards(128, 6);
    let lower = boards.to_kind(Kind::BFloat16);
    let [said, said_lower] = [&boards, &lower].map(|boards| tch::no_grad(|| network.forward(boards, false)));
    assert_eq!((said_lower.policy.kind(), said_lower.wdl.kind()), (Kind::Float, Kind::Float));
    let (divergence, value) = differences(&said, &said_lower);
    assert!(divergence > 0.0, "it computes in 32-bit floats");
    assert!(divergence < 1e-3 && value < 0.01, "policies {divergence:e} nats, values {value} apart");

    let [exact, lower] = [&boards, &lower].map(|boards| gradients(&network, boards));
    assert_eq!(lower.kind(), Kind::Float);
    let alike = exact.dot(&lower) / (exact.norm() * lower.norm());
    assert!(alike.double_value(&[]) > 0.99, "{alike:?}");
}

#[test]
fn pooling_tells_every_square_of_the_whole_board() {
    let network = network(4);
    let board = boards(1, 9);
    let other = board.copy();
    // A piece in one corner; two blocks of two 3x3 convolutions see four squares far from the stem's one.
    let _ = other.narrow(2, 9, 1).narrow(3, 8, 1).fill_(1.0);
    let policy = |planes: &Tensor, network: &Network| {
        tch::no_grad(|| network.forward(planes, false)).policy.squeeze_dim(0)
    };
    let far =
        layout().policy_cells.iter().position(|cell| cell % 90 == 0).expect("an entry of the other corner");
    let differs = |network: &Network| {
        let [a, b] = [&board, &other].map(|planes| policy(planes, network).double_value(&[far as i64]));
        a != b
    };
    assert!(differs(&network));
    let plain = Network::new(&NetConfig { global_pooling: false, ..config() }, &layout(), 4);
    for (_, mut weight) in plain.parameters() {
        tch::no_grad(|| weight += 0.01);
    }
    assert!(!differs(&plain));
}

#[test]
fn a_network_of_the_first_format_plays_and_is_not_trained_on() {
    let folder = tempfile::tempdir().expect("a folder");
    let path = folder.path().join("net");
    let plain = NetConfig { global_pooling: false, heads: [].into(), ..config() };
    let network = Network::new(&plain, &layout(), 1);
    let card = Card::new(&network, 1);
    Checkpoint { card, network, training: Vec::new(), losses: String::new() }
        .save(&place(&path))
        .expect("saved");
    let card = fs::read_to_string(path.join("card.toml")).expect("read");
    let older = card.replace("format = 2", "format = 1");
    let older = older.replace("global_pooling = false\n", "").replace("heads = []\n", "");
    assert_eq!(older.len() + 34, card.len());
    fs::write(path.join("card.toml"), older).expect("written");

    let (card, _) = load_network(&path, &layout()).expect("it plays");
    assert_eq!(card.net, plain);
    let error = Checkpoint::load(&path, &layout()).expect_err("not trained on");
    assert!(matches!(error, NetError::PlaysOnly { found: 1, expected: 2, .. }), "{error}");
}

#[test]
fn an_exported_module_says_of_any_batch_what_the_network_says() {
    let folder = tempfile::tempdir().expect("a folder");
    let network = network(6);
    let [script, tensors] = ["model.pt", "model.safetensors"].map(|name| folder.path().join(name));
    export(&network, Format::TorchScript, &script).expect("written");
    export(&network, Format::Safetensors, &tensors).expect("written");

    let module = CModule::load(&script).expect("libtorch reads it");
    for rows in [1, 2, 37] {
        let boards = boards(rows, 8);
        let said = tch::no_grad(|| network.forward(&boards, false));
        let output = module.forward_ts(&[boards]).expect("it runs");
        let expected = [Some(said.policy), Some(said.wdl), said.plies_left, said.settlement, said.belief];
        let columns = exported_columns(&network);
        let mut first = 0;
        for (expected, (name, columns)) in expected.into_iter().flatten().zip(&columns) {
            let columns = *columns as i64;
            let found = output.narrow(1, first, columns).reshape(expected.size());
            assert!(found.allclose(&expected, 1e-4, 1e-4, false), "{name}, {rows} rows");
            first += columns;
        }
        assert_eq!(output.size(), [rows as i64, 300 + 3 + 1 + 1 + 4]);
    }
    let stored = Tensor::read_safetensors(&tensors).expect("read");
    assert_eq!(stored.len(), network.tensors().len());
}

#[test]
fn weights_depend_on_the_seed_alone() {
    let [a, b, other] = [7, 7, 8].map(|seed| Network::new(&config(), &layout(), seed).tensors());
    assert!(a.iter().zip(&b).all(|((_, a), (_, b))| a.equal(b)));
    assert!(a.iter().zip(&other).any(|((_, a), (_, b))| !a.equal(b)));
}

#[test]
fn a_new_network_finds_everything_equally_likely() {
    let output = tch::no_grad(|| Network::new(&config(), &layout(), 1).forward(&boards(16, 1), false));
    let others = [output.plies_left, output.settlement, output.belief].map(|output| output.expect("a head"));
    for scores in [output.policy, output.wdl].into_iter().chain(others) {
        assert!(scores.equal(&scores.zeros_like()));
    }
}

#[test]
fn flops_count_what_the_layers_multiply() {
    let layout = layout();
    let wide = NetConfig { channels: Count::literal(64), ..config() };
    let plain = NetConfig { global_pooling: false, heads: [].into(), ..config() };
    // By hand, two a multiplication: 90 squares of (stem 9*12*c + tower 4*9*c*c + policy c*c + 8*c + value
    // 32*c), and 32*64 + 64*3 in the dense layers; then 64*6 for the other heads, and 2*c/4*c for pooling in
    // one block of the two.
    for (net, expected) in [(plain, 7_676_800), (config(), 7_678_592), (wide, 28_993_664)] {
        assert_eq!(net.flops_per_position(&layout), expected);
    }
}

fn checkpoint(seed: u64) -> Checkpoint {
    let network = network(seed);
    let training = network.parameters().into_iter().map(|(name, x)| (name, (x * 0.3).detach())).collect();
    Checkpoint { card: Card::new(&network, seed), network, training, losses: "step\n1\n".into() }
}

fn assert_same(a: &Checkpoint, b: &Checkpoint) {
    assert_eq!(a.card, b.card);
    assert_eq!(a.losses, b.losses);
    let sorted = |tensors: &[(String, Tensor)]| {
        let mut tensors: Vec<_> = tensors.iter().map(|(name, x)| (name.clone(), x.shallow_clone())).collect();
        tensors.sort_by(|(a, _), (b, _)| a.cmp(b));
        tensors
    };
    for (a, b) in [(a.network.tensors(), b.network.tensors()), (sorted(&a.training), sorted(&b.training))] {
        assert_eq!(a.len(), b.len());
        for ((name, a), (same, b)) in a.iter().zip(&b) {
            assert_eq!(name, same);
            assert!(a.equal(b), "{name}");
        }
    }
}

#[test]
fn a_checkpoint_comes_back_bit_for_bit() {
    let folder = tempfile::tempdir().expect("a folder");
    let path = folder.path().join("net");
    let saved = checkpoint(11);
    saved.save(&place(&path)).expect("saved");
    let loaded = Checkpoint::load(&path, &layout()).expect("loaded");
    assert_same(&saved, &loaded);

    let again = folder.path().join("again");
    loaded.save(&place(&again)).expect("saved");
    for name in ["card.toml", "weights.safetensors", "losses.csv"] {
        assert_eq!(
            fs::read(path.join(name)).expect("read"),
            fs::read(again.join(name)).expect("read"),
            "{name}"
        );
    }
}

#[test]
fn what_a_killed_process_leaves_behind_does_no_harm() {
    let folder = tempfile::tempdir().expect("a folder");
    let path = folder.path().join("net");
    let (old, new) = (checkpoint(1), checkpoint(2));
    let workshop = folder.path().join(".net.facedown");
    let half_written = workshop.join("new");
    let half_write = || {
        fs::create_dir_all(&half_written).expect("made");
        fs::write(half_written.join("weights.safetensors"), b"half").expect("written");
    };

    half_write();
    assert!(Checkpoint::load(&path, &layout()).is_err(), "nothing whole is there yet");
    old.save(&place(&path)).expect("saved");
    assert!(!half_written.exists());

    half_write();
    assert_same(&old, &Checkpoint::load(&path, &layout()).expect("loaded"));

    // Killed between setting the old one aside and giving the new one its name.
    fs::rename(&path, workshop.join("old")).expect("renamed");
    assert!(stands_at(&path));
    assert_same(&old, &Checkpoint::load(&path, &layout()).expect("loaded"));
    drop(place(&path));
    assert_same(&old, &Checkpoint::load(&path, &layout()).expect("put back"));

    new.save(&place(&path)).expect("saved");
    assert_same(&new, &Checkpoint::load(&path, &layout()).expect("loaded"));
    new.save(&place(&path)).expect("saved over itself");
    let names: Vec<_> = fs::read_dir(folder.path()).expect("listed").collect();
    assert_eq!(names.len(), 1, "{names:?}");
}

#[test]
fn a_place_is_one_writers_and_touches_nothing_else() {
    let folder = tempfile::tempdir().expect("a folder");
    let beside = ["net.tmp", "net.old", "net2"].map(|name| folder.path().join(name));
    for path in &beside {
        fs::create_dir(path).expect("made");
        fs::write(path.join("thesis.txt"), "years of work").expect("written");
    }
    let with_slash = folder.path().join("net/");
    let held = place(&with_slash);
    let error = Place::claim(&folder.path().join("./net")).expect_err("held");
    assert!(matches!(error, NetError::Busy { .. }), "{error}");
    for seed in [1, 2] {
        checkpoint(seed).save(&held).expect("saved");
    }
    drop(held);
    assert_same(&checkpoint(2), &Checkpoint::load(&with_slash, &layout()).expect("loaded"));
    for path in &beside {
        assert!(path.join("thesis.txt").exists(), "{path:?}");
    }
    assert_eq!(fs::read_dir(folder.path()).expect("listed").count(), beside.len() + 1);
    for nameless in ["/", "..", ""] {
        assert!(Place::claim(Path::new(nameless)).is_err(), "{nameless:?}");
    }
}

#[test]
fn what_is_set_aside_outlives_its_place() {
    let folder = tempfile::tempdir().expect("a folder");
    let path = folder.path().join("net");
    let held = place(&path);
    checkpoint(1).save(&held).expect("saved");
    // As a disk leaves it that refuses to name the new one.
    fs::rename(&path, folder.path().join(".net.facedown/old")).expect("renamed");
    drop(held);
    assert_same(&checkpoint(1), &Checkpoint::load(&path, &layout()).expect("put back"));
}

#[test]
fn files_that_somebody_put_into_a_checkpoint_move_along() {
    let folder = tempfile::tempdir().expect("a folder");
    let [path, link] = ["net", "link"].map(|name| folder.path().join(name));
    checkpoint(1).save(&place(&path)).expect("saved");
    fs::write(path.join("notes.md"), "how it was made").expect("written");
    fs::create_dir(path.join("plots")).expect("made");
    checkpoint(2).save(&place(&path)).expect("saved");
    // Through a link it is the checkpoint that is replaced, not the link.
    std::os::unix::fs::symlink("net", &link).expect("linked");
    checkpoint(3).save(&place(&link)).expect("saved");
    assert!(link.is_symlink());
    assert_same(&checkpoint(3), &Checkpoint::load(&path, &layout()).expect("loaded"));
    assert_eq!(fs::read_to_string(path.join("notes.md")).expect("kept"), "how it was made");
    assert!(path.join("plots").is_dir());
    assert_eq!(fs::read_dir(folder.path()).expect("listed").count(), 2);
}

#[test]
fn of_many_who_claim_a_place_at_once_each_is_alone_or_refused() {
    let folder = tempfile::tempdir().expect("a folder");
    let path = folder.path().join("net");
    let saved = std::thread::scope(|scope| {
        let claims = [1, 2, 3, 4].map(|seed| {
            let path = &path;
            scope.spawn(move || {
                let save = |place: Place| checkpoint(seed).save(&place).expect("the place is ours");
                (0..20).filter(|_| Place::claim(path).map(save).is_ok()).count()
            })
        });
        claims.map(|claim| claim.join().expect("no claim fails half-way"))
    });
    assert!(saved.iter().sum::<usize>() >= 20, "{saved:?}");
    Checkpoint::load(&path, &layout()).expect("one of them, whole");
    assert_eq!(fs::read_dir(folder.path()).expect("listed").count(), 1);
}

#[test]
fn playing_takes_a_card_and_weights_alone() {
    let folder = tempfile::tempdir().expect("a folder");
    let path = folder.path().join("net");
    checkpoint(1).save(&place(&path)).expect("saved");
    for name in ["losses.csv", "training.safetensors"] {
        fs::remove_file(path.join(name)).expect("removed");
    }
    load_network(&path, &layout()).expect("card and weights");
    Checkpoint::load(&path, &layout()).expect_err("nothing to train on from");
}

#[test]
fn a_damaged_card_is_named_with_line_and_column() {
    let folder = tempfile::tempdir().expect("a folder");
    let path = folder.path().join("net");
    checkpoint(1).save(&place(&path)).expect("saved");
    let card = fs::read_to_string(path.join("card.toml")).expect("read");
    for (from, to, expected) in [
        ("channels = 32", "channels = 99999999", "from 1 to 512"),
        ("blocks = 2", "blocks = \"many\"", "blocks = \"many\""),
        ("steps = 0", "steps = 9000000000000000000", "the number of steps"),
    ] {
        assert!(card.contains(from), "{from}");
        fs::write(path.join("card.toml"), card.replace(from, to)).expect("written");
        let error = load_network(&path, &layout()).expect_err(to).to_string();
        assert!(error.contains(expected), "{error}");
    }
}

#[test]
fn something_else_is_not_replaced() {
    let folder = tempfile::tempdir().expect("a folder");
    fs::write(folder.path().join("thesis.txt"), "years of work").expect("written");
    let error = Place::claim(folder.path()).expect_err("occupied").to_string();
    assert!(error.contains("is not a checkpoint"), "{error}");
    assert!(folder.path().join("thesis.txt").exists());
}

#[test]
fn a_checkpoint_for_something_else_is_refused_with_the_difference() {
    let folder = tempfile::tempdir().expect("a folder");
    let path = folder.path().join("net");
    checkpoint(1).save(&place(&path)).expect("saved");
    let other = |change: fn(&mut Layout)| {
        let mut layout = layout();
        change(&mut layout);
        layout
    };
    let cases = [
        (other(|layout| layout.game = "chess".into()), "the game is made-up there, expected chess"),
        (other(|layout| layout.shape.files = 8), "12x10x9"),
        (
            other(|layout| layout.plane_names[3] = "pool".into()),
            "plane 3 is 'plane 3' there, expected 'pool'",
        ),
        (other(|layout| layout.policy_cells.swap(0, 1)), "the policy"),
    ];
    for (layout, expected) in cases {
        let error = Checkpoint::load(&path, &layout).expect_err(expected).to_string();
        assert!(error.contains(expected), "{error}");
        assert!(!error.contains('\n'), "{error}");
    }
}

#[test]
fn a_damaged_checkpoint_is_refused() {
    let folder = tempfile::tempdir().expect("a folder");
    let damage = |name: &str, change: fn(&Path)| {
        let path = folder.path().join(name);
        checkpoint(1).save(&place(&path)).expect("saved");
        change(&path);
        Checkpoint::load(&path, &layout()).expect_err(name).to_string()
    };
    let error = damage("cut", |path| {
        let weights = path.join("weights.safetensors");
        let bytes = fs::read(&weights).expect("read");
        fs::write(&weights, &bytes[..bytes.len() / 2]).expect("written");
    });
    assert!(error.contains("cannot read its tensors"), "{error}");

    let error = damage("swapped", |path| {
        fs::copy(path.join("training.safetensors"), path.join("weights.safetensors")).expect("copied");
    });
    assert!(error.contains("has no tensor"), "{error}");

    let error = damage("wider", |path| {
        let card = fs::read_to_string(path.join("card.toml")).expect("read");
        fs::write(path.join("card.toml"), card.replace("channels = 32", "channels = 64")).expect("written");
    });
    assert!(error.contains("expected Float [64"), "{error}");

    let error = damage("unknown", |path| {
        let card = fs::read_to_string(path.join("card.toml")).expect("read");
        fs::write(path.join("card.toml"), format!("colour = 1\n{card}")).expect("written");
    });
    assert!(error.contains("colour"), "{error}");
}
