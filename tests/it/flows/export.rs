//! `underlay export`, and `apply` of its output, which gives an equal inventory.

use std::collections::BTreeMap;
use std::io::{BufRead, BufReader};
use std::process::{Command, Stdio};
use std::sync::Arc;

use serde_json::{Value, json};
use underlay_inventory::Snapshot;

use super::apply::{done, revision};
use super::sources::{Synchronizer, names, region, regions, source};
use crate::harness::inside::Inside;
use crate::harness::{Database, Server, scratch};

/// The whole inventory of a server, as its database has it.
async fn inventory(server: &Server) -> Arc<Snapshot> {
    Arc::new(Inside::open(&server.database_url()).await.loaded().await)
}

/// Returns the managers of the fields of an object. Users cannot be impersonated, so all of them count as one.
fn holders(snapshot: &Snapshot, managers: &underlay_entity::common::Managers) -> BTreeMap<String, (i64, Vec<String>)> {
    let mut holders: BTreeMap<String, (i64, Vec<String>)> = BTreeMap::new();
    for holding in managers.0.iter() {
        let name = snapshot.manager(holding.manager).expect("a manager").to_string();
        let name = if name.starts_with("user:") { "user".to_owned() } else { name };
        let (fields, keys) = holders.entry(name).or_default();
        *fields |= holding.fields;
        keys.extend(holding.keys.iter().cloned());
        keys.sort();
    }
    holders
}

/// Compares two inventories in all that an export keeps.
#[track_caller]
fn assert_equal(left: &Snapshot, right: &Snapshot) {
    assert_eq!(left.len(), right.len(), "the number of objects");
    for kind in left.registry().kinds() {
        for (_, row) in left.table(kind.id).rows(0) {
            let id = row.common().id;
            let other = right.row_of(id).unwrap_or_else(|| panic!("{} {} is missing", kind.name, row.common().name));
            for field in kind.fields {
                let same = (field.same)(row.as_ref(), other.as_ref());
                assert!(same, "{} of {} {}:\n{row:#?}\n{other:#?}", field.name, kind.name, row.common().name);
            }
            let (mine, theirs) = (holders(left, row.common().managers), holders(right, other.common().managers));
            assert_eq!(mine, theirs, "the holders of {} {}", kind.name, row.common().name);
        }
    }
}

