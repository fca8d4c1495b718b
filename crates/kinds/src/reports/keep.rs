//! Keeps hosts in step with what happens beside them: links the machine of a host when its serial number or UUID
//! becomes known, marks hosts whose orders nobody works on and hosts that are one machine, and deletes the history of
//! deleted hosts.
//!
//! Every process of a server does this. What one has done, the others find done.

use std::collections::BTreeSet;
use std::sync::Arc;
use std::time::Duration;

use chrono::{DateTime, TimeDelta, Utc};
use serde_json::{Value as Json, json};
use underlay_entity::host::Model;
use uuid::Uuid;

use super::allowed::open_order;
use super::leases::{HOST_LEASE_PREFIX, LeasesOf};
use crate::host::{Host, Linked, ROLE, machine_of};
use crate::hosts::{Machines, SHARES_MACHINE};
use underlay_engine::runtime::jittered;
use underlay_engine::sources::Sources;
use underlay_engine::store::StoreError;
use underlay_engine::write::{Author, Batch, Conflicts, Decision, Fields, Intent, Item, Mode, Origin};
use underlay_inventory::{Head, Kind, Refusal, Snapshot, cast};

/// The time between two looks.
const CHECK_INTERVAL: Duration = Duration::from_secs(10);
/// The number of looks between two searches for the history of deleted hosts.
const LOOKS_PER_SEARCH: u32 = 60;
/// The time for which nobody may hold a lease before its hosts count as served by nobody: that of a restart.
const UNSERVED_DELAY: TimeDelta = TimeDelta::seconds(60);
/// The greatest number of hosts in a batch.
const MAX_HOSTS_PER_BATCH: usize = 1_000;
/// The name under which the server writes.
const ACTOR: &str = "underlay";
/// The type of the condition of a host that nobody serves.
const NO_CONTROLLER: &str = "NoController";

/// Keeps hosts in step. Never returns.
pub async fn keep_hosts(sources: Sources) {
    let mut keeper = Keeper { sources, linked_at: None, gone: BTreeSet::new() };
    let mut looks = 0;
    loop {
        tokio::time::sleep(jittered(CHECK_INTERVAL)).await;
        looks = (looks + 1) % LOOKS_PER_SEARCH;
        if let Err(error) = keeper.look(looks == 0).await {
            tracing::warn!("hosts cannot be kept in step now: {error}");
        }
    }
}

struct Keeper {
    sources: Sources,
    /// The snapshot in which machines were looked for last.
    linked_at: Option<Head>,
    /// The deleted objects that had a history at the last search.
    gone: BTreeSet<Uuid>,
}

impl Keeper {
    async fn look(&mut self, forgets: bool) -> Result<(), StoreError> {
        let snapshot = self.sources.current();
        if snapshot.table(Host::ID).is_empty() && !forgets {
            return Ok(());
        }
        if self.linked_at != Some(snapshot.head()) {
            self.linked_at = Some(snapshot.head());
            let found = hosts(&snapshot).filter(|host| device_of(&snapshot, host).is_some());
            let found: Vec<Uuid> = found.map(|host| host.id).collect();
            self.write(&found, |base, hosts| hosts.filter_map(|host| link(base, host)).collect()).await;
            self.mark_shared(&snapshot).await;
        }
        self.mark_unserved(&snapshot).await?;
        if forgets {
            self.forget(&snapshot).await?;
        }
        Ok(())
    }

    /// Marks hosts that are one machine, and takes the mark from those that are not any more.
    async fn mark_shared(&self, snapshot: &Snapshot) {
        let machines = Machines::of(&ROLE, snapshot);
        let wrong = hosts(snapshot).filter(|host| share(&machines, host).is_some());
        let wrong: Vec<Uuid> = wrong.map(|host| host.id).collect();
        let decide: Decide = |base, hosts| {
            let machines = Machines::of(&ROLE, base);
            hosts.filter_map(|host| share(&machines, host)).collect()
        };
        self.write(&wrong, decide).await;
    }

