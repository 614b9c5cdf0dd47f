//! What a column of a table is: its name, its type, and what its values mean.

use std::fmt;
use std::sync::Arc;

use arrow::datatypes::{DataType, Field, Fields};

/// A column and what it means.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Column {
    pub name: &'static str,
    pub kind: Kind,
    /// Whether a row may have no value here.
    pub optional: bool,
    /// What one of it is, or its range; empty for names, texts and flags.
    pub unit: &'static str,
    /// Whose side a number is on.
    pub side: Side,
    pub meaning: &'static str,
}

impl Column {
    /// The type's name, with a `?` behind it if a row may have no value.
    pub fn type_name(&self) -> String {
        format!("{}{}", self.kind, if self.optional { "?" } else { "" })
    }

    pub fn field(&self) -> Field {
        Field::new(self.name, self.kind.data_type(), self.optional)
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
    /// The name in words; empty for nobody's.
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
            Kind::Counts => DataType::List(member(DataType::UInt8)),
            Kind::Rows(columns) => DataType::List(member(DataType::Struct(fields(columns)))),
        }
    }
}

/// The type's name as Parquet readers in other languages have it.
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

/// The member of a list, under the name the Parquet format gives it.
pub(super) fn member(of: DataType) -> Arc<Field> {
    Arc::new(Field::new("element", of, false))
}

pub(super) fn fields(columns: &[Column]) -> Fields {
    columns.iter().map(Column::field).collect()
}

/// A list of columns, each written as its meaning, then `"name": Kind`, then as far as they apply `or none`
/// if a row may have no value, `in "unit"`, and `for Side`.
macro_rules! columns {
    ($($(#[doc = $meaning:literal])+
       $name:literal: $kind:ident $(($within:ident))? $(or $none:ident)? $(in $unit:literal)? $(for $side:ident)?),+
       $(,)?) => {
        &[$(Column {
            name: $name,
            kind: Kind::$kind $(($within))?,
            optional: !concat!($(stringify!($none))?).is_empty(),
            unit: concat!($($unit)?),
            side: [$(Side::$side,)? Side::Neither][0],
            meaning: concat!($($meaning),+).trim_ascii(),
        }),+]
    };
}

pub(super) use columns;
