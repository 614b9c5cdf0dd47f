//! A second referee: the rules of check, chase and repetition worked out again from the list of plies, by
//! the letter and without any of the library's tables.
//!
//! Pieces have numbers here that stay with them, and every run is counted by walking the list back.

mod setting;

use std::collections::{BTreeMap, BTreeSet};
use std::rc::Rc;

use facedown::game::{EndReason, Outcome, Seat, Status};
use facedown::rules::jieqi::{ChaseRule, CheckRule, Exhausted, JieqiRules, OnExceed};
use facedown::rules::{Color, Role};

use setting::{At, Ids, Setting, name, squares};

/// One ply of the list, with what it did.
#[derive(Debug, Clone)]
struct Entry {
    side: Color,
    capture: bool,
    before: Setting,
    after: Setting,
    checkers: Ids,
    chases: BTreeMap<usize, Ids>,
    /// Whether it went beyond a limit that costs the game.
    overstepped: bool,
}

/// A game in progress as the second referee keeps it.
#[derive(Clone)]
pub struct Referee<'a> {
    rules: &'a JieqiRules,
    first: Setting,
    to_move: Color,
    /// What the face-down pieces can be, to everybody.
    pools: BTreeMap<Color, Vec<Role>>,
    quiet_plies: u16,
    ply: u16,
    log: Vec<Rc<Entry>>,
}

/// A run: the side, what it is about, the pieces and the length.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
pub struct Counted {
    side: Color,
    check: bool,
    /// The chased piece, or the square checked from.
    about: String,
    pieces: Ids,
    length: usize,
}

impl<'a> Referee<'a> {
    pub fn new(fen: &str, rules: &'a JieqiRules) -> Self {
        let fields: Vec<_> = fen.split(' ').collect();
        let mut pools: BTreeMap<Color, Vec<Role>> = BTreeMap::new();
        let letters: Vec<char> = fields[2].chars().filter(|&c| c != '-').collect();
        for pair in letters.chunks(2) {
            let color = if pair[0].is_ascii_uppercase() { Color::Red } else { Color::Black };
            let role = Role::from_letter(pair[0].to_ascii_uppercase()).expect("a letter");
            let count = pair[1].to_digit(10).expect("a count");
            pools.entry(color).or_default().extend((0..count).map(|_| role));
        }
        let to_move = if fields[1] == "w" { Color::Red } else { Color::Black };
        let number: u16 = fields[4].parse().expect("a move number");
        Referee {
            rules,
            first: Setting::of_board(fields[0]),
            to_move,
            pools,
            quiet_plies: fields[3].parse().expect("a count"),
            ply: 2 * (number - 1) + u16::from(to_move == Color::Black),
            log: Vec::new(),
        }
    }

    fn now(&self) -> &Setting {
        self.log.last().map_or(&self.first, |entry| &entry.after)
    }

    fn identities(&self, color: Color) -> BTreeSet<Role> {
        self.pools.get(&color).into_iter().flatten().copied().collect()
    }

    /// Plays a move, told what everybody saw.
    pub fn play(&mut self, mv: &str, opened: Option<Role>, taken: Option<Role>) {
        let (from, to) = squares(mv);
        let overstepped = self.is_violation(from, to, OnExceed::Lose);
        self.push(from, to, opened, overstepped);
        let entry = self.log.last().expect("just pushed");
        let mover = entry.side;
        let flip = entry.before.0[&from].face_down;
        let progress = entry.capture || flip && self.rules.reveal_resets_counter;
        self.quiet_plies = if progress { 0 } else { self.quiet_plies + 1 };
        self.ply += 1;
        for (color, role) in [(mover, opened), (mover.other(), taken)] {
            if let Some(role) = role {
                let pool = self.pools.get_mut(&color).expect("a pool");
                pool.remove(pool.iter().position(|&kind| kind == role).expect("one is left"));
            }
        }
    }

    /// Adds a ply to the list.
    fn push(&mut self, from: At, to: At, opened: Option<Role>, overstepped: bool) {
        let before = self.now().clone();
        let after = before.after(from, to, opened);
        let side = self.to_move;
        let mut chases = BTreeMap::new();
        if self.rules.chase_rule.is_some() {
            let earlier = before.threats(side, self.rules);
            chases = after.threats(side, self.rules);
            chases.retain(|victim, _| !earlier.contains_key(victim));
        }
        self.log.push(Rc::new(Entry {
            side,
            capture: before.0.contains_key(&to),
            checkers: after.checkers(side.other(), self.rules),
            chases,
            before,
            after,
            overstepped,
        }));
        self.to_move = side.other();
    }

    /// The pieces with which `side` made its last moves, as far back as `kind` holds for each of them: it
    /// says which pieces make a ply one of the run. A capture is the oldest ply a run can have.
    fn run(&self, side: Color, kind: impl Fn(&Entry) -> Ids) -> Vec<Ids> {
        let mut run = Vec::new();
        for entry in self.log.iter().rev() {
            if entry.side == side {
                let pieces = kind(entry);
                if pieces.is_empty() {
                    break;
                }
                run.push(pieces);
            }
            if entry.capture {
                break;
            }
        }
        run
    }

