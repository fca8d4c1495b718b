//! `underlay sync --dry-run` of a source that was synchronized before, and of a large one.

use std::fs;
use std::path::Path;

use serde_json::{Value, json};

use super::apply::{done, manifest, revision};
use super::sources::{Synchronizer, region, token, wait_for};
use crate::harness::{Client, Database, Outcome, Server, on_both_databases, scratch};

fn rack(name: &str, height: u32) -> String {
    manifest("Rack", name, &json!({"site": {"site": "ams1"}, "heightU": height}))
}

async fn sync(server: &Server, folder: &Path, flag: &str) -> Outcome {
    let (path, state) = (folder.join("files").display().to_string(), folder.join("state").display().to_string());
    server.cli(["sync", "files", &path, flag, "--state", &state]).await
}

on_both_databases! {
    async fn a_dry_run_after_a_run_shows_what_the_next_run_does(server: Server) {
        let folder = scratch::folder("sync-dry-run");
        let files = folder.path().join("files");
        fs::create_dir(&files).expect("a folder");
        let site = manifest("Site", "ams1", &json!({"type": "DATACENTER"}));
        fs::write(files.join("sites.yaml"), &site).expect("a file");
        fs::write(files.join("a.yaml"), rack("A1", 42) + "---\n" + &rack("A2", 42)).expect("a file");
        fs::write(files.join("b.yaml"), rack("B1", 42)).expect("a file");
        done(&sync(&server, folder.path(), "--once").await);
        assert_eq!(done(&sync(&server, folder.path(), "--dry-run").await), "");
        // The server writes the health of a source a moment after its first run.
        wait_for(&server.client(), "files", "health", json!("FRESH")).await;

        fs::write(files.join("a.yaml"), rack("A1", 47) + "---\n" + &rack("A3", 42)).expect("a file");
        fs::remove_file(files.join("b.yaml")).expect("a file");
        let before = (revision(&server).await, runs(&server.client()).await);
        let preview = sync(&server, folder.path(), "--dry-run").await;
        assert_eq!(preview.code, 0, "{preview:?}");
        let mut heads: Vec<&str> = preview.stdout.lines().filter(|line| !line.starts_with("    ")).collect();
        heads.sort_unstable();
        let expected = ["+ rack/ams1/A3", "- rack/ams1/A2", "- rack/ams1/B1", "~ rack/ams1/A1  heightU: 42 → 47"];
        assert_eq!(heads, expected, "{preview:?}");
        let note = "note: files: the source no longer has 2 objects: a run deletes them";
        assert!(preview.stderr.contains(note), "{preview:?}");
        assert_eq!((revision(&server).await, runs(&server.client()).await), before, "nothing is written");

        // A file that cannot be read can be the one that has them.
        fs::write(files.join("b.yaml"), "apiVersion: underlay/v1\nkind: Sight\n").expect("a file");
        let partly = sync(&server, folder.path(), "--dry-run").await;
        assert_eq!(partly.code, 1, "{partly:?}");
        assert!(!partly.stdout.contains("- rack"), "{partly:?}");
        assert!(partly.stderr.contains("what the source no longer has is not shown"), "{partly:?}");
        fs::remove_file(files.join("b.yaml")).expect("a file");

        let run = sync(&server, folder.path(), "--once").await;
        assert!(done(&run).contains("3 items, 1 created, 1 updated, 1 unchanged, 2 gone"), "{run:?}");
    }
}

