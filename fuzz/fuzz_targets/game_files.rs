//! JieqiBox's game files: what is read can be written and read again.

#![no_main]

use facedown::rules::dialect::{Format, GameFile, text_rules};
use libfuzzer_sys::fuzz_target;

fuzz_target!(|text: &str| {
    let Ok(file) = GameFile::read(text) else { return };
    // Not compared as a whole: a number may lose its last digit.
    assert_eq!(GameFile::read(&file.write()).expect("it was just written").moves.len(), file.moves.len());
    let rules = text_rules();
    if let Ok(line) = file.line(&rules) {
        let again = Format::JieqiBoxJson.write(&line).expect("game files hold every game");
        let again = Format::JieqiBoxJson.read(&again, &rules).expect("it was just written");
        assert_eq!(again.end(), line.end());
    }
});
