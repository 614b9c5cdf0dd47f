//! The two tables: every column with its type and meaning, and their version.
//!
//! Everything else follows from the lists here: the Arrow schemas, the table in the README, what
//! `inspect` prints. Adding an optional column keeps [`VERSION`]; any other change raises it.

use std::fmt;
use std::sync::Arc;

use arrow::datatypes::{DataType, Field, Fields, Schema, SchemaRef};

/// The version of both tables, written to every file.
pub const VERSION: u32 = 1;

/// One of the two tables of a dataset, each a folder of Parquet files.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Table {
    /// One row a game.
    Games,
    /// One row a ply.
    Plies,
}

impl Table {
    pub const ALL: [Table; 2] = [Table::Games, Table::Plies];

    /// The table's name, which is also its folder's.
    pub fn name(self) -> &'static str {
        match self {
            Table::Games => "games",
            Table::Plies => "plies",
        }
    }

    pub fn columns(self) -> &'static [Column] {
        match self {
            Table::Games => GAMES,
            Table::Plies => PLIES,
        }
    }

    /// The columns under their full names; those within a list of rows follow it, as `candidates.prior`.
    pub fn all_columns(self) -> Vec<(String, &'static Column)> {
        let mut all = Vec::new();
        for column in self.columns() {
            all.push((column.name.to_owned(), column));
            if let Kind::Rows(within) = column.kind {
                all.extend(within.iter().map(|inner| (format!("{}.{}", column.name, inner.name), inner)));
            }
        }
        all
    }

    pub fn schema(self) -> SchemaRef {
        Arc::new(Schema::new(fields(self.columns())))
    }
}

/// Whose side a number is on.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Side {
    /// Nobody's: a count, a name, a square.
    Neither,
    /// The player's who makes the ply.
    Mover,
    /// The player's who began the game.
    First,
}

impl Side {
    pub fn name(self) -> &'static str {
        match self {
            Side::Neither => "",
            Side::Mover => "mover",
            Side::First => "first seat",
        }
    }
}

/// What a column holds.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Kind {
    Flag,
    I8,
    U8,
    U16,
    U32,
    U64,
    /// A float of 16 bits: three decimal digits.
    Half,
    Float,
    Text,
    /// A list of small counts.
    Counts,
    /// A list of rows of their own.
    Rows(&'static [Column]),
}

impl Kind {
    pub fn data_type(self) -> DataType {
        match self {
            Kind::Flag => DataType::Boolean,
            Kind::I8 => DataType::Int8,
            Kind::U8 => DataType::UInt8,
            Kind::U16 => DataType::UInt16,
            Kind::U32 => DataType::UInt32,
            Kind::U64 => DataType::UInt64,
            Kind::Half => DataType::Float16,
            Kind::Float => DataType::Float32,
            Kind::Text => DataType::Utf8,
            Kind::Counts => DataType::List(element(DataType::UInt8)),
            Kind::Rows(columns) => DataType::List(element(DataType::Struct(fields(columns)))),
        }
    }
}

impl fmt::Display for Kind {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Kind::Flag => "bool",
            Kind::I8 => "int8",
            Kind::U8 => "uint8",
            Kind::U16 => "uint16",
            Kind::U32 => "uint32",
            Kind::U64 => "uint64",
            Kind::Half => "float16",
            Kind::Float => "float32",
            Kind::Text => "string",
            Kind::Counts => "list<uint8>",
            Kind::Rows(_) => "list<struct>",
        })
    }
}

/// A column and what it means.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Column {
    pub name: &'static str,
    pub kind: Kind,
    /// Whether a row may have no value here.
    pub optional: bool,
    /// What one of it is; empty for names, texts and flags.
    pub unit: &'static str,
    pub side: Side,
    pub meaning: &'static str,
}

impl Column {
    const fn new(name: &'static str, kind: Kind, meaning: &'static str) -> Self {
        Self { name, kind, optional: false, unit: "", side: Side::Neither, meaning }
    }

    const fn unit(mut self, unit: &'static str) -> Self {
        self.unit = unit;
        self
    }

    const fn side(mut self, side: Side) -> Self {
        self.side = side;
        self
    }

    const fn optional(mut self) -> Self {
        self.optional = true;
        self
    }

