//! The layers of ARCHITECTURE.md that are folders of one crate: each uses only those below it. And only kinds name kinds.

use std::collections::BTreeSet;

use super::crates;
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
        rows: &[&["secrets", "sources"], &["write"], &["feed"], &["store"], &["access"], &["runtime"]],
    },
];
/// The folders that must do their work without knowing any kind, each with the names of kinds that are its own terms.
const WITHOUT_KINDS: [(&str, &[&str]); 16] = [
    // An order names the profile that is booted.
    ("crates/kinds/src/hosts", &["profile", "profiles"]),
    ("crates/read", &[]),
    // The library for configurations has profiles and providers, and a variable of Kubernetes has a port.
    ("crates/server", &["port", "profile", "provider", "providers"]),
    // The port of an address.
    ("crates/address", &["port"]),
    ("crates/client", &["port"]),
    ("crates/drawing", &[]),
    ("crates/durable", &[]),
    ("crates/engine", &[]),
    ("crates/error", &[]),
    ("crates/inventory", &[]),
    ("crates/json", &[]),
    ("crates/kind-derive", &[]),
    ("crates/persistent", &[]),
    // A database server has a port, and a wait names its location in the sources.
    ("crates/testing", &["location", "port"]),
    ("crates/topology", &[]),
    ("src", &[]),
];
/// Names of kinds that are also terms of all layers. A batch is written in the name of a source, which owns the fields
/// that it set, whether or not there is an object for it. The host of a URL is that of HTTP, and a guest has a host.
const TERMS_OF_ALL: [&str; 4] = ["source", "sources", "host", "hosts"];
/// Folders and files that name kinds, because they are about them.
const ABOUT_KINDS: [(&str, &str); 6] = [
    ("crates/kinds", "the kinds themselves"),
    ("crates/cli", "only where `COMMANDS_ABOUT_KINDS` lists it"),
    ("crates/demo", "the objects of the made-up fleet"),
    ("entity", "the rows of every kind"),
    ("migration", "the tables of every kind"),
    ("adapters", "the objects that an outside system has, and the hosts that controllers work on"),
];
/// The files of the command line that name kinds, or the folders. All others take names and columns from the registry.
const COMMANDS_ABOUT_KINDS: [(&str, &[&str]); 4] = [
    (
        "a command that is about one kind",
        &[
            "crates/cli/src/appliance/",
            "crates/cli/src/host/",
            "crates/cli/src/hosts/",
            "crates/cli/src/lib.rs",
            "crates/cli/src/secrets/",
        ],
    ),
    ("the columns of tables", &["crates/cli/src/show/columns.rs"]),
    (
        "words for lines, paths and graphs",
        &[
            "crates/cli/src/graph/",
            "crates/cli/src/object/end.rs",
            "crates/cli/src/paths/draw.rs",
            "crates/cli/src/spof.rs",
            "crates/cli/src/trace/draw.rs",
        ],
    ),
    (
        "a flag that is named after what it chooses, such as --site",
        &["crates/cli/src/demo/", "crates/cli/src/run/", "crates/cli/src/simulate.rs", "crates/cli/src/sync/"],
    ),
];
/// Names of kinds that are terms of the command line: the credentials of a client, and the providers of the library for
/// configurations.
const TERMS_OF_COMMANDS: [&str; 2] = ["credentials", "providers"];

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

#[test]
fn only_commands_about_kinds_name_them() {
    let names = names_of_kinds();
    let listed = || COMMANDS_ABOUT_KINDS.iter().flat_map(|(_, paths)| *paths);
    let (mut wrong, mut found) = (Vec::new(), BTreeSet::new());
    for source in sources("crates/cli/src") {
        let named: Vec<_> =
            named(&source, &names).into_iter().filter(|name| !TERMS_OF_COMMANDS.contains(&name.as_str())).collect();
        match listed().find(|path| source.path.starts_with(**path)) {
            Some(path) if !named.is_empty() => drop(found.insert(*path)),
            Some(_) => {}
            None => wrong.extend(named.iter().map(|name| format!("{}: {name}", source.path))),
        }
    }
    assert!(wrong.is_empty(), "kinds that commands name: {wrong:#?}");
    assert_eq!(found, listed().copied().collect(), "files and folders that name kinds, and those that are listed");
}

/// Every crate is about kinds or names none, so that a new one cannot be left out. The program has only commands.
#[test]
fn every_crate_is_about_kinds_or_names_none() {
    let there = crates::folders().filter(|folder| !folder.starts_with("adapters/"));
    let there: BTreeSet<&str> = there.chain(["adapters", "src"]).collect();
    let listed = WITHOUT_KINDS.map(|(folder, _)| folder).into_iter().chain(ABOUT_KINDS.map(|(folder, _)| folder));
    // Of the kinds, only the orders of hosts are without kinds.
    let listed: BTreeSet<&str> = listed.filter(|folder| *folder != "crates/kinds/src/hosts").collect();
    assert_eq!(there, listed);
}

/// The rows of kinds that the layer of orders reads besides those that all kinds share.
const ROWS_OF_ORDERS: [&str; 2] = ["host", "profile"];

#[test]
fn rows_of_kinds_are_known_to_kinds_only() {
    let kinds = names_of_kinds();
    let mut wrong = Vec::new();
    let below = ["crates/engine/src", "crates/inventory/src", "crates/read/src", "crates/topology/src"];
    let above = ["crates/cli/src", "crates/server/src", "src"];
    for source in below.into_iter().chain(above).chain(["crates/kinds/src/hosts"]).flat_map(sources) {
        let is_of_orders = source.path.starts_with("crates/kinds/src/hosts");
        for module in source.after("underlay_entity") {
            if kinds.contains(&plain(&module)) && !(is_of_orders && ROWS_OF_ORDERS.contains(&module.as_str())) {
                wrong.push(format!("{} uses underlay_entity::{module}", source.path));
            }
        }
    }
    assert!(wrong.is_empty(), "rows of kinds belong to the kinds: {wrong:#?}");
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
