//! The GraphQL inputs, filters and sort orders of credentials.

use underlay_entity::credential::{CredentialType, Model};

use crate::appliance::{Appliance, ApplianceListFilter};
use crate::grammar::enum_name;
use crate::host::{Host, HostListFilter};
use crate::{filter, inputs, order};
use underlay_read::TextFilter;
use underlay_read::enum_filter;

enum_filter!(CredentialTypeFilter, CredentialType);

inputs! {
    Credential as credential;
    input CredentialInput;
    patch CredentialPatch;
    payload CredentialPayload;

    reference CredentialRef {
        /// The name of the credential.
        credential: String;
    }

    fixed {}

    fields {
        /// The form of the secrets. Required to create a credential.
        r#type: CredentialType;
        /// The user name: 1 to 253 characters.
        username: String;
        /// The hosts to which the secrets may be sent: at most 256 names, IP addresses and networks such as 10.1.0.0/16. With
        /// `http://` before it, an entry also allows plain HTTP, as in `http://10.1.0.0/16`. An empty list allows every host. A
        /// write replaces the whole list.
        allowed_hosts: Vec<String>;
        /// The sources whose objects may refer to the credential: at most 256 names. Such an object needs an address whose host
        /// is in `allowedHosts`. Only operators and administrators set it. A write replaces the whole list.
        sources: Vec<String>;
    }
}

filter! {
    Credential: Model;
    filter CredentialFilter, CredentialListFilter;

    values {
        r#type: CredentialTypeFilter = |credential| Some(credential.r#type);
        username: TextFilter = |credential| credential.username.as_deref();
    }

    references {}

    lists {
        appliances: ApplianceListFilter => Appliance, Appliance::CREDENTIAL;
        hosts: HostListFilter => Host, Host::BMC_CREDENTIAL;
    }

    more {}
}

order! {
    Credential: Model;
    order CredentialOrder, CredentialOrderBy;

    values {
        Type as "type": "the type" = |credential| Some(enum_name(credential.r#type));
    }
}
