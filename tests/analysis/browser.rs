//! The page in headless Chromium.

use std::path::Path;
use std::process::{Command, Output};

use super::analyzed;
use super::data::{made_up, write};
use crate::outside::skip;

const CHROMIUM: &str = "/usr/bin/chromium";

/// Loads `page` in a window of that width in a fresh profile; `more` says what to make of it.
fn load(page: &Path, profile: &Path, width: u32, more: &[&str]) -> Output {
    let mut chromium = Command::new(CHROMIUM);
    #[rustfmt::skip]
    chromium.args([
        "--headless", "--no-sandbox", "--disable-gpu", "--disable-quic", "--no-first-run",
        "--disable-background-networking", "--disable-component-update", "--disable-sync",
        "--enable-logging=stderr", "--hide-scrollbars",
    ]);
    chromium.arg(format!("--user-data-dir={}", profile.display()));
    chromium.arg(format!("--window-size={width},900"));
    chromium.args(more).arg(format!("file://{}", page.display()));
    chromium.output().expect("Chromium starts")
}

#[test]
fn the_page_renders_without_a_complaint() {
    if !Path::new(CHROMIUM).exists() {
        skip("no Chromium at /usr/bin/chromium");
        return;
    }
    let folder = tempfile::tempdir().expect("a folder");
    let (data, out) = (folder.path().join("data"), folder.path().join("report"));
    write(&data, "wxf", &made_up(60, 5), 50);
    analyzed("all", &data, &["--out", out.to_str().expect("UTF-8")]);
    let page = out.join("index.html");

    for (name, width, more) in [
        ("wide", 1200, &[][..]),
        ("phone", 500, &[]),
        ("dark", 1200, &["--blink-settings=preferredColorScheme=0"]),
    ] {
        let picture = out.join(name).with_extension("png");
        let screenshot = format!("--screenshot={}", picture.display());
        let output = load(&page, &folder.path().join(name), width, &[more, &[&screenshot]].concat());
        let said = String::from_utf8_lossy(&output.stderr);
        assert!(output.status.success(), "{said}");
        assert!(!said.contains(":CONSOLE"), "{said}");
        let bytes = std::fs::read(&picture).expect("a picture");
        assert!(bytes.starts_with(b"\x89PNG") && bytes.len() > 20_000, "{} bytes", bytes.len());
    }
}
