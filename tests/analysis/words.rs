//! The books of the other languages: nothing is missing in them, and nothing is there for nothing.

use std::collections::BTreeSet;
use std::path::Path;

use facedown::analysis::{
    self, Book, Calibration, Cell, Claims, Drawing, Exposure, Findings, Flips, Language, Limit, Luck,
    Openings, Question, Reveals, Samples, Summary, TERMS, Values, Weighted,
};
use facedown::record::{OnBroken, Reader};

use super::banqi::play;
use super::data::{made_up, write};

type All = (
    (Openings, (Exposure, (Option<Flips>, Reveals))),
    ((Luck, (Calibration, (Values, Claims))), (Option<Limit>, (Samples, (Summary, Weighted)))),
);

/// Columns of names, which are the same in every language: players, letters of pieces, lines of moves.
const NAMES: [&str; 4] = ["first", "second", "revealed", "path"];

fn books() -> Vec<(Language, &'static Book)> {
    Language::ALL.into_iter().filter_map(|language| Some((language, language.book()?))).collect()
}

/// What games of Jieqi and of Banqi say.
fn findings() -> Vec<Findings> {
    let folder = tempfile::tempdir().expect("a folder");
    let (jieqi, banqi) = (folder.path().join("jieqi"), folder.path().join("banqi"));
    write(&jieqi, "wxf", &made_up(60, 5), 50);
    play(&banqi, "tcga", "4");
    let found = |data: &Path| {
        let reader = Reader::open(data, OnBroken::Fail).expect("a dataset");
        let question =
            Question { rules: None, threads: 1, on_broken: OnBroken::Fail, depth: 2, min_games: 2 };
        analysis::analyze::<All>(&reader, &question).expect("findings").findings
    };
    let (jieqi, banqi) = (found(&jieqi), found(&banqi));
    let nets = analysis::joined(&[jieqi[0].clone(), jieqi[0].clone()]);
    [jieqi, banqi, vec![nets]].concat()
}

/// All that reports say to a reader.
fn said(findings: &[Findings]) -> BTreeSet<String> {
    let mut said = BTreeSet::new();
    for section in findings.iter().flat_map(|found| &found.sections) {
        said.insert(section.title.to_owned());
        said.extend(section.notes.iter().cloned());
        said.extend(section.headlines.iter().flat_map(|line| [line.label.clone(), line.detail.clone()]));
        for figure in &section.figures {
            said.extend([figure.title.clone(), figure.caption.clone()]);
            match &figure.drawing {
                Drawing::Intervals(plot) => said.extend(plot.rows.iter().map(|row| row.label.clone())),
                Drawing::Bars(bars) => said.extend(bars.iter().map(|bar| bar.label.clone())),
                Drawing::Board(_) | Drawing::Matrix(_) | Drawing::Games(_) => {}
            }
        }
        for table in &section.tables {
            said.insert(table.title.clone());
            said.extend(table.columns().iter().flat_map(|c| [c.title.to_owned(), c.unit.to_owned()]));
            for (cell, column) in table.rows().iter().flat_map(|row| row.iter().zip(table.columns())) {
                if let Cell::Text(text) = cell
                    && !NAMES.contains(&column.key.as_str())
                {
                    said.insert(text.clone());
                }
            }
        }
    }
    said.iter().map(|text| text.replace('\u{a0}', " ")).collect()
}

#[test]
fn every_book_says_all_that_reports_say() {
    let findings = findings();
    let said = said(&findings);
    assert!(said.len() > 200, "{}", said.len());
    for (language, _) in books() {
        let missing: Vec<&String> = said.iter().filter(|text| !language.knows(text)).collect();
        assert!(missing.is_empty(), "{language}: {missing:#?}");
    }
}

#[test]
fn every_book_has_the_same_phrases_and_all_terms() {
    let terms: BTreeSet<&str> = TERMS.iter().map(|term| term.id).collect();
    let (_, first) = books()[0];
    for (language, book) in books() {
        let known: BTreeSet<&str> = book.terms.keys().map(String::as_str).collect();
        assert_eq!(known, terms, "{language}");
        assert!(book.phrases.keys().eq(first.phrases.keys()), "{language}");
        for (english, phrase) in &book.phrases {
            let places = |text: &str| text.matches('#').count();
            assert_eq!(places(english), places(phrase), "{language}: {english}");
        }
    }
}

/// The program's texts as they are written, a text that goes over several lines as one.
fn sources(folder: &Path, all: &mut String) {
    for entry in std::fs::read_dir(folder).expect("a folder") {
        let path = entry.expect("an entry").path();
        if path.is_dir() {
            sources(&path, all);
        } else if path.extension().is_some_and(|extension| extension == "rs") {
            let text = std::fs::read_to_string(&path).expect("a source");
            let lines: Vec<&str> =
                text.lines().map(|line| line.trim_start().trim_end_matches('\\')).collect();
            all.push_str(&lines.concat());
        }
    }
}

/// What phrases are put together with.
const PIECES: [&str; 7] =
    ["rook 車", "horse 馬", "elephant 相", "advisor 仕", "cannon 炮", "pawn 兵", "general 帥"];

#[test]
fn no_phrase_is_there_for_nothing() {
    let mut written = String::new();
    for folder in ["src/analysis", "src/game"] {
        sources(&Path::new(env!("CARGO_MANIFEST_DIR")).join(folder), &mut written);
    }
    let said = said(&findings()).into_iter().collect::<Vec<_>>().join("\n");
    let (_, book) = books()[0];
    let unsaid: Vec<&String> = (book.phrases.keys())
        .filter(|english| {
            let english = PIECES.iter().fold((*english).clone(), |text, piece| text.replace(piece, "#"));
            let mut parts = english.split(['#', ',', ':', '(', ')', '.']).map(str::trim);
            !parts.all(|part| written.contains(part) || said.contains(part))
        })
        .collect();
    assert!(unsaid.is_empty(), "{unsaid:#?}");
}
