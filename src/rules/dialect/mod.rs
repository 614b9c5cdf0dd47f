//! The texts of other programs: positions, plies and games, both ways.
//!
//! `docs/notation.md` describes every form. What a form leaves open is never guessed: such a text is
//! refused, with the reason. What a form cannot hold is either refused too ([`DialectError::Unsayable`]),
//! where the text would mean something else without it, or listed by [`Format::unsaid`].

mod game_file;
mod jfn;
mod jieqibox;
mod line;
mod own;
mod pikafish;
mod pychess;
mod source;
mod spoken;

use std::fmt;
use std::str::FromStr;
use std::sync::Arc;

use crate::game::{Eyes, NotationError, Profile, View};
use crate::rules::jieqi::{JieqiRules, JieqiView, Move, Reveal, TakenFaceDown};
use crate::rules::pieces::{ByColor, Color};

pub use game_file::{Entry, EntryKind, FlipMode, GameFile, Metadata};
pub use line::{Line, Snapshot};
pub use own::in_own_words;
pub use spoken::{Language, UnknownLanguage, chinese, vietnamese};

use source::{Word, Words};

/// A text could not be read, or cannot be written in a dialect.
#[derive(Debug, thiserror::Error)]
pub enum DialectError {
    #[error(transparent)]
    Text(#[from] NotationError),
    #[error("not a game file")]
    Json(#[from] serde_json::Error),
    /// `place` is where in a game file the text stands, such as `moves[3].data`.
    #[error("{place} of the game file")]
    InFile { place: String, source: NotationError },
    /// A part of a game file contradicts the rest or leaves something open.
    #[error("{place} of the game file: {found}; expected {expected}")]
    File { place: String, found: String, expected: String },
    /// What was asked for is more than the text tells.
    #[error("the text does not say {what}")]
    Unknown { what: String },
    /// The form has no way to say something without which its text would mean something else.
    #[error("{form} cannot say {what}")]
    Unsayable { form: Format, what: String },
}

/// A form of text that another program reads and writes, or our own.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Format {
    /// Pikafish's five fields; its `position` command for games.
    Pikafish,
    /// JieqiBox's six fields. Reads all of its orders.
    JieqiBox,
    /// JieqiBox's order with the pool before the side to move.
    JieqiBoxOld,
    /// JieqiBox's order with the pool last, which it shows to engines that play against people.
    JieqiBoxPoolLast,
    /// JieqiBox's game files.
    JieqiBoxJson,
    /// PyChess: `~` behind face-down pieces, no pool, ranks from 1.
    PyChess,
    /// JFN v2: what one player knows.
    Jfn,
    /// Our own view text.
    View,
}

impl Format {
    pub const ALL: [Format; 8] = [
        Format::Pikafish,
        Format::JieqiBox,
        Format::JieqiBoxOld,
        Format::JieqiBoxPoolLast,
        Format::JieqiBoxJson,
        Format::PyChess,
        Format::Jfn,
        Format::View,
    ];

    /// The name used on the command line.
    pub fn name(self) -> &'static str {
        match self {
            Format::Pikafish => "pikafish",
            Format::JieqiBox => "jieqibox",
            Format::JieqiBoxOld => "jieqibox-old",
            Format::JieqiBoxPoolLast => "jieqibox-pool-last",
            Format::JieqiBoxJson => "jieqibox-json",
            Format::PyChess => "pychess",
            Format::Jfn => "jfn",
            Format::View => "view",
        }
    }

    /// Reads a position, or a game: a position and the plies played from it.
    ///
    /// # Errors
    ///
    /// If the text is not in this form, leaves open what it means, or is not a game under `rules`.
    pub fn read(self, text: &str, rules: &Arc<JieqiRules>) -> Result<Line, DialectError> {
        match self.dialect() {
            Some(dialect) => Ok(read_line(dialect, text, rules)?),
            None => GameFile::read(text)?.line(rules),
        }
    }

    /// Writes a position or a game so that the program the form belongs to reads it as meant.
    ///
    /// # Errors
    ///
    /// [`DialectError::Unsayable`]
    pub fn write(self, line: &Line) -> Result<String, DialectError> {
        match self.dialect() {
            Some(dialect) => {
                write_line(dialect, line).map_err(|what| DialectError::Unsayable { form: self, what })
            }
            None => Ok(GameFile::of(line).write()),
        }
    }

