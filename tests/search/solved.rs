//! Small positions of both games with their exact values, and how near a search comes to these.

use std::sync::Arc;

use facedown::eval::{Evaluator, Uniform};
use facedown::game::{Eyes, Game, Profile, Status, View, random_stream};
use facedown::rules::banqi::Banqi;
use facedown::rules::jieqi::Jieqi;
use facedown::search::{InnerRule, RootRule, Search, SearchConfig, Visits};

/// A row of a table: a position in which both players know the same, and will whatever is played.
pub struct Solved<G: Game> {
    pub rules: Arc<G::Profile>,
    pub position: &'static str,
    /// As the player to move sees it.
    pub view: G::View,
    /// For the player to move.
    pub value: f32,
    /// The moves that are worth it.
    pub best: Vec<&'static str>,
}

/// How a search did on a position.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Attempt {
    /// How far its value is off.
    pub error: f32,
    /// Whether it would play one of the best moves.
    pub right: bool,
}

pub fn jieqi() -> Vec<Solved<Jieqi>> {
    table(include_str!("../data/jieqi_solved.tsv"))
}

pub fn banqi() -> Vec<Solved<Banqi>> {
    table(include_str!("../data/banqi_solved.tsv"))
}

/// Reads the columns rules, limit, position, value and best; where there is no limit, the rules' own holds.
fn table<G: Game>(text: &'static str) -> Vec<Solved<G>> {
    let mut lines = text.lines().map(|line| line.split('\t').collect::<Vec<_>>());
    let heads = lines.next().expect("a head");
    let column = |name: &str| heads.iter().position(|&head| head == name);
    lines
        .map(|row| {
            let cell = |name: &str| column(name).map(|place| row[place]);
            let rules = G::Profile::load(cell("rules").expect("rules")).expect("rules that can be read");
            let rules = match cell("limit") {
                Some(limit) => Arc::new(rules.with_draw_limit(limit.parse().expect("a limit"))),
                None => rules,
            };
            let position = cell("position").expect("a position");
            let public = G::View::parse(position, &rules).expect("a position of these rules");
            let Status::ToMove(mover) = public.status() else { panic!("a move to choose in {position}") };
            let view = G::sample(&public, &mut random_stream(0, 0)).view(Eyes::Of(mover));
            let value = cell("value").and_then(|value| value.parse().ok()).expect("a value");
            let best = cell("best").expect("moves").split(' ').collect();
            Solved { rules, position, view, value, best }
        })
        .collect()
}

impl<G: Game> Solved<G> {
    /// Searches the position for `visits` with an evaluator that knows nothing.
    pub fn search(&self, rule: RootRule, visits: u32, seed: u64) -> Attempt {
        self.search_by(&mut Uniform, rule, visits, seed)
    }

    /// Searches the position for `visits` by the eyes of an evaluator; below the root by the rule that goes with
    /// the root's.
    pub fn search_by<E: Evaluator<G>>(
        &self,
        evaluator: &mut E,
        root: RootRule,
        visits: u32,
        seed: u64,
    ) -> Attempt {
        let visits = Visits::new(u64::from(visits)).expect("some visits");
        let inner = match root {
            RootRule::Puct => InnerRule::Puct,
            RootRule::Gumbel => InnerRule::Improved,
        };
        let config = SearchConfig { visits, root, inner, ..SearchConfig::default().without_exploration() };
        let mut search = Search::<G>::new(self.view.clone(), config, seed);
        search.run(evaluator).expect("this evaluator never fails");
        let error = (search.report().value.0 - self.value).abs();
        let chosen = search.choose(0).mv.to_string();
        Attempt { error, right: self.best.contains(&chosen.as_str()) }
    }
}
