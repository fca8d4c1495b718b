//! A source and objects that are in use: it leaves them and reports them, and its run does not fail.

use std::sync::Arc;

use serde_json::{Value, json};
use underlay_engine::feed::{self, CurrentSnapshot};
use underlay_engine::sources::{Extent, Sources, StartRun, Timing};
use underlay_engine::store::Store;
use underlay_engine::write::{Author, Batch, Conflicts, Fields, Item, Mode, Writer};
use underlay_entity::source_run::{self, RunMode, RunState};
use underlay_inventory::Snapshot;

use crate::harness::inside::{batch, sqlite};
use crate::harness::postgres;
use crate::write::in_use::registry;

/// A process that protects virtual machines in use.
struct Process {
    current: CurrentSnapshot,
    writer: Writer,
    sources: Sources,
}

impl Process {
    async fn open(url: &str) -> Self {
        let store = Store::open(&url.parse().expect("a URL"), underlay_kinds::tables()).await.expect("open");
        let current = CurrentSnapshot::new(feed::load(&store, &Arc::new(registry())).await.expect("load"));
        let writer = Writer::start(store.clone(), current.clone());
        let role = underlay_kinds::source::ROLE;
        let sources = Sources::new(store, current.clone(), writer.clone(), role, Timing::default());
        Self { current, writer, sources }
    }

    fn item(&self, item: Value) -> Item {
        Item::parse(self.current.get().registry(), item).expect("an item")
    }

    async fn write(&self, items: Vec<Value>) {
        let items = items.into_iter().map(|item| self.item(item)).collect();
        let answer = self.writer.write(batch(items)).await.expect("an answer");
        assert!(answer.outcomes.iter().all(|outcome| outcome.error.is_none()), "{:?}", answer.outcomes);
    }

    /// A full run that writes some items; returns the run at its end.
    async fn run(&self, items: Vec<Value>) -> source_run::Model {
        let start = StartRun {
            actor: "ann".to_owned(),
            source: "nb".to_owned(),
            mode: RunMode::Full,
            creates: false,
            request_id: None,
            new_source: Fields::default(),
        };
        let run = self.sources.start(&start).await.expect("started");
        if !items.is_empty() {
            let author = Author::user("ann").on_behalf_of(Some("nb"));
            let items = items.into_iter().map(|item| self.item(item)).collect();
            let (mode, conflicts) = (Mode::PerItem, Conflicts::Skip);
            let answer = self.sources.write(run.id, Batch { author, mode, conflicts, ..batch(items) }).await;
            answer.expect("written");
        }
        self.sources.settle(run.id, &Extent::Unseen { complete: true }, "ann").await.expect("settled");
        self.sources.finish(run.id, None).await.expect("finished")
    }

    fn row(&self, kind: &str, name: &str) -> Option<Arc<dyn underlay_entity::row::Row>> {
        find(&self.current.get(), kind, name)
    }
}

fn find(snapshot: &Snapshot, kind: &str, name: &str) -> Option<Arc<dyn underlay_entity::row::Row>> {
    let kind = snapshot.registry().named(kind).expect("a kind");
    let mut rows = snapshot.table(kind.id).rows(0);
    rows.find(|(_, row)| row.common().name == name).map(|(_, row)| Arc::clone(row))
}

/// A device of the source with a virtual machine of the source on it.
fn pair(name: &str) -> Vec<Value> {
    let machine = format!("{name}-vm");
    vec![
        json!({"device": {"site": "ams1", "name": name, "role": "SERVER", "externalId": name}}),
        json!({"virtualMachine": {"name": machine, "host": {"site": "ams1", "device": name}, "externalId": machine}}),
    ]
}

async fn objects_in_use_stay(url: &str, prune: &str) {
    let it = Process::open(url).await;
    it.write(vec![
        json!({"source": {"name": "nb", "type": "netbox", "prune": prune, "limits": {"share": 1, "count": 100}}}),
        json!({"region": {"name": "eu"}}),
        json!({"site": {"region": "eu", "name": "ams1", "type": "DATACENTER"}}),
    ])
    .await;
    let run = it.run([pair("used"), pair("free"), pair("kept")].concat()).await;
    assert_eq!((run.state, run.created), (RunState::Succeeded, 6), "{:?}", run.errors);
    let machine = it.row("virtualMachine", "used-vm").expect("a machine").common().id;
    it.write(vec![json!({"virtualMachine": {"id": machine, "labels": {"in-use": "k1"}}})]).await;
    let before = [("device", "used"), ("virtualMachine", "used-vm")].map(|(kind, name)| it.row(kind, name));

    let run = it.run(pair("kept")).await;
    assert_eq!(run.state, RunState::Succeeded, "{prune}: {:?}", run.errors);
    let reported: Vec<_> = run.errors.0.iter().map(|it| (it.external_id.as_deref(), it.code.as_str())).collect();
    assert!(reported.contains(&(Some("used"), "IN_USE")), "{prune}: {reported:?}");
    assert!(reported.contains(&(Some("used-vm"), "IN_USE")), "{prune}: {reported:?}");
    assert!(reported.iter().all(|(id, _)| id.is_some_and(|id| id.starts_with("used"))), "{prune}: {reported:?}");
    let after = [("device", "used"), ("virtualMachine", "used-vm")].map(|(kind, name)| it.row(kind, name));
    for (before, after) in before.iter().zip(&after) {
        let (before, after) = (before.as_ref().expect("a row"), after.as_ref().expect("it stays"));
        assert!(before.equals(after.as_ref()), "{prune}: {before:?} {after:?}");
    }
    let free = it.row("device", "free");
    let is_gone = free.is_none_or(|row| row.common().external_refs.0.is_empty());
    assert!(is_gone || prune == "KEEP", "{prune}: the others go");

    // When the use has ended, the next run removes them.
    it.write(vec![json!({"virtualMachine": {"id": machine, "labels": {"in-use": null}}})]).await;
    let run = it.run(pair("kept")).await;
    assert_eq!((run.state, run.errors.0.len()), (RunState::Succeeded, 0), "{prune}: {:?}", run.errors);
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn objects_in_use_stay_on_sqlite() {
    for prune in ["DELETE", "RELEASE", "RETIRE"] {
        let (url, _folder) = sqlite();
        objects_in_use_stay(&url, prune).await;
    }
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
#[ignore = "needs PostgreSQL"]
async fn objects_in_use_stay_on_postgres() {
    let url = postgres::create_database().await;
    objects_in_use_stay(&url, "DELETE").await;
    postgres::drop_database(&url).await;
}
