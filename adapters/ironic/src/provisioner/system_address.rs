//! The address of a machine: its BMC and the path of the system there, so that the address of a host and that of a node can
//! be compared, and the address that a node has in the inventory.

use underlay_address::{Address, Host as Name, Scheme, Transport};

use crate::bmc_url::bmc_url;
use crate::client::Node;

/// The port of IPMI, which most addresses leave out.
const IPMI: u16 = 623;

/// A BMC.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Bmc {
    protocol: &'static str,
    host: String,
    port: u16,
}

/// The address of a machine at its BMC.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SystemAddress {
    pub bmc: Bmc,
    /// The path of the system; empty if it is not known.
    pub path: String,
}

impl SystemAddress {
    /// Reads an address, if it is one of Redfish or IPMI.
    pub fn of_url(url: &str) -> Option<Self> {
        let address = Address::parse(url).ok()?;
        let host = match &address.host {
            Name::Ip(ip) => ip.to_string(),
            Name::Name(name) => name.to_ascii_lowercase(),
        };
        let (protocol, usual) = match (address.scheme, address.transport) {
            (scheme, Transport::Http) if scheme.is_redfish() => ("http", 80),
            (scheme, _) if scheme.is_redfish() => ("https", 443),
            (Scheme::Ipmi, _) => ("ipmi", IPMI),
            _ => return None,
        };
        let port = address.port.unwrap_or(usual);
        Some(Self { bmc: Bmc { protocol, host, port }, path: path_of(&address.path) })
    }

    /// Returns the address of the machine of a node, if its driver is one of Redfish or IPMI.
    pub fn of_node(node: &Node) -> Option<Self> {
        Self::of_url(&address(node)?)
    }
}

/// Returns the path of a system without what every BMC has.
fn path_of(path: &str) -> String {
    match path.trim_end_matches('/') {
        "" | "/redfish" | "/redfish/v1" => String::new(),
        path => path.to_owned(),
    }
}

/// Returns the address of a node, if its settings name one.
pub fn address(node: &Node) -> Option<String> {
    bmc_url(node).ok().flatten()
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    #[test]
    fn a_node_has_the_address_that_a_host_would_have() {
        for (driver_info, boot, expected) in [
            (
                json!({"redfish_address": "https://10.0.0.7/", "redfish_system_id": "1"}),
                None,
                Some("redfish://10.0.0.7/redfish/v1/Systems/1"),
            ),
            (json!({"redfish_address": "10.0.0.7:8443"}), Some("ipxe"), Some("redfish://10.0.0.7:8443")),
            (
                json!({"redfish_address": "http://[2001:db8::7]:8000"}),
                Some("redfish-virtual-media"),
                Some("redfish-virtualmedia+http://[2001:db8::7]:8000"),
            ),
            (json!({"ipmi_address": "10.0.0.7", "ipmi_port": "623"}), None, Some("ipmi://10.0.0.7:623")),
            (json!({"ipmi_address": "bmc", "ipmi_port": 6230}), None, Some("ipmi://bmc:6230")),
            (json!({"ipmi_address": "2001:db8::7"}), None, Some("ipmi://[2001:db8::7]")),
            (json!({"redfish_address": "ftp://x"}), None, None),
            (json!({}), None, None),
        ] {
            let node = Node {
                driver_info: driver_info.as_object().cloned().unwrap_or_default(),
                boot_interface: boot.map(str::to_owned),
                ..Node::default()
            };
            assert_eq!(address(&node).as_deref(), expected, "{driver_info}");
            assert_eq!(SystemAddress::of_node(&node).is_some(), expected.is_some(), "{driver_info}");
        }
    }
}
