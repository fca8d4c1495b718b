//! The layers of ARCHITECTURE.md: each uses only those below it, and only kinds name kinds.

use std::collections::{BTreeMap, BTreeSet};

use super::crates::CRATES;
use super::source::{Source, Token, sources};

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
/// The folders of the layers: those of the server, and those of the engine, which is a crate of its own.
const FOLDERS: [&str; 2] = ["src/", "crates/engine/src/"];
/// The layers that are crates of their own, each with the name that other crates use.
const CRATES_OF_LAYERS: [(&str, &str); 3] =
    [("error", "underlay_error"), ("inventory", "underlay_inventory"), ("topology", "underlay_topology")];
/// The files besides the layers, and the modules that they use. The first row that a file begins with counts, and each
/// row is exact.
const BESIDE: [(&str, &[&str]); 18] = [
    // The modules are only declared there, and the program runs the command line.
    ("src/lib.rs", &[]),
    ("src/main.rs", &[]),
    ("crates/engine/src/lib.rs", &[]),
    (
        "src/app.rs",
        &[
            "http",
            "api",
            "kinds",
            "hosts",
            "sources",
            "secrets",
            "write",
            "feed",
            "inventory",
            "store",
            "access",
            "runtime",
        ],
    ),
    ("src/config/", &["http", "secrets", "write", "store", "access"]),
    ("src/cli/config.rs", &["config"]),
    ("src/cli/serve.rs", &["app", "config", "store", "access"]),
    ("src/cli/token.rs", &["access"]),
    ("src/cli/credentials.rs", &["access"]),
    ("src/cli/schema.rs", &["api"]),
    // These work on the database itself, not through a server.
    ("src/cli/database.rs", &["config", "store"]),
    ("src/cli/test_times.rs", &["config"]),
    ("src/cli/backup/", &["kinds", "store"]),
    ("src/cli/doctor/", &["config", "kinds", "feed", "inventory", "store"]),
    // The format of an export is a part of the API, and these write or read it.
    ("src/cli/export/", &["api", "inventory"]),
    ("src/cli/apply/", &["api", "inventory", "error"]),
    ("src/cli/sync/", &["api", "kinds", "inventory", "error"]),
    // Clients of the API like any other, but for what they must know of the kinds.
    ("src/cli/", &["kinds", "inventory", "error"]),
];
/// The folders that must do their work without knowing any kind, each with the names of kinds that are its own terms.
const WITHOUT_KINDS: [(&str, &[&str]); 16] = [
    ("src/http", &[]),
    ("src/api", &[]),
    // An order names the profile that is booted.
    ("src/hosts", &["profile", "profiles"]),
    ("src/read", &[]),
    // The library for configurations has profiles and providers, and a variable of Kubernetes has a port.
    ("src/config", &["port", "profile", "provider", "providers"]),
    // The port of an address.
    ("crates/address", &["port"]),
    ("crates/client", &["port"]),
    ("crates/drawing", &[]),
    ("crates/durable", &[]),
    ("crates/engine", &[]),
    ("crates/error", &[]),
    ("crates/inventory", &[]),
    ("crates/json", &[]),
    ("crates/persistent", &[]),
    // A database server has a port, and a wait names its location in the sources.
    ("crates/testing", &["location", "port"]),
    ("crates/topology", &[]),
];
/// Names of kinds that are also terms of all layers. A batch is written in the name of a source, which owns the fields
/// that it set, whether or not there is an object for it. The host of a URL is that of HTTP, and a guest has a host.
const TERMS_OF_ALL: [&str; 4] = ["source", "sources", "host", "hosts"];
/// Folders and files that name kinds, because they are about them.
const ABOUT_KINDS: [(&str, &str); 6] = [
    ("src/kinds", "the kinds themselves"),
    ("src/cli", "only where `COMMANDS_ABOUT_KINDS` lists it"),
    ("crates/demo", "the objects of the made-up fleet"),
    ("entity", "the rows of every kind"),
    ("migration", "the tables of every kind"),
    ("adapters", "the objects that an outside system has, and the hosts that controllers work on"),
];
/// The files of the command line that name kinds, or the folders. All others take names and columns from the registry.
const COMMANDS_ABOUT_KINDS: [(&str, &[&str]); 4] = [
    (
        "a command that is about one kind",
        &["src/cli/appliance/", "src/cli/host/", "src/cli/hosts/", "src/cli/mod.rs", "src/cli/secrets/"],
    ),
    ("the columns of tables", &["src/cli/show/columns.rs"]),
    (
        "words for lines, paths and graphs",
        &[
            "src/cli/graph/",
            "src/cli/object/end.rs",
            "src/cli/paths/draw.rs",
            "src/cli/spof.rs",
            "src/cli/trace/draw.rs",
        ],
    ),
    (
        "a flag that is named after what it chooses, such as --site",
        &["src/cli/demo/", "src/cli/run/", "src/cli/simulate.rs", "src/cli/sync/"],
    ),
];
/// Names of kinds that are terms of the command line: the credentials of a client, and the providers of the library for
/// configurations.
const TERMS_OF_COMMANDS: [&str; 2] = ["credentials", "providers"];

