//! What one tenant sees of the inventory: a value of its own, made from the whole one and kept along with it.
//!
//! - *In full*: its own objects, and shared ones. An object without a tenant is shared, unless it belongs to something
//!   that the tenant does not see in full: to what contains it, to what it stands in (a location, a rack), to what it
//!   requires (of a list one entry that is seen is enough), to the parents in its key (a host, a cluster).
//! - *Reduced* to a name and what that stands in: objects of others that an object of its own refers to, by a field that
//!   holds one reference or by one that is required.
//! - *Not at all*: everything else. References to it are not there either, and a cable whose other side is not seen is
//!   not seen itself, unless it is the tenant's own.
//!
//! Guarantees: what is not seen changes nothing in the value but its revision, neither a version nor a time nor a manager
//! of what is seen (`marks.rs`). A value that was made anew and one that was kept along show the same objects with the
//! same fields. To keep a value along costs in proportion to what changes.

mod error;
mod marks;
mod shown;
mod sight;
mod work;

use std::collections::{HashMap, HashSet};
use std::sync::Arc;

use uuid::Uuid;

pub use error::UnseenError;
use sight::{Sight, Sights};
use work::{AllShown, Result, Shown, Work};

use super::draft::Draft;
use super::edges::Place;
use super::snapshot::Snapshot;
use crate::store::Row;

/// A value is made from its rows alone when more than one object in so many is shown otherwise than it is.
const MOSTLY: usize = 4;
/// About what an object takes in the tables and indexes of a value, in bytes.
const OBJECT: usize = 320;
/// How many objects lie together, so that two values share all of them or none.
const TOGETHER: usize = 16;

/// What a tenant sees, and what that stands on.
#[derive(Clone, Debug)]
pub struct TenantView {
    tenant: Arc<str>,
    seen: Arc<Snapshot>,
    stood_on: StoodOn,
    /// About how many objects are not shared with the value that it was made from: neither is copied as long as it does
    /// not change.
    apart: usize,
}

/// Which objects of others are shown reduced, and because of whom.
#[derive(Clone, Debug, Default)]
struct StoodOn {
    /// How many stand on each.
    count: HashMap<Uuid, u32>,
    /// What each stands on, where that is something of others.
    by: HashMap<Uuid, Vec<Uuid>>,
}

impl TenantView {
    /// What a tenant sees of a value.
    ///
    /// # Errors
    /// When a row cannot be shown: a mistake in the description of its kind.
    pub fn of(whole: &Arc<Snapshot>, tenant: &str) -> Result<Self> {
        let (shown, stood_on) = look(whole, Some(tenant))?;
        let (seen, apart) = value(whole, shown)?;
        Ok(Self { tenant: tenant.into(), seen: seen.into(), stood_on, apart })
    }

    /// Makes the same view from the common one ([`TenantView::common`]) of this value or of an earlier one. Both share the
    /// memory of what is the same in them.
    ///
    /// # Errors
    /// As [`TenantView::of`].
    pub fn beside(whole: &Arc<Snapshot>, tenant: &str, common: &Snapshot) -> Result<Self> {
        let (shown, stood_on) = look(whole, Some(tenant))?;
        let otherwise = otherwise(whole, &shown, common);
        let (seen, apart) = match otherwise.len() * MOSTLY < common.len() {
            true => {
                let apart = otherwise.len() * TOGETHER;
                (changed(common, whole, otherwise)?.0, apart)
            }
            false => value(whole, shown)?,
        };
        Ok(Self { tenant: tenant.into(), seen: seen.into(), stood_on, apart })
    }

    /// Makes the value that all tenants see in common, which is that of a tenant that owns nothing.
    ///
    /// # Errors
    /// As [`TenantView::of`].
    pub fn common(whole: &Arc<Snapshot>) -> Result<Snapshot> {
        let (shown, _) = look(whole, None)?;
        Ok(value(whole, shown)?.0)
    }

    /// What it sees, as a value.
    pub fn seen(&self) -> &Arc<Snapshot> {
        &self.seen
    }

    /// About how many bytes the value takes besides the one that it was made from.
    pub fn about_bytes(&self) -> usize {
        self.apart.min(self.seen.len()) * OBJECT
    }

    /// Goes on to the next value; gives the objects that are other ones than before for the tenant. After an error it is
    /// of no use any more.
    ///
    /// # Errors
    /// As [`TenantView::of`].
    pub fn follow(&mut self, whole: &Arc<Snapshot>, touched: impl Iterator<Item = Uuid>) -> Result<Vec<Uuid>> {
        let mut sights = Sights::of_some(whole, Some(&self.tenant));
        let touched: Vec<Uuid> = touched.collect();
        self.apart = self.apart.saturating_add(touched.len() * TOGETHER);
        let pending = self.concerned(&mut sights, whole, touched);
        let before = Arc::clone(&self.seen);
        let mut work = Work::new(whole, &mut sights, &mut self.stood_on).after(&before);
        pending.into_iter().for_each(|id| work.look_at(id));
        let shown = work.settle()?;
        let (seen, touched) = changed(&self.seen, whole, shown)?;
        self.seen = seen.into();
        Ok(touched)
    }

