//! Datasets: what is written is read back, shard by shard, with the same bytes each time.

use std::fs;
use std::path::Path;
use std::thread;

use arrayvec::ArrayVec;
use facedown::record::{
    Dataset, DatasetInfo, Found, GameRecord, OnBroken, ROW_GROUP_ROWS, Reader, RecordError, Table,
    WrittenRules, schema,
};
use half::f16;
use tempfile::{TempDir, tempdir};

use crate::record_games::games;

pub fn info() -> DatasetInfo {
    DatasetInfo {
        game: "jieqi".into(),
        rules: vec![WrittenRules { name: "wxf".into(), text: "name = \"wxf\"\n".into() }],
        config: "seed = 1\nvisits = 32\n".into(),
    }
}

/// A dataset of `shards` shards with `games_each` games each, the seed of a shard's games its number.
pub fn written(shards: u32, games_each: usize) -> TempDir {
    let folder = tempdir().unwrap();
    let dataset = Dataset::create_or_resume(folder.path(), info()).unwrap();
    for shard in 0..shards {
        dataset.write_shard("g003-", shard, &games(u64::from(shard), games_each)).unwrap();
    }
    folder
}

pub fn open(folder: &TempDir) -> Result<Reader, RecordError> {
    Reader::open(folder.path(), OnBroken::Fail)
}

fn read(folder: &TempDir) -> Vec<GameRecord> {
    open(folder).unwrap().records().collect::<Result<_, _>>().unwrap()
}

/// The names in a folder, sorted.
fn names(folder: &Path) -> Vec<String> {
    let mut names: Vec<_> = fs::read_dir(folder)
        .unwrap()
        .map(|entry| entry.unwrap().file_name().into_string().unwrap())
        .collect();
    names.sort();
    names
}

#[test]
fn records_come_back_as_they_were_written() {
    let folder = written(3, 40);
    let expected: Vec<_> = (0..3).flat_map(|shard| games(shard, 40)).collect();
    assert_eq!(read(&folder), expected);
}

#[test]
fn the_ends_of_every_range_come_back() {
    let mut game = games(7, 1).remove(0);
    game.game_id = u64::MAX;
    game.first = String::new();
    game.plies.truncate(1);
    let mut ply = game.plies[0].clone();
    ply.ply = u16::MAX;
    ply.visits = u32::MAX;
    ply.value = f32::MIN_POSITIVE;
    ply.lost_in = Some(u16::MAX);
    ply.chosen_with = None;
    ply.facts.pool_own = ArrayVec::from([u8::MAX; 14]);
    ply.facts.pool_enemy.clear();
    ply.labels.own_taken = ArrayVec::from([0; 14]);
    ply.view = "Cờ úp 揭棋".into();
    ply.candidates = Vec::new();
    ply.outcomes = Vec::new();
    game.plies.push(ply);

    let folder = tempdir().unwrap();
    let without_plies = GameRecord { plies: Vec::new(), game_id: 0, ..game.clone() };
    let written = vec![game.clone(), without_plies, game];
    Dataset::create_or_resume(folder.path(), info()).unwrap().write_shard("", 99_999, &written).unwrap();
    assert_eq!(read(&folder), written);
}

#[test]
fn priors_and_values_of_candidates_are_rounded_to_half_floats() {
    let mut game = games(8, 1).remove(0);
    let candidate = &mut game.plies[0].candidates[0];
    (candidate.prior, candidate.q, candidate.risk) = (0.123_456, -0.987_654, 2.345_67);

    let folder = tempdir().unwrap();
    let dataset = Dataset::create_or_resume(folder.path(), info()).unwrap();
    dataset.write_shard("", 0, &[game]).unwrap();

    let candidate = read(&folder).remove(0).plies.remove(0).candidates.remove(0);
    let rounded = [0.123_456, -0.987_654, 2.345_67].map(|value| f16::from_f32(value).to_f32());
    assert_eq!([candidate.prior, candidate.q, candidate.risk], rounded);
}

#[test]
fn the_schema_is_the_golden_one() {
    let lines = Table::ALL.into_iter().flat_map(|table| {
        let line = |(name, column): (String, &schema::Column)| {
            format!("{}\t{name}\t{}", table.name(), column.type_name())
        };
        table.all_columns().into_iter().map(line).collect::<Vec<_>>()
    });
    let golden = include_str!("data/schema.tsv").lines().skip(1);
    assert!(lines.eq(golden), "a change other than a new optional column raises schema::VERSION");
}

#[test]
fn the_same_records_give_the_same_bytes() {
    let (one, other) = (written(2, 30), written(2, 30));
    for table in Table::ALL {
        let folders = [&one, &other].map(|folder| folder.path().join(table.name()));
        assert_eq!(names(&folders[0]), ["g003-00000.parquet", "g003-00001.parquet"]);
        for name in names(&folders[0]) {
            let [one, other] = folders.each_ref().map(|folder| fs::read(folder.join(&name)).unwrap());
            assert!(one == other, "{name} of {} differs", table.name());
        }
    }
}