#[test]
fn no_layer_uses_one_above_it() {
    let sources: Vec<Source> = FOLDERS.into_iter().flat_map(sources).collect();
    let macros = macros(&sources);
    let height = |name: &str| LAYERS.iter().position(|row| row.contains(&name));
    let mut wrong = Vec::new();
    let mut unused = BESIDE.map(|(_, allowed)| allowed.iter().copied().collect::<BTreeSet<&str>>());
    for source in &sources {
        let own = module(&source.path);
        let row = BESIDE.iter().position(|(path, _)| source.path.starts_with(path));
        for used in used(source, &macros).into_iter().filter(|used| used != own) {
            let fits = match row {
                Some(row) => unused[row].remove(used.as_str()) || BESIDE[row].1.contains(&used.as_str()),
                None => match (height(own), height(&used)) {
                    (Some(own), Some(used)) => used > own,
                    _ => false,
                },
            };
            if !fits {
                wrong.push(format!("{} uses {used}", source.path));
            }
        }
    }
    assert!(wrong.is_empty(), "against the drawing: {wrong:#?}");
    for ((path, _), unused) in BESIDE.iter().zip(unused) {
        assert!(unused.is_empty(), "{path} does not use {unused:?} any more");
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
    for source in sources("src/cli") {
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

/// Every part of the code is about kinds or names none, so that a new folder cannot be left out.
#[test]
fn every_folder_is_about_kinds_or_names_none() {
    let modules = sources("src").into_iter().map(|source| format!("src/{}", module(&source.path)));
    // The files at the top put the modules together.
    let modules = modules.filter(|it| !["src/app", "src/lib", "src/main"].contains(&it.as_str()));
    let folders = CRATES.iter().map(|it| it.folder.to_owned()).filter(|it| !it.starts_with("adapters/"));
    let there: BTreeSet<String> = modules.chain(folders).chain(["adapters".to_owned()]).collect();
    let listed = WITHOUT_KINDS.map(|(folder, _)| folder).into_iter().chain(ABOUT_KINDS.map(|(folder, _)| folder));
    let listed: BTreeSet<String> = listed.map(str::to_owned).collect();
    assert_eq!(there, listed);
}

/// The rows of kinds that the layer of orders reads besides those that all kinds share.
const ROWS_OF_ORDERS: [&str; 2] = ["host", "profile"];

#[test]
fn rows_of_kinds_are_known_to_kinds_only() {
    let kinds = names_of_kinds();
    let mut wrong = Vec::new();
    let all = ["src", "crates/engine/src", "crates/inventory/src", "crates/topology/src"];
    for source in all.into_iter().flat_map(sources) {
        let own = module(&source.path);
        for module in source.after("underlay_entity") {
            let is_of_orders = own == "hosts" && ROWS_OF_ORDERS.contains(&module.as_str());
            if own != "kinds" && kinds.contains(&plain(&module)) && !is_of_orders {
                wrong.push(format!("{} uses underlay_entity::{module}", source.path));
            }
        }
    }
    assert!(wrong.is_empty(), "rows of kinds belong to the kinds: {wrong:#?}");
}

/// The names of all kinds, one object and several, in the form that `plain` gives.
fn names_of_kinds() -> BTreeSet<String> {
    let registry = underlay::kinds::registry();
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

/// The path of a file within the sources of its crate.
fn inner(path: &str) -> &str {
    FOLDERS.into_iter().find_map(|folder| path.strip_prefix(folder)).unwrap_or(path)
}

/// The module of the crate that a file belongs to: `src/read/page.rs` is of `read`.
fn module(path: &str) -> &str {
    let inner = inner(path);
    inner.split('/').next().unwrap_or(inner).trim_end_matches(".rs")
}

/// The modules of the crate that a file uses: after `crate::`, `$crate::` and `super::` where that leaves the module.
fn used(source: &Source, macros: &BTreeMap<String, String>) -> BTreeSet<String> {
    let mut found = BTreeSet::new();
    for name in ["crate", "underlay_engine"].into_iter().flat_map(|start| source.after(start)) {
        found.insert(macros.get(&name).cloned().unwrap_or(name));
    }
    for (layer, name) in CRATES_OF_LAYERS {
        if source.has(name) {
            found.insert(layer.to_owned());
        }
    }
    let parts = inner(&source.path).trim_end_matches(".rs").trim_end_matches("/mod").split('/').count();
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
