//! The disk of an SQLite file is full or fails: no answer is wrong, reads continue, and the same process recovers.

use std::path::{Path, PathBuf};
use std::process::Command;

use serde_json::{Value, json};

use super::replicas::{Written, agree, site, sites, write};
use crate::harness::faults::{Call, Faults, LOG};
use crate::harness::metrics::Exported;
use crate::harness::{APPLY, Database, Server, Sql, postgres, until};

const WRITABLE: &str = "underlay_database_writable";
const FAILURES: &str = "underlay_write_failures_total";

/// Waits until `/readyz` has a word for writes, and gives its answer.
async fn writes_become(server: &Server, word: &str) -> Value {
    until(format!("writes become {word}"), async || {
        let ready = server.client().get("/readyz").await;
        assert_eq!(ready.status, 200, "reads go on: {}", ready.text());
        if ready.json()["writes"] == word { Ok(ready.json()) } else { Err(ready.text()) }
    })
    .await
}

/// Checks that `/readyz` and the metrics report the problem.
async fn is_reported(server: &Server, word: &str, says: &str) {
    let ready = writes_become(server, word).await;
    assert_eq!((&ready["status"], &ready["database"]), (&json!("degraded"), &json!("ok")), "{ready}");
    assert!(ready["problem"].as_str().is_some_and(|problem| problem.contains(says)), "{ready}");
    assert!(ready["ageMs"].as_u64().is_some(), "{ready}");
    let exported = Exported::of(server).await;
    assert!(exported.sum(WRITABLE, &[]) < 0.5, "the metric shows it, too");
    assert!(exported.sum(FAILURES, &[("reason", word)]) > 0.5, "{word} is counted");
}

