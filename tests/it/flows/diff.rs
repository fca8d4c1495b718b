//! `underlay diff`, `delete` and `edit`.

use serde_json::json;

use super::apply::{done, revision};
use crate::harness::{Cli, Database, Server, scratch};

const RACK: &str = "apiVersion: underlay/v1\nkind: Rack\nmetadata: {name: A14, labels: {env: prod}}\nspec: {site: ams1, heightU: 42}\n";

async fn started() -> Server {
    let server = Server::start(Database::Sqlite).await;
    server.client().apply_all(vec![json!({"site": {"name": "ams1", "type": "DATACENTER"}})]).await;
    done(&server.cli(["apply", "-f", "-"]).stdin(RACK).await);
    let device = |name: &str| json!({"device": {"site": {"site": "ams1"}, "name": name, "role": "SERVER"}});
    let port = |device: &str| json!({"port": {"device": {"device": device}, "name": "e1", "type": "ETHERNET"}});
    let end = |device: &str| json!([{"port": {"device": device, "port": "e1"}}]);
    let cable = json!({"cable": {"name": "c1", "aEnds": end("d1"), "bEnds": end("d2")}});
    server.client().apply_all(vec![device("d1"), device("d2"), port("d1"), port("d2"), cable]).await;
    server
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn diff_says_what_apply_would_change_and_changes_nothing() {
    let server = started().await;
    let before = revision(&server).await;
    let diff = |text: String| server.cli(["diff", "-f", "-"]).stdin(text);
    let same = diff(RACK.to_owned()).await;
    assert_eq!((same.code, same.stdout.as_str(), same.stderr.as_str()), (0, "", ""));

    let changed = RACK.replace("42", "47").replace("prod", "test");
    let new = "---\napiVersion: underlay/v1\nkind: Rack\nmetadata: {name: A15}\nspec: {site: ams1, heightU: 40}\n";
    let some = diff(changed.clone() + new).await;
    let expected = "+ rack/ams1/A15\n    site: ams1\n    heightU: 40\n\
                    ~ rack/ams1/A14  labels.env: prod → test\n~ rack/ams1/A14  heightU: 42 → 47\n";
    assert_eq!((some.code, some.stdout.as_str(), some.stderr.as_str()), (1, expected, ""));

    server
        .client()
        .apply_input(json!({"source": "bcm", "conflicts": "FORCE",
        "items": [{"rack": {"site": {"site": "ams1"}, "name": "A14", "heightU": 42}}]}))
        .await;
    let skipped = server.cli(["diff", "-f", "-", "--source", "x"]).stdin(RACK.replace("42", "47")).await;
    assert_eq!(
        (skipped.code, skipped.stdout.as_str()),
        (0, "  A14  spec.heightU: not changed, because it is owned by source:bcm\n")
    );

    for (text, says) in [
        (changed.replace("47", "700"), "heightU must be a whole number from 1 to 100, not 700"),
        ("kind: Rack".to_owned(), "apiVersion: is missing"),
    ] {
        let refused = diff(text).await;
        assert_eq!((refused.code, refused.stdout.as_str()), (4, ""), "{refused:?}");
        assert!(refused.stderr.contains(says), "{refused:?}");
    }
    let unreachable = Cli::new(["diff", "-f", "-"]).stdin(RACK).await;
    assert_eq!(unreachable.code, 3, "{unreachable:?}");
    assert_eq!(revision(&server).await, before + 1, "only what took the field over was written");
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn diff_compares_tables_and_finds_its_server_by_contexts() {
    let server = started().await;
    let folder = scratch::folder("diff");
    let contexts = folder.path().join("contexts.toml");
    let command = |arguments: &[&str]| Cli::new(arguments).contexts(&contexts).current_dir(folder.path());
    done(&command(&["context", "set", "lab", "--server", server.url()]).await);
    for (name, text) in [("good.csv", "name,site,heightU\nA14,ams1,47\n"), ("bad.csv", "name,heightU\nA14,tall\n")] {
        std::fs::write(folder.path().join(name), text).expect("a file");
    }
    let good = command(&["diff", "-f", "good.csv", "--kind", "racks"]).await;
    assert_eq!((good.code, good.stdout.as_str()), (1, "~ rack/ams1/A14  heightU: 42 → 47\n"), "{good:?}");
    let bad = command(&["diff", "-f", "bad.csv", "--kind", "rack"]).await;
    assert!(bad.code == 4 && bad.stderr.contains("column 2 (heightU): must be a whole number"), "{bad:?}");
    let unknown = command(&["diff", "-f", "good.csv", "--kind", "rack", "--context", "labs"]).await;
    assert!(unknown.code == 2 && unknown.stderr.contains("there is no context labs; did you mean lab?"), "{unknown:?}");
    // 1 would say that there is a difference.
    let unreadable = Cli::new(["diff", "-f", "good.csv"]).contexts(folder.path()).current_dir(folder.path()).await;
    assert!(unreadable.code == 4 && unreadable.stderr.contains("cannot be read"), "{unreadable:?}");
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn delete_lists_all_deleted_objects() {
    let server = started().await;
    let used = server.cli(["delete", "device/d1"]).await;
    assert_eq!((used.code, used.stdout.as_str()), (1, ""));
    assert!(used.stderr.contains("error: device/ams1/d1 is still in use by 1 Port (e1) (IN_USE)"), "{used:?}");
    assert!(used.stderr.contains("hint: --cascade") && used.stderr.contains("nothing was deleted"), "{used:?}");

    let before = revision(&server).await;
    let dry = server.cli(["delete", "device/d1", "--cascade", "--dry-run"]).await;
    let mut lines: Vec<&str> = done(&dry).lines().collect();
    lines.sort_unstable();
    let expected =
        ["deleted cable/c1 (dry run)", "deleted device/ams1/d1 (dry run)", "deleted port/ams1/d1/e1 (dry run)"];
    assert_eq!(lines, expected);
    assert_eq!(revision(&server).await, before);

    let outcome = server.cli(["delete", "device/d1", "rack/A14", "--cascade"]).await;
    assert_eq!(done(&outcome).lines().count(), 4, "{outcome:?}");
    let again = server.cli(["delete", "device/d1", "--yes"]).await;
    assert_eq!(again.code, 1);
    assert!(again.stderr.contains("there is no device/d1 (NOT_FOUND)"), "{again:?}");
    assert_eq!(server.cli(["delete"]).await.code, 2);
}

/// An editor that runs a line of shell on the file: `$1`.
fn editor(folder: &std::path::Path, script: &str) -> String {
    let path = folder.join("editor.sh");
    std::fs::write(&path, format!("{script}\n")).expect("a script");
    format!("sh '{}'", path.display())
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn edit_writes_what_was_saved() {
    let server = started().await;
    let folder = scratch::folder("edit");
    let edit = |script: &str| {
        server.cli(["edit", "rack/A14"]).env("VISUAL", editor(folder.path(), script)).env("TMPDIR", folder.path())
    };
    let height = || async {
        server.client().ok("{ rack(name: \"A14\") { heightU labels } }", json!({})).await["rack"].to_string()
    };

    assert_eq!(done(&edit("true").await), "nothing was changed\n");
    assert_eq!(done(&edit(": > \"$1\"").await), "nothing was changed\n");
    let outcome = edit("sed -i -e 's/42/47/' -e 's/env: *prod/team: core/' \"$1\"").await;
    assert_eq!(done(&outcome), "updated rack/ams1/A14\n");
    assert_eq!(height().await, r#"{"heightU":47,"labels":{"team":"core"}}"#);

    // A refused manifest opens again with the reason; once it is corrected, it is written.
    let corrected =
        edit("if grep -q '^# error' \"$1\"; then sed -i 's/700/40/' \"$1\"; else sed -i 's/47/700/' \"$1\"; fi").await;
    assert_eq!(done(&corrected), "updated rack/ams1/A14\n");
    assert_eq!(height().await, r#"{"heightU":40,"labels":{"team":"core"}}"#);

    // Given up, it is kept.
    let abandoned = edit("grep -q '^# error' \"$1\" || sed -i 's/heightU: 40/heightU: 700/' \"$1\"").await;
    assert_eq!((abandoned.code, abandoned.stdout.as_str()), (1, ""));
    assert!(
        abandoned.stderr.contains("heightU must be a whole number from 1 to 100, not 700 (INVALID)"),
        "{abandoned:?}"
    );
    let kept = abandoned.stderr.split("kept in ").nth(1).map(str::trim).expect("where it is");
    assert!(std::fs::read_to_string(kept).expect("the file").contains("700"));

    let missing = edit("grep -q '^# error' \"$1\" || sed -i 's/ams1/ams2/' \"$1\"").await;
    assert!(missing.stderr.contains("Site ams2 does not exist"), "{missing:?}");
    let failing = edit("exit 3").await;
    assert!(failing.code == 1 && failing.stderr.contains("ended with exit status: 3"), "{failing:?}");
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn edit_does_not_overwrite_concurrent_changes() {
    let server = started().await;
    let folder = scratch::folder("edit");
    let meanwhile = format!(
        "sed -i 's/42/47/' \"$1\"; printf '{}' | '{}' apply -f - --server {} > /dev/null",
        RACK.replace("42", "41").replace('\n', "\\n"),
        env!("CARGO_BIN_EXE_underlay"),
        server.url()
    );
    let cli =
        server.cli(["edit", "rack/A14"]).env("VISUAL", editor(folder.path(), &meanwhile)).env("TMPDIR", folder.path());
    let outcome = cli.await;
    assert_eq!(outcome.code, 1, "{outcome:?}");
    assert!(outcome.stderr.contains("(STALE_VERSION)") && outcome.stderr.contains("kept in "), "{outcome:?}");
    let rack = server.client().ok("{ rack(name: \"A14\") { heightU } }", json!({})).await;
    assert_eq!(rack["rack"]["heightU"], 41);
}
