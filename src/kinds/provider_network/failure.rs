//! A provider network in impact analysis: it is a way out of the inventory, and is down if its provider is down.

use super::node::ProviderNetwork;
use underlay_topology::impact::{Dependency, Part, Role};

/// The role of provider networks in impact analysis.
pub const FAILURE: Role =
    Role { runs: |_| true, with: &[Dependency::inside(ProviderNetwork::PROVIDER)], part: Part::Outside, missed: true };
