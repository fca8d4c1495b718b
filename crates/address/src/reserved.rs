//! Addresses to which a controller must not connect: those of its own machine, and those at which clouds serve the
//! credentials of the machine that asks.

use std::net::{IpAddr, Ipv4Addr, Ipv6Addr};

use thiserror::Error;

use super::network::Network;
use super::parse::Host;

/// The reason why a controller must not connect to a host.
#[derive(Clone, Copy, Debug, Error, PartialEq, Eq)]
pub enum Reserved {
    #[error("is a loopback address, which would be the controller itself")]
    Loopback,
    #[error("is a link-local address")]
    LinkLocal,
    #[error("is the metadata service of a cloud")]
    Metadata,
    #[error("is a multicast or broadcast address, not that of one machine")]
    Multicast,
    #[error("is the unspecified address")]
    Unspecified,
}

/// The metadata services of clouds that are not at a link-local address.
const METADATA_V4: [Ipv4Addr; 3] =
    [Ipv4Addr::new(100, 100, 100, 200), Ipv4Addr::new(168, 63, 129, 16), Ipv4Addr::new(192, 0, 0, 192)];
/// The metadata services of clouds over IPv4, at a link-local address.
const METADATA_LINK_LOCAL: [Ipv4Addr; 3] =
    [Ipv4Addr::new(169, 254, 169, 254), Ipv4Addr::new(169, 254, 170, 2), Ipv4Addr::new(169, 254, 0, 23)];
/// The metadata service of a cloud over IPv6.
const METADATA_V6: Ipv6Addr = Ipv6Addr::new(0xfd00, 0xec2, 0, 0, 0, 0, 0, 0x254);
/// Names of metadata services.
const METADATA_NAMES: [&str; 5] =
    ["metadata", "metadata.google.internal", "instance-data", "instance-data.ec2.internal", "metadata.tencentyun.com"];
/// Names of the own machine, besides those that end with `.localhost`.
const LOOPBACK_NAMES: [&str; 5] = ["localhost", "localhost.localdomain", "localhost4", "localhost6", "ip6-localhost"];

/// The exceptions that the operator of a server or controller has configured: networks whose addresses are allowed
/// although they are reserved.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Exceptions(Vec<Network>);

impl Exceptions {
    /// Creates the exceptions for some networks.
    pub fn new(networks: Vec<Network>) -> Self {
        Self(networks)
    }

    /// Returns exceptions for all addresses, so that none is refused.
    pub fn everything() -> Self {
        let network = |address: IpAddr| Network::with_prefix(address, 0);
        Self(vec![network(Ipv4Addr::UNSPECIFIED.into()), network(Ipv6Addr::UNSPECIFIED.into())])
    }

    /// Refuses an IP address that is reserved and not an exception.
    ///
    /// # Errors
    /// Returns the reason why nothing may connect to the address.
    pub fn refuse(&self, address: IpAddr) -> Result<(), Reserved> {
        match reserved(address) {
            Some(reason) if !self.0.iter().any(|network| network.contains(address)) => Err(reason),
            _ => Ok(()),
        }
    }

    /// Refuses a host that is reserved and not an exception. A name is judged by its text, as the address that it
    /// stands for; code that resolves it must refuse each of its addresses too.
    ///
    /// # Errors
    /// Returns the reason why nothing may connect to the host.
    pub fn refuse_host(&self, host: &Host) -> Result<(), Reserved> {
        match host {
            Host::Ip(address) => self.refuse(*address),
            Host::Name(name) => {
                let name = name.trim_end_matches('.').to_ascii_lowercase();
                if LOOPBACK_NAMES.contains(&name.as_str()) || name.ends_with(".localhost") {
                    return self.refuse(IpAddr::V4(Ipv4Addr::LOCALHOST));
                }
                match METADATA_NAMES.contains(&name.as_str()) {
                    true => self.refuse(IpAddr::V4(METADATA_LINK_LOCAL[0])),
                    false => Ok(()),
                }
            }
        }
    }
}

/// Returns the reason why an address is reserved; `None` if it is not.
fn reserved(address: IpAddr) -> Option<Reserved> {
    match address.to_canonical() {
        IpAddr::V4(address) => reserved_v4(address),
        IpAddr::V6(address) => reserved_v6(address),
    }
}

fn reserved_v4(address: Ipv4Addr) -> Option<Reserved> {
    let first = address.octets()[0];
    if METADATA_V4.contains(&address) || METADATA_LINK_LOCAL.contains(&address) {
        Some(Reserved::Metadata)
    } else if address.is_loopback() {
        Some(Reserved::Loopback)
    } else if address.is_link_local() {
        Some(Reserved::LinkLocal)
    } else if first == 0 {
        Some(Reserved::Unspecified)
    } else if address.is_multicast() || address.is_broadcast() {
        Some(Reserved::Multicast)
    } else {
        None
    }
}

fn reserved_v6(address: Ipv6Addr) -> Option<Reserved> {
    if address == METADATA_V6 {
        Some(Reserved::Metadata)
    } else if address.is_loopback() {
        Some(Reserved::Loopback)
    } else if address.is_unspecified() {
        Some(Reserved::Unspecified)
    } else if address.is_unicast_link_local() {
        Some(Reserved::LinkLocal)
    } else if address.is_multicast() {
        Some(Reserved::Multicast)
    } else {
        embedded(address).and_then(reserved_v4)
    }
}

/// Returns the IPv4 address to which an IPv6 address leads by translation: IPv4-compatible, NAT64 and 6to4.
fn embedded(address: Ipv6Addr) -> Option<Ipv4Addr> {
    let parts = address.segments();
    let v4 = |high: u16, low: u16| Ipv4Addr::from_bits(u32::from(high) << 16 | u32::from(low));
    match parts {
        [0, 0, 0, 0, 0, 0, high, low] | [0x64, 0xff9b, 0, 0, 0, 0, high, low] => Some(v4(high, low)),
        [0x2002, high, low, ..] => Some(v4(high, low)),
        _ => None,
    }
}
