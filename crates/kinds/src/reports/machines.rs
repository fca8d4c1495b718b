//! The machines that an appliance lists.

use async_graphql::InputObject;
use underlay_entity::host::HostPower;

/// A machine that an appliance lists.
#[derive(Clone, Debug, InputObject)]
pub struct EnlistedMachineInput {
    /// The name of the machine there.
    pub name: String,
    /// The address of the machine.
    pub url: String,
    /// The serial number or UUID by which the machine identifies itself.
    pub uid: Option<String>,
    /// The serial number of the machine, if `uid` is a UUID. It becomes the serial number of the host, by which the host is
    /// linked with its device. A serial number that several machines of the call or another host have does not.
    pub serial: Option<String>,
    /// The MAC address that the machine boots from.
    pub boot_mac: Option<String>,
    /// The power that was seen.
    pub power: HostPower,
}

/// Returns an identity in lower case and without spaces at the ends.
pub(super) fn folded(identity: &str) -> String {
    identity.trim().to_lowercase()
}
