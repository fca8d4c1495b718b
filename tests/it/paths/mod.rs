//! Paths: asked in process, of inventories that are built through the write path.
//!
//! `random` compares the answers about thousands of small networks (`net`) with those that come from trying everything
//! (`naive`); `memo` with those of a value about which nothing was asked before; `cases` says rule by rule what must
//! come of a picture.

mod cases;
mod memo;
mod naive;
pub mod net;
mod random;

use underlay::kinds;
use underlay_inventory::Snapshot;
use underlay_topology::path::View;

/// What paths are looked for in.
pub fn view(snapshot: &Snapshot) -> View<'_> {
    View { snapshot, roles: kinds::paths(), lines: kinds::lines(), failures: kinds::failures() }
}
