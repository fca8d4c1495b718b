//! The version, the times and the managers of an object in the view of a tenant.
//!
//! A row records its last change and the managers of its fields, whether or not a tenant can see them. A tenant must
//! see only the changes and managers of visible data. A view that is updated compares each object with the form that it
//! showed before. A view that is built from scratch has nothing to compare with. It uses the version of a row only if a
//! visible field was set at that version; otherwise it uses the last revision that set something visible. It can
//! therefore show an earlier version than a view that was updated for longer, but never a later one because of hidden
//! data.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

use underlay_entity::common::{Holding, Managers};

use crate::{Audience, Description, Field, Head};
use underlay_entity::row::Row;

/// An object as it was one revision ago.
pub(super) struct Past<'a> {
    /// The row that the tenant saw; the object was shown in full.
    pub projected: &'a Arc<dyn Row>,
    /// The row as it was stored.
    pub whole: &'a dyn Row,
}

/// The manager of a field, and the revision in which the field was set.
type Holder = (i32, i64);

/// Returns true if a view that is built from scratch can show a row unchanged, provided that all its targets are
/// visible.
pub(super) fn is_plain(row: &dyn Row, losable: &[&'static Field]) -> bool {
    let common = row.common();
    let is_revealed = |field: &&Field| match holder(common.managers, field) {
        Some((_, since)) => has_value(field, row) || is_seen_in(common.managers, losable, since),
        None => true,
    };
    let hides_reports = losable.iter().any(|field| field.reported);
    losable.is_empty()
        || !hides_reports && last_set(common.managers) == Some(common.version) && losable.iter().all(is_revealed)
}

/// Returns true if a revision set a field or key that cannot refer to a hidden object.
fn is_seen_in(managers: &Managers, losable: &[&'static Field], revision: i64) -> bool {
    let hidden = losable.iter().fold(0_i64, |bits, field| bits | 1 << field.number);
    let is_seen = |holding: &Holding| holding.fields & !hidden != 0 || !holding.keys.is_empty();
    managers.0.iter().any(|holding| holding.since == revision && is_seen(holding))
}

/// Returns a row that is shown in full, with the version, times and managers for the tenant. Hidden references must
/// already be removed from `projected`. `losable` are the fields that can lose references.
pub(super) fn marked(
    kind: &Description,
    losable: &[&'static Field],
    (whole, projected): (&Arc<dyn Row>, Arc<dyn Row>),
    past: Option<Past<'_>>,
    head: Head,
) -> Arc<dyn Row> {
    let common = whole.common();
    let rows = (whole.as_ref(), projected.as_ref());
    let holders = losable.iter().map(|field| (field.number, projected_holder(field, losable, rows, past.as_ref())));
    let managers = with_holders(common.managers, &holders.collect::<Vec<_>>());
    let (version, updated_at) = match &past {
        Some(past) if is_same(kind, past.projected.as_ref(), projected.as_ref(), &managers) => {
            return Arc::clone(past.projected);
        }
        Some(past) if only_reports_differ(kind, past.projected.as_ref(), projected.as_ref(), &managers) => {
            let shown = past.projected.common();
            (shown.version, shown.updated_at)
        }
        Some(_) => (head.revision, head.at),
        None if losable.is_empty() => (common.version, common.updated_at),
        None => match last_set(&managers) {
            Some(last) if last == common.version => (last, common.updated_at),
            last => (last.unwrap_or_default().max(1), common.created_at),
        },
    };
    let observed = observed(kind, losable, (whole.as_ref(), projected.as_ref()), (past.as_ref(), version), head);
    let is_whole = (version, updated_at, observed) == (common.version, common.updated_at, whole.observed_version());
    if is_whole && managers == *common.managers {
        return projected;
    }
    let mut row = projected.duplicate();
    if let Some(row) = Arc::get_mut(&mut row) {
        if let (Some(column), Some(observed)) = (row.observed_version_mut(), observed) {
            *column = observed;
        }
        let common = row.common_mut();
        (*common.version, *common.updated_at, *common.managers) = (version, updated_at, managers);
    }
    row
}

/// Returns the revision to show as that of the last report. A report that the tenant does not see does not move it.
fn observed(
    kind: &Description,
    losable: &[&'static Field],
    (whole, projected): (&dyn Row, &dyn Row),
    (past, version): (Option<&Past<'_>>, i64),
    head: Head,
) -> Option<i64> {
    let now = whole.observed_version()?;
    let Some(past) = past else {
        // Reports have no managers, so it is unknown which one the tenant saw last.
        let hides_reports = losable.iter().any(|field| field.reported);
        return Some(if hides_reports { now.min(version) } else { now });
    };
    let before = past.projected.as_ref();
    let differs = kind.fields.iter().any(|field| field.reported && !(field.same)(before, projected));
    let is_new = before.common().created_at != projected.common().created_at;
    if differs || is_new { Some(head.revision) } else { before.observed_version() }
}

/// Returns true if a row shows the same as the row that was shown before, but for what controllers report.
fn only_reports_differ(kind: &Description, before: &dyn Row, projected: &dyn Row, managers: &Managers) -> bool {
    kind.fields.iter().all(|field| field.reported || (field.same)(before, projected))
        && before.common().created_at == projected.common().created_at
        && grouped(before.common().managers) == grouped(managers)
}

/// Returns the holder to show for a field that can lose references.
fn projected_holder(
    field: &Field,
    losable: &[&'static Field],
    (whole, projected): (&dyn Row, &dyn Row),
    past: Option<&Past<'_>>,
) -> Option<Holder> {
    if field.audience == Audience::Operators || field.redact.is_some() {
        return None;
    }
    let managers = whole.common().managers;
    let now = || holder(managers, field);
    let Some(past) = past else {
        // The view omits the holder of a field with a hidden part. It also omits the holder of an empty field, where a
        // hidden reference may have been, unless the same revision set something visible.
        let is_revealed = |since| has_value(field, projected) || is_seen_in(managers, losable, since);
        return now().filter(|(_, since)| (field.same)(whole, projected) && is_revealed(*since));
    };
    let before = past.projected.as_ref();
    let is_seen = !(field.same)(before, projected);
    let is_set_again = (field.same)(past.whole, whole)
        && has_value(field, projected)
        && holder(past.whole.common().managers, field) != now();
    match is_seen || is_set_again {
        true => now(),
        false => holder(before.common().managers, field),
    }
}

/// Returns true if a row shows the same as the row that was shown before.
fn is_same(kind: &Description, before: &dyn Row, projected: &dyn Row, managers: &Managers) -> bool {
    kind.fields.iter().all(|field| (field.same)(before, projected))
        && before.common().created_at == projected.common().created_at
        && grouped(before.common().managers) == grouped(managers)
}

/// Returns true if a reference field refers to something.
fn has_value(field: &Field, row: &dyn Row) -> bool {
    field.reference.is_some_and(|reference| reference.first(row).is_some())
}

fn holder(managers: &Managers, field: &Field) -> Option<Holder> {
    let holding = managers.0.iter().find(|holding| holding.fields & (1 << field.number) != 0)?;
    Some((holding.manager, holding.since))
}

/// Returns the last revision that set a value which still has a manager.
fn last_set(managers: &Managers) -> Option<i64> {
    managers.0.iter().map(|holding| holding.since).max()
}

/// Groups the holdings by holder, so that their order does not matter.
fn grouped(managers: &Managers) -> BTreeMap<Holder, (i64, BTreeSet<&str>)> {
    let mut groups: BTreeMap<Holder, (i64, BTreeSet<&str>)> = BTreeMap::new();
    for holding in managers.0.iter() {
        let (fields, keys) = groups.entry((holding.manager, holding.since)).or_default();
        *fields |= holding.fields;
        keys.extend(holding.keys.iter().map(String::as_str));
    }
    groups
}

/// Returns managers with these holders for some fields, by field number. Equal managers are shared, not copied.
fn with_holders(managers: &Managers, holders: &[(u8, Option<Holder>)]) -> Managers {
    let is_held = |number: u8, by: Option<Holder>| {
        let holding = managers.0.iter().find(|holding| holding.fields & (1 << number) != 0);
        holding.map(|holding| (holding.manager, holding.since)) == by
    };
    let other: Vec<_> = holders.iter().filter(|(number, by)| !is_held(*number, *by)).collect();
    if other.is_empty() {
        return managers.clone();
    }
    let mut changed = managers.clone();
    let holdings = changed.holdings_mut();
    for (number, by) in other {
        let bit = 1 << number;
        holdings.iter_mut().for_each(|holding| holding.fields &= !bit);
        let Some((manager, since)) = *by else { continue };
        match holdings.iter_mut().find(|holding| (holding.manager, holding.since) == (manager, since)) {
            Some(holding) => holding.fields |= bit,
            None => holdings.push(Holding { manager, since, fields: bit, keys: Vec::new() }),
        }
    }
    holdings.retain(|holding| holding.fields != 0 || !holding.keys.is_empty());
    changed
}
