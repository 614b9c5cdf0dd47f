//! Datasets that cannot be read or written: refused by name, and never a panic.

use std::fs::{self, File};
use std::path::{Path, PathBuf};
use std::sync::Arc;

use arrow::array::{ArrayRef, Float32Array, Int64Array, RecordBatch, StringArray};
use arrow::datatypes::{Field, Schema};
use facedown::record::{
    Dataset, DatasetInfo, Found, OnBroken, Reader, RecordError, Table, TableFile, WrittenRules,
};
use parquet::arrow::ArrowWriter;
use parquet::arrow::arrow_reader::ParquetRecordBatchReaderBuilder;
use parquet::file::metadata::KeyValue;
use parquet::file::properties::WriterProperties;
use rand::rngs::ChaCha8Rng;
use rand::{RngExt, SeedableRng};
use serde::{Deserialize, Serialize};
use tempfile::{TempDir, tempdir};

use crate::record::{info, open, written};
use crate::record_games::games;

fn shard_file(folder: &TempDir, table: Table, shard: u32) -> PathBuf {
    folder.path().join(table.name()).join(format!("g003-{shard:05}.parquet"))
}

/// Writes a file anew with other columns or other metadata.
fn rewrite(path: &Path, change: impl FnOnce(&mut Vec<(String, ArrayRef)>, &mut Vec<KeyValue>)) {
    let builder = ParquetRecordBatchReaderBuilder::try_new(File::open(path).unwrap()).unwrap();
    let mut metadata = builder.metadata().file_metadata().key_value_metadata().unwrap().clone();
    let batch = builder.build().unwrap().next().unwrap().unwrap();
    let names = batch.schema().fields().iter().map(|field| field.name().clone()).collect::<Vec<_>>();
    let mut columns: Vec<_> = names.into_iter().zip(batch.columns().iter().cloned()).collect();
    change(&mut columns, &mut metadata);

    let field = |(name, array): &(String, ArrayRef)| {
        Field::new(name, array.data_type().clone(), array.null_count() > 0)
    };
    let schema = Arc::new(Schema::new(columns.iter().map(field).collect::<Vec<_>>()));
    let arrays = columns.into_iter().map(|(_, array)| array).collect();
    let batch = RecordBatch::try_new(schema.clone(), arrays).unwrap();
    let properties = WriterProperties::builder()
        .set_key_value_metadata(Some(metadata))
        .set_max_row_group_row_count(Some(2))
        .build();
    let mut writer = ArrowWriter::try_new(File::create(path).unwrap(), schema, Some(properties)).unwrap();
    writer.write(&batch).unwrap();
    writer.close().unwrap();
}

fn replace(columns: &mut [(String, ArrayRef)], name: &str, array: impl arrow::array::Array + 'static) {
    let column = columns.iter_mut().find(|(column, _)| column == name).unwrap();
    column.1 = Arc::new(array);
}

fn set(metadata: &mut [KeyValue], key: &str, value: &str) {
    let entry = metadata.iter_mut().find(|entry| entry.key == key).unwrap();
    entry.value = Some(value.into());
}

/// The message of the first error that opening and reading everything meets.
fn message(folder: &TempDir) -> String {
    let error = match open(folder) {
        Err(error) => error,
        Ok(reader) => reader.records().find_map(Result::err).expect("something is wrong with the dataset"),
    };
    error.to_string().replace(&format!("{}/", folder.path().display()), "")
}

#[test]
fn another_schema_version_is_refused_with_both_named() {
    let folder = written(2, 2);
    rewrite(&shard_file(&folder, Table::Plies, 1), |_, metadata| set(metadata, "facedown.schema", "0"));
    assert_eq!(message(&folder), "plies/g003-00001.parquet: schema version 0; this build reads version 1");
    let skipping = Reader::open(folder.path(), OnBroken::Skip);
    assert!(matches!(skipping, Err(RecordError::SchemaVersion { .. })), "a file of old is not a broken one");
}

