//! The GraphQL inputs, filters and sort orders of appliances.

use underlay_entity::appliance::{ApplianceType, Model};

use super::node::Appliance;
use crate::credential::{Credential, CredentialFilter, CredentialRef};
use crate::grammar::enum_name;
use crate::host::{Host, HostListFilter};
use crate::rack::{Rack, RackFilter, RackRef};
use crate::site::{Site, SiteFilter, SiteRef};
use crate::{filter, inputs, order};
use underlay_read::enum_filter;
use underlay_read::{IntFilter, TextFilter};

enum_filter!(ApplianceTypeFilter, ApplianceType);

inputs! {
    Appliance as appliance;
    input ApplianceInput;
    patch AppliancePatch;
    payload AppliancePayload;

    reference ApplianceRef {
        /// The name of the appliance.
        appliance: String;
    }

    fixed {}

    fields {
        /// The way in which a controller talks to the appliance. Required to create an appliance.
        r#type: ApplianceType;
        /// The address of the appliance, with a scheme of its type, such as `redfish://10.0.0.7`,
        /// `libvirt+tls://host/system`, `ipmi://10.0.0.7`, `simulated://rack-1` or `exec://NAME`, where NAME is a program
        /// that is configured at the controller. Required unless the type is MANUAL. A write that changes it without a
        /// credential clears the credential.
        url: String;
        /// The credential with which the appliance is opened.
        credential: CredentialRef;
        /// The pattern of the names of the machines that become hosts, with `*` for any text and `?` for one character.
        /// Defaults to all.
        name_pattern: String;
        /// The beginning of the names of these hosts: at most 63 characters.
        prefix: String;
        /// The site of the appliance's machines.
        site: SiteRef;
        /// The rack of the appliance's machines.
        rack: RackRef;
        /// The time between two looks at the power of each of its hosts at rest, in seconds: 10 to 86,400 (one day).
        /// Defaults to 300.
        interval: i32;
    }
}

filter! {
    Appliance: Model;
    filter ApplianceFilter, ApplianceListFilter;

    values {
        r#type: ApplianceTypeFilter = |appliance| Some(appliance.r#type);
        url: TextFilter = |appliance| appliance.url.as_deref();
        name_pattern: TextFilter = |appliance| appliance.name_pattern.as_deref();
        prefix: TextFilter = |appliance| appliance.prefix.as_deref();
        interval: IntFilter = |appliance| Some(i64::from(appliance.interval_seconds));
    }

    references {
        credential: CredentialFilter => Credential, Appliance::CREDENTIAL;
        site: SiteFilter => Site, Appliance::SITE;
        rack: RackFilter => Rack, Appliance::RACK;
    }

    lists {
        hosts: HostListFilter => Host, Host::APPLIANCE;
    }

    more {}
}

order! {
    Appliance: Model;
    order ApplianceOrder, ApplianceOrderBy;

    values {
        Type as "type": "the type" = |appliance| Some(enum_name(appliance.r#type));
        Url as "url": "the URL" = |appliance| appliance.url.as_deref();
    }
}
