//! The adapter of BCM against its simulator, over real TLS with certificates on both sides.

mod bad;
mod scan;

use std::net::{Ipv4Addr, SocketAddr};
use std::time::Duration;

use serde_json::Value;
use tempfile::TempDir;
use underlay_bcm::simulator::{Fleet, Simulator};
use underlay_bcm::{Bcm, HostName, Pace, Settings};
use underlay_kit::sync::{Adapter as _, AdapterError, BadThing, Emitted, Item, Report, Secret, Sink};

/// The things that a scan emitted.
#[derive(Debug, Default)]
struct Seen {
    items: Vec<Item>,
    bad: Vec<BadThing>,
    secrets: Vec<Secret>,
    report: Report,
}

/// A simulator with its certificates.
struct Running {
    simulator: Simulator,
    folder: TempDir,
}

async fn start(fleet: Fleet) -> Running {
    start_at(Ipv4Addr::LOCALHOST, fleet).await
}

async fn start_at(at: Ipv4Addr, fleet: Fleet) -> Running {
    let folder = tempfile::tempdir().expect("a folder");
    let at = SocketAddr::from((at, 0));
    let simulator = Simulator::start(at, folder.path(), fleet).await.expect("a simulator");
    Running { simulator, folder }
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

fn settings(running: &Running) -> Settings {
    let files = running.simulator.files().clone();
    Settings {
        source: "bcm".to_owned(),
        url: running.simulator.url().to_owned(),
        certificate: files.certificate,
        key: files.key,
        authority: Some(files.authority),
        host_name: HostName::Checked,
        site: "ams1".to_owned(),
        pace: quick(),
    }
}

fn bcm(running: &Running) -> Bcm {
    Bcm::new(settings(running)).expect("an adapter")
}

/// Scans everything.
async fn try_scan(bcm: &Bcm) -> Result<Seen, AdapterError> {
    let (mut sink, mut receiver) = Sink::new(100);
    let mut seen = Seen::default();
    let scan = async {
        let scanned = bcm.scan(&mut sink).await;
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

async fn scan(bcm: &Bcm) -> Seen {
    try_scan(bcm).await.expect("a scan")
}

impl Seen {
    /// Returns the fields of the item of a kind with a name.
    #[track_caller]
    fn fields(&self, kind: &str, name: &str) -> Value {
        let item = self.items.iter().find(|item| item.id().kind == kind && item.fields()["name"] == name);
        Value::Object(item.unwrap_or_else(|| panic!("no {kind} {name}")).fields().clone())
    }
}
