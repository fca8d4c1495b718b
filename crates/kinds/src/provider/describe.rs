//! Describes a provider to the inventory: its fields, key, references and rules.

use std::sync::Arc;

use serde_json::Value as Json;
use underlay_entity::provider::{Model, ProviderType};

use super::node::Provider;
use super::topology::TOPOLOGY;
use crate::common::{TEXT, member, named_list, url, words};
use crate::ids;
use crate::{blank, fields};
use underlay_inventory::{Audience, Description, Echo, Field, Key, Kind, KindId, Shape, Unfit};
use underlay_inventory::{field, searched};

const CONTRACT: Shape = Shape::Structure("an object with contractId, accountId, portalUrl and notes");
const IDENTIFIERS: Shape = Shape::Structure("a list of objects with name and identifier");

const FIELDS: &[Field] = fields![
    field!(6, Model.display_name, "displayName", TEXT),
    field!(7, Model.r#type, "type", Shape::Choice(words::<ProviderType>)).required(),
    field!(8, Model.contract, "contract", CONTRACT).normalised(contract),
    field!(9, Model.service_identifiers, "serviceIdentifiers", IDENTIFIERS).normalised(named_list),
];

/// The description of providers in the registry.
pub static DESCRIPTION: Description = Description {
    id: ids::PROVIDER,
    name: "Provider",
    singular: "provider",
    fields: FIELDS,
    key: Key { parents: &[], family: None, name_member: "provider" },
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
    searched: searched!(Model {
        "displayName" => |provider| &provider.display_name,
    }),
    packed_state: |row| TOPOLOGY.packed_state(row),
};

impl Kind for Provider {
    type Row = Model;
    const ID: KindId = ids::PROVIDER;

    fn describe() -> &'static Description {
        &DESCRIPTION
    }
}

blank!(Model {
    display_name: None,
    r#type: ProviderType::Hosting,
    contract: None,
    service_identifiers: Default::default(),
});

/// Checks that the portal of a contract is an http or https URL.
fn contract(value: Json) -> Result<Json, Unfit> {
    member(value, "portalUrl", url)
}
