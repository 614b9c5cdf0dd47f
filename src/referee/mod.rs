//! Live play: one game between two players who have clocks, may resign or agree on a draw, and may play
//! for money.
//!
//! A [`Referee`] holds the truth and is the only one to; players are told what [`Referee::view`] shows.
//! It knows no time and draws no dice: whoever runs the game says what a move uncovered and how long the
//! player to move has thought.

mod clock;
mod money;
mod offers;
mod refusal;
mod series;
mod stakes;

use std::time::Duration;

use rand::Rng;
use serde::{Deserialize, Serialize};

use crate::game::{EndReason, Eyes, Game, MoveList, Outcome, Seat, Status};

use offers::Offer;

pub use clock::{Budget, ClockError, ClockRule, Clocks, Opening, PerMove};
pub use money::{Limits, Money, NotLimits, Prices, Settlement, Takings};
pub use offers::DrawOffers;
pub use refusal::Refusal;
pub use series::{FirstMover, Player, Series};
pub use stakes::{NotStakes, Stakes};

/// What a rule set says about play between people, beside the board.
#[derive(Debug, Clone, PartialEq, Eq, Hash, Default, Serialize, Deserialize)]
#[serde(deny_unknown_fields, default)]
pub struct LiveRules {
    pub first_mover: FirstMover,
    pub draw_offers: DrawOffers,
    /// The clocks to choose from; with none, games are not timed.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub clocks: Vec<ClockRule>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub money: Option<Money>,
}

/// One game in progress with everything that is not on its board.
///
/// Every act comes with `spent`, how long the player to move has thought about this move so far. It is
/// looked at first: if that player's flag has fallen, the game ends by it and the act is too late.
#[derive(Debug, Clone)]
pub struct Referee<G: Game> {
    game: G,
    plies: u32,
    /// How the game ended, if not on the board.
    called: Option<Outcome>,
    clocks: Option<Clocks>,
    /// The last reading of the clock in this turn.
    spent: Duration,
    offer: Offer,
    money: Option<Money>,
    takings: Takings,
}

impl<G: Game> Referee<G> {
    /// Takes charge of `game` under `rules`, with the clocks wound up from one of them.
    pub fn new(game: G, rules: &LiveRules, clocks: Option<Clocks>) -> Self {
        Self {
            game,
            plies: 0,
            called: None,
            clocks,
            spent: Duration::ZERO,
            offer: Offer::none(rules.draw_offers),
            money: rules.money,
            takings: Takings::default(),
        }
    }

    pub fn status(&self) -> Status {
        self.called.map_or_else(|| self.game.status(), Status::Over)
    }

    /// What the player at `seat` may know.
    pub fn view(&self, seat: Seat) -> G::View {
        self.game.view(Eyes::Of(seat))
    }

    /// The truth, for the record and not for a player.
    pub fn truth(&self) -> &G {
        &self.game
    }

    pub fn clocks(&self) -> Option<&Clocks> {
        self.clocks.as_ref()
    }

    /// Who offers a draw now.
    pub fn offer(&self) -> Option<Seat> {
        self.offer.by()
    }

    pub fn takings(&self) -> &Takings {
        &self.takings
    }

    /// Who pays what; none while the game goes on, or if it is not for money.
    pub fn settlement(&self) -> Option<Settlement> {
        match (self.status(), &self.money) {
            (Status::Over(outcome), Some(money)) => Some(money.settle(outcome, &self.takings)),
            _ => None,
        }
    }

    /// Draws what `mv` uncovers, for [`Referee::play`].
    ///
    /// # Errors
    ///
    /// If `mv` is not legal here.
    pub fn uncover<R: Rng + ?Sized>(&self, mv: G::Move, rng: &mut R) -> Result<G::Reveal, Refusal> {
        self.check_legal(mv)?;
        Ok(self.game.chances(mv).draw(rng))
    }

