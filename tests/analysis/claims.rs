//! Claims: their figures in positions whose values are known.

use facedown::analysis::{BanqiClaims, Cell, Findings, JieqiClaims, Question, Report, analyze};
use facedown::game::{Locks, MoveFacts, PlyKind, SquareName, Threats};
use facedown::record::{
    Candidate, Dataset, DatasetInfo, GameRecord, OnBroken, PlyRecord, Reader, WrittenRules,
};

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

/// A face-up piece's move, with where it is told that pieces are locked.
fn tactical(mv: &str, [own, enemy]: [&str; 2], threats: Threats) -> PlyRecord {
    let squares = |names: &str| {
        let names = names.split_ascii_whitespace().map(str::as_bytes);
        names.map(|name| SquareName::new(name[0], name[1])).collect()
    };
    let mut ply = ply(mv, PlyKind::Move, control(0, 0, 0.0));
    ply.facts.locks = Some(Locks { own: squares(own), enemy: squares(enemy) });
    ply.facts.threats = Some(threats);
    PlyRecord { full_search: true, ..ply }
}

/// The ply as a capture, of a face-down piece or of another, after which the value is `next`.
fn taking(ply: PlyRecord, taken: char, hidden: bool, next: f32) -> PlyRecord {
    let facts = MoveFacts { kind: PlyKind::Capture, taken: Some(taken), taken_hidden: hidden, ..ply.facts };
    PlyRecord { facts, next_value: next, ..ply }
}

/// A piece on a6 is locked for six turns of its owner and then taken, and a free one after it.
fn game_with_a_dead_piece(id: u64) -> GameRecord {
    let none = Threats::default();
    let mut plies: Vec<PlyRecord> = (0..6)
        .flat_map(|_| [tactical("e3e4", ["", "a6"], none), tactical("e6e5", ["a6", ""], none)])
        .collect();
    plies.push(taking(tactical("a4a6", ["", "a6"], none), 'N', true, -0.5));
    plies.push(tactical("e6e5", ["", ""], none));
    plies.push(taking(tactical("c4c6", ["", ""], none), 'N', true, 0.25));
    game(id, 0, plies)
}

/// The first seat gives a pawn and frees the piece on its rook's square, which is a rook; it also makes a double
/// attack, takes a horse and wins, though the other threatened mate.
fn game_with_a_sacrifice(id: u64) -> GameRecord {
    let [none, two, pin, mate] = [(0, 0, 0), (2, 0, 0), (0, 1, 0), (0, 0, 1)]
        .map(|(attacked, pinned, mates)| Threats { attacked, pinned, mates });
    let mut freed = ply("a0a1", PlyKind::Flip, control(0, 0, 0.0));
    freed.facts.revealed = Some('R');
    freed.facts.locks = Some(Locks::default());
    freed.facts.threats = Some(none);
    let plies = vec![
        tactical("e3e4", ["a0", ""], two),
        taking(tactical("e6e4", ["", "a0"], none), 'P', false, 0.0),
        taking(tactical("b2b9", ["a0", ""], pin), 'N', false, 0.0),
        tactical("e4e3", ["", ""], mate),
        PlyRecord { full_search: true, value: 0.25, reveal: "R".into(), ..freed },
    ];
    game(id, 1, plies)
}

fn findings<R: Report>(game: &str, rules: &str, games: &[GameRecord]) -> Findings {
    let folder = tempfile::tempdir().expect("a folder");
    let info = DatasetInfo {
        game: game.into(),
        rules: vec![WrittenRules { name: rules.into(), text: format!("name = \"{rules}\"\n") }],
        config: String::new(),
    };
    let dataset = Dataset::create_or_resume(folder.path(), info).expect("a fresh folder");
    dataset.write_shard("", 0, games).expect("a shard");
    let reader = Reader::open(folder.path(), OnBroken::Fail).expect("a dataset");
    let question = Question { rules: None, threads: 1, on_broken: OnBroken::Fail, depth: 1, min_games: 1 };
    analyze::<R>(&reader, &question).expect("figures").findings.remove(0)
}

fn assert_figures(findings: &Findings, expected: &[(&str, &str, f64)]) {
    for &(table, figure, expected) in expected {
        let mut tables = findings.sections.iter().flat_map(|section| &section.tables);
        let table = tables.find(|found| found.name == table).expect(table);
        let row = table.rows().iter().find(|row| row[0] == Cell::Text(figure.into())).expect(figure);
        let place = table.columns().iter().position(|column| column.key == "value").expect("a figure");
        assert_eq!(row[place], Cell::Real(expected), "{}: {figure}", table.name);
    }
}

#[test]
fn claims_on_banqi_hold_the_moves_in_question_against_the_others() {
    let findings = findings::<BanqiClaims>("banqi", "joypip", &[1, 2, 3].map(banqi_game));
    let expected = [
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
    ];
    assert_figures(&findings, &expected);
}

#[test]
fn claims_on_jieqi_tell_locked_pieces_by_their_squares_and_threats_by_their_plies() {
    let games = [1, 2, 3].map(|id| [game_with_a_dead_piece(id), game_with_a_sacrifice(id + 10)]).concat();
    let findings = findings::<JieqiClaims>("jieqi", "wxf", &games);
    let expected = [
        // Of the piece on a6 the value loses 25 points, of the free one it gains 12.5.
        ("claim_t6", "change of value, captures of locked pieces less those of free ones", -37.5),
        ("claim_t6", "captures of locked pieces that lose value", 100.0),
        // One in every other game.
        ("claim_t6", "captures of dead pieces", 0.5),
        ("claim_t7", "change of value, small piece lost and lid freed", 12.5),
        ("claim_t7", "small losses that freed a lid", 100.0),
        ("claim_t7", "small losses that freed a lid on a rook's square", 100.0),
        ("claim_t7", "change of value, small piece lost and lid freed that was a rook", 12.5),
        ("claim_t15", "result of the side with more double attacks", 50.0),
        // Of 15 and 5 plies one.
        ("claim_t15", "plies that attack two pieces", 5.0),
        ("claim_t15", "plies that leave a piece pinned", 5.0),
        ("claim_t15", "plies that threaten mate", 5.0),
        ("claim_t15", "double attacks that take something next", 100.0),
        ("claim_t15", "result of the side that threatens mate", -50.0),
    ];
    assert_figures(&findings, &expected);
}
