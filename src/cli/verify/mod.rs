//! `facedown verify`: checks a table of counts, moves, games or rulings that another program made.

mod rulings;

use std::path::{Path, PathBuf};
use std::sync::Arc;

use clap::Args;

use self::rulings::Ruling;
use super::table::{Row, Table, TableError};
use super::{Common, Failure, moves, position, print_line, tell};
use crate::game::{Game, MoveList, NotationError, PerftCount, PlyKind, Profile, Seat, View};
use crate::rules::{Task, dispatch};

/// Check a table that another program made
///
/// The table is a text file with tabs between its columns. Its header says which kind it is: perft
/// counts (fen, and n1, n2 … of moves or o1, o2 …, also perft1, perft2 …, of outcomes), legal moves (fen,
/// moves and legal_moves, or legal and n_legal), games from the start (moves or actions, final_fen),
/// repetitions (fen, moves, verdict), or checks and chases in a row (profile, fen, moves, ply, result). The
/// rules are those that such tables go by: of Jieqi, rules without draws, but for repetitions the default
/// ones; of Banqi, OpenSpiel's. --rules names others; a row with a profile names its own, and one with a
/// limit the plies without progress that draw. A column such as status_joypip is about the rules it names;
/// a value with a question mark is not looked at. Ends with the number of rows that passed and failed; exit
/// code 1 if any failed.
#[derive(Debug, Args)]
pub struct Verify {
    /// The table
    #[arg(value_name = "FILE.tsv")]
    file: PathBuf,
}

impl Verify {
    pub fn run(&self, common: &Common) -> Result<(), Failure> {
        dispatch(common.game(), VerifyTask { common, file: &self.file })
    }
}

struct VerifyTask<'a> {
    common: &'a Common,
    file: &'a Path,
}

impl Task for VerifyTask<'_> {
    type Out = Result<(), Failure>;

    fn run<G: Game>(self) -> Result<(), Failure> {
        let table = Table::read(self.file)?;
        let kind = Kind::of(&table)?;
        let plain = self.common.load_rules::<G>(G::Profile::OF_TABLES)?;
        let rules = match (&self.common.rules, kind) {
            (Some(name), _) => self.common.load_rules::<G>(name)?,
            (None, Kind::Repetitions) => self.common.load_rules::<G>("")?,
            (None, _) => plain.clone(),
        };
        self.tell_of_unused_columns(&table, kind);
        let (mut passed, mut failed) = (0, 0);
        for row in table.rows() {
            let rules = match row.optional("profile") {
                Some(name) => self.common.load_rules::<G>(name)?,
                None => rules.clone(),
            };
            let rules = with_limit::<G>(rules, &row)?;
            let mut comparison: Comparison<G> =
                Comparison { row: &row, rules: &rules, compared: 0, differences: Vec::new() };
            match kind {
                Kind::Counts => comparison.counts()?,
                Kind::Moves => {
                    comparison.moves()?;
                    for (column, name) in statuses_by_rules(&row) {
                        let rules = with_limit::<G>(self.common.load_rules::<G>(name)?, &row)?;
                        comparison.status_under(column, &rules)?;
                    }
                }
                Kind::Games => comparison.game()?,
                Kind::Repetitions => comparison.ruling(&plain, Ruling::of_repetition(&row)?)?,
                Kind::Series => comparison.ruling(&plain, Ruling::of_series(&row)?)?,
            }
            if comparison.compared == 0 {
                comparison.expect("the row", "something to check", "nothing");
            }
            if comparison.differences.is_empty() {
                passed += 1;
            } else {
                failed += 1;
            }
            for Difference { what, expected, got } in comparison.differences {
                print_line(format_args!("{} {what}: expected {expected}, got {got}", row.name()))?;
            }
        }
        print_line(format_args!("{passed} passed, {failed} failed"))?;
        if failed == 0 { Ok(()) } else { Err(Failure::ChecksFailed) }
    }
}

impl VerifyTask<'_> {
    /// Says which columns nothing is held against, so that nobody takes them for checked.
    fn tell_of_unused_columns(&self, table: &Table, kind: Kind) {
        let unused: Vec<_> = table.columns().filter(|name| !kind.uses(name)).collect();
        if !(unused.is_empty() || self.common.quiet) {
            tell(format_args!("not checked: {}", unused.join(", ")));
        }
    }
}

/// What a table is about.
#[derive(Clone, Copy)]
enum Kind {
    Counts,
    Moves,
    Games,
    Repetitions,
    /// Checks and chases in a row.
    Series,
}

