//! The recipient of a secret: the connection that a caller is about to open with it.
//!
//! Guarantee: a caller that names the recipient gets the secret only if the object refers to the credential, and has this
//! connection, in the snapshot of the request. So an address that changed since the caller read it gets no password.

use async_graphql::{ID, InputObject};
use underlay_entity::credential::Model;

use super::rules::refused_address;
use super::user::{Connection, User};
use underlay_inventory::{Refusal, Snapshot, parse_id};

/// The connection that is about to be opened with a secret.
#[derive(Clone, Debug, InputObject)]
pub struct SecretRecipientInput {
    /// The id of the host or of the appliance that refers to the credential.
    pub object: ID,
    /// The address to which the secret is about to be sent, as the object has it. Null if it has none.
    pub url: Option<String>,
    /// True if certificates are not checked. Defaults to false.
    pub insecure: Option<bool>,
    /// The certificates, in PEM, that are trusted besides the usual ones, as the object has them.
    pub trusted_cas: Option<String>,
}

impl SecretRecipientInput {
    /// Checks that the object has this connection and refers to a credential, which is allowed for the address.
    ///
    /// # Errors
    /// Returns an error if the secret must not be sent there.
    pub fn check(&self, snapshot: &Snapshot, credential: &Model) -> Result<(), Refusal> {
        let refused = |member: &str, message: String| {
            Err(Refusal::Incompatible { field: format!("recipient.{member}"), message })
        };
        let id = parse_id("recipient.object", &self.object)?;
        let gone =
            || Refusal::NotFound { field: "recipient.object".to_owned(), what: format!("host or appliance {id}") };
        let user = User::find(snapshot, id).ok_or_else(gone)?;
        if user.credential != Some(credential.id) {
            return refused("object", format!("{id} does not refer to the credential {} any more", credential.name));
        }
        if user.connection != self.connection() {
            let message =
                format!("{id} has another address, or other certificates, than the ones given: read it again");
            return refused("url", message);
        }
        match refused_address(credential, &user) {
            Some(reason) => refused("url", reason),
            None => Ok(()),
        }
    }

    fn connection(&self) -> Connection<'_> {
        Connection {
            address: self.url.as_deref(),
            insecure: self.insecure.unwrap_or_default(),
            trusted_cas: self.trusted_cas.as_deref(),
        }
    }
}
