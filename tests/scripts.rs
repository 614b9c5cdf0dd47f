//! `scripts/setup` against a pip that fails: nothing half-fetched is ever taken for a whole libtorch. `scripts/run`:
//! what it asks of the program. `scripts/net-experiments`: that all its networks have settings, and what it tells of them.

use std::fs;
use std::os::unix::fs::{PermissionsExt, symlink};
use std::path::{Path, PathBuf};
use std::process::{Command, Output, Stdio};

use facedown::net::NetConfig;
use facedown::search::SearchConfig;
use facedown::selfplay::SelfplayConfig;
use facedown::train::TrainConfig;
use serde::de::DeserializeOwned;
use tempfile::TempDir;

/// Stands in for Python: `pip install` counts its calls and lays out something with libtorch's shape.
const PYTHON: &str = r#"#!/usr/bin/env bash
[[ "$1 $2 $3" == "-m pip install" ]] || exit 0
echo >>"$FETCHES"
torch=$5/torch
mkdir -p "$torch/lib" "$torch/include/torch/csrc/api/include/torch"
echo "__version__ = '${DELIVERED:-2.11.0}+cu130'" >"$torch/version.py"
echo "// a header" >"$torch/include/torch/csrc/api/include/torch/torch.h"
cp "$BASH" "$torch/lib/libc10.so"
if [[ ${CUT_OFF:-} ]]; then kill -9 $PPID; exit; fi
cp "$BASH" "$torch/lib/libtorch.so"
cp "$BASH" "$torch/lib/libtorch_cpu.so"
cp "$BASH" "$torch/lib/libtorch_cuda.so"
"#;

/// A clone with nothing but the script, a cache of its own, and stand-ins for Python and cargo on the path.
struct Clone {
    folder: TempDir,
}

impl Clone {
    fn new() -> Self {
        let clone = Self { folder: tempfile::tempdir().unwrap() };
        for folder in ["scripts", "bin"] {
            fs::create_dir(clone.at(folder)).unwrap();
        }
        let ours = Path::new(env!("CARGO_MANIFEST_DIR")).join("scripts/setup");
        fs::copy(ours, clone.at("scripts/setup")).unwrap();
        clone.program("python3", PYTHON);
        clone.program("cargo", "#!/bin/sh\necho \"$@\" >>\"$CALLS\"\n");
        clone
    }

    fn at(&self, path: &str) -> PathBuf {
        self.folder.path().join(path)
    }

    fn program(&self, name: &str, text: &str) {
        let path = self.at("bin").join(name);
        fs::write(&path, text).unwrap();
        fs::set_permissions(path, fs::Permissions::from_mode(0o755)).unwrap();
    }

    fn setup(&self) -> Command {
        let mut command = Command::new(self.at("scripts/setup"));
        let path = format!("{}:{}", self.at("bin").display(), std::env::var("PATH").unwrap());
        command.env("PATH", path).env("XDG_CACHE_HOME", self.at("cache")).env_remove("LIBTORCH");
        command.env("FETCHES", self.at("fetches")).env("CALLS", self.at("calls"));
        command
    }

    fn succeeds(&self) {
        let output = self.setup().output().unwrap();
        assert!(output.status.success(), "{}", stderr(&output));
        assert_eq!(
            fs::canonicalize(self.at(".libtorch")).unwrap(),
            fs::canonicalize(self.fetched()).unwrap()
        );
    }

    fn fetched(&self) -> PathBuf {
        self.at("cache/facedown/libtorch-2.11.0-cpu/torch")
    }

    fn fetches(&self) -> usize {
        fs::read_to_string(self.at("fetches")).map_or(0, |calls| calls.lines().count())
    }
}

fn stderr(output: &Output) -> String {
    String::from_utf8_lossy(&output.stderr).into_owned()
}

#[test]
fn a_whole_libtorch_is_fetched_once() {
    let clone = Clone::new();
    clone.succeeds();
    clone.succeeds();
    assert_eq!(clone.fetches(), 1);
}

#[test]
fn a_clone_keeps_to_the_kind_of_libtorch_it_was_given() {
    let clone = Clone::new();
    for (arguments, kind) in [(&["--cuda"][..], "cuda"), (&[], "cuda"), (&["--cpu"], "cpu"), (&[], "cpu")] {
        let output = clone.setup().args(arguments).output().unwrap();
        assert!(output.status.success(), "{}", stderr(&output));
        let linked = fs::read_link(clone.at(".libtorch")).unwrap();
        assert!(linked.ends_with(format!("libtorch-2.11.0-{kind}/torch")), "{arguments:?}: {linked:?}");
        assert_eq!(linked.join("lib/libtorch_cuda.so").exists(), kind == "cuda");
    }
    assert_eq!(clone.fetches(), 2);
}