impl Kind {
    fn of(table: &Table) -> Result<Self, TableError> {
        let has = |names: &[&str]| names.iter().all(|name| table.has_column(name));
        if table.rows().next().is_none() {
            return Err(table.without_rows());
        }
        if has(&["id", "moves", "final_fen"]) || has(&["id", "actions", "final_fen"]) {
            Ok(Kind::Games)
        } else if has(&["id", "fen", "moves", "verdict"]) {
            Ok(Kind::Repetitions)
        } else if has(&["id", "profile", "fen", "moves", "ply", "result"]) {
            Ok(Kind::Series)
        } else if has(&["id", "fen"]) && table.columns().any(|name| perft_column(name).is_some()) {
            Ok(Kind::Counts)
        } else if has(&["id", "fen", "moves", "legal_moves"]) || has(&["id", "fen", "legal", "n_legal"]) {
            Ok(Kind::Moves)
        } else {
            Err(table.unknown_header(
                "the columns 'id', and 'fen' with counts such as 'n1' or 'o1', or 'fen' with 'moves' and \
                 'legal_moves' or 'verdict', or 'fen' with 'legal' and 'n_legal', or 'moves' or 'actions' \
                 with 'final_fen', or 'profile', 'fen', 'moves', 'ply', 'result'",
            ))
        }
    }
}

/// What a position's row may say of it, besides counts and moves.
const FACTS: [&str; 6] =
    ["legal_moves", "n_legal", "facedown_moves", "captures", "facedown_captured", "status"];

impl Kind {
    /// Whether a column of this name is read.
    fn uses(self, column: &str) -> bool {
        let own: &[&str] = match self {
            Kind::Counts => &["fen"],
            Kind::Moves => &["fen", "moves", "legal"],
            Kind::Games => &["moves", "actions", "plies", "final_fen", "result", "first_colour"],
            Kind::Repetitions => &["fen", "moves", "verdict"],
            Kind::Series => &["fen", "moves", "ply", "result"],
        };
        let counts = matches!(self, Kind::Counts) && perft_column(column).is_some();
        let facts = matches!(self, Kind::Counts | Kind::Moves | Kind::Games) && FACTS.contains(&column);
        let by_rules = matches!(self, Kind::Moves) && column.starts_with("status_");
        ["id", "profile", "limit"].contains(&column) || own.contains(&column) || counts || facts || by_rules
    }
}

/// What the column of a perft count says it counts, and how deep.
fn perft_column(name: &str) -> Option<(PerftCount, u32)> {
    let (count, depth) = match name.strip_prefix('n') {
        Some(depth) => (PerftCount::Moves, depth),
        None => (PerftCount::Outcomes, name.strip_prefix('o').or_else(|| name.strip_prefix("perft"))?),
    };
    Some((count, depth.parse().ok().filter(|depth| (1..=20).contains(depth))?))
}

/// The rules with the limit on plies without progress that the row names, if it does.
fn with_limit<G: Game>(rules: Arc<G::Profile>, row: &Row) -> Result<Arc<G::Profile>, TableError> {
    let limit = row.number("limit")?.map(|limit| u16::try_from(limit).unwrap_or(u16::MAX));
    Ok(limit.map_or(rules.clone(), |plies| Arc::new(rules.with_draw_limit(plies))))
}

/// The columns that say how a position stands under rules of their own, with the names of the rules.
fn statuses_by_rules<'a>(row: &Row<'a>) -> Vec<(&'a str, &'a str)> {
    let columns = row.columns().filter_map(|name| Some((name, name.strip_prefix("status_")?)));
    columns.filter(|(name, _)| row.optional(name).is_some_and(|status| !status.ends_with('?'))).collect()
}

/// Something a row says that is not so.
struct Difference {
    what: String,
    expected: String,
    got: String,
}

/// A row being compared with what the rules say.
struct Comparison<'a, G: Game> {
    row: &'a Row<'a>,
    rules: &'a Arc<G::Profile>,
    /// How many things were held against the rules.
    compared: u32,
    differences: Vec<Difference>,
}

