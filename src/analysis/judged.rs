//! Moves judged by two searches with independent chances: one chooses, the other scores.

use super::rows::CandidateRow;

/// A candidate of an audited position with its two values.
#[derive(Debug, Clone, Copy)]
pub struct Judged<'a> {
    pub candidate: &'a CandidateRow<'a>,
    values: [f32; 2],
}

impl<'a> Judged<'a> {
    /// None without a second search.
    pub fn of(candidate: &'a CandidateRow<'a>) -> Option<Self> {
        Some(Self { candidate, values: [candidate.q, candidate.q_again?] })
    }

    /// What the second search makes of it.
    pub fn second(&self) -> f32 {
        self.values[1]
    }

    pub fn mean(&self) -> f32 {
        (self.values[0] + self.values[1]) / 2.0
    }
}

/// The value of the best of some moves: chosen by one judgement, scored by the other, both ways round and
/// the mean taken, so that the choice cannot profit from the error of what scores it. None without a move.
pub fn cross_scored<'a>(moves: &[Judged<'a>]) -> Option<f32> {
    let scored = |chooser: usize| {
        let better = |best: Judged<'a>, one: Judged<'a>| {
            if one.values[chooser] > best.values[chooser] { one } else { best }
        };
        Some(moves.iter().copied().reduce(better)?.values[1 - chooser])
    };
    Some((scored(0)? + scored(1)?) / 2.0)
}

#[cfg(test)]
mod tests {
    use super::super::rows::Kind;
    use super::*;

    #[test]
    fn one_judgement_chooses_and_the_other_scores() {
        let candidate = |q: f32, again: f32| CandidateRow {
            mv: "a3a4",
            kind: Kind::Flip,
            visits: 1,
            q,
            q_again: Some(again),
            attackers: 0,
            least_attacker: None,
            defenders: 0,
            risk: 0.0,
        };
        let moves = [candidate(0.5, 0.0), candidate(0.25, 0.125)];
        let judged: Vec<Judged<'_>> = moves.iter().filter_map(Judged::of).collect();
        // The first judgement likes the first move, which the second one scores 0; the second likes the
        // second, which the first one scores 0.25.
        assert_eq!(cross_scored(&judged), Some(0.125));
        assert_eq!(cross_scored(&[]), None);
    }
}
