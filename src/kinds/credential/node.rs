//! The GraphQL object of a credential.

use underlay_entity::credential::{CredentialType, Model};

use crate::kinds::appliance::Appliance;
use crate::kinds::host::Host;
use crate::object;

object! {
    /// A credential: the public part of what a system is opened with. Its secrets cannot be read here. Tokens of tenants
    /// see no credentials.
    Credential: Model;

    own {
        /// The form of the secrets.
        r#type: CredentialType = |credential| credential.r#type;
        /// The user name.
        username: Option<&str> = |credential| credential.username.as_deref();
        /// The names, IP addresses and networks of the hosts to which the secrets may be sent. Empty: every host.
        allowed_hosts: &[String] = |credential| &credential.allowed_hosts.0;
    }

    requires {}

    refers {}

    lists {
        /// The appliances that are opened with the credential.
        appliances: Appliance by Appliance::CREDENTIAL;
        /// The hosts whose BMC is opened with the credential.
        hosts: Host by Host::BMC_CREDENTIAL;
    }

    more {}
}