#[test]
fn a_dataset_of_two_games_is_refused() {
    let folder = written(2, 2);
    for table in Table::ALL {
        rewrite(&shard_file(&folder, table, 1), |_, metadata| set(metadata, "facedown.game", "banqi"));
    }
    assert!(
        message(&folder).starts_with("games/g003-00001.parquet: games of banqi, but "),
        "{}",
        message(&folder)
    );
}

#[test]
fn a_file_in_the_wrong_folder_is_refused() {
    let folder = written(1, 2);
    fs::copy(shard_file(&folder, Table::Games, 0), shard_file(&folder, Table::Plies, 0)).unwrap();
    let expected = "plies/g003-00000.parquet: holds the table 'games' where 'plies' is expected";
    assert_eq!(message(&folder), expected);
}

#[test]
fn columns_that_do_not_fit_are_refused_by_name() {
    type Change = fn(&mut Vec<(String, ArrayRef)>, usize);
    let cases: [(&str, Change); 8] = [
        ("no column 'see'", |columns, _| columns.retain(|(name, _)| name != "see")),
        ("column 'ply' is Int64; expected UInt16", |columns, rows| {
            replace(columns, "ply", Int64Array::from(vec![1; rows]));
        }),
        ("column 'candidates' is Float32; expected a list of Struct", |columns, rows| {
            replace(columns, "candidates", Float32Array::from(vec![1.0; rows]));
        }),
        ("column 'value' has 1 empty values; expected none", |columns, rows| {
            let mut values = vec![Some(0.5); rows];
            values[rows / 2] = None;
            replace(columns, "value", Float32Array::from(values));
        }),
        ("column 'kind', row 0: 'jump'; expected move, capture, flip, flip-capture", |columns, rows| {
            replace(columns, "kind", StringArray::from(vec!["jump"; rows]));
        }),
        ("column 'shown', row 0: 'RR'; expected one letter", |columns, rows| {
            replace(columns, "shown", StringArray::from(vec!["RR"; rows]));
        }),
        ("column 'to', row 0: 'é'; expected a square like b2", |columns, rows| {
            replace(columns, "to", StringArray::from(vec!["é"; rows]));
        }),
        ("column 'from', row 3: 'x'; expected a square like b2", |columns, rows| {
            let squares = (0..rows).map(|row| if row == 3 { "x" } else { "a0" });
            replace(columns, "from", StringArray::from_iter_values(squares));
        }),
    ];
    for (expected, change) in cases {
        let folder = written(1, 2);
        let rows = games(0, 2).iter().map(|game| game.plies.len()).sum();
        rewrite(&shard_file(&folder, Table::Plies, 0), |columns, _| change(columns, rows));
        assert_eq!(message(&folder), format!("plies/g003-00000.parquet: {expected}"));
    }
}

#[test]
fn files_older_than_an_optional_column_have_no_values_in_it() {
    let folder = written(1, 2);
    for table in Table::ALL {
        rewrite(&shard_file(&folder, table, 0), |columns, _| {
            columns.retain(|(name, _)| name != "settlement")
        });
    }
    let mut expected = games(0, 2);
    for game in &mut expected {
        game.settlement = None;
        game.plies.iter_mut().for_each(|ply| ply.settlement = None);
    }
    let read: Vec<_> = open(&folder).unwrap().records().collect::<Result<_, _>>().unwrap();
    assert_eq!(read, expected);
}

#[test]
fn plies_that_do_not_belong_to_the_games_are_refused() {
    let folder = written(2, 2);
    fs::copy(shard_file(&folder, Table::Plies, 1), shard_file(&folder, Table::Plies, 0)).unwrap();
    let swapped = "plies/g003-00000.parquet: holds the plies of shard 'g003-00001', beside the games of shard 'g003-00000'";
    assert_eq!(message(&folder), swapped);

    rewrite(&shard_file(&folder, Table::Plies, 0), |_, metadata| {
        set(metadata, "facedown.shard", "g003-00000")
    });
    let (expected, found) = (games(0, 1)[0].game_id, games(1, 1)[0].game_id);
    let expected = format!(
        "plies/g003-00000.parquet: fewer plies of game {expected} than games/ says; found game {found}"
    );
    assert_eq!(message(&folder), expected);
}

