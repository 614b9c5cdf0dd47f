//! The sources of chance are independent: what one is used for leaves what the others draw as it is.

use facedown::eval::{Evaluations, Evaluator, Material, Uniform};
use facedown::game::{Eyes, Game, MoveList, Profile, Status, random_stream};
use facedown::progress::Silent;
use facedown::record::GameRecord;
use facedown::rules::banqi::Banqi;
use facedown::rules::jieqi::Jieqi;
use facedown::search::{RootNoise, RootRule, Search, SearchConfig, Visits};
use facedown::tables::{Counters, Fate, Manners, Mind, Player, Room, Start, Ticket};
use facedown::units::Probability;
use rand::RngExt;

/// So little that it changes no number, yet what is drawn for it is drawn.
const NEXT_TO_NOTHING: Probability = Probability::literal(1e-12);

fn visits(config: SearchConfig, visits: u64) -> SearchConfig {
    SearchConfig { visits: Visits::new(visits).expect("some visits"), ..config }
}

/// A game in which something is secret, where the rules have it so, after some random plies.
fn in_play<G: Game>(rules: &str, seed: u64) -> G {
    let rules = G::Profile::load(rules).expect("built in");
    let mut rng = random_stream(seed, 7);
    let mut game = G::start(&rules);
    let mut moves = MoveList::new();
    for _ in 0..40 {
        game.play_at_random(&mut moves, &mut rng);
    }
    game
}

fn report<G: Game>(game: &G, config: SearchConfig) -> String {
    let Status::ToMove(mover) = game.status() else { panic!("a game in play") };
    let mut search = Search::<G>::new(game.view(Eyes::Of(mover)), config, 11);
    search.run(&mut Uniform).expect("this evaluator never fails");
    format!("{:?}", search.report())
}

fn noise_leaves_the_rest<G: Game>(rules: &str) {
    for seed in 0..4 {
        let game = in_play::<G>(rules, seed);
        // Dirichlet noise is for this root alone.
        let by_puct = SearchConfig { root: RootRule::Puct, ..SearchConfig::default() };
        let quiet = visits(by_puct.without_exploration(), 300);
        let noise = RootNoise { share: NEXT_TO_NOTHING, ..quiet.noise };
        assert_eq!(report(&game, quiet), report(&game, SearchConfig { noise, ..quiet }), "{rules}, {seed}");
        let heard = SearchConfig { noise: SearchConfig::default().noise, ..quiet };
        assert_ne!(report(&game, quiet), report(&game, heard), "real noise is heard");
    }
}

#[test]
fn drawing_noise_leaves_worlds_and_reveals_as_they_are() {
    noise_leaves_the_rest::<Jieqi>("wxf");
    noise_leaves_the_rest::<Banqi>("joypip");
}

#[test]
fn choosing_moves_leaves_the_search_as_it_is() {
    let game = in_play::<Jieqi>("wxf", 3);
    let Status::ToMove(mover) = game.status() else { panic!("a game in play") };
    let [untouched, asked] = [false, true].map(|ask| {
        let mut search = Search::<Jieqi>::new(game.view(Eyes::Of(mover)), SearchConfig::default(), 5);
        let (mut queries, mut evaluations) = (Vec::new(), Evaluations::default());
        while let Some(leaf) = search.gather(&mut queries) {
            Evaluator::<Jieqi>::evaluate(&mut Material, &queries, &mut evaluations)
                .expect("material can always be counted");
            search.apply(leaf, &evaluations);
            queries.clear();
            if ask {
                search.choose(0);
            }
        }
        format!("{:?}", search.report())
    });
    assert_eq!(untouched, asked);
}

/// Games with these tickets' seeds by one player against itself.
fn games<G: Game>(rules: &str, mind: &Mind, manners: Manners, seeds: u64) -> Vec<GameRecord> {
    let rules = G::Profile::load(rules).expect("built in");
    let players = [Player { name: "one".into(), mind: mind.clone(), restraint: None }];
    let room = Room { players: &players, manners, slots: 8 };
    let start = || Start::<G>::Fresh(rules.clone());
    let ticket = |seed| Ticket { game_id: seed, seed, seats: [0, 0], fate: Fate::Odds, start: start() };
    let played = room
        .play((0..seeds).map(ticket).collect(), &mut [Box::new(Material)], &Counters::start(), &Silent)
        .expect("games are played");
    played.into_iter().map(|played| played.record.expect("recorded")).collect()
}

fn manners(audit: Probability, explore: Probability) -> Manners {
    Manners { record: true, audit, explore, cheap: None, end_dead_positions: false, resign: None }
}

fn searching(config: SearchConfig) -> Mind {
    Mind::Search { judge: 0, config, time: None }
}

#[test]
fn marking_plies_leaves_the_games_as_they_are() {
    let mind = searching(visits(SearchConfig::default(), 6));
    let plain = games::<Jieqi>("wxf", &mind, manners(Probability::ZERO, Probability::ZERO), 6);
    let marked = games::<Jieqi>("wxf", &mind, manners(NEXT_TO_NOTHING, NEXT_TO_NOTHING), 6);
    assert_eq!(plain, marked);
    let explored = games::<Jieqi>("wxf", &mind, manners(Probability::ZERO, Probability::literal(0.5)), 6);
    assert_ne!(plain, explored);
}

#[test]
fn noise_in_searches_leaves_the_games_as_they_are() {
    let [quiet, drawn] = [Probability::ZERO, NEXT_TO_NOTHING].map(|share| {
        let config = visits(SearchConfig { root: RootRule::Puct, ..SearchConfig::default() }, 6);
        let noise = RootNoise { share, ..config.noise };
        let mind = searching(SearchConfig { noise, ..config });
        games::<Banqi>("joypip", &mind, manners(Probability::ZERO, Probability::ZERO), 6)
    });
    assert_eq!(quiet, drawn);
}

/// What the first piece that each game turned up was.
fn first_reveals(games: &[GameRecord]) -> Vec<String> {
    let first =
        |game: &GameRecord| game.plies.iter().map(|ply| ply.reveal.clone()).find(|text| !text.is_empty());
    games.iter().map(|game| first(game).expect("a game turns pieces up")).collect()
}

#[test]
fn what_turns_up_does_not_hang_on_who_plays_how() {
    // At first every square holds the same in the eyes of all: the draw alone says what turns up.
    let nothing = manners(Probability::ZERO, Probability::ZERO);
    let reveals = |mind: &Mind| first_reveals(&games::<Banqi>("joypip", mind, nothing, 24));
    let random = reveals(&Mind::Random);
    assert!(random.iter().collect::<std::collections::BTreeSet<_>>().len() > 6, "{random:?}");
    for config in [2, 30].map(|count| visits(SearchConfig::default(), count)) {
        assert_eq!(reveals(&searching(config)), random);
        assert_eq!(reveals(&searching(config.without_exploration())), random);
    }
}

#[test]
fn streams_of_one_seed_are_apart() {
    let [mut one, mut other, mut again] = [0, 1, 0].map(|number| random_stream(3, number));
    let draws = |rng: &mut rand::rngs::ChaCha8Rng| (0..8).map(|_| rng.random()).collect::<Vec<u64>>();
    let first = draws(&mut one);
    assert_ne!(first, draws(&mut other));
    assert_eq!(first, draws(&mut again));
}
