//! A game small enough to solve: each player has a bag of tiles, draws them for their points, or burns a
//! tile of the other's bag. What was burnt is seen by both players or, with a secret, by the burner alone.

use std::fmt;
use std::hash::{DefaultHasher, Hash, Hasher};
use std::str::FromStr;
use std::sync::Arc;

use facedown::game::{
    BySeat, Chances, Control, Encode, EndReason, Eyes, Game, Labels, Letters, MoveFacts, MoveIndex, MoveList,
    NotationError, Outcome, Phase, PlyKind, Pool, Profile, ProfileError, Seat, SeatValue, Shape, Status,
    Symmetry, View,
};
use rand::Rng;

/// Points of a tile of each kind.
const POINTS: [u8; 3] = [0, 1, 3];

pub type Tiles = Pool<3>;
/// The kind of tile that a move uncovered.
pub type Kind = Option<u8>;

#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub struct BagRules {
    pub bags: [[u8; 3]; 2],
    /// Points each player starts with.
    pub points: [u8; 2],
    pub plies: u8,
    pub burnt: Burnt,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Burnt {
    SeenByBoth,
    SeenByBurner,
}

impl BagRules {
    pub fn start(self) -> Bags {
        Bags::start(&Arc::new(self))
    }
}

impl Profile for BagRules {
    const BUILT_IN: &'static [(&'static str, &'static str)] = &[];
    const OF_TABLES: &'static str = "none";

    fn from_toml(_text: &str, origin: &str) -> Result<Self, ProfileError> {
        Err(ProfileError::Invalid { origin: origin.into(), message: "bags are made in code".into() })
    }

    fn to_toml(&self) -> String {
        format!("{self:?}")
    }

    fn with_draw_limit(&self, _plies: u16) -> Self {
        unreachable!("a search changes no rules")
    }

    fn name(&self) -> &str {
        "bags"
    }
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Act {
    Burn,
    Draw,
    Pass,
}

impl fmt::Display for Act {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{self:?}")
    }
}

fn no_text(text: &str) -> NotationError {
    NotationError { text: text.into(), at: 0, found: "text".into(), expected: "a value made in code".into() }
}

impl FromStr for Act {
    type Err = NotationError;

    fn from_str(text: &str) -> Result<Self, NotationError> {
        Err(no_text(text))
    }
}

/// The truth, or with `burnt` emptied of what `eyes` did not see, a view's part of it.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub struct Bags {
    rules: Arc<BagRules>,
    ply: u8,
    points: BySeat<u8>,
    /// The tiles left, by owner.
    bags: BySeat<Tiles>,
    /// The tiles burnt, by owner.
    burnt: BySeat<Tiles>,
}

impl Bags {
    pub fn mover(&self) -> Seat {
        if self.ply.is_multiple_of(2) { Seat::First } else { Seat::Second }
    }

    fn is_open(&self, owner: Seat, eyes: Eyes) -> bool {
        self.rules.burnt == Burnt::SeenByBoth || eyes == Eyes::Of(owner.other())
    }

    fn legal(&self, left: impl Fn(Seat) -> u32, out: &mut MoveList<Act>) {
        out.clear();
        if left(self.mover().other()) > 0 {
            out.push(Act::Burn);
        }
        if left(self.mover()) > 0 {
            out.push(Act::Draw);
        }
        out.push(Act::Pass);
    }

    fn odds(bag: &Tiles) -> Chances<Kind> {
        Chances::weighted((0..3).map(|kind| (Some(kind), u32::from(bag.count(usize::from(kind))))))
    }

    /// The value by expectiminimax, for rules under which both players know the same.
    pub fn solve(&self) -> SeatValue {
        if let Status::Over(outcome) = self.status() {
            return SeatValue::of(outcome);
        }
        let mover = self.mover();
        let best = self.solve_moves().into_iter().map(|(_, value)| value.for_mover(mover).0);
        facedown::game::MoverValue(best.fold(f32::NEG_INFINITY, f32::max)).for_first(mover)
    }

    pub fn solve_moves(&self) -> Vec<(Act, SeatValue)> {
        let mut moves = MoveList::new();
        self.legal_moves(&mut moves);
        moves.iter().map(|&mv| (mv, self.solve_move(mv))).collect()
    }

    fn solve_move(&self, mv: Act) -> SeatValue {
        let chances = self.chances(mv);
        let expectation = chances.probabilities().map(|(kind, odds)| {
            let mut next = self.clone();
            next.play(mv, kind);
            odds * f64::from(next.solve().0)
        });
        SeatValue(expectation.sum::<f64>() as f32)
    }
}

