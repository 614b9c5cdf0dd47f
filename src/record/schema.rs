//! The two tables: every column with its type and meaning, and their version.
//!
//! Everything else follows from the lists here: the Arrow schemas, the table in the README, what
//! `inspect` prints. Adding an optional column keeps [`VERSION`]; any other change raises it.

use std::sync::Arc;

use arrow::datatypes::{Schema, SchemaRef};

use super::column::{self, columns};
pub use super::column::{Column, Kind, Side};

/// The version of both tables, written to every file.
pub const VERSION: u32 = 1;

/// The columns of the table `games`.
const GAMES: &[Column] = columns! {
    /// Names the game; unique across shards and generations.
    "game_id": U64,
    /// Which game: `jieqi`, `banqi`.
    "game": Text,
    /// The rule set's name.
    "rules": Text,
    /// The rule set's fingerprint: equal for equal rules.
    "rules_hash": U64,
    /// The seed the deal was drawn with.
    "seed": U64,
    /// Who played the first seat: an evaluator's name or a checkpoint's.
    "first": Text,
    /// Who played the second seat.
    "second": Text,
    /// 1 won, 0 drawn, -1 lost.
    "result": I8 for First,
    /// What the end was worth: the payment as a share of the most, under rules that play for money, and
    /// else the result.
    "settlement": Float or none in "-1 to 1" for First,
    /// Why the game ended: `checkmate`, `stalemate`, `no-progress`, `repetition`, …
    "end_reason": Text,
    /// The ply before which its mover gave up, by `end_reason` `resignation`, or would have but that the game was
    /// played out to see how it ends; none where nobody gave up.
    "resigned_at": U16 or none in "plies",
    /// The game's length.
    "plies": U16 in "plies",
};

/// The columns of the table `plies`.
const PLIES: &[Column] = columns! {
    /// The game, as in the table `games`.
    "game_id": U64,
    /// Place in the game; 0 is the first ply.
    "ply": U16 in "plies",
    /// Who moves: 0 the first seat, 1 the second.
    "seat": U8,
    /// What the mover knows before the ply, as position text.
    "view": Text,
    /// The move, from and to: `b2b9`.
    "move": Text,
    /// What the ply uncovered, the truth; empty if nothing.
    "reveal": Text,
    /// `move`, `capture`, `flip` or `flip-capture`.
    "kind": Text,
    /// The square the piece leaves.
    "from": Text,
    /// The square it ends on.
    "to": Text,
    /// The role letter the piece moved as; none if nothing was known of it.
    "shown": Text or none,
    /// The role letter a flipped piece turned out to be.
    "revealed": Text or none,
    /// The role letter of the piece taken, where anybody knows it.
    "taken": Text or none,
    /// The piece taken was face down.
    "taken_hidden": Flag,
    /// Enemy pieces that could then take on the square `to`, face-down ones by the role they show.
    "attackers": U8 in "pieces" for Mover,
    /// Of these, the face-down ones.
    "attackers_hidden": U8 in "pieces" for Mover,
    /// The role letter of the cheapest attacker, as it shows.
    "least_attacker": Text or none,
    /// Own pieces that could retake on `to`.
    "defenders": U8 in "pieces" for Mover,
    /// Of these, the face-down ones.
    "defenders_hidden": U8 in "pieces" for Mover,
    /// What the opponent wins by the best exchange on `to`, a flipped piece at its pool's mean;
    /// 0 or more.
    "see": Float in "pawns" for Mover,
    /// Expected loss on `to`: the mean, over what may be revealed, of the opponent's best exchange
    /// less what the ply took; 0 or more.
    "risk": Float in "pawns" for Mover,
    /// The ply gives check.
    "check": Flag,
    /// The mover stood in check.
    "in_check": Flag,
    /// `opening`, `middle` or `endgame`, by face-down pieces left.
    "phase": Text,
    /// Face-down pieces of both sides before the ply.
    "face_down_left": U8 in "pieces",
    /// The mover's undrawn pieces as the mover knows them, by kind in the game's piece order.
    "pool_own": Counts in "pieces" for Mover,
    /// The opponent's undrawn pieces as the mover knows them.
    "pool_enemy": Counts in "pieces" for Mover,
    /// The mover's face-down pieces with no legal move or none of low risk.
    "locked_own": U8 in "pieces" for Mover,
    /// The same of the opponent.
    "locked_enemy": U8 in "pieces" for Mover,
    /// The squares of `locked_own`, with spaces between them; none in games in which no piece can be locked.
    "locked_own_on": Text or none,
    /// The squares of `locked_enemy`, likewise.
    "locked_enemy_on": Text or none,
    /// Enemy pieces from which the moved piece would win something by taking them next, and the king where it
    /// gives check: a double attack from two on. None in games without kings to mate.
    "attacked": U8 or none in "pieces" for Mover,
    /// Enemy pieces that have moves and may make none, as their king would be taken; 0 where it is in check.
    "pinned": U8 or none in "pieces" for Mover,
    /// Moves by face-up pieces that would mate if the mover were to move again; 0 where the ply gives check.
    "mates": U8 or none in "moves" for Mover,
    /// Searched with the full number of visits: the search is a policy target.
    "full_search": Flag,
    /// The outcomes of every root move were opened.
    "audited": Flag,
    /// The move was drawn with a known probability, not played by the usual policy.
    "explored": Flag,
    /// Simulations of the search.
    "visits": U32 in "visits",
    /// The search's value of the position.
    "value": Float in "-1 to 1" for Mover,
    /// The evaluator's own value of the position.
    "net_value": Float in "-1 to 1" for Mover,
    /// The search's value of the next position, on this mover's side; the result after the last ply.
    "next_value": Float in "-1 to 1" for Mover,
    /// How the game ended: 1 won, 0 drawn, -1 lost.
    "result": I8 for Mover,
    /// What the end was worth: the payment as a share of the most, under rules that play for money, and
    /// else the result.
    "settlement": Float or none in "-1 to 1" for Mover,
    /// Plies until the moved piece was taken; none if it never was.
    "lost_in": U16 or none in "plies",
    /// The probability with which the move was chosen; none where it has no closed form.
    "chosen_with": Float or none in "0 to 1",
    /// Truth for training targets only: the mover's pieces taken face down unseen by the mover, by
    /// kind; empty where nothing is secret.
    "label_own_taken": Counts in "pieces" for Mover,
    /// The root moves the search visited, in the order of the moves.
    "candidates": Rows(CANDIDATES),
    /// What the played move might have uncovered, with its odds; empty if it uncovers nothing.
    "outcomes": Rows(OUTCOMES),
};

