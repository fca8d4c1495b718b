//! The program as people run it.

use std::os::unix::fs::PermissionsExt as _;
use std::path::Path;
use std::process::{Command, Output};

use underlay_facts::{FORMAT, Report};
use underlay_testing::process::without_variables;
use underlay_testing::{Process, exit_code, until_seen};

use crate::driven::Agent;
use crate::machines;
use crate::played::{Played, Reply};
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
    assert!(sections.devices.is_some() && sections.gpus.is_some() && sections.neighbours.is_some());
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
    assert!(refused(&["once"]).contains("<--print|--server <URL>>"));
    assert!(refused(&["once", "--server", "https://example.org"]).contains("--token-file"));
    assert!(refused(&["once", "--json", "--server", "https://example.org", "--token-file", "x"]).contains("--json"));
    assert!(refused(&["run", "--token-file", "x"]).contains("--server"));
}

/// Returns the arguments after a mark in a file of `deploy/agent`, with values in place of its variables.
fn deployed(file: &str, mark: &str, end: &str) -> Vec<String> {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../deploy/agent").join(file);
    let text = std::fs::read_to_string(path).expect("a file");
    let (_, after) = text.split_once(mark).expect("the arguments");
    let (arguments, _) = after.split_once(end).expect("their end");
    let arguments = arguments.split_whitespace().filter(|word| *word != "-");
    let server = |word: &str| word.replace("${UNDERLAY_SERVER}", "$(SERVER_ADDRESS)");
    arguments.map(|word| server(word).replace("$(SERVER_ADDRESS)", "https://127.0.0.1:1")).collect()
}

#[test]
fn the_unit_and_the_manifest_start_the_program_as_it_takes_it() {
    for (file, mark, end) in [
        ("underlay-agent.service", "ExecStart=/usr/local/sbin/underlay-agent", "\n"),
        ("daemonset.yaml", "          args:\n", "          env:"),
    ] {
        let mut arguments = deployed(file, mark, end);
        assert_eq!(arguments.first().map(String::as_str), Some("run"), "{file}");
        // A token file that cannot be there ends the program, whose arguments are read by then.
        let token = arguments.iter_mut().find(|it| it.starts_with("--token-file=")).expect("a token file");
        assert_eq!(token, "--token-file=/etc/underlay/agent.token", "{file}");
        "--token-file=/nowhere/at/all".clone_into(token);
        let arguments: Vec<&str> = arguments.iter().map(String::as_str).collect();
        let says = refused(&arguments);
        assert!(says.contains("cannot read the token file /nowhere/at/all"), "{file}: {says}");
    }
}

/// Starts the program with a server and the token of an agent.
fn start(command: &str, agent: &Agent, url: &str) -> Process {
    let mut program = without_variables(Command::new(env!("CARGO_BIN_EXE_underlay-agent")));
    program.args([command, "--server", url, "--token-file"]).arg(agent.token_file());
    program.arg("--root").arg(agent.machine.path());
    Process::start(program, None)
}

#[tokio::test]
async fn the_program_reports_once() {
    let (server, agent) = (Played::start().await, Agent::new());
    for (reply, line) in
        [("STORED", "sent: the server stored the facts\n"), ("UNCHANGED", "sent: the server had the same facts\n")]
    {
        server.reply(Reply::outcome(reply));
        let mut program = start("once", &agent, &server.url);
        let status = program.end().await;
        assert_eq!((exit_code(status), program.stdout().as_str(), program.stderr().as_str()), (Ok(0), line, ""));
    }
    let sent = server.calls();
    assert!(sent.len() == 2 && sent.iter().all(|call| call.is_whole() && call.authorization == "Bearer ul_first"));
    assert_eq!(sent[0].digest(), agent.machine.report().digest().expect("a digest"));
}

#[tokio::test]
async fn a_report_that_is_not_accepted_is_a_failure() {
    let (server, agent) = (Played::start().await, Agent::new());
    server.reply(Reply::error(401, "the token is unknown"));
    let mut program = start("once", &agent, &server.url);
    let status = program.end().await;
    let line = format!("underlay-agent: {} refuses the report with status 401: the token is unknown\n", server.url);
    assert_eq!((exit_code(status), program.stdout().as_str(), program.stderr()), (Ok(1), "", line));
}

#[tokio::test]
async fn no_token_is_sent_that_others_could_read() {
    let agent = Agent::new();
    let mut plain = start("run", &agent, "http://192.0.2.1");
    assert_eq!(exit_code(plain.end().await), Ok(1));
    assert!(plain.stderr().starts_with("underlay-agent: --server: a token is not sent over plain HTTP"));

    let (server, file) = (Played::start().await, agent.token_file());
    std::fs::set_permissions(&file, std::fs::Permissions::from_mode(0o644)).expect("set permissions");
    for command in ["once", "run"] {
        let mut readable = start(command, &agent, &server.url);
        assert_eq!(exit_code(readable.end().await), Ok(1));
        assert!(readable.stderr().contains("is not used: others than its owner may use it"), "{}", readable.stderr());
    }
    assert!(server.calls().is_empty());
}

#[tokio::test]
async fn the_program_ends_when_it_is_asked_to() {
    let (server, agent) = (Played::start().await, Agent::new());
    for signal in [libc::SIGTERM, libc::SIGINT] {
        let mut program = start("run", &agent, &server.url);
        let begins = format!("underlay-agent: reports to {}\n", server.url);
        until_seen("it says where it reports to", || program.stderr().starts_with(&begins)).await;
        program.signal(signal);
        assert_eq!(exit_code(program.end().await), Ok(0));
    }
}
