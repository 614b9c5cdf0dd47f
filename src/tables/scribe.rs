//! Writing a game down while it is played.

use super::Surrender;
use crate::game::{Eyes, Game, MoverValue, Outcome, Seat, SeatValue, View};
use crate::record::{Candidate, GameRecord, OutcomeRecord, PlyRecord};
use crate::search::RootReport;

/// Keeps the rows of one game; what only the end tells is filled in at the end.
pub struct Scribe {
    plies: Vec<PlyRecord>,
}

/// A move about to be played, and how it came to be chosen.
pub struct Decision<'a, G: Game> {
    pub mv: G::Move,
    pub reveal: G::Reveal,
    /// None if the mover did not search.
    pub report: Option<&'a RootReport<G::Move, G::Seen>>,
    /// The second search of an audited position; none if time did not allow it.
    pub again: Option<&'a RootReport<G::Move, G::Seen>>,
    pub chosen_with: Option<f32>,
    /// Whether the search is to be learned from.
    pub full: bool,
    pub audited: bool,
    pub explored: bool,
}

/// What the games table says of a game before it is played.
pub struct Heading {
    pub game_id: u64,
    pub seed: u64,
    pub first: String,
    pub second: String,
}

impl Scribe {
    pub fn new() -> Self {
        Self { plies: Vec::new() }
    }

    /// Writes down the ply that `mover` is about to play in `game`. A player who does not search has 0 visits
    /// and values of 0, and no candidates.
    pub fn write<G: Game>(&mut self, game: &G, mover: Seat, decision: &Decision<'_, G>) {
        let view = game.view(Eyes::Of(mover));
        let report = decision.report;
        self.plies.push(PlyRecord {
            ply: ply_number(self.plies.len()),
            seat: mover as u8,
            view: view.to_string(),
            mv: decision.mv.to_string(),
            reveal: game.reveal_text(decision.mv, decision.reveal),
            facts: game.facts(decision.mv, decision.reveal),
            full_search: decision.full,
            audited: decision.audited,
            explored: decision.explored,
            visits: report.map_or(0, |report| report.visits),
            value: report.map_or(0.0, |report| report.value.0),
            net_value: report.map_or(0.0, |report| report.net_value.0),
            next_value: 0.0,
            result: 0,
            settlement: None,
            lost_in: None,
            chosen_with: decision.chosen_with,
            labels: game.labels(),
            candidates: candidates(game, decision),
            outcomes: ledger(game, &view, mover, decision),
        });
    }

    /// Fills in what the end of the game tells, and closes the record.
    pub fn finish<G: Game>(
        mut self,
        game: &G,
        heading: Heading,
        outcome: Outcome,
        surrender: Option<Surrender>,
    ) -> GameRecord {
        let result = SeatValue::of(outcome);
        let settlement = game.settlement(outcome);
        self.tell_next_values(result);
        self.tell_results(result, settlement);
        self.tell_losses();
        GameRecord {
            game_id: heading.game_id,
            game: G::NAME.into(),
            rules: crate::game::Profile::name(game.rules().as_ref()).into(),
            rules_hash: crate::game::Profile::fingerprint(game.rules().as_ref()),
            seed: heading.seed,
            first: heading.first,
            second: heading.second,
            result: result.0 as i8,
            settlement: Some(settlement.0),
            end_reason: outcome.reason,
            resigned_at: surrender.map(|surrender| ply_number(surrender.ply as usize)),
            plies: self.plies,
        }
    }

    fn tell_next_values(&mut self, result: SeatValue) {
        let mut next = result;
        for ply in self.plies.iter_mut().rev() {
            let mover = seat(ply);
            ply.next_value = next.for_mover(mover).0;
            next = MoverValue(ply.value).for_first(mover);
        }
    }

    fn tell_results(&mut self, result: SeatValue, settlement: SeatValue) {
        for ply in &mut self.plies {
            let mover = seat(ply);
            ply.result = result.for_mover(mover).0 as i8;
            ply.settlement = Some(settlement.for_mover(mover).0);
        }
    }

