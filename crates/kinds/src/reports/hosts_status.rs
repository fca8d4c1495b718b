//! The state of the server that controllers depend on, and what contradicts the inventory.

use std::sync::Arc;

use async_graphql::{ComplexObject, Context, Enum, ID, Object, Result, SimpleObject};
use chrono::{DateTime, Utc};
use underlay_entity::host::{HostPower, HostState, Model};
use underlay_entity::observe_only;

use super::allowed::open_order;
use crate::control::unanswered;
use crate::errors::{forbidden, refused};
use crate::grammar::enum_name;
use crate::host::Host;
use crate::hosts::{SHARES_MACHINE, machine_settings, touches};
use crate::request::Request;
use crate::scalars::Revision;
use crate::subscription::ChangeCursor;
use underlay_engine::feed::Cursor;
use underlay_engine::store::{Standing, Store};
use underlay_inventory::{Kind, ObjectRef, Snapshot, cast};

/// The maximum number of contradictions in an answer.
const MAX_CONTRADICTIONS: i32 = 1_000;

/// The state of the server that controllers of hosts depend on.
#[derive(Clone, Debug, SimpleObject)]
#[graphql(complex)]
pub struct HostsStatus {
    /// The id of the history of the database. A restored database has another one.
    pub history: ID,
    /// The position in the change log, after the revision that the request reads.
    pub position: ChangeCursor,
    /// The number of this revision.
    pub revision: Revision,
    /// The reason why controllers may only observe. Null: they may act.
    pub observe_only: Option<ObserveOnly>,
    /// The time of the database.
    pub now: DateTime<Utc>,
    #[graphql(skip)]
    snapshot: Arc<Snapshot>,
}

#[ComplexObject]
impl HostsStatus {
    /// True if a host belongs to somebody: it is ACQUIRED or later in its life, or failed there.
    async fn has_taken_hosts(&self) -> bool {
        hosts(&self.snapshot).any(|(_, host)| is_taken(host))
    }

    /// The UUIDs, serial numbers and MAC addresses that identify no machine, as this server is configured. Controllers compare
    /// them with nothing.
    async fn ignored_identities(&self) -> &[String] {
        machine_settings(&self.snapshot).ignored_identities.texts()
    }

    /// How a position that a controller knows stands to this server and to the change log of the database. A controller
    /// that knows more than the database has met one that was rolled back.
    async fn standing(
        &self,
        context: &Context<'_>,
        #[graphql(desc = "The newest position that the controller knows.")] of: ChangeCursor,
    ) -> Result<PositionStanding> {
        let ChangeCursor(Cursor { revision, batch_id, .. }) = of;
        if revision > self.snapshot.revision() {
            return Ok(PositionStanding::Missing);
        }
        let store = Request::of(context).database_for("the status of hosts").map_err(|it| forbidden(&it))?;
        let standing = Box::pin(store.standing(revision, batch_id)).await.map_err(|it| unanswered(&it))?;
        Ok(standing.into())
    }

    /// The hosts of which what was seen contradicts the inventory, and those with open orders, which go on when controllers
    /// may act.
    async fn contradictions(
        &self,
        #[graphql(desc = "The maximum number of hosts: 0 to 1000. Defaults to 1000.")] first: Option<i32>,
    ) -> Result<Vec<HostContradiction>> {
        let first = first.unwrap_or(MAX_CONTRADICTIONS);
        let most = usize::try_from(first).ok().filter(|_| first <= MAX_CONTRADICTIONS);
        let reason = || super::invalid("first", format!("must be from 0 to {MAX_CONTRADICTIONS}, not {first}"));
        let most = most.ok_or_else(|| refused(&reason(), None, None))?;
        Ok(contradictions(&self.snapshot, most))
    }
}

/// The way in which a position stands to a server and to the change log of its database.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Enum)]
pub enum PositionStanding {
    /// The server has the revision of the position, and the same batch made it. The number of a revision alone has no
    /// batch that could differ.
    Held,
    /// The server does not have the revision. A replica can be behind; otherwise the database was rolled back.
    Missing,
    /// Another batch made the revision: the database was rolled back, and went on from there.
    Replaced,
    /// The retention has dropped the revision from the change log, so its batch is not known any more.
    Pruned,
}

impl From<Standing> for PositionStanding {
    fn from(it: Standing) -> Self {
        match it {
            Standing::Held => Self::Held,
            Standing::Missing => Self::Missing,
            Standing::Replaced => Self::Replaced,
            Standing::Pruned => Self::Pruned,
        }
    }
}

/// The reason why controllers may only observe.
#[derive(Clone, Debug, SimpleObject)]
pub struct ObserveOnly {
    /// The reason, as a sentence.
    pub reason: String,
    /// The user or controller that set it.
    pub by: String,
    /// The time since which it is so.
    pub since: DateTime<Utc>,
}

impl From<observe_only::Model> for ObserveOnly {
    fn from(it: observe_only::Model) -> Self {
        Self { reason: it.reason, by: it.by, since: it.since }
    }
}

