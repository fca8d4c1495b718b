//! The crates besides the program, from the top to the bottom of the house. A crate uses only crates below it: the
//! compiler sees to it that nothing else can be used, and this law to it that no manifest turns the order around.

use std::collections::{BTreeMap, BTreeSet};

use figment::Figment;
use figment::providers::{Format as _, Toml};
use serde::Deserialize;
use serde::de::IgnoredAny;

use super::source::repository;

/// The folders of the crates, from top to bottom. Crates in the same row do not know each other.
const ROWS: [&[&str]; 14] = [
    &["crates/cli", "crates/server"],
    &["adapters/ironic", "adapters/redfish"],
    &[
        "adapters/agent",
        "adapters/bcm",
        "adapters/boot-server",
        "adapters/exec",
        "adapters/files",
        "adapters/hosts",
        "adapters/milo",
        "adapters/netbox",
    ],
    &["crates/demo", "crates/kinds"],
    // A kubeconfig is YAML, which only the documents of the kit read within bounds.
    &["adapters/kit"],
    &["crates/client", "crates/drawing"],
    &["crates/read"],
    &["crates/engine", "crates/topology"],
    &["crates/inventory"],
    &["crates/boot", "crates/error", "crates/persistent"],
    &["crates/testing"],
    &["migration"],
    &["entity"],
    &["crates/address", "crates/durable", "crates/facts", "crates/firmware", "crates/json", "crates/kind-derive"],
];
/// The crates that must not know GraphQL, web servers or databases, each with the libraries that its manifest does not
/// name, not even for its tests.
const WITHOUT: [(&str, &[&str]); 5] = [
    ("crates/engine", &["async-graphql"]),
    ("crates/topology", &["async-graphql", "axum", "sea-orm"]),
    ("crates/inventory", &["async-graphql", "axum"]),
    ("crates/cli", &["sea-orm"]),
    ("crates/read", &["axum"]),
];

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
        manifest
    }

    /// Returns the names of all crates that are used, with those of tests.
    fn all(&self) -> impl Iterator<Item = &str> {
        [&self.dependencies, &self.dev_dependencies, &self.build_dependencies]
            .into_iter()
            .flat_map(|list| list.keys().map(String::as_str))
    }
}

/// Returns the folders of all crates besides the program.
pub fn folders() -> impl Iterator<Item = &'static str> {
    ROWS.into_iter().flatten().copied()
}

/// Returns the name of a crate of ours without the part that all have.
pub fn name_of(folder: &str) -> &str {
    folder.rsplit('/').next().unwrap_or(folder)
}

#[test]
fn a_crate_uses_only_crates_below_it() {
    let row = |name: &str| ROWS.iter().position(|row| row.iter().any(|folder| name_of(folder) == name));
    for folder in folders() {
        let own = row(name_of(folder)).expect("it is in a row");
        for used in Manifest::read(folder).all().filter_map(|name| name.strip_prefix("underlay-")) {
            let below = row(used).unwrap_or_else(|| panic!("{folder} uses {used}, which is in no row"));
            assert!(below > own, "{folder} uses {used}, which is not below it");
        }
    }
}

#[test]
fn crates_do_without_the_libraries_of_layers_above_them() {
    for (folder, libraries) in WITHOUT {
        let manifest = Manifest::read(folder);
        let used: Vec<&str> = manifest.all().filter(|name| libraries.contains(name)).collect();
        assert!(used.is_empty(), "{folder} uses {used:?}");
    }
}

/// Adapters and controllers are clients of a server like any other.
#[test]
fn adapters_use_nothing_of_a_server() {
    let of_servers = ["cli", "engine", "inventory", "kinds", "read", "server", "topology"];
    for folder in folders().filter(|folder| folder.starts_with("adapters/")) {
        let manifest = Manifest::read(folder);
        let used = manifest.all().filter_map(|name| name.strip_prefix("underlay-"));
        let used: Vec<&str> = used.filter(|name| of_servers.contains(name)).collect();
        assert!(used.is_empty(), "{folder} uses {used:?}");
    }
}

/// The programs are the server, which `cargo run` starts, and the agent, which runs on machines without it.
#[test]
fn only_the_server_and_the_agent_are_programs() {
    let own = Toml::file_exact(repository().join("Cargo.toml"));
    let default: String = Figment::from(own).extract_inner("package.default-run").expect("a default program");
    assert_eq!(default, "underlay", "what cargo run starts");
    for folder in folders().filter(|folder| *folder != "adapters/agent") {
        let folder = repository().join(folder);
        assert!(!folder.join("src/main.rs").exists() && !folder.join("src/bin").exists(), "{}", folder.display());
        let manifest = Toml::file_exact(folder.join("Cargo.toml"));
        assert!(Figment::from(manifest).find_value("bin").is_err(), "{} has a program", folder.display());
    }
}

#[test]
fn every_crate_is_in_a_row() {
    for above in ["adapters", "crates"] {
        let there = std::fs::read_dir(repository().join(above)).expect("the crates").flatten();
        let there: BTreeSet<String> = there.map(|it| format!("{above}/{}", it.file_name().to_string_lossy())).collect();
        let known = folders().filter(|folder| folder.starts_with(above)).map(str::to_owned).collect();
        assert_eq!(there, known, "crates, and those that ROWS lists");
    }
}