#[test]
fn a_killed_download_starts_over() {
    let clone = Clone::new();
    let killed = clone.setup().env("CUT_OFF", "1").stderr(Stdio::null()).status().unwrap();
    assert_eq!(killed.code(), None, "killed by a signal");
    assert!(!clone.fetched().exists() && !clone.at(".libtorch").exists());
    clone.succeeds();
    assert_eq!(clone.fetches(), 2);
    assert!(!clone.at("cache/facedown/libtorch-2.11.0-cpu.part").exists(), "the remnant is gone");
}

#[test]
fn a_damaged_cache_is_made_anew() {
    type Damage = fn(&Path);
    let damages: [(&str, Damage); 4] = [
        ("no mark", |torch| fs::remove_file(torch.with_file_name("complete")).unwrap()),
        ("a library is missing", |torch| fs::remove_file(torch.join("lib/libtorch_cpu.so")).unwrap()),
        ("a library is cut short", |torch| fs::write(torch.join("lib/libc10.so"), "ELF").unwrap()),
        ("a header is missing", |torch| fs::remove_dir_all(torch.join("include")).unwrap()),
    ];
    let clone = Clone::new();
    clone.succeeds();
    for (times, (name, damage)) in damages.into_iter().enumerate() {
        damage(&clone.fetched());
        clone.succeeds();
        assert_eq!(clone.fetches(), times + 2, "{name}");
    }
}

#[test]
fn another_version_is_refused() {
    let clone = Clone::new();
    let output = clone.setup().env("DELIVERED", "2.9.1").output().unwrap();
    assert_eq!(output.status.code(), Some(1));
    assert!(stderr(&output).contains("its version is 2.9.1 and 2.11.0 is needed"), "{}", stderr(&output));
    assert!(!clone.fetched().exists() && !clone.at(".libtorch").exists());
}

#[test]
fn two_at_once_fetch_once() {
    let clone = Clone::new();
    let both = [(); 2].map(|()| clone.setup().stderr(Stdio::null()).spawn().unwrap());
    for mut one in both {
        assert!(one.wait().unwrap().success());
    }
    assert_eq!(clone.fetches(), 1);
}

#[test]
fn a_libtorch_of_ones_own_is_linked_if_it_fits() {
    let owner = Clone::new();
    owner.succeeds();

    let clone = Clone::new();
    let output = clone.setup().env("LIBTORCH", owner.fetched()).output().unwrap();
    assert!(output.status.success(), "{}", stderr(&output));
    assert_eq!(fs::canonicalize(clone.at(".libtorch")).unwrap(), fs::canonicalize(owner.fetched()).unwrap());
    assert!(clone.fetches() == 0 && !clone.at("calls").exists());

    let output = clone.setup().env("LIBTORCH", "/nowhere").output().unwrap();
    assert!(output.status.success(), "{}", stderr(&output));
    assert!(stderr(&output).contains("LIBTORCH=/nowhere is not used"), "{}", stderr(&output));
    assert_eq!(clone.fetches(), 1);
    let calls = fs::read_to_string(clone.at("calls")).unwrap();
    assert_eq!(calls, "clean --quiet --release --package torch-sys\n", "built against the other libtorch");
}

#[test]
fn what_is_missing_is_named_on_one_line() {
    let clone = Clone::new();
    let cases: [(&str, &[&str], &str); 2] = [
        ("c++", &[], "c++ not found: install a C++ compiler (package g++)"),
        ("", &["--speed"], "unknown option --speed; scripts/setup --help lists them"),
    ];
    for program in ["c++", "flock", "ldd"] {
        clone.program(program, "#!/bin/sh\n");
    }
    // The script's own first steps; the rest of the machine is out of reach.
    let path = std::env::var_os("PATH").unwrap();
    for program in ["bash", "dirname", "uname"] {
        let real = std::env::split_paths(&path).map(|folder| folder.join(program)).find(|file| file.exists());
        symlink(real.unwrap(), clone.at("bin").join(program)).unwrap();
    }
    for (without, arguments, expected) in cases {
        if !without.is_empty() {
            fs::remove_file(clone.at("bin").join(without)).unwrap();
        }
        let output =
            clone.setup().env("PATH", clone.at("bin")).env_remove("CXX").args(arguments).output().unwrap();
        assert_eq!(output.status.code(), Some(2));
        assert_eq!(stderr(&output), format!("setup: {expected}\n"));
    }
}

