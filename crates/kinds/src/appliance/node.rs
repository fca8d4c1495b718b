//! The GraphQL object of an appliance.

use underlay_entity::appliance::{ApplianceType, Model};

use crate::control::{Enlistment, enlistment_of};
use crate::credential::Credential;
use crate::host::Host;
use crate::object;
use crate::rack::Rack;
use crate::site::Site;

object! {
    /// An appliance: a system that lists machines and switches them on and off. Tokens of tenants see no appliances.
    Appliance: Model;

    own {
        /// The way in which a controller talks to the appliance.
        r#type: ApplianceType = |appliance| appliance.r#type;
        /// The address of the appliance. Null only for the type MANUAL.
        url: Option<&str> = |appliance| appliance.url.as_deref();
        /// The pattern of the names of the machines that become hosts. Null: all machines do.
        name_pattern: Option<&str> = |appliance| appliance.name_pattern.as_deref();
        /// The beginning of the names of these hosts.
        prefix: Option<&str> = |appliance| appliance.prefix.as_deref();
        /// The time between two looks at the power of each of its hosts at rest, in seconds.
        interval: i32 = |appliance| appliance.interval_seconds;
    }

    requires {}

    refers {
        /// The credential with which the appliance is opened.
        credential: Credential by Appliance::CREDENTIAL;
        /// The site of the appliance's machines.
        site: Site by Appliance::SITE;
        /// The rack of the appliance's machines.
        rack: Rack by Appliance::RACK;
    }

    lists {
        /// The hosts that the appliance lists.
        hosts: Host by Host::APPLIANCE;
    }

    more {
        /// The last order to make hosts of the machines that the appliance lists. Null if there was none.
        async fn enlistment(&self, context: &async_graphql::Context<'_>) -> async_graphql::Result<Option<Enlistment>> {
            enlistment_of(context, self.0.row.id).await
        }
    }
}
