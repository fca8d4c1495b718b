//! Modules that use each other in a cycle cannot be understood one after the other. So within each folder of `src` and
//! of every crate, the modules use each other without a cycle, except for those that `EXCEPTIONS` lists.
//!
//! A folder counts as one module of the folder that it is in. What stands in its `mod.rs` or `lib.rs` belongs to the
//! folder itself: a type there may be used by every module of the folder. A name that `mod.rs` only passes on counts as
//! a use of the module that it comes from.

use std::collections::{BTreeMap, BTreeSet};

use petgraph::algo::tarjan_scc;
use petgraph::graph::DiGraph;

use super::crates;
use super::source::{Source, Token, sources};

/// Cycles that are allowed, for one reason.
struct Exception {
    reason: &'static str,
    /// The folder of each cycle, and the modules in it.
    cycles: &'static [(&'static str, &'static [&'static str])],
}

/// The module with the declaration of a kind. It is what its folder is about, so every module of the folder may use it, as
/// it may use what stands in `mod.rs`; and it names the rules of the kind and its role in topology.
const DECLARATION: &str = "kind";

/// The cycles that are there. A cycle that ends must be taken from the list.
const EXCEPTIONS: [Exception; 6] = [
    Exception {
        reason: "Kinds refer to each other in both directions, as the API does: a site lists its racks, and a rack names its site. The grammar that all kinds share answers with changes and traces, which show objects of every kind, and takes references to them.",
        cycles: &[
            (
                "crates/kinds/src",
                &[
                    "appliance",
                    "applied",
                    "apply",
                    "cable",
                    "changes",
                    "circuit",
                    "circuit_termination",
                    "cluster",
                    "control",
                    "credential",
                    "device",
                    "grammar",
                    "host",
                    "host_class",
                    "link",
                    "list",
                    "location",
                    "object_arguments",
                    "port",
                    "power_feed",
                    "profile",
                    "provider",
                    "provider_network",
                    "rack",
                    "region",
                    "site",
                    "trace",
                    "virtual_machine",
                ],
            ),
            ("crates/kinds/src", &["runs", "source"]),
        ],
    },
    Exception {
        reason: "A part of an object, such as the end of a cable, is described by the type of the object, which contains the part.",
        cycles: &[
            ("crates/kinds/src/cable", &["ends", "lanes", "node"]),
            ("crates/kinds/src/device", &["node", "placement"]),
            ("crates/kinds/src/host", &["machine", "node", "wanted"]),
            ("crates/kinds/src/link", &["ends", "node"]),
            ("crates/kinds/src/power_feed", &["node", "source"]),
        ],
    },
    Exception {
        reason: "The `Store` owns its parts, such as the clock and the state of writing, and each part uses the connections of the store.",
        cycles: &[(
            "crates/engine/src/store",
            &[
                "clock",
                "commit",
                "connection",
                "error",
                "insert",
                "listen",
                "migrate",
                "table",
                "transaction",
                "trouble",
            ],
        )],
    },
    Exception {
        reason: "The description of a kind holds functions on snapshots, and a snapshot is made of tables of described kinds.",
        cycles: &[("crates/inventory/src", &["check", "kind", "snapshot", "table", "texts"])],
    },
    Exception {
        reason: "A graph that is discovered lazily finds its edges by rules that look at the nodes found so far.",
        cycles: &[
            ("crates/topology/src/impact/network", &["condition", "edges", "graph", "lines"]),
            ("crates/topology/src/path", &["graph", "logical", "neighbours"]),
        ],
    },
    Exception {
        reason: "The mapping of an object reads what was joined of objects before it, and the joined facts are parts of drafts that the mapping makes.",
        cycles: &[("adapters/netbox/src", &["context", "draft", "map"])],
    },
];

#[test]
fn modules_of_a_folder_use_each_other_without_a_cycle() {
    let mut found = BTreeMap::new();
    // Each of these is read with its own `crate::`.
    let folders = crates::folders().map(|folder| format!("{folder}/src"));
    for folder in folders.chain(["src".to_owned()]) {
        for (module, graph) in Crate::read(&folder).graphs() {
            for cycle in graph.cycles() {
                let path = std::iter::once(folder.as_str()).chain(module.iter().map(String::as_str));
                let uses: Vec<String> = graph.uses_among(&cycle).into_iter().cloned().collect();
                found.insert((path.collect::<Vec<_>>().join("/"), cycle), uses);
            }
        }
    }
    let mut ended = Vec::new();
    for Exception { reason, cycles } in EXCEPTIONS {
        for (folder, modules) in cycles {
            let cycle = modules.iter().map(|module| (*module).to_owned()).collect();
            if found.remove(&((*folder).to_owned(), cycle)).is_none() {
                ended.push(format!("{folder}: {modules:?} ({reason})"));
            }
        }
    }
    assert!(
        ended.is_empty() && found.is_empty(),
        "modules that use each other in a cycle: {found:#?}; listed, but no cycles any more: {ended:#?}"
    );
}

