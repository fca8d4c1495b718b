//! Declares a credential.

use async_graphql::{Context, Result};
use serde_json::Value as Json;
use underlay_address::{AllowedHost, NetworkError};
use underlay_engine::write::check_name;
use underlay_entity::credential::{CredentialType, Model};
use underlay_inventory::{Audience, Echo, Unfit};
use underlay_kind_derive::{kind, resolvers};
use underlay_read::enum_filter;

use super::rules;
use super::secrets::{CredentialSecret, SecretReadCount, SecretState, reads_of, secrets_of, state_of};
use super::topology::TOPOLOGY;
use crate::appliance::{Appliance, ApplianceListFilter};
use crate::bounds::{ListBounds, text, texts};
use crate::common::{TEXTS, entries};
use crate::grammar::enum_name;
use crate::host::{Host, HostListFilter};

enum_filter!(CredentialTypeFilter, CredentialType);

/// The bounds of the list of allowed hosts. An entry is a name of at most 253 characters, or begins with `http://`.
const ALLOWED_HOSTS: ListBounds = ListBounds { entries: 256, characters: 260 };

/// The bounds of the list of sources.
const SOURCES: ListBounds = ListBounds { entries: 256, characters: 253 };

/// A credential: the public part of what a system is opened with. The values of its secrets cannot be read here. Tokens
/// of tenants see no credentials.
#[kind(
    id = CREDENTIAL,
    row = Model,
    reference(credential = "The name of the credential."),
    rules = &[rules::users, rules::written_by_sources],
    audience = Audience::Operators,
    echo = Echo::Fields,
    searched(username),
)]
pub struct Credential {
    /// The form of the secrets.
    #[written = "Required to create a credential."]
    #[field(6, default = CredentialType::Basic, filter, order("the type", |row| Some(enum_name(row.r#type))), required)]
    r#type: CredentialType,

    /// The user name of the account.
    #[input = "The user name: 1 to 253 characters."]
    #[field(7, filter, normalised(|value| text(value, 253)))]
    username: Option<String>,

    /// The names, IP addresses and networks of the hosts to which the secrets may be sent. Over plain HTTP they go to
    /// entries that begin with `http://` only. Empty: every host.
    #[input = "The hosts to which the secrets may be sent: at most 256 names, IP addresses and networks such as \
        10.1.0.0/16. With `http://` before it, an entry also allows plain HTTP, as in `http://10.1.0.0/16`. An empty \
        list allows every host. A write replaces the whole list."]
    #[field(8, shape = TEXTS, normalised(allowed_hosts))]
    allowed_hosts: Vec<String>,

    /// The names of the sources whose objects may refer to the credential, if `allowedHosts` names the hosts of their
    /// addresses. A source also refers to the credentials that it wrote itself.
    #[input = "The sources whose objects may refer to the credential: at most 256 names. Such an object needs an \
        address whose host is in `allowedHosts`. Only operators and administrators set it. A write replaces the whole \
        list."]
    #[field(9, shape = TEXTS, normalised(sources), set_by_operators)]
    sources: Vec<String>,

    /// The appliances that are opened with the credential.
    #[list(Appliance::CREDENTIAL, filter)]
    appliances: Vec<Appliance>,

    /// The hosts whose BMC is opened with the credential.
    #[list(Host::BMC_CREDENTIAL, filter)]
    hosts: Vec<Host>,
}

#[resolvers]
impl Credential {
    /// The state of the secrets: UNREADABLE if the server has no key, or not the one that encrypted one of them.
    async fn secret_state(&self, context: &Context<'_>) -> Result<SecretState> {
        state_of(context, &self.0.row).await
    }

    /// The secrets that a credential of this type has, without their values.
    async fn secrets(&self, context: &Context<'_>) -> Result<Vec<CredentialSecret>> {
        secrets_of(context, &self.0.row).await
    }

    /// The reads of the secrets within the last 24 hours, by caller and hour, the latest first. At most 1,000.
    async fn secret_reads(&self, context: &Context<'_>) -> Result<Vec<SecretReadCount>> {
        reads_of(context, &self.0.row).await
    }
}

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
