//! Rule sets: what is read says itself again.

#![no_main]

use facedown::game::Profile;
use facedown::rules::jieqi::JieqiRules;
use libfuzzer_sys::fuzz_target;

fuzz_target!(|text: &str| {
    if let Ok(rules) = JieqiRules::from_toml(text, "fuzzed") {
        let again = JieqiRules::from_toml(&rules.to_toml(), "written");
        assert_eq!(again.expect("it was just written"), rules);
    }
});
