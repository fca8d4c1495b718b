//! The objects that use credentials, hosts and appliances, and the writers that hold a credential.
//!
//! Guarantee: a credential stays beside a connection that changed only if whoever changed it holds the credential.
//! Otherwise a synchronizer could have a password sent to an address of its own.

use underlay_entity::common::ExternalRefs;
use underlay_entity::{appliance, credential, host};
use underlay_inventory::{Rewrite, Snapshot};
use uuid::Uuid;

use super::kind::Credential;
use crate::appliance::Appliance;
use crate::host::Host;

/// An object that uses a credential beside an address.
#[derive(Clone, Copy, Debug)]
pub struct User<'a> {
    pub id: Uuid,
    /// The field that refers to the credential.
    pub field: &'static str,
    /// The credential, by its id.
    pub credential: Option<Uuid>,
    pub connection: Connection<'a>,
    external_refs: &'a ExternalRefs,
}

/// What decides who gets the secrets of a credential.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Connection<'a> {
    /// The address, which includes the transport.
    pub address: Option<&'a str>,
    /// True if certificates are not checked.
    pub insecure: bool,
    /// The certificates, in PEM, that are trusted besides the usual ones.
    pub trusted_cas: Option<&'a str>,
}

impl<'a> From<&'a host::Model> for User<'a> {
    fn from(host: &'a host::Model) -> Self {
        Self {
            id: host.id,
            field: "bmcCredential",
            credential: host.bmc_credential_id,
            connection: Connection {
                address: host.bmc_url.as_deref(),
                insecure: host.bmc_insecure,
                trusted_cas: host.bmc_trusted_cas.as_deref(),
            },
            external_refs: &host.external_refs,
        }
    }
}

impl<'a> From<&'a appliance::Model> for User<'a> {
    fn from(appliance: &'a appliance::Model) -> Self {
        Self {
            id: appliance.id,
            field: "credential",
            credential: appliance.credential_id,
            connection: Connection { address: appliance.url.as_deref(), insecure: false, trusted_cas: None },
            external_refs: &appliance.external_refs,
        }
    }
}

impl<'a> User<'a> {
    /// Returns the host or the appliance with an id.
    pub fn find(snapshot: &'a Snapshot, id: Uuid) -> Option<Self> {
        let host = || snapshot.get::<Host>(id).map(Self::from);
        host().or_else(|| snapshot.get::<Appliance>(id).map(Self::from))
    }

    /// Returns the sources that know the object.
    pub fn sources(&self) -> impl Iterator<Item = &'a str> + use<'a> {
        sources(self.external_refs)
    }

    /// Returns true if the reference to the credential, or the connection that it is for, differs from an earlier one.
    pub fn differs(&self, before: &Self) -> bool {
        (self.credential, self.connection) != (before.credential, before.connection)
    }

    /// Returns true if the object loses its credential by a write: by another address, unless the write gives a credential,
    /// and by every change of the connection if the writer does not hold the credential, whether it gives it or not.
    pub fn loses_credential(&self, before: &Self, write: &Rewrite<'_>) -> bool {
        if self.connection == before.connection {
            return false;
        }
        if self.connection.address != before.connection.address && !(write.gives)(self.field) {
            return true;
        }
        // A reference to another credential is judged by the rules, when the whole batch is known.
        self.credential == before.credential && self.credential.is_some_and(|id| !is_held(write, id))
    }
}

/// Returns true if a writer may use a credential: a source uses those that it wrote, and those that name it.
fn is_held(write: &Rewrite<'_>, credential: Uuid) -> bool {
    let Some(source) = write.source else { return true };
    // A credential that is not there yet is of the same batch, so the source wrote it.
    write.snapshot.get::<Credential>(credential).is_none_or(|it| is_of(it, source) || names(it, source))
}

/// Returns true if a source wrote a credential.
pub fn is_of(credential: &credential::Model, source: &str) -> bool {
    sources(&credential.external_refs).any(|own| own == source)
}

/// Returns true if an operator lets a source use a credential.
pub fn names(credential: &credential::Model, source: &str) -> bool {
    credential.sources.0.iter().any(|named| named == source)
}

/// Returns the sources of external references.
pub fn sources(refs: &ExternalRefs) -> impl Iterator<Item = &str> {
    refs.0.iter().map(|it| it.source.as_str())
}
