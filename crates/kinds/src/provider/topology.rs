//! A provider in topology: its networks and circuits go down with it. A path to a provider leads to its networks. If it
//! has none, the path leads to the objects that its circuits connect.

use crate::circuit::Circuit;
use crate::provider_network::ProviderNetwork;
use underlay_topology::role::Role;

/// The role of providers in topology.
pub const TOPOLOGY: Role = Role { represented_by: &[ProviderNetwork::PROVIDER, Circuit::PROVIDER], ..Role::PLAIN };
