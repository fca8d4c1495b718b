//! The adapter of NetBox against a server that replays recorded answers.

mod bad;
mod changes;
mod mapping;
mod replay;
mod scan;

use std::time::Duration;

use replay::{Replay, TOKEN};
use serde_json::Value;
use underlay_kit::sync::{Adapter as _, AdapterError, BadThing, Emitted, Item, Report, Scanned, Sink};
use underlay_netbox::{NetBox, Pace, Settings, TokenSource};

/// Everything that a scan emitted.
#[derive(Debug, Default)]
struct Seen {
    items: Vec<Item>,
    bad: Vec<BadThing>,
    report: Report,
    scanned: Scanned,
}

/// A pace without long pauses.
fn quick() -> Pace {
    Pace {
        first_pause: Duration::from_millis(1),
        longest_pause: Duration::from_millis(5),
        repeats: 3,
        hints: Duration::from_millis(20),
        ..Pace::default()
    }
}

fn settings(replay: &Replay) -> Settings {
    let token = TokenSource::Text(TOKEN.to_owned());
    let settings = Settings::new("netbox", &replay.url, token).expect("the word lists");
    Settings { pace: quick(), ..settings }
}

fn netbox(replay: &Replay) -> NetBox {
    NetBox::new(settings(replay)).expect("an adapter")
}

/// Scans everything.
async fn try_scan(netbox: &NetBox) -> Result<Seen, AdapterError> {
    let (mut sink, mut receiver) = Sink::new(100);
    let mut seen = Seen::default();
    let scan = async {
        let scanned = netbox.scan(&mut sink).await;
        (scanned, sink.into_report())
    };
    let gather = async {
        while let Some(emitted) = receiver.recv().await {
            match emitted {
                Emitted::Item(item) => seen.items.push(item),
                Emitted::Bad(thing) => seen.bad.push(thing),
                Emitted::Secret(secret) => panic!("{secret:?}"),
            }
        }
    };
    let ((scanned, report), ()) = tokio::join!(scan, gather);
    (seen.scanned, seen.report) = (scanned?, report);
    Ok(seen)
}

async fn scan(netbox: &NetBox) -> Seen {
    try_scan(netbox).await.expect("a scan")
}

impl Seen {
    /// Returns the items in the order of their ids. Lists that are read at the same time come in no order.
    fn sorted(&self) -> Vec<&Item> {
        let mut items: Vec<&Item> = self.items.iter().collect();
        items.sort_unstable_by_key(|item| item.id());
        items
    }

    /// Returns the fields of the item with an external id.
    #[track_caller]
    fn fields(&self, id: &str) -> Value {
        let item = self.items.iter().find(|item| item.id().id == id);
        Value::Object(item.unwrap_or_else(|| panic!("no item {id}")).fields().clone())
    }

    fn has(&self, id: &str) -> bool {
        self.items.iter().any(|item| item.id().id == id)
    }

    /// Returns the messages about an external id.
    fn messages(&self, id: &str) -> Vec<&str> {
        self.bad.iter().filter(|thing| thing.external_id == id).map(|thing| thing.message.as_str()).collect()
    }
}
