//! `doctor` finds no problem in a sound database, and names exactly what was tampered with.

use std::os::unix::fs::PermissionsExt;
use std::path::Path;

use chrono::{TimeDelta, Utc};
use serde::Deserialize;
use serde_json::json;
use tempfile::TempDir;
use underlay_engine::feed;
use underlay_engine::store::Store;

use crate::harness::{Cli, Client, Server, Sql, on_both_databases, scratch};

/// A finding of `doctor`.
#[derive(Clone, Debug, Deserialize)]
pub struct Finding {
    pub level: String,
    pub check: String,
    pub message: String,
    #[serde(default)]
    pub advice: String,
}

/// Runs `doctor` on a database. Returns its exit code and its findings.
pub async fn doctor(url: &str, data: &Path, more: &[&str]) -> (i32, Vec<Finding>) {
    let data = data.to_str().expect("a path");
    let arguments = [&["doctor", "-o", "json", "--database", url, "--data-dir", data], more].concat();
    let outcome = Cli::new(arguments).await;
    let found = serde_json::from_str(&outcome.stdout).unwrap_or_else(|error| panic!("{error}: {outcome:?}"));
    (outcome.code, found)
}

/// A data directory that only its owner can access.
pub fn folder() -> TempDir {
    let folder = scratch::folder("data");
    permit(folder.path(), 0o700);
    folder
}

pub fn permit(path: &Path, mode: u32) {
    std::fs::set_permissions(path, std::fs::Permissions::from_mode(mode)).expect("set permissions");
}

/// Returns the findings that are problems. The free disk space is ignored, because it does not depend on the test.
pub fn wrong(found: &[Finding]) -> Vec<&Finding> {
    found.iter().filter(|finding| finding.level != "ok" && finding.check != "disk").collect()
}

/// A server with a short history, and a folder for data of its own.
pub struct Examined {
    pub server: Server,
    sql: Sql,
    pub data: TempDir,
}

impl Examined {
    pub async fn of(server: Server) -> Self {
        history(&server.client()).await;
        let sql = Sql::connect(&server.database_url()).await;
        Self { server, sql, data: folder() }
    }

    pub async fn doctor(&self, more: &[&str]) -> (i32, Vec<Finding>) {
        doctor(&self.server.database_url(), self.data.path(), more).await
    }

    pub async fn sound(&self) {
        let (code, found) = self.doctor(&[]).await;
        assert!(code == 0 && wrong(&found).is_empty(), "{found:#?}");
    }

    /// Damages the database, sees that exactly these checks find a problem and that its message has these words, and
    /// puts it right again.
    async fn damaged(&self, damage: &str, repair: &str, checks: &[&str], words: &[&str]) {
        self.sql.run(damage).await;
        let (code, found) = self.doctor(&[]).await;
        let wrong = wrong(&found);
        let mut problems: Vec<&str> = wrong.iter().map(|finding| finding.check.as_str()).collect();
        problems.dedup();
        assert_eq!((code, problems.as_slice()), (1, checks), "{damage}: {found:#?}");
        for words in words {
            assert!(wrong.iter().any(|it| it.message.contains(words)), "{damage}: nothing says {words:?}: {wrong:#?}");
        }
        assert!(wrong.iter().all(|it| it.level == "skipped" || !it.advice.is_empty()), "{wrong:#?}");
        self.sql.run(repair).await;
    }
}

/// Revisions 1 to 3 change one region and make another one each; 4 deletes one, 5 makes one within another.
pub async fn history(client: &Client) {
    for number in 1..=3 {
        let items = vec![
            json!({"region": {"name": "r", "description": format!("number {number}")}}),
            json!({"region": {"name": format!("r{number}"), "labels": {"of": format!("{number}")}}}),
        ];
        client.apply_all(items).await;
    }
    let id = client.ok("{ region(name: \"r1\") { id } }", json!({})).await["region"]["id"].clone();
    client.ok("mutation($id: ID!) { deleteRegion(id: $id) { revision } }", json!({"id": id})).await;
    client.apply_all(vec![json!({"region": {"name": "inner", "parent": {"region": "r2"}}})]).await;
}

