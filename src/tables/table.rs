//! One game between two players.

use std::time::{Duration, Instant};

use rand::RngExt;
use rand::rngs::ChaCha8Rng;

use super::resign::Patience;
use super::scribe::{Decision, Heading, Scribe};
use super::{DEAD, Fate, Leave, Manners, Mind, Past, Played, Player, Start, Ticket};
use crate::eval::Evaluations;
use crate::game::{BySeat, EndReason, Eyes, Game, MoveList, Outcome, Seat, Status, random_stream};
use crate::search::{Leaf, Search, SearchConfig};

/// What a table does next.
pub enum Next {
    /// It waits for the evaluator `judge` to judge a position.
    Waits { judge: usize },
    /// Its game has ended.
    Over,
}

/// A game in play: the truth, held by nobody but the table, and the mover's search.
pub struct Table<'a, G: Game> {
    index: usize,
    ticket: Ticket<G>,
    players: &'a [Player],
    manners: Manners,
    game: G,
    plies: u32,
    /// How many times each seat has uncovered something.
    uncovered: BySeat<u64>,
    past: Past,
    /// Where players may give up.
    patience: Option<Patience>,
    outcome: Option<Outcome>,
    thinking: Option<Thinking<G>>,
    /// By seat: the last search, where its player keeps it.
    kept: [Option<Kept<G>>; 2],
    scribe: Option<Scribe>,
    streams: Streams,
}

/// A finished search, and what its player saw of the plies since.
struct Kept<G: Game> {
    search: Search<G>,
    plies: Vec<(G::Move, G::Seen)>,
}

/// When a player has to move; none whose time is not limited.
#[derive(Debug, Clone, Copy)]
pub struct Deadline(Option<Instant>);

impl Deadline {
    fn after(time: Option<Duration>) -> Self {
        Self(time.map(|time| Instant::now() + time))
    }

    pub fn is_past(self) -> bool {
        self.0.is_some_and(|deadline| Instant::now() >= deadline)
    }
}

struct Thinking<G: Game> {
    search: Search<G>,
    /// The position that is being judged.
    leaf: Option<Leaf>,
    deadline: Deadline,
    /// Whether the search is to be learned from.
    full: bool,
    audited: bool,
    /// The same search of an audited position with other chances: what it makes of the moves that the first
    /// one likes is not flattered by the liking. None where time is short.
    again: Option<Search<G>>,
    /// Whether the second search is at work, the first being done.
    repeating: bool,
}

/// The table's independent sources of chance: changing what one is used for leaves the others alone.
struct Streams {
    /// What turns up, where no deal fixes it.
    reveals: ChaCha8Rng,
    /// Seeds of the searches.
    searches: ChaCha8Rng,
    /// Moves that are drawn without regard to a search.
    choices: ChaCha8Rng,
    /// Which plies are audited or explored.
    marks: ChaCha8Rng,
    /// Seeds of the second searches of audited positions.
    repeats: ChaCha8Rng,
    /// Which plies are searched cheaply.
    caps: ChaCha8Rng,
}

impl Streams {
    fn new(seed: u64) -> Self {
        let stream = |number| random_stream(seed, number);
        Self {
            reveals: stream(0),
            searches: stream(1),
            choices: stream(2),
            marks: stream(3),
            repeats: stream(4),
            caps: stream(5),
        }
    }
}

impl<'a, G: Game> Table<'a, G> {
    /// Sets up the game of `ticket`, the `index`-th of the room.
    ///
    /// # Panics
    ///
    /// If a game that starts in its midst is to be recorded: nobody could play the record again.
    pub fn new(players: &'a [Player], manners: Manners, index: usize, ticket: Ticket<G>) -> Self {
        let game = match &ticket.start {
            Start::Fresh(rules) => G::start(rules),
            Start::Midst(_) if manners.record => panic!("a record begins at the start of its game"),
            Start::Midst(game) => game.clone(),
        };
        Self {
            index,
            players,
            manners,
            game,
            plies: 0,
            uncovered: BySeat::default(),
            past: Past::default(),
            patience: manners.resign.map(|resign| Patience::new(resign, ticket.seed)),
            outcome: None,
            thinking: None,
            kept: [None, None],
            scribe: manners.record.then(Scribe::new),
            streams: Streams::new(ticket.seed),
            ticket,
        }
    }

