//! Events of hardware: what changed between two reports, each change once.

use std::time::Duration;

use serde_json::{Value, json};
use underlay_demo::hardware::{Machine, report as simulated};
use underlay_engine::facts::{Facts, FactsTimes};
use underlay_engine::store::{
    FactsChange, FactsJudge, FactsMeaning, FactsStore, HardwareEventSelection, KnownParts, PartsChange, PartsMeaning,
    ReportedFacts, Retention,
};
use underlay_entity::facts::FactsOrigin;
use underlay_facts::Outcome;
use uuid::Uuid;

use super::{host, outcome, report};
use crate::harness::inside::{Inside, sqlite};
use crate::harness::{Client, Server, on_both_databases, postgres, until};

const EVENTS: &str = "query($name: String!, $first: Int, $after: String) { host(name: $name) { \
    hardwareEvents(first: $first, after: $after) { nodes { cursor host { name } part change place before after at } \
    pageInfo { hasNextPage endCursor } } } }";

/// The events of a host, the newest first.
pub async fn events(client: &Client, host: &str) -> Vec<Value> {
    let mut found = client.ok(EVENTS, json!({ "name": host, "first": 1_000 })).await;
    serde_json::from_value(found["host"]["hardwareEvents"]["nodes"].take()).expect("events")
}

/// The parts with their changes, the oldest first.
fn words(events: &[Value]) -> Vec<String> {
    events.iter().rev().map(|event| format!("{} {}", event["part"], event["change"]).replace('"', "")).collect()
}

on_both_databases! {
    async fn what_changed_is_listed(server: Server) {
        let client = server.client();
        let token = host(&client, "a").await;
        outcome(&client, &token, &report("D1")).await;
        assert_eq!(events(&client, "a").await, Vec::<Value>::new(), "the first report changes nothing");

        outcome(&client, &token, &report("D2")).await;
        let mut off = report("D2");
        off["interfaces"]["found"][0]["carrier"] = json!(false);
        outcome(&client, &token, &off).await;
        outcome(&client, &token, &off).await;
        let found = events(&client, "a").await;
        // The disk that is new expects to fail already.
        assert_eq!(words(&found), ["DISK REPLACED", "DISK FAILING", "INTERFACE LINK_DOWN"]);
        let replaced = &found[2];
        assert_eq!((&replaced["before"]["serial"], &replaced["after"]["serial"]), (&json!("D1"), &json!("D2")));
        assert_eq!((&replaced["place"], &replaced["host"]["name"]), (&json!("pci-1"), &json!("a")));

        let other = host(&client, "b").await;
        outcome(&client, &other, &report("E1")).await;
        outcome(&client, &other, &report("E2")).await;
        let all = "{ hardwareEvents { nodes { host { name } } } }";
        let hosts = client.ok(all, json!({})).await["hardwareEvents"]["nodes"].take();
        assert_eq!(hosts.as_array().map(Vec::len), Some(5), "{hosts}");

        // Page by page.
        let first = client.ok(EVENTS, json!({ "name": "a", "first": 2 })).await["host"]["hardwareEvents"].take();
        assert_eq!(first["pageInfo"]["hasNextPage"], true);
        let after = first["pageInfo"]["endCursor"].clone();
        let second = client.ok(EVENTS, json!({ "name": "a", "first": 2, "after": after })).await;
        assert_eq!(second["host"]["hardwareEvents"]["nodes"], json!([found[2]]));
        let errors = client.refused(EVENTS, json!({ "name": "a", "after": "x" })).await;
        assert_eq!(errors[0].field.as_deref(), Some("after"), "{errors:?}");

        let listed = server.cli(["hardware", "events", "a"]).await;
        assert!(listed.code == 0 && listed.stdout.contains("LINK_DOWN") && listed.stdout.contains("D1"), "{listed:?}");
    }

    async fn events_are_found_by_the_serial_numbers_of_parts(server: Server) {
        let client = server.client();
        let token = host(&client, "a").await;
        let disk = |serial: &str, place: &str, firmware: &str| json!({
            "name": "sda", "place": place, "serial": serial, "firmwareVersion": firmware, "health": "PASSED",
        });
        let mut report = report("D1");
        for found in [
            json!([disk("D1", "p1", "1")]),
            json!([disk("D2", "p1", "1")]),
            json!([disk("D2", "p1", "2")]),
            json!([disk("D2", "p2", "2")]),
            json!([disk("D2", "p2", "2"), {"name": "sdb", "place": "p9", "serial": "None"}]),
        ] {
            report["disks"]["found"] = found;
            outcome(&client, &token, &report).await;
        }
        report["disks"]["found"][0]["health"] = json!("FAILING");
        outcome(&client, &token, &report).await;

        let by_serial = async |serial: &str| {
            let query = "query($serial: String!) { hardwareEvents(filter: {serial: $serial}) { nodes { part change } } }";
            let mut found = client.ok(query, json!({ "serial": serial })).await;
            words(&serde_json::from_value::<Vec<Value>>(found["hardwareEvents"]["nodes"].take()).expect("events"))
        };
        assert_eq!(by_serial("D1").await, ["DISK REPLACED"]);
        let of_second = ["DISK REPLACED", "FIRMWARE CHANGED", "DISK CHANGED", "DISK FAILING"];
        assert_eq!(by_serial("D2").await, of_second);
        for unknown in ["None", "", "d1", "D"] {
            assert_eq!(by_serial(unknown).await, Vec::<String>::new(), "{unknown}");
        }
        let listed = server.cli(["hardware", "events", "--serial", "D1"]).await;
        assert!(listed.code == 0 && listed.stdout.lines().count() == 2 && listed.stdout.contains("REPLACED"), "{listed:?}");
    }

    async fn a_new_version_of_the_agent_changes_nothing(server: Server) {
        let client = server.client();
        let token = host(&client, "a").await;
        outcome(&client, &token, &report("D1")).await;
        let mut newer = report("D2");
        newer["agent"]["version"] = json!("0.2.0");
        outcome(&client, &token, &newer).await;
        assert_eq!(events(&client, "a").await, Vec::<Value>::new());
        newer["disks"]["found"][0]["serial"] = json!("D3");
        outcome(&client, &token, &newer).await;
        assert_eq!(words(&events(&client, "a").await)[0], "DISK REPLACED");
    }

    async fn a_host_that_always_changes_is_noisy(server: Server) with ["--facts-period", "1s"] {
        let client = server.client();
        let token = host(&client, "a").await;
        let many = |round: usize| {
            let disk = |at: usize| json!({"name": format!("d{at}"), "place": format!("p{at}"), "serial": format!("{at}-{round}")});
            let mut report = report("D1");
            report["disks"]["found"] = (0..60).map(disk).collect();
            report
        };
        for round in 0..4 {
            assert_eq!(client.post_facts(&token, &many(round)).await.expect("an answer").status, 200);
        }
        let found = words(&events(&client, "a").await);
        assert_eq!(found.len(), 101, "{found:?}");
        assert_eq!(found.last().map(String::as_str), Some("SYSTEM NOISY"));
    }
}

