//! `docs/operation.md` lists every metric that the program exports, and no other.

use std::collections::{BTreeMap, BTreeSet};

use super::source::{Token, repository, sources};

/// The documentation of a metric.
#[derive(Clone, Debug)]
pub struct Documented {
    pub kind: String,
    pub labels: BTreeSet<String>,
    pub meaning: String,
}

/// Returns all metrics in the table of the documentation.
pub fn documented() -> BTreeMap<String, Documented> {
    let text = std::fs::read_to_string(repository().join("docs/operation.md")).expect("read the documentation");
    let mut found = BTreeMap::new();
    for line in text.lines().filter(|line| line.starts_with("| `underlay_")) {
        let cells: Vec<&str> = line.trim_matches('|').split('|').map(str::trim).collect();
        let [name, kind, labels, meaning] = cells[..] else { panic!("a row has four cells: {line}") };
        assert!(!meaning.is_empty(), "{name} means nothing");
        let labels = labels.split(',').map(|it| it.trim().trim_matches('`').to_owned()).filter(|it| !it.is_empty());
        let listed = Documented { kind: kind.to_owned(), labels: labels.collect(), meaning: meaning.to_owned() };
        assert!(found.insert(name.trim_matches('`').to_owned(), listed).is_none(), "{name} is there twice");
    }
    found
}

#[test]
fn metrics_and_their_documentation_agree() {
    let is_name =
        |text: &str| text.starts_with("underlay_") && text.chars().all(|it| it.is_ascii_lowercase() || it == '_');
    let mut named = BTreeSet::new();
    let mut described = 0;
    let folders = ["crates/engine/src", "crates/kinds/src", "crates/read/src", "crates/server/src", "src"];
    for source in folders.into_iter().flat_map(sources) {
        let texts = source.tokens.iter().filter_map(|token| match token {
            Token::Text(text) if is_name(text) => Some(text.clone()),
            _ => None,
        });
        named.extend(texts);
        let describes = |token: &&Token| matches!(token, Token::Word(word) if word.starts_with("describe_"));
        // The import names each of the three macros once more.
        if source.path == "crates/server/src/http/metrics.rs" {
            described = source.tokens.iter().filter(describes).count() - 3;
        }
    }
    let listed: BTreeSet<String> = documented().into_keys().collect();
    assert_eq!(named, listed, "what the sources name, and what docs/operation.md lists");
    assert_eq!(described, listed.len(), "each has its line of help in crates/server/src/http/metrics.rs");
}
