//! What the reports say, in other languages.
//!
//! Reports speak English. A book holds, for one other language, what they say: phrases by the English ones,
//! and the meanings of terms by their names in links. Whatever holds a digit (a figure, a square, a move) is
//! no word: it is taken out before a phrase is looked up and put back afterwards. What a book does not have
//! is taken apart, at sentences, colons, commas and brackets, and stays English where that does not help.

mod findings;

use std::collections::BTreeMap;
use std::fmt;
use std::str::FromStr;
use std::sync::LazyLock;

use serde::Deserialize;

use super::definitions::Term;

/// A language of the page and of the tables' headings.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Default)]
pub enum Language {
    #[default]
    English,
    Vietnamese,
    Chinese,
}

/// Everything said in one language.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Book {
    /// What each English phrase is; `#` stands for what holds a digit.
    pub phrases: BTreeMap<String, String>,
    /// By [`Term::id`].
    pub terms: BTreeMap<String, Meaning>,
}

/// A term and what it means.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Meaning {
    pub name: String,
    pub meaning: String,
}

static VIETNAMESE: LazyLock<Book> = LazyLock::new(|| Book::read(include_str!("vi.toml")));
static CHINESE: LazyLock<Book> = LazyLock::new(|| Book::read(include_str!("zh.toml")));

impl Book {
    fn read(text: &str) -> Self {
        toml::from_str(text).expect("the books that are built in can be read")
    }
}

impl Language {
    pub const ALL: [Language; 3] = [Language::English, Language::Vietnamese, Language::Chinese];

    /// The name used on the command line and in HTML, by BCP 47.
    pub fn tag(self) -> &'static str {
        match self {
            Language::English => "en",
            Language::Vietnamese => "vi",
            Language::Chinese => "zh",
        }
    }

    /// What is said in this language; none for English, which reports speak themselves.
    pub fn book(self) -> Option<&'static Book> {
        match self {
            Language::English => None,
            Language::Vietnamese => Some(&VIETNAMESE),
            Language::Chinese => Some(&CHINESE),
        }
    }

    /// A fixed phrase.
    pub fn word(self, english: &'static str) -> &'static str {
        self.book().and_then(|book| book.phrases.get(english)).map_or(english, String::as_str)
    }

    /// A term's name and meaning.
    pub fn term(self, term: &Term) -> (&'static str, &'static str) {
        match self.book().and_then(|book| book.terms.get(term.id)) {
            Some(Meaning { name, meaning }) => (name, meaning),
            None => (term.name, term.meaning),
        }
    }

    /// A text put together of phrases and figures.
    pub fn say(self, english: &str) -> String {
        match self.book() {
            Some(book) => book.said(english).unwrap_or_else(|| english.to_owned()),
            None => english.to_owned(),
        }
    }

    /// Whether no word of `english` would stay English.
    pub fn knows(self, english: &str) -> bool {
        self.book().is_none_or(|book| book.said(english).is_some())
    }
}

/// The marks between parts of a text, from those that part it first.
const MARKS: [&str; 4] = [". ", " (", ": ", ", "];

impl Book {
    /// `english` in this language; none if a part of it is in no phrase.
    fn said(&self, english: &str) -> Option<String> {
        self.said_in_parts(english, &MARKS)
    }

    /// The same, taken apart at no marks but these. The longest beginning that can be said is a part: another
    /// way to part the text is not tried, so that long texts cost little.
    fn said_in_parts(&self, english: &str, marks: &[&str]) -> Option<String> {
        if let Some(phrase) = self.phrase(english) {
            return Some(phrase);
        }
        let (&mark, finer) = marks.split_first()?;
        for (at, _) in english.rmatch_indices(mark) {
            // A full stop belongs to its sentence.
            let stop = usize::from(mark.starts_with('.'));
            let Some(before) = self.said_in_parts(&english[..at + stop], finer) else { continue };
            let rest = &english[at + mark.len()..];
            let (rest, closing) = match (mark, rest.strip_suffix(')')) {
                (" (", Some(inner)) => (inner, ")"),
                (" (", None) => continue,
                _ => (rest, ""),
            };
            let rest = self.said_in_parts(rest, marks)?;
            return Some(format!("{before}{}{rest}{closing}", &mark[stop..]));
        }
        self.said_in_parts(english, finer)
    }

