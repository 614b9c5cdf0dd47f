//! The page as text: well-formed, self-contained, and safe from what the files say.

use facedown::record::GameRecord;

use super::analyzed;
use super::data::{made_up, write};

fn page_of(games: &[GameRecord], rules: &str) -> String {
    let folder = tempfile::tempdir().expect("a folder");
    let (data, out) = (folder.path().join("data"), folder.path().join("report"));
    write(&data, rules, games, 50);
    analyzed("all", &data, &["--out", out.to_str().expect("UTF-8")]);
    std::fs::read_to_string(out.join("index.html")).expect("a page")
}

/// The tags in `page`, without the style sheet's text: name, attributes, whether it opens, whether it closes.
fn tags(page: &str) -> Vec<(&str, &str, bool, bool)> {
    let mut found = Vec::new();
    let mut rest = page;
    while let Some(start) = rest.find('<') {
        let (tag, after) = rest[start + 1..].split_once('>').expect("every < belongs to a tag");
        rest = after;
        if tag.starts_with('!') {
            continue;
        }
        let inner = tag.trim_start_matches('/').trim_end_matches('/');
        let (name, attributes) = inner.split_once(char::is_whitespace).unwrap_or((inner, ""));
        let closing = tag.starts_with('/');
        let alone = tag.ends_with('/') || name == "meta";
        found.push((name, attributes, !closing, closing || alone));
    }
    found
}

#[test]
fn every_tag_is_closed_and_every_link_has_its_target() {
    let page = page_of(&made_up(60, 5), "wxf");
    let mut open = Vec::new();
    let mut ids = Vec::new();
    let mut links = Vec::new();
    for (name, attributes, opens, closes) in tags(&page) {
        match (opens, closes) {
            (true, false) => open.push(name),
            (false, true) => assert_eq!(open.pop(), Some(name)),
            _ => {}
        }
        for attribute in attributes.split_whitespace() {
            ids.extend(attribute.strip_prefix("id=\""));
            links.extend(attribute.strip_prefix("href=\"#"));
        }
    }
    assert!(open.is_empty(), "never closed: {open:?}");
    assert!(ids.len() > 10 && links.len() > 30);
    for link in links {
        assert_eq!(ids.iter().filter(|&&id| id == link).count(), 1, "{link}");
    }
}

#[test]
fn nothing_on_the_page_asks_the_network() {
    let page = page_of(&made_up(60, 5), "wxf");
    let page = page.replace("xmlns=\"http://www.w3.org/2000/svg\"", "");
    for fetching in
        ["http:", "https:", "//", "@import", "url(", "fetch(", "XMLHttpRequest", "<img", "<link", "src="]
    {
        let allowed = if fetching == "src=" { "default-src=" } else { "" };
        assert!(!page.replace(allowed, "").contains(fetching), "{fetching}");
    }
}

#[test]
fn what_files_say_stays_text() {
    let mut games = made_up(4, 6);
    for game in &mut games {
        game.first = "<script>alert(1)</script>".into();
        game.second = "a\" onload=\"b & c".into();
    }
    let page = page_of(&games, "<b id='x'>&");
    assert!(
        !page.contains("<script>alert") && !page.contains("<b id") && !page.contains("\" onload=\""),
        "{page}"
    );
    assert!(
        page.contains("&lt;script&gt;alert(1)&lt;/script&gt;")
            && page.contains("a&quot; onload=&quot;b &amp; c")
    );
}

#[test]
fn the_page_shows_the_figures_of_the_tables() {
    let folder = tempfile::tempdir().expect("a folder");
    let (data, out) = (folder.path().join("data"), folder.path().join("report"));
    write(&data, "wxf", &made_up(60, 5), 50);
    analyzed("all", &data, &["--out", out.to_str().expect("UTF-8")]);
    let page = std::fs::read_to_string(out.join("index.html")).expect("a page");
    for name in ["openings", "exposure", "exposure_contrast", "exposure_played"] {
        let csv = std::fs::read_to_string(out.join(name).with_extension("csv")).expect(name);
        let (_, table) = page.split_once(&format!("<table data-name=\"{name}\">")).expect(name);
        let (_, body) = table.split_once("<tbody>").expect(name);
        let (body, _) = body.split_once("</tbody>").expect(name);
        let rows = body.trim().lines().map(|row| {
            let cells = row.split("</td>").map(|cell| cell.rsplit('>').next().unwrap_or_default());
            let cells: Vec<String> =
                cells.map(|cell| cell.replace('−', "-").replace([',', '–'], "")).collect();
            cells[..cells.len() - 1].join(",")
        });
        assert_eq!(rows.collect::<Vec<_>>(), csv.lines().skip(1).collect::<Vec<_>>(), "{name}");
    }
}
