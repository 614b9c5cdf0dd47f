//! Datasets: what is written is read back, and what is broken is refused by name.

use std::path::Path;

use facedown::record::{Dataset, DatasetInfo, OnBroken, Reader};

use crate::record_games::games;

fn info() -> DatasetInfo {
    DatasetInfo {
        game: "jieqi".into(),
        rules: "wxf".into(),
        rules_text: "name = \"wxf\"\n".into(),
        config: "seed = 1\n".into(),
    }
}

fn folder() -> tempfile::TempDir {
    tempfile::tempdir().expect("there is a folder for temporary files")
}

fn written(folder: &Path, shards: u32, games_each: usize) -> Dataset {
    let dataset = Dataset::create_or_resume(folder, info()).unwrap();
    for shard in 0..shards {
        dataset.write_shard("g003-", shard, &games(u64::from(shard), games_each)).unwrap();
    }
    dataset
}

#[test]
fn records_come_back_as_they_were_written() {
    let folder = folder();
    written(folder.path(), 3, 40);

    let reader = Reader::open(folder.path(), OnBroken::Fail).unwrap();
    let read: Vec<_> = reader.records().collect::<Result<_, _>>().unwrap();

    let expected: Vec<_> = (0..3).flat_map(|shard| games(shard, 40)).collect();
    assert_eq!(read, expected);
}
