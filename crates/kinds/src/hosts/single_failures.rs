//! Finds the machines, of all hosts, that single failures take, and keeps this ready for claims.
//!
//! The whole infrastructure has to be looked at for it. So the answer is kept with the snapshot, and serves until the
//! infrastructure changes: most claims come while only hosts do. After a change, [`keep_ready`] computes it again, so
//! that the next claim need not.

use std::sync::Arc;
use std::time::Duration;

use tokio::time::{Instant, sleep};
use underlay_inventory::{Dependencies, KindId, ObjectRef, Snapshot, Table};
use underlay_topology::StopFlag;
use underlay_topology::impact::{TakenQuery, taken};

use super::error::OrderError;
use super::role::{HostRole, Spread};
use underlay_engine::feed::CurrentSnapshot;
use underlay_engine::runtime::{compute, jittered};

/// The time between two looks at the infrastructure.
const MIN_CHECK_INTERVAL: Duration = Duration::from_secs(2);
/// The pause after an answer, as a multiple of the time that it took: while the infrastructure changes all the time, a
/// twentieth of a processor is spent at most.
const PAUSE_FACTOR: u32 = 20;

/// The machines, of all hosts, that failures take.
#[derive(Debug)]
pub(super) struct Taken {
    of: TakenState,
    /// The failures, each with the positions of the machines that it takes.
    pub failures: Vec<(ObjectRef, Vec<u32>)>,
}

/// The state of the inventory that an answer follows from.
#[derive(Debug, PartialEq, Eq)]
struct TakenState {
    spread: Spread,
    /// The state of each table of the infrastructure but that of hosts: the number of its objects, and the revision of
    /// its last change. Objects that are created or changed move the revision, and deletes alone lower the number, so
    /// equal states are one state.
    tables: Vec<(usize, i64)>,
    /// The machines of all hosts, in order.
    machines: Vec<ObjectRef>,
}

impl TakenState {
    fn of(role: &HostRole, snapshot: &Snapshot, spread: Spread) -> Self {
        let machine = |slot| snapshot.outgoing(ObjectRef { kind: role.kind, slot }).first_by(role.machine);
        let hosts = snapshot.table(role.kind).rows(0);
        let mut machines: Vec<ObjectRef> = hosts.filter_map(|(slot, _)| machine(slot)).collect();
        machines.sort_unstable();
        machines.dedup();
        let topology = (role.topology)();
        let matters = |kind: KindId| kind != role.kind && topology.is_infrastructure(kind);
        let others = snapshot.registry().kinds().filter(|kind| matters(kind.id)).map(|kind| snapshot.table(kind.id));
        let last = |table: &Table| table.versions_in(..).next_back().map_or(0, |(version, _)| version);
        Self { spread, tables: others.map(|table| (table.len(), last(table))).collect(), machines }
    }
}

impl Taken {
    /// Returns the answer for a snapshot: the one that is kept, or else a new one, which is kept from now on.
    ///
    /// # Errors
    /// Returns an error if the failures cannot be found within the bounds of impact.
    pub fn of_all(
        role: &HostRole,
        snapshot: &Snapshot,
        spread: Spread,
        stop: Option<StopFlag>,
    ) -> Result<Arc<Self>, OrderError> {
        let of = TakenState::of(role, snapshot, spread);
        if let Some(known) = Self::known(role, snapshot).filter(|known| known.of == of) {
            return Ok(known);
        }
        let failures = (role.failures)(snapshot, spread);
        let network = (role.failures)(snapshot, Spread::Switch);
        let members = &of.machines;
        let query = TakenQuery { failures: &failures, network: &network, members, max_steps: None, stop };
        let failures = taken(snapshot, (role.topology)(), query)?;
        let found = Arc::new(Self { of, failures });
        tracing::debug!(
            machines = found.machines(),
            failures = found.failures.len(),
            revision = snapshot.revision(),
            "found what failures take of hosts"
        );
        // It says itself which state it is about, so it depends on no object.
        snapshot.memoize(about(role), Arc::clone(&found), Dependencies::default());
        Ok(found)
    }

    /// Returns the position of a machine in the lists of [`Self::failures`].
    pub fn position(&self, machine: ObjectRef) -> Option<usize> {
        self.of.machines.binary_search(&machine).ok()
    }

    /// Returns the number of machines.
    pub fn machines(&self) -> usize {
        self.of.machines.len()
    }

    /// Returns the answer that is kept, whatever state it is about.
    fn known(role: &HostRole, snapshot: &Snapshot) -> Option<Arc<Self>> {
        snapshot.memo(about(role))
    }
}

/// One answer is kept, as if it were about the first host.
fn about(role: &HostRole) -> ObjectRef {
    ObjectRef { kind: role.kind, slot: 0 }
}

/// Keeps the answer ready for claims, at a lower priority, while there are hosts: for the spread of the last claim, or
/// for all failures before the first one. Never returns.
pub async fn keep_ready(role: HostRole, current: CurrentSnapshot) {
    let mut looked_at = None;
    loop {
        sleep(jittered(MIN_CHECK_INTERVAL)).await;
        let snapshot = current.get();
        let before = looked_at.replace(snapshot.head());
        if before == looked_at || snapshot.table(role.kind).is_empty() {
            continue;
        }
        let begin = Instant::now();
        let ready = move |stop| {
            let spread = Taken::known(&role, &snapshot).map_or(Spread::Failure, |known| known.of.spread);
            Taken::of_all(&role, &snapshot, spread, Some(stop)).map(drop)
        };
        if let Err(error) = compute(ready).await {
            tracing::debug!("claims over failures are not prepared: {error}");
        }
        sleep(begin.elapsed() * PAUSE_FACTOR).await;
    }
}
