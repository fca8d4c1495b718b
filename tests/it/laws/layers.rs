//! The layers of ARCHITECTURE.md: each uses only those below it, and the engine names no kind.

use std::collections::{BTreeMap, BTreeSet};

use figment::Figment;
use figment::providers::{Format as _, Toml};
use serde::Deserialize;
use serde::de::IgnoredAny;

use super::source::{Source, Token, repository, sources};

/// The crates besides the server's, and those of our crates that each may use.
pub const CRATES: [(&str, &[&str]); 20] = [
    ("adapters/bcm", &["underlay-kit"]),
    ("adapters/exec", &["underlay-kit"]),
    ("adapters/files", &["underlay-kit"]),
    ("adapters/hosts", &["underlay-address", "underlay-client", "underlay-kit"]),
    ("adapters/ironic", &["underlay-address", "underlay-hosts", "underlay-kit"]),
    ("adapters/kit", &["underlay-client", "underlay-durable"]),
    ("adapters/milo", &["underlay-kit"]),
    ("adapters/netbox", &["underlay-kit"]),
    ("adapters/redfish", &["underlay-address", "underlay-hosts", "underlay-kit"]),
    ("crates/address", &[]),
    ("crates/client", &[]),
    ("crates/demo", &[]),
    ("crates/drawing", &[]),
    ("crates/durable", &[]),
    ("crates/error", &[]),
    ("crates/inventory", &["underlay-entity", "underlay-error", "underlay-persistent"]),
    ("crates/persistent", &[]),
    ("crates/topology", &["underlay-entity", "underlay-inventory"]),
    ("entity", &[]),
    ("migration", &[]),
];

/// The layers from top to bottom. Layers in the same row do not know each other.
const LAYERS: [&[&str]; 11] = [
    &["http"],
    &["api"],
    &["kinds"],
    &["hosts", "sources", "secrets"],
    &["read", "topology", "write"],
    &["feed"],
    &["inventory"],
    &["store"],
    &["access"],
    &["runtime"],
    &["error"],
];
/// The layers that are crates of their own, each with the name that other crates use.
const CRATES_OF_LAYERS: [(&str, &str); 3] =
    [("error", "underlay_error"), ("inventory", "underlay_inventory"), ("topology", "underlay_topology")];
/// The folders that must do their work without knowing any kind.
const ENGINE: [&str; 15] = [
    "src/http",
    "src/api",
    "src/sources",
    "src/secrets",
    "src/read",
    "crates/topology",
    "src/write",
    "src/feed",
    "crates/inventory",
    "src/store",
    "src/access",
    "src/runtime",
    "crates/error",
    "crates/drawing",
    "crates/durable",
];
/// Names of kinds that are also terms of the engine. A batch is written in the name of a source, which owns the fields
/// that it set, whether or not there is an object for it. The host of a URL is that of HTTP, and a guest has a host.
const TERMS_OF_THE_ENGINE: [&str; 4] = ["source", "sources", "host", "hosts"];
/// The modules besides the layers, and the modules that each may use.
fn beside(path: &str) -> Option<&'static [&'static str]> {
    const ALL: &[&str] = &[
        "http",
        "api",
        "kinds",
        "hosts",
        "sources",
        "secrets",
        "read",
        "topology",
        "write",
        "feed",
        "inventory",
        "store",
        "access",
        "runtime",
        "error",
        "app",
        "cli",
        "config",
    ];
    match path {
        "src/lib.rs" | "src/main.rs" => Some(ALL),
        "src/app.rs" => Some(ALL),
        path if path.starts_with("src/config/") => Some(&["store", "access", "http", "secrets", "write"]),
        "src/cli/config.rs" => Some(&["config"]),
        "src/cli/serve.rs" => Some(&["app", "access", "config", "store"]),
        "src/cli/token.rs" | "src/cli/credentials.rs" => Some(&["access", "cli"]),
        "src/cli/schema.rs" => Some(&["api"]),
        // These work on the database itself, not through a server.
        "src/cli/database.rs" => Some(&["config", "store"]),
        path if path.starts_with("src/cli/backup/") => Some(&["config", "kinds", "store", "cli"]),
        path if path.starts_with("src/cli/doctor/") => Some(&["config", "feed", "inventory", "kinds", "store", "cli"]),
        // The format of an export is a part of the API.
        path if ["export", "apply", "sync"].iter().any(|it| path.starts_with(&format!("src/cli/{it}/"))) => {
            Some(&["api", "kinds", "inventory", "error", "cli"])
        }
        // A client of the API like any other, but for what manifests must know of the kinds.
        path if path.starts_with("src/cli/") => Some(&["kinds", "inventory", "error", "cli"]),
        _ => None,
    }
}

