//! The version, the times and the managers that a tenant is shown of an object.
//!
//! A row says when it was changed last and who holds its fields, whoever sees them. A tenant is told of the changes that
//! it sees, and of the managers of what it sees. A view that follows compares what it shows with what it showed before. A
//! view that is made anew has nothing to compare with: it believes the version of a row where a field that is shown was
//! set at that version, and else gives the last revision that set something shown. So it can give an earlier version than
//! a view that has followed for longer, and never a later one because of what is hidden.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

use underlay_entity::common::{Holding, Managers};

use crate::inventory::{Description, Field, Head};
use crate::store::Row;

/// An object as it was a revision ago.
pub(super) struct Past<'a> {
    /// The row that was shown, which was shown in full.
    pub shown: &'a Arc<dyn Row>,
    /// The row that there was.
    pub whole: &'a dyn Row,
}

/// The manager of a field and the revision in which it was set.
type Holder = (i32, i64);

/// Whether a row can be shown as it is by a view that is made anew, if nothing that it refers to is hidden.
pub(super) fn is_plain(row: &dyn Row, losable: &[&'static Field]) -> bool {
    let common = row.common();
    let is_told = |field: &&Field| match holder(common.managers, field) {
        Some((_, since)) => has_value(field, row) || is_seen_in(common.managers, losable, since),
        None => true,
    };
    losable.is_empty() || last_set(common.managers) == Some(common.version) && losable.iter().all(is_told)
}

/// Whether a revision set something that no hidden object can be behind.
fn is_seen_in(managers: &Managers, losable: &[&'static Field], revision: i64) -> bool {
    let hidden = losable.iter().fold(0_i64, |bits, field| bits | 1 << field.number);
    let is_seen = |holding: &Holding| holding.fields & !hidden != 0 || !holding.keys.is_empty();
    managers.0.iter().any(|holding| holding.since == revision && is_seen(holding))
}

/// A row that is shown in full, with what is hidden already left out. `losable` are the fields that can lose references.
pub(super) fn marked(
    kind: &Description,
    losable: &[&'static Field],
    (whole, shown): (&Arc<dyn Row>, Arc<dyn Row>),
    past: Option<Past<'_>>,
    head: Head,
) -> Arc<dyn Row> {
    let common = whole.common();
    let rows = (whole.as_ref(), shown.as_ref());
    let holders = losable.iter().map(|field| (field.number, shown_holder(field, losable, rows, past.as_ref())));
    let managers = with_holders(common.managers, &holders.collect::<Vec<_>>());
    let (version, updated_at) = match &past {
        Some(past) if is_same(kind, past.shown.as_ref(), shown.as_ref(), &managers) => {
            return Arc::clone(past.shown);
        }
        Some(_) => (head.revision, head.at),
        None if losable.is_empty() => (common.version, common.updated_at),
        None => match last_set(&managers) {
            Some(last) if last == common.version => (last, common.updated_at),
            last => (last.unwrap_or_default().max(1), common.created_at),
        },
    };
    if (version, updated_at) == (common.version, common.updated_at) && managers == *common.managers {
        return shown;
    }
    let mut row = shown.duplicate();
    if let Some(row) = Arc::get_mut(&mut row) {
        let common = row.common_mut();
        (*common.version, *common.updated_at, *common.managers) = (version, updated_at, managers);
    }
    row
}

/// The holder that is shown of a field that can lose references.
fn shown_holder(
    field: &Field,
    losable: &[&'static Field],
    (whole, shown): (&dyn Row, &dyn Row),
    past: Option<&Past<'_>>,
) -> Option<Holder> {
    let managers = whole.common().managers;
    let now = || holder(managers, field);
    let Some(past) = past else {
        // The holder of what is hidden in part is not told, nor that of an empty field, where something hidden may have
        // been, unless the same revision set something else.
        let is_told = |since| has_value(field, shown) || is_seen_in(managers, losable, since);
        return now().filter(|(_, since)| (field.same)(whole, shown) && is_told(*since));
    };
    let before = past.shown.as_ref();
    let is_seen = !(field.same)(before, shown);
    let is_set_again = (field.same)(past.whole, whole)
        && has_value(field, shown)
        && holder(past.whole.common().managers, field) != now();
    match is_seen || is_set_again {
        true => now(),
        false => holder(before.common().managers, field),
    }
}

/// Whether a row shows the same as one that was shown before.
fn is_same(kind: &Description, before: &dyn Row, shown: &dyn Row, managers: &Managers) -> bool {
    kind.fields.iter().all(|field| (field.same)(before, shown))
        && before.common().created_at == shown.common().created_at
        && grouped(before.common().managers) == grouped(managers)
}

/// Whether a reference field refers to something.
fn has_value(field: &Field, row: &dyn Row) -> bool {
    field.reference.is_some_and(|reference| reference.first(row).is_some())
}

fn holder(managers: &Managers, field: &Field) -> Option<Holder> {
    let holding = managers.0.iter().find(|holding| holding.fields & (1 << field.number) != 0)?;
    Some((holding.manager, holding.since))
}

/// The last revision in which something was set that is still held.
fn last_set(managers: &Managers) -> Option<i64> {
    managers.0.iter().map(|holding| holding.since).max()
}

/// Holdings, whatever their order.
fn grouped(managers: &Managers) -> BTreeMap<Holder, (i64, BTreeSet<&str>)> {
    let mut groups: BTreeMap<Holder, (i64, BTreeSet<&str>)> = BTreeMap::new();
    for holding in managers.0.iter() {
        let (fields, keys) = groups.entry((holding.manager, holding.since)).or_default();
        *fields |= holding.fields;
        keys.extend(holding.keys.iter().map(String::as_str));
    }
    groups
}

/// Managers with these holders of some fields, by the numbers of the fields; the same ones where nothing differs.
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
