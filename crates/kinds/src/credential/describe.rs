//! Describes a credential to the inventory: its fields, key and rules.

use std::sync::Arc;

use serde_json::Value as Json;
use underlay_address::{AllowedHost, NetworkError};
use underlay_entity::credential::{CredentialType, Model};

use super::node::Credential;
use super::rules;
use super::topology::TOPOLOGY;
use crate::bounds::{ListBounds, text, texts};
use crate::common::{TEXT, TEXTS, entries, words};
use crate::ids;
use crate::{blank, fields};
use underlay_engine::write::check_name;
use underlay_inventory::{Audience, Description, Echo, Field, Key, Kind, KindId, Shape, Unfit};
use underlay_inventory::{field, searched};

/// The bounds of the list of allowed hosts. An entry is a name of at most 253 characters, or begins with `http://`.
const ALLOWED_HOSTS: ListBounds = ListBounds { entries: 256, characters: 260 };
/// The bounds of the list of sources.
const SOURCES: ListBounds = ListBounds { entries: 256, characters: 253 };

const FIELDS: &[Field] = fields![
    field!(6, Model.r#type, "type", Shape::Choice(words::<CredentialType>)).required(),
    field!(7, Model.username, "username", TEXT).normalised(|value| text(value, 253)),
    field!(8, Model.allowed_hosts, "allowedHosts", TEXTS).normalised(allowed_hosts),
    field!(9, Model.sources, "sources", TEXTS).normalised(sources).set_by_operators(),
];

/// The description of credentials in the registry.
pub static DESCRIPTION: Description = Description {
    id: ids::CREDENTIAL,
    name: "Credential",
    singular: "credential",
    fields: FIELDS,
    key: Key { parents: &[], family: None, name_member: "credential" },
    blank: || Arc::new(blank()),
    rules: &[rules::users, rules::written_by_sources],
    parts: &[],
    on_loss: None,
    on_write: None,
    unnamed: None,
    unique: &[],
    audience: Audience::Operators,
    echo: Echo::Fields,
    reserves: None,
    protection: None,
    arrival: None,
    searched: searched!(Model {
        "username" => |credential| &credential.username,
    }),
    packed_state: |row| TOPOLOGY.packed_state(row),
};

impl Kind for Credential {
    type Row = Model;
    const ID: KindId = ids::CREDENTIAL;

    fn describe() -> &'static Description {
        &DESCRIPTION
    }
}

blank!(Model {
    r#type: CredentialType::Basic,
    username: None,
    allowed_hosts: Default::default(),
    sources: Default::default(),
});

/// Checks that each entry can be the name of a source.
fn sources(value: Json) -> Result<Json, Unfit> {
    entries(texts(value, SOURCES)?, |entry| match check_name("", entry.as_str()) {
        Ok(()) => Ok(entry),
        Err(_) => Err(Unfit::new("", "must be the name of a source, without a space at either end")),
    })
}

/// Checks that each entry is a name, an IP address or a network, with `http://` before it or not.
fn allowed_hosts(value: Json) -> Result<Json, Unfit> {
    entries(texts(value, ALLOWED_HOSTS)?, |entry| match entry.as_str().unwrap_or_default().parse::<AllowedHost>() {
        Ok(_) => Ok(entry),
        Err(NetworkError::Form(_)) => {
            Err(Unfit::new("", "must be the name of a host, an IP address or a network such as 10.1.0.0/16"))
        }
        Err(NetworkError::Prefix { most, .. }) => {
            Err(Unfit::new("", format!("must have a prefix of 0 to {most} bits")))
        }
    })
}
