//! A query reads one revision, however long it takes and whatever is written meanwhile.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicI64, AtomicUsize, Ordering};

use futures_util::future::join_all;
use serde_json::{Value, json};

use crate::harness::{Client, Server, on_both_databases};

const DEVICES: usize = 40;
const PORTS: usize = 4;

/// The number of times that one query reads everything: enough for a few writes while it runs.
const REPEATS: usize = 8;

/// Everything, several times over, so that it takes a while.
fn query() -> String {
    let once = "devices(first: 100) { totalCount nodes {
        description
        site { description devices(first: 3, filter: { role: { eq: SERVER } }) { nodes { description } } }
        ports(first: 10) { totalCount nodes { description device { description site { description } } } }
    } }";
    let times: Vec<String> = (0..REPEATS).map(|number| format!("all{number}: {once}")).collect();
    format!("{{ {} }}", times.join("\n"))
}

/// The description of every object at a revision: its number.
fn at(revision: i64) -> Vec<Value> {
    let text = revision.to_string();
    let mut items = vec![json!({ "site": { "name": "s", "type": "EDGE", "description": text } })];
    for device in 0..DEVICES {
        let name = format!("d{device}");
        items.push(json!({ "device": {
            "name": name, "site": { "site": "s" }, "role": "SERVER", "description": text,
        } }));
        items.extend((0..PORTS).map(|port| {
            json!({ "port": {
                "name": format!("p{port}"), "device": { "site": "s", "device": name }, "type": "ETHERNET",
                "description": text,
            } })
        }));
    }
    items
}

/// Returns all texts named `description` in an answer.
fn descriptions(value: &Value, found: &mut Vec<String>) {
    match value {
        Value::Object(members) => members.iter().for_each(|(name, value)| match value.as_str() {
            Some(text) if name == "description" => found.push(text.to_owned()),
            _ => descriptions(value, found),
        }),
        Value::Array(list) => list.iter().for_each(|value| descriptions(value, found)),
        _ => {}
    }
}

/// The answers that the readers got.
#[derive(Default)]
struct Answers {
    count: AtomicUsize,
    /// The answers that a write overtook while they were made.
    overtaken: AtomicUsize,
}

/// Sends queries until the flag stops it.
async fn read(client: Client, stop: Arc<AtomicBool>, newest: Arc<AtomicI64>, answers: Arc<Answers>) {
    let query = query();
    while !stop.load(Ordering::Relaxed) {
        let least = newest.load(Ordering::SeqCst);
        let answer = client.execute(&query, json!({})).await;
        assert!(answer.errors.is_empty(), "{:?}", answer.errors);
        let revision = answer.extensions["revision"].as_i64().expect("a revision");
        assert!(revision >= least, "an answer is older than a write that was answered before it was asked for");
        let mut found = Vec::new();
        descriptions(&answer.data, &mut found);
        assert_eq!(found.len(), REPEATS * DEVICES * (5 + PORTS * 3), "the answer is whole");
        assert_eq!(answer.data["all0"]["totalCount"], DEVICES);
        let of = revision.to_string();
        assert!(found.iter().all(|text| *text == of), "an answer of revision {of} has another one in it");
        answers.count.fetch_add(1, Ordering::SeqCst);
        answers.overtaken.fetch_add(usize::from(newest.load(Ordering::SeqCst) > revision), Ordering::SeqCst);
    }
}

on_both_databases! {
    async fn a_slow_query_is_of_one_revision(server: Server) {
        let client = server.client();
        client.apply_all(at(1)).await;
        let (stop, newest) = (Arc::new(AtomicBool::new(false)), Arc::new(AtomicI64::new(1)));
        let answers = Arc::new(Answers::default());
        let reader = |_| read(server.client(), Arc::clone(&stop), Arc::clone(&newest), Arc::clone(&answers));
        let readers: Vec<_> = (0..2).map(reader).map(tokio::spawn).collect();
        let mut revision = 1;
        let seen = || (answers.count.load(Ordering::SeqCst), answers.overtaken.load(Ordering::SeqCst));
        // Until there is enough to judge by, however slow the machine is, but not for ever.
        while (revision < 8 || seen().0 < 10 || seen().1 < 2) && revision < 2_000 {
            revision += 1;
            let payload = client.apply_all(at(revision)).await;
            let made = payload["revision"].as_i64().or_else(|| payload["revision"].as_str()?.parse().ok());
            assert_eq!(made, Some(revision), "nobody else writes");
            newest.store(revision, Ordering::SeqCst);
        }
        stop.store(true, Ordering::Relaxed);
        join_all(readers).await.into_iter().for_each(|it| it.expect("a reader"));
        let (count, overtaken) = seen();
        assert!(count >= 10, "only {count} answers");
        assert!(overtaken >= 2, "of {count} answers only {overtaken} were overtaken by a write: the test says little");
    }
}
