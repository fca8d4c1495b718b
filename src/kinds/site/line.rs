//! What a site is to lines: where one ends that leads nowhere else. Such a line is not complete.

use underlay_entity::lifecycle::Status;
use underlay_entity::site::Model;

use crate::inventory::cast;
use crate::topology::line::{Role, Terminus};

/// What a site is to lines.
pub const ROLE: Role =
    Role::Terminus(Terminus { completes: false, active: |row| cast::<Model>(row).status == Status::Active });
