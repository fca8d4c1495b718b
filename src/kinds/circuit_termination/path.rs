//! A circuit termination in path search: a hop of the lines. A path to a termination leads to the objects that these
//! lines connect.

use underlay_topology::path::{Ends, Role};

/// The role of circuit terminations in path search.
pub const PATH: Role = Role { ends: Ends::OfItsLine, is_risk: false, ..Role::PLAIN };
