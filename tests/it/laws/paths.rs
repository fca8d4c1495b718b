//! The documents name only existing files.

use std::fs;
use std::path::{Path, PathBuf};

use super::source::repository;

/// The folders that hold documents, each with all folders in it. The root's own documents are read too.
const DOCUMENTED: [&str; 5] = ["docs", "console", "deploy", "tests", "adapters"];
/// The folders within them that programs write, or that are of others.
const FOREIGN: [&str; 2] = ["node_modules", "dist"];
/// The document that tells what once was.
const CHANGES: &str = "CHANGELOG.md";
/// The folders at the root of the repository that the documents can name.
const FOLDERS: [&str; 11] =
    ["src", "crates", "entity", "migration", "adapters", "tests", "benches", ".ci", "deploy", "docs", "console"];
/// The endings of the names of files that are named without a folder.
const ENDINGS: [&str; 5] = [".md", ".toml", ".graphql", ".rs", ".lock"];
/// The files that a document tells people to make.
const MADE: [&str; 1] = ["sync.toml"];

#[test]
fn every_path_in_the_documents_exists() {
    let mut documents = Vec::new();
    find(repository(), false, &mut documents);
    DOCUMENTED.iter().for_each(|folder| find(&repository().join(folder), true, &mut documents));
    let mut named = 0;
    for document in documents {
        let (text, folder) = (fs::read_to_string(&document).expect("a document"), document.parent().expect("a folder"));
        for word in text.split(|it: char| !(it.is_alphanumeric() || "./_-".contains(it))) {
            let path = word.trim_end_matches('.');
            let is_path = match path.split_once('/') {
                Some((above, _)) => FOLDERS.contains(&above),
                None => ENDINGS.iter().any(|ending| path.ends_with(ending) && path != *ending),
            };
            if is_path && !MADE.contains(&path) {
                // A document beside what it describes names it from there.
                let there = [repository(), folder].iter().any(|from| from.join(path).exists());
                assert!(there, "{} names {path}, which is not there", document.display());
                named += 1;
            }
        }
    }
    assert!(named > 500, "the documents name {named} paths: are they still found?");
}

/// Adds the documents of a folder, with those of the folders in it if asked to.
fn find(folder: &Path, deep: bool, documents: &mut Vec<PathBuf>) {
    for entry in fs::read_dir(folder).expect("a folder").flatten() {
        let (path, name) = (entry.path(), entry.file_name());
        if path.is_dir() {
            if deep && !FOREIGN.iter().any(|it| name == *it) {
                find(&path, deep, documents);
            }
        } else if path.extension().is_some_and(|ending| ending == "md") && name != CHANGES {
            documents.push(path);
        }
    }
}