#[test]
fn a_ply_of_a_search_with_32_visits_takes_at_most_200_bytes() {
    let folder = written(1, 400);
    let reader = open(&folder).unwrap();
    let rows = reader.rows(Table::Plies);
    let plies = reader.shards()[0].file(Table::Plies);
    let plies_of = |game: Result<GameRecord, _>| game.unwrap().plies.into_iter();
    let candidates: usize = reader.records().flat_map(plies_of).map(|ply| ply.candidates.len()).sum();
    assert!(candidates as u64 > 15 * rows, "as many candidates as a real search visits");
    assert!(plies.bytes() <= 200 * rows, "{} bytes a ply", plies.bytes() / rows);
}

#[test]
fn only_the_columns_asked_for_are_read() {
    let folder = written(2, 20);
    let reader = open(&folder).unwrap();
    let expected: Vec<_> = (0..2).flat_map(|shard| games(shard, 20)).flat_map(|game| game.plies).collect();
    let mut expected = expected.iter();
    for batch in reader.batches(Table::Plies, &["candidates", "result", "pool_own", "lost_in"]) {
        let batch = batch.unwrap();
        assert!(
            matches!(batch.texts("view"), Err(RecordError::MissingColumn { column, .. }) if column == "view")
        );
        let result = batch.numbers::<i8>("result").unwrap();
        let pools = batch.counts("pool_own").unwrap();
        let lost_in = batch.optional_numbers::<u16>("lost_in").unwrap();
        let candidates = batch.lists("candidates").unwrap();
        let visits = candidates.columns().numbers::<u32>("visits").unwrap();
        for row in 0..batch.rows() {
            let ply = expected.next().unwrap();
            assert_eq!(result[row], ply.result);
            assert_eq!(pools.get(row), ply.facts.pool_own.as_slice());
            assert_eq!(lost_in.get(row), ply.lost_in);
            let expected_visits: Vec<_> = ply.candidates.iter().map(|candidate| candidate.visits).collect();
            assert_eq!(visits[candidates.range(row)], expected_visits);
        }
    }
    assert!(expected.next().is_none(), "all rows were read");
}

#[test]
fn a_long_shard_is_read_in_row_groups() {
    let folder = tempdir().unwrap();
    let mut game = games(3, 1).remove(0);
    let ply = game.plies[0].clone();
    game.plies = vec![ply; ROW_GROUP_ROWS + 1];
    let dataset = Dataset::create_or_resume(folder.path(), info()).unwrap();
    dataset.write_shard("", 0, &[game.clone()]).unwrap();

    let reader = open(&folder).unwrap();
    let rows: Vec<_> = reader.row_groups(Table::Plies).iter().map(|group| group.rows()).collect();
    assert_eq!(rows, [ROW_GROUP_ROWS as u64, 1]);
    assert_eq!(read(&folder), [game]);
}

#[test]
fn a_shard_is_finished_when_both_its_files_are_there() {
    let folder = written(2, 3);
    let dataset = Dataset::create_or_resume(folder.path(), info()).unwrap();
    assert!(matches!(dataset.shard("g003-", 0).unwrap(), Found::Whole));
    assert!(matches!(dataset.shard("g004-", 0).unwrap(), Found::Nothing));
    assert!(matches!(dataset.shard("", 0).unwrap(), Found::Nothing));

    fs::remove_file(folder.path().join("games/g003-00000.parquet")).unwrap();
    assert!(matches!(dataset.shard("g003-", 0).unwrap(), Found::Nothing));
    assert_eq!(read(&folder), games(1, 3), "plies without games are not there yet");

    dataset.write_shard("g003-", 0, &games(0, 3)).unwrap();
    assert!(matches!(dataset.shard("g003-", 0).unwrap(), Found::Whole));
}

#[test]
fn a_shard_cut_short_is_no_finished_one() {
    let folder = written(2, 3);
    let dataset = Dataset::create_or_resume(folder.path(), info()).unwrap();
    for table in ["games", "plies"] {
        let path = folder.path().join(table).join("g003-00000.parquet");
        let bytes = fs::read(&path).unwrap();
        fs::write(&path, &bytes[..bytes.len() - 9]).unwrap();
        assert!(matches!(dataset.shard("g003-", 0).unwrap(), Found::Broken(_)), "{table}");
        dataset.write_shard("g003-", 0, &games(0, 3)).unwrap();
        assert_eq!(fs::read(&path).unwrap(), bytes);
    }
    // The plies of another shard.
    let [one, other] =
        ["g003-00000", "g003-00001"].map(|name| folder.path().join(format!("plies/{name}.parquet")));
    fs::copy(other, one).unwrap();
    assert!(matches!(dataset.shard("g003-", 0), Err(RecordError::SwappedShard { .. })));
}

