//! Subscriptions to events of hardware: each event once, in order, wherever the subscriber begins.

use std::time::Duration;

use serde_json::{Value, json};
use underlay_engine::facts::{EventsError, Facts, FactsTimes};
use underlay_engine::store::{FactsStore, HardwareEventSelection, Retention};
use underlay_entity::facts::FactsOrigin;
use underlay_entity::hardware_event::Model;
use uuid::Uuid;

use super::{host, outcome, report, send};
use crate::flows::replicas::servers;
use crate::flows::secrets;
use crate::harness::inside::{Inside, sqlite};
use crate::harness::{Client, Database, Server, Socket, on_both_databases, postgres, until};

const FOLLOW: &str = "subscription($filter: HardwareEventFilter, $after: String) { \
    hardwareEvents(filter: $filter, after: $after) { cursor host { name } part change after } }";
const NEWEST: &str = "{ hardwareEvents(first: 1) { nodes { cursor } } }";

async fn follower(server: &str, filter: Value, after: Option<&str>) -> Socket {
    let mut socket = Socket::connect(server).await;
    socket.subscribe("1", FOLLOW, json!({ "filter": filter, "after": after })).await;
    socket
}

async fn next(socket: &mut Socket) -> Value {
    let mut answer = socket.answer().await;
    assert_eq!(answer["errors"], Value::Null, "{answer}");
    answer["data"]["hardwareEvents"].take()
}

/// The host, the part and the change of an event.
fn words(event: &Value) -> String {
    format!("{} {} {}", event["host"]["name"], event["part"], event["change"]).replace('"', "")
}

async fn take(socket: &mut Socket, count: usize) -> Vec<String> {
    let mut taken = Vec::new();
    for _ in 0..count {
        taken.push(words(&next(socket).await));
    }
    taken
}

async fn newest(client: &Client) -> String {
    client.ok(NEWEST, json!({})).await["hardwareEvents"]["nodes"][0]["cursor"].as_str().expect("a cursor").to_owned()
}

