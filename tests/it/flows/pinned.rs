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

/// The part of a list that a jump reaches is the part that a client would reach page by page.
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_jump_reaches_the_same_page_as_the_pages_before_it() {
    let server = started().await;
    let client = server.client();
    let names: Vec<String> = (0..40).map(|number| format!("r{number}")).collect();
    racks(&client, &names.iter().map(String::as_str).collect::<Vec<_>>()).await;
    let jump = async |arguments: &str| {
        let query = format!("{{ racks({arguments}) {{ nodes {{ name }} pageInfo {{ endCursor }} }} }}");
        let racks = client.ok(&query, json!({})).await["racks"].take();
        let nodes = racks["nodes"].as_array().expect("nodes").iter();
        let names: Vec<String> = nodes.map(|node| node["name"].as_str().expect("a name").to_owned()).collect();
        (names, racks["pageInfo"]["endCursor"].clone())
    };
    for order in [
        "",
        "orderBy: {by: UPDATED_AT}, ",
        "orderBy: {by: NAME, direction: DESC}, ",
        "filter: {name: {contains: \"1\"}}, ",
    ] {
        let (whole, _) = jump(&format!("{order}first: 100, pin: true")).await;
        for (skip, first) in [(0, 5), (1, 5), (7, 10), (39, 10), (43, 1), (100, 10), (5, 0)] {
            let (part, _) = jump(&format!("{order}first: {first}, skip: {skip}, atRevision: 3")).await;
            let expected: Vec<_> = whole.iter().skip(skip).take(first).cloned().collect();
            assert_eq!(part, expected, "{order}{skip} {first}");
        }
        let (_, third) = jump(&format!("{order}first: 3, pin: true")).await;
        let (part, _) = jump(&format!("{order}first: 4, after: {third}, skip: 2")).await;
        let expected: Vec<_> = whole.iter().skip(5).take(4).cloned().collect();
        assert_eq!(part, expected, "{order}: the jump begins at the cursor");
    }
    let info = "{ racks(first: 2, skip: 3, pin: true) { pageInfo { hasPreviousPage hasNextPage } } }";
    let info = client.ok(info, json!({})).await["racks"]["pageInfo"].take();
    assert_eq!(info, json!({"hasPreviousPage": true, "hasNextPage": true}));
    for (arguments, says) in [
        ("first: 2, skip: 3", "skip needs a fixed revision: pass pin, atRevision, or a cursor of a pinned list"),
        ("last: 2, skip: 3, pin: true", "skip cannot be combined with last"),
        ("first: 2, skip: -1, pin: true", "skip must be at least 0, not -1"),
    ] {
        let refused = client.refused(&format!("{{ racks({arguments}) {{ totalCount }} }}"), json!({})).await;
        assert_eq!((refused[0].code.as_str(), refused[0].field.as_deref()), ("INVALID", Some("skip")), "{arguments}");
        assert_eq!(refused[0].message, says, "{arguments}");
    }
}
