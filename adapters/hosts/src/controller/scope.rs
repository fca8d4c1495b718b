//! The hosts that a controller serves.

use underlay_address::fits;

use crate::api::Enlistment;
use crate::host::Host;

/// The hosts that a controller serves. Without restrictions it serves all of them.
///
/// The controllers of a site divide leases of their own. All controllers with the same leases divide them whatever
/// appliances they serve, so a host whose lease is held by a controller that does not serve its appliance waits, with the
/// condition `NoController`.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Scope {
    /// The name of the site of the hosts' machines or appliances.
    pub site: Option<String>,
    /// The pattern of the names of the hosts' appliances, with `*` for any text and `?` for one character.
    pub appliances: Option<String>,
}

impl Scope {
    /// Returns true if the machines of an appliance at the site are served.
    pub fn serves_appliance(&self, appliance: &Enlistment) -> bool {
        self.appliances.as_ref().is_none_or(|pattern| fits(pattern, &appliance.name))
    }

    /// Returns the reason why a host at the site is not served, if it is not.
    pub fn refuses(&self, host: &Host) -> Option<String> {
        self.appliances.as_ref().filter(|pattern| !host.appliance.as_ref().is_some_and(|name| fits(pattern, name))).map(
            |pattern| format!("the controller that holds the lease of the host serves the appliances {pattern} only"),
        )
    }
}