    async fn mark_unserved(&self, snapshot: &Snapshot) -> Result<(), StoreError> {
        let waiting: Vec<&Model> = hosts(snapshot).filter(|host| waits(host) && !is_marked(host)).collect();
        if waiting.is_empty() {
            return Ok(());
        }
        let leases = self.sources.store().leases(HOST_LEASE_PREFIX, u64::MAX).await?;
        let is_served = |until: DateTime<Utc>| until + UNSERVED_DELAY > leases.now;
        let served: BTreeSet<String> =
            leases.leases.into_iter().filter(|lease| is_served(lease.until)).map(|lease| lease.name).collect();
        let is_old = |host: &Model| host.updated_at + UNSERVED_DELAY < leases.now;
        let is_served = |host: &Model| {
            let LeasesOf { general, of_site } = LeasesOf::host(snapshot, host.id)?;
            Some(served.contains(&general) || of_site.is_some_and(|lease| served.contains(&lease)))
        };
        let unserved = waiting.into_iter().filter(|host| is_old(host) && is_served(host) == Some(false));
        let unserved: Vec<Uuid> = unserved.map(|host| host.id).collect();
        self.write(&unserved, |_, hosts| hosts.filter_map(mark).collect()).await;
        Ok(())
    }

    async fn forget(&mut self, snapshot: &Snapshot) -> Result<(), StoreError> {
        let store = self.sources.store();
        let (with_acts, with_boots) = (store.objects_with_acts().await?, store.hosts_with_boots().await?);
        let is_gone = |id: &Uuid| snapshot.find(*id).is_none();
        let gone: BTreeSet<Uuid> = with_acts.into_iter().chain(with_boots).filter(is_gone).collect();
        // An object can be so new that this process has not seen it yet, so it must be missing twice.
        let forgotten: Vec<Uuid> = gone.intersection(&self.gone).copied().collect();
        self.gone = gone;
        store.forget_acts(&forgotten).await?;
        store.forget_boots(&forgotten).await
    }

    /// Writes what is decided for some hosts.
    async fn write(&self, hosts: &[Uuid], decide: Decide) {
        for hosts in hosts.chunks(MAX_HOSTS_PER_BATCH) {
            let batch = Batch {
                id: Uuid::new_v4(),
                items: Vec::new(),
                mode: Mode::PerItem,
                conflicts: Conflicts::Skip,
                author: Author::user(ACTOR),
                origin: Origin::Decision(Arc::new(Keeping { hosts: hosts.to_vec(), decide })),
                request_id: None,
                bytes: hosts.len() * 64,
            };
            if let Err(refusal) = self.sources.write_alone(batch).await {
                tracing::warn!("hosts cannot be kept in step now: {refusal}");
                return;
            }
        }
    }
}

/// Decides on the items of some hosts. A host without an item stays as it is.
type Decide = fn(&Snapshot, &mut dyn Iterator<Item = &Model>) -> Vec<Item>;

/// Hosts for which something is decided, each by itself.
#[derive(Debug)]
struct Keeping {
    hosts: Vec<Uuid>,
    decide: Decide,
}

impl Decision for Keeping {
    fn request(&self) -> &Json {
        // The server does not repeat it.
        &Json::Null
    }

    fn size(&self) -> usize {
        self.hosts.len()
    }

    fn items(&self, base: &Snapshot, _: DateTime<Utc>) -> Result<Vec<Item>, Refusal> {
        let mut hosts = self.hosts.iter().filter_map(|id| base.get::<Host>(*id));
        Ok((self.decide)(base, &mut hosts))
    }
}

/// Links the machine that became known.
fn link(base: &Snapshot, host: &Model) -> Option<Item> {
    let device = device_of(base, host)?;
    Some(item(host.id, [("machine", json!({"device": {"id": device.to_string()}}))]))
}