    /// The type's name, with a `?` behind it if a row may have no value.
    pub fn type_name(&self) -> String {
        format!("{}{}", self.kind, if self.optional { "?" } else { "" })
    }

    pub fn field(&self) -> Field {
        Field::new(self.name, self.kind.data_type(), self.optional)
    }
}

/// The member of a list, under the name the Parquet format gives it.
pub(super) fn element(of: DataType) -> Arc<Field> {
    Arc::new(Field::new("element", of, false))
}

pub(super) fn fields(columns: &[Column]) -> Fields {
    columns.iter().map(Column::field).collect()
}

/// The columns of both tables as text, one a line: table, name, type, unit, side, meaning, with tabs
/// between. A type that ends in `?` may have no value.
pub fn describe() -> String {
    let mut text = String::from("table\tname\ttype\tunit\tside\tmeaning\n");
    for table in Table::ALL {
        for (name, column) in table.all_columns() {
            let cells =
                [table.name(), &name, &column.type_name(), column.unit, column.side.name(), column.meaning];
            text += &cells.join("\t");
            text.push('\n');
        }
    }
    text
}

const VALUE: &str = "value, -1 to 1";
const COUNT: &str = "pieces";

/// The columns of the table `games`.
const GAMES: &[Column] = &[
    Column::new("game_id", Kind::U64, "names the game; unique across shards and generations"),
    Column::new("game", Kind::Text, "which game: jieqi, banqi"),
    Column::new("rules", Kind::Text, "the rule set's name"),
    Column::new("rules_hash", Kind::U64, "the rule set's fingerprint: equal for equal rules"),
    Column::new("seed", Kind::U64, "the seed the deal was drawn with"),
    Column::new("first", Kind::Text, "who played the first seat: an evaluator's or a checkpoint's name"),
    Column::new("second", Kind::Text, "who played the second seat"),
    Column::new("result", Kind::I8, "1 won, 0 drawn, -1 lost").side(Side::First),
    Column::new(
        "end_reason",
        Kind::Text,
        "why the game ended: checkmate, stalemate, no-progress, repetition, …",
    ),
    Column::new("plies", Kind::U16, "the game's length").unit("plies"),
];

