//! How the page looks.

/// The style sheet.
pub const SHEET: &str = include_str!("style.css");
