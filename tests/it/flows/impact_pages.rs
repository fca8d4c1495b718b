//! A large impact over HTTP, page by page: the pages are of one answer, which is computed once.

use std::collections::BTreeSet;

use serde_json::{Value, json};

use crate::harness::metrics::Exported;
use crate::harness::{Client, Database, Server};

/// The number of devices in the rack that fails. Each has a port.
const DEVICES: usize = 120;
/// The number of entries on a page.
const PAGE_ENTRIES: usize = 50;
/// The number of answers that a server keeps.
const MAX_KEPT_ANSWERS: usize = 16;

const IMPACT: &str = "query($of: [ID!]!, $kinds: [String!], $effects: [ImpactEffect!], $first: Int, $after: String) {
  impact(of: $of) {
    revision counts { kind effect count }
    affected(kinds: $kinds, effects: $effects, first: $first, after: $after) {
      totalCount nodes { path node { id } because(first: 10) { node { id } } } edges { cursor } pageInfo { hasNextPage endCursor }
    }
  }
}";

fn device(number: usize) -> Value {
    let placement = json!({"rack": {"rack": "A1"}});
    json!({"device": {"site": {"site": "s"}, "name": format!("d{number:03}"), "role": "SERVER", "placement": placement}})
}

/// A server with a rack of devices, a spare device, and the ids of both.
async fn started() -> (Server, [Value; 2]) {
    let server = Server::start(Database::Sqlite).await;
    let client = server.client();
    let mut items = vec![
        json!({"site": {"name": "s", "type": "DATACENTER"}}),
        json!({"rack": {"site": {"site": "s"}, "name": "A1", "heightU": 42}}),
        json!({"device": {"site": {"site": "s"}, "name": "spare", "role": "SERVER"}}),
    ];
    items.extend((0..DEVICES).map(device));
    items.extend((0..DEVICES).map(
        |number| json!({"port": {"device": {"device": format!("d{number:03}")}, "name": "eth0", "type": "ETHERNET"}}),
    ));
    client.apply_all(items).await;
    let ids =
        client.ok("{ rack(site: \"s\", name: \"A1\") { id } device(site: \"s\", name: \"spare\") { id } }", json!({}));
    let ids = ids.await;
    (server, [ids["rack"]["id"].clone(), ids["device"]["id"].clone()])
}

/// Returns the number of requests with a computed answer, and with a kept one.
async fn answered(server: &Server) -> [f64; 2] {
    let exported = Exported::of(server).await;
    ["worked_out", "kept"].map(|from| exported.sum("underlay_impact_answers_total", &[("from", from)]))
}

async fn page(client: &Client, of: &[&Value], after: &Value) -> Value {
    let mut variables = json!({"of": of, "first": PAGE_ENTRIES});
    if !after.is_null() {
        variables["after"] = after.clone();
    }
    client.ok(IMPACT, variables).await["impact"].take()
}

