//! The crates besides the server's: those of ours that each uses, and the parts of the server that use it.
//!
//! The manifests say the first, so that no crate can use another one that is not listed here. The sources say the
//! second. Both lists are exact: what is not used any more must be taken from them.

use std::collections::{BTreeMap, BTreeSet};

use figment::Figment;
use figment::providers::{Format as _, Toml};
use serde::Deserialize;
use serde::de::IgnoredAny;

use super::source::{repository, sources};

/// A crate of ours.
pub struct Ours {
    pub folder: &'static str,
    /// The crates of ours that it uses.
    uses: &'static [&'static str],
    /// The crates of ours that only its tests use.
    tests_use: &'static [&'static str],
    used_by: Users,
}

/// The parts of the server that use a crate.
enum Users {
    /// The crate is a layer of its own, and `layers.rs` says who may use it.
    Layers,
    /// The modules and files below `src`, or those within these folders.
    Only(&'static [&'static str]),
}
use Users::{Layers, Only};

/// The crates besides the server's.
pub const CRATES: [Ours; 23] = [
    tested("adapters/bcm", &["kit"], Only(&["cli"])),
    tested("adapters/exec", &["kit"], Only(&["cli"])),
    of("adapters/files", &["kit"], Only(&["cli"])),
    tested("adapters/hosts", &["address", "client", "kit"], Only(&["cli"])),
    tested("adapters/ironic", &["address", "hosts", "kit"], Only(&["cli"])),
    // A kubeconfig is YAML, which only the documents of the kit read within bounds.
    tested("adapters/kit", &["client", "durable", "json"], Only(&["cli", "kinds/credential/secrets/kubeconfig.rs"])),
    of("adapters/milo", &["kit"], Only(&["cli"])),
    tested("adapters/netbox", &["kit"], Only(&["cli"])),
    tested("adapters/redfish", &["address", "hosts", "kit"], Only(&["cli"])),
    of("crates/address", &[], Only(&["app.rs", "cli", "config", "hosts", "http", "kinds"])),
    of("crates/client", &[], Only(&["cli"])),
    of("crates/demo", &[], Only(&["app.rs", "cli"])),
    of("crates/drawing", &[], Only(&["http", "kinds/trace"])),
    of("crates/durable", &[], Only(&["cli"])),
    tested("crates/engine", &["durable", "entity", "error", "inventory", "migration"], Layers),
    of("crates/error", &[], Layers),
    of("crates/inventory", &["entity", "error", "persistent"], Layers),
    of("crates/json", &[], Only(&["http"])),
    of("crates/persistent", &[], Only(&[])),
    of("crates/testing", &[], Only(&[])),
    of("crates/topology", &["entity", "inventory"], Layers),
    of("entity", &[], Only(&["hosts", "kinds", "read"])),
    Ours { tests_use: &["entity"], ..of("migration", &[], Only(&[])) },
];

const fn of(folder: &'static str, uses: &'static [&'static str], used_by: Users) -> Ours {
    Ours { folder, uses, tests_use: &[], used_by }
}

/// A crate whose tests use the tools of all tests.
const fn tested(folder: &'static str, uses: &'static [&'static str], used_by: Users) -> Ours {
    Ours { tests_use: &["testing"], ..of(folder, uses, used_by) }
}

/// The part of a manifest that is looked at.
#[derive(Deserialize)]
#[serde(rename_all = "kebab-case")]
struct Manifest {
    #[serde(default)]
    dependencies: BTreeMap<String, IgnoredAny>,
    #[serde(default)]
    dev_dependencies: BTreeMap<String, IgnoredAny>,
    #[serde(default)]
    build_dependencies: BTreeMap<String, IgnoredAny>,
    /// Dependencies of single systems would be further lists of this kind.
    target: Option<IgnoredAny>,
}

impl Manifest {
    fn read(folder: &str) -> Self {
        let manifest = Toml::file_exact(repository().join(folder).join("Cargo.toml"));
        let manifest: Self = Figment::from(manifest).extract().expect("a manifest");
        assert!(manifest.target.is_none(), "{folder}: the law does not read the dependencies of single systems");
        assert!(ours(&manifest.build_dependencies).is_empty(), "{folder}: what is built with crates of ours");
        manifest
    }
}

/// The names of our crates among these.
fn ours(dependencies: &BTreeMap<String, IgnoredAny>) -> Vec<&str> {
    dependencies.keys().filter_map(|name| name.strip_prefix("underlay-")).collect()
}

/// Returns the name of a crate of ours without the part that all have.
pub fn name_of(folder: &str) -> &str {
    folder.rsplit('/').next().unwrap_or(folder)
}

#[test]
fn a_crate_uses_only_those_that_are_listed() {
    for Ours { folder, uses, tests_use, .. } in CRATES {
        let manifest = Manifest::read(folder);
        assert_eq!(ours(&manifest.dependencies), uses, "{folder}: the crates of ours that it uses");
        assert_eq!(ours(&manifest.dev_dependencies), tests_use, "{folder}: the crates of ours that its tests use");
    }
}

/// `cargo run` must know which program to run, so there is only one.
#[test]
fn only_the_server_is_a_program() {
    for Ours { folder, .. } in CRATES {
        let folder = repository().join(folder);
        assert!(!folder.join("src/main.rs").exists() && !folder.join("src/bin").exists(), "{}", folder.display());
        let manifest = Toml::file_exact(folder.join("Cargo.toml"));
        assert!(Figment::from(manifest).find_value("bin").is_err(), "{} has a program", folder.display());
    }
}

#[test]
fn the_server_uses_a_crate_only_where_it_is_listed() {
    let sources = sources("src");
    let mut used = BTreeSet::new();
    for Ours { folder, used_by, .. } in CRATES {
        let word = format!("underlay_{}", name_of(folder));
        let files: Vec<&str> =
            sources.iter().filter(|source| source.has(&word)).map(|source| &source.path["src/".len()..]).collect();
        if !files.is_empty() {
            used.insert(name_of(folder));
        }
        let Only(allowed) = used_by else { continue };
        let within = |file: &str, allowed: &str| {
            file.strip_prefix(allowed).is_some_and(|rest| rest.is_empty() || rest.starts_with('/'))
        };
        for file in &files {
            assert!(allowed.iter().any(|it| within(file, it)), "src/{file} uses {word}, but only {allowed:?} may");
        }
        for allowed in allowed {
            assert!(files.iter().any(|file| within(file, allowed)), "src/{allowed} does not use {word} any more");
        }
    }
    let manifest = Manifest::read(".");
    let declared: BTreeSet<&str> = ours(&manifest.dependencies).into_iter().collect();
    assert_eq!(declared, used, "the crates of ours that the server's manifest names, and those that its sources use");
    let of_tests = ours(&manifest.dev_dependencies);
    let expected = ["migration", "testing"];
    assert_eq!(of_tests, expected, "besides what the server uses, tests run single migrations and use tools");
}

#[test]
fn every_crate_is_listed() {
    for above in ["adapters", "crates"] {
        let folders = std::fs::read_dir(repository().join(above)).expect("the crates").flatten();
        let there: BTreeSet<String> =
            folders.map(|it| format!("{above}/{}", it.file_name().to_string_lossy())).collect();
        let known = CRATES.iter().map(|it| it.folder.to_owned()).filter(|it| it.starts_with(above));
        assert_eq!(there, known.collect(), "crates, and those that CRATES lists");
    }
}
