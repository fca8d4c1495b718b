//! The address of a machine: the BMC that an address names, and the path of the system there.

use reqwest::Url;
use underlay_address::{Address, Exceptions, Host, Scheme, Transport};

use crate::failure::RedfishError;

/// The path of the service root (DSP0266).
const ROOT: &str = "/redfish/v1/";

/// The address of a machine or of an appliance.
#[derive(Clone, Debug)]
pub struct SystemAddress {
    /// The scheme, which says how the machine boots from the network.
    pub scheme: Scheme,
    /// The URL of the service root.
    pub root: Url,
    /// The URL of the system, or of a collection of systems, if the address has a path.
    pub system: Option<Url>,
    /// The beginning of the address, up to its path: `redfish://10.0.0.7`.
    pub start: String,
}

impl SystemAddress {
    /// Reads an address, and refuses one to which nothing may connect.
    ///
    /// # Errors
    /// Returns an error that says what is wrong with the address.
    pub fn parse(url: &str, exceptions: &Exceptions) -> Result<Self, RedfishError> {
        let wrong = |reason: String| RedfishError::Address { url: url.to_owned(), reason };
        let address = Address::parse(url).map_err(|error| wrong(error.to_string()))?;
        if !address.scheme.is_redfish() {
            return Err(wrong("must begin with redfish://".to_owned()));
        }
        let reserved = exceptions.refuse_host(&address.host);
        reserved.map_err(|reason| wrong(format!("{reason}; allow its network at the controller")))?;
        let scheme = if address.transport == Transport::Http { "http" } else { "https" };
        let host = match &address.host {
            Host::Ip(ip) if ip.is_ipv6() => format!("[{ip}]"),
            host => host.to_string(),
        };
        let port = address.port.map(|port| format!(":{port}")).unwrap_or_default();
        let root = Url::parse(&format!("{scheme}://{host}{port}{ROOT}"));
        let root = root.map_err(|error| wrong(format!("is not an address: {error}")))?;
        let path = address.path.trim_end_matches('/');
        let system = (!matches!(path, "" | "/redfish" | "/redfish/v1")).then(|| {
            let mut system = root.clone();
            system.set_path(path);
            system
        });
        let authority = url.find("://").map_or(0, |at| at + 3);
        let end = url[authority..].find(['/', '?', '#']).map_or(url.len(), |at| authority + at);
        Ok(Self { scheme: address.scheme, root, system, start: url[..end].to_owned() })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_address_names_a_bmc_and_a_system() {
        for (url, root, system, start) in [
            ("redfish://10.0.0.7", "https://10.0.0.7/redfish/v1/", None, "redfish://10.0.0.7"),
            ("redfish://10.0.0.7/", "https://10.0.0.7/redfish/v1/", None, "redfish://10.0.0.7"),
            ("redfish://bmc:8443/redfish/v1/", "https://bmc:8443/redfish/v1/", None, "redfish://bmc:8443"),
            (
                "idrac-uefihttp+http://[2001:db8::7]:80/redfish/v1/Systems/1/",
                "http://[2001:db8::7]/redfish/v1/",
                Some("http://[2001:db8::7]/redfish/v1/Systems/1"),
                "idrac-uefihttp+http://[2001:db8::7]:80",
            ),
        ] {
            let address = SystemAddress::parse(url, &Exceptions::default()).unwrap();
            let found = (address.root.as_str(), address.system.as_ref().map(Url::as_str), address.start.as_str());
            assert_eq!(found, (root, system, start), "{url}");
        }
    }

    #[test]
    fn an_address_to_which_nothing_may_connect_is_refused() {
        for (url, sentence) in [
            ("redfish://127.0.0.1", "is a loopback address, which would be the controller itself; allow its network"),
            ("redfish://169.254.169.254", "is the metadata service of a cloud"),
            ("redfish://localhost", "is a loopback address"),
            ("ipmi://10.0.0.7", "must begin with redfish://"),
            ("redfish://", "has no host"),
        ] {
            let error = SystemAddress::parse(url, &Exceptions::default()).unwrap_err().to_string();
            assert!(error.starts_with(url) && error.contains(sentence), "{url}: {error}");
        }
        assert!(SystemAddress::parse("redfish://127.0.0.1", &Exceptions::everything()).is_ok());
    }
}
