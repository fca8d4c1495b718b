//! Decides which events a subscription gets, by the record of an object before and after the change.

use std::collections::HashSet;

use serde::Deserialize;
use underlay_entity::change::{self, Operation};
use underlay_entity::common::Labels;
use uuid::Uuid;

use crate::LabelSelector;
use underlay_engine::feed::RecordError;

/// The type of an event of an object, as a filter names it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum EventType {
    /// The object was created.
    Created,
    /// Some of its fields changed.
    Updated,
    /// The object was deleted.
    Deleted,
    /// The object entered the selected container, together with an object that contains it.
    Entered,
    /// The object left the selected container, together with an object that contains it.
    Left,
}

impl From<Operation> for EventType {
    fn from(operation: Operation) -> Self {
        match operation {
            Operation::Created => Self::Created,
            Operation::Updated => Self::Updated,
            Operation::Deleted => Self::Deleted,
        }
    }
}

/// The filter of a subscription. Every member that is set must match.
#[derive(Clone, Debug, Default)]
pub struct EventFilter {
    /// Selects objects of these kinds, by their names.
    pub kinds: Option<HashSet<&'static str>>,
    /// Selects these objects.
    pub objects: Option<HashSet<Uuid>>,
    /// Selects changes in the name of these sources.
    pub sources: Option<HashSet<String>>,
    /// Selects these events.
    pub event_types: Option<HashSet<EventType>>,
    /// Selects objects that are contained in this one before or after the change, at any depth.
    pub within: Option<Uuid>,
    /// Selects objects with matching labels before or after the change.
    pub labels: Option<LabelSelector>,
}

/// The result of a filter for a record.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Judged {
    /// True if the change matches.
    pub fits: bool,
    /// True if the object moved, so that objects inside it may have entered or left. It is computed only if the filter
    /// selects a container.
    pub moved: bool,
}

/// The containers and the labels of an object, as a record holds them.
#[derive(Deserialize)]
struct Scope {
    labels: Labels,
    containers: Vec<Uuid>,
}

impl EventFilter {
    /// Judges the record of a change.
    ///
    /// # Errors
    /// Returns an error if the record cannot be read.
    pub fn judge(&self, record: &change::Model) -> Result<Judged, RecordError> {
        let (kind, source) = (record.kind.as_str(), record.source.as_deref());
        let plain = self.lets_pass(kind, record.object_id, source, record.operation.into());
        let moves = record.operation == Operation::Updated && record.scope_before.is_some();
        let looks = self.labels.is_some() || self.within.is_some();
        if !looks || (!plain && (self.within.is_none() || !moves)) {
            return Ok(Judged { fits: plain, moved: false });
        }
        let read = |scope: Option<&String>| scope.map(|scope| read(record, scope)).transpose();
        let after = read(record.scope_after.as_ref())?;
        // The state before is left out if it equals the state after.
        let before = read(record.scope_before.as_ref())?;
        let fits = plain && [&before, &after].into_iter().flatten().any(|scope| self.holds(scope));
        let moved = match (&before, &after) {
            (Some(before), Some(after)) => self.within.is_some() && before.containers != after.containers,
            _ => false,
        };
        Ok(Judged { fits, moved })
    }

    /// Returns true if an unchanged object matches, wherever it is.
    pub(super) fn wants(
        &self,
        kind: &str,
        object: Uuid,
        labels: &Labels,
        source: Option<&str>,
        event_type: EventType,
    ) -> bool {
        self.lets_pass(kind, object, source, event_type) && self.labels.as_ref().is_none_or(|it| it.fits(labels))
    }

    fn lets_pass(&self, kind: &str, object: Uuid, source: Option<&str>, event_type: EventType) -> bool {
        self.kinds.as_ref().is_none_or(|kinds| kinds.contains(kind))
            && self.objects.as_ref().is_none_or(|objects| objects.contains(&object))
            && self.sources.as_ref().is_none_or(|sources| source.is_some_and(|source| sources.contains(source)))
            && self.event_types.as_ref().is_none_or(|event_types| event_types.contains(&event_type))
    }

    fn holds(&self, scope: &Scope) -> bool {
        self.within.is_none_or(|object| scope.containers.contains(&object))
            && self.labels.as_ref().is_none_or(|selector| selector.fits(&scope.labels))
    }
}

fn read(record: &change::Model, scope: &str) -> Result<Scope, RecordError> {
    serde_json::from_str(scope).map_err(|error| RecordError::Scope {
        revision: record.revision,
        object: record.object_id,
        what: error.to_string(),
    })
}

#[cfg(test)]
#[path = "filter_tests.rs"]
mod tests;
