//! Files that lie, lead away, or never answer.

use std::time::Duration;

use rustix::fs::{CWD, FileType, Mode, mknodat};
use underlay_agent::{Root, report};
use underlay_facts::Unread;

use crate::machines;
use crate::tree::Tree;

/// Returns what the system section of a tree could not read.
fn unread(tree: &Tree) -> Vec<(String, String)> {
    let unread = tree.report().sections.system.expect("a section").unread;
    unread.into_iter().map(|Unread { what, reason }| (what, reason)).collect()
}

fn one(what: &str, reason: &str) -> Vec<(String, String)> {
    vec![(what.to_owned(), reason.to_owned())]
}

#[test]
fn a_file_that_never_answers_costs_one_section() {
    let tree = machines::server();
    let pipe = "/sys/firmware/dmi/tables/DMI";
    std::fs::remove_file(tree.at(pipe)).expect("remove the table");
    mknodat(CWD, tree.at(pipe), FileType::Fifo, Mode::RUSR, 0).expect("a pipe");
    let report = report(&Root::tree(tree.path()).expect("a tree"), Duration::from_millis(1));
    let memory = report.sections.memory.expect("a section");
    assert!(!memory.complete && memory.found.modules.is_empty());
    let reasons: Vec<&str> = memory.unread.iter().map(|unread| unread.reason.as_str()).collect();
    assert_eq!(reasons, ["did not answer in time"]);
}

#[test]
fn a_tree_is_not_left_by_its_links() {
    let outside = Tree::new().file("/secret", "S3CR3T");
    let secret = outside.at("/secret");
    let name = "/sys/class/dmi/id/product_name";
    let tree = Tree::new().link(name, secret.to_str().expect("text"));
    assert_eq!(unread(&tree), one(name, "leads out of the tree"));
}

#[test]
fn a_file_that_is_too_long_is_not_read() {
    let name = "/sys/class/dmi/id/product_name";
    let at_bound = Tree::new().file(name, "ab".repeat(32 * 1024));
    assert_eq!(unread(&at_bound), []);
    let above = Tree::new().file(name, "ab".repeat(32 * 1024) + "a");
    assert_eq!(unread(&above), one(name, "is larger than 64 KiB"));
}
