//! Positions and games in every form that is a line of text: what is read can be written and read again.

#![no_main]

use facedown::rules::dialect::{DialectError, Format, text_rules};
use libfuzzer_sys::fuzz_target;

fuzz_target!(|text: &str| {
    let rules = text_rules();
    for form in Format::ALL.into_iter().filter(|&form| form != Format::JieqiBoxJson) {
        match form.read(text, &rules) {
            Ok(line) => {
                let view = Format::View.write(&line).expect("our own form has words for everything");
                assert_eq!(
                    Format::View.read(&view, &rules).expect("it was just written").end().view(),
                    line.end().view()
                );
                if let Ok(again) = form.write(&line)
                    && form != Format::PyChess
                {
                    form.read(&again, &rules).expect("it was just written");
                }
                form.unsaid(&line);
            }
            Err(DialectError::Text(error)) => assert!(text.is_char_boundary(error.at), "{error}"),
            Err(error) => panic!("{error}"),
        }
    }
});