/// A module of a crate, as the names on the way to it from the root.
type Path = Vec<String>;

/// The modules of one crate.
struct Crate {
    sources: BTreeMap<Path, Source>,
    /// The modules that folders hold, the root among them.
    folders: BTreeSet<Path>,
    /// For each module, the names that it takes in by `use`, with the paths that they stand for.
    names: BTreeMap<Path, BTreeMap<String, Path>>,
    /// The modules of exported macros, which stand at the root of the crate wherever they are written.
    macros: BTreeMap<String, Path>,
}

impl Crate {
    fn read(folder: &str) -> Self {
        let mut read = Self {
            sources: BTreeMap::new(),
            folders: BTreeSet::from([Path::new()]),
            names: BTreeMap::new(),
            macros: BTreeMap::new(),
        };
        for source in sources(folder) {
            let inner = source.path.trim_start_matches(folder).trim_start_matches('/').trim_end_matches(".rs");
            let mut path: Path = inner.split('/').map(str::to_owned).collect();
            if path.last().is_some_and(|last| ["mod", "lib", "main"].contains(&last.as_str())) {
                path.pop();
            }
            for length in 0..path.len() {
                read.folders.insert(path[..length].to_vec());
            }
            for name in macros(&source) {
                read.macros.insert(name, path.clone());
            }
            // The program has its `main.rs` beside `lib.rs`, and uses the library as others do.
            if !source.path.ends_with("/main.rs") {
                read.sources.insert(path, source);
            }
        }
        let names: Vec<_> =
            read.sources.iter().map(|(path, source)| (path.clone(), read.imports(path, source))).collect();
        read.names.extend(names);
        read
    }

    /// The names that a module takes in by `use`.
    fn imports(&self, module: &Path, source: &Source) -> BTreeMap<String, Path> {
        let mut names = BTreeMap::new();
        for (at, token) in source.tokens.iter().enumerate() {
            if *token == Token::Word("use".to_owned()) {
                for written in paths(&source.tokens[at + 1..]) {
                    let known = self.absolute(module, &written, true);
                    names.extend(known.zip(written.last()).map(|(path, name)| (name.clone(), path)));
                }
            }
        }
        names
    }

    /// The modules that a source uses, by every path in it that begins at the crate or at a module around it.
    fn used(&self, module: &Path, source: &Source) -> BTreeSet<Path> {
        let starts =
            |token: &Token| matches!(token, Token::Word(word) if ["crate", "super", "self"].contains(&word.as_str()));
        let mut used = BTreeSet::new();
        for (at, token) in source.tokens.iter().enumerate() {
            // In the middle of a path stands `super` only after another one.
            let begins = starts(token) && (at == 0 || source.tokens[at - 1] != Token::Mark(':'));
            if begins {
                let written = paths(&source.tokens[at..]);
                used.extend(
                    written.iter().filter_map(|written| self.absolute(module, written, false)).map(|it| self.home(it)),
                );
            }
        }
        used
    }

    /// A path from the root of the crate, for one that is written in a module.
    fn absolute(&self, module: &Path, written: &[String], in_use: bool) -> Option<Path> {
        let mut path = module.clone();
        let mut rest = written;
        match rest.first()?.as_str() {
            "crate" => path.clear(),
            "super" | "self" => {}
            first => {
                path.push(first.to_owned());
                // Without a start, only the name of a module within is one of ours.
                return (in_use && self.sources.contains_key(&path)).then(|| [module.as_slice(), written].concat());
            }
        }
        while let Some(first) = rest.first() {
            match first.as_str() {
                "crate" | "self" => {}
                "super" => drop(path.pop()),
                _ => break,
            }
            rest = &rest[1..];
        }
        path.extend(rest.iter().cloned());
        Some(path)
    }

    /// The module that holds what a path names, through the names that modules pass on.
    fn home(&self, path: Path) -> Path {
        let mut path = path;
        // Names that pass each other on would never end.
        for _ in 0..16 {
            let known = (0..=path.len()).rev().find(|length| self.sources.contains_key(&path[..*length]));
            let (module, rest) = path.split_at(known.unwrap_or_default());
            let Some(name) = rest.first() else { return path };
            let macros = self.macros.get(name).filter(|_| module.is_empty());
            let passed_on = self.names.get(module).and_then(|names| names.get(name)).or(macros);
            match passed_on {
                Some(next) if !next.starts_with(module) || next.len() > module.len() => {
                    let next = [next.as_slice(), &rest[1..]].concat();
                    if next == path {
                        return module.to_vec();
                    }
                    path = next;
                }
                _ => return module.to_vec(),
            }
        }
        path
    }

