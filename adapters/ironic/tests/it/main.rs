//! The client and the adapter of Ironic against a server that answers as Ironic does, and against a real one.

mod bad;
mod calls;
mod changes;
mod real;
mod replay;
mod scan;

use std::time::Duration;

use replay::Replay;
use serde_json::Value;
use underlay_ironic::client::{Auth, Connection, Pace};
use underlay_ironic::{Ironic, Settings};
use underlay_kit::sync::{Adapter as _, AdapterError, BadThing, Emitted, Item, Report, Secret, Sink};

/// Everything that a scan emitted.
#[derive(Debug, Default)]
struct Seen {
    items: Vec<Item>,
    bad: Vec<BadThing>,
    secrets: Vec<Secret>,
    report: Report,
}

/// A pace without long pauses.
fn quick() -> Pace {
    Pace {
        first_pause: Duration::from_millis(1),
        longest_pause: Duration::from_millis(5),
        repeats: 3,
        ..Pace::default()
    }
}

fn connection(url: &str, auth: Auth) -> Connection {
    Connection { pace: quick(), ..Connection::new(url, auth) }
}

fn settings(replay: &Replay) -> Settings {
    let settings = Settings::new("ironic", connection(&replay.url, Auth::None), "ams1");
    Settings { hints: Duration::from_millis(20), ..settings }
}

fn ironic(replay: &Replay) -> Ironic {
    Ironic::new(settings(replay)).expect("an adapter")
}

/// Scans everything.
async fn try_scan(ironic: &Ironic) -> Result<Seen, AdapterError> {
    let (mut sink, mut receiver) = Sink::new(100);
    let mut seen = Seen::default();
    let scan = async {
        let scanned = ironic.scan(&mut sink).await;
        (scanned, sink.into_report())
    };
    let gather = async {
        while let Some(emitted) = receiver.recv().await {
            match emitted {
                Emitted::Item(item) => seen.items.push(item),
                Emitted::Bad(thing) => seen.bad.push(thing),
                Emitted::Secret(secret) => seen.secrets.push(secret),
            }
        }
    };
    let ((scanned, report), ()) = tokio::join!(scan, gather);
    scanned?;
    seen.report = report;
    Ok(seen)
}

async fn scan(ironic: &Ironic) -> Seen {
    try_scan(ironic).await.expect("a scan")
}

impl Seen {
    /// Returns the number of items of a kind.
    fn count(&self, kind: &str) -> usize {
        self.items.iter().filter(|item| item.id().kind == kind).count()
    }

    /// Returns the fields of the item of a kind with an external id.
    #[track_caller]
    fn fields(&self, kind: &str, id: &str) -> Value {
        let item = self.items.iter().find(|item| item.id().kind == kind && item.id().id == id);
        Value::Object(item.unwrap_or_else(|| panic!("no {kind} {id}")).fields().clone())
    }
}
