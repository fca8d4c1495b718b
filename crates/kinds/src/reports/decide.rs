//! Decides what reports write, on the snapshot that the write is planned on.

use chrono::{DateTime, Utc};
use serde_json::{Map, Value as Json, json};
use underlay_entity::host::{HostAct, HostOrderOutcome, HostState, Model};
use uuid::Uuid;

use super::input::{HostChangeInput, HostConditionInput, HostFailureInput, HostStepInput};
use super::leases::LeasesOf;
use super::{allowed, facts, invalid};
use crate::grammar::enum_name;
use crate::host::Host;
use underlay_engine::store::Fence;
use underlay_engine::write::{Cascade, Decision, Intent, Item, Outcome, Status};
use underlay_inventory::{Kind, Refusal, Snapshot};

/// A write that a report requests.
#[derive(Clone, Debug)]
pub struct RequestedWrite {
    /// The id of the host.
    pub host: Uuid,
    /// The name of the lease under which it is reported.
    pub lease: String,
    /// The change that the report requests.
    pub change: RequestedChange,
}

/// The change that a report requests.
#[derive(Clone, Debug)]
pub enum RequestedChange {
    /// The reported fields change.
    Change(Box<HostChangeInput>),
    /// The host is deleted, because everything outside was cleared up.
    Cleared,
}

/// Reports that are written together.
#[derive(Debug)]
pub struct Reporting {
    /// The reports, each about another host.
    pub requested: Vec<RequestedWrite>,
    /// The leases of the hosts.
    pub fences: Vec<Fence>,
    pub is_observe_only: bool,
}

impl Decision for Reporting {
    fn request(&self) -> &Json {
        // A report has no name by which it could be repeated: it is judged by the host as it is.
        &Json::Null
    }

    fn size(&self) -> usize {
        self.requested.len()
    }

    fn items(&self, base: &Snapshot, now: DateTime<Utc>) -> Result<Vec<Item>, Refusal> {
        let item = |requested: &RequestedWrite| {
            self.item(base, now, requested).unwrap_or_else(|refusal| refused(requested.host, refusal))
        };
        Ok(self.requested.iter().map(item).collect())
    }

    fn fences(&self) -> &[Fence] {
        &self.fences
    }
}

impl Reporting {
    fn item(&self, base: &Snapshot, now: DateTime<Utc>, requested: &RequestedWrite) -> Result<Item, Refusal> {
        let id = requested.host;
        let gone = || Refusal::NotFound { field: "host".to_owned(), what: format!("Host {id}") };
        let host = base.get::<Host>(id).ok_or_else(gone)?;
        LeasesOf::host(base, id).ok_or_else(gone)?.check(&requested.lease)?;
        match &requested.change {
            RequestedChange::Change(change) => {
                allowed::check(host, change, self.is_observe_only)?;
                let fields = fields(base, now, host, change);
                Ok(Item::Write {
                    kind: Host::describe(),
                    intent: Intent::Update,
                    fields: fields.into(),
                    if_version: None,
                })
            }
            RequestedChange::Cleared => {
                check_cleared(host)?;
                let object = id.to_string().into();
                Ok(Item::Delete { kind: Some(Host::describe()), object, cascade: Cascade::No, if_version: None })
            }
        }
    }
}

/// Returns the fields of a host after a change, in the form of an item.
fn fields(base: &Snapshot, now: DateTime<Utc>, host: &Model, change: &HostChangeInput) -> Map<String, Json> {
    let found = change.facts.as_ref().map(|facts| facts::found(base, host, facts)).unwrap_or_default();
    let conditions = facts::with_condition(change.conditions.clone(), &found);
    let mut fields = Map::new();
    let mut set = |name: &str, value: Json| drop(fields.insert(name.to_owned(), value));
    set("id", host.id.to_string().into());
    set("state", enum_name(change.state).into());
    set("power", enum_name(change.power).into());
    set("step", change.step.as_ref().map_or(Json::Null, |it| step(now, host, it)));
    set("generationDone", change.generation_done.0.into());
    set("conditions", conditions.iter().map(condition).collect());
    set("failure", change.failure.as_ref().map(failure).unwrap_or_default());
    if change.generation_done.0 != host.generation_done {
        set("lastOrder", ended(now, host, change));
    }
    // What is known of a machine stays, until a person accepts another one.
    let is_known = host.seen_identity.as_ref().is_some_and(|seen| !seen.is_silent());
    if let Some(seen) = change.seen_identity.as_ref().filter(|_| !is_known) {
        set("seenIdentity", json!(seen));
    }
    if is_given_back(host, change.state) {
        set("acquiredFor", Json::Null);
        set("cluster", Json::Null);
    }
    found.fields.into_iter().for_each(|(name, value)| set(name, value));
    fields
}

