//! The rule sets that tests over all games go through.

use std::sync::Arc;

use facedown::game::{Game, Profile};

/// The built-in rule sets, and the first with each answer to who sees what is taken face down, where a
/// game asks that. Left out are those of move tables: without draws, random games take thousands of plies.
pub fn rule_sets<G: Game>() -> Vec<Arc<G::Profile>> {
    let read = |text: &str| G::Profile::from_toml(text, "a test").expect("valid rules");
    let (_, first) = G::Profile::BUILT_IN[0];
    let built_in =
        G::Profile::BUILT_IN.iter().filter(|(name, _)| *name != "base").map(|(_, text)| read(text));
    let seen_by = ["nobody", "capturer", "both"].map(|whom| {
        let answer = |line: &str| match line.split_once(" = ") {
            Some(("captured_hidden", _)) => format!("captured_hidden = \"{whom}\"\n"),
            _ => format!("{line}\n"),
        };
        read(&first.lines().map(answer).collect::<String>())
    });
    built_in.chain(seen_by).map(Arc::new).collect()
}
