//! The same figures read off several nets: how far they agree, and what they say together.
//!
//! A value read off one net is conditional on that net: its interval is over games, and more games do not make a net
//! err less. Nets trained independently of each other are draws of their own, and the interval over them says what
//! another net might have said.

use statrs::distribution::{ChiSquared, ContinuousCDF};

use super::pass::Findings;
use super::report::Section;
use super::stats::ClusteredMean;
use super::table::{Cell, Column, Columns, Row, Table};

/// Headings of the nets' own columns; no more nets than these are joined.
const NUMBERS: [&str; 9] = ["1", "2", "3", "4", "5", "6", "7", "8", "9"];

/// The most datasets that are joined.
pub const MOST_NETS: usize = NUMBERS.len();

/// What games of several nets under one rule set say together: every table that has a figure with an interval, cut
/// down to the rows that all nets have.
///
/// # Panics
///
/// If there are not 2 to [`MOST_NETS`] nets.
pub fn joined(nets: &[Findings]) -> Findings {
    assert!((2..=MOST_NETS).contains(&nets.len()), "2 to {MOST_NETS} nets");
    let first = &nets[0];
    let tables_of = |section: &Section| -> Vec<Table> {
        section.tables.iter().filter_map(|table| joined_table(nets, table)).collect()
    };
    let sections = first.sections.iter().map(|section| Section {
        name: section.name,
        title: section.title,
        headlines: Vec::new(),
        figures: Vec::new(),
        tables: tables_of(section),
        notes: notes(nets.len()),
    });
    Findings {
        players: nets.iter().map(|net| net.players.as_str()).collect::<Vec<_>>().join(", "),
        games: nets.iter().map(|net| net.games).sum(),
        plies: nets.iter().map(|net| net.plies).sum(),
        left_out: nets.iter().map(|net| net.left_out).sum(),
        sections: sections.filter(|section| !section.tables.is_empty()).collect(),
        ..first.clone()
    }
}

/// The first figure of `table` that has an interval, net by net; none without such a figure or a row that all have.
fn joined_table(nets: &[Findings], table: &Table) -> Option<Table> {
    let figure = figure_place(table)?;
    let column = &table.columns()[figure];
    let names: Vec<&Column> =
        (0..figure).map_while(|at| names_rows(table, at).then(|| &table.columns()[at])).collect();
    let found = |net: &Findings| -> Option<Table> {
        let mut tables = net.sections.iter().flat_map(|section| &section.tables);
        tables.find(|other| other.name == table.name).cloned()
    };
    let tables = nets.iter().map(found).collect::<Option<Vec<_>>>()?;
    let rows = table.rows().iter().filter_map(|row| {
        let named = &row[..names.len()];
        let estimates = tables.iter().map(|table| {
            let row = table.rows().iter().find(|row| row.starts_with(named))?;
            estimate_at(row, figure_place(table)?)
        });
        joined_row(named, &estimates.collect::<Option<Vec<_>>>()?)
    });
    let rows: Vec<Row> = rows.collect();
    let columns = names.iter().fold(Columns::default(), |columns, name| columns.plain(&name.key, name.title));
    let Column { title, unit, decimals, term, .. } = *column;
    let columns = (0..nets.len()).fold(columns, |columns, net| {
        columns.real(&format!("net_{}", NUMBERS[net]), NUMBERS[net], unit, decimals)
    });
    let columns = columns.estimate("mean", title, unit, decimals, term).real("p", "p, alike", "", 4);
    (!rows.is_empty()).then(|| Table::new(table.name, table.title.clone(), columns, rows))
}

/// Where the first figure stands that is followed by the ends of its interval.
fn figure_place(table: &Table) -> Option<usize> {
    let columns = table.columns();
    (0..columns.len())
        .find(|&at| columns.get(at + 1).is_some_and(|next| next.key == format!("{}_low", columns[at].key)))
}

/// Whether the column at that place names rows.
fn names_rows(table: &Table, at: usize) -> bool {
    table.rows().iter().all(|row| matches!(row[at], Cell::Text(_)))
}

/// `estimates` are figures with their standard errors.
fn joined_row(named: &[Cell], estimates: &[(f64, f64)]) -> Option<Row> {
    let mut mean = ClusteredMean::default();
    for (net, &(value, _)) in (0..).zip(estimates) {
        mean.observe(net, value);
    }
    let row = named.iter().fold(Row::default(), |row, cell| row.cell(cell.clone()));
    let row = estimates.iter().fold(row, |row, &(value, _)| row.real(value));
    Some(row.estimate(mean.estimate()).cell(alike(estimates).map_or(Cell::Missing, Cell::Real)))
}

/// A figure of a row with its standard error, from the interval beside it; none where it has none.
fn estimate_at(row: &[Cell], at: usize) -> Option<(f64, f64)> {
    let [Cell::Real(value), Cell::Real(low), Cell::Real(high)] = row[at..].get(..3)? else { return None };
    Some((*value, (high - low) / (2.0 * 1.959_964)))
}

/// The probability of differences between the nets as large as these if all of them had the same figure, games being
/// all that tells them apart: Cochran's Q (Biometrics 10, 1954). None where a figure has no spread.
fn alike(estimates: &[(f64, f64)]) -> Option<f64> {
    let weights: Vec<f64> = estimates.iter().map(|&(_, error)| (error * error).recip()).collect();
    let total: f64 = weights.iter().sum();
    if !total.is_finite() || total <= 0.0 {
        return None;
    }
    let pairs = || estimates.iter().zip(&weights);
    let mean = pairs().map(|(&(value, _), weight)| weight * value).sum::<f64>() / total;
    let q: f64 = pairs().map(|(&(value, _), weight)| weight * (value - mean).powi(2)).sum();
    ChiSquared::new((estimates.len() - 1) as f64).ok().map(|distribution| distribution.sf(q))
}

fn notes(nets: usize) -> Vec<String> {
    vec![
        format!("Columns 1 to {nets} are the nets, in the order in which they are named."),
        format!(
            "The figure is the mean of the nets, each as good as another, and its interval is that of Student's t over \
             {nets} nets: what another net, trained alike, might have said. It holds only for nets trained \
             independently."
        ),
        "p, alike, is small where the nets differ by more than their games can explain (Cochran's Q): then no number \
         of games of one net gives the answer."
            .into(),
    ]
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn nets_that_differ_by_no_more_than_their_games_are_alike() {
        // Q is 2 for three nets a standard error apart from the middle one: exp(-1).
        let p = alike(&[(1.0, 1.0), (2.0, 1.0), (3.0, 1.0)]).expect("a spread");
        assert!((p - (-1.0_f64).exp()).abs() < 1e-9, "{p}");
        assert!(alike(&[(1.0, 0.1), (2.0, 0.1)]).expect("a spread") < 1e-9);
        assert_eq!(alike(&[(1.0, 0.0), (2.0, 1.0)]), None);
    }
}
