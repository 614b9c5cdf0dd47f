//! Reports from Parquet alone: what the games of a dataset say, with intervals, as tables and a page.
//!
//! A [`Report`] gathers figures from the rows of a dataset in one pass; [`analyze`] makes that pass, once
//! for each rule set and each pair of players, and [`page`] shows what was found.

mod board;
mod calibration;
mod claims;
mod definitions;
mod error;
mod exposure;
mod figure;
mod files;
mod flips;
mod judged;
mod limit;
mod luck;
mod nets;
mod openings;
mod page;
mod parquet;
mod pass;
mod placement;
mod report;
mod reveals;
mod rows;
mod samples;
mod scale;
mod shard;
pub mod stats;
mod story;
mod summary;
mod table;
mod values;
mod weighted;
mod words;

pub use board::{Board, Point};
pub use calibration::Calibration;
pub use claims::{BanqiClaims, Claims, Expected, Finding, JieqiClaims, Verdict, Words, claim, claim_section};
pub use definitions::{TERMS, Term};
pub use error::AnalysisError;
pub use exposure::Exposure;
pub use figure::{
    Arrow, Bar, BoardMap, Curve, CurvePlot, CurvePoint, Drawing, FEW_GAMES, Figure, IntervalPlot,
    IntervalRow, Matrix, Scale, Spot,
};
pub use files::{section_to_json, to_json, write_files};
pub use flips::Flips;
pub use limit::Limit;
pub use luck::Luck;
pub use nets::{MOST_NETS, joined};
pub use openings::Openings;
pub use page::{Audience, Say, curve_picture, page, picture};
pub use pass::{Answer, Findings, Question, analyze};
pub use report::{Headline, Report, Section, Setup};
pub use reveals::Reveals;
pub use rows::{CandidateRow, GameRow, Kind, MIN_VISITS, OutcomeRow, PlyRow, Reads, Source, TacticsRow};
pub use samples::{Choice, Games, SampleGame, SamplePly, Samples};
pub use story::{Step, Story};
pub use summary::Summary;
pub use table::{Cell, Column, Columns, Row, Table};
pub use values::Values;
pub use weighted::Weighted;
pub use words::{Book, Language, Meaning, UnknownLanguage};