    /// What was touched, and all that refers to something that comes into sight by that or goes out of it.
    fn concerned(&self, sights: &mut Sights<'_>, whole: &Snapshot, mut pending: Vec<Uuid>) -> HashSet<Uuid> {
        let mut concerned = HashSet::new();
        while let Some(id) = pending.pop() {
            if !concerned.insert(id) {
                continue;
            }
            let Some(place) = whole.find(id) else { continue };
            let was = self.seen.find(id).is_some() && !self.stood_on.count.contains_key(&id);
            if was != (sights.of(place) != Sight::Hidden) {
                let referrers = whole.incoming(place).iter().filter_map(|edge| whole.row(edge.other()));
                pending.extend(referrers.map(|row| row.common().id));
            }
        }
        concerned
    }
}

/// Finds the objects that a tenant is shown otherwise than they are, or not at all, and those that others stand on.
fn look(whole: &Arc<Snapshot>, tenant: Option<&str>) -> Result<(AllShown, StoodOn)> {
    let mut sights = Sights::of_all(whole, tenant);
    let mut stood_on = StoodOn::default();
    let mut work = Work::new(whole, &mut sights, &mut stood_on);
    for kind in whole.registry().kinds() {
        for (slot, row) in whole.table(kind.id).rows(0) {
            if !work.is_shown_as_it_is(Place { kind: kind.id, slot }, row.as_ref()) {
                work.look_at(row.common().id);
            }
        }
    }
    let shown = work.settle()?;
    Ok((shown, stood_on))
}

/// Makes the value in which some objects are shown otherwise than they are. Also gives about how many objects it does not
/// share with the whole.
fn value(whole: &Arc<Snapshot>, shown: AllShown) -> Result<(Snapshot, usize)> {
    match shown.len() * MOSTLY < whole.len() {
        true => {
            let apart = shown.len() * TOGETHER;
            Ok((changed(whole, whole, shown)?.0, apart))
        }
        false => Ok((built(whole, &shown)?, whole.len())),
    }
}

/// Finds the objects that are shown otherwise than another value has them. `shown` are those that are shown otherwise
/// than they are.
fn otherwise(whole: &Snapshot, shown: &AllShown, than: &Snapshot) -> AllShown {
    let mut otherwise = AllShown::new();
    for kind in whole.registry().kinds() {
        for (_, row) in whole.table(kind.id).rows(0) {
            let id = row.common().id;
            let row = match shown.get(&id) {
                None => Some(row),
                Some(shown) => shown.as_ref().map(|(_, row)| row),
            };
            if !is_same(than.row_of(id), row) {
                otherwise.insert(id, row.map(|row| (kind, Arc::clone(row))));
            }
        }
        let there = than.table(kind.id).rows(0).map(|(_, row)| row.common().id);
        otherwise.extend(there.filter(|id| whole.find(*id).is_none()).map(|gone| (gone, None)));
    }
    otherwise
}

fn is_same(there: Option<&Arc<dyn Row>>, row: Option<&Arc<dyn Row>>) -> bool {
    match (there, row) {
        (Some(there), Some(row)) => Arc::ptr_eq(there, row) || there.equals(row.as_ref()),
        (there, row) => there.is_none() && row.is_none(),
    }
}

/// A value with some objects shown otherwise; and these.
fn changed(from: &Snapshot, whole: &Arc<Snapshot>, shown: AllShown) -> Result<(Snapshot, Vec<Uuid>)> {
    let mut draft = Draft::of(from);
    // An id that was free again may have gone to another kind.
    let leaves = |id: &Uuid, shown: &Shown| {
        let there = from.find(*id).map(|place| place.kind);
        there.is_some() && there != shown.as_ref().map(|(kind, _)| kind.id)
    };
    shown.iter().filter(|(id, shown)| leaves(id, shown)).for_each(|(id, _)| drop(draft.remove(*id)));
    let same = |id: &Uuid, row: &Arc<dyn Row>| is_same(draft.value().row_of(*id), Some(row));
    let puts = shown.into_iter().filter_map(|(id, shown)| Some((id, shown?)));
    let puts: Vec<_> = puts.filter(|(id, (_, row))| !same(id, row)).collect();
    for (id, (kind, _)) in &puts {
        draft.reserve(kind.id, *id);
    }
    for (id, (kind, row)) in puts {
        draft.put(kind, row).map_err(|missing| UnseenError::Dangling { kind: kind.name, object: id, missing })?;
    }
    let touched = draft.touched_since(0);
    Ok((draft.finish_part(whole), touched))
}

/// The value with some objects shown otherwise, made from its rows alone.
fn built(whole: &Arc<Snapshot>, shown: &AllShown) -> Result<Snapshot> {
    let rows = whole.registry().kinds().map(|kind| {
        let rows = whole.table(kind.id).rows(0).filter_map(|(_, row)| match shown.get(&row.common().id) {
            None => Some(Arc::clone(row)),
            Some(shown) => shown.as_ref().map(|(_, row)| Arc::clone(row)),
        });
        rows.collect()
    });
    let registry = Arc::clone(whole.registry());
    let value = Snapshot::build(registry, std::iter::empty(), rows.collect(), whole.head())?;
    Ok(Draft::of(&value).finish_part(whole))
}
