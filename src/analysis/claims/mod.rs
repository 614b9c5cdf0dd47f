//! What players say, held against the games: a section for each claim, with a verdict.
//!
//! Each claim is a small report of its own that gathers its figures; [`Claims`] runs them all in one pass.
//! Verdicts rest on observation: that a claim is contradicted here means that the games of these players do
//! not show it. Experiments that play are what settles it, and each claim says which.

mod banqi;
mod cannons;
mod chances;
mod controlled;
mod dead;
mod lids;
mod locks;
mod memory;
mod order;
mod pieces;
mod tactics;
mod verdict;
mod within;

use super::board::Board;
use super::report::{Report, Section, Setup};
use super::rows::{GameRow, PlyRow, Reads};
use super::story::Story;
use super::table::{Columns, Row, Table};
pub use verdict::{Expected, Finding, Verdict, Words, section as claim_section};

/// A claim with the figures gathered about it.
pub trait Claim: Send + Sized {
    const WORDS: Words;

    fn new(setup: &Setup) -> Self;

    fn absorb_game(&mut self, _game: &GameRow<'_>) {}

    fn absorb_ply(&mut self, _ply: &PlyRow<'_>) {}

    fn absorb_story(&mut self, _story: &Story) {}

    /// Adds what `later` has taken in.
    fn merge(&mut self, later: Self);

    /// The figures, those that the claim stands or falls with among them.
    fn findings(&self) -> Vec<Finding>;
}

/// Makes a report on one game of a list of claims, in the order of reading.
macro_rules! claims {
    ($(#[doc = $doc:literal])+ $name:ident of $board:ident { $($field:ident: $claim:ty),+ $(,)? }) => {
        $(#[doc = $doc])+
        #[derive(Debug, Clone)]
        pub struct $name {
            $($field: $claim),+
        }

        impl $name {
            const WORDS: &[Words] = &[$(<$claim>::WORDS),+];
        }

        impl Report for $name {
            const READS: Reads = Reads { candidates: true, outcomes: true, views: true, tactics: true };
            const ONLY: Option<Board> = Some(Board::$board);

            fn new(setup: &Setup) -> Self {
                Self { $($field: <$claim>::new(setup)),+ }
            }

            fn absorb_game(&mut self, game: &GameRow<'_>) {
                $(self.$field.absorb_game(game);)+
            }

            fn absorb_ply(&mut self, ply: &PlyRow<'_>) {
                $(self.$field.absorb_ply(ply);)+
            }

            fn absorb_story(&mut self, story: &Story) {
                $(self.$field.absorb_story(story);)+
            }

            fn merge(&mut self, later: Self) {
                $(self.$field.merge(later.$field);)+
            }

            fn finish(self) -> Vec<Section> {
                let told = vec![$((<$claim>::WORDS, self.$field.findings())),+];
                let mut sections = vec![overview(&told)];
                sections.extend(told.iter().map(|(words, findings)| verdict::section(words, findings)));
                sections
            }
        }
    };
}

/// The claims on the game at hand.
pub type Claims = (Option<JieqiClaims>, Option<BanqiClaims>);

claims! {
    /// T1 to T16.
    JieqiClaims of Xiangqi {
        controlled: controlled::Controlled,
        memory: memory::Memory,
        back_rank: lids::BackRank,
        order: order::FrontRowFirst,
        locks: locks::Locks,
        dead: dead::DeadPieces,
        sacrifice: locks::Sacrifice,
        rooks: within::KeepRooks,
        cannons: within::KeepCannons,
        odds: cannons::FalseCannon,
        strongest: pieces::Strongest,
        elephants: pieces::Elephants,
        pawns: pieces::Pawns,
        luck: chances::LuckAndSkill,
        tactics: tactics::Tactics,
        limits: chances::Limits,
    }
}

claims! {
    /// Q1 to Q6.
    BanqiClaims of Half {
        flips: banqi::RiskyFlips,
        horse: banqi::HorseAndRook,
        cannon: banqi::CannonShots,
        general: banqi::GeneralAndSoldiers,
        counter: banqi::Counter,
        turn: banqi::FlipOrMove,
    }
}

/// The words of the claim called `id`, like `T1`.
pub fn claim(id: &str) -> Option<&'static Words> {
    JieqiClaims::WORDS.iter().chain(BanqiClaims::WORDS).find(|words| words.id == id)
}

/// All claims with their verdicts.
fn overview(told: &[(Words, Vec<Finding>)]) -> Section {
    let columns = Columns::default()
        .plain("id", "id")
        .plain("claim", "claim")
        .plain("source", "source")
        .plain("verdict", "verdict");
    let rows = told.iter().map(|(words, findings)| {
        let row = Row::default().text(words.id).text(words.claim).text(words.source);
        row.text(Verdict::of(findings).name())
    });
    Section {
        name: "claims",
        title: "What players say",
        headlines: Vec::new(),
        figures: Vec::new(),
        tables: vec![Table::new("claims", "Claims and verdicts", columns, rows.collect())],
        notes: vec![
            "Supported: every figure the claim stands or falls with lies on its side, 95 % interval and all, \
             over enough games. Contradicted: one lies on the other side. Each verdict stands for itself: of \
             twenty claims without substance one is expected to look like something."
                .into(),
            "All of it is observed play of these players, judged by their own evaluator; what would settle a \
             claim stands with it."
                .into(),
        ],
    }
}
