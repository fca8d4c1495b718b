//! Which events are asked for, judged on what a record says of its object before and after the change.

use std::collections::HashSet;

use serde::Deserialize;
use underlay_entity::change::{self, Operation};
use underlay_entity::common::Labels;
use uuid::Uuid;

use crate::feed::RecordError;
use crate::read::LabelSelector;

/// What can happen to an object that a filter looks at.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Happening {
    /// It was made.
    Created,
    /// Some of its fields changed.
    Updated,
    /// It was removed.
    Deleted,
    /// It came beneath what is asked for, with something that it stands in.
    Entered,
    /// It went from beneath what is asked for, with something that it stands in.
    Left,
}

impl From<Operation> for Happening {
    fn from(operation: Operation) -> Self {
        match operation {
            Operation::Created => Self::Created,
            Operation::Updated => Self::Updated,
            Operation::Deleted => Self::Deleted,
        }
    }
}

/// Which events are asked for. Everything that is set must fit.
#[derive(Clone, Debug, Default)]
pub struct EventFilter {
    /// Of objects of one of these kinds, by their names.
    pub kinds: Option<HashSet<&'static str>>,
    /// Of one of these objects.
    pub objects: Option<HashSet<Uuid>>,
    /// In the name of one of these sources.
    pub sources: Option<HashSet<String>>,
    /// One of these.
    pub happenings: Option<HashSet<Happening>>,
    /// Of objects that stand anywhere beneath this one, before or after.
    pub within: Option<Uuid>,
    /// Of objects with such labels, before or after.
    pub labels: Option<LabelSelector>,
}

/// What a filter says of a record.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Judged {
    /// Whether the change is asked for.
    pub fits: bool,
    /// Whether the object stands somewhere else now, so that what stands in it may have entered or left. Looked at only
    /// where the filter asks for a place.
    pub moved: bool,
}

/// What a record says of where an object stands, and how it is labelled.
#[derive(Deserialize)]
struct Scope {
    labels: Labels,
    containers: Vec<Uuid>,
}

impl EventFilter {
    /// Judges the record of a change.
    ///
    /// # Errors
    /// When the record cannot be read.
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
        // Left out where it is the same as after.
        let before = read(record.scope_before.as_ref())?;
        let fits = plain && [&before, &after].into_iter().flatten().any(|scope| self.holds(scope));
        let moved = match (&before, &after) {
            (Some(before), Some(after)) => self.within.is_some() && before.containers != after.containers,
            _ => false,
        };
        Ok(Judged { fits, moved })
    }

    /// Whether an object of which nothing changed is asked for, wherever it stands.
    pub(super) fn wants(
        &self,
        kind: &str,
        object: Uuid,
        labels: &Labels,
        source: Option<&str>,
        happening: Happening,
    ) -> bool {
        self.lets_pass(kind, object, source, happening) && self.labels.as_ref().is_none_or(|it| it.fits(labels))
    }

    fn lets_pass(&self, kind: &str, object: Uuid, source: Option<&str>, happening: Happening) -> bool {
        self.kinds.as_ref().is_none_or(|kinds| kinds.contains(kind))
            && self.objects.as_ref().is_none_or(|objects| objects.contains(&object))
            && self.sources.as_ref().is_none_or(|sources| source.is_some_and(|source| sources.contains(source)))
            && self.happenings.as_ref().is_none_or(|happenings| happenings.contains(&happening))
    }

    fn holds(&self, scope: &Scope) -> bool {
        self.within.is_none_or(|place| scope.containers.contains(&place))
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
