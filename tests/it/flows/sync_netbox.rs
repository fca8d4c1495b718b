//! All items of a NetBox, written through a server: none is refused, and lines end where NetBox says they do.

use std::collections::{BTreeMap, BTreeSet};

use serde_json::{Value, json};
use underlay_kit::sync::{Adapter as _, AdapterError, Emitted, Sink};
use underlay_netbox::{NetBox, Settings, TokenSource};

use super::tls;
use crate::harness::{Client, Database, Server, scratch};

#[path = "../../../adapters/netbox/tests/it/replay.rs"]
#[expect(dead_code, reason = "the tests of the adapter use the rest of it")]
pub mod replay;

use replay::{Replay, TOKEN};

/// The lists of NetBox whose objects lines begin and end at, with the types of the objects.
const ENDS: [(&str, &str); 8] = [
    ("circuits/circuit-terminations", "circuits.circuittermination"),
    ("dcim/console-ports", "dcim.consoleport"),
    ("dcim/front-ports", "dcim.frontport"),
    ("dcim/interfaces", "dcim.interface"),
    ("dcim/power-feeds", "dcim.powerfeed"),
    ("dcim/power-outlets", "dcim.poweroutlet"),
    ("dcim/power-ports", "dcim.powerport"),
    ("dcim/rear-ports", "dcim.rearport"),
];
/// The lists whose objects NetBox traces from.
const TRACED: [&str; 5] =
    ["dcim/console-ports", "dcim/interfaces", "dcim/power-feeds", "dcim/power-outlets", "dcim/power-ports"];

/// Ids of NetBox by the id from which they can be reached.
type Reached = BTreeMap<String, BTreeSet<String>>;

async fn items(replay: &Replay) -> Vec<Value> {
    let settings = Settings::new("netbox", &replay.url, TokenSource::Text(TOKEN.to_owned())).expect("the word lists");
    let netbox = NetBox::new(settings).expect("an adapter");
    let (mut sink, mut receiver) = Sink::new(1_000);
    let gather = async {
        let mut items = Vec::new();
        while let Some(emitted) = receiver.recv().await {
            match emitted {
                Emitted::Item(item) => {
                    items.push(serde_json::from_str(&item.to_json().expect("an item")).expect("JSON"));
                }
                other => panic!("{other:?}"),
            }
        }
        items
    };
    let scan = async {
        netbox.scan(&mut sink).await.expect("a scan");
        drop(sink);
    };
    let ((), items) = tokio::join!(scan, gather);
    items
}

/// Returns what NetBox says that each object reaches.
fn recorded(replay: &Replay, lists: &[&str], member: &str) -> Reached {
    let mut all = Reached::new();
    for (path, of) in ENDS.into_iter().filter(|(path, _)| lists.contains(path)) {
        for object in replay.list(path) {
            let of_others = object[format!("{member}_type")].as_str().unwrap_or_default().to_owned();
            let others = object[member].as_array().map(Vec::as_slice).unwrap_or_default();
            let ids = others.iter().map(|other| format!("{of_others}:{}", other["id"])).collect();
            all.insert(format!("{of}:{}", object["id"]), ids);
        }
    }
    all
}

/// Returns what the server says that each object reaches: its peers, and the ends of its line.
async fn reached(client: &Client) -> [Reached; 2] {
    let mut all = [Reached::new(), Reached::new()];
    let refs = "externalRefs { externalId }";
    let ends = format!("... on Port {{ {refs} }} ... on PowerFeed {{ {refs} }} ... on CircuitTermination {{ {refs} }}");
    let fields = format!(
        "{refs} peers {{ {ends} }} farEnds {{ {ends} ... on ProviderNetwork {{ {refs} }} ... on Site {{ {refs} }} }}"
    );
    for root in ["ports", "powerFeeds", "circuitTerminations"] {
        let mut after = Value::Null;
        loop {
            let query = format!(
                "query($after: String) {{ {root}(first: 100, after: $after) {{
                   nodes {{ {fields} }} pageInfo {{ hasNextPage endCursor }} }} }}"
            );
            let page = client.ok(&query, json!({ "after": after })).await[root].take();
            for node in page["nodes"].as_array().expect("a list") {
                let id = |it: &Value| it["externalRefs"][0]["externalId"].as_str().expect("an id").to_owned();
                for (field, all) in ["peers", "farEnds"].into_iter().zip(&mut all) {
                    all.insert(id(node), node[field].as_array().expect("a list").iter().map(id).collect());
                }
            }
            if page["pageInfo"]["hasNextPage"] != true {
                break;
            }
            after = page["pageInfo"]["endCursor"].clone();
        }
    }
    all
}

/// Returns the objects for which two answers differ.
fn differences(recorded: &Reached, found: &Reached) -> Vec<String> {
    let differs = |(id, there): (&String, &BTreeSet<String>)| {
        (found.get(id) != Some(there)).then(|| format!("{id}: {there:?}, not {:?}", found.get(id)))
    };
    recorded.iter().filter_map(differs).collect()
}