/// A host of which what was seen contradicts the inventory, or that has an open order.
#[derive(Clone, Debug, SimpleObject)]
pub struct HostContradiction {
    /// The host that needs attention.
    pub host: Host,
    /// A sentence that says what was seen.
    pub message: String,
}

/// The root field that controllers read.
#[derive(Debug, Default)]
pub struct HostsStatusRoots;

/// The root field that controllers read.
#[Object]
impl HostsStatusRoots {
    /// The state of the server that controllers of hosts depend on.
    async fn hosts_status(&self, context: &Context<'_>) -> Result<Option<HostsStatus>> {
        let request = Request::of(context);
        let store = request.database_for("the status of hosts").map_err(|it| forbidden(&it))?;
        let now = store.clock().now();
        Box::pin(HostsStatus::read(store, request.snapshot(), now)).await.map(Some)
    }
}

impl HostsStatus {
    /// Reads the status of hosts at a snapshot. Whether controllers may act is what the database says now.
    pub(super) async fn read(store: &Store, snapshot: Arc<Snapshot>, now: DateTime<Utc>) -> Result<Self> {
        let history = store.history().await.map_err(|it| unanswered(&it))?;
        let observe_only = store.observe_only().await.map_err(|it| unanswered(&it))?;
        Ok(Self {
            history: history.into(),
            position: ChangeCursor(Cursor::end_of(snapshot.head())),
            revision: Revision(snapshot.revision()),
            observe_only: observe_only.map(Into::into),
            now,
            snapshot,
        })
    }
}

/// Returns the hosts of which what was seen contradicts the inventory, and those with open orders, at most `most`.
pub fn contradictions(snapshot: &Arc<Snapshot>, most: usize) -> Vec<HostContradiction> {
    let wrong = hosts(snapshot).filter_map(|(object, host)| Some((object, contradiction(host)?)));
    let wrong =
        wrong.filter_map(|(object, message)| Some(HostContradiction { host: Host(snapshot.hold(object)?), message }));
    wrong.take(most).collect()
}

fn hosts(snapshot: &Snapshot) -> impl Iterator<Item = (ObjectRef, &Model)> {
    let rows = snapshot.table(Host::ID).rows(0);
    rows.map(|(slot, row)| (ObjectRef { kind: Host::ID, slot }, cast::<Model>(row.as_ref())))
}

fn is_taken(host: &Model) -> bool {
    let during = host.failure.as_ref().map(|failure| failure.during);
    host.state.is_taken() || host.state == HostState::Failed && during.is_some_and(HostState::is_taken)
}

/// Returns what contradicts the inventory about a host, as a sentence.
fn contradiction(host: &Model) -> Option<String> {
    let state = enum_name(host.state);
    if let Some(shared) = host.conditions.0.iter().find(|condition| condition.r#type == SHARES_MACHINE) {
        let message = shared.message.as_deref().unwrap_or("another host is the same machine");
        return Some(format!("is {state}, and {message}"));
    }
    if let Some(act) = open_order(host) {
        let act = enum_name(act);
        return Some(match &host.step {
            Some(step) if touches(host.state, &step.name) => format!(
                "is {state}, and its order to {act} is at the step {}: that is followed to its end, and nothing more begins",
                step.name
            ),
            _ => format!("is {state}, and its order to {act} ends without an act: order again"),
        });
    }
    let seen = match (host.state, host.power) {
        (HostState::Installed, HostPower::Off) => "was seen off: it may have been released or never installed",
        (HostState::Acquired, HostPower::On) => "was seen on: a system may be installed",
        (HostState::Available, HostPower::On) => "was seen on: it may be in use",
        (_, HostPower::Unknown) if is_taken(host) => "is in use, but its power was never seen",
        _ => return None,
    };
    Some(format!("is {state} and {seen}"))
}

#[cfg(test)]
mod tests {
    use serde_json::{from_value, json};

    use super::*;

    #[test]
    fn an_observation_contradicts_the_inventory_or_not() {
        use HostPower::{Off, On, Unknown};
        use HostState::{Acquired, Available, Failed, Installed, Registered};
        let blank = (crate::host::DESCRIPTION.blank)();
        for (state, power, order, expected) in [
            (Installed, On, None, None),
            (Installed, Off, None, Some("seen off")),
            (Installed, Unknown, None, Some("its power was never seen")),
            (Acquired, Off, None, None),
            (Acquired, On, None, Some("may be installed")),
            (Available, Off, None, None),
            (Available, On, None, Some("it may be in use")),
            (Available, Unknown, None, None),
            (Registered, On, None, None),
            (Failed, On, None, None),
            (Available, Off, Some("DISCOVER"), Some("its order to DISCOVER ends")),
        ] {
            let mut host = cast::<Model>(blank.as_ref()).clone();
            (host.state, host.power) = (state, power);
            if let Some(act) = order {
                host.wanted = Some(from_value(json!({ "act": act })).expect("an order"));
                host.generation = 1;
            }
            let found = contradiction(&host);
            let fits = found.as_deref().is_some_and(|found| expected.is_some_and(|it| found.contains(it)));
            assert!(fits || found.is_none() && expected.is_none(), "{state:?} {power:?}: {found:?}");
        }
    }
}
