//! Parts as things with a life of their own: in which hosts they were, and how they moved.

use std::collections::{BTreeMap, BTreeSet};
use std::time::Duration;

use futures_util::future::join_all;
use rand::rngs::StdRng;
use rand::seq::SliceRandom as _;
use rand::{Rng as _, SeedableRng as _};
use serde_json::{Value, json};
use underlay_engine::facts::{Facts, FactsTimes};
use underlay_engine::store::{FactsStore, HardwareEventSelection, PartQuery, Retention};
use underlay_entity::facts::FactsOrigin;
use underlay_entity::hardware_event::HardwareChange;
use underlay_facts::Report;
use uuid::Uuid;

use super::events::{events, of_host};
use super::{host, outcome};
use crate::harness::inside::{Inside, sqlite};
use crate::harness::{Client, Server, on_both_databases, postgres};

const PART: &str = "query($serial: String!) { part(serial: $serial) { kind manufacturer model serial ambiguous \
    host { name } place since stays { host { name } place from until } } }";

/// A report of a machine with memory modules, by slots and serial numbers. Reports with other notes are other facts.
fn report(modules: &[(&str, &str)], note: usize) -> Value {
    let module = |(slot, serial): &(&str, &str)| json!({"slot": slot, "partNumber": "N16", "manufacturer": "Maker", "serial": serial});
    let modules: Vec<Value> = modules.iter().map(module).collect();
    json!({
        "format": 1,
        "agent": {"version": "0.1.0"},
        "observedAt": "2026-11-01T10:00:00Z",
        "memory": {"complete": true, "found": {"slots": 24, "modules": modules}},
        "note": note,
    })
}

/// The changes of a host with the serial numbers, the oldest first.
async fn told(client: &Client, host: &str) -> Vec<String> {
    let events = events(client, host).await;
    let serial =
        |event: &Value| event["after"]["serial"].as_str().or(event["before"]["serial"].as_str()).map(str::to_owned);
    let words = |event: &Value| {
        format!("{} {}", event["change"].as_str().unwrap_or_default(), serial(event).unwrap_or_default())
    };
    events.iter().rev().map(words).collect()
}

/// The one part with a serial number.
async fn part(client: &Client, serial: &str) -> Value {
    let mut found = client.ok(PART, json!({ "serial": serial })).await["part"].take();
    assert_eq!(found.as_array().map(Vec::len), Some(1), "{found}");
    found[0].take()
}

