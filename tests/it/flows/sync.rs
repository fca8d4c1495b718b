//! `underlay sync` as people run it: what it would change, and what it says when it cannot begin.

use std::fs;

use crate::harness::{Cli, Server, on_both_databases, scratch};

use super::apply::{FLEET, apply, done, revision};

on_both_databases! {
    async fn a_dry_run_shows_what_the_files_would_change(server: Server) {
        let folder = scratch::folder("sync");
        fs::create_dir(folder.path().join("more")).expect("a folder");
        fs::write(folder.path().join("more/fleet.yaml"), FLEET).expect("a file");
        // A table that comes first by its name, and refers to what the manifests create.
        fs::write(folder.path().join("a.racks.csv"), "name,site,heightU\nr99,gent-1,42\n").expect("a file");
        let state = folder.path().join("state").display().to_string();
        let path = folder.path().display().to_string();
        let run = async || server.cli(["sync", "files", &path, "--dry-run", "--state", &state]).await;
        let before = revision(&server).await;
        let first = run().await;
        let output = done(&first);
        for line in ["+ region/flanders", "+ rack/gent-1/r99", "+ virtualMachine/k8s-gent/vm-1"] {
            assert!(output.lines().any(|it| it == line), "{line} is missing: {output}");
        }
        assert_eq!(revision(&server).await, before, "nothing is written");

        fs::write(folder.path().join("b.yaml"), "apiVersion: underlay/v1\nkind: Sight\n").expect("a file");
        let second = run().await;
        assert_eq!(second.code, 1, "{second:?}");
        assert!(second.stderr.contains("there is no kind \"Sight\""), "{second:?}");
        assert!(second.stdout.contains("+ rack/gent-1/r99"), "{second:?}");
        assert!(!folder.path().join("state").exists(), "a dry run keeps no state");
    }

    async fn a_dry_run_of_what_is_there_shows_nothing_to_create(server: Server) {
        done(&apply(&server, FLEET).await);
        let folder = scratch::folder("sync");
        fs::write(folder.path().join("fleet.yaml"), FLEET).expect("a file");
        let path = folder.path().display().to_string();
        let outcome = server.cli(["sync", "files", &path, "--dry-run"]).await;
        let output = done(&outcome);
        assert!(output.lines().all(|line| !line.starts_with(['+', '-'])), "{output}");
    }
}

#[tokio::test]
async fn a_synchronizer_that_cannot_start_prints_one_sentence() {
    let folder = scratch::folder("sync");
    let file = |name: &str, text: &str| {
        fs::write(folder.path().join(name), text).expect("a file");
        folder.path().join(name).display().to_string()
    };
    let yaml = file("a.yaml", FLEET);
    let wrong = file("wrong.toml", "[sources.git]\nfiles.paths = []\n");
    let unknown = file("unknown.toml", "[sources.git]\ntoken = \"secret\"\nfiles.paths = [\"/x\"]\n");
    let missing = folder.path().join("missing").display().to_string();
    for (arguments, code, expected) in [
        (vec!["sync"], 2, "--config"),
        (vec!["sync", "--config", &missing], 2, "cannot be read"),
        (vec!["sync", "--config", &wrong], 2, "the source git: files.paths names no file"),
        (vec!["sync", "--config", &unknown], 2, "unknown field"),
        (vec!["sync", "files", &yaml, "--interval", "1"], 2, "interval must be 10 to 2592000 seconds, not 1"),
        (vec!["sync", "files"], 2, "required"),
        (vec!["sync", "exec"], 2, "required"),
        (vec!["sync", "files", &missing, "--dry-run"], 3, "the source cannot be reached"),
        (vec!["sync", "files", &yaml, "--dry-run", "--listen", "127.0.0.1:0"], 2, "cannot be used with"),
        (vec!["sync", "exec", "--dry-run", "--", "/nowhere"], 1, "/nowhere: the program cannot be started"),
        (vec!["sync", "exec", "--dry-run", "--", "true"], 1, "but the output ended here"),
    ] {
        let outcome = Cli::new(&arguments).await;
        assert_eq!(outcome.code, code, "{arguments:?}: {outcome:?}");
        assert!(outcome.stderr.contains(expected), "{arguments:?}: {outcome:?}");
        assert!(!outcome.stderr.contains("secret"), "{outcome:?}");
    }
}
