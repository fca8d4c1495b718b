//! The error codes of the API stand in one table: no other source of the server spells one out, and the documents list
//! all of them.

use std::fs;

use underlay_error::Code;

use super::source::{Token, repository, sources};

#[test]
fn the_documents_list_every_code_with_its_status_and_meaning() {
    let text = fs::read_to_string(repository().join("docs/errors.md")).expect("the document");
    let listed: Vec<&str> = text.lines().filter(|line| line.starts_with("| `")).collect();
    let row = |code: &Code| format!("| `{code}` | {} | {} |", code.status(), code.meaning());
    assert_eq!(listed, Code::ALL.iter().map(row).collect::<Vec<_>>(), "docs/errors.md");
}

#[test]
fn no_code_is_spelled_out_beside_the_table() {
    let mut wrong = Vec::new();
    let folders = ["src", "crates/cli", "crates/engine", "crates/inventory", "crates/kinds", "crates/read"];
    for source in folders.into_iter().chain(["crates/server", "crates/topology"]).flat_map(sources) {
        for token in &source.tokens {
            if let Token::Text(text) = token
                && text.parse::<Code>().is_ok()
            {
                wrong.push(format!("{}: {text}", source.path));
            }
        }
    }
    assert!(wrong.is_empty(), "codes as loose texts: {wrong:#?}");
}