#[test]
fn no_layer_uses_one_above_it() {
    let sources = sources("src");
    let macros = macros(&sources);
    let height = |name: &str| LAYERS.iter().position(|row| row.contains(&name));
    let mut wrong = Vec::new();
    for source in &sources {
        let own = module(&source.path);
        for used in used(source, &macros) {
            let fits = match beside(&source.path) {
                Some(allowed) => allowed.contains(&used.as_str()),
                None => match (height(own), height(&used)) {
                    (Some(own), Some(used)) => used > own,
                    _ => false,
                },
            };
            if used != own && !fits {
                wrong.push(format!("{} uses {used}", source.path));
            }
        }
    }
    assert!(wrong.is_empty(), "against the drawing: {wrong:#?}");
}

#[test]
fn the_engine_names_no_kind() {
    let names = names_of_kinds();
    let mut wrong = Vec::new();
    for source in ENGINE.iter().flat_map(|folder| sources(folder)) {
        for token in &source.tokens {
            let (Token::Word(text) | Token::Text(text)) = token else { continue };
            if names.contains(&plain(text)) && !TERMS_OF_THE_ENGINE.contains(&plain(text).as_str()) {
                wrong.push(format!("{}: {text}", source.path));
            }
        }
    }
    assert!(wrong.is_empty(), "kinds that the engine names: {wrong:#?}");
}

/// The rows of kinds that the layer of orders reads besides those that all kinds share.
const ROWS_OF_ORDERS: [&str; 2] = ["host", "profile"];

#[test]
fn rows_are_known_to_kinds_and_engine_only() {
    let kinds = names_of_kinds();
    let mut wrong = Vec::new();
    for source in sources("src") {
        let own = module(&source.path);
        for module in after(&source, "underlay_entity") {
            let engine = ["hosts", "sources", "secrets", "read", "write", "feed", "store"].contains(&own);
            let is_of_orders = own == "hosts" && ROWS_OF_ORDERS.contains(&module.as_str());
            let of_a_kind = kinds.contains(&plain(&module)) && !is_of_orders;
            if own != "kinds" && (of_a_kind || !engine) {
                wrong.push(format!("{} uses underlay_entity::{module}", source.path));
            }
        }
    }
    assert!(wrong.is_empty(), "rows of kinds belong to the kinds: {wrong:#?}");
}

#[test]
fn a_crate_uses_only_those_below_it() {
    /// The part of a manifest that is looked at.
    #[derive(Deserialize)]
    struct Manifest {
        #[serde(default)]
        dependencies: BTreeMap<String, IgnoredAny>,
    }

    for (folder, allowed) in CRATES {
        let manifest = Toml::file_exact(repository().join(folder).join("Cargo.toml"));
        let manifest: Manifest = Figment::from(manifest).extract().expect("a manifest");
        let used = manifest.dependencies.keys().filter(|name| name.starts_with("underlay"));
        assert_eq!(used.collect::<Vec<_>>(), allowed, "{folder}: the crates of ours that it uses");
    }
}