#[test]
fn a_whole_shard_that_is_not_this_runs_is_neither_counted_nor_replaced() {
    let folder = written(1, 2);
    let other = tempdir().unwrap();
    let info_of = |seed: u32| DatasetInfo { config: format!("seed = {seed}"), ..info() };
    let theirs = Dataset::create_or_resume(other.path(), info_of(2)).unwrap();
    theirs.write_shard("g003-", 0, &games(7, 2)).unwrap();
    let dataset = Dataset::create_or_resume(folder.path(), info()).unwrap();
    let plies = folder.path().join("plies/g003-00000.parquet");
    fs::copy(other.path().join("plies/g003-00000.parquet"), &plies).unwrap();
    let error = dataset.shard("g003-", 0).unwrap_err();
    assert!(error.to_string().contains("plies/g003-00000.parquet: a shard of another run"), "{error}");

    // What the system withholds is no reason to play it again.
    fs::remove_file(&plies).unwrap();
    fs::create_dir(&plies).unwrap();
    assert!(dataset.shard("g003-", 0).is_err());
}

#[test]
fn shards_are_read_in_the_order_of_their_numbers() {
    let folder = tempfile::tempdir().unwrap();
    let dataset = Dataset::create_or_resume(folder.path(), info()).unwrap();
    for number in [100_000, 99_999, 2, 1_000_000] {
        dataset.write_shard("", number, &games(number.into(), 1)).unwrap();
    }
    let reader = open(&folder).unwrap();
    let names: Vec<_> = reader.shards().iter().map(|shard| shard.name()).collect();
    assert_eq!(names, ["00002", "99999", "100000", "1000000"]);
}

#[test]
fn files_of_others_are_left_alone() {
    let folder = written(1, 1);
    let theirs = ["notes.tmp", "games/x.tmp", "plies/a.parquet.1-x.tmp", "plies/a.csv.1-2.tmp"];
    for name in theirs {
        fs::write(folder.path().join(name), "theirs").unwrap();
    }
    fs::create_dir(folder.path().join("games/a.parquet.1-2.tmp")).unwrap();
    let other = DatasetInfo { config: "another = 1".into(), ..info() };
    let left = folder.path().join("games/g003-00007.parquet.4711-0.tmp");
    fs::write(&left, "left").unwrap();
    Dataset::create_or_resume(folder.path(), other).unwrap_err();
    assert!(left.exists(), "a folder that is refused is not touched");
    Dataset::create_or_resume(folder.path(), info()).unwrap();
    assert!(!left.exists());
    for name in theirs {
        assert!(folder.path().join(name).exists(), "{name}");
    }
}

#[test]
fn of_two_runs_begun_at_once_in_one_folder_one_is_refused() {
    for _ in 0..20 {
        let folder = tempfile::tempdir().unwrap();
        let begin = |seed: u32| {
            let info = DatasetInfo { config: format!("seed = {seed}"), ..info() };
            Dataset::create_or_resume(folder.path(), info).is_ok()
        };
        let begun = std::thread::scope(|scope| {
            let runs = [1, 2].map(|seed| scope.spawn(move || begin(seed)));
            runs.map(|run| run.join().unwrap())
        });
        assert_eq!(begun.iter().filter(|&&ok| ok).count(), 1);
    }
}

#[test]
fn what_a_killed_writer_left_is_ignored_and_then_removed() {
    let folder = written(1, 3);
    let left = folder.path().join("plies/g003-00001.parquet.4711-0.tmp");
    let alive = folder.path().join("games/g003-00001.parquet.4712-0.tmp");
    fs::write(&left, "PAR1 and no more").unwrap();
    let writing = fs::File::create(&alive).unwrap();
    writing.lock().unwrap();

    assert_eq!(read(&folder).len(), 3);
    Dataset::create_or_resume(folder.path(), info()).unwrap();
    assert!(!left.exists(), "its writer is gone");
    assert!(alive.exists(), "its writer holds the lock");
}

#[test]
fn many_threads_may_write_at_once() {
    let folder = tempdir().unwrap();
    let dataset = Dataset::create_or_resume(folder.path(), info()).unwrap();
    thread::scope(|scope| {
        for worker in 0..6_u32 {
            let dataset = &dataset;
            // Two workers on each shard.
            scope.spawn(move || {
                dataset.write_shard("", worker / 2, &games(u64::from(worker / 2), 5)).unwrap()
            });
        }
    });
    let expected: Vec<_> = (0..3).flat_map(|shard| games(shard, 5)).collect();
    assert_eq!(read(&folder), expected);
    assert_eq!(names(&folder.path().join("plies")), ["00000.parquet", "00001.parquet", "00002.parquet"]);
}

#[test]
fn files_say_what_they_were_played_with() {
    let folder = written(1, 1);
    let reader = open(&folder).unwrap();
    for table in Table::ALL {
        let file = reader.shards()[0].file(table);
        let DatasetInfo { game, rules, config } = info();
        assert_eq!((file.game(), file.rules()), (game.as_str(), rules[0].name.as_str()));
        assert_eq!((file.rules_text(), file.config()), (rules[0].text.as_str(), config.as_str()));
        assert_eq!((file.shard(), file.table()), ("g003-00000", table));
    }
    assert_eq!(fs::read_to_string(folder.path().join("run.toml")).unwrap(), info().config);
    assert_eq!(fs::read_to_string(folder.path().join("rules.toml")).unwrap(), info().rules[0].text);
}
