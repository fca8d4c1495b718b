//! `underlay get -o yaml` and `-o json`: the output can be applied, here and on another server.

use serde_json::Value;

use super::apply::{apply, done};
use super::get::fleet;
use crate::harness::{Database, Server};

/// The kinds that have manifests.
fn kinds() -> Vec<&'static str> {
    let registry = underlay_kinds::registry();
    registry.kinds().map(|kind| kind.singular).filter(|kind| *kind != "circuitTermination").collect()
}

async fn everything(server: &Server, output: &str) -> Vec<String> {
    let mut texts = Vec::new();
    for kind in kinds() {
        let outcome = server.cli(["get", kind, "-o", output]).await;
        texts.push(done(&outcome).to_owned());
    }
    texts
}

#[tokio::test]
async fn printed_manifests_can_be_applied_unchanged() {
    let server = fleet().await;
    let yaml = everything(&server, "yaml").await.join("---\n");
    let json = everything(&server, "json").await.join("\n");
    for text in [&yaml, &json] {
        let outcome = apply(&server, text.as_str()).await;
        assert_eq!(done(&outcome), "36 unchanged\n");
    }

    let other = Server::start(Database::Sqlite).await;
    let outcome = apply(&other, yaml.as_str()).await;
    assert!(done(&outcome).ends_with("\n36 created\n"), "{outcome:?}");
    // Objects are listed in the order of their parents' ids, which differ.
    let sorted = |texts: Vec<String>| {
        let all = texts.join("---\n");
        let mut documents: Vec<String> = all.split("---\n").map(str::to_owned).collect();
        documents.sort_unstable();
        documents
    };
    assert_eq!(sorted(everything(&other, "yaml").await), sorted(vec![yaml]));
}

#[tokio::test]
async fn manifests_are_written_as_people_write_them() {
    let server = fleet().await;
    let rack = server.cli(["get", "rack", "r01", "-o", "yaml"]).await;
    assert_eq!(
        done(&rack),
        "apiVersion: underlay/v1\nkind: Rack\nmetadata:\n  name: r01\nspec:\n  site: gent-1\n  location:\n    site: gent-1\n    \
         location: hall-1\n  cage: C1\n  row: \"4\"\n  heightU: 47\n  serial: R-1\n  status: STAGED\n"
    );
    let one = server.cli(["get", "rack/r01", "-o", "json"]).await;
    let one: Value = serde_json::from_str(done(&one)).expect("JSON");
    assert_eq!((&one["kind"], &one["spec"]["site"]), (&"Rack".into(), &"gent-1".into()));
    // Several kinds are one stream.
    let outcome = server.cli(["get", "rack/r01", "site/gent-1", "rack/gent-1/r01", "-o", "json"]).await;
    let several: Value = serde_json::from_str(done(&outcome)).expect("JSON");
    let kinds: Vec<_> = several["items"].as_array().expect("a list").iter().map(|item| item["kind"].clone()).collect();
    assert_eq!((&several["kind"], kinds), (&"List".into(), vec!["Rack".into(), "Site".into()]));
}

#[tokio::test]
async fn an_empty_list_is_a_list() {
    let server = Server::start(Database::Sqlite).await;
    let json = server.cli(["get", "racks", "-o", "json"]).await;
    let list: Value = serde_json::from_str(done(&json)).expect("JSON");
    assert_eq!((&list["kind"], &list["items"]), (&"List".into(), &Value::Array(Vec::new())));
    assert_eq!(done(&server.cli(["get", "racks", "-o", "yaml"]).await), "");
}
