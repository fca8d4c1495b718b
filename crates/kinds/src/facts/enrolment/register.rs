//! Registers a machine that is no known host.

use std::sync::Arc;

use serde_json::{Value as Json, json};
use underlay_engine::access::{Caller, WriteKind};
use underlay_engine::facts::EnrolmentToken;
use underlay_engine::sources::Sources;
use underlay_engine::write::{Batch, Conflicts, Mode, Origin};
use underlay_error::Refusal;
use underlay_facts::Report;
use underlay_inventory::{Kind as _, Snapshot};
use uuid::Uuid;

use super::identify::MachineIdentity;
use crate::host::{Host, made_up};
use crate::hosts::machine_settings;
use crate::items::ItemReader;
use crate::write_handle::WriteHandle;

/// The greatest number of names that are tried.
const MAX_NAMES: u32 = 20;

/// Registers a machine as a host, in the name of the caller to whom the token was issued. Returns the host, and a snapshot
/// that has it.
///
/// # Errors
/// Returns an error if the host cannot be written.
pub async fn register(
    sources: &Sources,
    by: &EnrolmentToken,
    identity: &MachineIdentity,
    report: &Report,
) -> Result<(Uuid, Arc<Snapshot>), Refusal> {
    let snapshot = sources.current();
    let permit = Caller::named(&by.issued_to).permit(WriteKind::Apply { source: None });
    let permit = permit.map_err(|forbidden| Refusal::Forbidden(forbidden.to_string()))?;
    let handle = WriteHandle::new(sources.clone(), permit, 1);
    let item = item(&snapshot, by, identity, report);
    let read = ItemReader::new(snapshot.registry()).item(&item);
    let batch = Batch {
        id: Uuid::new_v4(),
        bytes: item.to_string().len(),
        items: vec![read.map_err(|outcome| failed(outcome.error))?],
        mode: Mode::Atomic,
        conflicts: Conflicts::Fail,
        author: handle.author(),
        origin: Origin::Client,
        request_id: None,
    };
    let answer = handle.write(batch).await?;
    let outcome = answer.outcomes.into_iter().next();
    match outcome.map(|outcome| (outcome.id, outcome.error)) {
        Some((Some(host), None)) => Ok((host, answer.snapshot)),
        Some((_, error)) => Err(failed(error)),
        None => Err(failed(None)),
    }
}

fn failed(error: Option<Refusal>) -> Refusal {
    error.unwrap_or_else(|| Refusal::Unavailable("the host was not written: try again".to_owned()))
}

/// Returns the item that makes the host.
fn item(snapshot: &Snapshot, by: &EnrolmentToken, identity: &MachineIdentity, report: &Report) -> Json {
    let id = Uuid::new_v4();
    let is_taken = |name: &str| snapshot.table(Host::ID).texts().get(&underlay_inventory::fold(name)).is_some();
    let mut names = (0..MAX_NAMES).map(|attempt| made_up(id, attempt));
    let name = names.find(|name| !is_taken(name)).unwrap_or_else(|| made_up(id, MAX_NAMES));

    let ignored = &machine_settings(snapshot).ignored_identities;
    let system = report.sections.system.as_ref().map(|section| &section.found);
    let uuid = system.and_then(|it| ignored.meaning(it.uuid.as_deref()));
    let serial = system.and_then(|it| ignored.meaning(it.serial.as_deref()));
    let mut host = json!({ "name": name, "uid": uuid.or(serial) });
    if let (Some(_), Some(serial)) = (uuid, serial) {
        host["serial"] = serial.into();
    }
    if let Some(mac) = identity.only_mac() {
        host["bootMac"] = mac.into();
    }
    if let Some(class) = by.terms.class {
        host["class"] = json!({ "id": class.to_string() });
    }
    json!({ "host": host })
}
