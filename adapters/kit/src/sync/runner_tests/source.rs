//! A source of racks that a test changes, and an observer that remembers what it saw.

use std::collections::BTreeMap;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Arc, Mutex};
use std::time::Duration;

use serde_json::{Value, json};
use tokio::sync::mpsc;

use crate::sync::*;

/// A source of racks.
#[derive(Clone, Default)]
pub struct Racks {
    pub racks: Arc<Mutex<BTreeMap<String, Value>>>,
    /// The scan fails after so many items.
    pub fails_after: Option<usize>,
    /// The scan emits these at the end.
    pub others: Vec<Item>,
    /// The scan emits this at the end.
    pub bad: Option<BadThing>,
    /// The scan never ends.
    pub hangs: bool,
    /// Scans wait while a test holds this.
    pub scans: Arc<tokio::sync::Mutex<()>>,
    /// The least time that a scan takes.
    pub takes: Duration,
    /// The time between two items.
    pub pause: Duration,
    pub hints: Option<Arc<Mutex<Option<mpsc::Receiver<Hint>>>>>,
    /// The source has hints, and does not let them be read.
    pub refuses_hints: bool,
    /// Scans wait while a test holds this, after they have read what they emit.
    pub emits: Arc<tokio::sync::Mutex<()>>,
    /// The number of scans that have read what they emit.
    pub read: Arc<AtomicUsize>,
    /// Looks wait while a test holds this.
    pub answers: Arc<tokio::sync::Mutex<()>>,
    /// The source proves what it has deleted.
    pub proves: bool,
    /// The number of looks that go on, and the highest number of them.
    pub looks: Arc<(AtomicUsize, AtomicUsize)>,
}

impl Racks {
    /// A source of so many racks.
    pub fn many(count: usize) -> Self {
        let source = Self::default();
        (0..count).for_each(|number| source.set(&format!("{number:05}"), json!({"name": format!("r{number}")})));
        source
    }

    pub fn set(&self, id: &str, fields: Value) {
        self.racks.lock().expect("a lock").insert(id.to_owned(), fields);
    }

    pub fn remove(&self, id: &str) {
        self.racks.lock().expect("a lock").remove(id);
    }

    /// A source that gives hints, and the sender of these.
    pub fn with_hints(mut self) -> (Self, mpsc::Sender<Hint>) {
        let (sender, receiver) = mpsc::channel(10_000);
        self.hints = Some(Arc::new(Mutex::new(Some(receiver))));
        (self, sender)
    }

    fn item(id: &str, fields: &Value) -> Item {
        Item::new(ExternalId::new("rack", id), fields.as_object().expect("fields").clone()).expect("an item")
    }

    /// The racks as the server should have them.
    pub fn expected(&self) -> BTreeMap<String, serde_json::Map<String, Value>> {
        let racks = self.racks.lock().expect("a lock");
        racks.iter().map(|(id, fields)| (id.clone(), Self::item(id, fields).fields().clone())).collect()
    }
}

impl Adapter for Racks {
    const PROVES_DELETIONS: bool = true;

    async fn scan(&self, sink: &mut Sink) -> Result<Scanned, AdapterError> {
        drop(self.scans.lock().await);
        let racks = self.racks.lock().expect("a lock").clone();
        self.read.fetch_add(1, Ordering::SeqCst);
        drop(self.emits.lock().await);
        for (index, (id, fields)) in racks.iter().enumerate() {
            if self.fails_after == Some(index) {
                let (call, reason) = ("GET /racks".to_owned(), "the connection broke".to_owned());
                return Err(AdapterError::Unreachable { call, reason });
            }
            sink.report().read("rack", 1);
            sink.put(Self::item(id, fields)).await?;
            if !self.pause.is_zero() {
                tokio::time::sleep(self.pause).await;
            }
        }
        for item in &self.others {
            sink.put(item.clone()).await?;
        }
        if let Some(bad) = &self.bad {
            sink.bad(bad.clone()).await?;
        }
        tokio::time::sleep(self.takes).await;
        if self.hangs {
            std::future::pending::<()>().await;
        }
        Ok(Scanned { cursor: Some("c1".into()) })
    }

    async fn look(&self, id: &ExternalId) -> Result<Option<Items>, AdapterError> {
        let going = self.looks.0.fetch_add(1, Ordering::SeqCst) + 1;
        self.looks.1.fetch_max(going, Ordering::SeqCst);
        tokio::time::sleep(Duration::from_millis(5)).await;
        drop(self.answers.lock().await);
        self.looks.0.fetch_sub(1, Ordering::SeqCst);
        let racks = self.racks.lock().expect("a lock");
        Ok(racks.get(&id.id).map(|fields| vec![Self::item(&id.id, fields)]))
    }

    async fn has_deleted(&self, id: &ExternalId) -> Result<bool, AdapterError> {
        Ok(self.proves && !self.racks.lock().expect("a lock").contains_key(&id.id))
    }

    fn hints(&self) -> Option<HintStream> {
        if self.refuses_hints {
            let (call, reason) = ("GET /changes".to_owned(), "no right to read it".to_owned());
            return Some(HintStream::start(|_| async move { Err(AdapterError::Refused { call, reason }) }));
        }
        let mut hints = self.hints.as_ref()?.lock().expect("a lock").take()?;
        Some(HintStream::start(|sender| async move {
            while let Some(hint) = hints.recv().await {
                sender.send(hint).await?;
            }
            std::future::pending().await
        }))
    }
}

/// Remembers the reports of a runner.
#[derive(Default)]
pub struct Seen {
    pub notes: Mutex<Vec<String>>,
    pub problems: Mutex<Vec<String>>,
    pub ran: Mutex<Vec<String>>,
}

impl Observer for Seen {
    fn progress(&self, _: &Tally) {}

    fn ended(&self, ran: &Ran) {
        self.ran.lock().expect("a lock").push(format!("{:?} {}", ran.mode, word(&ran.end)));
    }

    fn problem(&self, text: &str) {
        self.problems.lock().expect("a lock").push(text.to_owned());
    }

    fn note(&self, text: &str) {
        self.notes.lock().expect("a lock").push(text.to_owned());
    }
}

pub fn word(end: &RunEnd) -> String {
    match end {
        RunEnd::Failed(error) => format!("failed: {error}"),
        other => format!("{other:?}"),
    }
}
