//! Declares an appliance.

use underlay_entity::appliance::{ApplianceType, Model};
use underlay_inventory::{Audience, Shape};
use underlay_kind_derive::{kind, resolvers};
use underlay_read::{IntFilter, enum_filter};

use super::topology::TOPOLOGY;
use super::{rules, write};
use crate::address::{ADDRESS, address};
use crate::bounds::text;
use crate::control::{Enlistment, enlistment_of};
use crate::credential::{Credential, CredentialFilter, CredentialRef, of_appliances};
use crate::grammar::enum_name;
use crate::host::{Host, HostListFilter};
use crate::rack::{Rack, RackFilter, RackRef};
use crate::site::{Site, SiteFilter, SiteRef};

enum_filter!(ApplianceTypeFilter, ApplianceType);

/// The time between two looks, in seconds: from ten seconds to one day.
const INTERVAL: Shape = Shape::Integer { least: 10, most: 24 * 60 * 60 };

/// The default time between two looks, in seconds.
const USUAL_INTERVAL: i32 = 300;

/// The maximum length of the beginning of a name, which leaves room for the rest of the name.
const MAX_PREFIX_CHARACTERS: usize = 63;

/// An appliance: a system that lists machines and switches them on and off. Tokens of tenants see no appliances.
#[kind(
    id = APPLIANCE,
    row = Model,
    reference(appliance = "The name of the appliance."),
    rules = &[rules::url, rules::place, of_appliances],
    on_loss = Some(write::on_loss),
    on_write = Some(write::on_write),
    audience = Audience::Operators,
    searched(url),
)]
pub struct Appliance {
    /// The way in which a controller talks to the appliance.
    #[written = "Required to create an appliance."]
    #[field(6, default = ApplianceType::Manual, filter, order("the type", |row| Some(enum_name(row.r#type))), required)]
    r#type: ApplianceType,

    /// The address of the appliance. Null only for the type MANUAL.
    #[input = "The address of the appliance, with a scheme of its type, such as `redfish://10.0.0.7`, \
        `libvirt+tls://host/system`, `ipmi://10.0.0.7`, `simulated://rack-1` or `exec://NAME`, where NAME is a program \
        that is configured at the controller. Required unless the type is MANUAL. A write that changes it without a \
        credential clears the credential."]
    #[field(7, shape = ADDRESS, filter, order("the URL"), normalised(address))]
    url: Option<String>,

    /// The credential with which the appliance is opened.
    #[reference(8, filter)]
    credential: Option<Credential>,

    /// The pattern of the names of the machines that become hosts. Null: all machines do.
    #[input = "The pattern of the names of the machines that become hosts, with `*` for any text and `?` for one \
        character. Defaults to all."]
    #[field(9, filter, normalised(|value| text(value, 253)))]
    name_pattern: Option<String>,

    /// The beginning of the names of these hosts.
    #[input = "The beginning of the names of these hosts: at most 63 characters."]
    #[field(
        10,
        shape = Shape::Text { longest: MAX_PREFIX_CHARACTERS },
        filter,
        normalised(|value| text(value, MAX_PREFIX_CHARACTERS)),
    )]
    prefix: Option<String>,

    /// The site of the appliance's machines.
    #[reference(11, filter, within)]
    site: Option<Site>,

    /// The rack of the appliance's machines.
    #[reference(12, filter, within)]
    rack: Option<Rack>,

    /// The time between two looks at the power of each of its hosts at rest, in seconds.
    #[input = "The time between two looks at the power of each of its hosts at rest, in seconds: 10 to 86,400 (one \
        day). Defaults to 300."]
    #[field(
        13,
        column = interval_seconds,
        shape = INTERVAL,
        default = USUAL_INTERVAL,
        filter(IntFilter, |row| Some(i64::from(row.interval_seconds))),
    )]
    interval: i32,

    /// The hosts that the appliance lists.
    #[list(Host::APPLIANCE, filter)]
    hosts: Vec<Host>,
}

#[resolvers]
impl Appliance {
    /// The last order to make hosts of the machines that the appliance lists. Null if there was none.
    async fn enlistment(&self, context: &async_graphql::Context<'_>) -> async_graphql::Result<Option<Enlistment>> {
        enlistment_of(context, self.0.row.id).await
    }
}
