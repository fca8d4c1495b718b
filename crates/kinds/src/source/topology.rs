//! A source in topology: it is no part of the infrastructure, so it never goes down and no path leads to it.

use underlay_topology::role::{Reported, Role, Status};

/// The role of sources in topology.
pub const TOPOLOGY: Role = Role { status: |_| Status::Off, reported: Reported::Never, ..Role::PLAIN };
