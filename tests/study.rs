//! Players who keep from some moves: what it costs them is what was planted.

use std::sync::Arc;

use facedown::arena::{End, Judges, Match, Pairing, Standing};
use facedown::eval::Material;
use facedown::game::{PlyKind, Profile};
use facedown::progress::Silent;
use facedown::rules::jieqi::{Jieqi, JieqiRules};
use facedown::search::SearchConfig;
use facedown::tables::{Mind, Player, Prospect, Restraint, Standpoint};

/// Forbids moves of some kinds.
#[derive(Debug)]
struct Without(&'static [PlyKind]);

impl Restraint for Without {
    fn forbids(&self, _standpoint: &Standpoint, moves: &[Prospect]) -> Vec<bool> {
        moves.iter().map(|mv| self.0.contains(&mv.kind)).collect()
    }
}

fn against_itself(kinds: &'static [PlyKind], pairs: u32) -> Standing {
    let rules = JieqiRules::load("wxf").expect("built in");
    let config = SearchConfig { visits: 16.try_into().expect("in range"), ..SearchConfig::default() }
        .without_exploration();
    let mind = Mind::Search { judge: 0, config, time: None };
    let player = |name: &str| Player { name: name.into(), mind: mind.clone(), restraint: None };
    let restrained = Player { restraint: Some(Arc::new(Without(kinds))), ..player("restrained") };
    let contest = Match::<Jieqi> {
        rules: &rules,
        players: [restrained, player("free")],
        pairs,
        pairing: Pairing::Squares,
        mirrored: true,
        pairs_per_shard: 10,
        sprt: None,
        seed: 1,
    };
    let judges = Judges { players: &|| Ok(vec![Box::new(Material)]), luck: &|| Ok(Box::new(Material)) };
    let pool = rayon::ThreadPoolBuilder::new().num_threads(2).build().expect("threads");
    let standing = contest.play(&pool, &judges, None, &Silent).expect("played");
    assert_eq!(standing.end, End::AllPlayed);
    standing
}

#[test]
fn to_forbid_nothing_is_worth_nothing_to_the_last_digit() {
    let standing = against_itself(&[], 20);
    assert_eq!(standing.score().mean(), 0.5);
    let adjusted = standing.adjusted().expect("pairs");
    assert_eq!((adjusted.mean, adjusted.low, adjusted.high), (0.5, 0.5, 0.5));
    let conduct = standing.conduct();
    assert_eq!((conduct.bound, conduct.breaches), (0, 0));
    assert_eq!(conduct.plies, conduct.free_plies, "the games of a pair are one game with the seats changed");
}

#[test]
fn who_may_not_take_loses() {
    let standing = against_itself(&[PlyKind::Capture, PlyKind::FlipCapture], 20);
    assert!(standing.adjusted().expect("pairs").high < 0.3, "{standing}");
    let conduct = standing.conduct();
    assert!(conduct.bound * 3 > conduct.plies && conduct.bound < conduct.plies, "{conduct:?}");
    assert!(conduct.breaches > 0 && conduct.breaches < conduct.free_plies, "{conduct:?}");
}
