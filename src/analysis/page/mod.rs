//! The HTML page: one file that holds everything it shows and asks the network for nothing.

mod plot;
mod svg;
mod text;

use text::{Markup, escaped};

use super::definitions::{TERMS, term};
use super::figure::{Drawing, FEW_GAMES, Figure, IntervalPlot};
use super::files::tables_folder;
use super::pass::Findings;
use super::report::{Headline, Section};
use super::table::{Cell, Table, grouped, typeset};

const SHEET: &str = include_str!("style.css");

/// Writes the page on `findings`, one for each rule set.
pub fn page(findings: &[Findings]) -> String {
    let mut page = Markup::opened(format_args!(
        "<!DOCTYPE html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n\
         <meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\n\
         <meta http-equiv=\"Content-Security-Policy\" \
         content=\"default-src 'none'; style-src 'unsafe-inline'\">\n\
         <meta name=\"color-scheme\" content=\"light dark\">\n\
         <title>What is a flip worth?</title>\n<style>\n{}</style>\n</head>\n<body>\n",
        SHEET
    ));
    header(&mut page, findings);
    page.add(format_args!("<main>\n"));
    for found in findings {
        rule_set(&mut page, findings, found);
    }
    definitions(&mut page);
    page.add(format_args!("</main>\n<footer>facedown {}</footer>\n", env!("CARGO_PKG_VERSION")));
    page.closed("</body>\n</html>\n")
}

/// The plot as a picture by itself, an SVG file with the page's colours.
pub fn picture(plot: &IntervalPlot, label: &str) -> String {
    let drawn = plot::intervals(plot, label);
    let (opening, rest) = drawn.split_once('>').expect("a drawing begins with its tag");
    format!(
        "{opening}><style>{SHEET} svg {{ background: var(--paper); font-family: system-ui }}</style>{rest}\n"
    )
}

/// The name a section goes by in links.
fn anchor(findings: &[Findings], found: &Findings, section: &Section) -> String {
    format!("{}-{}", found.slug(findings), section.name)
}

fn header(page: &mut Markup, findings: &[Findings]) {
    let names = findings.first().map(|found| found.board.game_names()).unwrap_or_default();
    page.add(format_args!(
        "<header>\n<p class=\"eyebrow\">{names}</p>\n<h1>What is a flip worth?</h1>\n<p class=\"lead\">"
    ));
    for found in findings {
        page.add(format_args!(
            "{} games, {} plies of {} under the rules <b>{}</b>, played by {}. ",
            grouped(found.games),
            grouped(found.plies),
            escaped(&found.game),
            escaped(&found.rules),
            escaped(&found.players)
        ));
    }
    if let Some(left_out @ 1..) = findings.first().map(|found| found.left_out) {
        page.add(format_args!("<b>{left_out} shards could not be read and are left out.</b> "));
    }
    page.add(format_args!(
        "Every figure comes with the games it rests on and, where there are enough, a 95&nbsp;% interval.</p>\n\
         <nav>"
    ));
    for found in findings {
        for section in &found.sections {
            let suffix =
                if findings.len() > 1 { format!(" ({})", escaped(&found.heading())) } else { String::new() };
            page.add(format_args!(
                "<a href=\"#{}\">{}{suffix}</a>",
                anchor(findings, found, section),
                section.title
            ));
        }
    }
    page.add(format_args!("<a href=\"#definitions\">Definitions</a></nav>\n</header>\n"));
}

fn rule_set(page: &mut Markup, findings: &[Findings], found: &Findings) {
    // Where the tables' files lie, empty if beside the page; then the rules need no heading.
    let folder = &tables_folder(findings, found);
    if !folder.is_empty() {
        page.add(format_args!("<h2 class=\"rules\">Rules: {}</h2>\n", escaped(&found.heading())));
    }
    page.add(format_args!("<div class=\"headlines\">\n"));
    found.sections.iter().flat_map(|section| &section.headlines).for_each(|headline| card(page, headline));
    page.add(format_args!("</div>\n"));
    for section in &found.sections {
        page.add(format_args!(
            "<section id=\"{}\">\n<h2>{}</h2>\n",
            anchor(findings, found, section),
            section.title
        ));
        page.add(format_args!("<div class=\"figures\">\n"));
        section.figures.iter().for_each(|drawn| figure(page, drawn));
        page.add(format_args!("</div>\n"));
        if !section.notes.is_empty() {
            page.add(format_args!("<aside class=\"notes\"><h3>How to read this</h3><ul>"));
            section.notes.iter().for_each(|note| page.add(format_args!("<li>{}</li>", escaped(note))));
            page.add(format_args!("</ul></aside>\n"));
        }
        section
            .tables
            .iter()
            .filter(|table| !table.rows().is_empty())
            .for_each(|shown| table(page, shown, folder));
        page.add(format_args!("</section>\n"));
    }
}