on_both_databases! {
    async fn a_module_moves_in_either_order_of_the_reports(mut server: Server) {
        let client = server.client();
        let (a, b) = (host(&client, "a").await, host(&client, "b").await);
        outcome(&client, &a, &report(&[("A1", "M-1"), ("A2", "M-2")], 0)).await;
        outcome(&client, &b, &report(&[("B1", "M-3")], 0)).await;
        assert_eq!(part(&client, "M-1").await["host"]["name"], "a");

        // The old host first, and the server begins anew between the two.
        outcome(&client, &a, &report(&[("A2", "M-2")], 0)).await;
        server.stop().await;
        server.restart().await;
        let client = server.client();
        outcome(&client, &b, &report(&[("B1", "M-3"), ("B2", "M-1")], 0)).await;
        assert_eq!(told(&client, "b").await, ["MOVED M-1"]);
        outcome(&client, &a, &report(&[("A2", "M-2")], 1)).await;
        assert_eq!(told(&client, "a").await, ["MOVED M-1"], "it is an event of both hosts, and not removed as well");

        // The new host first.
        outcome(&client, &b, &report(&[("B1", "M-3"), ("B2", "M-1"), ("B3", "M-2")], 1)).await;
        let both = part(&client, "M-2").await;
        assert_eq!((&both["ambiguous"], &both["host"], &both["place"]), (&json!(true), &json!(null), &json!(null)));
        assert_eq!(told(&client, "b").await, ["MOVED M-1"]);
        server.stop().await;
        server.restart().await;
        let client = server.client();
        outcome(&client, &a, &report(&[], 1)).await;
        outcome(&client, &a, &report(&[], 2)).await;
        assert_eq!(told(&client, "a").await, ["MOVED M-1", "MOVED M-2"]);
        assert_eq!(told(&client, "b").await, ["MOVED M-1", "MOVED M-2"]);

        let query = "{ hardwareEvents(first: 1) { nodes { host { name } fromHost { name } place before after } } }";
        let moved = client.ok(query, json!({})).await["hardwareEvents"]["nodes"][0].take();
        assert_eq!((&moved["host"]["name"], &moved["fromHost"]["name"]), (&json!("b"), &json!("a")));
        assert_eq!((&moved["before"]["slot"], &moved["after"]["slot"], &moved["place"]), (&json!("A2"), &json!("B3"), &json!("B3")));
        let life = part(&client, "M-2").await;
        let stays: Vec<_> = life["stays"].as_array().expect("stays").iter()
            .map(|it| (it["host"]["name"].clone(), it["place"].clone(), it["until"].is_null())).collect();
        assert_eq!(stays, [(json!("b"), json!("B3"), true), (json!("a"), json!("A2"), false)]);
        assert_eq!((&life["kind"], &life["model"], &life["manufacturer"]), (&json!("MEMORY"), &json!("N16"), &json!("Maker")));

        let shown = server.cli(["part", "M-2"]).await;
        assert!(shown.code == 0 && shown.stdout.lines().count() == 3 && shown.stdout.contains("A2"), "{shown:?}");
        let shown = server.cli(["part", "M-9"]).await;
        assert!(shown.code == 1 && shown.stderr.contains("M-9"), "{shown:?}");
        let listed = server.cli(["hardware", "events"]).await;
        assert!(listed.stdout.contains("MOVED") && listed.stdout.contains("M-2 in a"), "{listed:?}");
    }

    async fn parts_are_found_and_listed(server: Server) {
        let client = server.client();
        let (a, b) = (host(&client, "a").await, host(&client, "b").await);
        outcome(&client, &a, &report(&[("A1", "M-1"), ("A2", "M-2"), ("A3", "M-9"), ("A4", "M-9"), ("A5", "None")], 0)).await;
        outcome(&client, &b, &report(&[("B1", "M-3")], 0)).await;
        let parts = async |arguments: Value| {
            let query = "query($filter: PartFilter, $first: Int, $after: String) { parts(filter: $filter, first: $first, after: $after) \
                { nodes { serial } pageInfo { hasNextPage endCursor } } }";
            let mut found = client.ok(query, arguments).await["parts"].take();
            let serials: Vec<String> =
                found["nodes"].as_array().expect("nodes").iter().map(|it| it["serial"].as_str().unwrap().to_owned()).collect();
            (serials, found["pageInfo"].take())
        };
        for (filter, expected) in [
            (json!({}), &["M-1", "M-2", "M-3"][..]),
            (json!({"kind": "MEMORY", "manufacturer": "Maker", "model": "N16"}), &["M-1", "M-2", "M-3"]),
            (json!({"kind": "DISK"}), &[]),
            (json!({"serial": "M-2"}), &["M-2"]),
            (json!({"host": "host/a"}), &["M-1", "M-2"]),
            (json!({"present": true}), &["M-1", "M-2", "M-3"]),
            (json!({"present": false}), &[]),
        ] {
            assert_eq!(parts(json!({ "filter": filter })).await.0, expected, "{filter}");
        }
        let (first, page) = parts(json!({ "first": 2 })).await;
        assert_eq!((first.len(), &page["hasNextPage"]), (2, &json!(true)));
        assert_eq!(parts(json!({ "first": 2, "after": page["endCursor"] })).await.0, ["M-3"]);
        // A part that is gone is in no host.
        for note in 1..3 {
            outcome(&client, &b, &report(&[], note)).await;
        }
        for (filter, expected) in [
            (json!({"present": true}), &["M-1", "M-2"][..]),
            (json!({"present": false}), &["M-3"]),
            (json!({"present": false, "host": "host/b"}), &[]),
            (json!({"present": false, "kind": "DISK"}), &[]),
        ] {
            assert_eq!(parts(json!({ "filter": filter })).await.0, expected, "{filter}");
        }
        outcome(&client, &b, &report(&[("B1", "M-3")], 3)).await;
        assert_eq!(parts(json!({ "filter": {"present": false} })).await.0, Vec::<String>::new(), "it came back");
        let errors = client.refused("{ parts(filter: {host: \"host/x\"}) { nodes { serial } } }", json!({})).await;
        assert_eq!(errors[0].field.as_deref(), Some("filter.host"), "{errors:?}");

        let hosts = client.ok("{ hosts { nodes { name parts { serial place } } } }", json!({})).await["hosts"]["nodes"].take();
        assert_eq!(hosts[0]["parts"], json!([{"serial": "M-1", "place": "A1"}, {"serial": "M-2", "place": "A2"}]));
        assert_eq!(hosts[1]["parts"], json!([{"serial": "M-3", "place": "B1"}]));
    }
}

