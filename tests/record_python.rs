//! Datasets as other Parquet readers see them, with no code of ours.

use std::fs;

use facedown::game::SquareName;
use facedown::record::{Candidate, GameRecord, OutcomeRecord, PlyRecord};
use serde_json::{Map, Value, json};

use crate::outside::{python, stdout};
use crate::record::written;
use crate::record_games::games;

#[test]
fn pyarrow_pandas_and_duckdb_read_every_column() {
    let Some(mut reading) = python("read_dataset.py") else { return };
    let folder = written(3, 20);
    let games: Vec<_> = (0..3).flat_map(|shard| games(shard, 20)).collect();
    let plies: Vec<_> =
        games.iter().flat_map(|game| game.plies.iter().map(|ply| ply_row(game, ply))).collect();
    let expected = json!({ "games": games.iter().map(game_row).collect::<Vec<_>>(), "plies": plies });
    let expected_path = folder.path().join("expected.json");
    fs::write(&expected_path, expected.to_string()).unwrap();

    reading.arg(folder.path()).arg(&expected_path);
    let expected_count = plies.len();
    let line = |reader: &str| format!("{reader}: 60 games and {expected_count} plies as written\n");
    assert_eq!(stdout(reading), ["pyarrow", "pandas", "duckdb"].map(line).concat());
}

fn row<const N: usize>(cells: [(&str, Value); N]) -> Value {
    Value::Object(cells.into_iter().map(|(name, value)| (name.to_owned(), value)).collect::<Map<_, _>>())
}

fn game_row(game: &GameRecord) -> Value {
    row([
        ("game_id", json!(game.game_id)),
        ("game", json!(game.game)),
        ("rules", json!(game.rules)),
        ("rules_hash", json!(game.rules_hash)),
        ("seed", json!(game.seed)),
        ("first", json!(game.first)),
        ("second", json!(game.second)),
        ("result", json!(game.result)),
        ("settlement", game.settlement.map_or(Value::Null, exact)),
        ("end_reason", json!(game.end_reason.name())),
        ("resigned_at", json!(game.resigned_at)),
        ("plies", json!(game.plies.len())),
    ])
}

fn ply_row(game: &GameRecord, ply: &PlyRecord) -> Value {
    let facts = &ply.facts;
    let control = &facts.control;
    row([
        ("game_id", json!(game.game_id)),
        ("ply", json!(ply.ply)),
        ("seat", json!(ply.seat)),
        ("view", json!(ply.view)),
        ("move", json!(ply.mv)),
        ("reveal", json!(ply.reveal)),
        ("kind", json!(facts.kind.name())),
        ("from", json!(facts.from.as_str())),
        ("to", json!(facts.to.as_str())),
        ("shown", json!(facts.shown)),
        ("revealed", json!(facts.revealed)),
        ("taken", json!(facts.taken)),
        ("taken_hidden", json!(facts.taken_hidden)),
        ("attackers", json!(control.attackers)),
        ("attackers_hidden", json!(control.attackers_hidden)),
        ("least_attacker", json!(control.least_attacker)),
        ("defenders", json!(control.defenders)),
        ("defenders_hidden", json!(control.defenders_hidden)),
        ("see", exact(control.see)),
        ("risk", exact(control.risk)),
        ("check", json!(facts.check)),
        ("in_check", json!(facts.in_check)),
        ("phase", json!(facts.phase.name())),
        ("face_down_left", json!(facts.face_down_left)),
        ("pool_own", json!(facts.pool_own.as_slice())),
        ("pool_enemy", json!(facts.pool_enemy.as_slice())),
        ("locked_own", json!(facts.locked_own)),
        ("locked_enemy", json!(facts.locked_enemy)),
        ("locked_own_on", json!(facts.locks.as_ref().map(|locks| joined(&locks.own)))),
        ("locked_enemy_on", json!(facts.locks.as_ref().map(|locks| joined(&locks.enemy)))),
        ("attacked", json!(facts.threats.map(|threats| threats.attacked))),
        ("pinned", json!(facts.threats.map(|threats| threats.pinned))),
        ("mates", json!(facts.threats.map(|threats| threats.mates))),
        ("full_search", json!(ply.full_search)),
        ("audited", json!(ply.audited)),
        ("explored", json!(ply.explored)),
        ("visits", json!(ply.visits)),
        ("value", exact(ply.value)),
        ("net_value", exact(ply.net_value)),
        ("next_value", exact(ply.next_value)),
        ("result", json!(ply.result)),
        ("settlement", ply.settlement.map_or(Value::Null, exact)),
        ("lost_in", json!(ply.lost_in)),
        ("chosen_with", ply.chosen_with.map_or(Value::Null, exact)),
        ("label_own_taken", json!(ply.labels.own_taken.as_slice())),
        ("candidates", ply.candidates.iter().map(candidate_row).collect()),
        ("outcomes", ply.outcomes.iter().map(outcome_row).collect()),
    ])
}

fn joined(squares: &[SquareName]) -> String {
    squares.iter().map(SquareName::as_str).collect::<Vec<_>>().join(" ")
}

fn candidate_row(candidate: &Candidate) -> Value {
    row([
        ("move", json!(candidate.mv)),
        ("kind", json!(candidate.kind.name())),
        ("prior", exact(candidate.prior)),
        ("visits", json!(candidate.visits)),
        ("q", exact(candidate.q)),
        ("opened", json!(candidate.opened)),
        ("attackers", json!(candidate.attackers)),
        ("defenders", json!(candidate.defenders)),
        ("risk", exact(candidate.risk)),
        ("q_again", candidate.q_again.map_or(Value::Null, exact)),
        ("least_attacker", json!(candidate.least_attacker)),
        ("target", candidate.target.map_or(Value::Null, exact)),
    ])
}

fn outcome_row(outcome: &OutcomeRecord) -> Value {
    row([
        ("reveal", json!(outcome.reveal)),
        ("taken", json!(outcome.taken)),
        ("p_mover", exact(outcome.p_mover)),
        ("p_referee", exact(outcome.p_referee)),
        ("q", exact(outcome.q)),
        ("n", json!(outcome.n)),
    ])
}

/// The float with all its digits, not the shortest text that means it among floats of its width.
fn exact(value: f32) -> Value {
    json!(f64::from(value))
}
