//! The hosts to which a credential may be sent: names, IP addresses and networks.
//!
//! Guarantee: a list that is not empty permits plain HTTP only to hosts that it names for plain HTTP, because everybody on
//! the way reads what is sent so.

use std::fmt;
use std::str::FromStr;

use thiserror::Error;

use super::network::{Network, NetworkError};
use super::parse::{Address, Host, is_name};
use super::scheme::Transport;

/// The beginning of an entry that also permits plain HTTP.
const PLAIN_HTTP: &str = "http://";

/// A host, or a network of hosts, to which a credential may be sent.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct AllowedHost {
    hosts: Hosts,
    transports: Transports,
}

/// The hosts of an entry.
#[derive(Clone, Debug, PartialEq, Eq)]
enum Hosts {
    /// The host with this name, in lower case.
    Name(String),
    /// The hosts with an address in this network.
    Network(Network),
}

/// The transports that an entry permits.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Transports {
    /// All but plain HTTP.
    AllButPlainHttp,
    /// All, because the entry begins with `http://`.
    All,
}

/// What a list of allowed hosts says about an address that it does not refuse.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Permission {
    /// The list is empty, so it says nothing, and every address is permitted.
    Unlisted,
    /// The list has the host of the address.
    Listed,
    /// The host is a name that is not in the list, and the networks of the list decide by its addresses.
    ByItsAddresses,
}

/// The reason why a credential is not sent to an address. The texts continue a sentence that begins with the credential.
#[derive(Clone, Debug, Error, PartialEq, Eq)]
pub enum NotPermitted {
    /// The list does not have the host.
    #[error("is not allowed for the host {0}")]
    Host(Host),
    /// The list has the host, and not for plain HTTP.
    #[error(
        "is not allowed for plain HTTP to the host {0}: use an address with HTTPS, or let an entry of allowedHosts begin \
         with http://"
    )]
    PlainHttp(Host),
}

impl FromStr for AllowedHost {
    type Err = NetworkError;

    fn from_str(text: &str) -> Result<Self, NetworkError> {
        let (hosts, transports) = match text.strip_prefix(PLAIN_HTTP) {
            Some(rest) => (rest, Transports::All),
            None => (text, Transports::AllButPlainHttp),
        };
        let hosts = match hosts.parse() {
            Ok(network) => Hosts::Network(network),
            Err(_) if is_name(hosts) => Hosts::Name(hosts.trim_end_matches('.').to_ascii_lowercase()),
            Err(error) => return Err(error),
        };
        Ok(Self { hosts, transports })
    }
}

impl fmt::Display for AllowedHost {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if self.transports == Transports::All {
            f.write_str(PLAIN_HTTP)?;
        }
        match &self.hosts {
            Hosts::Name(name) => f.write_str(name),
            Hosts::Network(network) => write!(f, "{network}"),
        }
    }
}

impl AllowedHost {
    /// Returns the entry that permits the host of an address over the transport of the address.
    pub fn of(address: &Address) -> String {
        match address.transport {
            Transport::Http => format!("{PLAIN_HTTP}{}", address.host),
            _ => address.host.to_string(),
        }
    }

    /// Returns true if the entry counts for a transport.
    pub fn is_for(&self, transport: Transport) -> bool {
        transport != Transport::Http || self.transports == Transports::All
    }
}

/// Returns true if a credential with these allowed hosts may be sent to a host; an empty list allows every host. For a
/// name that only a network could allow, the answer is `None`: it depends on the addresses of the name. The transport does
/// not matter here.
pub fn allows(allowed: &[AllowedHost], host: &Host) -> Option<bool> {
    let hosts = || allowed.iter().map(|it| &it.hosts);
    if allowed.is_empty() {
        return Some(true);
    }
    match host {
        Host::Ip(address) => {
            Some(hosts().any(|it| matches!(it, Hosts::Network(network) if network.contains(*address))))
        }
        Host::Name(name) => {
            let name = name.trim_end_matches('.').to_ascii_lowercase();
            let by_name = hosts().any(|it| matches!(it, Hosts::Name(allowed) if *allowed == name));
            let may_be_in_a_network = hosts().any(|it| matches!(it, Hosts::Network(_)));
            if by_name || !may_be_in_a_network { Some(by_name) } else { None }
        }
    }
}

/// Judges the host and the transport of an address. It also judges an address that nothing connects to.
///
/// # Errors
/// Returns the reason why a credential with these allowed hosts is not sent to the address.
pub fn permits(allowed: &[AllowedHost], address: &Address) -> Result<Permission, NotPermitted> {
    if allowed.is_empty() {
        return Ok(Permission::Unlisted);
    }
    let answer =
        |allowed: &[AllowedHost]| if allowed.is_empty() { Some(false) } else { allows(allowed, &address.host) };
    let for_transport: Vec<AllowedHost> = allowed.iter().filter(|it| it.is_for(address.transport)).cloned().collect();
    match (answer(&for_transport), answer(allowed)) {
        (Some(true), _) => Ok(Permission::Listed),
        (None, _) => Ok(Permission::ByItsAddresses),
        (Some(false), Some(false)) => Err(NotPermitted::Host(address.host.clone())),
        (Some(false), _) => Err(NotPermitted::PlainHttp(address.host.clone())),
    }
}