fn card(page: &mut Markup, headline: &Headline) {
    page.add(format_args!(
        "<div class=\"card\"><p class=\"big\">{}</p><p class=\"label\">{}</p>\
         <p class=\"detail\">{}</p></div>\n",
        escaped(&headline.figure),
        escaped(&headline.label),
        escaped(&headline.detail)
    ));
}

fn figure(page: &mut Markup, figure: &Figure) {
    let drawn = match &figure.drawing {
        Drawing::Board(map) if map.spots.is_empty() && map.arrows.is_empty() => return,
        Drawing::Intervals(plot) if plot.rows.is_empty() => return,
        Drawing::Board(map) => svg::board(map, &figure.title),
        Drawing::Intervals(plot) => plot::intervals(plot, &figure.title),
        Drawing::Bars(bars) => plot::bars(bars, &figure.title),
        Drawing::Matrix(matrix) => plot::matrix(matrix, &figure.title),
    };
    page.add(format_args!("<figure><h3>{}</h3>{drawn}", escaped(&figure.title)));
    if let Some((scale, unit)) = figure.drawing.scale() {
        page.add(format_args!("{}", plot::legend(scale, unit)));
    }
    page.add(format_args!("<figcaption>{}</figcaption></figure>\n", escaped(&figure.caption)));
}

fn table(page: &mut Markup, table: &Table, folder: &str) {
    let open = if table.folded { "" } else { " open" };
    page.add(format_args!(
        "<details class=\"table\"{open}><summary>{} <span class=\"n\">{} rows</span></summary>\n\
         <p class=\"files\"><a href=\"{folder}{name}.csv\" download>CSV</a> \
         <a href=\"{folder}{name}.json\" download>JSON</a></p>\n\
         <div class=\"scroll\"><table data-name=\"{name}\">\n<thead><tr>",
        escaped(&table.title),
        table.rows().len(),
        name = table.name,
    ));
    for (at, column) in table.columns().iter().enumerate() {
        let class = if table.is_numeric(at) { " class=\"number\"" } else { "" };
        let unit = if column.unit.is_empty() { "" } else { &format!(" <small>{}</small>", column.unit) };
        match term(column.term) {
            Some(term) => page.add(format_args!(
                "<th{class} scope=\"col\"><a href=\"#term-{}\">{}</a>{unit}</th>",
                term.id, column.title
            )),
            None => page.add(format_args!("<th{class} scope=\"col\">{}{unit}</th>", column.title)),
        }
    }
    page.add(format_args!("</tr></thead>\n<tbody>\n"));
    for row in table.rows() {
        rows(page, table, row);
    }
    page.add(format_args!("</tbody>\n</table></div></details>\n"));
}

fn rows(page: &mut Markup, table: &Table, row: &[Cell]) {
    let few = row.iter().zip(table.columns()).any(|(cell, column)| {
        column.key == "games" && matches!(cell, Cell::Count(games) if *games < FEW_GAMES)
    });
    page.add(format_args!("<tr{}>", if few { " class=\"few\"" } else { "" }));
    for (at, (cell, column)) in row.iter().zip(table.columns()).enumerate() {
        let read = escaped(&typeset(&cell.read(column)));
        let class = if table.is_numeric(at) { " class=\"number\"" } else { "" };
        page.add(format_args!("<td{class}>{read}</td>"));
    }
    page.add(format_args!("</tr>\n"));
}

fn definitions(page: &mut Markup) {
    page.add(format_args!("<section id=\"definitions\">\n<h2>Definitions</h2>\n<dl>\n"));
    for term in TERMS {
        page.add(format_args!(
            "<div id=\"term-{}\"><dt>{}</dt><dd>{}</dd></div>\n",
            term.id,
            escaped(term.name),
            escaped(term.meaning)
        ));
    }
    page.add(format_args!("</dl>\n</section>\n"));
}
