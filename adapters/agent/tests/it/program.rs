//! The program as people run it.

use std::path::Path;
use std::process::{Command, Output};

use underlay_facts::{FORMAT, Report};

use crate::machines;
use crate::tree::Tree;

fn run(arguments: &[&str]) -> Output {
    Command::new(env!("CARGO_BIN_EXE_underlay-agent")).args(arguments).output().expect("the program runs")
}

#[track_caller]
fn printed(arguments: &[&str]) -> String {
    let output = run(arguments);
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    String::from_utf8(output.stdout).expect("text")
}

#[track_caller]
fn refused(arguments: &[&str]) -> String {
    let output = run(arguments);
    assert!(!output.status.success() && output.stdout.is_empty());
    String::from_utf8(output.stderr).expect("text")
}

fn text(path: &Path) -> &str {
    path.to_str().expect("text")
}

#[test]
fn the_machine_of_the_test_has_a_report() {
    let report: Report = serde_json::from_str(&printed(&["once", "--print", "--json"])).expect("a report");
    assert_eq!(report.format, FORMAT);
    let sections = report.sections;
    assert!(sections.system.is_some() && sections.memory.is_some() && sections.processors.is_some());
    assert!(sections.disks.is_some() && sections.interfaces.is_some());
    assert!(printed(&["once", "--print"]).starts_with("System\n"));
}

#[test]
fn a_page_is_for_people() {
    let expected = include_str!("server.txt");
    assert_eq!(printed(&["once", "--print", "--root", text(machines::server().path())]), expected);
    let expected = include_str!("broken.txt");
    assert_eq!(printed(&["once", "--print", "--root", text(machines::broken().path())]), expected);
}

#[test]
fn the_program_records_a_tree() {
    let (tree, copy) = (machines::server(), Tree::new());
    let (root, folder) = (text(tree.path()), text(copy.path()));
    assert_eq!(printed(&["record", folder, "--keep-serials", "--root", root]), "");
    assert_eq!(printed(&["once", "--print", "--root", folder]), printed(&["once", "--print", "--root", root]));
    assert!(refused(&["record", folder, "--root", root]).contains("is not empty"));
}

#[test]
fn what_cannot_be_done_gets_a_sentence() {
    assert!(
        refused(&["once", "--print", "--root", "/nowhere/at/all"]).starts_with("underlay-agent: cannot read the tree")
    );
    assert!(refused(&["once"]).contains("--print"));
}