#[test]
fn half_a_shard_is_refused() {
    let folder = written(1, 2);
    fs::remove_file(shard_file(&folder, Table::Plies, 0)).unwrap();
    let expected = "games/g003-00000.parquet: plies/g003-00000.parquet is missing; \
                    a shard is a file in games/ and one in plies/";
    assert_eq!(message(&folder), expected);
}

#[test]
fn what_is_no_dataset_is_refused() {
    let folder = tempdir().unwrap();
    assert!(matches!(open(&folder), Err(RecordError::NotADataset { .. })));
    Dataset::create_or_resume(folder.path(), info()).unwrap();
    assert!(matches!(open(&folder), Err(RecordError::Empty { .. })));

    let path = folder.path().join("games/other.parquet");
    let batch = RecordBatch::try_from_iter([("a", Arc::new(Int64Array::from(vec![1])) as ArrayRef)]).unwrap();
    let mut writer = ArrowWriter::try_new(File::create(&path).unwrap(), batch.schema(), None).unwrap();
    writer.write(&batch).unwrap();
    writer.close().unwrap();
    let error = TableFile::open(&path).unwrap_err();
    assert!(matches!(error, RecordError::MissingKey { key: "facedown.schema", .. }), "{error}");
}

#[test]
fn a_truncated_file_is_named_or_skipped() {
    let whole = written(2, 2);
    let bytes = fs::read(shard_file(&whole, Table::Plies, 0)).unwrap();
    for length in [0, 3, 4, 8, 100, bytes.len() / 2, bytes.len() - 9, bytes.len() - 1] {
        fs::write(shard_file(&whole, Table::Plies, 0), &bytes[..length]).unwrap();
        assert_eq!(
            message(&whole),
            "plies/g003-00000.parquet: not a readable Parquet file",
            "{length} bytes"
        );

        let reader = Reader::open(whole.path(), OnBroken::Skip).unwrap();
        assert_eq!(reader.skipped().len(), 1);
        let read: Vec<_> = reader.records().collect::<Result<_, _>>().unwrap();
        assert_eq!(read, games(1, 2), "the other shard is read");
    }
}

#[test]
fn a_file_broken_inside_is_skipped_while_reading() {
    let folder = written(2, 2);
    let path = shard_file(&folder, Table::Plies, 0);
    let mut bytes = fs::read(&path).unwrap();
    bytes[4..200].fill(0xff);
    fs::write(&path, bytes).unwrap();
    assert_eq!(message(&folder), "plies/g003-00000.parquet: rows that cannot be decoded");

    let reader = Reader::open(folder.path(), OnBroken::Skip).unwrap();
    let mut records = reader.records();
    let read: Vec<_> = records.by_ref().collect::<Result<_, _>>().unwrap();
    assert_eq!((read, records.skipped().len()), (games(1, 2), 1));

    let mut batches = reader.batches(Table::Plies, &["game_id", "ply"]);
    let rows: usize = batches.by_ref().map(|batch| batch.unwrap().rows()).sum();
    assert_eq!(rows, games(1, 2).iter().map(|game| game.plies.len()).sum::<usize>());
    assert_eq!(batches.skipped().len(), 1);
}

#[test]
fn garbled_bytes_are_an_error_or_other_values_but_no_panic() {
    let folder = written(1, 3);
    let mut rng = ChaCha8Rng::seed_from_u64(5);
    for table in Table::ALL {
        let path = shard_file(&folder, table, 0);
        let whole = fs::read(&path).unwrap();
        for _ in 0..400 {
            let mut garbled = whole.clone();
            for _ in 0..rng.random_range(1..4) {
                let at = rng.random_range(0..garbled.len());
                garbled[at] = rng.random();
            }
            fs::write(&path, &garbled).unwrap();
            if let Ok(reader) = open(&folder) {
                let _ = reader.records().count();
            }
        }
        fs::write(&path, &whole).unwrap();
    }
}