/// The events of a machine: at a turn of the script, what happens to what.
type Expected = &'static [(u64, &'static str)];

/// The events that a simulated machine in this place of the list makes at the turns of the script. A module moves from one
/// to another and back, which is an event of both.
const SCRIPT: [(usize, Expected); 5] = [
    (0, &[(6, "DISK FAILING"), (12, "DISK REMOVED"), (18, "DISK ADDED")]),
    (1, &[(8, "MEMORY MOVED"), (16, "MEMORY MOVED")]),
    (2, &[(8, "MEMORY MOVED"), (16, "MEMORY MOVED")]),
    (3, &[(10, "INTERFACE LINK_DOWN"), (14, "INTERFACE LINK_UP")]),
    (4, &[]),
];

pub fn of_host(host: Uuid) -> HardwareEventSelection {
    HardwareEventSelection { host: Some(host), ..HardwareEventSelection::default() }
}

/// Plays the script of the demo. Each report comes twice, because a part is gone only when the second one lacks it too.
async fn the_script_of_the_demo_makes_its_events(url: &str) {
    let inside = Inside::open(url).await;
    let store = FactsStore::open(&inside.store, &url.parse().expect("a URL")).await.expect("open the facts");
    let quick = Duration::from_millis(1);
    let times =
        FactsTimes { period: Duration::from_secs(1), gathering: quick, hearing: quick, ..FactsTimes::default() };
    let (facts, writer) = Facts::load(store, inside.store.clone(), times).await.expect("load the facts");
    let writing = tokio::spawn(writer.run(inside.current.clone(), Retention::ForEver));

    let host = |number: usize| Uuid::from_u128(number as u128 + 1);
    for turn in 0..24 {
        for outcome in [Outcome::Stored, Outcome::Unchanged] {
            for (number, _) in SCRIPT {
                let serials = [format!("S{number}"), format!("S{}", number.max(1) - 1)];
                let machine = Machine { serial: &serials[0], number, before: Some(&serials[1]), server: None };
                let report = simulated(machine, turn, chrono::Utc::now());
                let said = facts.accept(host(number), FactsOrigin::Agent, &report).await.expect("accepted");
                assert!(said == outcome || said == Outcome::Unchanged, "turn {turn} of machine {number}: {said:?}");
            }
        }
        for (number, expected) in SCRIPT {
            let so_far = expected.iter().filter(|(at, _)| *at <= turn).map(|(_, words)| *words).collect::<Vec<_>>();
            // A removal is stored when the times of reports are.
            until(format!("machine {number} has {so_far:?} at turn {turn}"), async || {
                let events = facts.events(&of_host(host(number)), None, 100).await.expect("events");
                let words: Vec<String> = events
                    .iter()
                    .rev()
                    .map(|it| format!("{} {}", json!(it.part), json!(it.change)).replace('"', ""))
                    .collect();
                assert!(words.iter().zip(&so_far).all(|(found, expected)| found == expected), "turn {turn}: {words:?}");
                (words == so_far).then_some(())
            })
            .await;
        }
    }
    let all = facts.events(&HardwareEventSelection::default(), None, 1_000).await.expect("events");
    assert!(all.windows(2).all(|two| two[0].id == two[1].id + 1), "the ids are in order and without gaps");

    let (day, later) = (Retention::For(Duration::from_secs(86_400)), chrono::Utc::now() + chrono::TimeDelta::hours(30));
    let count = async || facts.events(&HardwareEventSelection::default(), None, 1_000).await.expect("events").len();
    facts.drop_events(chrono::Utc::now(), day).await.expect("a sweep");
    facts.drop_events(later, Retention::ForEver).await.expect("a sweep");
    assert_eq!(count().await, all.len(), "none is old");
    facts.drop_events(later, day).await.expect("a sweep");
    assert_eq!(count().await, 1, "the newest stays");
    writing.abort();
}