#[tokio::test]
async fn a_netbox_is_written_whole_and_a_second_time_changes_nothing() {
    let replay = Replay::demo().await;
    let items = items(&replay).await;
    let server = Server::start(Database::Sqlite).await;
    let client = server.client();
    let (results, end) = client.apply_lines("source=netbox", &items).await;
    let failed: Vec<_> = results.iter().filter(|result| result["status"] == "FAILED").collect();
    assert!(failed.is_empty(), "{} of {}: {failed:#?}", failed.len(), items.len());
    assert_eq!(end["counts"]["created"], items.len(), "{end}");
    let (results, end) = client.apply_lines("source=netbox", &items).await;
    let changed = results.iter().find(|result| result["status"] != "UNCHANGED");
    assert_eq!((changed, &end["firstRevision"]), (None, &Value::Null));

    let site = client.ok("{ site(name: \"ncsu-128\") { externalRefs { source url } labels } }", json!({})).await;
    let url = format!("{}/dcim/sites/24/", replay.url);
    assert_eq!(site["site"]["externalRefs"], json!([{"source": "netbox", "url": url}]));
    assert_eq!(site["site"]["labels"]["tag.netbox/golf"], "true");
}

#[tokio::test]
async fn lines_lead_where_they_lead_in_netbox() {
    let replay = Replay::demo().await;
    let server = Server::start(Database::Sqlite).await;
    let client = server.client();
    let items = items(&replay).await;
    let (_, end) = client.apply_lines("source=netbox", &items).await;
    assert_eq!(end["counts"]["failed"], 0, "{end}");
    let [found_peers, found_ends] = reached(&client).await;
    let peers = recorded(&replay, &ENDS.map(|(path, _)| path), "link_peers");
    assert_eq!((peers.len(), peers.values().filter(|it| !it.is_empty()).count()), (3_441, 216));
    let wrong = differences(&peers, &found_peers);
    assert!(wrong.is_empty(), "{wrong:#?}");
    let ends = recorded(&replay, &TRACED, "connected_endpoints");
    assert_eq!((ends.len(), ends.values().filter(|it| !it.is_empty()).count()), (1_854, 141));
    let wrong = differences(&ends, &found_ends);
    assert!(wrong.is_empty(), "{wrong:#?}");
}

#[tokio::test]
async fn the_command_keeps_a_netbox_in_step() {
    let replay = Replay::demo().await;
    let server = Server::start(Database::Sqlite).await;
    let folder = scratch::folder("sync-netbox");
    let state = folder.path().join("state").display().to_string();
    let run = async |how| {
        let arguments = ["sync", "netbox", "--url", replay.url.as_str(), how, "--report", "--state", state.as_str()];
        server.cli(arguments).env("NETBOX_TOKEN", TOKEN).await
    };
    let sync = async || run("--once").await;
    let dry = run("--dry-run").await;
    assert_eq!(dry.code, 0, "nothing is wrong, though NetBox has more than the inventory can hold: {dry:?}");
    let first = sync().await;
    assert_eq!(first.code, 0, "{first:?}");
    let report = |stdout: &str| -> Vec<String> {
        let says = [" mapped", " put aside: ", " left out: "];
        let lines = stdout.lines().filter(|line| line.starts_with("  ") && says.iter().any(|it| line.contains(it)));
        lines.map(str::to_owned).collect()
    };
    assert!(report(&dry.stdout).len() > 10, "{dry:?}");
    assert_eq!(report(&dry.stdout), report(&first.stdout), "a dry run reports what a run does");
    let client = server.client();
    let counts = "{ ports(first: 0) { totalCount } devices(first: 0) { totalCount } }";
    let before = client.ok(counts, json!({})).await;
    assert_eq!((&before["ports"]["totalCount"], &before["devices"]["totalCount"]), (&json!(4_068), &json!(72)));
    assert_eq!(run("--dry-run").await.code, 0);
    let again = sync().await;
    assert_eq!((again.code, client.ok(counts, json!({})).await), (0, before), "{again:?}");
    let output = format!("{}{}", again.stdout, again.stderr);
    assert!(output.contains("4733 items") && output.contains("4733 unchanged"), "{again:?}");
    // A cable that is gone there is gone here, and a device that is renamed there is renamed here.
    replay.delete("dcim/cables", "dcim.cable", 1);
    replay.change("dcim/devices", "dcim.device", 27, json!({"name": "renamed"}));
    let third = sync().await;
    assert_eq!(third.code, 0, "{third:?}");
    let query = "{ cables(first: 0) { totalCount } device(name: \"renamed\") { externalRefs { externalId } } }";
    let after = client.ok(query, json!({})).await;
    assert_eq!(after["cables"]["totalCount"], 107, "{third:?}");
    assert_eq!(after["device"]["externalRefs"][0]["externalId"], "dcim.device:27");
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn an_untrusted_certificate_gets_one_sentence() {
    let folder = scratch::folder("netbox-tls");
    let authority = tls::authority();
    tls::write(folder.path(), &authority);
    let [certificates, key, root] = ["tls.crt", "tls.key", "root.crt"].map(|name| folder.path().join(name));
    std::fs::write(&root, authority.pem()).expect("write");
    let server =
        Server::start(Database::Sqlite).arg("--tls-certificates").arg(&certificates).arg("--tls-key").arg(&key);
    let server = server.await;
    let failed = async |authority| {
        let token = TokenSource::Text(TOKEN.to_owned());
        let settings = Settings::new("netbox", server.url(), token).expect("the word lists");
        let netbox = NetBox::new(Settings { authority, ..settings }).expect("an adapter");
        netbox.scan(&mut Sink::new(1).0).await.expect_err("it is no NetBox")
    };
    let error = failed(None).await;
    let text = error.to_string();
    assert!(matches!(error, AdapterError::Unreachable { .. }), "{text}");
    assert!(text.contains("/api/status/") && text.contains("give the certificate of the authority"), "{text}");
    // The connection is made with the certificate, and then it is seen that the server is no NetBox.
    let text = failed(Some(root)).await.to_string();
    assert!(text.contains("/api/status/: wrong answer") && text.contains("check the URL"), "{text}");
}