/// The number of runs of the source.
async fn runs(client: &Client) -> Value {
    client.ok("{ source(name: \"files\") { runs { totalCount } } }", json!({})).await["source"]["runs"].take()
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn what_a_source_retires_releases_and_keeps_is_shown_as_that() {
    let server = Server::start(Database::Sqlite).await;
    let client = server.client();
    let folder = scratch::folder("sync-dry-run");
    let files = folder.path().join("files");
    fs::create_dir(&files).expect("a folder");
    let site = manifest("Site", "ams1", &json!({"type": "DATACENTER"}));
    fs::write(files.join("a.yaml"), site.clone() + "---\n" + &rack("A1", 42) + "---\n" + &rack("A2", 42))
        .expect("a file");
    done(&sync(&server, folder.path(), "--once").await);
    let id = client.ok("{ source(name: \"files\") { id } }", json!({})).await["source"]["id"].take();
    let update =
        "mutation($id: ID!, $prune: SourcePrune) { updateSource(id: $id, patch: {prune: $prune}) { revision } }";
    fs::write(files.join("a.yaml"), site + "---\n" + &rack("A1", 42)).expect("a file");
    for (prune, expected) in
        [("RETIRE", "- rack/ams1/A2  retired\n"), ("RELEASE", "~ rack/ams1/A2  released\n"), ("KEEP", "")]
    {
        client.ok(update, json!({"id": id, "prune": prune})).await;
        let preview = sync(&server, folder.path(), "--dry-run").await;
        assert_eq!((preview.code, preview.stdout.as_str()), (0, expected), "{preview:?}");
    }
    // What was retired once is not gone again.
    client.ok(update, json!({"id": id, "prune": "RETIRE"})).await;
    let run = sync(&server, folder.path(), "--once").await;
    assert!(done(&run).contains("1 gone"), "{run:?}");
    assert_eq!(done(&sync(&server, folder.path(), "--dry-run").await), "");
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn only_who_may_start_runs_of_a_source_may_try_a_batch_in_its_name() {
    let server = Server::start(Database::Sqlite).asking().await;
    let mine = token(&server, &["--role", "synchronizer", "--source", "nb"]).await;
    Synchronizer::full(&mine, vec![region(1)]).await;
    let other = token(&server, &["--role", "synchronizer", "--source", "ipam"]).await;
    let operator = token(&server, &["--role", "operator"]).await;
    let viewer = token(&server, &["--role", "viewer"]).await;
    let reconciler = token(&server, &["--role", "reconciler"]).await;
    let apply = "mutation($input: ApplyInput!) { apply(input: $input) { revision results { status } } }";
    let input = |dry_run: bool| json!({"input": {"source": "nb", "items": [region(2)], "dryRun": dry_run}});
    for client in [&mine, &operator] {
        let tried = client.ok(apply, input(true)).await;
        assert_eq!(tried["apply"], json!({"revision": null, "results": [{"status": "CREATED"}]}));
        let (results, _) = client.apply_lines("source=nb&dryRun=true", &[region(2)]).await;
        assert_eq!(results[0]["status"], "CREATED", "{results:?}");
        assert_eq!(client.refused(apply, input(false)).await[0].code, "INCOMPATIBLE", "only a run writes");
    }
    for client in [&other, &viewer, &reconciler] {
        assert_eq!(client.refused(apply, input(true)).await[0].code, "FORBIDDEN");
    }
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_large_source_is_compared_whole() {
    const RACKS: usize = 10_100;
    let server = Server::start(Database::Sqlite).await;
    let folder = scratch::folder("sync-dry-run");
    let mut lines = vec![json!({"item": {"site": {"externalId": "s1", "name": "ams1", "type": "DATACENTER"}}})];
    lines.extend((0..RACKS).map(|number| {
        // By the names and by the ids of others.
        let site = if number % 2 == 0 { json!({"site": "ams1"}) } else { json!({"externalId": "s1"}) };
        let name = format!("r{number}");
        json!({"item": {"rack": {"externalId": name, "name": name, "site": site, "heightU": 42}}})
    }));
    // The last one needs a site that nobody has.
    let lost = json!({"item": {"rack": {"externalId": "x", "name": "x", "site": {"site": "nowhere"}, "heightU": 42}}});
    let end = |items: usize| json!({"end": true, "items": items});
    let output = folder.path().join("output");
    let run = async |lines: &[Value]| {
        let text: String = lines.iter().map(|line| format!("{line}\n")).collect();
        fs::write(&output, text).expect("a file");
        let output = output.display().to_string();
        server.cli(["sync", "exec", "--dry-run", "--", "cat", &output]).await
    };
    let whole = run(&[&lines[..], &[end(RACKS + 1)]].concat()).await;
    let shown = done(&whole);
    let racks = shown.lines().filter(|line| line.starts_with("+ rack/ams1/r")).count();
    assert_eq!((racks, shown.lines().filter(|line| *line == "+ site/ams1").count()), (RACKS, 1));
    let partly = run(&[&lines[..], &[lost, end(RACKS + 2)]].concat()).await;
    assert_eq!(partly.code, 1, "{}", partly.stderr);
    assert_eq!(partly.stderr.lines().count(), 1, "{}", partly.stderr);
    assert!(partly.stderr.contains("nowhere") && partly.stdout.contains("+ rack/ams1/r10099"), "{}", partly.stderr);
}