    /// Lets the player at `seat` play `mv`, which uncovered `reveal`. A draw on offer lapses.
    ///
    /// # Errors
    ///
    /// If it is not that player's turn, `mv` is not legal, it cannot have uncovered that, or the game is
    /// for money and nobody saw what was taken.
    pub fn play(
        &mut self,
        seat: Seat,
        mv: G::Move,
        reveal: G::Reveal,
        spent: Duration,
    ) -> Result<Status, Refusal> {
        self.act(spent, |table, to_move| {
            if seat != to_move {
                return Err(Refusal::NotOnTurn(seat));
            }
            table.check_legal(mv)?;
            if table.game.chances(mv).probability(reveal) == 0.0 {
                let reveal = match table.game.reveal_text(mv, reveal) {
                    text if text.is_empty() => "nothing".to_owned(),
                    text => text,
                };
                return Err(Refusal::ImpossibleReveal { mv: mv.to_string(), reveal });
            }
            table.enter_taking(seat, mv, reveal)?;
            table.game.play(mv, reveal);
            table.plies += 1;
            table.offer.lapse();
            if let Some(clocks) = &mut table.clocks {
                clocks.press(seat, spent);
            }
            table.spent = Duration::ZERO;
            Ok(())
        })
    }

    /// Ends the game by resignation of `seat`, on its turn or not.
    ///
    /// # Errors
    ///
    /// If the game is over or the clock ran back.
    pub fn resign(&mut self, seat: Seat, spent: Duration) -> Result<Status, Refusal> {
        self.act(spent, |table, _| {
            table.called = Some(Outcome { winner: Some(seat.other()), reason: EndReason::Resignation });
            Ok(())
        })
    }

    /// Puts a draw on offer, until it is answered or anybody moves.
    ///
    /// # Errors
    ///
    /// If one is on offer already, or the rules do not let `seat` offer one now.
    pub fn offer_draw(&mut self, seat: Seat, spent: Duration) -> Result<Status, Refusal> {
        self.act(spent, |table, to_move| table.offer.make(seat, to_move, table.plies))
    }

    /// Ends the game by accepting the other player's offer.
    ///
    /// # Errors
    ///
    /// If there is none.
    pub fn accept_draw(&mut self, seat: Seat, spent: Duration) -> Result<Status, Refusal> {
        self.act(spent, |table, _| {
            table.offer.answer(seat)?;
            table.called = Some(Outcome { winner: None, reason: EndReason::Agreement });
            Ok(())
        })
    }

    /// Declines the other player's offer, which a move does too.
    ///
    /// # Errors
    ///
    /// If there is none.
    pub fn decline_draw(&mut self, seat: Seat, spent: Duration) -> Result<Status, Refusal> {
        self.act(spent, |table, _| table.offer.answer(seat))
    }

    /// Looks at the clock while nobody acts, and ends the game if the flag has fallen.
    ///
    /// # Errors
    ///
    /// If the game is over or the clock ran back.
    pub fn look_at_clock(&mut self, spent: Duration) -> Result<Status, Refusal> {
        self.act(spent, |_, _| Ok(()))
    }

    /// Does what a player wants with the player to move known, unless that player's flag has fallen: a
    /// fallen flag goes before whatever else would end the game, a mating move included.
    fn act(
        &mut self,
        spent: Duration,
        deed: impl FnOnce(&mut Self, Seat) -> Result<(), Refusal>,
    ) -> Result<Status, Refusal> {
        let to_move = match self.status() {
            Status::Over(outcome) => return Err(Refusal::GameOver(outcome)),
            Status::ToMove(seat) => seat,
        };
        if spent < self.spent {
            return Err(Refusal::ClockRanBack { before: self.spent, found: spent });
        }
        self.spent = spent;
        if self.clocks.is_some_and(|clocks| clocks.has_fallen(to_move, spent)) {
            self.called = Some(Outcome { winner: Some(to_move.other()), reason: EndReason::Flag });
        } else {
            deed(self, to_move)?;
        }
        Ok(self.status())
    }

    fn check_legal(&self, mv: G::Move) -> Result<(), Refusal> {
        let mut moves = MoveList::new();
        self.game.legal_moves(&mut moves);
        if moves.contains(&mv) { Ok(()) } else { Err(Refusal::IllegalMove { mv: mv.to_string() }) }
    }

    /// Enters what `mv` takes, by its true identity, if the game is for money.
    fn enter_taking(&mut self, taker: Seat, mv: G::Move, reveal: G::Reveal) -> Result<(), Refusal> {
        let Some(money) = &self.money else { return Ok(()) };
        let facts = self.game.facts(mv, reveal);
        match facts.taken {
            Some(letter) => self.takings.add(taker, money.pieces.of(letter)),
            None if facts.taken_hidden => return Err(Refusal::UnknownPrice { mv: mv.to_string() }),
            None => {}
        }
        Ok(())
    }
}
