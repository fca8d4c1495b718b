//! The events of hardware in the API, in pages, the newest first.

use std::sync::Arc;

use async_graphql::{Context, ID, InputObject, Object, Result, SimpleObject};
use chrono::{DateTime, Utc};
use underlay_engine::store::HardwareEventSelection;
use underlay_entity::facts::FactsOrigin;
use underlay_entity::hardware_event::{HardwareChange, HardwarePart, Model};
use uuid::Uuid;

use super::agent::host_id;
use super::facts_of;
use crate::changes::size;
use crate::control::unanswered;
use crate::errors::{few, forbidden, unreadable};
use crate::host::Host;
use crate::request::Request;
use crate::scalars::FreeJson;
use underlay_inventory::Snapshot;
use underlay_read::{PageInfo, ReadError};

/// The name of the list, as refusals have it.
pub(super) const SUBJECT: &str = "events of hardware";

/// A part of a host that changed between two reports.
#[derive(Clone, Debug)]
pub struct HardwareEvent(pub(super) Model);

/// A part of a host that changed between two reports. The same event comes once, whatever is reported again.
#[Object]
impl HardwareEvent {
    /// The position of the event, which clients give back as `after`.
    async fn cursor(&self) -> String {
        cursor(&self.0)
    }

    /// The host. Null if it was deleted since.
    async fn host(&self, context: &Context<'_>) -> Option<Host> {
        let snapshot = Request::of(context).snapshot();
        let object = snapshot.find(self.0.host_id)?;
        snapshot.hold(object).map(Host)
    }

    /// The host from which the part moved. Null for other changes, and if it was deleted since.
    async fn from_host(&self, context: &Context<'_>) -> Option<Host> {
        let snapshot = Request::of(context).snapshot();
        let object = snapshot.find(self.0.from_host_id?)?;
        snapshot.hold(object).map(Host)
    }

    /// The party that reported.
    async fn origin(&self) -> Option<FactsOrigin> {
        FactsOrigin::of(self.0.origin)
    }

    /// The kind of part that changed.
    async fn part(&self) -> HardwarePart {
        self.0.part
    }

    /// What happened to the part.
    async fn change(&self) -> HardwareChange {
        self.0.change
    }

    /// The place of the part, such as a slot or a PCI address.
    async fn place(&self) -> &str {
        &self.0.place
    }

    /// The part before, or its members that changed. Null if there was none.
    async fn before(&self) -> Option<FreeJson> {
        self.0.before.clone().map(FreeJson)
    }

    /// The part after, or its members that changed. Null if there is none.
    async fn after(&self) -> Option<FreeJson> {
        self.0.after.clone().map(FreeJson)
    }

    /// The time of the report, by the clock of the server.
    async fn at(&self) -> DateTime<Utc> {
        self.0.at
    }
}

/// Selects events of hardware. All given members must match.
#[derive(Clone, Debug, Default, InputObject)]
pub struct HardwareEventFilter {
    /// Only events of this host: its id, or a path such as `host/gpu-7`.
    pub host: Option<ID>,
    /// Only events of these kinds of parts.
    pub parts: Option<Vec<HardwarePart>>,
    /// Only these changes.
    pub changes: Option<Vec<HardwareChange>>,
    /// Only events of the part with this serial number, exactly, and of the one that took its place.
    pub serial: Option<String>,
}

impl HardwareEventFilter {
    /// Converts the filter to the form in which events are selected. An empty list selects nothing, so it is refused.
    pub(super) fn read(self, snapshot: &Arc<Snapshot>) -> Result<HardwareEventSelection> {
        let Self { host, parts, changes, serial } = self;
        Ok(HardwareEventSelection {
            host: host.map(|host| host_id(snapshot, "host", &host)).transpose()?,
            parts: listed("parts", parts)?,
            changes: listed("changes", changes)?,
            serial,
        })
    }
}

