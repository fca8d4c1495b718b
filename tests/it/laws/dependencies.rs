//! The dependency tree contains only what `deny.toml` allows. It is the tree that cargo resolves for this machine,
//! without network and without `cargo deny`, which also checks other platforms.

use std::collections::{BTreeMap, BTreeSet};
use std::process::Command;

use figment::Figment;
use figment::providers::{Format as _, Toml};
use serde::Deserialize;

use super::crates::{self, name_of};
use super::source::repository;

/// The parts of `deny.toml` that are checked here.
#[derive(Deserialize)]
struct Rules {
    licenses: Licenses,
    bans: Bans,
    sources: Sources,
}

#[derive(Deserialize)]
struct Licenses {
    allow: BTreeSet<String>,
    exceptions: Vec<Exception>,
}

#[derive(Deserialize)]
struct Exception {
    #[serde(rename = "crate")]
    name: String,
    allow: BTreeSet<String>,
}

#[derive(Deserialize)]
struct Bans {
    deny: Vec<Ban>,
}

#[derive(Deserialize)]
struct Ban {
    #[serde(rename = "crate")]
    name: String,
    /// It may be there, but once.
    #[serde(rename = "deny-multiple-versions", default)]
    is_for_the_second: bool,
}

#[derive(Deserialize)]
#[serde(rename_all = "kebab-case")]
struct Sources {
    allow_registry: BTreeSet<String>,
}

#[derive(Deserialize)]
struct Lock {
    package: Vec<Locked>,
}

#[derive(Deserialize)]
struct Locked {
    name: String,
    source: Option<String>,
    checksum: Option<String>,
}

/// A crate that is built.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
struct Built {
    name: String,
    version: String,
    license: String,
}

fn rules() -> Rules {
    Figment::from(Toml::file_exact(repository().join("deny.toml"))).extract().expect("the rules")
}

/// Returns the crates that are built for this machine along these edges. A feature that only mentions a crate does not
/// add it.
fn built(edges: &str) -> BTreeSet<Built> {
    let mut tree = Command::new(env!("CARGO"));
    tree.current_dir(repository()).args(["tree", "--locked", "--offline", "--workspace"]);
    tree.args(["--prefix", "none", "--format", "{p}|{l}|", "--edges", edges]);
    let output = tree.output().expect("run cargo");
    let errors = String::from_utf8_lossy(&output.stderr);
    assert!(output.status.success(), "{errors}");
    let text = String::from_utf8(output.stdout).expect("names and licences");
    let of_line = |line: &str| {
        let [package, license, _] = line.split('|').collect::<Vec<_>>()[..] else { return None };
        let (name, version) = package.split_once(' ')?;
        let version = version.split(' ').next()?;
        Some(Built { name: name.to_owned(), version: version.to_owned(), license: license.to_owned() })
    };
    let built: BTreeSet<_> =
        text.lines().filter(|line| !line.is_empty()).map(|line| of_line(line).expect(line)).collect();
    assert!(built.len() > 100, "hardly anything is built: {built:?}");
    built
}

/// Returns true if an SPDX expression offers an allowed choice. A slash is an old way to write `OR`.
fn is_allowed(license: &str, allowed: &dyn Fn(&str) -> bool) -> bool {
    let text = license.replace('/', " OR ").replace('(', " ( ").replace(')', " ) ");
    let words: Vec<_> = text.split_whitespace().collect();
    let (fits, rest) = any(&words, allowed);
    fits && rest.is_empty() && !words.is_empty()
}

