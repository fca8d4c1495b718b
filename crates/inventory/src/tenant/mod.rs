//! The view of one tenant: a separate snapshot that is made from the whole one and updated along with it.
//!
//! - *In full*: the tenant's own objects, and shared ones. An object without a tenant is shared, unless it belongs to
//!   something that the tenant does not see in full. An object belongs to its container and to the location or rack
//!   that it stands in. It also belongs to the targets of its required references, and to the parents in its key (a
//!   host, a cluster). Of a required list, one visible entry is enough.
//! - *Reduced* to its name and its surroundings: an object of another tenant that one of the tenant's own objects
//!   refers to, by a field that holds one reference or by a required one.
//! - A kind may say that its objects are for operators alone, or for the tenant of another object (`Audience`). Then
//!   the tenant of an object itself decides nothing.
//! - *Hidden*: everything else. References to hidden objects are removed. A cable with a hidden other side is hidden
//!   too, unless it is the tenant's own.
//!
//! Guarantees: hidden data changes nothing in the view except its revision: no version, time or manager of a visible
//! object (`marks.rs`). A view that is built from scratch and one that was updated show the same objects with the same
//! fields. The cost of an update is proportional to the changes.

mod error;
mod marks;
mod projection;
mod visibility;
mod work;

use std::collections::{HashMap, HashSet};
use std::sync::Arc;

use uuid::Uuid;

use error::Result;
pub use error::UnseenError;
use visibility::{Visibilities, Visibility};
use work::{AllProjected, Projected, Work};

use super::draft::Draft;
use super::edges::ObjectRef;
use super::snapshot::Snapshot;
use underlay_entity::row::Row;

/// A view is built from its rows alone if at least one object in this number differs from the whole.
const REBUILD_DIVISOR: usize = 4;
/// The approximate size of an object in the tables and indexes of a snapshot, in bytes.
const OBJECT_BYTES: usize = 320;
/// The estimated number of objects that two snapshots no longer share after one of them changes.
const UNSHARED_OBJECTS: usize = 16;

/// The view of one tenant, with the reasons for which objects of others are shown in it.
#[derive(Clone, Debug)]
pub struct TenantView {
    tenant: Arc<str>,
    seen: Arc<Snapshot>,
    stood_on: StoodOn,
    /// The approximate number of objects that are not shared with the snapshot from which the view was made. Two
    /// snapshots share an object until it changes.
    apart: usize,
}

/// The objects of others that are shown in reduced form, and the objects that cause this.
#[derive(Clone, Debug, Default)]
struct StoodOn {
    /// The number of shown objects that refer to each reduced object.
    count: HashMap<Uuid, u32>,
    /// For each shown object, the objects of others that it refers to.
    by: HashMap<Uuid, Vec<Uuid>>,
}

impl TenantView {
    /// Makes the view of a tenant from a snapshot.
    ///
    /// # Errors
    /// Returns an error if a row cannot be shown, which is a mistake in the description of its kind.
    pub fn of(whole: &Arc<Snapshot>, tenant: &str) -> Result<Self> {
        let (projected, stood_on) = look(whole, Some(tenant))?;
        let (seen, apart) = snapshot(whole, projected)?;
        Ok(Self { tenant: tenant.into(), seen: seen.into(), stood_on, apart })
    }

    /// Makes the same view on top of the common view ([`TenantView::common`]) of this snapshot or an earlier one. Both
    /// share the memory of equal objects.
    ///
    /// # Errors
    /// Returns an error as [`TenantView::of`] does.
    pub fn beside(whole: &Arc<Snapshot>, tenant: &str, common: &Snapshot) -> Result<Self> {
        let (projected, stood_on) = look(whole, Some(tenant))?;
        let otherwise = otherwise(whole, &projected, common);
        let (seen, apart) = match otherwise.len() * REBUILD_DIVISOR < common.len() {
            true => {
                let apart = otherwise.len() * UNSHARED_OBJECTS;
                (changed(common, whole, otherwise)?.0, apart)
            }
            false => snapshot(whole, projected)?,
        };
        Ok(Self { tenant: tenant.into(), seen: seen.into(), stood_on, apart })
    }

    /// Makes the view that all tenants have in common, which is that of a tenant without objects of its own.
    ///
    /// # Errors
    /// Returns an error as [`TenantView::of`] does.
    pub fn common(whole: &Arc<Snapshot>) -> Result<Snapshot> {
        let (projected, _) = look(whole, None)?;
        Ok(snapshot(whole, projected)?.0)
    }

    /// Returns the view as a snapshot.
    pub fn seen(&self) -> &Arc<Snapshot> {
        &self.seen
    }

    /// Estimates the memory of the view beyond the snapshot from which it was made, in bytes.
    pub fn about_bytes(&self) -> usize {
        self.apart.min(self.seen.len()) * OBJECT_BYTES
    }

