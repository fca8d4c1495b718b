//! Records in the inventory what agents report: `Device.hardware` of the devices that hosts are, as the source `facts`.
//!
//! Guarantees: a value that another manager holds stays, and so does what a report does not know. Reports that leave the
//! hardware as it is recorded make no revision. No report waits for this: the summaries in memory are compared with the
//! snapshot at intervals, which also finds what changed while no server ran, what could not be written, and hosts that
//! were linked later.
//!
//! Every process of a server does this, and what one has written, the others find written. None writes an older report over
//! a newer one: facts are stored before they are recorded, so a process that reads the facts after it took a snapshot knows
//! all that are recorded in it, and it writes only to devices that are still as they are in that snapshot.

mod hardware;

use std::collections::HashMap;
use std::sync::Arc;
use std::time::Duration;

use chrono::{DateTime, Utc};
use serde_json::{Value as Json, json};
use thiserror::Error;
use underlay_engine::facts::{Facts, HostSummary};
use underlay_engine::runtime::{BackOff, jittered, run_in_background};
use underlay_engine::sources::Sources;
use underlay_engine::store::StoreError;
use underlay_engine::write::{Author, Batch, Conflicts, Decision, Fields, Intent, Item, Mode, Origin};
use underlay_entity::device::Model as DeviceRow;
use underlay_entity::host::{HostMachine, Model};
use underlay_inventory::{Head, Kind, Manager, Refusal, Snapshot, cast};
use uuid::Uuid;

use self::hardware::to_record;
use crate::device::Device;
use crate::host::Host;

/// The source under which the server records facts.
pub const SOURCE: &str = "facts";
/// The name under which the server writes.
const ACTOR: &str = "underlay";
/// The field that is recorded.
const FIELD: &str = "hardware";
/// The longest pause after failures.
const LONGEST_PAUSE: Duration = Duration::from_secs(300);
/// The greatest number of devices in a batch.
const MAX_DEVICES_PER_BATCH: usize = 1_000;

/// A failure to record facts. The next look tries again.
#[derive(Debug, Error)]
enum RecordError {
    #[error("the facts that others stored cannot be read: {0}")]
    Facts(#[from] StoreError),
    #[error("{devices} devices cannot be written: {refusal}")]
    Refused { devices: usize, refusal: Refusal },
}

/// Records the hardware of devices. Never returns.
pub async fn keep_recorded(sources: Sources, facts: Facts) {
    let interval = facts.recording();
    let mut pauses = BackOff::new(interval, LONGEST_PAUSE.max(interval));
    let mut recorder = Recorder { sources, facts, looked_at: None, refused: HashMap::new() };
    loop {
        let pause = match recorder.look().await {
            Ok(()) => {
                pauses.succeeded();
                jittered(interval)
            }
            Err(error) => {
                tracing::warn!("the hardware of devices cannot be recorded now: {error}");
                pauses.failed()
            }
        };
        tokio::time::sleep(pause).await;
    }
}

struct Recorder {
    sources: Sources,
    facts: Facts,
    /// The snapshot and the facts that were compared last, if all that differed was written.
    looked_at: Option<(Head, u64)>,
    /// The devices that were refused, by their hosts. Each is not tried again as long as it stays the same.
    refused: HashMap<Uuid, Noted>,
}

/// A host whose device is to be written, with what it is written from.
#[derive(Clone, Debug, PartialEq, Eq)]
struct Noted {
    host: Uuid,
    device: Uuid,
    /// The version of the device.
    version: i64,
    summary: Arc<HostSummary>,
}

impl Recorder {
    async fn look(&mut self) -> Result<(), RecordError> {
        let snapshot = self.sources.current();
        // The number is read first: what changes meanwhile is found by the next look.
        let seen = (snapshot.head(), self.facts.generation());
        if self.looked_at == Some(seen) {
            return Ok(());
        }
        // After the snapshot was taken: see above.
        self.facts.catch_up().await?;
        let differing = run_in_background(|| differing(&snapshot, &self.facts));
        self.refused.retain(|_, refused| differing.contains(refused));
        let differing: Vec<Noted> =
            differing.into_iter().filter(|noted| self.refused.get(&noted.host) != Some(noted)).collect();

        for devices in differing.chunks(MAX_DEVICES_PER_BATCH) {
            self.write(devices).await?;
        }
        self.looked_at = Some(seen);
        Ok(())
    }