/// Checks that the server reports no problem any more, before anything is written.
async fn recovers(server: &Server) {
    let ready = writes_become(server, "ok").await;
    assert_eq!((&ready["status"], &ready["problem"]), (&json!("ready"), &Value::Null), "{ready}");
    assert!(Exported::of(server).await.sum(WRITABLE, &[]) > 0.5);
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn writing_survives_a_disk_failure_at_the_end_of_a_commit() {
    let (faults, start) = Faults::server();
    let mut server = start.await;
    let client = server.client();
    assert_eq!(write(&client, vec![site("before")], None).await, Written::Yes(1));
    faults.on(Call::Sync, libc::EIO, LOG, 100);
    // It is whole in the log, where the next process would find it.
    assert_eq!(write(&client, vec![site("unknown")], None).await, Written::Unknown);
    assert_eq!(write(&client, vec![site("another")], None).await, Written::Unknown, "it tries each time");
    assert_eq!(sites(&client).await.1.len(), 1, "reads go on");
    is_reported(&server, "disk_error", "the disk of the database fails").await;
    faults.off();
    recovers(&server).await;
    assert_eq!(write(&client, vec![site("after")], None).await, Written::Yes(2));
    let known = agree(&server.database_url(), std::slice::from_ref(&server)).await;
    assert_eq!(known.keys().collect::<Vec<_>>(), ["after", "before"]);

    // The same once more, and then the process crashes.
    faults.on(Call::Sync, libc::EIO, LOG, 100);
    assert_eq!(write(&client, vec![site("crashed")], Some("once".to_owned())).await, Written::Unknown);
    server.kill();
    faults.off();
    server.restart().await;
    let there = agree(&server.database_url(), std::slice::from_ref(&server)).await;
    assert!(there.contains_key("after") && !there.contains_key("unknown"), "{there:?}");
    let again = write(&server.client(), vec![site("crashed")], Some("once".to_owned())).await;
    assert_eq!(again, Written::Yes(3), "a repeat settles it, whatever became of it");
    assert_eq!(agree(&server.database_url(), std::slice::from_ref(&server)).await.len(), 3);
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_full_disk_is_reported() {
    let (faults, start) = Faults::server();
    let mut server = start.await;
    let client = server.client();
    assert_eq!(write(&client, vec![site("before")], None).await, Written::Yes(1));
    faults.on(Call::Write, libc::ENOSPC, LOG, 100);
    for name in ["one", "two"] {
        let Written::No(why) = write(&client, vec![site(name)], None).await else { panic!("written, or not known") };
        assert!(why.starts_with("UNAVAILABLE: the disk is full") && why.contains("nothing was written"), "{why}");
    }
    is_reported(&server, "disk_full", "the disk is full").await;
    faults.off();
    recovers(&server).await;
    assert_eq!(write(&client, vec![site("after")], None).await, Written::Yes(2));
    server.kill();
    server.restart().await;
    let there = agree(&server.database_url(), std::slice::from_ref(&server)).await;
    assert_eq!(there.keys().collect::<Vec<_>>(), ["after", "before"], "what was not written never comes");
}

/// A large batch fails in its midst: its pages do not fit into memory, and are written before the commit.
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn writing_survives_a_disk_failure_during_a_batch() {
    let (faults, start) = Faults::server();
    let server = start.await;
    let client = server.client();
    for (number, error) in [libc::EIO, libc::ENOSPC].into_iter().enumerate() {
        faults.on(Call::Write, error, LOG, 2);
        let text = "x".repeat(9_000);
        let item = |count| json!({"site": {"name": format!("{number} {count}"), "type": "EDGE", "description": text}});
        let answer = write(&client, (0..2_000).map(item).collect(), None).await;
        assert!(!matches!(answer, Written::Yes(_)), "{answer:?}");
        faults.off();
        let revision = i64::try_from(number).expect("small") + 1;
        assert_eq!(write(&client, vec![site(&format!("after {number}"))], None).await, Written::Yes(revision));
    }
    assert_eq!(agree(&server.database_url(), std::slice::from_ref(&server)).await.len(), 2);
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn writing_survives_a_failed_sweep() {
    let (faults, start) = Faults::server();
    let mut server = start.await;
    assert_eq!(write(&server.client(), vec![site("before")], Some("old".to_owned())).await, Written::Yes(1));
    server.stop().await;
    let sql = Sql::connect(&server.database_url()).await;
    sql.run("UPDATE request SET at = '2020-01-01T00:00:00+00:00'").await;
    sql.close().await;
    faults.on(Call::Sync, libc::EIO, LOG, 100);
    server.restart().await;
    until("requests that are old are to be forgotten", async || {
        Exported::of(&server).await.sum("underlay_sweeps_failed_total", &[]) > 0.5
    })
    .await;
    sweep_failure_is_reported(&server).await;
    faults.off();
    assert_eq!(write(&server.client(), vec![site("after")], None).await, Written::Yes(2));
}

async fn sweep_failure_is_reported(server: &Server) {
    let ready = writes_become(server, "disk_error").await;
    assert_eq!(ready["status"], "degraded", "{ready}");
}

/// PostgreSQL says that its disk is full, in a statement or in the commit: so does the answer, and nothing is left.
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
#[ignore = "needs PostgreSQL"]
async fn a_full_disk_of_postgres_is_reported() {
    let url = postgres::create_database().await;
    let server = Server::start(Database::Postgres(url.clone())).await;
    let sql = Sql::connect(&url).await;
    sql.run(
        "CREATE FUNCTION is_full() RETURNS trigger LANGUAGE plpgsql AS
           $$ BEGIN RAISE EXCEPTION 'no space' USING ERRCODE = '53100'; END $$;
         CREATE TRIGGER now BEFORE INSERT ON site FOR EACH ROW WHEN (NEW.name = 'now') EXECUTE FUNCTION is_full();
         CREATE CONSTRAINT TRIGGER later AFTER INSERT ON site DEFERRABLE INITIALLY DEFERRED
           FOR EACH ROW WHEN (NEW.name = 'later') EXECUTE FUNCTION is_full();",
    )
    .await;
    for name in ["now", "later"] {
        let Written::No(why) = write(&server.client(), vec![site(name)], None).await else {
            panic!("{name} is written")
        };
        assert!(why.starts_with("UNAVAILABLE: the disk is full") && why.contains("nothing was written"), "{why}");
        assert!(Exported::of(&server).await.sum(FAILURES, &[("reason", "disk_full")]) > 0.5);
    }
    recovers(&server).await;
    assert_eq!(write(&server.client(), vec![site("after")], None).await, Written::Yes(1));
    assert_eq!(agree(&url, std::slice::from_ref(&server)).await.len(), 1);
}

/// A small file system of its own, gone when dropped.
struct Tmpfs(PathBuf);

impl Tmpfs {
    fn mount(path: &Path, size: &str) -> Self {
        let mounted =
            Command::new("mount").args(["-t", "tmpfs", "-o", &format!("size={size}"), "tmpfs"]).arg(path).status();
        assert!(mounted.is_ok_and(|status| status.success()), "mount a tmpfs");
        Self(path.to_owned())
    }
}

impl Drop for Tmpfs {
    fn drop(&mut self) {
        // Lazily: a server that a failed test leaves may still have it.
        let _ = Command::new("umount").arg("-l").arg(&self.0).status();
    }
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
#[ignore = "needs root and tmpfs"]
async fn a_small_disk_becomes_full_and_has_room_again() {
    let start = Server::start(Database::Sqlite);
    let small = Tmpfs::mount(start.folder(), "24m");
    let ballast = start.folder().join("ballast");
    std::fs::write(&ballast, vec![1; 16 << 20]).expect("write the ballast");
    let server = start.await;
    let client = server.client();
    let batch = |number: usize, text: usize| -> Vec<Value> {
        let item = |count| json!({"site": {"name": format!("{number} {count}"), "type": "EDGE", "description": "x".repeat(text)}});
        (0..20).map(item).collect()
    };
    let mut written = 0;
    let why = loop {
        match write(&client, batch(written, 5_000), None).await {
            Written::Yes(revision) => assert_eq!(revision, i64::try_from(written).expect("small") + 1),
            Written::No(why) => break why,
            Written::Unknown => panic!("a full disk leaves no doubt"),
        }
        written += 1;
        assert!(written < 1_000, "it never becomes full");
    };
    assert!(why.starts_with("UNAVAILABLE: the disk is full") && why.contains("nothing was written"), "{why}");
    let ready = writes_become(&server, "disk_full").await;
    assert_eq!(ready["status"], "degraded", "{ready}");
    assert_eq!(sites(&client).await.1.len(), written * 20, "reads go on");
    std::fs::remove_file(&ballast).expect("make room");
    recovers(&server).await;
    let revision = i64::try_from(written).expect("small") + 1;
    assert_eq!(write(&client, batch(written, 10), None).await, Written::Yes(revision));
    let known = agree(&server.database_url(), std::slice::from_ref(&server)).await;
    assert_eq!(known.len(), (written + 1) * 20);
    drop(small);
}

/// Waits until `/readyz` has a status code; returns its answer.
async fn ready_becomes(server: &Server, code: u16) -> Value {
    until(format!("the server answers {code}"), async || {
        let ready = server.client().get("/readyz").await;
        if ready.status == code { Ok(ready.json()) } else { Err(ready.text()) }
    })
    .await
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn nothing_is_written_to_a_file_that_was_replaced_or_deleted() {
    let mut server = Server::start(Database::Sqlite).await;
    let url = server.database_url();
    let file = PathBuf::from(url.strip_prefix("sqlite://").expect("a file"));
    let away = file.with_extension("away");
    assert_eq!(write(&server.client(), vec![site("before")], None).await, Written::Yes(1));

    for is_copied in [false, true] {
        std::fs::rename(&file, &away).expect("move the file");
        if is_copied {
            // A backup tool or an editor writes a new file in the place of the old one.
            std::fs::copy(&away, &file).expect("copy the file");
        }
        // Nobody writes, and the probe misses the file.
        let ready = ready_becomes(&server, 503).await;
        assert_eq!((&ready["status"], &ready["writes"]), (&json!("replaced"), &json!("replaced")), "{ready}");
        assert!(
            ready["problem"].as_str().is_some_and(|problem| problem.contains("was replaced or deleted")),
            "{ready}"
        );
        let items = json!({"input": {"items": [site("lost")]}});
        let refused = server.client().refused(APPLY, items).await.remove(0);
        assert_eq!(refused.code, "UNAVAILABLE");
        assert!(refused.message.contains("put the file back, or start the server again"), "{}", refused.message);
        assert_eq!(sites(&server.client()).await.1.len(), 1, "reads go on");
        std::fs::rename(&away, &file).expect("put the file back");
        ready_becomes(&server, 200).await;
    }
    assert_eq!(write(&server.client(), vec![site("after")], None).await, Written::Yes(2));

    // Replaced for good: the file is there for the next start.
    server.stop().await;
    std::fs::copy(&file, &away).expect("copy the file");
    server.restart().await;
    std::fs::rename(&away, &file).expect("replace the file");
    ready_becomes(&server, 503).await;
    server.kill();
    server.restart().await;
    assert_eq!(write(&server.client(), vec![site("last")], None).await, Written::Yes(3));
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn nothing_is_written_to_a_log_that_was_replaced_or_deleted() {
    let mut server = Server::start(Database::Sqlite).await;
    let url = server.database_url();
    let file = url.strip_prefix("sqlite://").expect("a file").to_owned();
    let mut written = 0;

    for ending in ["-wal", "-shm"] {
        for is_new_one_there in [false, true] {
            let name = format!("in-the-log-{written}");
            written += 1;
            assert_eq!(write(&server.client(), vec![site(&name)], None).await, Written::Yes(written));
            until("the checkpoint moves it into the file", async || {
                let bytes = std::fs::read(&file).expect("read the file");
                let is_moved = bytes.windows(name.len()).any(|part| part == name.as_bytes());
                is_moved.then_some(()).ok_or("it is not there yet")
            })
            .await;

            let companion = format!("{file}{ending}");
            std::fs::remove_file(&companion).expect("delete the file beside the database");
            if is_new_one_there {
                std::fs::write(&companion, "").expect("make a new one");
            }
            let ready = ready_becomes(&server, 503).await;
            assert_eq!((&ready["status"], &ready["writes"]), (&json!("replaced"), &json!("replaced")), "{ready}");
            let items = json!({"input": {"items": [site("lost")]}});
            let refused = server.client().refused(APPLY, items).await.remove(0);
            assert_eq!(refused.code, "UNAVAILABLE");
            assert_eq!(sites(&server.client()).await.1.len(), written as usize, "reads go on");

            // What was acknowledged is in the file, and the next process makes the others anew.
            server.kill();
            server.restart().await;
            assert_eq!(sites(&server.client()).await.1.len(), written as usize);
        }
    }
}