const SAVE: &str = "CREATE TABLE saved_change AS SELECT * FROM change; CREATE TABLE saved_batch AS SELECT * FROM batch";
const CHANGES_AGAIN: &str = "DELETE FROM change; INSERT INTO change SELECT * FROM saved_change";
const BATCHES_AGAIN: &str = "DELETE FROM batch; INSERT INTO batch SELECT * FROM saved_batch";

on_both_databases! {
    async fn a_sound_database_is_found_sound(mut server: Server) {
        let data = folder();
        let url = server.database_url();
        let (code, found) = doctor(&url, data.path(), &[]).await;
        assert!(code == 0 && wrong(&found).is_empty(), "an empty one: {found:#?}");
        assert_eq!(server.cli(["demo"]).await.code, 0);
        let examined = Examined::of(server).await;
        examined.sound().await;
        let store = Store::open(&url.parse().expect("a URL"), underlay_kinds::tables()).await.expect("open the database");
        let third = Utc::now() - TimeDelta::microseconds(1);
        feed::sweep(&store, third).await.expect("sweep");
        store.close().await.expect("close");
        examined.server.client().apply_all(vec![json!({"region": {"name": "r", "description": "later"}})]).await;
        examined.sound().await;
        let Examined { server: mut stopped, .. } = examined;
        stopped.stop().await;
        let (code, found) = doctor(&url, data.path(), &[]).await;
        assert!(code == 0 && wrong(&found).is_empty(), "without a server: {found:#?}");
        let lines = Cli::new(["doctor", "--database", &url, "--data-dir", data.path().to_str().expect("a path")]).await;
        assert!(lines.stdout.lines().all(|line| line.starts_with("ok ") || line.contains(" disk ")), "{lines:?}");
        server = stopped;
        drop(server);
    }

    async fn a_row_changed_outside_the_server_is_named(server: Server) {
        let examined = Examined::of(server).await;
        let rows: &[&str] = &["rows", "log"];
        examined.damaged(
            "UPDATE region SET description = 'x' WHERE name = 'r'", "UPDATE region SET description = 'number 3' WHERE name = 'r'",
            rows, &["the row of region/r is not as revision 3 left it: description differs"],
        ).await;
        examined.damaged(
            "UPDATE region SET version = 77 WHERE name = 'r2'", "UPDATE region SET version = 2 WHERE name = 'r2'",
            rows, &["the row of region/r2 is not as revision 2 left it: version differs"],
        ).await;
        examined.damaged(
            "UPDATE region SET display_name = 'x' WHERE name = 'r'", "UPDATE region SET display_name = NULL WHERE name = 'r'",
            rows, &["the row of region/r is not as revision 1 left it: displayName differs"],
        ).await;
        examined.damaged(
            "UPDATE region SET parent_id = id WHERE name = 'r'", "UPDATE region SET parent_id = NULL WHERE name = 'r'",
            &["snapshot", "rows", "log"], &["region/r", "parent differs"],
        ).await;
        examined.sound().await;
        let fields = "id, name, labels, attributes, external_refs, managers, version, created_at, updated_at";
        examined.sql.run("CREATE TABLE saved_region AS SELECT * FROM region").await;
        examined.damaged(
            "DELETE FROM region WHERE name = 'r3'",
            &format!("INSERT INTO region ({fields}) SELECT {fields} FROM saved_region WHERE name = 'r3'"),
            rows, &["the row of Region r3", "is missing: it existed after revision 3"],
        ).await;
        examined.sound().await;
    }

    async fn duplicate_objects_are_named(server: Server) {
        let examined = Examined::of(server).await;
        let fields = "id, name, labels, attributes, external_refs, managers, version, created_at, updated_at";
        examined.damaged(
            &format!("INSERT INTO provider ({fields}, type, service_identifiers) SELECT {fields}, 'TRANSIT', '[]' FROM region WHERE name = 'r2'"),
            "DELETE FROM provider",
            &["snapshot", "rows", "log"],
            &["is in two places: it is that of a Region and of a Provider", "Provider has 1 where the log leaves 0"],
        ).await;
        let refs = "'[{\"source\":\"nb\",\"externalId\":\"7\"}]'";
        let refs = if examined.server.database_url().starts_with("sqlite") { refs.to_owned() } else { format!("{refs}::jsonb") };
        examined.damaged(
            &format!("UPDATE region SET external_refs = {refs} WHERE name IN ('r2', 'r3')"),
            "UPDATE region SET external_refs = '[]' WHERE name IN ('r2', 'r3')",
            &["snapshot", "rows", "log"],
            &["the external reference 7 of source nb is in two places: Region "],
        ).await;
        examined.sound().await;
    }

    async fn a_log_changed_outside_the_server_is_named(server: Server) {
        let examined = Examined::of(server).await;
        examined.sql.run(SAVE).await;
        examined.damaged(
            "DELETE FROM change WHERE revision = 2 AND position = 0", CHANGES_AGAIN,
            &["revisions", "rows", "log"],
            &["revisions without all of their changes: 2 has 1 of at least 2", "the row of region/r2 exists, but no change in the log created it"],
        ).await;
        examined.damaged(
            "DELETE FROM change WHERE revision = 2 AND name = 'r'", CHANGES_AGAIN,
            &["rows", "log"], &["the changes of region/r do not follow on each other: description, version, updatedAt, managers are not"],
        ).await;
        examined.damaged(
            "DELETE FROM change WHERE revision = 3 AND name = 'r'", CHANGES_AGAIN,
            &["rows", "log"], &["the row of region/r is not as revision 2 left it: description, managers, version, updatedAt differ"],
        ).await;
        examined.damaged(
            "DELETE FROM change WHERE revision = 1 AND position = 1", CHANGES_AGAIN,
            &["rows", "log"], &["in the log begin with revision ", "but an earlier one should exist"],
        ).await;
        examined.damaged(
            "DELETE FROM change WHERE revision = 4", CHANGES_AGAIN,
            &["revisions", "rows", "log"], &["4 has no changes", "the row of Region r1", "is missing: it existed after revision 1"],
        ).await;
        examined.damaged(
            "UPDATE change SET after = replace(after, 'number 2', 'number two') WHERE revision = 2", CHANGES_AGAIN,
            &["rows", "log"], &["the changes of region/r do not follow on each other: description is not as the change after revision 2"],
        ).await;
        examined.damaged(
            "UPDATE change SET after = '{' WHERE revision = 2 AND name = 'r2'", CHANGES_AGAIN,
            &["rows", "log"], &["the change of region/r2 in revision 2 cannot be read"],
        ).await;
        examined.damaged(
            "DELETE FROM batch WHERE revision IN (2, 3)", BATCHES_AGAIN,
            &["revisions"], &["gaps in the revisions; these are missing: 2 to 3"],
        ).await;
        examined.damaged(
            "UPDATE revision SET number = 9", "UPDATE revision SET number = 5",
            &["revisions"], &["the newest batch wrote revision 5, but the revision counter is 9"],
        ).await;
        examined.damaged(
            "INSERT INTO seaql_migrations (version, applied_at) VALUES ('m29990101_000001_future', 1)",
            "DELETE FROM seaql_migrations WHERE version = 'm29990101_000001_future'",
            &["migrations", "schema", "revisions", "snapshot", "rows", "log", "retention"],
            &["not known to this version: m29990101_000001_future"],
        ).await;
        examined.sound().await;
    }

    async fn the_other_columns_of_the_log_are_recomputed(server: Server) {
        let examined = Examined::of(server).await;
        let client = examined.server.client();
        let regions = client.ok("{ regions(first: 9) { nodes { id name } } }", json!({})).await;
        let inner = regions["regions"]["nodes"].as_array().and_then(|nodes| nodes.iter().find(|it| it["name"] == "inner"));
        let id = inner.expect("it is there")["id"].clone();
        let moved = "mutation($id: ID!) { updateRegion(id: $id, patch: {parent: {region: \"r3\"}}) { revision } }";
        client.ok(moved, json!({"id": id})).await;
        examined.sound().await;
        examined.sql.run(SAVE).await;
        let (changes, batches) = (CHANGES_AGAIN, BATCHES_AGAIN);
        let expected_finding = |what: &str| format!("revision 6 differs from its batch and the rows in: {what}");
        for (damage, repair, what) in [
            ("UPDATE change SET name = 'outer' WHERE revision = 6", changes, "name"),
            ("UPDATE change SET actor = 'somebody' WHERE revision = 6", changes, "actor"),
            ("UPDATE batch SET actor = 'somebody' WHERE revision = 6", batches, "actor"),
            ("UPDATE change SET source = 'dcim' WHERE revision = 6", changes, "source"),
            ("UPDATE batch SET source = 'dcim' WHERE revision = 6", batches, "actor, source"),
            ("UPDATE change SET at = '2020-01-01 00:00:00+00:00' WHERE revision = 6", changes, "time"),
            ("UPDATE change SET scope_before = NULL WHERE revision = 6", changes, "containers, labels or tenant before it"),
            ("UPDATE change SET scope_after = '{}' WHERE revision = 6", changes, "containers, labels or tenant after it"),
            ("UPDATE change SET scope_after = '{' WHERE revision = 6", changes, "containers, labels or tenant after it"),
            (
                "UPDATE change SET scope_before = NULL, scope_after = NULL WHERE revision = 6", changes,
                "containers, labels or tenant before it, containers, labels or tenant after it",
            ),
        ] {
            examined.damaged(damage, repair, &["log"], &[&expected_finding(what)]).await;
        }
        // A wrong value in both is found by the fields that the author manages since then, and by `updatedAt` of the
        // object.
        let both = "UPDATE change SET actor = 'x' WHERE revision = 6; UPDATE batch SET actor = 'x' WHERE revision = 6";
        let again = format!("{changes}; {batches}");
        examined.damaged(both, &again, &["log"], &[&expected_finding("actor")]).await;
        examined.sound().await;
    }

    async fn a_schema_changed_outside_the_server_is_named(server: Server) {
        let examined = Examined::of(server).await;
        let schema: &[&str] = &["schema"];
        let sqlite = examined.server.database_url().starts_with("sqlite");
        let unique = "CREATE UNIQUE INDEX region_key ON region (name)";
        let (drop, again) = ("DROP INDEX region_key", unique);
        examined.damaged(drop, again, schema, &["missing or changed: index region.region_key"]).await;
        examined.damaged(
            "DROP INDEX region_key; CREATE INDEX region_key ON region (name)", &format!("{drop}; {again}"),
            schema, &["missing or changed: index region.region_key", "not made by Underlay: index region.region_key"],
        ).await;
        examined.damaged(
            "CREATE UNIQUE INDEX mine ON region (description)", "DROP INDEX mine",
            schema, &["not made by Underlay: index region.mine"],
        ).await;
        examined.damaged(
            "ALTER TABLE region ADD COLUMN mine text", "ALTER TABLE region DROP COLUMN mine",
            schema, &["not made by Underlay: column region.mine text"],
        ).await;
        let (trigger, gone) = match sqlite {
            true => ("CREATE TRIGGER mine AFTER INSERT ON region BEGIN SELECT 1; END", "DROP TRIGGER mine"),
            false => (
                "CREATE TRIGGER mine BEFORE UPDATE ON region FOR EACH ROW EXECUTE FUNCTION suppress_redundant_updates_trigger()",
                "DROP TRIGGER mine ON region",
            ),
        };
        examined.damaged(trigger, gone, schema, &["not made by Underlay: trigger region.mine"]).await;
        examined.sql.run("CREATE INDEX mine ON region (description); CREATE TABLE theirs (x text)").await;
        examined.sound().await;
    }

    async fn a_missing_change_is_found_though_older_ones_were_dropped(server: Server) {
        let examined = Examined::of(server).await;
        // Not so old that the server drops it by itself.
        let old = (Utc::now() - TimeDelta::days(2)).format("%Y-%m-%d %H:%M:%S%.6f+00:00");
        examined.sql.run(&format!("UPDATE batch SET at = '{old}' WHERE revision = 1")).await;
        let (code, found) = examined.doctor(&["--feed-retention", "24h"]).await;
        let expected_finding: Vec<_> = wrong(&found).into_iter().map(|it| (it.check.as_str(), it.level.as_str())).collect();
        // The time of the batch alone was changed, and that is seen in both of its changes.
        assert_eq!((code, expected_finding), (1, vec![("log", "problem"), ("log", "problem"), ("retention", "warning")]), "{found:#?}");
        let store = Store::open(&examined.server.database_url().parse().expect("a URL"), underlay_kinds::tables()).await.expect("open");
        feed::sweep(&store, Utc::now() - TimeDelta::days(1)).await.expect("sweep");
        store.close().await.expect("close");
        examined.sound().await;
        examined.sql.run(SAVE).await;
        examined.damaged(
            "DELETE FROM change WHERE revision = 3 AND name <> 'r'", CHANGES_AGAIN,
            &["revisions", "rows", "log"], &["the row of region/r3 exists, but no change in the log created it"],
        ).await;
        examined.sound().await;
    }

    async fn a_sound_database_is_found_sound_during_writes_and_sweeps(server: Server) {
        let data = folder();
        let writers: Vec<_> = (0..4)
            .map(|writer| {
                let client = server.client();
                // Until it is stopped.
                tokio::spawn(async move {
                    for number in 0.. {
                        let name = format!("w{writer}-{}", number % 7);
                        client.apply_all(vec![json!({"region": {"name": name, "description": format!("{number}")}})]).await;
                    }
                })
            })
            .collect();
        let store = Store::open(&server.database_url().parse().expect("a URL"), underlay_kinds::tables()).await.expect("open the database");
        let sweeper = tokio::spawn(async move {
            loop {
                feed::sweep(&store, Utc::now() - TimeDelta::milliseconds(200)).await.expect("sweep");
            }
        });
        // Also after some were dropped, which takes a moment.
        let (mut examined, mut oldest) = (0, Some(1));
        while examined < 100 && (examined < 8 || oldest <= Some(1)) {
            let (code, found) = doctor(&server.database_url(), data.path(), &[]).await;
            assert!(code == 0 && wrong(&found).is_empty(), "{found:#?}");
            let answer = server.client().ok("{ oldestRevision }", json!({})).await;
            (examined, oldest) = (examined + 1, answer["oldestRevision"].as_i64());
        }
        assert!(!sweeper.is_finished() && writers.iter().all(|writer| !writer.is_finished()), "they went on all the time");
        assert!(oldest > Some(1), "something was dropped: {oldest:?}");
        writers.iter().for_each(tokio::task::JoinHandle::abort);
        sweeper.abort();
    }

    async fn a_row_with_a_dangling_reference_is_named(server: Server) {
        let examined = Examined::of(server).await;
        let unchecked = match examined.server.database_url().starts_with("sqlite") {
            true => "PRAGMA foreign_keys = OFF",
            false => "SET session_replication_role = replica",
        };
        examined.sql.run(unchecked).await;
        examined.damaged(
            "DELETE FROM region WHERE name = 'r2'", "SELECT 1",
            &["snapshot", "rows", "log"], &["it cannot be loaded: the row of Region", "which is not there"],
        ).await;
    }
}
