//! Moves as players say them, for the page of `analyze`, which knows no rules itself.

use std::collections::BTreeMap;
use std::sync::Arc;

use crate::analysis::{self, SamplePly, Say};
use crate::game::{MoveList, Profile, View};
use crate::record::{Reader, Table};
use crate::rules::GameKind;
use crate::rules::Role;
use crate::rules::dialect::Language;
use crate::rules::jieqi::{JieqiRules, JieqiView, Reveal};

/// Says moves of Jieqi in one language; players of no other game have words for theirs.
pub struct Speaker {
    /// None where players write coordinates.
    language: Option<Language>,
    /// The rule sets of the dataset, by name.
    rules: BTreeMap<String, Arc<JieqiRules>>,
}

impl Speaker {
    pub fn new(reader: &Reader, language: analysis::Language) -> Self {
        let language = match language {
            analysis::Language::English => None,
            analysis::Language::Vietnamese => Some(Language::Vietnamese),
            analysis::Language::Chinese => Some(Language::Chinese),
        };
        let mut rules = BTreeMap::new();
        if reader.game() == GameKind::Jieqi.name() {
            for file in reader.shards().iter().map(|shard| shard.file(Table::Plies)) {
                if !rules.contains_key(file.rules())
                    && let Ok(read) = JieqiRules::from_toml(file.rules_text(), file.rules())
                {
                    rules.insert(file.rules().to_owned(), Arc::new(read));
                }
            }
        }
        Self { language, rules }
    }
}

impl Say for Speaker {
    fn say(&self, rules: &str, ply: &SamplePly) -> Option<String> {
        let language = self.language?;
        let view = JieqiView::parse(&ply.view, self.rules.get(rules)?).ok()?;
        let mv = ply.mv.parse().ok()?;
        let mut legal = MoveList::new();
        view.legal_moves(&mut legal);
        let role = |letter: Option<char>| letter.and_then(Role::from_letter);
        let seen = Reveal { opened: role(ply.revealed), taken: role(ply.taken.filter(|_| ply.taken_hidden)) };
        legal.contains(&mv).then(|| language.say(&view, mv, seen))
    }
}
