//! A provider network, to failure: a way out, and down with its provider.

use super::node::ProviderNetwork;
use crate::topology::impact::{Dependency, Part, Role};

/// What it is to failure.
pub const FAILURE: Role =
    Role { runs: |_| true, with: &[Dependency::inside(ProviderNetwork::PROVIDER)], part: Part::Outside, missed: true };
