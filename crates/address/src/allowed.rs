//! The hosts to which a credential may be sent: names, IP addresses and networks.

use std::fmt;
use std::str::FromStr;

use super::network::{Network, NetworkError};
use super::parse::{Host, is_name};

/// A host, or a network of hosts, to which a credential may be sent.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum AllowedHost {
    /// The host with this name, in lower case.
    Name(String),
    /// The hosts with an address in this network.
    Network(Network),
}

impl FromStr for AllowedHost {
    type Err = NetworkError;

    fn from_str(text: &str) -> Result<Self, NetworkError> {
        match text.parse() {
            Ok(network) => Ok(Self::Network(network)),
            Err(_) if is_name(text) => Ok(Self::Name(text.trim_end_matches('.').to_ascii_lowercase())),
            Err(error) => Err(error),
        }
    }
}

impl fmt::Display for AllowedHost {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Name(name) => f.write_str(name),
            Self::Network(network) => write!(f, "{network}"),
        }
    }
}

/// Returns true if a credential with these allowed hosts may be sent to a host; an empty list allows every host. For a
/// name that only a network could allow, the answer is `None`: it depends on the addresses of the name.
pub fn allows(allowed: &[AllowedHost], host: &Host) -> Option<bool> {
    if allowed.is_empty() {
        return Some(true);
    }
    match host {
        Host::Ip(address) => {
            Some(allowed.iter().any(|it| matches!(it, AllowedHost::Network(network) if network.contains(*address))))
        }
        Host::Name(name) => {
            let name = name.trim_end_matches('.').to_ascii_lowercase();
            let by_name = allowed.iter().any(|it| matches!(it, AllowedHost::Name(allowed) if *allowed == name));
            let may_be_in_a_network = allowed.iter().any(|it| matches!(it, AllowedHost::Network(_)));
            if by_name || !may_be_in_a_network { Some(by_name) } else { None }
        }
    }
}
