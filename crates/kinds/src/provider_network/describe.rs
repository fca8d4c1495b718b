//! Describes a provider network to the inventory: its fields, key, references and rules.

use std::sync::Arc;

use underlay_entity::provider_network::Model;
use uuid::Uuid;

use super::node::ProviderNetwork;
use super::topology::TOPOLOGY;
use crate::ids;
use crate::{blank, fields};
use underlay_inventory::reference;
use underlay_inventory::{Audience, Description, Echo, Field, Form, Key, Kind, KindId, ReferenceId};

const FIELDS: &[Field] =
    fields![reference!(6, Model.provider_id, "provider", Form::One, &["Provider"]).required().contained(),];

/// The description of provider networks in the registry.
pub static DESCRIPTION: Description = Description {
    id: ids::PROVIDER_NETWORK,
    name: "ProviderNetwork",
    singular: "providerNetwork",
    fields: FIELDS,
    key: Key { parents: &["provider"], family: None, name_member: "providerNetwork" },
    blank: || Arc::new(blank()),
    rules: &[],
    parts: &[],
    on_loss: None,
    on_write: None,
    unnamed: None,
    unique: &[],
    audience: Audience::Everyone,
    echo: Echo::Values,
    reserves: None,
    protection: None,
    arrival: None,
    searched: &[],
    packed_state: |row| TOPOLOGY.packed_state(row),
};

impl Kind for ProviderNetwork {
    type Row = Model;
    const ID: KindId = ids::PROVIDER_NETWORK;

    fn describe() -> &'static Description {
        &DESCRIPTION
    }
}

impl ProviderNetwork {
    /// The provider that owns the network.
    pub const PROVIDER: ReferenceId = Description::reference(ids::PROVIDER_NETWORK, FIELDS, "provider");
}

blank!(Model { provider_id: Uuid::nil() });