/// The columns of the table `plies`.
const PLIES: &[Column] = &[
    Column::new("game_id", Kind::U64, "the game, as in the table games"),
    Column::new("ply", Kind::U16, "place in the game; 0 is the first ply").unit("plies"),
    Column::new("seat", Kind::U8, "who moves: 0 the first seat, 1 the second"),
    Column::new("view", Kind::Text, "what the mover knows before the ply, as position text"),
    Column::new("move", Kind::Text, "the move, from and to: b2b9"),
    Column::new("reveal", Kind::Text, "what the ply uncovered, the truth; empty if nothing"),
    Column::new("kind", Kind::Text, "move, capture, flip or flip-capture"),
    Column::new("from", Kind::Text, "the square the piece leaves"),
    Column::new("to", Kind::Text, "the square it ends on"),
    Column::new("shown", Kind::Text, "the role letter the piece moved as; none if nothing was known of it").optional(),
    Column::new("revealed", Kind::Text, "the role letter a flipped piece turned out to be").optional(),
    Column::new("taken", Kind::Text, "the role letter of the piece taken, where anybody knows it").optional(),
    Column::new("taken_hidden", Kind::Flag, "the piece taken was face down"),
    Column::new("attackers", Kind::U8, "enemy pieces that could then take on the square `to`").unit(COUNT).side(Side::Mover),
    Column::new("attackers_hidden", Kind::U8, "of these, the face-down ones").unit(COUNT).side(Side::Mover),
    Column::new("least_attacker", Kind::Text, "the role letter of the cheapest attacker, as it shows").optional(),
    Column::new("defenders", Kind::U8, "own pieces that could retake on `to`").unit(COUNT).side(Side::Mover),
    Column::new("defenders_hidden", Kind::U8, "of these, the face-down ones").unit(COUNT).side(Side::Mover),
    Column::new("see", Kind::Float, "what the opponent wins by the best exchange on `to`, a flipped piece at its pool's mean; 0 or more").unit("pawns").side(Side::Mover),
    Column::new("risk", Kind::Float, "expected loss on `to`: the mean over what may be revealed of the opponent's best exchange less what the ply took; 0 or more").unit("pawns").side(Side::Mover),
    Column::new("check", Kind::Flag, "the ply gives check"),
    Column::new("in_check", Kind::Flag, "the mover stood in check"),
    Column::new("phase", Kind::Text, "opening, middle or endgame, by face-down pieces left"),
    Column::new("face_down_left", Kind::U8, "face-down pieces of both sides before the ply").unit(COUNT),
    Column::new("pool_own", Kind::Counts, "the mover's undrawn pieces as the mover knows them, by kind in the game's piece order").unit(COUNT).side(Side::Mover),
    Column::new("pool_enemy", Kind::Counts, "the opponent's undrawn pieces as the mover knows them").unit(COUNT).side(Side::Mover),
    Column::new("locked_own", Kind::U8, "the mover's face-down pieces with no legal move or none of low risk").unit(COUNT).side(Side::Mover),
    Column::new("locked_enemy", Kind::U8, "the same of the opponent").unit(COUNT).side(Side::Mover),
    Column::new("full_search", Kind::Flag, "searched with the full number of visits: the visits are a policy target"),
    Column::new("audited", Kind::Flag, "the outcomes of every root move were opened"),
    Column::new("explored", Kind::Flag, "the move was drawn with a known probability, not played by the usual policy"),
    Column::new("visits", Kind::U32, "simulations of the search").unit("visits"),
    Column::new("value", Kind::Float, "the search's value of the position").unit(VALUE).side(Side::Mover),
    Column::new("net_value", Kind::Float, "the evaluator's own value of the position").unit(VALUE).side(Side::Mover),
    Column::new("next_value", Kind::Float, "the search's value of the next position, on this mover's side; the result after the last ply").unit(VALUE).side(Side::Mover),
    Column::new("result", Kind::I8, "how the game ended: 1 won, 0 drawn, -1 lost").side(Side::Mover),
    Column::new("lost_in", Kind::U16, "plies until the moved piece was taken; none if it never was").unit("plies").optional(),
    Column::new("chosen_with", Kind::Float, "the probability with which the move was chosen; none where it has no closed form").unit("probability").optional(),
    Column::new("label_own_taken", Kind::Counts, "truth for training targets only: the mover's pieces taken face down unseen by the mover, by kind; empty where nothing is secret").unit(COUNT).side(Side::Mover),
    Column::new("candidates", Kind::Rows(CANDIDATES), "the root moves the search visited, in the order of the moves"),
    Column::new("outcomes", Kind::Rows(OUTCOMES), "what the played move might have uncovered, with its odds; empty if it uncovers nothing"),
];

/// The columns of a candidate: a root move the search visited.
const CANDIDATES: &[Column] = &[
    Column::new("move", Kind::Text, "the move"),
    Column::new("kind", Kind::Text, "move, capture, flip or flip-capture"),
    Column::new("prior", Kind::Half, "the evaluator's prior, before root noise").unit("probability"),
    Column::new("visits", Kind::U32, "simulations that went through it").unit("visits"),
    Column::new("q", Kind::Half, "the move's value").unit(VALUE).side(Side::Mover),
    Column::new(
        "opened",
        Kind::U8,
        "distinct reveals the search has opened below it; 0 if it uncovers nothing",
    )
    .unit("reveals"),
    Column::new("attackers", Kind::U8, "as for the played move").unit(COUNT).side(Side::Mover),
    Column::new("defenders", Kind::U8, "as for the played move").unit(COUNT).side(Side::Mover),
    Column::new("risk", Kind::Half, "as for the played move").unit("pawns").side(Side::Mover),
];

/// The columns of an outcome: one thing the played move might have uncovered.
const OUTCOMES: &[Column] = &[
    Column::new("reveal", Kind::Text, "the role letter the moved piece would be; none if it was face up")
        .optional(),
    Column::new("taken", Kind::Text, "the role letter of the face-down piece taken; none if none was")
        .optional(),
    Column::new("p_mover", Kind::Float, "the odds the mover gave it").unit("probability").side(Side::Mover),
    Column::new("p_referee", Kind::Float, "the referee's odds").unit("probability"),
    Column::new(
        "q",
        Kind::Half,
        "the value if it happened, fixed before the draw; the move's own where the search had not opened it",
    )
    .unit(VALUE)
    .side(Side::Mover),
    Column::new("n", Kind::U32, "simulations below it; 0 if it was not opened").unit("visits"),
];