#[test]
fn a_game_has_a_preset_and_a_folder_of_its_own() {
    let clone = Clone::new();
    let ours = Path::new(env!("CARGO_MANIFEST_DIR"));
    fs::copy(ours.join("scripts/run"), clone.at("scripts/run")).unwrap();
    fs::write(clone.at("scripts/setup"), "#!/bin/sh\n").unwrap();
    fs::create_dir_all(clone.at("configs/loop")).unwrap();
    for preset in ["quick.toml", "banqi-quick.toml"] {
        fs::copy(ours.join("configs/loop").join(preset), clone.at("configs/loop").join(preset)).unwrap();
    }
    let run = |arguments: &[&str]| {
        let path = format!("{}:{}", clone.at("bin").display(), std::env::var("PATH").unwrap());
        let mut command = Command::new(clone.at("scripts/run"));
        command.args(arguments).env("PATH", path).env("CALLS", clone.at("calls")).env_remove("LIBTORCH");
        command.output().unwrap()
    };
    for (arguments, game, preset, folder) in [
        (&[][..], "jieqi", "quick", "runs/quick"),
        (&["--game", "banqi"], "banqi", "banqi-quick", "runs/quick-banqi"),
    ] {
        let output = run(arguments);
        assert!(output.status.success(), "{}", stderr(&output));
        let program = format!("run --release --quiet -- --game {game}");
        let expected = format!(
            "build --release\n\
             {program} loop --config configs/loop/{preset}.toml --run {folder} --resume\n\
             {program} analyze all --data {folder}/data --out {folder}/report\n"
        );
        assert_eq!(fs::read_to_string(clone.at("calls")).unwrap(), expected);
        fs::remove_file(clone.at("calls")).unwrap();
    }
    let output = run(&["--game", "chess"]);
    let expected = "run: no game 'chess': there is no configs/loop/chess-quick.toml\n";
    assert_eq!((output.status.code(), stderr(&output).as_str()), (Some(2), expected));
    assert!(!clone.at("calls").exists());
}

/// Stands in for the program in `scripts/net-experiments`: notes what is asked of it, and says what a match says.
const TRAINER: &str = r#"#!/usr/bin/env bash
echo "$@" >>"$CALLS"
while (($#)); do
    [[ $1 != --out ]] || out=$2
    [[ $1 != match ]] || echo "score 52.5 %  (95 % interval 48.1 to 56.9 %)  over 400 games in 200 pairs"
    shift
done
[[ ! ${out:-} ]] || {
    mkdir -p "$out"
    printf '[training.loss]\npolicy = 9.9\n\n[training.validation]\npolicy = 2.20583\nvalue = 0.85809\n' >"$out/card.toml"
}
"#;

#[test]
fn every_network_that_is_told_apart_has_settings() {
    let ours = Path::new(env!("CARGO_MANIFEST_DIR"));
    let clone = Clone::new();
    clone.program("facedown", TRAINER);
    let mut script = Command::new(ours.join("scripts/net-experiments"));
    script.env("FACEDOWN", clone.at("bin/facedown")).env("CALLS", clone.at("calls"));
    let output = script.args(["--data", "/tmp", "--out"]).arg(clone.at("out")).output().unwrap();
    assert!(output.status.success(), "{}", stderr(&output));

    let table = String::from_utf8(output.stdout).unwrap();
    let row = "| window-200k | 32 | base | 32 | 400 | 52.5 % (48.1 to 56.9) | 2.2058 | 0.8581 |";
    assert!(table.lines().any(|line| line == row), "{table}");

    let calls = fs::read_to_string(clone.at("calls")).unwrap();
    let mut used: Vec<&str> = calls.split_whitespace().filter(|word| word.starts_with("configs/")).collect();
    used.sort_unstable();
    used.dedup();
    for path in &used {
        let text = fs::read_to_string(ours.join(path)).unwrap();
        let settings: toml::Table = text.parse().unwrap();
        let wrong = [
            refusal::<NetConfig>(&settings, "net"),
            refusal::<TrainConfig>(&settings, "train"),
            refusal::<SelfplayConfig>(&settings, "selfplay"),
            refusal::<SearchConfig>(&settings, "search"),
        ];
        assert_eq!(wrong, [None, None, None, None], "{path}");
    }
    let files = ["nets", "games"].map(|folder| format!("configs/experiments/{folder}"));
    let count = |folder: &String| fs::read_dir(ours.join(folder)).unwrap().count();
    assert_eq!(used.len(), files.iter().map(count).sum::<usize>(), "a file that nobody uses");
}

/// Why a table of settings cannot be read, if it is there and cannot. The `net` of self-play is no table but a player.
fn refusal<T: DeserializeOwned>(settings: &toml::Table, table: &str) -> Option<String> {
    let table = settings.get(table)?.as_table()?;
    table.clone().try_into::<T>().err().map(|error| error.to_string())
}