/// Writes objects with different managers, and references that form cycles.
async fn make_awkward(server: &Server) {
    let client = server.client();
    let by = |source: &str, items: Value| json!({"source": source, "items": items, "conflicts": "FORCE"});
    let location = |name: &str, parent: Value| json!({"location": {"site": {"site": "x1"}, "name": name, "type": "ROOM", "parent": parent}});
    let port = |name: &str, ty: &str| json!({"port": {"rack": {"rack": "r1"}, "name": name, "type": ty}});
    let inputs = [
        by(
            "bcm",
            json!([
                {"site": {"name": "x1", "type": "EDGE", "status": "ACTIVE", "externalRefs": [{"source": "bcm", "externalId": "1"}]}},
                location("east", Value::Null), location("west", Value::Null),
                location("hall", json!({"location": "east"})), location("hall", json!({"location": "west"})),
                {"rack": {"site": {"site": "x1"}, "name": "r1", "heightU": 42, "labels": {"a": "1"}, "attributes": {"x": {"y": [1]}}}},
                {"device": {"site": {"site": "x1"}, "name": "chassis", "role": "CHASSIS"}},
                port("o1", "POWER_OUTLET"),
            ]),
        ),
        by(
            "netbox",
            json!([
                {"rack": {"site": {"site": "x1"}, "name": "r1", "serial": "s", "labels": {"b": "2"},
                    "externalRefs": [{"source": "netbox", "externalId": "9", "url": "https://netbox.example/9"}]}},
                {"powerFeed": {"site": {"site": "x1"}, "name": "main", "riskGroups": []}},
                {"powerFeed": {"site": {"site": "x1"}, "rack": {"rack": "r1"}, "name": "feed", "upstream": {"powerFeed": {"site": "x1", "powerFeed": "main"}}}},
                {"device": {"site": {"site": "x1"}, "name": "blade", "role": "SERVER", "parent": {"device": "chassis"}, "slot": "1"}},
            ]),
        ),
        by(
            "facilities",
            json!([
                {"port": {"rack": {"rack": "r1"}, "name": "o1", "type": "POWER_OUTLET", "fedBy": [{"powerFeed": {"rack": "r1", "powerFeed": "feed"}}]}},
                {"rack": {"site": {"site": "x1"}, "name": "r1", "cage": null, "tenant": "t"}},
            ]),
        ),
        json!({"items": [
            {"port": {"rack": {"rack": "r1"}, "name": "i1", "type": "SERIAL"}},
            {"cable": {"aEnds": [{"port": {"rack": "r1", "port": "i1"}}], "bEnds": [{"port": {"site": "x1", "device": "blade", "port": "s0"}}]}},
            {"port": {"device": {"site": "x1", "device": "blade"}, "name": "s0", "type": "SERIAL"}},
        ]}),
        json!({"items": [{"release": {"ref": {"rack": {"site": "x1", "rack": "r1"}}, "fields": ["heightU", "labels.a"]}}]}),
    ];
    for input in inputs {
        let payload = client.apply_input(input).await;
        let failed: Vec<_> =
            payload["results"].as_array().expect("results").iter().filter(|it| it["status"] == "FAILED").collect();
        assert!(failed.is_empty(), "{failed:#?}");
    }
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn control_and_hidden_characters_are_escaped() {
    let server = Server::start(Database::Sqlite).await;
    let odd = "a\u{9b}31m\u{202e}\u{61c}\u{200b}\u{2066}\u{feff}\u{e0041}é";
    let attributes = json!({"note": odd});
    let region = json!({"region": {"name": "r", "description": odd, "attributes": attributes}});
    server.client().apply_all(vec![region]).await;
    let export = server.cli(["export"]).await;
    assert_eq!(export.code, 0, "{export:?}");
    let written = export.stdout.lines().nth(1).expect("a line of an object");
    let line: Value = serde_json::from_str(written).expect("JSON");
    let region = &line["item"]["region"];
    assert_eq!((&region["description"], &region["attributes"]), (&json!(odd), &attributes), "the same values");
    let list = server.cli(["get", "regions", "-o", "wide"]).await;
    let object = server.cli(["get", "region/r", "-o", "yaml"]).await;
    let described = server.cli(["describe", "region/r"]).await;
    let query = server.folder().join("regions.graphql");
    std::fs::write(&query, "{ regions { nodes { description } } }").expect("a file");
    let asked = server.cli(["query".as_ref(), query.as_os_str()]).await;
    let hidden = ['\u{9b}', '\u{202e}', '\u{61c}', '\u{200b}', '\u{2066}', '\u{feff}', '\u{e0041}'];
    for outcome in [export, list, object, described, asked] {
        assert_eq!(outcome.code, 0, "{outcome:?}");
        assert!(!outcome.stdout.contains(hidden), "{:?}", outcome.stdout);
    }
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn objects_of_a_source_are_exported_with_the_source() {
    let (from, to) = (Server::start(Database::Sqlite).await, Server::start(Database::Sqlite).await);
    source(&from.client(), json!({})).await;
    let run = Synchronizer::full(&from.client(), regions(0..3)).await;
    assert_eq!(run["state"], "SUCCEEDED", "{run}");
    let export = done(&from.cli(["export"]).await).to_owned();
    done(&to.cli(["apply", "-f", "-"]).stdin(export).await);
    assert_eq!(names(&to.client()).await, names(&from.client()).await);
    // The source has no run on the other server, so batches in its name are accepted there without one.
    let item = json!({"input": {"source": "nb", "items": [region(7)]}});
    let apply = "mutation($input: ApplyInput!) { apply(input: $input) { results { status } } }";
    let applied = to.client().ok(apply, item).await;
    assert_eq!(applied["apply"]["results"][0]["status"], "CREATED", "{applied}");
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn an_export_applied_to_an_empty_inventory_gives_an_equal_one() {
    let from = Server::start(Database::Sqlite).arg("--demo").await;
    make_awkward(&from).await;
    let export = from.cli(["export"]).await;
    assert_eq!((export.code, export.stderr.as_str()), (0, ""), "{export:?}");
    let lines: Vec<Value> = export.stdout.lines().map(|line| serde_json::from_str(line).expect("JSON")).collect();
    assert_eq!(lines[0]["format"], "underlay-export/1");
    assert_eq!(lines[0]["revision"], revision(&from).await);
    assert_eq!(lines.last(), Some(&json!({"end": lines.len() - 2})));

    let to = Server::start(Database::Sqlite).await;
    let printed = done(&to.cli(["apply", "-f", "-"]).stdin(export.stdout.clone()).await).to_owned();
    assert!(printed.contains(&format!("{} created", lines[0]["objects"])), "{printed}");
    assert_equal(&*inventory(&from).await, &*inventory(&to).await);

    // A second time nothing changes, and what comes out of it is the same but for the revision.
    let written = revision(&to).await;
    let again = done(&to.cli(["apply", "-f", "-"]).stdin(export.stdout.clone()).await).to_owned();
    assert_eq!(again, format!("{} unchanged\n", lines.len() - 2));
    assert_eq!(revision(&to).await, written);
    let back = to.cli(["export"]).await.stdout;
    let rest = |text: &str| text.lines().skip(1).map(str::to_owned).collect::<Vec<_>>();
    assert_eq!(rest(&back), rest(&export.stdout));
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn one_kind_is_exported_to_a_file() {
    let server = Server::start(Database::Sqlite).arg("--demo").await;
    let folder = scratch::folder("export");
    let file = folder.path().join("racks.jsonl");
    let name = file.to_str().expect("a path");
    let outcome = server.cli(["export", "--kind", "racks", "-o", name]).await;
    assert_eq!(done(&outcome), "");
    let text = std::fs::read_to_string(&file).expect("the file");
    let (first, last) = (text.lines().nth(1).unwrap_or_default(), text.lines().last().unwrap_or_default());
    assert!(first.starts_with(r#"{"item":{"rack":{"id":""#) && last.starts_with(r#"{"end":"#), "{text}");
    assert_eq!(done(&server.cli(["apply", "-f", name]).await), format!("{} unchanged\n", text.lines().count() - 2));

    // An incomplete export leaves no file.
    let nowhere = server.cli(["export", "-o", "/nowhere/x"]).await;
    assert_eq!(nowhere.code, 1);
    assert!(nowhere.stderr.contains("/nowhere/x cannot be written: "), "{nowhere:?}");
    let unknown = server.cli(["export", "--kind", "pod"]).await;
    assert_eq!(unknown.code, 2, "{unknown:?}");
    assert_eq!(std::fs::read_dir(folder.path()).expect("a folder").count(), 1);
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_closed_pipe_ends_an_export_quietly() {
    let server = Server::start(Database::Sqlite).arg("--demo").await;
    let mut command = Command::new(env!("CARGO_BIN_EXE_underlay"));
    command
        .args(["export", "--server", server.url()])
        .stdin(Stdio::null())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped());
    let ended = tokio::task::spawn_blocking(move || {
        let mut child = command.spawn().expect("start");
        let mut reader = BufReader::new(child.stdout.take().expect("a pipe"));
        let mut line = String::new();
        reader.read_line(&mut line).expect("a line");
        drop(reader);
        (line, child.wait_with_output().expect("an end"))
    });
    let (line, output) = ended.await.expect("a thread");
    assert!(line.starts_with(r#"{"format":"underlay-export/1","#), "{line}");
    assert_eq!((output.status.code(), String::from_utf8_lossy(&output.stderr).as_ref()), (Some(0), ""));
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn invalid_lines_are_reported_with_their_numbers() {
    let server = Server::start(Database::Sqlite).await;
    let export = |lines: &[&str]| {
        format!("{{\"format\":\"underlay-export/1\",\"revision\":1,\"objects\":9}}\n{}\n", lines.join("\n"))
    };
    let site = r#"{"item":{"site":{"id":"01936f7a-0000-7000-8000-000000000001","name":"s1","type":"EDGE"}}}"#;
    let rack = r#"{"item":{"rack":{"id":"01936f7a-0000-7000-8000-000000000002","name":"r1","site":{"id":"01936f7a-0000-7000-8000-000000000001"},"heightU":HEIGHT}},"source":"bcm"}"#;
    let table = [
        (export(&[site]), "cut off after line 2", "nothing was written"),
        (export(&[site, "{\"end\":2}"]), "line 3 says that there are 2 items; there are 1", "nothing was written"),
        (export(&[site, "{\"ite"]), "line 3 is neither an item nor the end", "nothing was written"),
        (
            export(&[site, &rack.replace("HEIGHT", "700"), "{\"end\":2}"]),
            "line 3: r1: heightU must be a whole number from 1 to 100, not 700 (INVALID)",
            "written before: 1 created;",
        ),
        (export(&[site, &rack.replace("HEIGHT", "\"x\""), "{\"end\":2}"]), "line 3: ", "written before: 1 unchanged;"),
    ];
    for (text, says, written) in table {
        let outcome = server.cli(["apply", "-f", "-"]).stdin(text).await;
        assert_eq!((outcome.code, outcome.stdout.as_str()), (1, ""), "{outcome:?}");
        assert!(outcome.stderr.contains(says) && outcome.stderr.contains(written), "{says}: {outcome:?}");
    }
    let good = export(&[site, &rack.replace("HEIGHT", "42"), "{\"end\":2}"]);
    for (arguments, says) in [
        (vec!["--dry-run"], "--dry-run"),
        (vec!["--source", "x"], "--source"),
        (vec!["--per-item"], "--per-item"),
        (vec!["-f", "other.yaml"], "applied alone"),
    ] {
        let outcome = server.cli(["apply", "-f", "-"].into_iter().chain(arguments)).stdin(good.clone()).await;
        assert_eq!(outcome.code, 2, "{outcome:?}");
        assert!(outcome.stderr.contains(says), "{outcome:?}");
    }
    assert_eq!(done(&server.cli(["apply", "-f", "-"]).stdin(good).await), "1 created, 1 unchanged\n");
}

/// The number of racks of the large fleet, and its minimum number of devices. An optimised build exports and applies it
/// in minutes, another build takes half an hour.
const LARGE_FLEET: (&str, usize) = if cfg!(debug_assertions) { ("24", 500) } else { ("960", 20_000) };

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
#[ignore = "takes minutes: a large fleet there and back"]
async fn a_large_fleet_is_exported_completely() {
    let (racks, least) = LARGE_FLEET;
    let from = Server::start(Database::Sqlite).await;
    done(&from.cli(["demo", "--racks", racks]).await);
    let folder = scratch::folder("export");
    let file = folder.path().join("fleet.jsonl");
    let name = file.to_str().expect("a path");
    done(&from.cli(["export", "-o", name]).await);
    let to = Server::start(Database::Sqlite).await;
    done(&to.cli(["apply", "-f", name]).await);
    let (left, right) = (inventory(&from).await, inventory(&to).await);
    let devices = left.registry().named("Device").map_or(0, |kind| left.table(kind.id).len());
    assert!(devices >= least, "{devices} devices");
    assert_equal(&left, &right);
}
