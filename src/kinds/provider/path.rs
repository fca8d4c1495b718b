//! A provider, to paths: a path to it is one to its networks; where it has none, to what its circuits join.

use crate::kinds::circuit::Circuit;
use crate::kinds::provider_network::ProviderNetwork;
use crate::topology::path::{Ends, Role, Toward};

/// What it is to paths.
pub const PATH: Role = Role {
    ends: Ends::FirstOf(&[Toward::From(ProviderNetwork::PROVIDER), Toward::From(Circuit::PROVIDER)]),
    ..Role::PLAIN
};