#[test]
fn a_folder_with_another_run_is_refused() {
    let folder = written(1, 1);
    assert!(Dataset::create_or_resume(folder.path(), info()).is_ok(), "the same run goes on");

    let config = "seed = 1\nvisits = 64\n".into();
    let error = Dataset::create_or_resume(folder.path(), DatasetInfo { config, ..info() }).unwrap_err();
    let expected = "holds another run: run.toml, line 2 says 'visits = 32', this run has 'visits = 64'";
    assert_eq!(error.to_string(), format!("{}: {expected}", folder.path().display()));

    let rules = vec![WrittenRules { name: "wxf".into(), text: String::new() }];
    let error = Dataset::create_or_resume(folder.path(), DatasetInfo { rules, ..info() }).unwrap_err();
    assert!(error.to_string().contains("another run: rules.toml, line 1 says"), "{error}");

    fs::remove_file(folder.path().join("run.toml")).unwrap();
    let error = Dataset::create_or_resume(folder.path(), info()).unwrap_err();
    assert!(matches!(error, RecordError::UnknownRun { .. }), "{error}");
}

/// Settings that have gained `precision` of late, beside what [`info`] says.
#[derive(Serialize, Deserialize)]
#[serde(deny_unknown_fields, default)]
struct Settings {
    seed: u64,
    precision: String,
    visits: u64,
}

impl Default for Settings {
    fn default() -> Self {
        Self { seed: 7, precision: "auto".into(), visits: 100 }
    }
}

#[test]
fn a_run_from_before_a_setting_was_there_goes_on() {
    let folder = written(1, 1);
    let run_file = || fs::read_to_string(folder.path().join("run.toml")).unwrap();
    let before = run_file();
    let resume = |settings: Settings| {
        let config = toml::to_string(&settings).unwrap();
        Dataset::create_or_resume_as::<Settings>(folder.path(), DatasetInfo { config, ..info() })
    };
    let same = || Settings { seed: 1, visits: 32, ..Settings::default() };
    let dataset = resume(same()).unwrap();
    // Its shards are this run's, and so are new ones.
    assert!(matches!(dataset.shard("g003-", 0).unwrap(), Found::Whole));
    dataset.write_shard("g003-", 1, &games(1, 1)).unwrap();
    assert!(matches!(dataset.shard("g003-", 1).unwrap(), Found::Whole));
    assert!(matches!(resume(same()).unwrap().shard("g003-", 1).unwrap(), Found::Whole));
    assert_eq!(run_file(), before);

    let visits = || resume(Settings { visits: 64, ..same() }).unwrap_err().to_string();
    let expected = "another run: run.toml, line 2 says 'visits = 32', this run has 'visits = 64'";
    assert!(visits().contains(expected), "{}", visits());
    let precision = resume(Settings { precision: "float32".into(), ..same() }).unwrap_err().to_string();
    let expected = "by default run.toml says 'precision = \"auto\"', this run has 'precision = \"float32\"'";
    assert!(precision.contains(expected), "{precision}");
    // What are no settings of this kind is told by its lines.
    fs::write(folder.path().join("run.toml"), "seed = 1\nvisits = 32\nheight = 3\n").unwrap();
    assert!(
        visits().contains("run.toml, line 2 says 'visits = 32', this run has 'precision"),
        "{}",
        visits()
    );
    // A file that the power went out on before it was written says nothing.
    let empty = tempfile::tempdir().unwrap();
    fs::write(empty.path().join("run.toml"), "").unwrap();
    let config = toml::to_string(&Settings { visits: 64, ..same() }).unwrap();
    Dataset::create_or_resume_as::<Settings>(empty.path(), DatasetInfo { config, ..info() }).unwrap();
}

#[test]
fn a_folder_that_cannot_be_made_is_named() {
    let folder = tempdir().unwrap();
    let file = folder.path().join("file");
    fs::write(&file, "").unwrap();
    let error = Dataset::create_or_resume(&file.join("dataset"), info()).unwrap_err();
    assert!(error.to_string().starts_with("cannot "), "{error}");
}
