//! What all commands share: what they say where nobody listens, how they quote, and how they stop.

use std::fs::{self, File, OpenOptions};
use std::io::{BufRead, BufReader, Write};
use std::path::Path;
use std::process::{Child, Command, Output, Stdio};

use crate::program::{run, stderr_of_failure, stdout};

const FEN: &str = "3k5/9/9/9/9/9/9/9/9/3AK4 w - 0 1";

fn facedown(arguments: &[&str]) -> Command {
    let mut command = Command::new(env!("CARGO_BIN_EXE_facedown"));
    command.args(arguments);
    command
}

/// A small dataset played by uniform under the default rules.
fn dataset(folder: &Path) -> String {
    let data = folder.join("data").to_str().expect("UTF-8").to_owned();
    stdout(&["selfplay", "--games", "2", "--visits", "2", "--quiet", "--out", &data]);
    data
}

/// The pipe whose reader has gone.
fn closed_pipe() -> Stdio {
    let (reader, writer) = std::io::pipe().expect("a pipe");
    drop(reader);
    writer.into()
}

#[cfg(target_os = "linux")]
fn full_disk() -> Stdio {
    OpenOptions::new().write(true).open("/dev/full").expect("a device").into()
}

#[test]
fn a_dead_stderr_ends_no_run() {
    let folder = tempfile::tempdir().expect("a folder");
    let ways: &[fn() -> Stdio] = &[
        closed_pipe,
        #[cfg(target_os = "linux")]
        full_disk,
    ];
    for (place, stderr) in ways.iter().enumerate() {
        let out = folder.path().join(place.to_string());
        let out = out.to_str().expect("UTF-8");
        for arguments in [
            &["moves"][..],
            &["selfplay", "--games", "1", "--visits", "2", "--out", out],
            &["match", "--first", "random", "--second", "random", "--games", "2"],
        ] {
            let output = facedown(arguments).stderr(stderr()).output().expect("the program starts");
            assert!(output.status.success() && !output.stdout.is_empty(), "{arguments:?}: {}", output.status);
        }
        let failed = facedown(&["moves", "--position", "x"]).stderr(stderr()).output().expect("it starts");
        assert_eq!(failed.status.code(), Some(2));
    }
}

#[test]
fn an_answer_nobody_takes_is_never_a_success() {
    let folder = tempfile::tempdir().expect("a folder");
    let data = dataset(folder.path());
    for arguments in [
        &["moves"][..],
        &["perft", "--depth", "1"],
        &["inspect", &data],
        &["inspect", "--json", &data],
        &["analyze", "all", "--data", &data],
        &["match", "--quiet", "--first", "random", "--second", "random", "--games", "2"],
    ] {
        let answered_into = |stdout| facedown(arguments).stdout(stdout).output().expect("the program starts");
        let Output { status, stderr, .. } = answered_into(closed_pipe());
        let stderr = String::from_utf8_lossy(&stderr);
        assert_eq!((status.code(), stderr.contains("error")), (Some(141), false), "{arguments:?}: {stderr}");
        #[cfg(target_os = "linux")]
        {
            let Output { status, stderr, .. } = answered_into(full_disk());
            let stderr = String::from_utf8_lossy(&stderr);
            assert_eq!(status.code(), Some(1), "{arguments:?}");
            assert!(stderr.contains("error: cannot write to standard output\n  because: "), "{stderr}");
        }
    }
}

#[test]
fn what_a_message_quotes_stays_on_its_line_and_leaves_the_terminal_alone() {
    let folder = tempfile::tempdir().expect("a folder");
    let evil = "a\u{1b}[2Jb\nc";
    let file = folder.path().join("a\nb.toml");
    fs::write(&file, "x\u{1b} = 1\n").expect("written");
    let file = file.to_str().expect("UTF-8");
    let long = "x".repeat(100_000);
    for arguments in [
        &["moves", "--position", evil][..],
        &["moves", "--position", &long],
        &["moves", "--rules", evil],
        &["moves", "--rules", &long],
        &["moves", "--rules", file],
        &["match", "--first", evil, "--second", "random"],
        &["match", "--first", &long, "--second", "random"],
        &["match", "--first", "random", "--second", "random", "--config", file],
        &["match", "--first", "random", "--second", "random", "--set", evil],
        &["match", "--first", "random", "--second", "random", "--set", &format!("rules={evil}")],
        &["convert", "--from", "view", "--to", "pikafish", evil],
    ] {
        let errors = stderr_of_failure(arguments, 2);
        assert!(errors.lines().all(|line| line.starts_with("error: ") || line.starts_with("  because: ")));
        assert!(!errors.contains('\u{1b}') && errors.len() < 5_000, "{errors}");
    }
}