    /// Follows every moved piece from square to square until an enemy piece lands on it.
    fn tell_losses(&mut self) {
        for index in 0..self.plies.len() {
            let (moved, later) = self.plies[index..].split_first_mut().expect("the slice starts at a ply");
            let mut stands = moved.facts.to;
            for (distance, ply) in (1..).zip(later.iter()) {
                if ply.seat == moved.seat && ply.facts.from == stands {
                    stands = ply.facts.to;
                } else if ply.seat != moved.seat && ply.facts.to == stands {
                    moved.lost_in = Some(distance);
                    break;
                }
            }
        }
    }
}

fn ply_number(ply: usize) -> u16 {
    u16::try_from(ply).expect("a game has fewer than 65536 plies")
}

fn seat(ply: &PlyRecord) -> Seat {
    Seat::BOTH[usize::from(ply.seat)]
}

/// The root moves the search visited.
fn candidates<G: Game>(game: &G, decision: &Decision<'_, G>) -> Vec<Candidate> {
    let moves = decision.report.iter().flat_map(|report| &report.moves);
    let visited = moves.filter_map(|root| root.q.map(|q| (root, q)));
    let again = |mv| {
        let moves = &decision.again?.moves;
        moves[moves.binary_search_by_key(&mv, |root| root.mv).ok()?].q
    };
    visited
        .map(|(root, q)| {
            let control = game.control(root.mv);
            Candidate {
                mv: root.mv.to_string(),
                kind: game.kind(root.mv),
                prior: root.prior,
                visits: root.visits,
                q: q.0,
                q_again: again(root.mv).map(|q| q.0),
                opened: u8::try_from(root.outcomes.len()).expect("a move has at most 36 outcomes"),
                attackers: control.attackers,
                defenders: control.defenders,
                risk: control.risk,
                least_attacker: control.least_attacker,
                target: decision.full.then_some(root.target),
            }
        })
        .collect()
}

/// What the move might uncover in its mover's eyes, with both odds; empty where it uncovers nothing.
///
/// The mover's outcomes include all of the referee's: a player never rules out what may happen. Outcomes that read
/// alike are one: before there are colours, it is all the same of which colour a piece turns out to be.
fn ledger<G: Game>(game: &G, view: &G::View, mover: Seat, decision: &Decision<'_, G>) -> Vec<OutcomeRecord> {
    let mv = decision.mv;
    let chances = view.chances(mv);
    if chances.iter().all(|(seen, _)| seen == G::Seen::default()) {
        return Vec::new();
    }
    let referee = game.chances(mv);
    let root = decision.report.and_then(|report| report.moves.iter().find(|root| root.mv == mv));
    let value = decision.report.map_or(MoverValue(0.0), |report| report.value);
    let unopened = root.and_then(|root| root.q).unwrap_or(value);
    let mut outcomes: Vec<OutcomeRecord> = Vec::with_capacity(chances.len());
    for (seen, p_mover) in chances.probabilities() {
        let opened = root.and_then(|root| root.outcomes.iter().find(|outcome| outcome.seen == seen));
        let p_referee: f64 = referee
            .probabilities()
            .filter(|&(reveal, _)| game.seen(mv, reveal, Eyes::Of(mover)) == seen)
            .map(|(_, p)| p)
            .sum();
        let letters = view.letters(mv, seen);
        let outcome = OutcomeRecord {
            reveal: letters.revealed,
            taken: letters.taken,
            p_mover: p_mover as f32,
            p_referee: p_referee as f32,
            q: opened.map_or(unopened, |outcome| outcome.q).0,
            n: opened.map_or(0, |outcome| outcome.visits),
        };
        let alike =
            |known: &&mut OutcomeRecord| (known.reveal, known.taken) == (outcome.reveal, outcome.taken);
        match outcomes.iter_mut().find(alike) {
            Some(known) => *known = either(known, &outcome),
            None => outcomes.push(outcome),
        }
    }
    outcomes
}

/// One outcome of two that read alike, worth their mean by the mover's odds.
fn either(one: &OutcomeRecord, other: &OutcomeRecord) -> OutcomeRecord {
    let p_mover = one.p_mover + other.p_mover;
    OutcomeRecord {
        p_mover,
        p_referee: one.p_referee + other.p_referee,
        q: (one.p_mover * one.q + other.p_mover * other.q) / p_mover,
        n: one.n + other.n,
        ..*one
    }
}