    /// What `line` holds and a text in this form does not.
    pub fn unsaid(self, line: &Line) -> Vec<&'static str> {
        let view = line.start().view();
        let lists_taken = matches!(self, Format::JieqiBox | Format::JieqiBoxJson);
        let tells_taken = !matches!(self, Format::PyChess | Format::Jfn);
        let notes = [
            (
                !matches!(self, Format::Jfn | Format::View) && view.eyes() != Eyes::Public,
                "whose knowledge it is",
            ),
            (
                self != Format::View && view.position().has_past(),
                "the plies that led to the position, which count for repetition",
            ),
            (
                !lists_taken && *line.start().taken() != ByColor::default(),
                "which pieces were taken face down before it",
            ),
            (!tells_taken && line.plies().any(|(_, seen)| seen.taken.is_some()), "what was taken face down"),
            (self == Format::PyChess, "what the face-down pieces may be"),
            (self == Format::Jfn, "the plies without a capture and the move number"),
        ];
        notes.into_iter().filter(|&(is_unsaid, _)| is_unsaid).map(|(_, what)| what).collect()
    }

    /// None for game files, which are no lines of text.
    fn dialect(self) -> Option<&'static dyn Dialect> {
        match self {
            Format::Pikafish => Some(&pikafish::Pikafish),
            Format::JieqiBox => Some(&jieqibox::JieqiBox::New),
            Format::JieqiBoxOld => Some(&jieqibox::JieqiBox::Old),
            Format::JieqiBoxPoolLast => Some(&jieqibox::JieqiBox::PoolLast),
            Format::JieqiBoxJson => None,
            Format::PyChess => Some(&pychess::PyChess),
            Format::Jfn => Some(&jfn::Jfn),
            Format::View => Some(&own::Own),
        }
    }
}

impl fmt::Display for Format {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}

/// A name was not that of a form of text.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("unknown form '{}': expected one of {}", crate::text::shown(found), Format::ALL.map(Format::name).join(", "))]
pub struct UnknownFormat {
    found: String,
}

impl FromStr for Format {
    type Err = UnknownFormat;

    fn from_str(text: &str) -> Result<Self, UnknownFormat> {
        let known = Self::ALL.into_iter().find(|format| format.name() == text);
        known.ok_or_else(|| UnknownFormat { found: text.into() })
    }
}

/// The rules that texts are read with where none are named: movement, check and mate, and no draws.
/// Who took a face-down piece may know it.
pub fn text_rules() -> Arc<JieqiRules> {
    let base = JieqiRules::load("base").expect("the rules of tables are built in");
    Arc::new(JieqiRules { captured_hidden: TakenFaceDown::SeenByTaker, ..(*base).clone() })
}

/// What a text would need and has no words for.
type Unsayable = String;

/// A form of text that is a line of words: a position, then perhaps the plies played from it.
trait Dialect {
    /// The word between a position and plies.
    fn separator(&self) -> &'static str {
        "moves"
    }

    fn read_position(&self, words: &Words, rules: &Arc<JieqiRules>) -> Result<Snapshot, NotationError>;

    /// Reads `word`, one of `words`, as a ply played in `view`.
    fn read_ply(&self, words: &Words, word: Word, view: &JieqiView) -> Result<(Move, Reveal), NotationError>;

    fn write_position(&self, position: &Snapshot) -> Result<String, Unsayable>;

    fn write_ply(&self, view: &JieqiView, mv: Move, seen: Reveal) -> Result<String, Unsayable>;

    /// A position as it is written where plies follow.
    fn with_plies_to_come(&self, position: String) -> String {
        position
    }
}

fn read_line(dialect: &dyn Dialect, text: &str, rules: &Arc<JieqiRules>) -> Result<Line, NotationError> {
    let words = source::split(text);
    let words = Words { text, words: &words };
    let (position, plies) = words.parted_at(dialect.separator());
    let mut line = Line::new(dialect.read_position(&position, rules)?);
    if let Some(plies) = plies {
        for &word in plies.words {
            let (mv, seen) = dialect.read_ply(&words, word, line.end().view())?;
            line.play(mv, seen);
        }
    }
    Ok(line)
}

fn write_line(dialect: &dyn Dialect, line: &Line) -> Result<String, Unsayable> {
    let mut text = dialect.write_position(line.start())?;
    if line.plies().len() > 0 {
        text = dialect.with_plies_to_come(text);
        text += " ";
        text += dialect.separator();
    }
    for (before, mv, seen) in line.steps() {
        text += " ";
        text += &dialect.write_ply(before.view(), mv, seen)?;
    }
    Ok(text)
}

/// The fields of our own text of a position: board, side, pool, plies without a capture, move number.
fn own_fields(view: &JieqiView) -> [String; 5] {
    let text = view.to_string();
    let mut fields = text.split(' ').map(String::from);
    std::array::from_fn(|_| fields.next().expect("a view's text starts with five fields"))
}

/// One value for each colour.
fn by_color<T>(mut make: impl FnMut(Color) -> T) -> ByColor<T> {
    ByColor::new(make(Color::Red), make(Color::Black))
}