    /// For each folder, the uses among its modules.
    fn graphs(&self) -> Vec<(Path, Graph)> {
        let mut graphs: BTreeMap<Path, Graph> = BTreeMap::new();
        for (module, source) in &self.sources {
            for used in self.used(module, source) {
                let common = module.iter().zip(&used).take_while(|(left, right)| left == right).count();
                if let (Some(from), Some(to)) = (module.get(common), used.get(common))
                    && !(to == DECLARATION && source.path.starts_with("crates/kinds/"))
                {
                    let graph = graphs.entry(module[..common].to_vec()).or_default();
                    let uses = graph.0.entry((from.clone(), to.clone())).or_default();
                    uses.insert(format!("{} uses {}", source.path, used.join("::")));
                }
            }
        }
        graphs.into_iter().filter(|(folder, _)| self.folders.contains(folder)).collect()
    }
}

/// The uses among the modules of a folder: from which to which, and where they are written.
#[derive(Default)]
struct Graph(BTreeMap<(String, String), BTreeSet<String>>);

impl Graph {
    fn cycles(&self) -> Vec<Path> {
        let names: BTreeSet<&String> = self.0.keys().flat_map(|(from, to)| [from, to]).collect();
        let mut graph: DiGraph<&String, ()> = DiGraph::new();
        let nodes: BTreeMap<&String, _> = names.into_iter().map(|name| (name, graph.add_node(name))).collect();
        for (from, to) in self.0.keys() {
            graph.add_edge(nodes[from], nodes[to], ());
        }
        let cycles = tarjan_scc(&graph).into_iter().filter(|modules| modules.len() > 1);
        let sorted = cycles.map(|modules| {
            let mut names: Path = modules.into_iter().map(|module| graph[module].clone()).collect();
            names.sort_unstable();
            names
        });
        sorted.collect()
    }

    fn uses_among(&self, modules: &Path) -> Vec<&String> {
        let among = self.0.iter().filter(|((from, to), _)| modules.contains(from) && modules.contains(to));
        among.flat_map(|(_, uses)| uses).collect()
    }
}

/// The names of the macros that a source exports.
fn macros(source: &Source) -> Vec<String> {
    let names = source.tokens.windows(3).filter_map(|tokens| match tokens {
        [Token::Word(first), Token::Mark('!'), Token::Word(name)] if first == "macro_rules" => Some(name.clone()),
        _ => None,
    });
    names.collect()
}

/// The paths that begin here: of `a::{b, c::d}` these are `a::b` and `a::c::d`.
fn paths(tokens: &[Token]) -> Vec<Path> {
    let mut found = Vec::new();
    tree(tokens, &Path::new(), &mut found);
    found
}

/// Reads one tree of paths, and returns how many tokens it has.
fn tree(tokens: &[Token], before: &Path, found: &mut Vec<Path>) -> usize {
    let mut path = before.clone();
    let mut at = 0;
    loop {
        match tokens.get(at) {
            Some(Token::Word(word)) => {
                if word != "self" || path.is_empty() {
                    path.push(word.clone());
                }
                at += 1;
            }
            Some(Token::Mark('{')) if at > 0 => {
                at += 1;
                while !matches!(tokens.get(at), Some(Token::Mark('}')) | None) {
                    let length = tree(&tokens[at..], &path, found);
                    at += length.max(1);
                }
                return at + 1;
            }
            _ => break,
        }
        match tokens.get(at..at + 2) {
            Some([Token::Mark(':'), Token::Mark(':')]) => at += 2,
            _ => break,
        }
    }
    if path.len() > before.len() || at > 0 {
        found.push(path);
    }
    at
}

#[test]
fn paths_of_a_use_are_read() {
    let word = |text: &str| Token::Word(text.to_owned());
    let colons = [Token::Mark(':'), Token::Mark(':')];
    let group = [word("b"), Token::Mark(','), word("c"), colons[0].clone(), colons[1].clone(), word("d")];
    let tokens: Vec<_> = [word("a")]
        .into_iter()
        .chain(colons)
        .chain([Token::Mark('{')])
        .chain(group)
        .chain([Token::Mark('}'), Token::Mark(';'), word("e")])
        .collect();
    assert_eq!(paths(&tokens), [vec!["a".to_owned(), "b".to_owned()], vec!["a".into(), "c".into(), "d".into()]]);
}
