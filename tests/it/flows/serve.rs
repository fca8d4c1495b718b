//! The checks of `underlay serve` at its start.

use serde_json::json;

use crate::harness::{Cli, Database, Server, scratch};

/// Until there is authentication, nobody but this machine may reach it.
#[tokio::test]
async fn it_listens_on_loopback_only() {
    let folder = scratch::folder("loopback");
    let data = folder.path().to_str().unwrap();
    let refused = Cli::new(["serve", "--listen", "0.0.0.0:0", "--data-dir", data]).await;
    assert_eq!(refused.code, 1, "{}", refused.stderr);
    assert!(refused.stderr.contains("0.0.0.0:0 is not a loopback address"), "{}", refused.stderr);
    assert_eq!(refused.stdout, "", "it never was ready");
    assert!(!folder.path().join("underlay.db").exists(), "nothing was made");
}

/// A URL of no known form is refused with the forms that are.
#[tokio::test]
async fn an_unknown_database_is_rejected() {
    let refused = Cli::new(["serve", "--database", "mysql://root:secret@localhost/db"]).await;
    assert_eq!(refused.code, 2, "{}", refused.stderr);
    assert!(refused.stderr.contains("use sqlite:///path/to/file or postgres://"), "{}", refused.stderr);
}

/// Two servers on one SQLite file would each serve a value that the other makes old.
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_second_server_on_an_sqlite_file_is_refused() {
    let mut server = Server::start(Database::Sqlite).await;
    let url = server.database_url();
    let second = ["serve", "--listen", "127.0.0.1:0", "--database", &url];
    let refused = Cli::new(second).await;
    assert_eq!((refused.code, refused.stdout.as_str()), (1, ""), "{}", refused.stderr);
    let says = format!("is served by process {}: an SQLite file has one server", server.pid());
    assert!(refused.stderr.contains(&says), "{}", refused.stderr);
    let written = server.client().apply_all(vec![json!({"region": {"name": "r"}})]).await;
    assert_eq!(written["revision"], 1, "the first one goes on");
    // However it ends, the next one may.
    server.kill();
    server.restart().await;
    assert_eq!(Cli::new(second).await.code, 1, "and holds the file again");
    server.stop().await;
    server.restart().await;
    assert_eq!(server.client().ok("{ revision }", json!({})).await, json!({"revision": 1}));
}

/// By a hard link in another folder SQLite finds other files beside the database, and so did the lock.
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_second_server_on_a_hard_link_to_an_sqlite_file_is_refused() {
    let mut server = Server::start(Database::Sqlite).await;
    let elsewhere = scratch::folder("link");
    let link = elsewhere.path().join("other.db");
    std::fs::hard_link(server.folder().join("test.db"), &link).expect("a hard link");
    let url = format!("sqlite://{}", link.display());
    let second = ["serve", "--listen", "127.0.0.1:0", "--database", &url];
    let refused = Cli::new(second).await;
    assert_eq!((refused.code, refused.stdout.as_str()), (1, ""), "{}", refused.stderr);
    let says = "is served by another process, which knows the file by another path (a hard link)";
    assert!(refused.stderr.contains(says), "{}", refused.stderr);
    let backup = elsewhere.path().join("backup.db");
    assert_eq!(Cli::new(["backup", &backup.display().to_string(), "--database", &server.database_url()]).await.code, 0);
    let restore = ["restore", &backup.display().to_string(), "--force", "--database", &url];
    assert_eq!(Cli::new(restore).await.code, 1, "a database that is served is not moved away");
    // Its own locks are still there after all these attempts: SQLite's own tools wait for it, too.
    let written = server.client().apply_all(vec![json!({"region": {"name": "r"}})]).await;
    assert_eq!(written["revision"], 1, "the first one goes on");
    server.kill();
    server.restart().await;
    assert_eq!(server.client().ok("{ revision }", json!({})).await, json!({"revision": 1}));
    server.stop().await;
    assert_eq!(Cli::new(restore).await.code, 0, "now nobody serves it");
}
