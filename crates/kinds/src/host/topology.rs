//! A host in topology: it stands on its machine, so it has the state of the machine, and a path to it leads to the
//! machine.

use super::kind::Host;
use underlay_topology::role::{Guest, Part, Role};

/// The role of hosts in topology.
pub const TOPOLOGY: Role = Role { part: Part::Guest(Guest { hosts: &[Host::MACHINE] }), ..Role::PLAIN };
