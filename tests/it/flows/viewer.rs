//! The root field `viewer`: it shows each caller its own identity and permissions, and nothing of others.

use std::time::{SystemTime, UNIX_EPOCH};

use serde_json::{Value, json};

use crate::harness::{Database, Server};

const VIEWER: &str = "{ viewer { actor roles tenant source expires may { field allowed needs } } }";

/// The viewer of a new token.
async fn viewer(server: &Server, arguments: &[&str]) -> Value {
    let arguments = [&["token", "create"], arguments].concat();
    let made = server.cli(arguments).env("UNDERLAY_RUN_DIR", server.folder().join("run")).await;
    assert_eq!((made.code, made.stderr.as_str()), (0, ""), "{made:?}");
    server.client().bearing(made.stdout.trim()).ok(VIEWER, json!({})).await["viewer"].take()
}

fn permission<'a>(viewer: &'a Value, field: &str) -> &'a Value {
    let mut permissions = viewer["may"].as_array().expect("permissions").iter();
    permissions.find(|one| one["field"] == field).unwrap_or_else(|| panic!("nothing about {field}"))
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn each_caller_gets_its_own_identity() {
    let server = Server::start(Database::Sqlite).asking().await;
    let ann = viewer(&server, &["--role", "viewer,operator", "--actor", "ann", "--lifetime", "1h"]).await;
    assert_eq!((&ann["actor"], &ann["roles"]), (&json!("ann"), &json!(["viewer", "operator"])));
    assert_eq!((&ann["tenant"], &ann["source"]), (&json!(null), &json!(null)));
    let expires = ann["expires"].as_str().expect("a time").parse::<chrono::DateTime<chrono::Utc>>().expect("a time");
    let now = SystemTime::now().duration_since(UNIX_EPOCH).expect("after 1970").as_secs() as i64;
    // The clocks of the server and of the issuer may differ by a minute.
    assert!((3500..=3661).contains(&(expires.timestamp() - now)), "{ann}");
    let delete = permission(&ann, "Mutation.deleteRack");
    assert_eq!(*delete, json!({"field": "Mutation.deleteRack", "allowed": true, "needs": ["operator", "admin"]}));
    assert_eq!(permission(&ann, "Mutation.rotateSecrets")["allowed"], false);
    assert_eq!(permission(&ann, "Query.secret")["needs"], json!(["secrets-reader"]));

    let dcim = viewer(&server, &["--role", "synchronizer", "--source", "dcim", "--actor", "sync"]).await;
    assert_eq!((&dcim["source"], &dcim["actor"]), (&json!("dcim"), &json!("sync")));
    assert_eq!(permission(&dcim, "Mutation.apply")["allowed"], true);

    let blue = viewer(&server, &["--role", "admin", "--tenant", "blue", "--actor", "bob"]).await;
    assert_eq!((&blue["tenant"], &blue["roles"]), (&json!("blue"), &json!(["admin"])));
    let may = blue["may"].as_array().expect("permissions");
    assert!(may.iter().all(|one| one["allowed"] == false), "tenants only read");
    let text = blue.to_string();
    assert!(!text.contains("ann") && !text.contains("dcim"), "nothing of others: {text}");
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn without_authentication_everybody_may_do_everything() {
    let server = Server::start(Database::Sqlite).await;
    let anybody = server.client().ok(VIEWER, json!({})).await["viewer"].take();
    assert_eq!((&anybody["actor"], &anybody["expires"]), (&json!("local"), &json!(null)));
    let may = anybody["may"].as_array().expect("permissions");
    assert!(may.iter().all(|one| one["allowed"] == true), "{anybody:#}");
}