    /// All runs of both sides that the rules count.
    pub fn runs(&self) -> Vec<Counted> {
        let mut runs = Vec::new();
        let mut add = |side, check, about: String, run: Vec<Ids>| {
            if !run.is_empty() {
                let pieces = run.iter().flatten().copied().collect();
                runs.push(Counted { side, check, about, pieces, length: run.len() });
            }
        };
        for side in [Color::Red, Color::Black] {
            let ids = self.now().0.values().map(|man| man.id);
            match self.rules.check_rule {
                Some(CheckRule::Consecutive { per_piece: false, .. }) => {
                    add(side, true, String::new(), self.run(side, |entry| entry.checkers.clone()));
                }
                Some(CheckRule::Consecutive { per_piece: true, .. }) => {
                    for id in ids.clone() {
                        let own =
                            |entry: &Entry| entry.checkers.iter().copied().filter(|&c| c == id).collect();
                        add(side, true, String::new(), self.run(side, own));
                    }
                }
                Some(CheckRule::SameSquare { .. }) => {
                    let checks = self.run(side, |entry| entry.checkers.clone()).len();
                    let own: Vec<_> =
                        self.log.iter().rev().filter(|entry| entry.side == side).take(checks).collect();
                    let mut places: BTreeMap<(usize, At), Vec<Ids>> = BTreeMap::new();
                    for entry in own {
                        for &id in &entry.checkers {
                            let at = entry.after.find(id).expect("it checks");
                            places.entry((id, at)).or_default().push([id].into());
                        }
                    }
                    for ((_, at), run) in places {
                        add(side, true, name(at), run);
                    }
                }
                _ => {}
            }
            if matches!(self.rules.chase_rule, Some(ChaseRule::Consecutive { .. })) {
                for id in ids {
                    let chased = |entry: &Entry| entry.chases.get(&id).cloned().unwrap_or_default();
                    let about = name(self.now().find(id).expect("on the board"));
                    add(side, false, about, self.run(side, chased));
                }
            }
        }
        runs
    }

    /// How long a run may be, and what happens beyond.
    fn limit(&self, run: &Counted) -> (usize, OnExceed) {
        let pieces = run.pieces.len() as u32;
        match (run.check, self.rules.check_rule, self.rules.chase_rule) {
            (true, Some(CheckRule::Consecutive { limits, on_exceed, .. }), _)
            | (false, _, Some(ChaseRule::Consecutive { limits, on_exceed, .. })) => {
                (limits.with_pieces(pieces).into(), on_exceed)
            }
            (true, Some(CheckRule::SameSquare { times }), _) => (usize::from(times) - 1, OnExceed::Forbid),
            _ => panic!("no rule counts {run:?}"),
        }
    }

    /// 0 for nothing, 1 for a chase, 2 for a check: the hardest of the side's runs that `holds`.
    fn hardest(&self, side: Color, holds: impl Fn(usize, usize, OnExceed) -> bool) -> u8 {
        let runs = self.runs().into_iter().filter(|run| run.side == side);
        let kept = runs.filter(|run| {
            let (limit, on_exceed) = self.limit(run);
            holds(run.length, limit, on_exceed)
        });
        kept.map(|run| 1 + u8::from(run.check)).max().unwrap_or(0)
    }

    /// Whether a move would violate a limit for every identity it may turn up as.
    fn is_violation(&self, from: At, to: At, consequence: OnExceed) -> bool {
        let side = self.to_move;
        // Only to save time: a run grows by one move at a time.
        let could_be = |run: &Counted| {
            let fewest = Counted { pieces: [0].into(), ..run.clone() };
            run.side == side && run.length >= self.limit(&fewest).0
        };
        self.runs().iter().any(could_be)
            && self.possible_games_after(from, to).iter().all(|game| {
                game.hardest(side, |length, limit, on_exceed| length > limit && on_exceed == consequence) > 0
            })
    }