    /// Plays on until a position has to be judged or the game has ended; `gather` lets a search put its
    /// next position before the evaluator of that number, or give up at the deadline.
    pub fn go_on(&mut self, mut gather: impl FnMut(usize, &mut Search<G>, Deadline) -> Option<Leaf>) -> Next {
        loop {
            let mover = match self.status() {
                Status::ToMove(mover) => mover,
                Status::Over(outcome) => {
                    self.outcome = Some(outcome);
                    return Next::Over;
                }
            };
            match &self.player(mover).mind {
                Mind::Random => self.play_any_move(mover),
                Mind::Search { judge, config, time } => {
                    if self.thinking.is_none() {
                        let kept = self.kept[mover as usize].take();
                        self.thinking = Some(Thinking::begin(
                            &self.game,
                            mover,
                            self.leave(mover),
                            (config, *time),
                            self.manners,
                            &mut self.streams,
                            kept,
                        ));
                    }
                    let thinking = self.thinking.as_mut().expect("the mover has begun to think");
                    if !thinking.is_out_of_time() {
                        let deadline = thinking.deadline;
                        thinking.leaf = thinking.gather(|search| gather(*judge, search, deadline));
                    }
                    match thinking.leaf {
                        Some(_) => return Next::Waits { judge: *judge },
                        None => self.decide(mover),
                    }
                }
            }
        }
    }

    /// The status by the rules, or by an early end: a resignation, or a dead position where the manners ask for it.
    fn status(&self) -> Status {
        if let Some(outcome) = self.outcome {
            return Status::Over(outcome);
        }
        match self.game.status() {
            Status::ToMove(_) if self.manners.end_dead_positions && self.game.is_dead() => Status::Over(DEAD),
            status => status,
        }
    }

    /// Whether a position of the table is still to be judged.
    pub fn waits(&self) -> bool {
        self.thinking.as_ref().is_some_and(|thinking| thinking.leaf.is_some())
    }

    /// Takes the judgement the table waits for, from those of the batch it was put into.
    ///
    /// # Panics
    ///
    /// If the table does not wait.
    pub fn hear(&mut self, evaluations: &Evaluations) {
        let thinking = self.thinking.as_mut().expect("only a table that thinks waits");
        let leaf = thinking.leaf.take().expect("a table that waits has put a position");
        thinking.at_work().apply(leaf, evaluations);
    }

    /// The finished game.
    ///
    /// # Panics
    ///
    /// If the game has not ended.
    pub fn into_played(self) -> Played {
        let outcome = self.outcome.expect("the game has ended");
        let [first, second] = [Seat::First, Seat::Second].map(|seat| self.player(seat).name.clone());
        let surrender = self.patience.and_then(|patience| patience.surrender);
        let heading = Heading { game_id: self.ticket.game_id, seed: self.ticket.seed, first, second };
        Played {
            index: self.index,
            outcome,
            plies: self.plies,
            surrender,
            record: self.scribe.map(|scribe| scribe.finish(&self.game, heading, outcome, surrender)),
        }
    }