fn ids(nodes: &Value) -> Vec<String> {
    let nodes = nodes.as_array().expect("nodes");
    nodes.iter().map(|node| node["node"]["id"].as_str().expect("an id").to_owned()).collect()
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn pages_are_of_one_answer_whatever_is_written_between_them() {
    let (server, [rack, spare]) = started().await;
    let client = server.client();
    let of = [&rack, &spare];
    let whole = client.ok(IMPACT, json!({"of": of, "first": 1_000})).await["impact"].take();
    assert_eq!(whole["affected"]["totalCount"], json!(2 * DEVICES));
    assert_eq!(Exported::of(&server).await.sum("underlay_kept_answers", &[]), 0.0, "it has no further page");
    let [before, _] = answered(&server).await;
    let (mut seen, mut explained, mut after, mut pages) = (Vec::new(), BTreeSet::new(), Value::Null, 0);
    explained.extend(of.map(|of_id| of_id.as_str().expect("an id").to_owned()));
    loop {
        let page = page(&client, &of, &after).await;
        pages += 1;
        assert_eq!((&page["revision"], &page["counts"]), (&whole["revision"], &whole["counts"]), "page {pages}");
        for node in page["affected"]["nodes"].as_array().expect("nodes") {
            let because = ids(&node["because"]);
            assert!(!because.is_empty() && because.iter().all(|id| explained.contains(id)), "{node}");
            explained.insert(node["node"]["id"].as_str().expect("an id").to_owned());
        }
        seen.extend(ids(&page["affected"]["nodes"]));
        if page["affected"]["pageInfo"]["hasNextPage"] == false {
            break;
        }
        after = page["affected"]["pageInfo"]["endCursor"].clone();
        // One that is still to come goes, one comes that would have been listed, and one of what was given goes.
        let last = DEVICES - pages;
        let mut items = vec![
            json!({"delete": {"ref": {"port": {"device": format!("d{last:03}"), "port": "eth0"}}}}),
            json!({"delete": {"ref": {"device": {"device": format!("d{last:03}")}}}}),
            device(900 + pages),
        ];
        if pages == 1 {
            items.push(json!({"delete": {"ref": {"device": {"device": "spare"}}}}));
        }
        client.apply_all(items).await;
    }
    assert_eq!(seen, ids(&whole["affected"]["nodes"]), "together the pages are the whole");
    assert_eq!(pages, (2 * DEVICES).div_ceil(PAGE_ENTRIES));
    assert_eq!(answered(&server).await, [before + 1.0, (pages - 1) as f64], "only the first page works anything out");
    let exported = Exported::of(&server).await;
    assert_eq!(exported.sum("underlay_kept_answers", &[]), 1.0);
    assert!(exported.sum("underlay_kept_answer_bytes", &[]) > 1_000.0);
    let fresh = page_of(&client, &[&rack]).await;
    assert_ne!(fresh["revision"], whole["revision"], "a question without a cursor is of the newest revision");
}

async fn page_of(client: &Client, of: &[&Value]) -> Value {
    page(client, of, &Value::Null).await
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_filter_narrows_the_pages_of_the_same_answer() {
    let (server, [rack, _]) = started().await;
    let client = server.client();
    let narrowed =
        |after: Value| json!({"of": [rack], "kinds": ["Port"], "effects": ["DOWN"], "first": 70, "after": after});
    let first = client.ok(IMPACT, narrowed(Value::Null)).await["impact"]["affected"].take();
    let rest = client.ok(IMPACT, narrowed(first["pageInfo"]["endCursor"].clone())).await["impact"]["affected"].take();
    assert_eq!((&first["totalCount"], &rest["totalCount"]), (&json!(DEVICES), &json!(DEVICES)));
    let (mut all, rest) = (ids(&first["nodes"]), ids(&rest["nodes"]));
    assert_eq!((all.len(), rest.len()), (70, DEVICES - 70));
    all.extend(rest);
    assert_eq!(all.iter().collect::<BTreeSet<_>>().len(), DEVICES);
    assert_eq!(answered(&server).await, [1.0, 1.0]);
    // The cursor of any entry goes on after that one.
    let second = json!({"of": [rack], "kinds": ["Port"], "first": 1, "after": first["edges"][0]["cursor"]});
    assert_eq!(ids(&client.ok(IMPACT, second).await["impact"]["affected"]["nodes"]), all[1..2]);
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn an_evicted_answer_is_computed_again_or_rejected() {
    let (server, [rack, spare]) = started().await;
    let client = server.client();
    let whole = client.ok(IMPACT, json!({"of": [rack], "first": 1_000})).await["impact"].take();
    let first = page_of(&client, &[&rack]).await;
    let cursor = first["affected"]["pageInfo"]["endCursor"].clone();
    // As many others as are kept.
    let others =
        ids(&client.ok(IMPACT, json!({"of": [rack], "kinds": ["Device"]})).await["impact"]["affected"]["nodes"]);
    let evict = async || {
        for other in others.iter().take(MAX_KEPT_ANSWERS) {
            page_of(&client, &[&rack, &json!(other)]).await;
        }
    };
    evict().await;
    assert_eq!(Exported::of(&server).await.sum("underlay_kept_answers", &[]), MAX_KEPT_ANSWERS as f64);
    client.apply_all(vec![device(900)]).await;
    let [worked_out, kept] = answered(&server).await;
    let next = page(&client, &[&rack], &cursor).await;
    assert_eq!(answered(&server).await, [worked_out + 1.0, kept], "it is worked out again");
    assert_eq!((&next["revision"], &next["counts"]), (&whole["revision"], &whole["counts"]), "of the same revision");
    let all = ids(&whole["affected"]["nodes"]);
    assert_eq!(ids(&first["affected"]["nodes"]), all[..PAGE_ENTRIES]);
    assert_eq!(ids(&next["affected"]["nodes"]), all[PAGE_ENTRIES..2 * PAGE_ENTRIES]);
    // Evicted again, and more is written than the server keeps of the recent revisions.
    evict().await;
    for batch in 0..3 {
        let region = |number: usize| json!({"region": {"name": format!("r{batch}-{number}")}});
        client.apply_all((0..7_000).map(region).collect()).await;
    }
    let refused = client.refused(IMPACT, json!({"of": [rack], "first": PAGE_ENTRIES, "after": cursor})).await;
    assert_eq!((refused[0].code.as_str(), refused[0].field.as_deref()), ("REVISION_COMPACTED", Some("after")));
    assert!(refused[0].message.contains("start again from the first page"), "{refused:?}");
    // An answer that was used lately can be continued, although its revision is as old.
    let recent = page_of(&client, &[&rack, &spare]).await;
    let region = |number: usize| json!({"region": {"name": format!("more-{number}")}});
    for from in [0, 8_000, 16_000] {
        client.apply_all((from..from + 8_000).map(region).collect()).await;
    }
    let goes_on = page(&client, &[&rack, &spare], &recent["affected"]["pageInfo"]["endCursor"]).await;
    assert_eq!(goes_on["revision"], recent["revision"]);
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_cursor_of_another_query_is_rejected() {
    let (server, [rack, spare]) = started().await;
    let client = server.client();
    let cursor = page_of(&client, &[&rack]).await["affected"]["pageInfo"]["endCursor"].clone();
    let text = cursor.as_str().expect("a cursor");
    let tampered = |at: usize| {
        let mut bytes = text.as_bytes().to_vec();
        bytes[at] = if bytes[at] == b'A' { b'B' } else { b'A' };
        json!(String::from_utf8(bytes).expect("text"))
    };
    let mut table = vec![
        json!({"of": [rack, spare], "after": cursor}),
        json!({"of": [spare], "after": cursor}),
        json!({"of": [rack], "after": ""}),
        json!({"of": [rack], "after": rack}),
    ];
    table.extend((0..text.len()).step_by(5).map(|at| json!({"of": [rack], "after": tampered(at)})));
    let before = answered(&server).await;
    for variables in table {
        let errors = client.refused(IMPACT, variables.clone()).await;
        let code_and_field = (errors[0].code.as_str(), errors[0].field.as_deref());
        assert_eq!(code_and_field, ("INVALID", Some("after")), "{variables}: {errors:?}");
        assert!(errors[0].message.contains("take one from pageInfo or edges"), "{errors:?}");
    }
    assert_eq!(answered(&server).await, before, "nothing is worked out for it");
    let twice = "query($of: [ID!]!, $after: String) { impact(of: $of) {
        one: affected(after: $after) { totalCount } other: affected(first: 1) { nodes { path } } revision } }";
    client.apply_all(vec![device(900)]).await;
    let both = client.ok(twice, json!({"of": [rack], "after": cursor})).await["impact"].take();
    assert_eq!(both["one"]["totalCount"], json!(2 * DEVICES), "one answer for both lists: {both}");
    let newer = page_of(&client, &[&rack]).await["affected"]["pageInfo"]["endCursor"].clone();
    let of_two = "query($of: [ID!]!, $one: String, $other: String) { impact(of: $of) {
        one: affected(after: $one) { totalCount } other: affected(after: $other) { totalCount } } }";
    let errors = client.refused(of_two, json!({"of": [rack], "one": cursor, "other": newer})).await;
    assert_eq!(errors[0].code, "INVALID", "{errors:?}");
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn the_command_requests_one_page_without_all() {
    let (server, _) = started().await;
    let more: Vec<Value> = (0..1_000)
        .map(|number| {
            let device = json!({"device": format!("d{:03}", number % DEVICES)});
            json!({"port": {"device": device, "name": format!("more{number}"), "type": "ETHERNET"}})
        })
        .collect();
    server.client().apply_all(more).await;
    let total = 1_000 + 2 * DEVICES;
    let asked = async |arguments: &[&str]| {
        let before: f64 = answered(&server).await.iter().sum();
        let done = server.cli([&["impact", "rack/s/A1"], arguments].concat()).await;
        assert_eq!(done.code, 0, "{}", done.stderr);
        let requests = answered(&server).await.iter().sum::<f64>() - before;
        (done, requests)
    };
    let (drawn, requests) = asked(&[]).await;
    assert_eq!(requests, 1.0);
    let lines: Vec<&str> = drawn.stdout.lines().collect();
    assert_eq!((lines.len(), lines[0]), (53, "rack/s/A1"), "{}", drawn.stdout);
    assert_eq!(lines[50], format!("and {} more: --all shows everything", total - 49));
    assert_eq!(lines[51..], [format!("Device {DEVICES} DOWN"), format!("Port {} DOWN", 1_000 + DEVICES)]);
    let (all, requests) = asked(&["--all"]).await;
    assert_eq!(requests, 2.0);
    assert_eq!(all.stdout.lines().count(), 1 + total + 2);
    assert!(!all.stdout.contains("more:"), "{}", all.stdout);
    for (arguments, affected) in [(vec!["-o", "json"], 1_000), (vec!["-o", "json", "--all"], total)] {
        let (json, _) = asked(&arguments).await;
        let impact: Value = serde_json::from_str(&json.stdout).expect("JSON");
        assert_eq!(impact["affected"].as_array().map(Vec::len), Some(affected));
        assert_eq!((&impact["totalCount"], impact["counts"].as_array().map(Vec::len)), (&json!(total), Some(2)));
        assert_eq!(json.stderr.contains("--all lists everything"), affected < total, "{}", json.stderr);
    }
}