    /// Updates the view to the next snapshot. Returns the objects that changed for the tenant. After an error the view
    /// must not be used any more.
    ///
    /// # Errors
    /// Returns an error as [`TenantView::of`] does.
    pub fn replicate(&mut self, whole: &Arc<Snapshot>, touched: impl Iterator<Item = Uuid>) -> Result<Vec<Uuid>> {
        let mut visibilities = Visibilities::of_some(whole, Some(&self.tenant));
        let touched: Vec<Uuid> = touched.collect();
        self.apart = self.apart.saturating_add(touched.len() * UNSHARED_OBJECTS);
        let pending = self.concerned(&mut visibilities, whole, touched);
        let before = Arc::clone(&self.seen);
        let mut work = Work::new(whole, &mut visibilities, &mut self.stood_on).after(&before);
        pending.into_iter().for_each(|id| work.look_at(id));
        let projected = work.settle()?;
        let (seen, touched) = changed(&self.seen, whole, projected)?;
        self.seen = seen.into();
        Ok(touched)
    }

    /// Returns the touched objects, and all objects that refer to an object which becomes visible or hidden by the
    /// change, or whose tenant decides about them.
    fn concerned(
        &self,
        visibilities: &mut Visibilities<'_>,
        whole: &Snapshot,
        mut pending: Vec<Uuid>,
    ) -> HashSet<Uuid> {
        let mut concerned = HashSet::new();
        while let Some(id) = pending.pop() {
            if !concerned.insert(id) {
                continue;
            }
            let Some(object) = whole.find(id) else { continue };
            let was = self.seen.find(id).is_some() && !self.stood_on.count.contains_key(&id);
            let appears_or_goes = was != (visibilities.of(object) != Visibility::Hidden);
            let edges = whole.incoming(object).iter();
            let edges = edges.filter(|edge| appears_or_goes || visibilities.is_for_tenant_of(edge.reference()));
            let referrers: Vec<Uuid> = edges.filter_map(|edge| Some(whole.row(edge.other())?.common().id)).collect();
            pending.extend(referrers);
        }
        concerned
    }
}

/// Finds the objects that the tenant does not see as they are stored, and the objects of others that must be shown for
/// them.
fn look(whole: &Arc<Snapshot>, tenant: Option<&str>) -> Result<(AllProjected, StoodOn)> {
    let mut visibilities = Visibilities::of_all(whole, tenant);
    let mut stood_on = StoodOn::default();
    let mut work = Work::new(whole, &mut visibilities, &mut stood_on);
    for kind in whole.registry().kinds() {
        for (slot, row) in whole.table(kind.id).rows(0) {
            if !work.is_projected_as_it_is(ObjectRef { kind: kind.id, slot }, row.as_ref()) {
                work.look_at(row.common().id);
            }
        }
    }
    let projected = work.settle()?;
    Ok((projected, stood_on))
}

/// Makes the snapshot in which the objects of `projected` are replaced. Also estimates the number of objects that it
/// does not share with the whole.
fn snapshot(whole: &Arc<Snapshot>, projected: AllProjected) -> Result<(Snapshot, usize)> {
    match projected.len() * REBUILD_DIVISOR < whole.len() {
        true => {
            let apart = projected.len() * UNSHARED_OBJECTS;
            Ok((changed(whole, whole, projected)?.0, apart))
        }
        false => Ok((built(whole, &projected)?, whole.len())),
    }
}

/// Finds the objects whose form in the view differs from another snapshot. `projected` are the objects that the tenant
/// does not see as they are stored.
fn otherwise(whole: &Snapshot, projected: &AllProjected, than: &Snapshot) -> AllProjected {
    let mut otherwise = AllProjected::new();
    for kind in whole.registry().kinds() {
        for (_, row) in whole.table(kind.id).rows(0) {
            let id = row.common().id;
            let row = match projected.get(&id) {
                None => Some(row),
                Some(projected) => projected.as_ref().map(|(_, row)| row),
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

/// Returns a snapshot with some objects replaced or removed, and the ids of these objects.
fn changed(from: &Snapshot, whole: &Arc<Snapshot>, projected: AllProjected) -> Result<(Snapshot, Vec<Uuid>)> {
    let mut draft = Draft::of(from);
    // An id that became free may be used by an object of another kind.
    let leaves = |id: &Uuid, projected: &Projected| {
        let there = from.find(*id).map(|object| object.kind);
        there.is_some() && there != projected.as_ref().map(|(kind, _)| kind.id)
    };
    projected.iter().filter(|(id, projected)| leaves(id, projected)).for_each(|(id, _)| drop(draft.remove(*id)));
    let same = |id: &Uuid, row: &Arc<dyn Row>| is_same(draft.snapshot().row_of(*id), Some(row));
    let puts = projected.into_iter().filter_map(|(id, projected)| Some((id, projected?)));
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

/// Builds the snapshot in which some objects are replaced or removed from its rows alone.
fn built(whole: &Arc<Snapshot>, projected: &AllProjected) -> Result<Snapshot> {
    let rows = whole.registry().kinds().map(|kind| {
        let rows = whole.table(kind.id).rows(0).filter_map(|(_, row)| match projected.get(&row.common().id) {
            None => Some(Arc::clone(row)),
            Some(projected) => projected.as_ref().map(|(_, row)| Arc::clone(row)),
        });
        rows.collect()
    });
    let registry = Arc::clone(whole.registry());
    let snapshot = Snapshot::build(registry, std::iter::empty(), rows.collect(), whole.head())?;
    Ok(Draft::of(&snapshot).finish_part(whole))
}