fn failure(failure: &HostFailureInput) -> Json {
    let mut value = json!({"during": enum_name(failure.during), "reason": failure.reason, "message": failure.message});
    if let Some(step) = &failure.step {
        value["step"] = step.as_str().into();
    }
    if failure.erased {
        value["erased"] = true.into();
    }
    if failure.armed {
        value["armed"] = true.into();
    }
    if let Some(before) = failure.before {
        value["before"] = enum_name(before).into();
    }
    value
}

/// Returns the end of the order that a change ends, now.
fn ended(now: DateTime<Utc>, host: &Model, change: &HostChangeInput) -> Json {
    let Some(wanted) = &host.wanted else { return Json::Null };
    let (outcome, reason, message) = match (&change.ended, &change.failure) {
        (Some(it), _) => (it.outcome, Some(&it.reason), Some(&it.message)),
        // A controller of an older version says it by the state alone.
        (None, Some(it)) => (HostOrderOutcome::Failed, Some(&it.reason), Some(&it.message)),
        (None, None) => (HostOrderOutcome::Done, None, None),
    };
    let mut value =
        json!({"number": host.generation, "act": enum_name(wanted.act), "outcome": enum_name(outcome), "at": now});
    let id = wanted.id.map(|id| id.to_string());
    for (name, text) in [("id", id.as_ref()), ("reason", reason), ("message", message)] {
        if let Some(text) = text {
            value[name] = text.as_str().into();
        }
    }
    value
}

/// Returns a step with the time when it began: now, unless the host has it already.
fn step(now: DateTime<Utc>, host: &Model, step: &HostStepInput) -> Json {
    let since = host
        .step
        .as_ref()
        .filter(|old| (old.attempt, old.of.0, old.name.as_str()) == (step.attempt, step.of.0, step.name.as_str()));
    let since = since.map_or(now, |old| old.since);
    json!({"attempt": step.attempt, "name": step.name, "of": step.of.0, "since": since})
}

/// Checks that a host may be deleted by a controller.
fn check_cleared(host: &Model) -> Result<(), Refusal> {
    let state = enum_name(host.state);
    match host.deleting {
        false => Err(invalid("cleared", "is for hosts that are marked for deletion by deleteHost")),
        true if host.state.is_taken() => Err(invalid("cleared", format!("is not for a host that is {state}"))),
        true if allowed::open_order(host).is_some() => Err(invalid("cleared", "is not for a host with an open order")),
        true => Ok(()),
    }
}

/// Returns true if a host is free again with this state, so that it belongs to nobody.
fn is_given_back(host: &Model, state: HostState) -> bool {
    let is_release = matches!(allowed::open_order(host), Some(HostAct::Release | HostAct::Wipe));
    is_release && state == HostState::Available
}

fn condition(condition: &HostConditionInput) -> Json {
    let mut value =
        json!({"type": condition.r#type, "status": enum_name(condition.status), "reason": condition.reason});
    let texts = [("message", &condition.message), ("messageForTenants", &condition.message_for_tenants)];
    for (name, text) in texts {
        if let Some(text) = text {
            value[name] = text.as_str().into();
        }
    }
    value
}

fn refused(host: Uuid, refusal: Refusal) -> Item {
    let mut outcome = Outcome::of(Status::Failed, Some(Host::describe().name));
    outcome.id = Some(host);
    outcome.error = Some(refusal);
    Item::Refused { outcome: Box::new(outcome), input: Json::Null }
}
