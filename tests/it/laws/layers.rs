//! The layers of ARCHITECTURE.md that are folders of one crate: each uses only those below it. And only kinds name kinds.

use std::collections::BTreeSet;

use super::source::{Source, Token, sources};

/// The layers of a crate from top to bottom, each a folder or a file of it. Layers in the same row do not know each
/// other.
struct Layers {
    folder: &'static str,
    rows: &'static [&'static [&'static str]],
}

/// The crates that have layers.
const CRATES_WITH_LAYERS: [Layers; 2] = [
    Layers { folder: "crates/server/src", rows: &[&["app"], &["config"], &["http"], &["api"]] },
    Layers {
        folder: "crates/engine/src",
        rows: &[&["facts", "secrets", "sources"], &["write"], &["feed"], &["store"], &["access"], &["runtime"]],
    },
];
/// The folders that must do their work without knowing any kind, each with the names of kinds that are its own terms. So
/// a new kind touches none of them.
const WITHOUT_KINDS: [(&str, &[&str]); 7] = [
    // An order names the profile that is booted.
    ("crates/kinds/src/hosts", &["profile", "profiles"]),
    ("crates/read", &[]),
    // The library for configurations has profiles and providers, and a variable of Kubernetes has a port.
    ("crates/server", &["port", "profile", "provider", "providers"]),
    // A part of a machine can be a device at PCI.
    ("crates/engine", &["device"]),
    ("crates/inventory", &[]),
    ("crates/topology", &[]),
    ("src", &[]),
];
/// Names of kinds that are also terms of all layers. A batch is written in the name of a source, which owns the fields
/// that it set, whether or not there is an object for it. The host of a URL is that of HTTP, and a guest has a host.
const TERMS_OF_ALL: [&str; 4] = ["source", "sources", "host", "hosts"];

#[test]
fn no_layer_uses_one_above_it() {
    let mut wrong = Vec::new();
    for Layers { folder, rows } in CRATES_WITH_LAYERS {
        let row = |name: &str| rows.iter().position(|row| row.contains(&name));
        for source in sources(folder) {
            let own = module(folder, &source.path);
            // The modules are only declared there.
            if own == "lib" {
                continue;
            }
            let own_row = row(own).unwrap_or_else(|| panic!("{} is of no layer", source.path));
            for used in used(folder, &source).into_iter().filter(|used| used != own) {
                if row(&used).is_none_or(|used| used <= own_row) {
                    wrong.push(format!("{} uses {used}", source.path));
                }
            }
        }
    }
    assert!(wrong.is_empty(), "against the drawing: {wrong:#?}");
}

#[test]
fn orders_of_hosts_are_judged_without_the_kinds() {
    let folder = "crates/kinds/src";
    for source in sources("crates/kinds/src/hosts") {
        let used = used(folder, &source);
        assert!(used.iter().all(|used| used == "hosts"), "{} uses {used:?}", source.path);
    }
}

/// A command is a client: of the engine it has the key of a server on the same machine, and the times of tests.
#[test]
fn commands_that_are_clients_open_no_database() {
    for source in sources("crates/cli/src") {
        let used = source.after("underlay_engine");
        let allowed = |module: &String| ["access", "runtime"].contains(&module.as_str());
        assert!(used.iter().all(allowed), "{} uses {used:?} of the engine", source.path);
    }
}

#[test]
fn only_kinds_name_kinds() {
    let names = names_of_kinds();
    let mut wrong = Vec::new();
    for (folder, terms) in WITHOUT_KINDS {
        let mut unused: BTreeSet<&str> = terms.iter().copied().collect();
        for source in sources(folder) {
            for name in named(&source, &names) {
                if !unused.remove(name.as_str()) && !terms.contains(&name.as_str()) {
                    wrong.push(format!("{}: {name}", source.path));
                }
            }
        }
        assert!(unused.is_empty(), "{folder} does not use the terms {unused:?} any more");
    }
    assert!(wrong.is_empty(), "kinds that other layers name: {wrong:#?}");
}

/// The names of all kinds, one object and several, in the form that `plain` gives.
fn names_of_kinds() -> BTreeSet<String> {
    let registry = underlay_kinds::registry();
    registry.kinds().flat_map(|kind| [plain(kind.name), plain(&kind.plural())]).collect()
}

/// The names of kinds in a source, in the form that `plain` gives.
fn named(source: &Source, kinds: &BTreeSet<String>) -> Vec<String> {
    let words = source.tokens.iter().filter_map(|token| match token {
        Token::Word(text) | Token::Text(text) => Some(plain(text)),
        Token::Mark(_) => None,
    });
    words.filter(|word| kinds.contains(word) && !TERMS_OF_ALL.contains(&word.as_str())).collect()
}

/// A name in whatever case: `PowerFeed`, `powerFeed`, `POWER_FEED` and `power_feed` are one.
fn plain(name: &str) -> String {
    name.replace('_', "").to_lowercase()
}

/// The module of a crate that a file belongs to: of `crates/engine/src`, the file `write/plan/mod.rs` is of `write`.
fn module<'a>(folder: &str, path: &'a str) -> &'a str {
    let inner = inner(folder, path);
    inner.split('/').next().unwrap_or(inner).trim_end_matches(".rs")
}

/// The path of a file within the sources of its crate.
fn inner<'a>(folder: &str, path: &'a str) -> &'a str {
    path.strip_prefix(folder).unwrap_or(path).trim_start_matches('/')
}

/// The modules of its crate that a file uses: after `crate::`, and after `super::` where that leaves the module.
fn used(folder: &str, source: &Source) -> BTreeSet<String> {
    let mut found: BTreeSet<String> = source.after("crate").into_iter().collect();
    let parts = inner(folder, &source.path).trim_end_matches(".rs").trim_end_matches("/mod").split('/').count();
    let mut supers = 0;
    for (index, token) in source.tokens.iter().enumerate() {
        match token {
            Token::Word(word) if word == "super" => supers += 1,
            Token::Mark(':') => {}
            Token::Word(word) if supers >= parts && source.tokens[index - 1] == Token::Mark(':') => {
                found.insert(word.clone());
                supers = 0;
            }
            _ => supers = 0,
        }
    }
    found
}
