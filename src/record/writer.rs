//! Records to the bytes of Parquet files. The same records give the same bytes.

use std::path::Path;

use arrow::array::RecordBatch;
use parquet::arrow::ArrowWriter;
use parquet::arrow::arrow_writer::ArrowWriterOptions;
use parquet::basic::{Compression, Encoding, ZstdLevel};
use parquet::errors::ParquetError;
use parquet::file::metadata::KeyValue;
use parquet::file::properties::{EnabledStatistics, WriterProperties};
use parquet::schema::types::ColumnPath;

use super::schema::{Table, VERSION};
use super::{GameRecord, PlyRecord, RecordError, WrittenRules, encode};

/// Rows in a row group: what a reader holds in memory at a time.
pub const ROW_GROUP_ROWS: usize = 32_768;

/// Rows encoded at a time, which bounds the memory a writer takes beside the bytes themselves.
const BATCH_ROWS: usize = 4_096;

/// On made-up games level 9 saves 0.4 % more bytes and level 3 loses 2.4 %.
const ZSTD_LEVEL: i32 = 6;

/// The columns of the table `plies` laid down otherwise than by a dictionary: their values seldom
/// recur, or, like the view's, recur in parts, which the compressor finds when the texts lie end to end.
/// DuckDB reads split bytes of `Float` and not of `Half`.
const WITHOUT_DICTIONARY: [(&[&str], Encoding); 7] = [
    (&["view"], Encoding::DELTA_LENGTH_BYTE_ARRAY),
    (&["value"], Encoding::BYTE_STREAM_SPLIT),
    (&["net_value"], Encoding::BYTE_STREAM_SPLIT),
    (&["next_value"], Encoding::BYTE_STREAM_SPLIT),
    (&["chosen_with"], Encoding::BYTE_STREAM_SPLIT),
    (&["candidates", "list", "element", "q"], Encoding::PLAIN),
    (&["outcomes", "list", "element", "q"], Encoding::PLAIN),
];

/// The keys of what the files say of themselves.
pub(super) mod keys {
    pub const SCHEMA: &str = "facedown.schema";
    pub const TABLE: &str = "facedown.table";
    pub const SHARD: &str = "facedown.shard";
    pub const GAME: &str = "facedown.game";
    pub const RULES: &str = "facedown.rules";
    pub const RULES_TEXT: &str = "facedown.rules_text";
    pub const CONFIG: &str = "facedown.config";
}

/// What the files of a shard say of themselves.
#[derive(Clone, Copy)]
pub(super) struct Says<'a> {
    pub shard: &'a str,
    pub game: &'a str,
    pub rules: &'a WrittenRules,
    pub config: &'a str,
}

/// The file of the table `games` for one shard.
pub(super) fn games_file(path: &Path, says: Says<'_>, games: &[GameRecord]) -> Result<Vec<u8>, RecordError> {
    file(path, Table::Games, says, [encode::games(games)])
}

/// The file of the table `plies` for one shard.
pub(super) fn plies_file(path: &Path, says: Says<'_>, games: &[GameRecord]) -> Result<Vec<u8>, RecordError> {
    let plies: Vec<(u64, &PlyRecord)> =
        games.iter().flat_map(|game| game.plies.iter().map(|ply| (game.game_id, ply))).collect();
    file(path, Table::Plies, says, plies.chunks(BATCH_ROWS).map(encode::plies))
}

/// # Errors
///
/// With `path` named, if the Parquet library refuses a column.
fn file(
    path: &Path,
    table: Table,
    says: Says<'_>,
    batches: impl IntoIterator<Item = RecordBatch>,
) -> Result<Vec<u8>, RecordError> {
    let write = || -> Result<Vec<u8>, ParquetError> {
        let options =
            ArrowWriterOptions::new().with_properties(properties(table, says)).with_skip_arrow_metadata(true);
        let mut writer = ArrowWriter::try_new_with_options(Vec::new(), table.schema(), options)?;
        for batch in batches {
            writer.write(&batch)?;
        }
        writer.into_inner()
    };
    write().map_err(|source| RecordError::Unwritable { file: path.into(), source })
}

fn properties(table: Table, says: Says<'_>) -> WriterProperties {
    let Says { shard, game, rules, config } = says;
    let pair = |key: &str, value: &str| KeyValue::new(key.into(), value.to_owned());
    let metadata = vec![
        pair(keys::SCHEMA, &VERSION.to_string()),
        pair(keys::TABLE, table.name()),
        pair(keys::SHARD, shard),
        pair(keys::GAME, game),
        pair(keys::RULES, &rules.name),
        pair(keys::RULES_TEXT, &rules.text),
        pair(keys::CONFIG, config),
    ];
    let level = ZstdLevel::try_new(ZSTD_LEVEL).expect("zstd has this level");
    let builder = WriterProperties::builder()
        // Fixed, so that the bytes do not change with a release that leaves the schema alone.
        .set_created_by("facedown".into())
        .set_key_value_metadata(Some(metadata))
        .set_compression(Compression::ZSTD(level))
        .set_max_row_group_row_count(Some(ROW_GROUP_ROWS))
        .set_statistics_enabled(EnabledStatistics::Chunk)
        .set_offset_index_disabled(true);
    let without_dictionary = if table == Table::Plies { &WITHOUT_DICTIONARY[..] } else { &[] };
    without_dictionary
        .iter()
        .fold(builder, |builder, (path, encoding)| {
            let column = ColumnPath::new(path.iter().map(ToString::to_string).collect());
            builder
                .set_column_dictionary_enabled(column.clone(), false)
                .set_column_encoding(column, *encoding)
        })
        .build()
}

#[cfg(test)]
mod tests {
    use parquet::arrow::ArrowSchemaConverter;

    use super::*;

    #[test]
    fn every_column_without_a_dictionary_is_in_the_schema() {
        let schema = ArrowSchemaConverter::new().convert(&Table::Plies.schema()).unwrap();
        let paths: Vec<_> = schema.columns().iter().map(|column| column.path().string()).collect();
        for (path, _) in WITHOUT_DICTIONARY {
            assert!(paths.contains(&path.join(".")), "{path:?} is not among {paths:?}");
        }
    }
}