on_both_databases! {
    async fn events_are_followed_from_any_position(server: Server) {
        let client = server.client();
        let (a, b) = (host(&client, "a").await, host(&client, "b").await);
        outcome(&client, &a, &report("A1")).await;
        outcome(&client, &b, &report("B1")).await;
        outcome(&client, &a, &report("A2")).await;

        // Each change is a disk that was replaced, and that expects to fail.
        let mut all = follower(server.url(), json!({}), Some("0")).await;
        assert_eq!(take(&mut all, 2).await, ["a DISK REPLACED", "a DISK FAILING"]);
        let mut of_b = follower(server.url(), json!({"host": "host/b"}), Some("0")).await;
        let mut failing = follower(server.url(), json!({"changes": ["FAILING"], "parts": ["DISK"]}), Some("1")).await;
        assert_eq!(take(&mut failing, 1).await, ["a DISK FAILING"]);

        let mut of_part = follower(server.url(), json!({"serial": "A2"}), Some("0")).await;
        assert_eq!(take(&mut of_part, 2).await, ["a DISK REPLACED", "a DISK FAILING"]);

        outcome(&client, &b, &report("B2")).await;
        assert_eq!(take(&mut all, 2).await, ["b DISK REPLACED", "b DISK FAILING"]);
        assert_eq!(take(&mut of_b, 2).await, ["b DISK REPLACED", "b DISK FAILING"]);
        assert_eq!(take(&mut failing, 1).await, ["b DISK FAILING"]);
        let mut resumed = follower(server.url(), json!({}), Some("3")).await;
        let event = next(&mut resumed).await;
        assert_eq!((&event["cursor"], &event["change"]), (&json!("4"), &json!("FAILING")));

        // One who joins an equal subscription begins where it says.
        let mut joined = follower(server.url(), json!({}), Some("2")).await;
        assert_eq!(take(&mut joined, 2).await, ["b DISK REPLACED", "b DISK FAILING"]);
        outcome(&client, &a, &report("A3")).await;
        for socket in [&mut all, &mut resumed, &mut joined] {
            assert_eq!(take(socket, 2).await, ["a DISK REPLACED", "a DISK FAILING"]);
        }
        assert_eq!(take(&mut of_part, 1).await, ["a DISK REPLACED"], "another disk took its place");
        assert_eq!(newest(&client).await, "6");
    }

    async fn a_position_or_a_filter_that_is_not_valid_is_refused(server: Server) {
        let client = server.client();
        host(&client, "a").await;
        for (filter, after, field, says) in [
            (json!({}), json!("x"), "after", "cursor"),
            (json!({}), json!("1"), "after", "the newest is 0"),
            (json!({}), json!("-1"), "after", "the newest is 0"),
            (json!({"host": "host/none"}), json!(null), "host", "host/none"),
            (json!({"parts": []}), json!(null), "parts", "is empty"),
            (json!({"changes": []}), json!(null), "changes", "is empty"),
        ] {
            let mut socket = Socket::connect(server.url()).await;
            socket.subscribe("1", FOLLOW, json!({ "filter": filter, "after": after })).await;
            let refusal = socket.refusal().await;
            let (message, named) = (refusal[0]["message"].to_string(), &refusal[0]["extensions"]["field"]);
            assert!(message.contains(says) && named == field, "{filter} {after}: {refusal}");
        }
        let list = "query($filter: HardwareEventFilter) { hardwareEvents(filter: $filter) { nodes { cursor } } }";
        let errors = client.refused(list, json!({ "filter": {"parts": []} })).await;
        assert_eq!(errors[0].field.as_deref(), Some("parts"), "{errors:?}");
    }

    async fn the_command_follows_events(server: Server) {
        let client = server.client();
        let token = host(&client, "a").await;
        outcome(&client, &token, &report("D1")).await;
        outcome(&client, &token, &report("D2")).await;
        let command = server.cli(["hardware", "events", "--change", "replaced", "--follow", "-o", "json"]).start();
        let serials = |text: String| -> Vec<String> {
            let events = text.lines().map(|line| serde_json::from_str::<Value>(line).expect("an event in a line"));
            events.map(|event| event["after"]["serial"].as_str().expect("a serial number").to_owned()).collect()
        };
        until("the earlier event is printed", async || (serials(command.stdout()) == ["D2"]).then_some(())).await;
        outcome(&client, &token, &report("D3")).await;
        until("the later event is printed", async || (serials(command.stdout()) == ["D2", "D3"]).then_some(())).await;
    }
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn tenants_follow_no_events() {
    let server = Server::start(Database::Sqlite).asking().await;
    let token = secrets::token(&server, &["--role", "viewer", "--tenant", "blue"]).await;
    let mut socket = Socket::open(server.url(), Some("graphql-transport-ws")).await.expect("a socket");
    socket.send(json!({"type": "connection_init", "payload": {"token": token}})).await;
    socket.receive().await;
    socket.subscribe("1", FOLLOW, json!({})).await;
    let refusal = socket.refusal().await;
    assert_eq!(refusal[0]["extensions"]["code"], "FORBIDDEN", "{refusal}");
}

/// Events that come at one server are followed at another.
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
#[ignore = "needs PostgreSQL"]
async fn events_are_followed_at_any_server() {
    let (url, servers) = servers(2).await;
    let token = host(&servers[0].client(), "a").await;
    let mut followers = Vec::new();
    for server in &servers {
        followers.push(follower(server.url(), json!({}), Some("0")).await);
    }
    for (number, server) in servers.iter().cycle().take(5).enumerate() {
        let report = report(&format!("D{number}"));
        // The token reaches the other server soon.
        until("it is accepted", async || (send(&server.client(), &token, &report).await.status == 200).then_some(()))
            .await;
    }
    for socket in &mut followers {
        for cursor in 1..=8 {
            let event = next(socket).await;
            assert_eq!(event["cursor"], cursor.to_string(), "{event}");
        }
    }
    drop(followers);
    drop(servers);
    postgres::drop_database(&url).await;
}

/// The facts of a process that runs in this test.
async fn process(inside: &Inside, url: &str) -> (Facts, tokio::task::AbortHandle) {
    let store = FactsStore::open(&inside.store, &url.parse().expect("a URL")).await.expect("open the facts");
    let times =
        FactsTimes { gathering: Duration::from_millis(1), hearing: Duration::from_millis(1), ..FactsTimes::default() };
    let (facts, writer) = Facts::load(store, inside.store.clone(), times).await.expect("load the facts");
    let running = tokio::spawn(writer.run(inside.current.clone(), Retention::ForEver));
    (facts, running.abort_handle())
}

/// Reads events as a subscriber does, from a position to the last one.
async fn read(facts: &Facts, mut after: i64, last: i64) -> Vec<Model> {
    let mut read = Vec::new();
    let mut newest = facts.watch_events();
    while after < last {
        newest.wait_for(|newest| *newest > after).await.expect("the facts live");
        for event in facts.events_after(after).await.expect("events") {
            assert_eq!(event.id, after + 1, "each event, once");
            after = event.id;
            read.push(std::sync::Arc::unwrap_or_clone(event));
        }
    }
    read
}

/// More events than a process holds are followed from any position, in the process that stored them and in others.
async fn followers_miss_nothing(url: &str, processes: usize) {
    let inside = Inside::open(url).await;
    let mut running = Vec::new();
    for _ in 0..processes {
        running.push(process(&inside, url).await);
    }
    let following: Vec<_> = running
        .iter()
        .map(|(facts, _)| {
            let facts = facts.clone();
            tokio::spawn(async move { read(&facts, 0, LAST).await })
        })
        .collect();

    for host in 0..HOSTS {
        let (facts, _) = &running[host % running.len()];
        for turn in 0..2 {
            let disk = |at: usize| json!({"name": format!("d{at}"), "place": format!("p{at}"), "serial": format!("{host}-{at}-{turn}")});
            let mut report = report("D1");
            report["disks"]["found"] = (0..DISKS).map(disk).collect();
            let report = serde_json::from_value(report).expect("a report");
            facts.accept(Uuid::from_u128(host as u128 + 1), FactsOrigin::Agent, &report).await.expect("accepted");
        }
    }

    let mut all = running[0].0.events(&HardwareEventSelection::default(), None, 10_000).await.expect("events");
    all.reverse();
    assert_eq!(all.len() as i64, LAST);
    for followed in following {
        assert!(followed.await.expect("events") == all, "a follower from the start");
    }
    for (facts, _) in &running {
        for after in [1, 200, 600, LAST - 1_001, LAST - 1_000, LAST - 7, LAST] {
            assert!(read(facts, after, LAST).await == all[after as usize..], "after {after}");
        }
        assert!(matches!(facts.events_after(LAST + 1).await, Err(EventsError::Unknown { newest: LAST, .. })));
    }

    let day = Retention::For(Duration::from_secs(86_400));
    running[0].0.drop_events(chrono::Utc::now() + chrono::TimeDelta::hours(30), day).await.expect("a sweep");
    for after in [0, 5] {
        let dropped = running[0].0.events_after(after).await;
        assert!(matches!(dropped, Err(EventsError::Dropped { oldest: LAST, .. })), "{dropped:?}");
    }
    // The ids go on, though all that is old was dropped.
    let (again, _) = process(&inside, url).await;
    assert_eq!(*again.watch_events().borrow(), LAST);
    running.iter().for_each(|(_, running)| running.abort());
}

const HOSTS: usize = 20;
const DISKS: usize = 90;
/// The number of events: each disk is another one in the second report.
const LAST: i64 = (HOSTS * DISKS) as i64;

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn followers_miss_nothing_on_sqlite() {
    let (url, _folder) = sqlite();
    followers_miss_nothing(&url, 1).await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
#[ignore = "needs PostgreSQL"]
async fn followers_miss_nothing_on_postgres() {
    let url = postgres::create_database().await;
    followers_miss_nothing(&url, 2).await;
    postgres::drop_database(&url).await;
}
