//! The machine that an address selects. Addresses that are written differently can select one machine.

use std::net::IpAddr;

use super::parse::{Address, Host};
use super::scheme::{Scheme, Transport};

/// The machine that an address selects.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Selected {
    /// A system of a BMC.
    System {
        /// The BMC.
        bmc: Bmc,
        /// The path of the system at the BMC, in lower case; `None` if the BMC finds it by what the machine says of itself.
        path: Option<String>,
    },
    /// Something that this text names alone, whatever lists it: a domain of libvirt, a simulated machine, or a machine of
    /// a program.
    Named(String),
}

/// A BMC, whichever protocol it is spoken to by.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Bmc {
    /// The name in lower case, or the IP address, in one notation.
    host: String,
    /// The port; `None` for the usual port of each protocol. One BMC answers at all of them.
    port: Option<u16>,
}

impl Address {
    /// Returns the machine that the address selects; `None` if it selects none by itself, such as a hypervisor.
    pub fn selected(&self) -> Option<Selected> {
        match self.scheme {
            Scheme::Redfish | Scheme::RedfishVirtualMedia | Scheme::RedfishUefiHttp | Scheme::Ipmi => {
                Some(Selected::System { bmc: self.bmc(), path: self.system() })
            }
            // A domain moves from one hypervisor to another.
            Scheme::Libvirt => self.machine.as_deref().map(|uuid| named("domain", &uuid.to_ascii_lowercase(), "")),
            Scheme::Simulated => Some(named("simulated", &self.name(), "")),
            Scheme::Exec => self.machine.as_deref().map(|machine| named("exec", &self.name(), machine)),
        }
    }

    fn bmc(&self) -> Bmc {
        let usual = match (self.scheme, self.transport) {
            (Scheme::Ipmi, _) => 623,
            (_, Transport::Http) => 80,
            _ => 443,
        };
        Bmc { host: self.name(), port: self.port.filter(|port| *port != usual) }
    }

    /// Returns the path of a system, unless it is that of the BMC itself.
    fn system(&self) -> Option<String> {
        let path = self.path.trim_end_matches('/').to_ascii_lowercase();
        let is_root = matches!(path.as_str(), "" | "/redfish" | "/redfish/v1" | "/redfish/v1/systems");
        (!is_root).then_some(path)
    }

    /// Returns the host in one notation.
    fn name(&self) -> String {
        match &self.host {
            Host::Ip(IpAddr::V6(address)) => address.to_canonical().to_string(),
            Host::Ip(address) => address.to_string(),
            Host::Name(name) => name.trim_end_matches('.').to_ascii_lowercase(),
        }
    }
}

fn named(what: &str, name: &str, machine: &str) -> Selected {
    Selected::Named(format!("{what}:{name}#{machine}"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn addresses_select_one_machine_or_different_ones() {
        let selected = |text: &str| Address::parse(text).unwrap_or_else(|error| panic!("{text} {error}")).selected();
        let domain = "9a1b2c3d-0000-4000-8000-00000000000a";
        let (at, tls) = (
            format!("libvirt+tls://kvm1/system#{domain}"),
            format!("libvirt+ssh://kvm2/system#{}", domain.to_uppercase()),
        );
        for (one, other, are_same) in [
            ("redfish://bmc-1/redfish/v1/Systems/1", "redfish://BMC-1./redfish/v1/Systems/1/", true),
            ("redfish://bmc-1/redfish/v1/Systems/1", "redfish://bmc-1/redfish/v1/Systems/2", false),
            ("redfish://bmc-1", "redfish://bmc-1:443/redfish/v1/", true),
            ("redfish://bmc-1", "redfish://bmc-1:8443", false),
            ("redfish+http://bmc-1", "redfish+http://bmc-1:80", true),
            ("redfish://bmc-1", "ipmi://bmc-1", true),
            ("redfish://bmc-1", "ipmi://bmc-1:623/", true),
            ("redfish://bmc-1:8443", "ipmi://bmc-1", false),
            ("redfish://bmc-1", "idrac-virtualmedia://bmc-1", true),
            ("redfish://[2001:db8::1]", "ilo5-redfish://[2001:0db8:0:0::0001]:443", true),
            ("redfish://10.0.0.7", "redfish://[::ffff:10.0.0.7]", true),
            ("redfish://10.0.0.7", "redfish://10.0.0.8", false),
            (at.as_str(), tls.as_str(), true),
            ("simulated://m1?delay=1s", "simulated://M1", true),
            ("simulated://m1", "simulated://m2", false),
            ("exec://lab#m1", "exec://lab#m1", true),
            ("exec://lab#m1", "exec://lab#M1", false),
            ("exec://lab#m1", "exec://other#m1", false),
        ] {
            let (left, right) = (selected(one), selected(other));
            assert!(left.is_some() && right.is_some());
            assert_eq!(left == right, are_same, "{one} {other}: {left:?} {right:?}");
        }
        for none in ["libvirt+tls://kvm1/system", "exec://lab"] {
            assert_eq!(selected(none), None, "{none}");
        }
    }
}
