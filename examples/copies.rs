//! Copies a dataset many times over, every game under an id of its own: a large dataset to measure reports on, with
//! rows as self-play writes them. Only the ids are encoded anew, so that it is made as fast as the disk takes it.
//!
//!     cargo run --release --example copies -- runs/quick/data big 300

use std::error::Error;
use std::fs::{self, File};
use std::path::Path;
use std::sync::Arc;

use facedown::game::fnv1a;
use parquet::basic::{Compression, ZstdLevel};
use parquet::column::reader::ColumnReader;
use parquet::column::writer::ColumnCloseResult;
use parquet::data_type::Int64Type;
use parquet::errors::ParquetError;
use parquet::file::metadata::KeyValue;
use parquet::file::properties::WriterProperties;
use parquet::file::reader::{FileReader, RowGroupReader, SerializedFileReader};
use parquet::file::writer::{SerializedFileWriter, SerializedRowGroupWriter};
use rayon::prelude::*;

/// What a file says its shard is called, which its name has to agree with.
const SHARD: &str = "facedown.shard";

fn main() -> Result<(), Box<dyn Error>> {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let [from, to, times] = &arguments[..] else {
        return Err("expected: FROM TO TIMES".into());
    };
    let times: u32 = times.parse()?;
    // Readers go by games/, so that it is written last.
    for table in ["plies", "games"] {
        let folder = Path::new(to).join(table);
        fs::create_dir_all(&folder)?;
        for entry in fs::read_dir(Path::new(from).join(table))? {
            let path = entry?.path();
            let shard = path.file_stem().unwrap_or_default().to_string_lossy().into_owned();
            (0..times).into_par_iter().try_for_each(|copy| {
                let name = format!("{copy:05}-{shard}");
                write_copy(&path, &folder.join(format!("{name}.parquet")), name, copy)
            })?;
        }
    }
    Ok(())
}

/// Writes the file at `from` again with the ids of copy number `copy`.
fn write_copy(from: &Path, to: &Path, shard: String, copy: u32) -> Result<(), ParquetError> {
    let source = File::open(from)?;
    let reader = SerializedFileReader::new(source.try_clone()?)?;
    let metadata = reader.metadata();
    let mut said = metadata.file_metadata().key_value_metadata().cloned().unwrap_or_default();
    said.retain(|entry| entry.key != SHARD);
    said.push(KeyValue::new(SHARD.into(), shard));
    let properties = WriterProperties::builder()
        .set_compression(Compression::ZSTD(ZstdLevel::default()))
        .set_key_value_metadata(Some(said))
        .build();
    let schema = metadata.file_metadata().schema_descr().root_schema_ptr();
    let mut writer = SerializedFileWriter::new(File::create(to)?, schema, Arc::new(properties))?;
    for index in 0..metadata.num_row_groups() {
        let mut group = writer.next_row_group()?;
        for (place, column) in metadata.row_group(index).columns().iter().enumerate() {
            if column.column_path().string() == "game_id" {
                write_ids(&mut group, reader.get_row_group(index)?.as_ref(), place, copy)?;
                continue;
            }
            let copied = ColumnCloseResult {
                bytes_written: column.compressed_size() as u64,
                rows_written: metadata.row_group(index).num_rows() as u64,
                metadata: column.clone(),
                bloom_filter: None,
                column_index: None,
                offset_index: None,
            };
            group.append_column(&source, copied)?;
        }
        group.close()?;
    }
    writer.close()?;
    Ok(())
}

fn write_ids(
    group: &mut SerializedRowGroupWriter<'_, File>,
    source: &dyn RowGroupReader,
    place: usize,
    copy: u32,
) -> Result<(), ParquetError> {
    let ColumnReader::Int64ColumnReader(mut ids) = source.get_column_reader(place)? else {
        return Err(ParquetError::General("game_id is no 64-bit number".into()));
    };
    let mut values = Vec::new();
    ids.read_records(source.metadata().num_rows() as usize, None, None, &mut values)?;
    for value in &mut values {
        *value = fnv1a(format!("{value}/{copy}").as_bytes()) as i64;
    }
    let mut column = group.next_column()?.ok_or(ParquetError::EOF("no column left".into()))?;
    column.typed::<Int64Type>().write_batch(&values, None, None)?;
    column.close()
}
