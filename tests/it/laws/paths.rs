//! The documents name only existing files.

use std::fs;

use super::source::repository;

/// The folders at the root of the repository that the documents can name.
const FOLDERS: [&str; 10] =
    ["src", "crates", "entity", "migration", "adapters", "tests", "benches", ".ci", "deploy", "docs"];
/// The endings of the names of files at the root.
const ENDINGS: [&str; 5] = [".md", ".toml", ".graphql", ".rs", ".lock"];

#[test]
fn every_path_in_the_documents_exists() {
    for document in [
        "README.md",
        "ARCHITECTURE.md",
        "CONTRIBUTING.md",
        "docs/api.md",
        "docs/command-line.md",
        "docs/errors.md",
        "docs/operation.md",
    ] {
        let text =
            fs::read_to_string(repository().join(document)).unwrap_or_else(|error| panic!("{document}: {error}"));
        let mut named = 0;
        for word in text.split(|it: char| !(it.is_alphanumeric() || "./_-".contains(it))) {
            let path = word.trim_end_matches('.');
            let is_path = match path.split_once('/') {
                Some((folder, _)) => FOLDERS.contains(&folder),
                None => ENDINGS.iter().any(|ending| path.ends_with(ending) && path != *ending),
            };
            if is_path {
                let there = repository().join(path).exists();
                assert!(there, "{document} names {path}, which is not there");
                named += 1;
            }
        }
        assert!(named > 0, "{document} names no path: are they still found?");
    }
}