    fn player(&self, seat: Seat) -> &'a Player {
        &self.players[self.ticket.seats[seat as usize]]
    }

    /// The moves `mover` has to keep to, if not all.
    fn leave(&self, mover: Seat) -> Option<MoveList<G::Move>> {
        let restraint = self.player(mover).restraint.as_deref()?;
        let Leave { moves, is_short } = self.past.leave(&self.game, mover, restraint);
        is_short.then_some(moves)
    }

    fn play_any_move(&mut self, mover: Seat) {
        let moves = self.leave(mover).unwrap_or_else(|| {
            let mut moves = MoveList::new();
            self.game.legal_moves(&mut moves);
            moves
        });
        let mv = moves[self.streams.choices.random_range(0..moves.len())];
        let reveal = self.uncover(mover, mv);
        if let Some(scribe) = &mut self.scribe {
            let chosen_with = Some(1.0 / moves.len() as f32);
            let decision = Decision {
                mv,
                reveal,
                report: None,
                again: None,
                chosen_with,
                full: false,
                audited: false,
                explored: false,
            };
            scribe.write(&self.game, mover, &decision);
        }
        self.play(mover, mv, reveal);
    }

    /// Chooses a move from the finished search, writes the ply down and plays it; or gives up.
    fn decide(&mut self, mover: Seat) {
        let Thinking { mut search, again, full, audited, .. } =
            self.thinking.take().expect("the mover has just searched");
        let report = search.report();
        if self.patience.as_mut().is_some_and(|patience| patience.hear(mover, report.value, self.plies)) {
            self.outcome = Some(Outcome { winner: Some(mover.other()), reason: EndReason::Resignation });
            return;
        }
        let again = again.map(|search| search.report());
        let explored = self.streams.marks.random_bool(self.manners.explore.get());
        let (mv, chosen_with) = if explored {
            let index = self.streams.choices.random_range(0..report.moves.len());
            (report.moves[index].mv, Some(1.0 / report.moves.len() as f32))
        } else {
            let choice = search.choose(self.plies);
            (choice.mv, choice.probability)
        };
        if search.config().keep_tree && !audited {
            self.kept[mover as usize] = Some(Kept { search, plies: Vec::new() });
        }
        let reveal = self.uncover(mover, mv);
        if let Some(scribe) = &mut self.scribe {
            scribe.write(
                &self.game,
                mover,
                &Decision {
                    mv,
                    reveal,
                    report: Some(&report),
                    again: again.as_ref(),
                    chosen_with,
                    full,
                    audited,
                    explored,
                },
            );
        }
        self.play(mover, mv, reveal);
    }

    /// What `mv` of `mover` turns up.
    fn uncover(&mut self, mover: Seat, mv: G::Move) -> G::Reveal {
        let chances = self.game.chances(mv);
        match &self.ticket.fate {
            Fate::Deal(deal) => self.game.reveal(mv, deal),
            Fate::Odds => chances.draw(&mut self.streams.reveals),
            Fate::Order(seed) => {
                let stream = 2 * self.uncovered[mover] + mover as u64;
                self.uncovered[mover] += u64::from(chances.len() > 1);
                chances.draw(&mut random_stream(*seed, stream))
            }
        }
    }

    fn play(&mut self, mover: Seat, mv: G::Move, reveal: G::Reveal) {
        self.past.note(mover, self.game.kind(mv));
        for seat in Seat::BOTH {
            if let Some(kept) = &mut self.kept[seat as usize] {
                kept.plies.push((mv, self.game.seen(mv, reveal, Eyes::Of(seat))));
            }
        }
        self.game.play(mv, reveal);
        self.plies += 1;
    }
}

impl<G: Game> Thinking<G> {
    /// Starts the mover's search, from nothing but what the mover knows, among all moves or those of `leave`.
    fn begin(
        game: &G,
        mover: Seat,
        leave: Option<MoveList<G::Move>>,
        (config, time): (&SearchConfig, Option<Duration>),
        manners: Manners,
        streams: &mut Streams,
        kept: Option<Kept<G>>,
    ) -> Self {
        let audited = streams.marks.random_bool(manners.audit.get());
        let config = SearchConfig { audit: config.audit || audited, ..*config };
        let cheap = manners.cheap.filter(|cheap| streams.caps.random_bool(cheap.share.get()) && !audited);
        let config = cheap.map_or(config, |cheap| SearchConfig {
            visits: cheap.visits.min(config.visits),
            ..config.without_noise()
        });
        let search = |seed| {
            let view = game.view(Eyes::Of(mover));
            match &leave {
                Some(moves) => Search::among(moves, view, config, seed),
                None => Search::new(view, config, seed),
            }
        };
        let seed = streams.searches.random();
        let searched = match kept {
            Some(Kept { search, plies }) if !audited && leave.is_none() => {
                search.with_config(config).advance(&plies, game.view(Eyes::Of(mover)), seed)
            }
            _ => search(seed),
        };
        Self {
            search: searched,
            leaf: None,
            deadline: Deadline::after(time),
            full: cheap.is_none(),
            audited,
            again: (audited && time.is_none()).then(|| search(streams.repeats.random())),
            repeating: false,
        }
    }

    /// Whether the time is over. A search that has not looked at a move yet is given the time to.
    fn is_out_of_time(&self) -> bool {
        self.search.visits() > 0 && self.deadline.is_past()
    }

    /// The next position to be judged, which `gather` gets from the search at work; none when all is done.
    fn gather(&mut self, mut gather: impl FnMut(&mut Search<G>) -> Option<Leaf>) -> Option<Leaf> {
        if !self.repeating {
            let leaf = gather(&mut self.search);
            if leaf.is_some() {
                return leaf;
            }
            self.repeating = self.again.is_some();
        }
        self.again.as_mut().and_then(gather)
    }

    fn at_work(&mut self) -> &mut Search<G> {
        match &mut self.again {
            Some(again) if self.repeating => again,
            _ => &mut self.search,
        }
    }
}
