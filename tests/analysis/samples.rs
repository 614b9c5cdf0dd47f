//! Sample games: by which rules they are chosen.

use facedown::analysis::{self, Choice, Drawing, Question, SampleGame, Samples};
use facedown::game::PlyKind;
use facedown::record::{GameRecord, OnBroken, Reader};

use super::data::{control, game, ply, write};

/// Ten games: game `n` is `n` plies long, won if `n` is odd, and its first flip swings the value by `n` tenths.
fn ten() -> Vec<GameRecord> {
    (1..=10_u8)
        .map(|n| {
            let plies = (0..n).map(|place| {
                let mut ply = ply("b2e2", PlyKind::Flip, control(0, 0, 0.0));
                ply.next_value = if place == 0 { f32::from(n) / 10.0 } else { 0.0 };
                ply
            });
            game(n.into(), (n % 2) as i8, plies.collect())
        })
        .collect()
}

fn samples(per_shard: usize, threads: usize) -> Vec<SampleGame> {
    let folder = tempfile::tempdir().expect("a folder");
    write(folder.path(), "wxf", &ten(), per_shard);
    let reader = Reader::open(folder.path(), OnBroken::Fail).expect("a dataset");
    let question = Question { rules: None, threads, on_broken: OnBroken::Fail, depth: 1, min_games: 1 };
    let found = analysis::analyze::<Samples>(&reader, &question).expect("findings").findings;
    match &found[0].sections[0].figures[0].drawing {
        Drawing::Games(games) => games.games.clone(),
        other => panic!("{other:?}"),
    }
}

#[test]
fn each_rule_chooses_its_games_however_they_are_read() {
    let all = samples(10, 1);
    let chosen = |choice| all.iter().filter(move |game| game.choice == choice).map(|game| game.game_id);
    assert_eq!(chosen(Choice::Lot).count(), 4);
    // A game that two rules choose is shown for the first of them.
    let lot: Vec<u64> = chosen(Choice::Lot).collect();
    let rest = |ids: [u64; 4]| ids.into_iter().filter(|id| !lot.contains(id)).collect::<Vec<_>>();
    assert_eq!(chosen(Choice::Turn).collect::<Vec<_>>(), rest([10, 9, 8, 7]));
    let turn: Vec<u64> = chosen(Choice::Turn).collect();
    let short = rest([1, 3, 5, 7]).into_iter().filter(|id| !turn.contains(id)).collect::<Vec<_>>();
    assert_eq!(chosen(Choice::Short).collect::<Vec<_>>(), short);

    let ids = |games: &[SampleGame]| games.iter().map(|game| game.game_id).collect::<Vec<_>>();
    assert_eq!(ids(&samples(3, 2)), ids(&all));
    assert!(all.iter().all(|game| game.plies.len() == game.game_id as usize));
}
