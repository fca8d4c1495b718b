//! Completion in a real shell, and the manual pages.

use std::process::Command;

use underlay_testing::until;

use super::apply::done;
use super::get::fleet;
use crate::harness::{Cli, scratch};

/// Calls the completion function of the script as bash does, for the words that can end a line.
const ASK: &str = r#"
source "$SCRIPT"
COMP_WORDS=("$@"); COMP_CWORD=$(( $# - 1 )); COMP_TYPE=9
_clap_complete_underlay underlay "${COMP_WORDS[COMP_CWORD]}" "${COMP_WORDS[COMP_CWORD-1]}"
printf '%s\n' "${COMPREPLY[@]}"
"#;

/// The candidates of bash for a line, and the text on standard error.
async fn candidates(script: &str, server: &str, line: &[&str]) -> (Vec<String>, String) {
    let folder = std::path::Path::new(env!("CARGO_BIN_EXE_underlay")).parent().expect("a folder").to_owned();
    let path = std::env::join_paths(
        std::iter::once(folder).chain(std::env::split_paths(&std::env::var_os("PATH").unwrap_or_default())),
    );
    let mut command = Command::new("bash");
    command.args(["--norc", "-c", ASK, "bash"]).args(line);
    command.env("SCRIPT", script).env("PATH", path.expect("a path"));
    command
        .env("UNDERLAY_SERVER", server)
        .env("UNDERLAY_CONFIG", "/nowhere/contexts.toml")
        .env_remove("UNDERLAY_CONTEXT");
    let output = tokio::task::spawn_blocking(move || command.output()).await.expect("a thread").expect("bash");
    let text = String::from_utf8(output.stdout).expect("text");
    let found = text.lines().filter(|line| !line.is_empty()).map(str::to_owned).collect();
    (found, String::from_utf8_lossy(&output.stderr).into_owned())
}

#[tokio::test]
async fn bash_completes_commands_kinds_and_names_of_the_server() {
    let server = fleet().await;
    let folder = scratch::folder("completion");
    let script = folder.path().join("underlay.bash");
    std::fs::write(&script, done(&Cli::new(["completion", "bash"]).await)).expect("a file");
    let script = script.to_str().expect("a path");
    for (line, expected) in [
        (&["underlay", "desc"][..], &["describe"][..]),
        (&["underlay", "get", "ra"], &["racks"]),
        (&["underlay", "get", "racks", ""], &["gent-1/"]),
        (&["underlay", "get", "racks", "gent-1/"], &["gent-1/r01"]),
        (&["underlay", "get", "rack", "r"], &["r01"]),
        (
            &["underlay", "get", "port", "leaf-1/Ethernet1/"],
            &["leaf-1/Ethernet1/1", "leaf-1/Ethernet1/2", "leaf-1/Ethernet1/3"],
        ),
        (&["underlay", "describe", "dev"], &["device/"]),
        (&["underlay", "describe", "device/gent-1/s"], &["device/gent-1/srv-1"]),
        (&["underlay", "get", "devices", "--within", "site/"], &["site/gent-1"]),
        (&["underlay", "get", "devices", "-o", "y"], &["yaml"]),
        (&["underlay", "watch", "--kind", "ra"], &["racks"]),
        (&["underlay", "watch", "--within", "site/"], &["site/gent-1"]),
        (&["underlay", "watch", "--operation", "D"], &["DELETED"]),
    ] {
        // A shell does not wait for a server that takes long, so a busy machine can have none at first.
        let what = format!("{line:?} is completed by {expected:?}");
        let seen = async || {
            let (found, printed) = candidates(script, server.url(), line).await;
            if found == expected { Ok(()) } else { Err(format!("{found:?} {printed}")) }
        };
        until(&what, seen).await;
    }
    // A server that is not there is not mentioned in the middle of somebody's line.
    let (found, printed) = candidates(script, "http://127.0.0.1:1", &["underlay", "get", "racks", "g"]).await;
    assert_eq!((found, printed.as_str()), (Vec::new(), ""));
}

#[tokio::test]
async fn completion_scripts_and_manual_pages_are_written() {
    for (shell, expected) in
        [("bash", "complete -o nospace"), ("zsh", "#compdef underlay"), ("fish", "complete --keep-order")]
    {
        let outcome = Cli::new(["completion", shell]).await;
        assert!(done(&outcome).contains(expected), "{outcome:?}");
    }
    assert_eq!(Cli::new(["completion", "tcsh"]).await.code, 2);
    let folder = scratch::folder("man");
    let pages = folder.path().join("man1");
    assert_eq!(done(&Cli::new(["man", pages.to_str().expect("a path")]).await), "");
    for page in ["underlay.1", "underlay-get.1", "underlay-watch.1", "underlay-context-set.1"] {
        let text = std::fs::read_to_string(pages.join(page)).expect(page);
        assert!(text.contains(".TH underlay"), "{page}");
    }
}