    fn possible_games_after(&self, from: At, to: At) -> Vec<Referee<'a>> {
        let man = self.now().0[&from];
        let identities: Vec<_> = if man.face_down {
            self.identities(man.color).into_iter().map(Some).collect()
        } else {
            vec![None]
        };
        let play = |opened| {
            let mut game = self.clone();
            game.push(from, to, opened, false);
            game
        };
        identities.into_iter().map(play).collect()
    }

    fn has_no_move(&self) -> bool {
        self.now().legal_moves(self.to_move, self.rules).is_empty()
    }

    /// The moves that may be played, were the game not over.
    fn allowed(&self) -> Vec<(At, At)> {
        let mut moves = self.now().legal_moves(self.to_move, self.rules);
        moves.retain(|&(from, to)| {
            !self.is_violation(from, to, OnExceed::Forbid)
                || self.rules.mate_overrides_forbid
                    && self.possible_games_after(from, to).iter().any(Referee::has_no_move)
        });
        moves
    }

    pub fn playable(&self) -> Vec<String> {
        match self.status() {
            Status::Over(_) => Vec::new(),
            Status::ToMove(_) => {
                let mut moves: Vec<_> =
                    self.allowed().into_iter().map(|(from, to)| name(from) + &name(to)).collect();
                moves.sort();
                moves
            }
        }
    }

    pub fn status(&self) -> Status {
        let seat = |color| if color == Color::Red { Seat::First } else { Seat::Second };
        let over = |winner: Option<Color>, reason| Status::Over(Outcome { winner: winner.map(seat), reason });
        let mover = self.to_move.other();
        if self.has_no_move() {
            let check = !self.now().checkers(self.to_move, self.rules).is_empty();
            return over(Some(mover), if check { EndReason::Checkmate } else { EndReason::Stalemate });
        }
        if let Some((red, black)) = self.forcing() {
            let reason =
                [EndReason::PerpetualChase, EndReason::PerpetualCheck][usize::from(red.max(black)) - 1];
            let winner = match red as i8 - black as i8 {
                0 => None,
                1.. => Some(Color::Black),
                _ => Some(Color::Red),
            };
            return over(winner, reason);
        }
        let occurrences = self.occurrences();
        if self.rules.neutral_repetition.is_some_and(|folds| occurrences.len() >= usize::from(folds)) {
            return over(None, EndReason::Repetition);
        }
        if self.rules.no_capture_plies.is_some_and(|limit| self.quiet_plies >= limit) {
            return over(None, EndReason::NoProgress);
        }
        if self.rules.ply_cap.is_some_and(|limit| self.ply >= limit) {
            return over(None, EndReason::PlyCap);
        }
        if self.allowed().is_empty() {
            let winner = (self.rules.forbid_exhausted == Exhausted::Lose).then_some(mover);
            return over(winner, EndReason::NothingPlayable);
        }
        Status::ToMove(seat(self.to_move))
    }

    /// The number of plies after which each occurrence of this position stood.
    fn occurrences(&self) -> Vec<usize> {
        let now = self.now().placement();
        let stood = |&plies: &usize| {
            let then = self.log[..plies].last().map_or(&self.first, |entry| &entry.after);
            (self.log.len() - plies).is_multiple_of(2) && then.placement() == now
        };
        (0..=self.log.len()).filter(stood).collect()
    }

    /// How hard Red and Black force each other, if the game ends by it: 2 for checks, 1 for chases.
    fn forcing(&self) -> Option<(u8, u8)> {
        let last = self.log.last()?;
        if last.overstepped {
            let broken = self
                .hardest(last.side, |length, limit, on_exceed| length > limit && on_exceed == OnExceed::Lose);
            let reached = self.hardest(last.side.other(), |length, limit, _| length >= limit);
            return Some(if last.side == Color::Red { (broken, reached) } else { (reached, broken) });
        }
        let check_folds = match self.rules.check_rule {
            Some(CheckRule::Repetition { folds }) => Some(folds),
            _ => None,
        };
        let chase_folds = match self.rules.chase_rule {
            Some(ChaseRule::Repetition { folds }) => Some(folds),
            _ => None,
        };
        let folds = usize::from(check_folds.or(chase_folds)?);
        let occurrences = self.occurrences();
        let first = *occurrences.iter().rev().nth(folds - 1)?;
        let cycle = &self.log[first..];
        let by = |side| {
            let own = || cycle.iter().filter(move |entry| entry.side == side);
            if own().all(|entry| !entry.checkers.is_empty()) {
                return 2;
            }
            let victims = own().map(|entry| entry.chases.keys().copied().collect::<Ids>());
            let common = victims.reduce(|a, b| a.intersection(&b).copied().collect());
            u8::from(common.is_some_and(|common| !common.is_empty()))
        };
        let (red, black) = (by(Color::Red), by(Color::Black));
        match red.max(black) {
            2 => check_folds,
            1 => chase_folds,
            _ => None,
        }
        .map(|_| (red, black))
    }

    /// The runs as a view writes them: with the squares pieces stand on.
    pub fn run_texts(&self) -> Vec<String> {
        let at = |id: &usize| name(self.now().find(*id).expect("on the board"));
        let mut texts: Vec<_> = self
            .runs()
            .into_iter()
            .map(|run| {
                let (sign, about) = match (run.check, run.about.as_str()) {
                    (true, "") => ('+', name(self.now().king(run.side.other()))),
                    (true, from) => ('@', from.to_owned()),
                    (false, victim) => ('x', victim.to_owned()),
                };
                let mut pieces: Vec<_> = run.pieces.iter().map(at).collect();
                pieces.sort();
                format!("{}{sign}{}{about}{}", run.side.letter(), run.length, pieces.concat())
            })
            .collect();
        texts.sort();
        texts
    }
}
