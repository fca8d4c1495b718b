//! Pinned lists, which keep their revision while others write.

use serde_json::{Value, json};

use crate::harness::{Client, Database, Server};

/// The names of the racks on a page, and its end.
async fn page(client: &Client, arguments: &str) -> (Vec<String>, Value) {
    let query = format!(
        "{{ racks({arguments}) {{ totalCount nodes {{ name site {{ racks {{ totalCount }} }} }} pageInfo {{ endCursor }} }} }}"
    );
    let mut data = client.ok(&query, json!({})).await;
    let racks = data["racks"].take();
    let nodes = racks["nodes"].as_array().expect("nodes").clone();
    for node in &nodes {
        assert_eq!(
            node["site"]["racks"]["totalCount"], racks["totalCount"],
            "what hangs on it is of the same revision"
        );
    }
    (
        nodes.iter().map(|node| node["name"].as_str().expect("a name").to_owned()).collect(),
        racks["pageInfo"]["endCursor"].clone(),
    )
}

async fn racks(client: &Client, names: &[&str]) {
    let rack = |name: &&str| json!({"rack": {"site": {"site": "ams1"}, "name": name, "heightU": 42}});
    client.apply_all(names.iter().map(rack).collect()).await;
}

async fn started() -> Server {
    let server = Server::start(Database::Sqlite).await;
    server.client().apply_all(vec![json!({"site": {"name": "ams1", "type": "EDGE"}})]).await;
    racks(&server.client(), &["a", "b", "c"]).await;
    server
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_pinned_list_does_not_change() {
    let server = started().await;
    let client = server.client();
    let (first, pinned) = page(&client, "first: 1, pin: true").await;
    let (_, moving) = page(&client, "first: 1").await;
    racks(&client, &["aa", "d"]).await;
    assert_eq!(first, ["a"]);
    let after = |cursor: &Value| format!("after: {cursor}");
    assert_eq!(page(&client, &after(&moving)).await.0, ["aa", "b", "c", "d"]);
    let (rest, last) = page(&client, &format!("first: 2, {}", after(&pinned))).await;
    assert_eq!(rest, ["b", "c"]);
    assert!(page(&client, &after(&last)).await.0.is_empty(), "each cursor goes on with the revision");
    // Another list joins it by the number.
    assert_eq!(page(&client, "atRevision: 2").await.0, ["a", "b", "c"]);
    assert_eq!(page(&client, "atRevision: 3").await.0.len(), 5);
    // A list beneath an object, which has other neighbours now.
    let query = "{ site(name: \"ams1\") { racks(atRevision: 2) { nodes { name } } } }";
    let nested = client.ok(query, json!({})).await;
    assert_eq!(nested["site"]["racks"]["nodes"].as_array().map(Vec::len), Some(3));
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn an_unpinned_revision_is_rejected_with_advice() {
    let server = started().await;
    let client = server.client();
    let (_, pinned) = page(&client, "first: 1, pin: true").await;
    for (arguments, code, field, says) in [
        ("atRevision: 1".to_owned(), "REVISION_COMPACTED", None, "start again from the first page"),
        ("atRevision: 99".to_owned(), "REVISION_COMPACTED", None, "revision 99 is no longer held (the newest is 2)"),
        (format!("atRevision: 1, after: {pinned}"), "INVALID", Some("after"), "cannot be combined with revision 1"),
    ] {
        let errors = client.refused(&format!("{{ racks({arguments}) {{ totalCount }} }}"), json!({})).await;
        assert_eq!((errors[0].code.as_str(), errors[0].field.as_deref()), (code, field), "{errors:?}");
        assert!(errors[0].message.contains(says), "{errors:?}");
    }
    // The ninth takes the place of the first.
    for number in 0..8 {
        racks(&client, &[&format!("more-{number}")]).await;
        page(&client, "first: 1, pin: true").await;
    }
    let errors = client.refused(&format!("{{ racks(after: {pinned}) {{ totalCount }} }}"), json!({})).await;
    assert_eq!(errors[0].code, "REVISION_COMPACTED", "{errors:?}");
}
