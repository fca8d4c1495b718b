//! The GraphQL object of a credential.

use async_graphql::{Context, Result};
use underlay_entity::credential::{CredentialType, Model};

use super::secrets::{CredentialSecret, SecretReadCount, SecretState, reads_of, secrets_of, state_of};
use crate::appliance::Appliance;
use crate::host::Host;
use crate::object;

object! {
    /// A credential: the public part of what a system is opened with. The values of its secrets cannot be read here. Tokens of tenants
    /// see no credentials.
    Credential: Model;

    own {
        /// The form of the secrets.
        r#type: CredentialType = |credential| credential.r#type;
        /// The user name of the account.
        username: Option<&str> = |credential| credential.username.as_deref();
        /// The names, IP addresses and networks of the hosts to which the secrets may be sent. Over plain HTTP they go to
        /// entries that begin with `http://` only. Empty: every host.
        allowed_hosts: &[String] = |credential| &credential.allowed_hosts.0;
        /// The names of the sources whose objects may refer to the credential, if `allowedHosts` names the hosts of their
        /// addresses. A source also refers to the credentials that it wrote itself.
        sources: &[String] = |credential| &credential.sources.0;
    }

    requires {}

    refers {}

    lists {
        /// The appliances that are opened with the credential.
        appliances: Appliance by Appliance::CREDENTIAL;
        /// The hosts whose BMC is opened with the credential.
        hosts: Host by Host::BMC_CREDENTIAL;
    }

    more {
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
}