fn any<'a>(words: &'a [&'a str], allowed: &dyn Fn(&str) -> bool) -> (bool, &'a [&'a str]) {
    let (mut fits, mut rest) = all(words, allowed);
    while let ["OR", after @ ..] = rest {
        let (other, after) = all(after, allowed);
        (fits, rest) = (fits || other, after);
    }
    (fits, rest)
}

fn all<'a>(words: &'a [&'a str], allowed: &dyn Fn(&str) -> bool) -> (bool, &'a [&'a str]) {
    let (mut fits, mut rest) = one(words, allowed);
    while let ["AND", after @ ..] = rest {
        let (other, after) = one(after, allowed);
        (fits, rest) = (fits && other, after);
    }
    (fits, rest)
}

fn one<'a>(words: &'a [&'a str], allowed: &dyn Fn(&str) -> bool) -> (bool, &'a [&'a str]) {
    match words {
        ["(", inner @ ..] => match any(inner, allowed) {
            (fits, [")", rest @ ..]) => (fits, rest),
            (_, rest) => (false, rest),
        },
        [license, "WITH", exception, rest @ ..] => (allowed(&format!("{license} WITH {exception}")), rest),
        // "Or any later version" is also that version.
        [license, rest @ ..] => (allowed(license.trim_end_matches('+')), rest),
        [] => (false, words),
    }
}

#[test]
fn licences_are_parsed_as_spdx_defines() {
    let allowed = |license: &str| ["MIT", "ISC", "Apache-2.0 WITH LLVM-exception"].contains(&license);
    for good in ["MIT", "GPL-3.0 OR MIT", "GPL-3.0/MIT", "MIT AND ISC", "(GPL-3.0 OR MIT) AND (ISC OR X)", "MIT+"] {
        assert!(is_allowed(good, &allowed), "{good}");
    }
    assert!(is_allowed("Apache-2.0 WITH LLVM-exception OR GPL-3.0", &allowed));
    for bad in ["", "GPL-3.0", "MIT AND GPL-3.0", "(MIT OR ISC) AND X", "MIT X", "(MIT", "Apache-2.0", "MIT AND"] {
        assert!(!is_allowed(bad, &allowed), "{bad}");
    }
}

#[test]
fn every_licence_is_allowed() {
    let Licenses { allow, exceptions } = rules().licenses;
    for Built { name, license, .. } in built("normal,build,dev") {
        let own = exceptions.iter().filter(|exception| exception.name == name);
        let own: BTreeSet<_> = own.flat_map(|exception| &exception.allow).collect();
        let fits = |license: &str| allow.contains(license) || own.contains(&license.to_owned());
        assert!(is_allowed(&license, &fits), "{name}: {license:?} is not allowed by deny.toml");
    }
}

#[test]
fn no_banned_crate_is_built() {
    let built = built("normal,build,dev");
    let mut versions: BTreeMap<&str, BTreeSet<&str>> = BTreeMap::new();
    for Built { name, version, .. } in &built {
        versions.entry(name).or_default().insert(version);
    }
    let bans = rules().bans.deny;
    assert!(bans.iter().any(|ban| ban.name == "ring" && !ban.is_for_the_second), "ring is to be banned");
    for Ban { name, is_for_the_second } in bans {
        let found = versions.get(name.as_str()).cloned().unwrap_or_default();
        match is_for_the_second {
            // Of a name that is not there at all nobody would see that the ban bans nothing.
            true => assert_eq!(found.len(), 1, "{name}: {found:?}, but one version is to be there"),
            false => assert!(found.is_empty(), "{name} is banned, and built in {found:?}"),
        }
    }
}

#[test]
fn every_crate_is_from_an_allowed_source() {
    let allowed = rules().sources.allow_registry;
    let lock: Lock = Figment::from(Toml::file_exact(repository().join("Cargo.lock"))).extract().expect("the lock file");
    let ours: Vec<String> = crates::folders()
        .map(|folder| format!("underlay-{}", name_of(folder)))
        .chain(["underlay".to_owned()])
        .collect();
    for Locked { name, source, checksum } in lock.package {
        match source.as_deref().map(|source| source.strip_prefix("registry+")) {
            None => assert!(ours.contains(&name), "{name} is from a folder"),
            Some(Some(registry)) if allowed.contains(registry) => {
                assert!(checksum.is_some(), "{name} has no checksum");
            }
            Some(_) => panic!("{name} is from {source:?}"),
        }
    }
}
