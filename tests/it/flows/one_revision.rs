//! A query is answered from one revision, however long it takes and whatever is written meanwhile.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicI64, Ordering};
use std::time::Duration;

use futures_util::future::join_all;
use serde_json::{Value, json};

use crate::harness::{Client, Server, on_both_databases};

const DEVICES: usize = 40;
const PORTS: usize = 4;

/// How often everything is read by one query: enough for a write or two while it runs.
const TIMES: usize = 8;

/// Everything, several times over, so that it takes a while.
fn query() -> String {
    let once = "devices(first: 100) { totalCount nodes {
        description
        site { description devices(first: 3, filter: { role: { eq: SERVER } }) { nodes { description } } }
        ports(first: 10) { totalCount nodes { description device { description site { description } } } }
    } }";
    let times: Vec<String> = (0..TIMES).map(|number| format!("all{number}: {once}")).collect();
    format!("{{ {} }}", times.join("\n"))
}

/// What every object says at a revision: the number of it.
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

/// All texts named `description` in an answer.
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

/// Asks until it is told to stop; how many answers there were, and how many were overtaken while they were made.
async fn read(client: Client, stop: Arc<AtomicBool>, newest: Arc<AtomicI64>) -> (usize, usize) {
    let (query, mut count, mut overtaken) = (query(), 0, 0);
    while !stop.load(Ordering::Relaxed) {
        let least = newest.load(Ordering::SeqCst);
        let answer = client.execute(&query, json!({})).await;
        assert!(answer.errors.is_empty(), "{:?}", answer.errors);
        let revision = answer.extensions["revision"].as_i64().expect("a revision");
        assert!(revision >= least, "an answer is older than a write that was answered before it was asked for");
        let mut found = Vec::new();
        descriptions(&answer.data, &mut found);
        assert_eq!(found.len(), TIMES * DEVICES * (5 + PORTS * 3), "the answer is whole");
        assert_eq!(answer.data["all0"]["totalCount"], DEVICES);
        let of = revision.to_string();
        assert!(found.iter().all(|text| *text == of), "an answer of revision {of} has another one in it");
        count += 1;
        overtaken += usize::from(newest.load(Ordering::SeqCst) > revision);
    }
    (count, overtaken)
}

on_both_databases! {
    async fn a_slow_query_is_of_one_revision(server: Server) {
        let client = server.client();
        client.apply_all(at(1)).await;
        let (stop, newest) = (Arc::new(AtomicBool::new(false)), Arc::new(AtomicI64::new(1)));
        let readers: Vec<_> =
            (0..2).map(|_| tokio::spawn(read(server.client(), Arc::clone(&stop), Arc::clone(&newest)))).collect();
        let begun = std::time::Instant::now();
        let mut revision = 1;
        // Long enough for many answers, also on a busy machine, but not for ever.
        while (revision < 8 || begun.elapsed() < Duration::from_secs(6)) && begun.elapsed() < Duration::from_secs(40) {
            revision += 1;
            let payload = client.apply_all(at(revision)).await;
            let made = payload["revision"].as_i64().or_else(|| payload["revision"].as_str()?.parse().ok());
            assert_eq!(made, Some(revision), "nobody else writes");
            newest.store(revision, Ordering::SeqCst);
        }
        stop.store(true, Ordering::Relaxed);
        let counts = join_all(readers).await.into_iter().map(|it| it.expect("a reader"));
        let (count, overtaken) = counts.fold((0, 0), |sum, it| (sum.0 + it.0, sum.1 + it.1));
        assert!(count >= 10, "only {count} answers");
        assert!(overtaken >= 2, "of {count} answers only {overtaken} were overtaken by a write: the test says little");
    }
}
