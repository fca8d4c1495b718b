//! The filter of the subscription `changes`.

use std::collections::HashSet;

use async_graphql::{ID, InputObject, Result};
use uuid::Uuid;

use super::argument;
use super::event::ChangeEventType;
use crate::errors::{few, named_kinds, refused};
use crate::object_arguments::place_of_changes;
use underlay_inventory::{Snapshot, shorten_text};
use underlay_read::{EventFilter, EventType, LabelSelector};

/// The maximum number of ids in a filter.
const MAX_IDS: usize = 10_000;

/// Selects events. All given members must match.
#[derive(Clone, Debug, Default, InputObject)]
pub struct ChangeEventFilter {
    /// Only events of objects of these kinds, such as `Rack`.
    pub kinds: Option<Vec<String>>,
    /// Only events of these objects: at most 10,000 ids.
    pub ids: Option<Vec<ID>>,
    /// Only changes on behalf of these sources: at most 1,000.
    pub sources: Option<Vec<String>>,
    /// Only events of these types. PROGRESS is always sent.
    pub operations: Option<Vec<ChangeEventType>>,
    /// Only events of objects anywhere beneath this object, before or after the change: a region, site, location, rack
    /// or device, by its id, or by its path when the subscription begins. Refused for kinds whose objects are in no
    /// place by themselves.
    pub within: Option<ID>,
    /// Only events of objects with matching labels, before or after the change.
    pub labels: Option<LabelSelector>,
}

impl ChangeEventFilter {
    /// Converts the filter to the form in which events are matched.
    pub(super) fn read(self, snapshot: &Snapshot) -> Result<EventFilter> {
        few("sources", self.sources.as_ref().map_or(0, Vec::len))?;
        let kinds = self.kinds.as_deref().map(|names| named_kinds(snapshot, names)).transpose()?;
        let ids = self.ids.as_deref().map(|ids| {
            if ids.len() > MAX_IDS {
                return Err(argument("ids", format!("has {} entries; at most {MAX_IDS} are allowed", ids.len())));
            }
            ids.iter().map(|id| read_id("ids", id)).collect::<Result<HashSet<_>>>()
        });
        let event_types = self.operations.map(|types| types.into_iter().filter_map(event_type).collect());
        let of = kinds.as_deref().unwrap_or_default();
        let within = self.within.map(|place| place_of_changes(snapshot, &place, of));
        Ok(EventFilter {
            kinds: kinds.map(|kinds| kinds.into_iter().map(|kind| kind.name).collect()),
            objects: ids.transpose()?,
            sources: self.sources.map(|sources| sources.into_iter().collect()),
            event_types,
            within: within.transpose().map_err(|refusal| refused(&refusal, None, None))?,
            labels: self.labels,
        })
    }
}

fn read_id(name: &'static str, id: &ID) -> Result<Uuid> {
    Uuid::parse_str(id).map_err(|_| argument(name, format!("must be a UUID, not {:?}", shorten_text(id))))
}

fn event_type(event: ChangeEventType) -> Option<EventType> {
    match event {
        ChangeEventType::Created => Some(EventType::Created),
        ChangeEventType::Updated => Some(EventType::Updated),
        ChangeEventType::Deleted => Some(EventType::Deleted),
        ChangeEventType::Entered => Some(EventType::Entered),
        ChangeEventType::Left => Some(EventType::Left),
        ChangeEventType::Progress => None,
    }
}