    async fn write(&mut self, devices: &[Noted]) -> Result<(), RecordError> {
        let batch = Batch {
            id: Uuid::new_v4(),
            items: Vec::new(),
            mode: Mode::PerItem,
            conflicts: Conflicts::Skip,
            author: Author::user(ACTOR).on_behalf_of(Some(SOURCE)),
            origin: Origin::Decision(Arc::new(Recording(devices.to_vec()))),
            request_id: None,
            bytes: devices.len() * 512,
        };
        let written = self.sources.write_alone(batch).await;
        let answer = written.map_err(|refusal| RecordError::Refused { devices: devices.len(), refusal })?;
        for outcome in answer.outcomes.iter() {
            let Some(refusal) = &outcome.error else { continue };
            let refused = devices.iter().find(|noted| Some(noted.device) == outcome.id);
            let Some(refused) = refused else { continue };
            tracing::warn!(device = %refused.device, "the hardware of a device cannot be recorded: {refusal}");
            self.refused.insert(refused.host, refused.clone());
        }
        Ok(())
    }
}

/// Devices whose hardware is to be recorded, each by itself.
#[derive(Debug)]
struct Recording(Vec<Noted>);

impl Decision for Recording {
    fn request(&self) -> &Json {
        // The server does not repeat it.
        &Json::Null
    }

    fn size(&self) -> usize {
        self.0.len()
    }

    fn items(&self, base: &Snapshot, _: DateTime<Utc>) -> Result<Vec<Item>, Refusal> {
        Ok(self.0.iter().filter_map(|noted| item(base, noted)).collect())
    }
}

/// Returns the item that records the hardware of a device; `None` if the device is not any more as it was noted, or is not
/// the machine of the host any more.
fn item(base: &Snapshot, noted: &Noted) -> Option<Item> {
    let host = base.get::<Host>(noted.host)?;
    let device = device_of(base, host).filter(|device| device.id == noted.device && device.version == noted.version)?;
    let hardware = to_record(device.hardware.as_ref(), &noted.summary)?;
    let mut fields = Fields::default();
    fields.set("id", device.id.to_string().into());
    fields.set(FIELD, json!(hardware));
    Some(Item::Write { kind: Device::describe(), intent: Intent::Update, fields, if_version: None })
}

/// Returns the hosts with devices whose hardware is to be recorded.
fn differing(snapshot: &Snapshot, facts: &Facts) -> Vec<Noted> {
    let hosts = snapshot.table(Host::ID).rows(0).map(|(_, row)| cast::<Model>(row.as_ref()));
    let noted = |host: &Model| {
        let device = device_of(snapshot, host).filter(|device| is_free(snapshot, device))?;
        // What an older version stored has no summary.
        let summary = facts.summary(host.id)?;
        to_record(device.hardware.as_ref(), &summary)?;
        let (host, device, version) = (host.id, device.id, device.version);
        Some(Noted { host, device, version, summary })
    };
    hosts.filter_map(noted).collect()
}

fn device_of<'a>(snapshot: &'a Snapshot, host: &Model) -> Option<&'a DeviceRow> {
    match host.machine? {
        HostMachine::Device(device) => snapshot.get::<Device>(device),
        HostMachine::VirtualMachine(_) => None,
    }
}

/// Returns true if nobody else holds the hardware of a device.
fn is_free(snapshot: &Snapshot, device: &DeviceRow) -> bool {
    let kind = Device::describe();
    let Some(number) = kind.field(FIELD).map(|index| kind.fields[index].number) else { return false };
    let holding = device.managers.0.iter().find(|holding| holding.fields & (1 << number) != 0);
    let Some(holding) = holding else { return true };
    let manager = snapshot.manager(holding.manager).map(|name| Manager::read(name));
    manager == Some(Manager::Source(SOURCE))
}
