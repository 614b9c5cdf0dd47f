//! The page in headless Chromium.

use std::path::{Path, PathBuf};
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

/// A report on made-up games in `language`; none without a browser to look at it.
fn report(folder: &Path, language: &str) -> Option<PathBuf> {
    if !Path::new(CHROMIUM).exists() {
        skip("no Chromium at /usr/bin/chromium");
        return None;
    }
    let (data, out) = (folder.join("data"), folder.join(language));
    if !data.exists() {
        write(&data, "wxf", &made_up(60, 5), 50);
    }
    analyzed("all", &data, &["--lang", language, "--out", out.to_str().expect("UTF-8")]);
    Some(out.join("index.html"))
}

/// Loads the page and fails on anything it complains of; gives what Chromium printed.
fn quiet(page: &Path, profile: &Path, width: u32, more: &[&str]) -> String {
    let output = load(page, profile, width, more);
    let said = String::from_utf8_lossy(&output.stderr);
    assert!(output.status.success(), "{said}");
    assert!(!said.contains(":CONSOLE"), "{said}");
    String::from_utf8(output.stdout).expect("UTF-8")
}

#[test]
fn the_page_renders_without_a_complaint() {
    let folder = tempfile::tempdir().expect("a folder");
    for (language, width, more) in
        [("en", 1200, &[][..]), ("vi", 500, &[]), ("zh", 1200, &["--blink-settings=preferredColorScheme=0"])]
    {
        let Some(page) = report(folder.path(), language) else { return };
        let picture = page.with_extension("png");
        let screenshot = format!("--screenshot={}", picture.display());
        quiet(&page, &folder.path().join("profile"), width, &[more, &[&screenshot]].concat());
        let bytes = std::fs::read(&picture).expect("a picture");
        assert!(bytes.starts_with(b"\x89PNG") && bytes.len() > 20_000, "{} bytes", bytes.len());
    }
}

/// Does what a reader does, and writes down what the page then shows.
const READER: &str = r#"<script>
  const stage = document.querySelector(".stage");
  const press = (key) => stage.dispatchEvent(new KeyboardEvent("keydown", { key, bubbles: true }));
  const click = (name) => stage.querySelector(name).click();
  const seen = [stage.hidden, stage.dataset.ply];
  click(".on"); click(".on"); press("ArrowRight"); seen.push(stage.dataset.ply);
  press("ArrowLeft"); seen.push(stage.dataset.ply, stage.querySelectorAll(".men circle").length);
  const moves = document.querySelectorAll("details.game")[1].querySelectorAll("li");
  moves[0].click(); seen.push(stage.dataset.ply, stage.querySelector(".choice").selectedIndex);
  press("End"); seen.push(Number(stage.dataset.ply) === moves.length);
  const fold = document.querySelector("details.table:not([open])");
  fold.querySelector("summary").click(); seen.push(fold.open);
  seen.push(performance.getEntriesByType("resource").length);
  seen.push(document.documentElement.scrollWidth > window.innerWidth);
  const names = [...document.querySelectorAll(".intervals .name")].filter((name) => name.textContent);
  const cut = names.filter((name) => {
    const [box, figure] = [name, name.parentNode.querySelector(".figure")].map((text) => text.getBBox());
    const beside = Math.abs(box.y - figure.y) < 2;
    return box.x + box.width > (beside ? figure.x : name.ownerSVGElement.viewBox.baseVal.width);
  });
  seen.push(names.length > 20, cut.length);
  document.body.dataset.seen = seen.join(" ");
</script></body>"#;

#[test]
fn games_step_tables_fold_and_nothing_is_fetched() {
    let folder = tempfile::tempdir().expect("a folder");
    for language in ["en", "vi", "zh"] {
        let Some(page) = report(folder.path(), language) else { return };
        let read = std::fs::read_to_string(&page).expect("a page").replace("</body>", READER);
        std::fs::write(&page, read).expect("a page");
        let shown = quiet(&page, &folder.path().join("profile"), 500, &["--dump-dom"]);
        // On stage, at the start; three plies on; one back, with all 32 men; the second game after its first
        // ply; at its end; a table unfolded; nothing fetched; nothing beyond the right edge; of many labels in
        // plots none that runs into a figure.
        let expected = "data-seen=\"false 0 3 2 32 1 1 true true 0 false true 0\"";
        let body = shown.find("data-seen").map_or("nothing", |at| &shown[at..(at + 60).min(shown.len())]);
        assert!(shown.contains(expected), "{language}: {body}");
    }
}

/// Writes down what of a printed page should not be there, or is not.
const PRINTER: &str = r#"<script>
  const all = (names) => [...document.querySelectorAll(names)];
  const shown = (names) => all(names).filter((element) => element.checkVisibility()).length;
  const seen = [shown("nav, button, input, label, [download], details:not([open], .tree *)")];
  seen.push(all(".stage").length > 0 && shown(".stage") === all(".stage").length);
  seen.push(all(".tree *").length === shown(".tree *"));
  seen.push(getComputedStyle(document.body).backgroundColor, getComputedStyle(document.body).color);
  for (const table of all("details.table")) table.open = true;
  seen.push(document.documentElement.scrollWidth > window.innerWidth);
  document.body.dataset.seen = seen.join(" ");
</script></body>"#;

#[test]
fn a_printed_page_is_light_without_controls_and_no_table_is_cut() {
    let folder = tempfile::tempdir().expect("a folder");
    for language in ["en", "vi", "zh"] {
        let Some(page) = report(folder.path(), language) else { return };
        let read = std::fs::read_to_string(&page).expect("a page");
        let (screen, paper) = ("@media screen and", "@media print {");
        assert!(read.contains(screen) && read.contains(paper), "{language}");
        // No script sees a sheet of paper, so that the screen is told what is meant for one.
        let read = read.replace(screen, "@media print and").replace(paper, "@media all {");
        std::fs::write(&page, read.replace("</body>", PRINTER)).expect("a page");
        // The width of A4 between the margins, for readers who prefer dark colours.
        let dark = ["--dump-dom", "--blink-settings=preferredColorScheme=0"];
        let shown = quiet(&page, &folder.path().join("profile"), 695, &dark);
        // No control; boards to see, and all of the tree; ink on white; nothing beyond the right edge, not even
        // of the tables that were folded.
        let expected = "data-seen=\"0 true true rgb(255, 255, 255) rgb(42, 33, 24) false\"";
        let body = shown.find("data-seen").map_or("nothing", |at| &shown[at..(at + 90).min(shown.len())]);
        assert!(shown.contains(expected), "{language}: {body}");
    }
}
