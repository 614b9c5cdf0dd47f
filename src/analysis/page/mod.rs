//! The HTML page: one file that holds everything it shows and asks the network for nothing.

mod axis;
mod curve;
mod plot;
mod svg;
mod text;
mod tree;
mod viewer;

use text::{Markup, escaped};

use super::definitions::{TERMS, term};
use super::figure::{CurvePlot, Drawing, FEW_GAMES, Figure, IntervalPlot};
use super::files::tables_folder;
use super::pass::Findings;
use super::report::{Headline, Section};
use super::samples::SamplePly;
use super::table::{Cell, Table, grouped, typeset};
use super::words::Language;

const SHEET: &str = include_str!("style.css");

const SCRIPT: &str = include_str!("viewer.js");

const TITLE: &str = "What is a flip worth?";

const LEAD: &str =
    "Every figure comes with the games it rests on and, where there are enough, a 95 % interval.";

const CONDITION: &str = "Values are those of the player who judged: an interval over games says nothing of how another would judge.";

/// The table that is shown as a tree too.
const OPENING_TREE: &str = "openings_tree";

/// Tables whose moves are all played from the start.
const FIRST_MOVES: [&str; 2] = ["openings", "openings_reveals"];

/// Whom the page is for.
#[derive(Clone, Copy)]
pub struct Audience<'a> {
    pub language: Language,
    /// Says moves in that language.
    pub say: &'a dyn Say,
}

/// Says moves as players do. Reports know no rules, so that whoever asks for a page brings this along.
pub trait Say {
    /// The move of `ply`, under the rule set called `rules`; none where players have no words for it.
    fn say(&self, rules: &str, ply: &SamplePly) -> Option<String>;
}

/// Writes the page on `findings`, one for each rule set.
pub fn page(findings: &[Findings], audience: &Audience<'_>) -> String {
    let language = audience.language;
    let told: Vec<Findings> = findings.iter().map(|found| found.told_in(language)).collect();
    let findings = &told[..];
    let title = language.word(TITLE);
    let mut page = Markup::opened(format_args!(
        "<!DOCTYPE html>\n<html lang=\"{language}\">\n<head>\n<meta charset=\"utf-8\">\n\
         <meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\n\
         <meta http-equiv=\"Content-Security-Policy\" \
         content=\"default-src 'none'; style-src 'unsafe-inline'; script-src 'unsafe-inline'\">\n\
         <meta name=\"color-scheme\" content=\"light dark\">\n\
         <title>{title}</title>\n<style>\n{SHEET}</style>\n</head>\n<body>\n"
    ));
    header(&mut page, findings, language);
    page.add(format_args!("<main>\n"));
    for found in findings {
        rule_set(&mut page, findings, found, audience);
    }
    definitions(&mut page, language);
    page.add(format_args!(
        "</main>\n<footer>facedown {}</footer>\n<script>{SCRIPT}</script>\n",
        env!("CARGO_PKG_VERSION")
    ));
    page.closed("</body>\n</html>\n")
}

/// The plot as a picture by itself, an SVG file with the page's colours.
pub fn picture(plot: &IntervalPlot, label: &str) -> String {
    by_itself(&plot::intervals(plot, label))
}

/// Likewise, curves.
pub fn curve_picture(plot: &CurvePlot, label: &str) -> String {
    by_itself(&curve::curves(plot, label))
}

fn by_itself(drawn: &str) -> String {
    let (opening, rest) = drawn.split_once('>').expect("a drawing begins with its tag");
    format!(
        "{opening}><style>{SHEET} svg {{ background: var(--paper); font-family: system-ui }}</style>{rest}\n"
    )
}

/// The name a section goes by in links.
fn anchor(findings: &[Findings], found: &Findings, section: &Section) -> String {
    format!("{}-{}", found.slug(findings), section.name)
}

fn header(page: &mut Markup, findings: &[Findings], language: Language) {
    let names = findings.first().map(|found| found.board.game_names()).unwrap_or_default();
    page.add(format_args!("<header>\n<p class=\"eyebrow\">{names}</p>\n<h1>{}</h1>\n", language.word(TITLE)));
    for found in findings {
        let facts = [
            ("games", grouped(found.games)),
            ("plies", grouped(found.plies)),
            ("rules", escaped(&found.rules)),
            ("played by", escaped(&found.players)),
        ];
        page.add(format_args!("<dl class=\"facts\">"));
        for (name, fact) in facts {
            page.add(format_args!("<div><dt>{}</dt><dd>{fact}</dd></div>", language.word(name)));
        }
        page.add(format_args!("</dl>\n"));
    }
    page.add(format_args!("<p class=\"lead\">"));
    if let Some(left_out @ 1..) = findings.first().map(|found| found.left_out) {
        let why = language.word("shards that could not be read are left out.");
        page.add(format_args!("<b>{left_out} {why}</b> "));
    }
    page.add(format_args!("{} {}</p>\n<nav>", language.word(LEAD), language.word(CONDITION)));
    for found in findings {
        for section in &found.sections {
            let suffix =
                if findings.len() > 1 { format!(" ({})", escaped(&found.heading())) } else { String::new() };
            page.add(format_args!(
                "<a href=\"#{}\" title=\"{}\">{}{suffix}</a>",
                anchor(findings, found, section),
                escaped(section.title),
                section.short_title()
            ));
        }
    }
    page.add(format_args!(
        "<a href=\"#definitions\">{}</a></nav>\n</header>\n",
        language.word("Definitions")
    ));
}

impl Section {
    /// The title, or of a claim, whose title is a sentence, its number.
    fn short_title(&self) -> &'static str {
        let is_claim = self.name.starts_with(|c: char| c.is_ascii_uppercase());
        if is_claim { self.name } else { self.title }
    }
}

