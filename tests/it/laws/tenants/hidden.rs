//! Shared objects that refer to hidden objects. A tenant gets the same fields, versions, times, managers and events,
//! change by change, from a server with hidden objects and from one that never had them.
//!
//! Each step is written to both servers. The server without hidden objects gets the step without its hidden parts. If
//! nothing is left, it gets an unrelated batch of another tenant, so that the revisions stay equal.
//! nothing is left it gets a batch of another tenant that has nothing to do with it, so that revisions stay the same.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;
use std::time::Duration;

use chrono::{DateTime, Utc};
use rand::rngs::StdRng;
use rand::seq::IndexedRandom as _;
use rand::{Rng, SeedableRng};
use serde_json::{Map, Value, json};
use underlay_engine::feed::{View, Views};
use underlay_engine::write::{Author, Batch};
use underlay_inventory::Snapshot;
use uuid::Uuid;

use crate::harness::inside::{Inside, batch, items, sqlite};

/// The number of steps of a history.
const HISTORY_STEPS: usize = 120;
/// The tenant whose answers are compared.
const TENANT: &str = "blue";
/// The objects of both servers: a kind, a name, and the other required fields.
const SHARED: [(&str, &str, &str); 15] = [
    ("site", "ams1", r#"{"type": "DATACENTER"}"#),
    ("provider", "open", r#"{"type": "TRANSIT"}"#),
    ("rack", "a1", r#"{"site": {"site": "ams1"}, "heightU": 42}"#),
    ("cluster", "k1", r#"{"type": "KUBERNETES"}"#),
    ("device", "leaf", r#"{"site": {"site": "ams1"}, "role": "LEAF"}"#),
    ("device", "spine", r#"{"site": {"site": "ams1"}, "role": "LEAF", "tenant": "blue"}"#),
    ("powerFeed", "f1", r#"{"site": {"site": "ams1"}}"#),
    ("powerFeed", "f2", r#"{"site": {"site": "ams1"}}"#),
    ("port", "out", r#"{"rack": {"rack": "a1"}, "type": "POWER_OUTLET"}"#),
    ("port", "e1", r#"{"device": {"device": "leaf"}, "type": "ETHERNET"}"#),
    ("port", "e2", r#"{"device": {"device": "leaf"}, "type": "ETHERNET"}"#),
    ("port", "e3", r#"{"device": {"device": "spine"}, "type": "ETHERNET"}"#),
    ("port", "e4", r#"{"device": {"device": "spine"}, "type": "ETHERNET"}"#),
    (
        "cable",
        "c1",
        r#"{"aEnds": [{"port": {"device": "leaf", "port": "e1"}}], "bEnds": [{"port": {"device": "spine", "port": "e3"}}]}"#,
    ),
    ("link", "l1", r#"{"type": "LOGICAL", "a": {"site": {"site": "ams1"}}, "b": {"device": {"device": "leaf"}}}"#),
];
/// The additional objects of one server, which belong to another tenant.
const HIDDEN: [(&str, &str, &str); 12] = [
    ("provider", "red-1", r#"{"type": "TRANSIT", "tenant": "red"}"#),
    ("provider", "red-2", r#"{"type": "TRANSIT", "tenant": "red"}"#),
    ("cluster", "red-1", r#"{"type": "KUBERNETES", "tenant": "red"}"#),
    ("cluster", "red-2", r#"{"type": "KUBERNETES", "tenant": "red"}"#),
    ("rack", "red-1", r#"{"site": {"site": "ams1"}, "heightU": 42, "tenant": "red"}"#),
    ("powerFeed", "red-1", r#"{"site": {"site": "ams1"}, "rack": {"rack": "red-1"}}"#),
    ("powerFeed", "red-2", r#"{"site": {"site": "ams1"}, "tenant": "red"}"#),
    ("device", "red-1", r#"{"site": {"site": "ams1"}, "role": "LEAF", "placement": {"rack": {"rack": "red-1"}}}"#),
    ("port", "red-1", r#"{"device": {"device": "red-1"}, "type": "ETHERNET"}"#),
    ("port", "red-2", r#"{"device": {"device": "red-1"}, "type": "ETHERNET"}"#),
    (
        "cable",
        "red-1",
        r#"{"aEnds": [{"port": {"device": "red-1", "port": "red-1"}}], "bEnds": [{"port": {"device": "leaf", "port": "e2"}}], "tenant": "red"}"#,
    ),
    (
        "cable",
        "red-2",
        r#"{"aEnds": [{"port": {"device": "red-1", "port": "red-2"}}], "bEnds": [{"port": {"device": "spine", "port": "e4"}}], "tenant": "red"}"#,
    ),
];
/// Fields that refer to one object: the kind and the name of the object, the field, the kind and the name of what can
/// be seen.
const ONE: [(&str, &str, &str, &str, &str); 3] = [
    ("site", "ams1", "provider", "provider", "open"),
    ("device", "leaf", "cluster", "cluster", "k1"),
    ("powerFeed", "f1", "upstream", "powerFeed", "f2"),
];
/// Fields that refer to many.
const MANY_REFERENCES: [(&str, &str, &str, &str, &[&str]); 2] =
    [("port", "out", "fedBy", "powerFeed", &["f1", "f2"]), ("link", "l1", "cables", "cable", &["c1"])];

/// The id of an object, the same on both servers.
fn id(kind: &str, name: &str) -> Uuid {
    let number = format!("{kind}/{name}").bytes().fold(7_u128, |number, byte| number * 257 + u128::from(byte));
    uuid::Builder::from_random_bytes((number << 8 | 1).to_be_bytes()).into_uuid()
}

fn is_hidden(name: &str) -> bool {
    name.starts_with("red-")
}

fn made(kind: &str, name: &str, fields: &str) -> Value {
    let mut fields: Map<String, Value> = serde_json::from_str(fields).expect("fields");
    fields.insert("id".to_owned(), json!(id(kind, name)));
    fields.insert("name".to_owned(), json!(name));
    json!({ kind: fields })
}

/// A server, and the answers and events that the tenant gets from it.
struct Answers {
    inside: Inside,
    view: Arc<View>,
    /// The time of each revision.
    times: BTreeMap<i64, DateTime<Utc>>,
    _folder: tempfile::TempDir,
}

impl Answers {
    async fn start() -> Self {
        let (url, folder) = sqlite();
        let inside = Inside::open(&url).await;
        let view = Views::new(inside.view()).of(Some(TENANT)).await.expect("a view");
        Self { inside, view, times: BTreeMap::new(), _folder: folder }
    }

    async fn write(&mut self, author: &str, written: Vec<Value>) -> Arc<Snapshot> {
        let author = Author::user(author);
        let answer = self.inside.writer.write(Batch { author, ..batch(items(written)) }).await.expect("an answer");
        let refused: Vec<_> = answer.outcomes.iter().filter_map(|outcome| outcome.error.as_ref()).collect();
        assert!(refused.is_empty(), "{refused:#?}");
        let head = self.inside.current.get().head();
        self.times.insert(head.revision, head.at);
        self.view.current.wait_for(head.revision, Duration::from_secs(20)).await
    }

    /// Everything that the tenant sees of each object.
    fn projection(&self, snapshot: &Snapshot) -> BTreeMap<Uuid, Value> {
        let mut shown = BTreeMap::new();
        for kind in snapshot.registry().kinds() {
            for (_, row) in snapshot.table(kind.id).rows(0) {
                let common = row.common();
                let fields: Map<String, Value> =
                    kind.fields.iter().map(|field| (field.name.to_owned(), (field.get)(row.as_ref()))).collect();
                let time = self.times.iter().find(|(_, at)| **at == common.updated_at).map(|(revision, _)| *revision);
                let mut managers: Vec<_> = common.managers.0.iter().map(|it| format!("{it:?}")).collect();
                managers.sort();
                let marks = json!({ "version": common.version, "updatedAt": time, "managers": managers });
                shown.insert(common.id, json!({ "name": common.name, "fields": fields, "marks": marks }));
            }
        }
        shown
    }

    /// The events of a revision, without times.
    fn events(&self, revision: i64) -> BTreeSet<String> {
        let revised = self.view.current.recent(revision).expect("a recent revision");
        let side = |side: &Option<String>| {
            let mut fields: Value = serde_json::from_str(side.as_deref().unwrap_or("{}")).expect("JSON");
            let fields = fields.as_object_mut().expect("an object");
            fields.retain(|name, _| !["updatedAt", "createdAt"].contains(&name.as_str()));
            if let Some(managers) = fields.get_mut("managers").and_then(Value::as_array_mut) {
                managers.sort_by_key(Value::to_string);
            }
            json!(fields).to_string()
        };
        let event = |change: &underlay_entity::change::Model| {
            let (before, after) = (side(&change.before), side(&change.after));
            format!("{:?} {} {} {before} {after} {}", change.operation, change.object_id, change.name, change.actor)
        };
        revised.changes.iter().map(event).collect()
    }
}

/// A step: what is written where there are hidden objects, and what is left of it where there are none.
struct Step {
    all: Vec<Value>,
    few: Vec<Value>,
}

/// The targets of the fields in `ONE` and `MANY_REFERENCES`, by index.
#[derive(Default)]
struct Now {
    one: BTreeMap<usize, Option<String>>,
    many: BTreeMap<usize, Vec<String>>,
}

fn seen(names: &[String]) -> Vec<&String> {
    names.iter().filter(|name| !is_hidden(name)).collect()
}

fn step(random: &mut StdRng, now: &mut Now) -> Step {
    let of = |kind: &str, name: &str, fields: [Option<(&str, Value)>; 2]| {
        let fields: Map<String, Value> =
            fields.into_iter().flatten().map(|(name, value)| (name.to_owned(), value)).collect();
        if fields.is_empty() {
            return Vec::new();
        }
        let mut item = json!({ kind: fields });
        item[kind]["id"] = json!(id(kind, name));
        vec![item]
    };
    let refer = |kind: &str, name: &String| json!({ "id": id(kind, name) });
    let text = random.random_range(0..100).to_string();
    let plain = random.random_bool(0.3).then(|| ("description", json!(text)));
    match random.random_range(0..10) {
        0..2 => {
            let (kind, name, _) = SHARED.choose(random).expect("one");
            let fields = [Some(("description", json!(text))), None];
            Step { all: of(kind, name, fields.clone()), few: of(kind, name, fields) }
        }
        2..6 => {
            let index = random.random_range(0..ONE.len());
            let (kind, object, field, target, visible) = ONE[index];
            let names = [None, Some(visible.to_owned()), Some("red-1".to_owned()), Some("red-2".to_owned())];
            let next = names.choose(random).expect("one").clone();
            let before = now.one.insert(index, next.clone()).flatten();
            let value = |name: &Option<String>| match (target, name) {
                (_, None) => Value::Null,
                ("powerFeed", Some(name)) => json!({ "powerFeed": refer(target, name) }),
                (_, Some(name)) => refer(target, name),
            };
            let [was, is] = [&before, &next].map(|name| name.clone().filter(|name| !is_hidden(name)));
            // To set once more what is there can change its manager. A missing value causes no event.
            let is_seen = was != is || before == next && is.is_some();
            let all = of(kind, object, [Some((field, value(&next))), plain.clone()]);
            Step { all, few: of(kind, object, [is_seen.then(|| (field, value(&is))), plain]) }
        }
        6..9 => {
            let (index, (kind, object, field, target, visible)) = {
                let index = random.random_range(0..MANY_REFERENCES.len());
                (index, MANY_REFERENCES[index])
            };
            let names = visible.iter().copied().chain(["red-1", "red-2"]);
            let next: Vec<String> = names.filter(|_| random.random_bool(0.5)).map(str::to_owned).collect();
            let before = now.many.insert(index, next.clone()).unwrap_or_default();
            let entry = |name: &String| match kind {
                "port" => json!({ "powerFeed": refer(target, name) }),
                _ => refer(target, name),
            };
            let value = |names: &[&String]| names.iter().map(|name| entry(name)).collect::<Value>();
            let is_seen = seen(&before) != seen(&next) || before == next && !seen(&next).is_empty();
            let all = of(kind, object, [Some((field, value(&next.iter().collect::<Vec<_>>()))), plain.clone()]);
            Step { all, few: of(kind, object, [is_seen.then(|| (field, value(&seen(&next)))), plain]) }
        }
        _ => {
            let (kind, name, _) = HIDDEN.choose(random).expect("one");
            Step { all: of(kind, name, [Some(("description", json!(text))), None]), few: Vec::new() }
        }
    }
}

async fn as_if_nothing_was_hidden(seed: u64) -> (usize, usize) {
    let (mut all, mut few) = (Answers::start().await, Answers::start().await);
    let mut random = StdRng::seed_from_u64(seed);
    let shared = || SHARED.map(|(kind, name, fields)| made(kind, name, fields)).to_vec();
    let hidden = HIDDEN.map(|(kind, name, fields)| made(kind, name, fields)).to_vec();
    let elsewhere = |number: usize| vec![json!({"region": {"name": format!("red-{number}"), "tenant": "red"}})];
    let mut now = Now::default();
    let (mut reported, mut silent) = (0, 0);
    for number in 0..HISTORY_STEPS {
        let Step { all: written, few: left } = match number {
            0 => Step { all: shared(), few: shared() },
            1 => Step { all: hidden.clone(), few: Vec::new() },
            _ => step(&mut random, &mut now),
        };
        let author = ["ann", "bob"][if number < 2 { number } else { random.random_range(0..2) }];
        let left = if left.is_empty() { elsewhere(number) } else { left };
        let before = all.inside.current.get().revision();
        let snapshot = all.write(author, written.clone()).await;
        let revision = all.inside.current.get().revision();
        if revision == before {
            // It changed nothing at all.
            continue;
        }
        let expected = few.write(author, left).await;
        if few.inside.current.get().revision() != revision {
            // The same without what is hidden changed nothing.
            few.write(author, elsewhere(number)).await;
        }
        let expected = if expected.revision() == revision { expected } else { few.view.current.get() };
        assert_eq!(all.projection(&snapshot), few.projection(&expected), "seed {seed}, step {number}: {written:?}");
        assert_eq!(all.events(revision), few.events(revision), "seed {seed}, step {number}: {written:?}");
        match all.events(revision).is_empty() {
            true => silent += 1,
            false => reported += 1,
        }
    }
    (reported, silent)
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn hidden_changes_of_shared_objects_are_invisible_to_a_tenant() {
    let first = crate::laws::snapshot::seed();
    let (mut reported, mut silent) = (0, 0);
    for seed in first..first + 4 {
        let (some, none) = as_if_nothing_was_hidden(seed).await;
        (reported, silent) = (reported + some, silent + none);
    }
    eprintln!("{reported} revisions were reported, {silent} were not");
    assert!(reported > 60 && silent > 60, "histories that say something");
}