/// A judge to whom nothing means anything.
struct Nothing;

impl FactsJudge for Nothing {
    fn compare(&self, _: Option<&ReportedFacts>, _: &ReportedFacts) -> FactsMeaning {
        FactsMeaning::default()
    }

    fn trace(&self, _: KnownParts, _: Vec<PartsChange>) -> PartsMeaning {
        PartsMeaning::default()
    }
}

/// A report that came again says nothing about facts that were stored after it.
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn facts_are_confirmed_by_their_own_report_alone() {
    let (url, _folder) = sqlite();
    let inside = Inside::open(&url).await;
    let store = FactsStore::open(&inside.store, &url.parse().expect("a URL")).await.expect("open the facts");
    let (facts, writer) =
        Facts::load(store.clone(), inside.store.clone(), FactsTimes::default()).await.expect("load the facts");
    let writing = tokio::spawn(writer.run(inside.current.clone(), Retention::ForEver));
    let host = Uuid::from_u128(1);
    let stored = serde_json::from_value(report("D1")).expect("a report");
    facts.accept(host, FactsOrigin::Agent, &stored).await.expect("accepted");

    let digest = facts.latest(host, FactsOrigin::Agent).expect("a report").digest;
    for (digest, judged) in [("of other facts".to_owned(), 0), (digest, 1)] {
        let confirmed = FactsChange::Confirmed { host, origin: FactsOrigin::Agent.number(), digest };
        let rows = store.write(vec![confirmed], &Nothing).await.expect("written");
        assert_eq!(rows.len(), judged);
    }
    writing.abort();
}

/// A report that the database refuses does not take others with it that share its commit.
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
#[ignore = "needs PostgreSQL"]
async fn a_report_that_cannot_be_stored_is_alone() {
    let url = postgres::create_database().await;
    let inside = Inside::open(&url).await;
    let store = FactsStore::open(&inside.store, &url.parse().expect("a URL")).await.expect("open the facts");
    let (facts, writer) =
        Facts::load(store, inside.store.clone(), FactsTimes::default()).await.expect("load the facts");
    let accept = |host: u128, disk: String| {
        let (facts, report) = (facts.clone(), serde_json::from_value(report(&disk)).expect("a report"));
        tokio::spawn(async move { facts.accept(Uuid::from_u128(host), FactsOrigin::Agent, &report).await.is_ok() })
    };
    let (first, stop) = (accept(1, "D1".to_owned()), inside.current.clone());
    let writing = tokio::spawn(writer.run(stop, Retention::ForEver));
    assert!(first.await.expect("the task"));

    // PostgreSQL stores no such character in the text of an event. The server refuses it before.
    let asked = [accept(2, "D2".to_owned()), accept(1, "D\u{0}".to_owned()), accept(3, "D3".to_owned())];
    let mut stored = Vec::new();
    for one in asked {
        stored.push(one.await.expect("the task"));
    }
    assert_eq!(stored, [true, false, true]);
    writing.abort();
    postgres::drop_database(&url).await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn the_script_of_the_demo_makes_its_events_on_sqlite() {
    let (url, _folder) = sqlite();
    the_script_of_the_demo_makes_its_events(&url).await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
#[ignore = "needs PostgreSQL"]
async fn the_script_of_the_demo_makes_its_events_on_postgres() {
    let url = postgres::create_database().await;
    the_script_of_the_demo_makes_its_events(&url).await;
    postgres::drop_database(&url).await;
}
