//! What a dataset holds: games, lengths, results by seat, endings, and who played.

use std::collections::BTreeMap;

use super::figure::{Bar, Drawing, Figure};
use super::report::{Headline, Report, Section, Setup};
use super::rows::{GameRow, PlyRow, Reads};
use super::scale::{figure, spread};
use super::stats::{ClusteredMean, ClusteredShare, Estimate, Score};
use super::table::{Cell, Columns, Row, Table, grouped};

/// Plies in one bar of the chart of lengths.
const LENGTH_STEP: u64 = 20;

/// Counts games and plies.
#[derive(Debug, Clone, Default)]
pub struct Summary {
    bytes: u64,
    plies: u64,
    first_seat: Score,
    lengths: BTreeMap<u64, u64>,
    endings: BTreeMap<String, Ending>,
    players: BTreeMap<(String, String), Score>,
    searched: u64,
    audited: u64,
    explored: u64,
    length: ClusteredMean,
    flips: ClusteredShare,
    controlled: ClusteredShare,
    visits: ClusteredMean,
    legal_moves: ClusteredMean,
}

/// The games that ended in one way.
#[derive(Debug, Clone, Default)]
struct Ending {
    first_seat: Score,
    plies: u64,
}

impl Report for Summary {
    const READS: Reads = Reads { candidates: true, outcomes: false, views: false, tactics: false };

    fn new(_setup: &Setup) -> Self {
        Self::default()
    }

    fn absorb_bytes(&mut self, bytes: u64) {
        self.bytes += bytes;
    }

    fn absorb_game(&mut self, game: &GameRow<'_>) {
        let plies = u64::from(game.plies);
        self.first_seat.count(game.result);
        *self.lengths.entry(plies).or_default() += 1;
        self.length.observe(game.game_id, plies as f64);
        let ending = self.endings.entry(game.end_reason.to_owned()).or_default();
        ending.first_seat.count(game.result);
        ending.plies += plies;
        let players = (game.first.to_owned(), game.second.to_owned());
        self.players.entry(players).or_default().count(game.result);
    }

    fn absorb_ply(&mut self, ply: &PlyRow<'_>) {
        self.plies += 1;
        self.searched += u64::from(ply.full_search);
        self.audited += u64::from(ply.audited);
        self.explored += u64::from(ply.explored);
        self.flips.observe(ply.game_id, ply.kind.is_flip());
        if ply.kind.is_flip() {
            self.controlled.observe(ply.game_id, ply.attackers > 0);
        }
        if ply.full_search {
            self.visits.observe(ply.game_id, f64::from(ply.visits));
        }
        if let Some(moves) = ply.legal_moves() {
            self.legal_moves.observe(ply.game_id, moves as f64);
        }
    }

    fn merge(&mut self, later: Self) {
        self.bytes += later.bytes;
        self.plies += later.plies;
        self.first_seat.merge(later.first_seat);
        for (plies, games) in later.lengths {
            *self.lengths.entry(plies).or_default() += games;
        }
        for (reason, ending) in later.endings {
            let known = self.endings.entry(reason).or_default();
            known.first_seat.merge(ending.first_seat);
            known.plies += ending.plies;
        }
        for (players, score) in later.players {
            self.players.entry(players).or_default().merge(score);
        }
        self.searched += later.searched;
        self.audited += later.audited;
        self.explored += later.explored;
        self.length.merge(later.length);
        self.flips.merge(later.flips);
        self.controlled.merge(later.controlled);
        self.visits.merge(later.visits);
        self.legal_moves.merge(later.legal_moves);
    }

    fn finish(self) -> Vec<Section> {
        vec![Section {
            name: "summary",
            title: "The games",
            headlines: self.headlines(),
            figures: self.bar_charts(),
            tables: vec![
                self.figures_table(),
                self.players_table(),
                self.results_table().folded(),
                self.endings_table().folded(),
                self.lengths_table().folded(),
            ],
            notes: self.notes(),
        }]
    }
}

impl Summary {
    fn games(&self) -> u64 {
        self.first_seat.games()
    }

    /// The length that half of the games do not exceed.
    fn median_length(&self) -> Option<u64> {
        let half = self.games().div_ceil(2);
        let mut seen = 0;
        self.lengths.iter().find_map(|(&plies, &games)| {
            seen += games;
            (seen >= half).then_some(plies)
        })
    }

    /// `count` of `games` in percent.
    fn share(count: u64, games: u64) -> Cell {
        if games == 0 { Cell::Missing } else { Cell::Real(100.0 * count as f64 / games as f64) }
    }

    fn headlines(&self) -> Vec<Headline> {
        let games = Headline {
            label: "games".into(),
            figure: grouped(self.games()),
            detail: format!("{} plies", grouped(self.plies)),
        };
        let first = self.first_seat.estimate().map(|score| Headline {
            label: "score of the side that moves first".into(),
            figure: figure(score.value * 100.0, 1, "%"),
            detail: spread(score.scaled(100.0).interval, 1, "%", score.games, "games"),
        });
        std::iter::once(games).chain(first).collect()
    }