fn rule_set(page: &mut Markup, findings: &[Findings], found: &Findings, audience: &Audience<'_>) {
    let language = audience.language;
    // Where the tables' files lie, empty if beside the page; then the rules need no heading.
    let folder = &tables_folder(findings, found);
    if !folder.is_empty() {
        page.add(format_args!(
            "<h2 class=\"rules\">{} {}</h2>\n",
            language.word("Rules:"),
            escaped(&found.heading())
        ));
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
        section.figures.iter().for_each(|drawn| figure(page, drawn, &found.rules, audience));
        page.add(format_args!("</div>\n"));
        if !section.notes.is_empty() {
            page.add(format_args!(
                "<aside class=\"notes\"><h3>{}</h3><ul>",
                language.word("How to read this")
            ));
            section.notes.iter().for_each(|note| page.add(format_args!("<li>{}</li>", escaped(note))));
            page.add(format_args!("</ul></aside>\n"));
        }
        section
            .tables
            .iter()
            .filter(|table| !table.rows().is_empty())
            .for_each(|shown| table(page, shown, folder, found, audience));
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

fn figure(page: &mut Markup, figure: &Figure, rules: &str, audience: &Audience<'_>) {
    let drawn = match &figure.drawing {
        Drawing::Board(map) if map.spots.is_empty() && map.arrows.is_empty() => return,
        Drawing::Intervals(plot) if plot.rows.is_empty() => return,
        Drawing::Board(map) => svg::board(map, &figure.title),
        Drawing::Intervals(plot) => plot::intervals(plot, &figure.title),
        Drawing::Bars(bars) => plot::bars(bars, &figure.title),
        Drawing::Matrix(matrix) => plot::matrix(matrix, &figure.title),
        Drawing::Games(games) if games.games.is_empty() => return,
        Drawing::Games(games) => viewer::viewer(games, rules, audience),
    };
    let class = if matches!(figure.drawing, Drawing::Games(_)) { " class=\"wide\"" } else { "" };
    page.add(format_args!("<figure{class}><h3>{}</h3>{drawn}", escaped(&figure.title)));
    if let Some((scale, unit)) = figure.drawing.scale() {
        page.add(format_args!("{}", plot::legend(scale, unit, audience.language)));
    }
    page.add(format_args!("<figcaption>{}</figcaption></figure>\n", escaped(&figure.caption)));
}

/// Says first moves as players do: those of the sample games start where all games start.
fn first_moves<'a>(found: &'a Findings, audience: &'a Audience<'_>) -> impl Fn(&str) -> Option<String> + 'a {
    let drawings = found.sections.iter().flat_map(|section| &section.figures).map(|figure| &figure.drawing);
    let start = drawings.flat_map(Drawing::games).find_map(|game| game.plies.first());
    move |mv| {
        let ply = SamplePly { mv: mv.into(), revealed: None, taken: None, ..start?.clone() };
        audience.say.say(&found.rules, &ply)
    }
}

fn table(page: &mut Markup, table: &Table, folder: &str, found: &Findings, audience: &Audience<'_>) {
    let language = audience.language;
    let say = first_moves(found, audience);
    if table.name == OPENING_TREE {
        page.add(format_args!(
            "<figure class=\"wide\"><h3>{}</h3>{}</figure>\n",
            escaped(&table.title),
            tree::tree(table, language, &say)
        ));
    }
    let open = if table.folded { "" } else { " open" };
    page.add(format_args!(
        "<details class=\"table\"{open}><summary>{} <span class=\"n\">{}</span></summary>\n\
         <p class=\"files\"><a href=\"{folder}{name}.csv\" download>CSV</a> \
         <a href=\"{folder}{name}.json\" download>JSON</a></p>\n\
         <div class=\"scroll\"><table data-name=\"{name}\">\n<thead><tr>",
        escaped(&table.title),
        language.say(&format!("{} rows", table.rows().len())),
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
        rows(page, table, row, &say);
    }
    page.add(format_args!("</tbody>\n</table></div></details>\n"));
}

fn rows(page: &mut Markup, table: &Table, row: &[Cell], say: impl Fn(&str) -> Option<String>) {
    let few = row.iter().zip(table.columns()).any(|(cell, column)| {
        column.key == "games" && matches!(cell, Cell::Count(games) if *games < FEW_GAMES)
    });
    page.add(format_args!("<tr{}>", if few { " class=\"few\"" } else { "" }));
    for (at, (cell, column)) in row.iter().zip(table.columns()).enumerate() {
        let read = escaped(&typeset(&cell.read(column)));
        let class = if table.is_numeric(at) { " class=\"number\"" } else { "" };
        let is_first = column.key == "move" && FIRST_MOVES.contains(&table.name);
        match say(&read).filter(|_| is_first) {
            Some(said) => page.add(format_args!("<td{class}>{read} <i>{}</i></td>", escaped(&said))),
            None => page.add(format_args!("<td{class}>{read}</td>")),
        }
    }
    page.add(format_args!("</tr>\n"));
}

fn definitions(page: &mut Markup, language: Language) {
    page.add(format_args!("<section id=\"definitions\">\n<h2>{}</h2>\n<dl>\n", language.word("Definitions")));
    for term in TERMS {
        let (name, meaning) = language.term(term);
        page.add(format_args!(
            "<div id=\"term-{}\"><dt>{}</dt><dd>{}</dd></div>\n",
            term.id,
            escaped(name),
            escaped(meaning)
        ));
    }
    page.add(format_args!("</dl>\n</section>\n"));
}