impl Game for Bags {
    type Profile = BagRules;
    type Move = Act;
    type Reveal = Kind;
    type Seen = Kind;
    type View = BagView;
    type Deal = ();

    const NAME: &'static str = "bags";

    fn start(rules: &Arc<BagRules>) -> Self {
        let [first, second] = rules.bags;
        Self {
            rules: rules.clone(),
            ply: 0,
            points: BySeat::new(rules.points[0], rules.points[1]),
            bags: BySeat::new(Tiles::new(first), Tiles::new(second)),
            burnt: BySeat::new(Tiles::EMPTY, Tiles::EMPTY),
        }
    }

    fn deal<R: Rng + ?Sized>(_rules: &BagRules, _rng: &mut R) {}

    fn rules(&self) -> &Arc<BagRules> {
        &self.rules
    }

    fn status(&self) -> Status {
        if self.ply < self.rules.plies {
            return Status::ToMove(self.mover());
        }
        let [first, second] = Seat::BOTH.map(|seat| self.points[seat]);
        let winner = match first.cmp(&second) {
            std::cmp::Ordering::Less => Some(Seat::Second),
            std::cmp::Ordering::Equal => None,
            std::cmp::Ordering::Greater => Some(Seat::First),
        };
        Status::Over(Outcome { winner, reason: EndReason::PlyCap })
    }

    fn legal_moves(&self, out: &mut MoveList<Act>) {
        self.legal(|seat| self.bags[seat].total(), out);
    }

    fn chances(&self, mv: Act) -> Chances<Kind> {
        match mv {
            Act::Burn => Self::odds(&self.bags[self.mover().other()]),
            Act::Draw => Self::odds(&self.bags[self.mover()]),
            Act::Pass => Chances::certain(),
        }
    }

    fn play(&mut self, mv: Act, reveal: Kind) {
        let mover = self.mover();
        match (mv, reveal.map(usize::from)) {
            (Act::Burn, Some(kind)) => {
                self.bags[mover.other()].remove(kind);
                self.burnt[mover.other()].add(kind);
            }
            (Act::Draw, Some(kind)) => {
                self.bags[mover].remove(kind);
                self.points[mover] += POINTS[kind];
            }
            (Act::Pass, None) => {}
            _ => panic!("{mv} cannot uncover {reveal:?}"),
        }
        self.ply += 1;
    }

    fn seen(&self, mv: Act, reveal: Kind, eyes: Eyes) -> Kind {
        match mv {
            Act::Burn if !self.is_open(self.mover().other(), eyes) => None,
            _ => reveal,
        }
    }

    fn reveal(&self, _mv: Act, _deal: &()) -> Kind {
        unreachable!("a search knows no deal")
    }

    fn key(&self, eyes: Eyes) -> u64 {
        let mut hasher = DefaultHasher::new();
        self.view(eyes).hash(&mut hasher);
        hasher.finish()
    }

    fn view(&self, eyes: Eyes) -> BagView {
        let mut known = self.clone();
        let mut unseen = BySeat::new(0, 0);
        for owner in Seat::BOTH.into_iter().filter(|&owner| !self.is_open(owner, eyes)) {
            unseen[owner] = self.burnt[owner].total();
            known.bags[owner] = add(&self.bags[owner], &self.burnt[owner]);
            known.burnt[owner] = Tiles::EMPTY;
        }
        BagView { known, unseen, eyes }
    }

    fn has_secrets(&self) -> bool {
        self.rules.burnt == Burnt::SeenByBurner && Seat::BOTH.iter().any(|&seat| self.burnt[seat].total() > 0)
    }

    fn sample<R: Rng + ?Sized>(view: &BagView, rng: &mut R) -> Self {
        let mut world = view.known.clone();
        for owner in Seat::BOTH {
            for _ in 0..view.unseen[owner] {
                let kind = world.bags[owner].draw(rng).expect("what was burnt unseen counts as in the bag");
                world.burnt[owner].add(kind);
            }
        }
        world
    }

    fn phase(&self) -> Phase {
        unreachable!("a search asks for no facts")
    }

    fn facts(&self, _mv: Act, _reveal: Kind) -> MoveFacts {
        unreachable!("a search asks for no facts")
    }

    fn control(&self, _mv: Act) -> Control {
        unreachable!("a search asks for no facts")
    }

    fn kind(&self, _mv: Act) -> PlyKind {
        unreachable!("a search asks for no facts")
    }