    /// A text that is one phrase, or has no word; a full stop at its end may be the text's own.
    fn phrase(&self, english: &str) -> Option<String> {
        if let Some(phrase) = self.phrases.get(english) {
            return Some(phrase.clone());
        }
        let Taken { pattern, figures } = Taken::out_of(english);
        if !pattern.contains(|c: char| c.is_ascii_alphabetic()) {
            return Some(english.to_owned());
        }
        if let Some(phrase) = self.phrases.get(&pattern) {
            return Some(put_back(phrase, &figures));
        }
        Some(put_back(self.phrases.get(pattern.strip_suffix('.')?)?, &figures) + ".")
    }
}

/// A text without what holds a digit.
struct Taken<'a> {
    /// With `#` in every place.
    pattern: String,
    figures: Vec<&'a str>,
}

impl<'a> Taken<'a> {
    fn out_of(text: &'a str) -> Self {
        let (mut pattern, mut figures) = (String::new(), Vec::new());
        let belongs = |c: char| c.is_alphanumeric() || ".,+-−–".contains(c);
        let mut rest = text;
        while !rest.is_empty() {
            let token = &rest[..rest.find(|c| !belongs(c)).unwrap_or(rest.len())];
            let figure = token.trim_end_matches(['.', ',']);
            if figure.contains(|c: char| c.is_ascii_digit()) {
                pattern.push('#');
                figures.push(figure);
                rest = &rest[figure.len()..];
            } else {
                let next = rest[token.len()..].chars().next().map_or(0, char::len_utf8);
                pattern.push_str(&rest[..token.len() + next]);
                rest = &rest[token.len() + next..];
            }
        }
        Self { pattern, figures }
    }
}

/// `phrase` with the figures in their places, in their order.
fn put_back(phrase: &str, figures: &[&str]) -> String {
    let mut figures = figures.iter();
    let mut said = String::with_capacity(phrase.len());
    for part in phrase.split_inclusive('#') {
        match part.strip_suffix('#') {
            Some(words) => {
                said.push_str(words);
                said.push_str(figures.next().copied().unwrap_or("#"));
            }
            None => said.push_str(part),
        }
    }
    said
}

impl fmt::Display for Language {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.tag())
    }
}

/// A name was not that of a language.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("unknown language '{}': expected en, vi or zh", crate::text::shown(.0))]
pub struct UnknownLanguage(String);

impl FromStr for Language {
    type Err = UnknownLanguage;

    fn from_str(text: &str) -> Result<Self, UnknownLanguage> {
        let named = Self::ALL.into_iter().find(|language| language.tag() == text);
        named.ok_or_else(|| UnknownLanguage(text.into()))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn book(phrases: &[(&str, &str)]) -> Book {
        let phrases = phrases.iter().map(|&(english, said)| (english.into(), said.into()));
        Book { phrases: phrases.collect(), terms: BTreeMap::new() }
    }

    #[test]
    fn figures_are_taken_out_and_put_back() {
        let book = book(&[("# games", "# ván"), ("# to # %", "từ # đến # %"), ("Go to #.", "Đến #.")]);
        for (english, expected) in [
            ("1,600 games", Some("1,600 ván")),
            ("48.1 to 53.9 %, 812 games", Some("từ 48.1 đến 53.9 %, 812 ván")),
            ("Go to b2e2. Go to −4.", Some("Đến b2e2. Đến −4.")),
            ("2+, 36–40 %", Some("2+, 36–40 %")),
            ("812 hands", None),
        ] {
            assert_eq!(book.said(english).as_deref(), expected, "{english}");
        }
    }

    #[test]
    fn a_text_is_taken_apart_where_its_parts_are_known() {
        let book = book(&[("price", "giá"), ("a, b", "c"), ("points", "điểm"), ("odds", "xác suất")]);
        for (english, expected) in [
            ("price (points)", Some("giá (điểm)")),
            ("T1: price", Some("T1: giá")),
            ("price, a, b", Some("giá, c")),
            ("a, b, price (odds)", Some("c, giá (xác suất)")),
            ("price of odds", None),
        ] {
            assert_eq!(book.said(english).as_deref(), expected, "{english}");
        }
    }
}
