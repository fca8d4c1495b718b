//! A provider in path search: a path to a provider leads to its networks. If it has none, the path leads to the objects
//! that its circuits connect.

use crate::kinds::circuit::Circuit;
use crate::kinds::provider_network::ProviderNetwork;
use underlay_topology::path::{Ends, Role, Toward};

/// The role of providers in path search.
pub const PATH: Role = Role {
    ends: Ends::FirstOf(&[Toward::From(ProviderNetwork::PROVIDER), Toward::From(Circuit::PROVIDER)]),
    ..Role::PLAIN
};