    fn labels(&self) -> Labels {
        unreachable!("a search asks for no labels")
    }

    fn reveal_text(&self, _mv: Act, _reveal: Kind) -> String {
        unreachable!("a search writes nothing")
    }

    fn parse_ply(&self, text: &str) -> Result<(Act, Kind), NotationError> {
        Err(no_text(text))
    }
}

fn add(a: &Tiles, b: &Tiles) -> Tiles {
    Tiles::new(std::array::from_fn(|kind| a.count(kind) + b.count(kind)))
}

/// The game through one pair of eyes: tiles burnt unseen still count as in the bag.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub struct BagView {
    known: Bags,
    /// How many tiles were burnt without these eyes seeing them, by owner.
    unseen: BySeat<u32>,
    eyes: Eyes,
}

impl BagView {
    /// The tiles of `owner` that were burnt before these eyes.
    pub fn burnt(&self, owner: Seat) -> &Tiles {
        &self.known.burnt[owner]
    }

    pub fn points(&self, seat: Seat) -> u8 {
        self.known.points[seat]
    }

    pub fn ply(&self) -> u8 {
        self.known.ply
    }
}

impl fmt::Display for BagView {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{self:?}")
    }
}

impl View for BagView {
    type Profile = BagRules;
    type Move = Act;
    type Seen = Kind;

    fn parse(text: &str, _rules: &Arc<BagRules>) -> Result<Self, NotationError> {
        Err(no_text(text))
    }

    fn rules(&self) -> &Arc<BagRules> {
        &self.known.rules
    }

    fn eyes(&self) -> Eyes {
        self.eyes
    }

    fn status(&self) -> Status {
        self.known.status()
    }

    fn side_letter(&self, _seat: Seat) -> Option<char> {
        None
    }

    fn legal_moves(&self, out: &mut MoveList<Act>) {
        self.known.legal(|seat| self.known.bags[seat].total() - self.unseen[seat], out);
    }

    fn chances(&self, mv: Act) -> Chances<Kind> {
        match mv {
            Act::Burn if !self.known.is_open(self.known.mover().other(), self.eyes) => Chances::certain(),
            _ => self.known.chances(mv),
        }
    }

    fn after(&self, mv: Act, seen: Kind) -> Self {
        let mut next = self.clone();
        if mv == Act::Burn && seen.is_none() {
            next.unseen[self.known.mover().other()] += 1;
            next.known.ply += 1;
        } else {
            next.known.play(mv, seen);
        }
        next
    }

    fn parse_seen(&self, text: &str) -> Result<(Act, Kind), NotationError> {
        Err(no_text(text))
    }

    fn seen_text(&self, _mv: Act, _seen: Kind) -> String {
        unreachable!("a search writes nothing")
    }

    fn letters(&self, _mv: Act, _seen: Kind) -> Letters {
        unreachable!("a search writes nothing")
    }

    fn heuristic(&self) -> f32 {
        let mover = self.known.mover();
        f32::from(self.known.points[mover]) - f32::from(self.known.points[mover.other()])
    }

    fn public(&self) -> Self {
        let mut public = Self { eyes: Eyes::Public, ..self.clone() };
        for owner in Seat::BOTH.into_iter().filter(|&owner| !self.known.is_open(owner, Eyes::Public)) {
            public.unseen[owner] += self.known.burnt[owner].total();
            public.known.bags[owner] = add(&self.known.bags[owner], &self.known.burnt[owner]);
            public.known.burnt[owner] = Tiles::EMPTY;
        }
        public
    }
}

impl Encode for BagView {
    const SHAPE: Shape = Shape { planes: 1, rows: 1, files: 1 };
    const POLICY_LEN: usize = 3;
    const POLICY_PLANES: usize = 3;
    const SYMMETRIES: &'static [Symmetry] = &[];

    fn plane_names() -> Vec<String> {
        vec!["nothing".into()]
    }

    fn planes(&self, out: &mut [f32]) {
        out.fill(0.0);
    }

    fn index(&self, mv: Act) -> MoveIndex {
        MoveIndex(mv as u16)
    }

    fn policy_cell(index: MoveIndex) -> usize {
        index.get()
    }

    fn mirrored(&self, _by: Symmetry) -> Self {
        unreachable!("bags have no symmetry")
    }

    fn mirrored_index(_index: MoveIndex, _by: Symmetry) -> MoveIndex {
        unreachable!("bags have no symmetry")
    }
}
