//! The checks of `underlay serve` at its start, and the names under which it answers.

use reqwest::header::{HOST, HeaderMap, HeaderValue};
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

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_server_that_authenticates_nobody_answers_only_under_its_own_names() {
    let server = Server::start(Database::Sqlite).env("UNDERLAY_ORIGINS", "https://underlay.example.org").await;
    for (host, may) in [
        ("localhost:8080", true),
        ("127.0.0.1", true),
        ("[::1]:8080", true),
        ("underlay.example.org:8443", true),
        ("evil.example", false),
        ("evil.example:8080", false),
        ("127.0.0.1.evil.example", false),
        ("192.0.2.7", false),
    ] {
        let named = HeaderMap::from_iter([(HOST, HeaderValue::from_static(host))]);
        let client = server.client().with_headers(named);
        for path in ["/graphql?query=%7Brevision%7D", "/console/session", "/", "/metrics", "/trace/x.svg"] {
            let answer = client.get(path).await;
            let is_refused = answer.text().contains("the Host of the request is not this server");
            assert_eq!((is_refused, answer.status == 403), (!may, !may), "{host} {path}: {}", answer.text());
        }
        let written = client.post_lines("", r#"{"item": {"site": {"name": "a", "type": "DATACENTER"}}}"#).await;
        assert_eq!(written.status == 200, may, "{host}: {}", written.text());
    }
    // A server that authenticates its callers may be reached by any name.
    let server = Server::start(Database::Sqlite).asking().await;
    let named = HeaderMap::from_iter([(HOST, HeaderValue::from_static("underlay.example.org"))]);
    let answer = server.client().with_headers(named).get("/graphql?query=%7Brevision%7D").await;
    assert_eq!(answer.status, 401, "{}", answer.text());
}