#[test]
fn texts_that_are_no_texts_are_placed() {
    let folder = tempfile::tempdir().expect("a folder");
    let wrong = folder.path().join("wrong.toml");
    fs::write(&wrong, b"\xef\xbb\xbfseed = 1\nn\xc3\xa9 \xff\n").expect("written");
    let wrong = wrong.to_str().expect("UTF-8");
    let players = ["match", "--first", "random", "--second", "random", "--games", "2", "--quiet"];
    for (arguments, code) in [
        (&["moves", "--rules", wrong][..], 2),
        (&["verify", wrong], 1),
        (&[&players[..], &["--config", wrong]].concat(), 2),
    ] {
        let errors = stderr_of_failure(arguments, code);
        assert!(errors.contains("line 2, column 4: the byte 0xff is not UTF-8"), "{errors}");
    }

    // A byte order mark is no part of what the file says.
    let marked = |name: &str, text: &str| {
        let path = folder.path().join(name);
        fs::write(&path, format!("\u{feff}{text}")).expect("written");
        path.to_str().expect("UTF-8").to_owned()
    };
    let table = marked("table.tsv", &format!("id\tfen\tn1\nA\t{FEN}\t4\n"));
    assert_eq!(stdout(&["verify", &table]), "1 passed, 0 failed\n");
    let settings = marked("settings.toml", "seed = \"x\"\n");
    let errors = stderr_of_failure(&[&players[..], &["--config", &settings]].concat(), 2);
    assert!(errors.contains("settings.toml:1:8: in `seed = \"x\"`: "), "{errors}");
    let rules = marked("rules.toml", "nome = 3\n");
    let errors = stderr_of_failure(&["moves", "--rules", &rules], 2);
    assert!(errors.contains("rules.toml:1:1: unknown field"), "{errors}");
}

#[test]
fn standard_input_that_is_no_text_is_placed() {
    let mut command = facedown(&["convert", "--from", "view", "--to", "pikafish"]);
    command.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped());
    let mut child = command.spawn().expect("the program starts");
    child.stdin.take().expect("piped").write_all(b"ab\n\xfe").expect("read to its end");
    let output = child.wait_with_output().expect("it ends");
    let errors = String::from_utf8_lossy(&output.stderr);
    assert_eq!(output.status.code(), Some(2), "{errors}");
    assert!(
        errors.contains("cannot read standard input\n  because: line 2, column 1: the byte 0xfe"),
        "{errors}"
    );
}

#[test]
fn analyze_takes_the_rules_of_a_file_for_those_of_the_dataset() {
    let folder = tempfile::tempdir().expect("a folder");
    let data = dataset(folder.path());
    let wxf = include_str!("../configs/rules/jieqi/wxf.toml");
    let file = |name: &str, text: &str| {
        let path = folder.path().join(name);
        fs::write(&path, text).expect("written");
        path.to_str().expect("UTF-8").to_owned()
    };
    let summary = |rules: &str| ["analyze", "summary", "--data", &data, "--rules", rules].map(String::from);
    let of = |rules: &str| run(&summary(rules).each_ref().map(String::as_str));
    let same = of(&file("same.toml", wxf));
    assert!(same.status.success() && same.stdout == of("wxf").stdout);

    let changed = wxf.replace("captured_hidden = \"capturer\"", "captured_hidden = \"both\"");
    assert_ne!(changed, wxf, "the rule set has the setting");
    for (rules, code, expected) in [
        (file("changed.toml", &changed), 2, "has other rules of the name 'wxf'"),
        ("tencent".into(), 2, "no games under the rules 'tencent'; the dataset has wxf"),
        ("house".into(), 2, "unknown rules 'house'"),
        (folder.path().join("none.toml").display().to_string(), 2, "cannot read the rules file"),
    ] {
        let output = of(&rules);
        let errors = String::from_utf8_lossy(&output.stderr);
        assert!(output.status.code() == Some(code) && errors.contains(expected), "{rules}: {errors}");
    }
}