impl<G: Game> Comparison<'_, G> {
    fn counts(&mut self) -> Result<(), TableError> {
        let Some(view) = self.position()? else { return Ok(()) };
        self.facts_of(&view);
        for column in self.row.columns() {
            if let Some((count, depth)) = perft_column(column)
                && let Some(expected) = self.row.number(column)?
            {
                self.expect(column, &expected.to_string(), view.perft(depth, count));
            }
        }
        Ok(())
    }

    fn moves(&mut self) -> Result<(), TableError> {
        let Some(view) = self.position()? else { return Ok(()) };
        self.facts_of(&view);
        let column = if self.row.columns().any(|name| name == "legal") { "legal" } else { "moves" };
        let expected = self.row.optional(column).unwrap_or_default();
        self.expect(column, expected, moves::listed::<G>(&view));
        Ok(())
    }

    /// Compares how the position stands under other rules than the table's.
    fn status_under(&mut self, column: &str, rules: &Arc<G::Profile>) -> Result<(), TableError> {
        if let Ok(view) = G::View::parse(self.row.required("fen")?, rules) {
            self.expect_column(column, || position::result_name::<G>(&view));
        }
        Ok(())
    }

    fn game(&mut self) -> Result<(), TableError> {
        let plies = self.row.optional("actions").map_or_else(|| self.row.required("moves"), Ok)?.split(' ');
        self.expect_column("plies", || plies.clone().count().to_string());
        let mut view = position::start::<G>(self.rules);
        for (number, text) in (1..).zip(plies) {
            match view.parse_seen(text) {
                Ok((mv, seen)) => view = view.after(mv, seen),
                Err(error) => {
                    self.expect(&format!("ply {number}"), text, found(&error));
                    return Ok(());
                }
            }
        }
        let expected = self.row.required("final_fen")?;
        // The view's own fields behind the position, such as its history, are not in the table.
        let fields = expected.split(' ').count();
        let got: Vec<_> = view.to_string().split(' ').take(fields).map(String::from).collect();
        self.expect("final_fen", expected, got.join(" "));
        self.expect_column("result", || position::result_name::<G>(&view));
        self.expect_column("first_colour", || position::side_name::<G>(&view, Seat::First));
        self.facts_of(&view);
        Ok(())
    }

    /// Compares how the rules end the moves of the row; `plain` rules do not.
    fn ruling(&mut self, plain: &Arc<G::Profile>, expected: Ruling) -> Result<(), TableError> {
        let (fen, moves) = (self.row.required("fen")?, self.row.required("moves")?);
        match rulings::ruling::<G>(fen, moves, self.rules, plain) {
            Ok(got) => self.expect("ruling", &expected.to_string(), got),
            Err(error) => self.expect("fen and moves", "a game", found(&error)),
        }
        Ok(())
    }

    /// The position of the row; none, and a difference, if it is not one.
    fn position(&mut self) -> Result<Option<G::View>, TableError> {
        match G::View::parse(self.row.required("fen")?, self.rules) {
            Ok(view) => Ok(Some(view)),
            Err(error) => {
                self.expect("fen", "a position", found(&error));
                Ok(None)
            }
        }
    }

    /// Compares what the row says of a position, besides its counts and moves.
    fn facts_of(&mut self, view: &G::View) {
        let game: G = position::game(view);
        let mut moves = MoveList::new();
        game.legal_moves(&mut moves);
        let number_of =
            |holds: &dyn Fn(G::Move) -> bool| moves.iter().filter(|&&mv| holds(mv)).count().to_string();
        let flips = |mv| game.kind(mv).is_flip();
        let takes = |mv| matches!(game.kind(mv), PlyKind::Capture | PlyKind::FlipCapture);
        let takes_face_down = |mv| {
            let (reveal, _) = game.chances(mv).iter().next().expect("a move has an outcome");
            game.facts(mv, reveal).taken_hidden
        };
        self.expect_column("legal_moves", || moves.len().to_string());
        self.expect_column("n_legal", || moves.len().to_string());
        self.expect_column("facedown_moves", || number_of(&flips));
        self.expect_column("captures", || number_of(&takes));
        self.expect_column("facedown_captured", || number_of(&takes_face_down));
        let result = position::result_name::<G>(view);
        let by_result = self.row.optional("status").is_some_and(position::is_result_name);
        self.expect_column(
            "status",
            || if by_result { result } else { position::state_name::<G>(view).into() },
        );
    }

    /// Compares a column with what was found, where the row has a value in it.
    fn expect_column(&mut self, column: &str, got: impl FnOnce() -> String) {
        if let Some(expected) = self.row.optional(column) {
            self.expect(column, expected, got());
        }
    }

    fn expect(&mut self, what: &str, expected: &str, got: impl ToString) {
        let got = got.to_string();
        self.compared += 1;
        if expected != got {
            self.differences.push(Difference { what: what.into(), expected: expected.into(), got });
        }
    }
}

fn found(error: &NotationError) -> String {
    format!("{} at byte {}", error.found, error.at)
}
