//! Typed access to the columns of a batch; a wrong type is an error with the column's name.

use std::ops::Range;
use std::path::Path;
use std::sync::Arc;

use arrow::array::{
    Array, ArrayRef, BooleanArray, ListArray, PrimitiveArray, RecordBatch, StringArray, StructArray,
    UInt8Array, new_null_array,
};
use arrow::buffer::OffsetBuffer;
use arrow::datatypes::ArrowNativeType;
use arrow::datatypes::Fields;
use arrow::datatypes::{
    ArrowPrimitiveType, Float16Type, Float32Type, Int8Type, UInt8Type, UInt16Type, UInt32Type, UInt64Type,
};
use half::f16;

use super::RecordError;
use super::schema::{Column, Table};

/// A number a column may hold.
pub trait Number: ArrowNativeType {
    type Arrow: ArrowPrimitiveType<Native = Self>;
}

macro_rules! numbers {
    ($($native:ty => $arrow:ty),*) => { $(impl Number for $native { type Arrow = $arrow; })* };
}

numbers!(u8 => UInt8Type, u16 => UInt16Type, u32 => UInt32Type, u64 => UInt64Type,
         i8 => Int8Type, f16 => Float16Type, f32 => Float32Type);

/// The columns of some rows of one file, by name. Cheap to clone.
#[derive(Debug, Clone)]
pub struct Columns {
    file: Arc<Path>,
    /// What stands before a column's name in messages: `candidates.` inside that column.
    within: String,
    fields: Fields,
    arrays: Vec<ArrayRef>,
    rows: usize,
    /// Rows of the file that stand before these.
    skipped: u64,
    /// Inside a column of lists, where the list of each row starts.
    lists: Option<OffsetBuffer<i32>>,
}

impl Columns {
    /// The columns of `batch`, which was read from `file` from its row `first` on.
    pub fn new(batch: &RecordBatch, file: Arc<Path>, first: u64) -> Self {
        Self {
            file,
            within: String::new(),
            fields: batch.schema_ref().fields().clone(),
            arrays: batch.columns().to_vec(),
            rows: batch.num_rows(),
            skipped: first,
            lists: None,
        }
    }

    /// These columns and `column`, which has no value in any row.
    pub(super) fn with_empty(mut self, column: &Column) -> Self {
        let field = Arc::new(column.field());
        self.arrays.push(new_null_array(field.data_type(), self.rows));
        self.fields = self.fields.iter().cloned().chain([field]).collect();
        self
    }

    pub fn rows(&self) -> usize {
        self.rows
    }

    /// Which row of the file, its first being 0, a row of these columns belongs to.
    pub fn row_in_file(&self, row: usize) -> u64 {
        let row = match &self.lists {
            // Lists may be empty, so that several start at one place: the last of them holds the member.
            Some(starts) => starts.partition_point(|&start| start as usize <= row).saturating_sub(1),
            None => row,
        };
        self.skipped + row as u64
    }

    /// The file the rows come from.
    pub fn file(&self) -> &Path {
        &self.file
    }

    /// The column as Arrow has it, empty values and all.
    ///
    /// # Errors
    ///
    /// If there is no such column, which includes columns that were not asked for when reading.
    pub fn array(&self, name: &str) -> Result<&ArrayRef, RecordError> {
        let place = self.fields.iter().position(|field| field.name() == name);
        place.map(|place| &self.arrays[place]).ok_or_else(|| RecordError::MissingColumn {
            file: self.file.to_path_buf(),
            column: format!("{}{name}", self.within),
        })
    }

    /// A column of numbers, one a row.
    ///
    /// # Errors
    ///
    /// If there is no such column, it has another type, or a row has no value.
    pub fn numbers<T: Number>(&self, name: &str) -> Result<&[T], RecordError> {
        let array = self.typed::<PrimitiveArray<T::Arrow>>(name, || format!("{:?}", T::Arrow::DATA_TYPE))?;
        Ok(self.full(name, array)?.values())
    }