/// Returns the values of a list that must have some; no values without a list.
fn listed<T>(argument: &'static str, list: Option<Vec<T>>) -> Result<Vec<T>> {
    let Some(list) = list else { return Ok(Vec::new()) };
    few(argument, list.len())?;
    if list.is_empty() {
        let reason = "is empty: name a value, or leave it out".to_owned();
        return Err(unreadable(&ReadError::Argument { argument, reason }));
    }
    Ok(list)
}

/// A page of events of hardware.
#[derive(Clone, Debug, SimpleObject)]
pub struct HardwareEventConnection {
    /// The events of this page, the newest first.
    pub nodes: Vec<HardwareEvent>,
    /// The position of this page in the list.
    pub page_info: PageInfo,
}

/// The root field that lists events of hardware.
#[derive(Debug, Default)]
pub struct HardwareRoots;

/// The root field that lists events of hardware.
#[Object]
impl HardwareRoots {
    /// The events of the hardware of all hosts, the newest first. They are kept as long as changes are.
    async fn hardware_events(
        &self,
        context: &Context<'_>,
        #[graphql(desc = "Selects the events. Defaults to all.")] filter: Option<HardwareEventFilter>,
        #[graphql(desc = "The maximum number of events: 0 to 1000. Defaults to 50.")] first: Option<i32>,
        #[graphql(desc = "Returns only events after this cursor, which are older.")] after: Option<String>,
    ) -> Result<Option<HardwareEventConnection>> {
        let request = Request::of(context);
        request.database_for(SUBJECT).map_err(|it| forbidden(&it))?;
        let selection = filter.unwrap_or_default().read(&request.snapshot())?;
        Box::pin(events_of(context, selection, first, after)).await
    }
}

/// Returns a page of the selected events. Returns `None` for a caller who sees only a part of the inventory.
///
/// # Errors
/// Returns an error if an argument is not valid, or if the database does not answer.
pub async fn events_of(
    context: &Context<'_>,
    selection: HardwareEventSelection,
    first: Option<i32>,
    after: Option<String>,
) -> Result<Option<HardwareEventConnection>> {
    let limit = size(first)?;
    let before = after.as_deref().map(position).transpose()?;
    let request = Request::of(context);
    let snapshot = request.snapshot();
    let (Some(_), Some(facts)) = (request.view.log(), facts_of(&snapshot)) else { return Ok(None) };
    let found = facts.events(&selection, before, limit as u64 + 1).await;
    let mut events = found.map_err(|error| unanswered(&error))?;

    let more = events.len() > limit;
    events.truncate(limit);
    let page_info = PageInfo {
        has_next_page: more,
        has_previous_page: before.is_some(),
        start_cursor: events.first().map(cursor),
        end_cursor: events.last().map(cursor),
    };
    Ok(Some(HardwareEventConnection { nodes: events.into_iter().map(HardwareEvent).collect(), page_info }))
}

/// Returns the events of one host.
pub fn of_host(host: Uuid) -> HardwareEventSelection {
    HardwareEventSelection { host: Some(host), ..HardwareEventSelection::default() }
}

fn cursor(event: &Model) -> String {
    event.id.to_string()
}

pub(super) fn position(cursor: &str) -> Result<i64> {
    let reason = "is no cursor of an event of hardware: take one from pageInfo".to_owned();
    cursor.parse().map_err(|_| unreadable(&ReadError::Argument { argument: "after", reason }))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_cursor_is_the_id_of_an_event() {
        let event = Model {
            id: 4_107,
            host_id: Uuid::from_u128(9),
            origin: 0,
            part: HardwarePart::Disk,
            change: HardwareChange::Added,
            place: String::new(),
            before: None,
            after: None,
            at: DateTime::UNIX_EPOCH,
            from_host_id: None,
            serial: None,
            serial_before: None,
        };
        // Clients give it back to a later version.
        assert_eq!(cursor(&event), "4107");
        assert_eq!(position("4107").ok(), Some(4_107));
        for bad in ["", "x", "4107 ", "NDEwNw"] {
            assert!(position(bad).is_err(), "{bad}");
        }
    }
}
