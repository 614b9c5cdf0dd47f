//! Claims on Banqi: their figures in positions whose values are known.

use std::path::Path;

use facedown::analysis::{BanqiClaims, Cell, Findings, Question, analyze};
use facedown::game::PlyKind;
use facedown::record::{Candidate, Dataset, DatasetInfo, GameRecord, OnBroken, PlyRecord, Reader};

use super::data::{candidate, control, game, ply};

/// A move of the given value in the eyes of both searches; a risk makes it a flip.
fn valued(mv: &str, kind: PlyKind, q: f32, risk: f32) -> Candidate {
    Candidate { q_again: Some(q), ..candidate(mv, kind, 1, q, control(0, 0, risk)) }
}

/// An audited position in which the first of the moves was played.
fn position(view: &str, face_down: u8, candidates: Vec<Candidate>) -> PlyRecord {
    let first = candidates[0].clone();
    let text = if first.kind == PlyKind::Flip { first.mv.repeat(2) } else { first.mv.clone() };
    let mut ply = ply(&text, first.kind, control(0, 0, first.risk));
    ply.mv = first.mv;
    ply.view = view.into();
    ply.facts.shown = Some('C');
    ply.facts.face_down_left = face_down;
    PlyRecord { full_search: true, audited: true, next_value: first.q, candidates, ..ply }
}

/// A game with a position for each claim.
fn banqi_game(id: u64) -> GameRecord {
    use PlyKind::{Capture, Flip, Move};
    let quiet = || valued("h1h2", Move, 0.0, 0.0);
    let plies = vec![
        // A flip that risks something, one that does not, and a move.
        position(
            "8/8/??6/7P w - 0",
            20,
            vec![valued("a2", Flip, -0.25, 1.0), valued("b2", Flip, 0.25, 0.0), quiet()],
        ),
        // The horse on b2 next to the chariot on c2.
        position("8/8/1Nr5/7P w - 0", 12, vec![valued("b2b1", Move, 0.5, 0.0), quiet()]),
        // The cannon on a2 may take the horse on c2 over a face-down piece.
        position("8/8/C?n5/7P w - 0", 12, vec![valued("a2c2", Capture, 0.75, 0.0), quiet()]),
        // The general on a2 next to the soldier on b2.
        position("8/8/Kp6/7P w - 0", 12, vec![valued("a2a1", Move, 0.125, 0.0), quiet()]),
        // Little is hidden.
        position("8/8/?7/7P w - 0", 1, vec![valued("a2", Flip, -0.5, 0.0), quiet()]),
    ];
    GameRecord { game: "banqi".into(), rules: "joypip".into(), ..game(id, 0, plies) }
}

fn findings(folder: &Path) -> Findings {
    let info = DatasetInfo {
        game: "banqi".into(),
        rules: "joypip".into(),
        rules_text: "name = \"joypip\"\n".into(),
        config: String::new(),
    };
    let dataset = Dataset::create_or_resume(folder, info).expect("a fresh folder");
    dataset.write_shard("", 0, &[1, 2, 3].map(banqi_game)).expect("a shard");
    let reader = Reader::open(folder, OnBroken::Fail).expect("a dataset");
    let question = Question { rules: None, threads: 1, on_broken: OnBroken::Fail, depth: 1, min_games: 1 };
    analyze::<BanqiClaims>(&reader, &question).expect("figures").findings.remove(0)
}

#[test]
fn claims_on_banqi_hold_the_moves_in_question_against_the_others() {
    let folder = tempfile::tempdir().expect("a folder");
    let findings = findings(folder.path());
    for (table, figure, expected) in [
        // Points: 50 times the difference of the values.
        ("claim_q1", "best flip that risks something against the best that does not", -25.0),
        ("claim_q2", "its best move against the best other move", 25.0),
        ("claim_q2", "plies at which it moved", 100.0),
        ("claim_q3", "best shot at a bigger piece against the best other move", 37.5),
        ("claim_q3", "shots over a face-down piece", 100.0),
        ("claim_q4", "its best move against the best other move", 6.25),
        ("claim_q5", "games drawn by the count", 0.0),
        ("claim_q6", "best flip less best move, much hidden", 12.5),
        ("claim_q6", "best flip less best move, little hidden", -25.0),
        ("claim_q6", "plies that are flips, little hidden", 100.0),
    ] {
        let mut tables = findings.sections.iter().flat_map(|section| &section.tables);
        let table = tables.find(|found| found.name == table).expect(table);
        let row = table.rows().iter().find(|row| row[0] == Cell::Text(figure.into())).expect(figure);
        let place = table.columns().iter().position(|column| column.key == "value").expect("a figure");
        assert_eq!(row[place], Cell::Real(expected), "{}: {figure}", table.name);
    }
}
