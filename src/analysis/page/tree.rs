//! The opening tree as branches that fold: what grows from a move lies inside it.

use super::text::{Markup, escaped};
use crate::analysis::figure::FEW_GAMES;
use crate::analysis::table::{Cell, Table, typeset};
use crate::analysis::words::Language;

/// Draws the rows of `table`, each before those that grow from it; `say` says a first move as players do.
pub fn tree(table: &Table, language: Language, say: impl Fn(&str) -> Option<String>) -> String {
    let mut page = Markup::opened(format_args!("<div class=\"tree\">"));
    let branches: Vec<Branch<'_>> = table.rows().iter().map(|row| Branch { table, row }).collect();
    // The depths of the branches that are not closed yet.
    let mut open: Vec<usize> = Vec::new();
    for (place, branch) in branches.iter().enumerate() {
        let depth = branch.depth();
        while open.pop_if(|inner| *inner >= depth).is_some() {
            page.add(format_args!("</details>"));
        }
        let bears = branches.get(place + 1).is_some_and(|next| next.depth() > depth);
        let (tag, inner) = if bears { ("details", "summary") } else { ("div class=\"leaf\"", "p") };
        page.add(format_args!("<{tag}><{inner}>{}</{inner}>", branch.told(language, &say)));
        match bears {
            true => open.push(depth),
            false => page.add(format_args!("</div>")),
        }
    }
    open.iter().for_each(|_| page.add(format_args!("</details>")));
    page.closed("</div>\n")
}

/// A row of the table of openings.
struct Branch<'a> {
    table: &'a Table,
    row: &'a [Cell],
}

impl Branch<'_> {
    fn path(&self) -> String {
        self.shown("path").unwrap_or_default()
    }

    /// 1 for first moves, one more for what a move turned up and for each reply.
    fn depth(&self) -> usize {
        self.path().split([' ', '=']).count()
    }

    /// The cell of that column, if it holds something.
    fn shown(&self, key: &str) -> Option<String> {
        let mut cells = self.row.iter().zip(self.table.columns());
        let (cell, column) = cells.find(|(_, column)| column.key == key)?;
        cell.shown(column)
    }

    /// A figure with its interval.
    fn estimate(&self, key: &str) -> Option<String> {
        let figure = |key: &str| self.shown(key).map(|figure| typeset(&figure));
        let value = figure(key)?;
        let (low, high) = (figure(&format!("{key}_low")), figure(&format!("{key}_high")));
        Some(match low.zip(high) {
            Some((low, high)) => format!("<b>{value}</b>&nbsp;% <small>[{low}, {high}]</small>"),
            None => format!("<b>{value}</b>&nbsp;%"),
        })
    }

    fn told(&self, language: Language, say: impl Fn(&str) -> Option<String>) -> String {
        let mv = self.shown("move").unwrap_or_default();
        let turned = self.shown("revealed").map(|piece| format!("={}", escaped(&piece))).unwrap_or_default();
        let said = say(&mv).filter(|_| !self.path().contains(' '));
        let said = said.map(|said| format!(" <i>{}</i>", escaped(&said))).unwrap_or_default();
        let games = self.shown("games").unwrap_or_default();
        let few = games.parse().is_ok_and(|games: u64| games < FEW_GAMES);
        let mut parts = vec![language.say(&format!("{games} games"))];
        for (key, name) in [("score", "score"), ("adjusted", "score less luck"), ("value", "value")] {
            if let Some(figure) = self.estimate(key) {
                parts.push(format!("{} {figure}", language.word(name)));
            }
        }
        let class = if few { " class=\"few\"" } else { "" };
        format!("<code>{}{turned}</code>{said} <span{class}>{}</span>", escaped(&mv), parts.join(" · "))
    }
}