    /// A column of numbers with rows that may have none.
    ///
    /// # Errors
    ///
    /// If there is no such column or it has another type.
    pub fn optional_numbers<T: Number>(&self, name: &str) -> Result<OptionalNumbers<'_, T>, RecordError> {
        self.typed(name, || format!("{:?}", T::Arrow::DATA_TYPE)).map(OptionalNumbers)
    }

    /// A column of flags; `value(row)` gives one.
    ///
    /// # Errors
    ///
    /// As for [`Columns::numbers`].
    pub fn flags(&self, name: &str) -> Result<&BooleanArray, RecordError> {
        self.full(name, self.typed::<BooleanArray>(name, || "Boolean".into())?)
    }

    /// A column of texts; `value(row)` gives one.
    ///
    /// # Errors
    ///
    /// As for [`Columns::numbers`].
    pub fn texts(&self, name: &str) -> Result<&StringArray, RecordError> {
        self.full(name, self.typed::<StringArray>(name, || "Utf8".into())?)
    }

    /// A column of texts with rows that may have none.
    ///
    /// # Errors
    ///
    /// If there is no such column or it has another type.
    pub fn optional_texts(&self, name: &str) -> Result<OptionalTexts<'_>, RecordError> {
        self.typed(name, || "Utf8".into()).map(OptionalTexts)
    }

    /// A column of lists of small counts.
    ///
    /// # Errors
    ///
    /// As for [`Columns::numbers`].
    pub fn counts(&self, name: &str) -> Result<Counts<'_>, RecordError> {
        let expected = || "a list of UInt8".to_string();
        let lists = self.full(name, self.typed::<ListArray>(name, expected)?)?;
        let values = lists.values().as_any().downcast_ref::<UInt8Array>();
        let values = values.ok_or_else(|| self.wrong_type(name, lists, expected()))?;
        Ok(Counts { offsets: lists.value_offsets(), values: self.full(name, values)?.values() })
    }

    /// A column of lists whose members have columns of their own, like `candidates`. An optional one that
    /// the file was written without has no values.
    ///
    /// # Errors
    ///
    /// As for [`Columns::numbers`].
    pub fn lists(&self, name: &str) -> Result<Lists<'_>, RecordError> {
        let expected = || "a list of Struct".to_string();
        let lists = self.full(name, self.typed::<ListArray>(name, expected)?)?;
        let members = lists.values().as_any().downcast_ref::<StructArray>();
        let members = members.ok_or_else(|| self.wrong_type(name, lists, expected()))?;
        let members = self.full(name, members)?;
        let columns = Columns {
            file: self.file.clone(),
            within: format!("{}{name}.", self.within),
            fields: members.fields().clone(),
            arrays: members.columns().to_vec(),
            rows: members.len(),
            skipped: self.skipped,
            lists: Some(lists.offsets().clone()),
        };
        let absent = |column: &&Column| columns.array(column.name).is_err() && column.optional;
        let absent: Vec<&Column> = Table::Plies.columns_within(name).iter().filter(absent).collect();
        let columns = absent.into_iter().fold(columns, Columns::with_empty);
        Ok(Lists { offsets: lists.value_offsets(), columns })
    }

    /// The error for a value that has the right type and makes no sense.
    pub(super) fn bad_value(
        &self,
        name: &str,
        row: usize,
        found: impl ToString,
        expected: &str,
    ) -> RecordError {
        RecordError::BadValue {
            file: self.file.to_path_buf(),
            column: format!("{}{name}", self.within),
            row: self.row_in_file(row),
            found: found.to_string(),
            expected: expected.into(),
        }
    }

    fn typed<A: Array + 'static>(
        &self,
        name: &str,
        expected: impl Fn() -> String,
    ) -> Result<&A, RecordError> {
        let array = self.array(name)?;
        array.as_any().downcast_ref().ok_or_else(|| self.wrong_type(name, array, expected()))
    }

    fn full<'a, A: Array>(&self, name: &str, array: &'a A) -> Result<&'a A, RecordError> {
        match array.null_count() {
            0 => Ok(array),
            nulls => Err(RecordError::UnexpectedNull {
                file: self.file.to_path_buf(),
                column: format!("{}{name}", self.within),
                nulls,
            }),
        }
    }

    fn wrong_type(&self, name: &str, found: &dyn Array, expected: String) -> RecordError {
        RecordError::WrongType {
            file: self.file.to_path_buf(),
            column: format!("{}{name}", self.within),
            found: format!("{}", found.data_type()),
            expected,
        }
    }
}

/// Numbers of rows that may have none.
#[derive(Debug, Clone, Copy)]
pub struct OptionalNumbers<'a, T: Number>(&'a PrimitiveArray<T::Arrow>);

impl<T: Number> OptionalNumbers<'_, T> {
    pub fn get(&self, row: usize) -> Option<T> {
        self.0.is_valid(row).then(|| self.0.value(row))
    }
}

/// Texts of rows that may have none.
#[derive(Debug, Clone, Copy)]
pub struct OptionalTexts<'a>(&'a StringArray);

impl<'a> OptionalTexts<'a> {
    pub fn get(&self, row: usize) -> Option<&'a str> {
        self.0.is_valid(row).then(|| self.0.value(row))
    }
}

/// A list of counts for each row.
#[derive(Debug, Clone, Copy)]
pub struct Counts<'a> {
    offsets: &'a [i32],
    values: &'a [u8],
}

impl<'a> Counts<'a> {
    pub fn get(&self, row: usize) -> &'a [u8] {
        &self.values[range(self.offsets, row)]
    }
}

/// A list for each row, the members of all rows in one set of columns.
#[derive(Debug, Clone)]
pub struct Lists<'a> {
    offsets: &'a [i32],
    columns: Columns,
}

impl Lists<'_> {
    /// Where the members of `row` stand in [`Lists::columns`].
    pub fn range(&self, row: usize) -> Range<usize> {
        range(self.offsets, row)
    }

    /// The members' columns.
    pub fn columns(&self) -> &Columns {
        &self.columns
    }
}

fn range(offsets: &[i32], row: usize) -> Range<usize> {
    // Arrow's lists start at 0 and never run backwards, so neither end is negative.
    offsets[row] as usize..offsets[row + 1] as usize
}

#[cfg(test)]
mod tests {
    use arrow::array::{Int32Builder, ListBuilder, StructBuilder};
    use arrow::datatypes::{DataType, Field};

    use super::*;

    #[test]
    fn a_member_of_a_list_tells_the_row_of_the_file_it_belongs_to() {
        let fields = vec![Field::new("visits", DataType::Int32, true)];
        let mut lists = ListBuilder::new(StructBuilder::from_fields(fields, 0));
        for members in [2, 0, 0, 1] {
            for _ in 0..members {
                lists.values().field_builder::<Int32Builder>(0).unwrap().append_value(7);
                lists.values().append(true);
            }
            lists.append(true);
        }
        let batch =
            RecordBatch::try_from_iter([("candidates", Arc::new(lists.finish()) as ArrayRef)]).unwrap();
        let columns = Columns::new(&batch, Path::new("a file").into(), 100);
        let members = columns.lists("candidates").unwrap();
        assert_eq!([0, 1, 2].map(|member| members.columns().row_in_file(member)), [100, 100, 103]);
        assert_eq!(columns.row_in_file(3), 103);
    }
}