/// Marks a host that nobody serves.
fn mark(host: &Model) -> Option<Item> {
    let mut conditions = serde_json::to_value(&host.conditions).ok().filter(|_| waits(host) && !is_marked(host))?;
    conditions.as_array_mut()?.push(json!({"type": NO_CONTROLLER, "status": "TRUE", "reason": "NoLease",
        "message": "no controller serves the host: start `underlay run hosts`, or one with its site as `--within`"}));
    Some(item(host.id, [("conditions", conditions)]))
}

/// Marks a host that is the machine of another one, or takes the mark from it; `None` if it is as it should be.
fn share(machines: &Machines<'_>, host: &Model) -> Option<Item> {
    let message = machines.other(host).map(|(other, shared)| {
        let (field, _) = shared.field(host);
        format!(
            "host {} is the same machine, by {field}: neither is claimed or gets orders until one is corrected or deleted",
            other.name
        )
    });
    let own = host.conditions.0.iter().find(|condition| condition.r#type == SHARES_MACHINE);
    if own.map(|own| own.message.as_deref()) == message.as_ref().map(|message| Some(message.as_str())) {
        return None;
    }
    let others = host.conditions.0.iter().filter(|condition| condition.r#type != SHARES_MACHINE);
    let mut conditions: Vec<Json> = others.map(|condition| json!(condition)).collect();
    if let Some(message) = message {
        conditions.push(json!({"type": SHARES_MACHINE, "status": "TRUE", "reason": "SameMachine", "message": message}));
    }
    Some(item(host.id, [("conditions", conditions.into())]))
}

fn item<const N: usize>(host: Uuid, values: [(&'static str, Json); N]) -> Item {
    let mut fields = Fields::default();
    fields.set("id", host.to_string().into());
    for (name, value) in values {
        fields.set(name, value);
    }
    Item::Write { kind: Host::describe(), intent: Intent::Update, fields, if_version: None }
}

fn hosts(snapshot: &Snapshot) -> impl Iterator<Item = &Model> {
    snapshot.table(Host::ID).rows(0).map(|(_, row)| cast::<Model>(row.as_ref()))
}

/// Returns the machine of a host that has none, if its identity leads to one.
fn device_of(snapshot: &Snapshot, host: &Model) -> Option<Uuid> {
    if host.machine.is_some() {
        return None;
    }
    match machine_of(snapshot, host, &[], Host::MACHINE) {
        Linked::One(device) => Some(device),
        Linked::None | Linked::Suggested(_) => None,
    }
}

/// Returns true if a host waits for a controller.
fn waits(host: &Model) -> bool {
    open_order(host).is_some() || host.deleting
}

fn is_marked(host: &Model) -> bool {
    host.conditions.0.iter().any(|condition| condition.r#type == NO_CONTROLLER)
}

#[cfg(test)]
mod tests {
    use serde_json::from_value;
    use underlay_entity::host::HostAct;

    use super::*;

    #[test]
    fn a_host_is_marked_once_while_it_waits_for_a_controller() {
        let blank = (crate::host::DESCRIPTION.blank)();
        let idle = cast::<Model>(blank.as_ref()).clone();
        assert!(mark(&idle).is_none(), "nothing is to be done");
        let mut waiting = idle.clone();
        waiting.wanted = Some(from_value(json!({"act": "DISCOVER"})).expect("an order"));
        waiting.generation = 1;
        assert_eq!(open_order(&waiting), Some(HostAct::Discover));
        let deleting = Model { deleting: true, ..idle };
        for host in [waiting, deleting] {
            let Some(Item::Write { fields, .. }) = mark(&host) else { panic!("it waits") };
            let conditions = fields.get("conditions").cloned().expect("conditions");
            assert_eq!(conditions[0]["type"], NO_CONTROLLER);
            let marked = Model { conditions: from_value(conditions).expect("conditions"), ..host };
            assert!(mark(&marked).is_none(), "it is marked already");
        }
    }
}
