//! The filter of a list of changes, and the query of the log that it stands for.

use async_graphql::{Enum, ID, InputObject, Result};
use chrono::{DateTime, Datelike, Utc};
use underlay_entity::change::Operation;
use underlay_inventory::{STORED_YEARS, Snapshot, shorten_text};
use uuid::Uuid;

use super::{AFTER, BEFORE};
use crate::errors::{few, named_kinds, refused, unreadable};
use crate::object_arguments::place_of_changes;
use crate::scalars::Revision;
use underlay_engine::store::{ChangeQuery, ScopeQuery};
use underlay_read::{Bounds, LabelSelector, LogPosition, ReadError};

/// The arguments that bound the revisions of a list.
const FROM_REVISION: &str = "fromRevision";
const TO_REVISION: &str = "toRevision";

/// The order in which changes are listed.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Enum)]
pub enum ChangeOrder {
    /// From the newest to the oldest. The default.
    #[default]
    NewestFirst,
    /// From the oldest to the newest.
    OldestFirst,
}

/// Selects changes. All given members must match.
#[derive(Clone, Debug, Default, InputObject)]
pub struct ChangeFilter {
    /// Only changes of these objects: at most 1,000.
    pub objects: Option<Vec<ID>>,
    /// Only changes of objects of these kinds, such as `Rack`.
    pub kinds: Option<Vec<String>>,
    /// Only changes by these actors: at most 1,000.
    pub actors: Option<Vec<String>>,
    /// Only changes on behalf of these sources: at most 1,000.
    pub sources: Option<Vec<String>>,
    /// Only changes with these operations.
    pub operations: Option<Vec<Operation>>,
    /// Only changes at this revision or later. It must not be before `oldestRevision`, unless no change was ever
    /// dropped, and must be at most the one after the current revision.
    pub from_revision: Option<Revision>,
    /// Only changes at this revision or earlier. It must not be before `oldestRevision`, unless no change was ever
    /// dropped, and must be at most the current revision.
    pub to_revision: Option<Revision>,
    /// Only changes at this time or later. It must not be before the time of `oldestRevision`, unless no change was
    /// ever dropped.
    pub from_time: Option<DateTime<Utc>>,
    /// Only changes at this time or earlier. It must not be before the time of `oldestRevision`, unless no change was
    /// ever dropped.
    pub to_time: Option<DateTime<Utc>>,
    /// Only changes of objects anywhere beneath this object, before or after the change: a region, site, location, rack
    /// or device, by its id or path. Refused for kinds whose objects are in no place by themselves.
    pub within: Option<ID>,
    /// Only changes of objects with matching labels, before or after the change.
    pub labels: Option<LabelSelector>,
    /// Only changes of objects that this tenant owns, before or after the change.
    pub tenant: Option<String>,
}

/// Returns the bounds of the history that a filter and the cursors ask for.
pub(super) fn bounds(filter: &ChangeFilter, after: Option<LogPosition>, before: Option<LogPosition>) -> Bounds {
    let from = filter.from_revision.map(|revision| (FROM_REVISION, revision.0));
    let to = filter.to_revision.map(|revision| (TO_REVISION, revision.0));
    let cursors = [(AFTER, after), (BEFORE, before)];
    let cursors = cursors.into_iter().filter_map(|(argument, cursor)| Some((argument, cursor?.revision)));
    let times = [("fromTime", filter.from_time), ("toTime", filter.to_time)];
    Bounds {
        revisions: [from, to].into_iter().flatten().chain(cursors).collect(),
        times: times.into_iter().filter_map(|(argument, at)| Some((argument, at?))).collect(),
    }
}

/// Parses the ids in the member `objects` of a filter.
pub fn object_ids(ids: &[ID]) -> Result<Vec<Uuid>> {
    few("objects", ids.len())?;
    let id = |id: &ID| {
        let reason = format!("must hold UUIDs, not {:?}", shorten_text(id));
        Uuid::parse_str(id).map_err(|_| unreadable(&ReadError::Argument { argument: "objects", reason }))
    };
    ids.iter().map(id).collect()
}

/// Refuses a text that a database cannot compare with.
fn storable(argument: &'static str, text: &str) -> Result<()> {
    if !text.contains('\0') {
        return Ok(());
    }
    let reason = "must not contain the character NUL".to_owned();
    Err(unreadable(&ReadError::Argument { argument, reason }))
}

/// Builds the query of the change log, bounded by the revision of the request.
pub(super) fn query(snapshot: &Snapshot, filter: ChangeFilter) -> Result<ChangeQuery> {
    let objects = filter.objects.as_deref().map(object_ids).transpose()?;
    let kinds = filter.kinds.as_deref().map(|kinds| named_kinds(snapshot, kinds)).transpose()?.unwrap_or_default();
    let within = filter.within.as_ref().map(|place| place_of_changes(snapshot, place, &kinds));
    few("operations", filter.operations.as_ref().map_or(0, Vec::len))?;
    for (argument, texts) in [("actors", &filter.actors), ("sources", &filter.sources)] {
        few(argument, texts.as_ref().map_or(0, Vec::len))?;
        texts.iter().flatten().try_for_each(|text| storable(argument, text))?;
    }
    filter.tenant.iter().try_for_each(|text| storable("tenant", text))?;
    let scope = ScopeQuery {
        within: within.transpose().map_err(|refusal| refused(&refusal, None, None))?,
        tenant: filter.tenant,
        labels: filter.labels.map(|labels| labels.tests().to_vec()).unwrap_or_default(),
    };
    for (argument, time) in [("fromTime", filter.from_time), ("toTime", filter.to_time)] {
        if let Some(time) = time.filter(|time| !STORED_YEARS.contains(&time.year())) {
            let reason = format!("must be a time from 0001-01-01 to 9999-12-31, not {time}");
            return Err(unreadable(&ReadError::Argument { argument, reason }));
        }
    }
    let newest = snapshot.revision();
    // A client that polls for new changes asks from the revision after the last one it knows.
    let from = filter.from_revision.map(|revision| (FROM_REVISION, revision.0, newest.saturating_add(1)));
    let to = filter.to_revision.map(|revision| (TO_REVISION, revision.0, newest));
    if let Some((argument, revision, _)) = from.into_iter().chain(to).find(|(_, revision, most)| revision > most) {
        return Err(unreadable(&ReadError::Future { argument, revision, newest }));
    }
    Ok(ChangeQuery {
        objects,
        kinds: filter.kinds,
        actors: filter.actors,
        sources: filter.sources,
        operations: filter.operations,
        from_revision: filter.from_revision.map(|revision| revision.0),
        to_revision: Some(filter.to_revision.map_or(newest, |revision| revision.0)),
        from_time: filter.from_time,
        to_time: filter.to_time,
        scope,
        ..ChangeQuery::default()
    })
}
