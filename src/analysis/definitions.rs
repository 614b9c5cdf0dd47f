//! What the words in the tables mean; the page prints them, and columns point to them.

/// A word of the reports.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Term {
    /// How columns and links name it.
    pub id: &'static str,
    pub name: &'static str,
    pub meaning: &'static str,
}

/// Every term, in the order of reading.
pub const TERMS: &[Term] = &[
    Term {
        id: "flip",
        name: "Flip",
        meaning: "A ply that turns a face-down piece up: in Jieqi by moving it, on the square it lands on, in Banqi \
                  where it stands.",
    },
    Term {
        id: "kind",
        name: "Kind",
        meaning: "flip: onto an empty square, or where the piece stands; flip-capture: taking something there.",
    },
    Term {
        id: "score",
        name: "Score",
        meaning: "Wins and half the draws in percent of the games, for the side that made the move; for the \
                  first seat where no move is named.",
    },
    Term {
        id: "value",
        name: "Value",
        meaning: "What the search expected of a move before the piece was known, as a score in percent for \
                  the mover: 50 is even, 100 is won. A value v from -1 to 1 in the files is 50 (1 + v) here. \
                  Averaged over the searches that looked at the move.",
    },
    Term {
        id: "value-after",
        name: "Value after",
        meaning: "What the search expected of the next position, once the piece was known, in percent for \
                  the player who had moved; averaged over the games with that piece.",
    },
    Term {
        id: "points",
        name: "Points",
        meaning: "Differences of values: one point is one hundredth of a won game, 50 times the difference \
                  in the files.",
    },
    Term {
        id: "counted",
        name: "Flips and searches that count",
        meaning: "A candidate move counts if a full search gave it at least 4 visits, or if the ply was \
                  audited. A ply without a full search is not read.",
    },
    Term {
        id: "audited",
        name: "Searched and audited rows",
        meaning: "searched: plies with a full search, which visits much what it likes and little what it \
                  does not. audited: plies where every outcome of every move was opened as well. They are \
                  never counted together, but on the boards.",
    },
    Term {
        id: "cost",
        name: "Against the best other move",
        meaning: "Value of the flip less the highest value among all other moves that count in the same \
                  position, in points. Zero or more only for the move the search values most.",
    },
    Term {
        id: "contrast",
        name: "Contrast within a position",
        meaning: "In positions with flips of both kinds onto empty squares: highest value among flips onto \
                  controlled squares less highest value among flips onto free ones, in points.",
    },
    Term {
        id: "price",
        name: "Price",
        meaning: "In audited positions, whose moves two independent searches judged: value of a flip onto a \
                  controlled square less that of the best flip onto a free one, which one search chose and \
                  the other scored, both ways round; in points, and in the files' values from -1 to 1.",
    },
    Term {
        id: "adjusted",
        name: "Luck-adjusted difference",
        meaning: "The coefficient of 'the square is controlled' in a regression of the result, less the luck \
                  of both sides from the flip on, on that and on the value before; in points.",
    },
    Term {
        id: "luck",
        name: "Luck",
        meaning: "For each ply that uncovers something: the value of what was uncovered less the mean over \
                  what might have been, by the true odds, both fixed before the draw. Taking it off a result \
                  leaves the mean as it is.",
    },
    Term {
        id: "brier",
        name: "Brier score",
        meaning: "The squared distance between what was expected and what came, summed over what might come; \
                  0 is perfect.",
    },
    Term {
        id: "log-loss",
        name: "Log loss",
        meaning: "The negative natural logarithm of the odds given to what came; 0 is perfect.",
    },
    Term {
        id: "holm",
        name: "p, Holm",
        meaning: "The chance of a figure so far from nothing if nothing were true, by Student's t between \
                  games, adjusted by Holm's method for all the rows of the table together.",
    },
    Term {
        id: "controlled",
        name: "Controlled and free squares",
        meaning: "A destination is controlled if at least one enemy piece could take there once the piece \
                  has landed, free if none could.",
    },
    Term {
        id: "attackers",
        name: "Attackers",
        meaning: "Enemy pieces that could take on the destination once the piece has landed, in Jieqi face-down \
                  ones included by the role they show; in Banqi those that could take something the flip may \
                  turn up. 2+ is two or more.",
    },
    Term {
        id: "defenders",
        name: "Defenders",
        meaning: "Own pieces, in Jieqi face-down ones included, that could retake there. 2+ is two or more.",
    },
    Term {
        id: "risk",
        name: "Risk",
        meaning: "Expected loss of the flip in pawns: the mean, over what the piece may turn out to be, of \
                  what the opponent wins by the best exchange on the square, less what the flip itself took, \
                  never below zero for any one piece.",
    },
    Term {
        id: "change",
        name: "Change of value",
        meaning: "For flips that were played: the search's value of the next position less its value of the \
                  position before, in points for the mover. Moves drawn for exploration are left out.",
    },
    Term { id: "lost", name: "Lost", meaning: "Share of played flips whose piece was taken within 2 plies." },
    Term {
        id: "phase",
        name: "Phase",
        meaning: "By face-down pieces left: opening with at least 22 of 30 in Jieqi or 24 of 32 in Banqi, endgame \
                  with at most 8, middle between.",
    },
    Term {
        id: "interval",
        name: "95 % interval",
        meaning: "For means: plus or minus t times the cluster-robust standard error with games as clusters, \
                  so that plies of one game do not pass for independent. For scores: Wilson's interval with \
                  the variance of three results. For shares of plies: Wilson's interval at the effective \
                  number of plies. None is given for a single game. Figures from fewer than 30 games are \
                  grey. Each interval stands for itself: among many rows, one in twenty is expected to miss.",
    },
];

/// The term called `id`.
pub fn term(id: &str) -> Option<&'static Term> {
    TERMS.iter().find(|term| term.id == id)
}

#[cfg(test)]
mod tests {
    use super::super::exposure::LOST_WITHIN;
    use super::super::figure::FEW_GAMES;
    use super::super::rows::MIN_VISITS;
    use super::*;

    #[test]
    fn definitions_have_the_programs_numbers() {
        let says = |id, words: String| {
            let meaning = term(id).expect(id).meaning;
            assert!(meaning.contains(&words), "{id} does not say '{words}': {meaning}");
        };
        says("counted", format!("at least {MIN_VISITS} visits"));
        says("interval", format!("fewer than {FEW_GAMES} games"));
        says("lost", format!("within {LOST_WITHIN} plies"));
    }
}