#[test]
fn every_crate_is_in_the_list_of_layers() {
    for above in ["adapters", "crates"] {
        let folders = std::fs::read_dir(repository().join(above)).expect("the crates").flatten();
        let there: BTreeSet<String> =
            folders.map(|it| format!("{above}/{}", it.file_name().to_string_lossy())).collect();
        let known = CRATES.iter().map(|(folder, _)| (*folder).to_owned()).filter(|it| it.starts_with(above));
        assert_eq!(there, known.collect(), "crates, and those that CRATES lists");
    }
}

/// The names of all kinds, one object and several, in the form that `plain` gives.
fn names_of_kinds() -> BTreeSet<String> {
    let registry = underlay::kinds::registry();
    registry.kinds().flat_map(|kind| [plain(kind.name), plain(&kind.plural())]).collect()
}

/// A name in whatever case: `PowerFeed`, `powerFeed`, `POWER_FEED` and `power_feed` are one.
fn plain(name: &str) -> String {
    name.replace('_', "").to_lowercase()
}

/// The module of the crate that a file belongs to: `src/read/page.rs` is of `read`.
fn module(path: &str) -> &str {
    let inner = path.trim_start_matches("src/");
    inner.split('/').next().unwrap_or(inner).trim_end_matches(".rs")
}

/// The modules of the crate that a file uses: after `crate::`, `$crate::` and `super::` where that leaves the module.
fn used(source: &Source, macros: &BTreeMap<String, String>) -> BTreeSet<String> {
    let mut found = BTreeSet::new();
    for name in after(source, "crate") {
        found.insert(macros.get(&name).cloned().unwrap_or(name));
    }
    for (layer, name) in CRATES_OF_LAYERS {
        if !after(source, name).is_empty() {
            found.insert(layer.to_owned());
        }
    }
    let parts =
        source.path.trim_start_matches("src/").trim_end_matches(".rs").trim_end_matches("/mod").split('/').count();
    let mut supers = 0;
    for (place, token) in source.tokens.iter().enumerate() {
        match token {
            Token::Word(word) if word == "super" => supers += 1,
            Token::Mark(':') => {}
            Token::Word(word) if supers >= parts && source.tokens[place - 1] == Token::Mark(':') => {
                found.insert(word.clone());
                supers = 0;
            }
            _ => supers = 0,
        }
    }
    found
}

/// The first names of the paths that begin with a word: of `crate::{demo, read::Page}` these are `demo` and `read`.
fn after(source: &Source, start: &str) -> Vec<String> {
    let path = |place: usize| {
        let marks = [Token::Mark(':'), Token::Mark(':')];
        source.tokens[place] == Token::Word(start.to_owned()) && source.tokens[place + 1..].starts_with(&marks)
    };
    let mut names = Vec::new();
    for place in (0..source.tokens.len()).filter(|place| path(*place)) {
        let rest = &source.tokens[place + 3..];
        match rest.first() {
            Some(Token::Word(name)) => names.push(name.clone()),
            Some(Token::Mark('{')) => names.extend(group(rest)),
            _ => {}
        }
    }
    names
}

/// The first names in a group of a `use`.
fn group(tokens: &[Token]) -> Vec<String> {
    let mut names = Vec::new();
    let (mut depth, mut begins) = (0, true);
    for token in tokens {
        match token {
            Token::Mark('{') => depth += 1,
            Token::Mark('}') => depth -= 1,
            Token::Mark(',') if depth == 1 => begins = true,
            Token::Word(name) if depth == 1 && begins => {
                names.push(name.clone());
                begins = false;
            }
            _ => {}
        }
        if depth == 0 {
            break;
        }
    }
    names
}

/// Exported macros stand at the root of the crate, wherever they are written: each with the module that it is of.
fn macros(sources: &[Source]) -> BTreeMap<String, String> {
    let mut macros = BTreeMap::new();
    for source in sources {
        for words in source.tokens.windows(3) {
            if let [Token::Word(first), Token::Mark('!'), Token::Word(name)] = words
                && first == "macro_rules"
            {
                macros.insert(name.clone(), module(&source.path).to_owned());
            }
        }
    }
    macros
}