/// The columns of a candidate: a root move the search visited.
const CANDIDATES: &[Column] = columns! {
    /// The move.
    "move": Text,
    /// `move`, `capture`, `flip` or `flip-capture`.
    "kind": Text,
    /// The evaluator's prior, before root noise.
    "prior": Half in "0 to 1",
    /// Simulations that went through it.
    "visits": U32 in "visits",
    /// The move's value.
    "q": Half in "-1 to 1" for Mover,
    /// Distinct reveals the search has opened below it; 0 if it uncovers nothing.
    "opened": U8 in "reveals",
    /// As for the played move.
    "attackers": U8 in "pieces" for Mover,
    /// As for the played move.
    "defenders": U8 in "pieces" for Mover,
    /// As for the played move.
    "risk": Half in "pawns" for Mover,
    /// The move's value in a second search with other chances; none but in audited rows.
    "q_again": Half or none in "-1 to 1" for Mover,
    /// As for the played move.
    "least_attacker": Text or none,
    /// The move's share of the policy a network is to learn; what the shares lack to 1 belongs to the moves that
    /// were not visited. None where the search was not full.
    "target": Half or none in "0 to 1",
};

/// The columns of an outcome: one thing the played move might have uncovered.
const OUTCOMES: &[Column] = columns! {
    /// The role letter the moved piece would be; none if it was face up.
    "reveal": Text or none,
    /// The role letter of the face-down piece taken; none if none was.
    "taken": Text or none,
    /// The odds the mover gave it.
    "p_mover": Float in "0 to 1" for Mover,
    /// The referee's odds.
    "p_referee": Float in "0 to 1",
    /// The value if it happened, fixed before the draw; the move's own where the search had not
    /// opened it.
    "q": Half in "-1 to 1" for Mover,
    /// Simulations below it; 0 if it was not opened.
    "n": U32 in "visits",
};

/// One of the two tables of a dataset, each a folder of Parquet files.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Table {
    /// One row a game.
    Games,
    /// One row a ply.
    Plies,
}

impl Table {
    pub const ALL: [Table; 2] = [Table::Games, Table::Plies];

    /// The table's name, which is also its folder's.
    pub fn name(self) -> &'static str {
        match self {
            Table::Games => "games",
            Table::Plies => "plies",
        }
    }

    pub fn columns(self) -> &'static [Column] {
        match self {
            Table::Games => GAMES,
            Table::Plies => PLIES,
        }
    }

    /// The columns under their full names; those within a list of rows follow it, as `candidates.prior`.
    pub fn all_columns(self) -> Vec<(String, &'static Column)> {
        let mut all = Vec::new();
        for column in self.columns() {
            all.push((column.name.to_owned(), column));
            if let Kind::Rows(within) = column.kind {
                all.extend(within.iter().map(|inner| (format!("{}.{}", column.name, inner.name), inner)));
            }
        }
        all
    }

    /// The columns within the column of rows called `name`; none of any other.
    pub fn columns_within(self, name: &str) -> &'static [Column] {
        let column = self.columns().iter().find(|column| column.name == name);
        match column.map(|column| column.kind) {
            Some(Kind::Rows(columns)) => columns,
            _ => &[],
        }
    }

    pub fn schema(self) -> SchemaRef {
        Arc::new(Schema::new(column::fields(self.columns())))
    }
}
