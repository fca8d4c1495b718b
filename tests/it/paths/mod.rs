//! Paths: queried in process, on inventories that are built through the write path.
//!
//! `random` compares the answers about thousands of small networks (`net`) with those of trying all paths (`naive`).
//! `memo` compares with a snapshot without memoized facts. `cases` and `shared_risk` have an expected answer for
//! each rule.

mod cases;
mod memo;
mod naive;
pub mod net;
mod random;
mod shared_risk;

use underlay_inventory::Snapshot;
use underlay_topology::path::View;

/// The inventory in which paths are searched.
pub fn view(snapshot: &Snapshot) -> View<'_> {
    View { snapshot, roles: underlay_kinds::topology() }
}
