//! A table as a Parquet file.

use std::sync::Arc;

use ::parquet::arrow::ArrowWriter;
use arrow::array::{ArrayRef, Float64Array, RecordBatch, StringArray, UInt64Array};
use arrow::datatypes::{DataType, Field, Schema};

use super::table::{Cell, Table};

/// The table as a Parquet file: words as strings, counts as whole numbers, figures unrounded; a figure that
/// is missing is null.
pub fn bytes(table: &Table) -> Vec<u8> {
    let arrays: Vec<ArrayRef> = (0..table.columns().len()).map(|place| array(table, place)).collect();
    let fields: Vec<Field> = (table.columns().iter().zip(&arrays))
        .map(|(column, array)| Field::new(&column.key, array.data_type().clone(), true))
        .collect();
    let schema = Arc::new(Schema::new(fields));
    let batch =
        RecordBatch::try_new(schema.clone(), arrays).expect("arrays of the schema's types, of one length");
    let mut writer =
        ArrowWriter::try_new(Vec::new(), schema, None).expect("the types of tables are types of Parquet");
    writer.write(&batch).expect("memory takes what is written to it");
    writer.into_inner().expect("memory takes what is written to it")
}

fn array(table: &Table, place: usize) -> ArrayRef {
    let cells = || table.rows().iter().map(move |row| &row[place]);
    let kind = cells().fold(DataType::UInt64, |kind, cell| match (cell, kind) {
        (Cell::Text(_), _) | (_, DataType::Utf8) => DataType::Utf8,
        (Cell::Real(_), _) | (_, DataType::Float64) => DataType::Float64,
        (_, kind) => kind,
    });
    match kind {
        DataType::Utf8 => Arc::new(StringArray::from_iter(cells().map(|cell| match cell {
            Cell::Text(text) => Some(text.clone()),
            Cell::Count(count) => Some(count.to_string()),
            Cell::Real(value) => Some(value.to_string()),
            Cell::Missing => None,
        }))),
        DataType::Float64 => Arc::new(Float64Array::from_iter(cells().map(|cell| match cell {
            Cell::Real(value) => Some(*value),
            Cell::Count(count) => Some(*count as f64),
            _ => None,
        }))),
        _ => Arc::new(UInt64Array::from_iter(cells().map(|cell| match cell {
            Cell::Count(count) => Some(*count),
            _ => None,
        }))),
    }
}