async fn open(inside: &Inside, url: &str) -> Facts {
    let store = FactsStore::open(&inside.store, &url.parse().expect("a URL")).await.expect("open the facts");
    let period = Duration::from_millis(1);
    let times = FactsTimes { period, gathering: Duration::from_millis(20), ..FactsTimes::default() };
    let (facts, writer) = Facts::load(store, inside.store.clone(), times).await.expect("load the facts");
    tokio::spawn(writer.run(inside.current.clone(), Retention::ForEver));
    facts
}

const HOSTS: usize = 12;
const SLOTS: usize = 6;
const MODULES: usize = 40;
const ROUNDS: usize = 6;

/// The modules of each host, by slots.
type Places = BTreeMap<usize, Vec<(String, String)>>;

fn placed(random: &mut StdRng, serials: &[String], last: &[usize]) -> Vec<usize> {
    let mut slots: Vec<usize> = last.to_vec();
    for _ in 0..6 {
        let module = random.random_range(0..serials.len());
        let mut free: Vec<usize> = (0..HOSTS * SLOTS).filter(|slot| !slots.contains(slot)).collect();
        free.shuffle(random);
        slots[module] = free[0];
    }
    slots
}

fn places(serials: &[String], slots: &[usize]) -> Places {
    let mut places = Places::new();
    for (serial, slot) in serials.iter().zip(slots) {
        places.entry(slot / SLOTS).or_default().push((format!("A{}", slot % SLOTS), serial.clone()));
    }
    places
}