/// A command that would take hours, with its messages.
struct Long {
    child: Child,
    messages: BufReader<std::process::ChildStderr>,
}

impl Long {
    fn start(arguments: &[&str]) -> Self {
        let mut child =
            facedown(arguments).stdout(Stdio::null()).stderr(Stdio::piped()).spawn().expect("starts");
        let messages = BufReader::new(child.stderr.take().expect("piped"));
        Self { child, messages }
    }

    /// Reads messages until one has `text` in it.
    fn wait_for(&mut self, text: &str) -> String {
        let mut line = String::new();
        while !line.contains(text) {
            line.clear();
            assert_ne!(self.messages.read_line(&mut line).expect("UTF-8"), 0, "ended before '{text}'");
        }
        line
    }

    fn interrupt(&self) {
        let status = Command::new("kill").args(["-INT", &self.child.id().to_string()]).status();
        assert!(status.expect("kill starts").success());
    }
}

#[cfg(unix)]
#[test]
fn an_interruption_says_what_is_kept_and_how_to_go_on() {
    let folder = tempfile::tempdir().expect("a folder");
    let out = folder.path().join("out").to_str().expect("UTF-8").to_owned();
    let kept =
        format!("interrupted; {out} keeps the shards that were finished, and the same command goes on");
    let lone = "interrupted; the games are not kept: --out DIR keeps them".to_owned();
    let selfplay = ["selfplay", "--games", "1000000", "--visits", "400"];
    let contest = ["match", "--first", "material", "--second", "uniform", "--games", "1000000"];
    let to = |place: &'static str| ["--out".to_owned(), format!("{out}{place}")];
    let (first, second) = (to(""), to("-match"));
    for (arguments, expected) in [
        ([&selfplay[..], &first.each_ref().map(String::as_str)].concat(), kept.clone()),
        (
            [&contest[..], &second.each_ref().map(String::as_str)].concat(),
            kept.replace("out keeps", "out-match keeps"),
        ),
        (contest.to_vec(), lone),
    ] {
        let mut long = Long::start(&arguments);
        long.wait_for("1000000 games");
        long.interrupt();
        long.wait_for("stopping at the next safe point");
        assert_eq!(long.wait_for("error: "), format!("error: {expected}\n"));
        assert_eq!(long.child.wait().expect("it ends").code(), Some(1));
    }
}

#[cfg(unix)]
#[test]
fn a_second_interruption_ends_the_program_at_once() {
    let folder = tempfile::tempdir().expect("a folder");
    let out = folder.path().join("out").to_str().expect("UTF-8").to_owned();
    // One move takes so long that no safe point comes before the second signal.
    let mut long = Long::start(&[
        "selfplay",
        "--games",
        "1",
        "--visits",
        "1000000000",
        "--net",
        "rollout",
        "--out",
        &out,
    ]);
    long.wait_for("1 games");
    long.interrupt();
    long.wait_for("stopping at the next safe point");
    long.interrupt();
    assert_eq!(long.child.wait().expect("it ends").code(), Some(130));
}

#[test]
fn the_files_of_a_report_are_whole_or_not_there() {
    let folder = tempfile::tempdir().expect("a folder");
    let data = dataset(folder.path());
    let out = folder.path().join("report");
    // A folder where a file should go: the report cannot be finished.
    fs::create_dir_all(out.join("index.html")).expect("made");
    let arguments = ["analyze", "summary", "--data", &data, "--out", out.to_str().expect("UTF-8")];
    let errors = stderr_of_failure(&arguments, 1);
    assert!(errors.contains("cannot write") && errors.contains("index.html"), "{errors}");
    for entry in fs::read_dir(&out).expect("a folder") {
        let path = entry.expect("an entry").path();
        assert_ne!(path.extension().and_then(|end| end.to_str()), Some("tmp"), "{}", path.display());
        assert!(
            path.is_dir() || File::open(&path).and_then(|file| file.metadata()).expect("a file").len() > 0
        );
    }
}