    fn figures_table(&self) -> Table {
        let columns = Columns::default().plain("figure", "figure").estimate("value", "value", "", 1, "");
        let mean = |name: &str, mean: Option<Estimate>| Row::default().text(name).estimate(mean);
        let percent =
            |name: &str, share: Option<Estimate>| mean(name, share.map(|share| share.scaled(100.0)));
        let bare = |name: &str, cell: Cell| {
            Row::default().text(name).cell(cell).cell(Cell::Missing).cell(Cell::Missing)
        };
        let count = |name: &str, count: u64| bare(name, Cell::Count(count));
        let length = |name: &str, plies: Option<u64>| bare(name, plies.map_or(Cell::Missing, Cell::Count));
        let bytes_per_ply = match self.plies {
            0 => Cell::Missing,
            plies => Cell::Real(self.bytes as f64 / plies as f64),
        };
        let rows = vec![
            count("games", self.games()),
            count("plies", self.plies),
            mean("plies a game", self.length.estimate()),
            length("plies a game, median", self.median_length()),
            length("plies of the shortest game", self.lengths.keys().next().copied()),
            length("plies of the longest game", self.lengths.keys().next_back().copied()),
            percent("score of the first seat, %", self.first_seat.estimate()),
            percent("flips among plies, %", self.flips.estimate()),
            percent("flips onto controlled squares among flips, %", self.controlled.estimate()),
            count("plies with a full search", self.searched),
            mean("visits of a full search", self.visits.estimate()),
            count("audited plies", self.audited),
            mean("legal moves of an audited ply", self.legal_moves.estimate()),
            count("explored plies", self.explored),
            bare("bytes a ply on disk", bytes_per_ply),
        ];
        Table::new("summary", "The dataset in figures", columns, rows)
    }

    fn results_table(&self) -> Table {
        let columns = Columns::default()
            .plain("result", "result")
            .plain("games", "games")
            .real("share", "share", "%", 1);
        let Score { wins, draws, losses } = self.first_seat;
        let results = [("first seat wins", wins), ("draw", draws), ("second seat wins", losses)];
        let rows = results.map(|(name, count)| {
            Row::default().text(name).count(count).cell(Self::share(count, self.games()))
        });
        Table::new("summary_results", "Results by seat", columns, rows.into())
    }

    fn endings_table(&self) -> Table {
        let columns = Columns::default()
            .plain("end_reason", "ending")
            .plain("games", "games")
            .real("share", "share", "%", 1)
            .plain("first_wins", "first seat wins")
            .plain("draws", "draws")
            .plain("second_wins", "second seat wins")
            .real("plies", "plies a game", "", 1);
        let rows = self.endings.iter().map(|(reason, ending)| {
            let Score { wins, draws, losses } = ending.first_seat;
            let games = ending.first_seat.games();
            let row = Row::default().text(reason).count(games).cell(Self::share(games, self.games()));
            row.count(wins).count(draws).count(losses).real(ending.plies as f64 / games as f64)
        });
        Table::new("summary_endings", "How games end", columns, rows.collect())
    }

    /// Games by length, `(first length, last length, games)`, from the shortest game's to the longest's.
    fn length_steps(&self) -> Vec<(u64, u64, u64)> {
        let Some((&longest, _)) = self.lengths.last_key_value() else { return Vec::new() };
        let shortest = self.lengths.keys().next().copied().unwrap_or(0);
        (shortest / LENGTH_STEP..=longest / LENGTH_STEP)
            .map(|step| {
                let (from, to) = (step * LENGTH_STEP, (step + 1) * LENGTH_STEP - 1);
                (from, to, self.lengths.range(from..=to).map(|(_, games)| games).sum())
            })
            .collect()
    }

    fn lengths_table(&self) -> Table {
        let columns =
            Columns::default().plain("from_plies", "from").plain("to_plies", "to").plain("games", "games");
        let steps = self.length_steps().into_iter();
        let rows = steps.map(|(from, to, games)| Row::default().count(from).count(to).count(games));
        Table::new("summary_lengths", "Games by length in plies", columns, rows.collect())
    }

    fn players_table(&self) -> Table {
        let columns = Columns::default().plain("first", "first seat").plain("second", "second seat").score();
        let rows = self
            .players
            .iter()
            .map(|((first, second), score)| Row::default().text(first).text(second).score(*score));
        Table::new("summary_players", "Who played, with the score of the first seat", columns, rows.collect())
    }

    fn bar_charts(&self) -> Vec<Figure> {
        let Score { wins, draws, losses } = self.first_seat;
        let results = [("first seat wins", wins), ("draw", draws), ("second seat wins", losses)];
        let results = results.map(|(label, count)| Bar { label: label.into(), count });
        let reasons = self.endings.iter();
        let reasons =
            reasons.map(|(reason, ending)| Bar { label: reason.clone(), count: ending.first_seat.games() });
        let steps = self.length_steps().into_iter();
        let steps = steps.map(|(from, to, count)| Bar { label: format!("{from}–{to} plies"), count });
        let chart = |title: &str, bars: Vec<Bar>| Figure {
            title: title.into(),
            caption: format!("{} games.", grouped(self.games())),
            drawing: Drawing::Bars(bars),
        };
        vec![
            chart("Who wins", results.into()),
            chart("How games end", reasons.collect()),
            chart("How long games are", steps.collect()),
        ]
    }

    fn notes(&self) -> Vec<String> {
        let mut notes = Vec::new();
        if self.players.keys().any(|(first, second)| first == second) {
            notes.push(
                "Where one program plays both seats, results speak of the rules and of that program's play, \
                 not of people's."
                    .to_owned(),
            );
        }
        if self.players.keys().any(|(first, second)| first != second) {
            notes.push(
                "The two seats were held by different players: every value below is the one its own player saw, \
                 and the values of the two are counted together."
                    .to_owned(),
            );
        }
        notes
    }
}