/// Many hosts report at the same time, in commits that they share. Each module that moved is told once, and in the end
/// each is where it is.
async fn many_modules_move_between_hosts_that_report_together(url: &str) {
    let seed = rand::random::<u64>();
    let mut random = StdRng::seed_from_u64(seed);
    let inside = Inside::open(url).await;
    let facts = open(&inside, url).await;
    let serials: Vec<String> = (0..MODULES).map(|number| format!("M-{number}")).collect();
    let mut slots: Vec<usize> = (0..MODULES).collect();
    let mut moved = 0;
    for round in 0..ROUNDS {
        let places = places(&serials, &slots);
        for again in 0..2 {
            let reports = (0..HOSTS).map(|host| {
                let modules = places.get(&host).cloned().unwrap_or_default();
                let modules: Vec<(&str, &str)> =
                    modules.iter().map(|(slot, serial)| (slot.as_str(), serial.as_str())).collect();
                let report: Report = serde_json::from_value(report(&modules, 2 * round + again)).expect("a report");
                let facts = facts.clone();
                async move { facts.accept(Uuid::from_u128(host as u128 + 1), FactsOrigin::Agent, &report).await }
            });
            for outcome in join_all(reports).await {
                outcome.unwrap_or_else(|error| panic!("seed {seed}: {error}"));
            }
        }
        let events = facts.events(&HardwareEventSelection::default(), None, 1_000).await.expect("events");
        let of_change = |change| events.iter().filter(|event| event.change == change).count();
        assert_eq!(of_change(HardwareChange::Moved), moved, "seed {seed}, round {round}");
        assert_eq!((of_change(HardwareChange::Removed), of_change(HardwareChange::Added)), (0, 0), "seed {seed}");

        let found = facts.parts(&PartQuery::default(), None, 1_000).await.expect("parts");
        let open = found
            .iter()
            .flat_map(|it| it.stays.iter().filter(|stay| stay.until_at.is_none()).map(move |stay| (it, stay)));
        let found: BTreeSet<_> =
            open.map(|(it, stay)| (it.part.serial.clone(), stay.host_id.as_u128(), stay.place.clone())).collect();
        let truth = places.iter().flat_map(|(host, modules)| {
            modules.iter().map(|(slot, serial)| (serial.clone(), *host as u128 + 1, slot.clone()))
        });
        assert_eq!(found, truth.collect(), "seed {seed}, round {round}");

        let next = placed(&mut random, &serials, &slots);
        moved += slots.iter().zip(&next).filter(|(before, after)| *before / SLOTS != *after / SLOTS).count();
        slots = next;
    }
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn many_modules_move_on_sqlite() {
    let (url, _folder) = sqlite();
    many_modules_move_between_hosts_that_report_together(&url).await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
#[ignore = "needs PostgreSQL"]
async fn many_modules_move_on_postgres() {
    let url = postgres::create_database().await;
    many_modules_move_between_hosts_that_report_together(&url).await;
    postgres::drop_database(&url).await;
}

/// The hosts of these facts are in no snapshot, as those that were deleted.
async fn the_parts_of_a_deleted_host_are_in_no_host(url: &str) {
    let inside = Inside::open(url).await;
    let facts = open(&inside, url).await;
    let accept = async |host, modules: &[(&str, &str)]| {
        let report: Report = serde_json::from_value(report(modules, 0)).expect("a report");
        facts.accept(Uuid::from_u128(host), FactsOrigin::Agent, &report).await.expect("accepted")
    };
    accept(1, &[("A1", "M-1")]).await;
    let later = chrono::Utc::now() + chrono::TimeDelta::minutes(2);
    facts.forget_deleted(&inside.current, later).await.expect("a search");
    let found = facts.parts(&PartQuery::default(), None, 10).await.expect("parts");
    assert_eq!(found.len(), 1, "it is kept");
    assert!(found[0].stays.len() == 1 && found[0].stays[0].until_at.is_some(), "{:?}", found[0].stays);
    assert!(facts.parts_of(&[Uuid::from_u128(1)]).await.expect("parts").is_empty());

    accept(2, &[]).await;
    accept(2, &[("B1", "M-1")]).await;
    let events = facts.events(&of_host(Uuid::from_u128(2)), None, 10).await.expect("events");
    assert_eq!(events.len(), 1);
    assert_eq!((events[0].change, events[0].from_host_id), (HardwareChange::Moved, Some(Uuid::from_u128(1))));
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn the_parts_of_a_deleted_host_are_kept_on_sqlite() {
    let (url, _folder) = sqlite();
    the_parts_of_a_deleted_host_are_in_no_host(&url).await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
#[ignore = "needs PostgreSQL"]
async fn the_parts_of_a_deleted_host_are_kept_on_postgres() {
    let url = postgres::create_database().await;
    the_parts_of_a_deleted_host_are_in_no_host(&url).await;
    postgres::drop_database(&url).await;
}
