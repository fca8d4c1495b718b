//! `underlay sync --config`: several sources, of which each fails alone.

use std::fs;

use serde_json::json;

use super::sync_netbox::replay::{Replay, TOKEN};
use crate::harness::{Client, Database, Server, exit_code, scratch, until};

/// A file of sources: one that works, and others that lack something.
fn config(folder: &std::path::Path, netbox: &str) -> String {
    // Nothing that could be read is wrong.
    fs::write(folder.join("a.yaml"), "# nothing yet\n").expect("a file");
    let line = "echo '{\"item\": {\"region\": {\"externalId\": \"1\", \"name\": \"eu\"}}}'; \
                echo '{\"end\": true, \"items\": 1}'";
    let state = |name: &str| format!("state = {:?}\n", folder.join(format!("{name}.state")));
    let missing = |name: &str| folder.join(name).display().to_string();
    [
        format!("[sources.good]\n{}exec.program = [\"sh\", \"-c\", {line:?}]\n", state("good")),
        format!("[sources.tokenless]\n{}netbox.url = {netbox:?}\n", state("tokenless")),
        format!(
            "[sources.wordless]\n{}netbox = {{ url = {netbox:?}, token-file = {:?}, words = {:?} }}\n",
            state("wordless"),
            missing("netbox.token"),
            missing("words.toml")
        ),
        format!(
            "[sources.bcm]\n{}bcm = {{ url = \"https://127.0.0.1:1\", site = \"a\", cert-file = {:?}, \
             key-file = {:?} }}\n",
            state("bcm"),
            missing("bcm.pem"),
            missing("bcm.key")
        ),
        format!(
            "[sources.ironic]\n{}ironic = {{ url = \"http://127.0.0.1:1\", site = \"a\", auth = \"http-basic\", \
             username = \"u\" }}\n",
            state("ironic")
        ),
        format!("[sources.elsewhere]\nstate = {:?}\nfiles.paths = [{:?}]\n", folder, folder),
    ]
    .concat()
}

const LACKING: [(&str, &str); 5] = [
    ("tokenless", "there is no token for NetBox"),
    ("wordless", "words.toml cannot be read"),
    ("bcm", "bcm.pem cannot be used"),
    ("ironic", "there is no password for Ironic"),
    ("elsewhere", "is no regular file: name another one"),
];

#[tokio::test]
async fn what_one_source_lacks_fails_that_source_alone() {
    let server = Server::start(Database::Sqlite).await;
    let folder = scratch::folder("sync-alone");
    let file = folder.path().join("sync.toml");
    fs::write(&file, config(folder.path(), "http://127.0.0.1:1")).expect("a file");
    let file = file.display().to_string();
    for (flag, fails_as) in [("--once", "full run failed"), ("--dry-run", "")] {
        let outcome = server.cli(["sync", "--config", &file, flag]).await;
        assert_eq!(outcome.code, 1, "{outcome:?}");
        for (source, reason) in LACKING {
            let errors: Vec<&str> =
                outcome.stderr.lines().filter(|line| line.starts_with(&format!("error: {source}: "))).collect();
            // A preview needs no state.
            let expected = usize::from(flag == "--once" || source != "elsewhere");
            assert_eq!(errors.len(), expected, "{source}: {outcome:?}");
            assert!(errors.iter().all(|error| error.contains(reason)), "{source}: {outcome:?}");
            let says = outcome.stdout.contains(&format!("{source}: {fails_as}"));
            assert!(says || flag == "--dry-run", "{source}: {outcome:?}");
        }
        let good = if flag == "--once" { "good: full run: 1 items, 1 created" } else { "" };
        assert!(outcome.stdout.contains(good), "{outcome:?}");
    }
    // What is wrong in the file itself is wrong for all.
    for (wrong, expected) in [
        ("[sources.bad]\nnetbox.url = \"ftp://x\"\n", "the source bad: the URL \"ftp://x\" of NetBox cannot be used"),
        ("[sources.bad]\nironic = { url = \"http://i\", site = \" \" }\n", "the source bad: the site is empty"),
        (
            "[sources.bad]\nbcm = { url = \"http://b\", cert-file = \"c\", key-file = \"k\", site = \"a\" }\n",
            "must begin with https://",
        ),
    ] {
        fs::write(&file, config(folder.path(), "http://127.0.0.1:1") + wrong).expect("a file");
        let outcome = server.cli(["sync", "--config", &file, "--once"]).await;
        assert_eq!((outcome.code, outcome.stdout.as_str()), (2, ""), "{outcome:?}");
        assert!(outcome.stderr.contains(expected), "{outcome:?}");
    }
}

#[tokio::test]
async fn a_source_that_lacks_something_is_not_ready_until_it_has_it() {
    let server = Server::start(Database::Sqlite).await;
    let replay = Replay::empty().await;
    let folder = scratch::folder("sync-alone");
    let file = folder.path().join("sync.toml");
    fs::write(&file, config(folder.path(), &replay.url)).expect("a file");
    let file = file.display().to_string();
    let mut process = server.cli(["sync", "--config", &file, "--listen", "127.0.0.1:0"]).start();
    let address = until("it says its address", async || {
        let output = process.stderr();
        let (_, rest) = output.split_once("health checks and metrics at ")?;
        Some(rest.split_once('\n')?.0.to_owned())
    });
    let address = address.await;
    let listener = Client::new(&address);
    let get = async |path: &str| listener.get(path).await.text();
    let is_ready =
        async |source: &str| !get("/readyz").await.lines().any(|line| line.starts_with(&format!("{source}:")));
    until("the good source is ready", async || is_ready("good").await).await;
    let reasons = get("/readyz").await;
    for (source, reason) in LACKING {
        let is_named = reasons
            .lines()
            .any(|line| line.starts_with(&format!("{source}: the full run failed: ")) && line.contains(reason));
        assert!(is_named, "{source}: {reasons}");
        let metric = format!(r#"underlay_sync_runs_total{{source="{source}",mode="FULL",state="FAILED"}} 1"#);
        assert!(get("/metrics").await.contains(&metric), "{source}");
    }
    // It gets what it lacks.
    fs::write(folder.path().join("netbox.token"), TOKEN).expect("a file");
    fs::write(folder.path().join("words.toml"), "").expect("a file");
    until("the source that has its words now is ready", async || is_ready("wordless").await).await;
    let query = "{ source(name: \"wordless\") { lastRun { state } } }";
    assert_eq!(server.client().ok(query, json!({})).await["source"]["lastRun"]["state"], "SUCCEEDED");
    process.signal(libc::SIGTERM);
    let status = process.end().await;
    assert_eq!(exit_code(status), Ok(0), "{}", process.stderr());
}
