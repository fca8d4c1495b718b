//! A site on lines: a line that leads nowhere else ends at a site. Such a line is not complete.

use underlay_entity::lifecycle::Status;
use underlay_entity::site::Model;

use underlay_inventory::cast;
use underlay_topology::line::{Role, Terminus};

/// The role of sites on lines.
pub const ROLE: Role =
    Role::Terminus(Terminus { completes: false, active: |row| cast::<Model>(row).status == Status::Active });
