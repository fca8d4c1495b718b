//! Networks of IP addresses in the notation of CIDR, such as `10.1.0.0/16`.

use std::fmt;
use std::net::IpAddr;
use std::str::FromStr;

use thiserror::Error;

/// The IP addresses that begin with the same bits.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Network {
    address: IpAddr,
    prefix: u8,
}

/// The reason why a text is not a network.
#[derive(Clone, Debug, Error, PartialEq, Eq)]
pub enum NetworkError {
    #[error("must be an IP address or a network such as 10.1.0.0/16, not {0:?}")]
    Form(String),
    #[error("must have a prefix of 0 to {most} bits, not {found:?}")]
    Prefix { most: u8, found: String },
}

impl Network {
    /// Creates the network of the addresses that begin with the same bits as an address.
    pub(crate) fn with_prefix(address: IpAddr, prefix: u8) -> Self {
        Self { address, prefix }
    }

    /// Returns true if an address is in the network. An IPv4 address that is mapped into IPv6 counts as IPv4.
    pub fn contains(&self, address: IpAddr) -> bool {
        let shares = |own: u128, other: u128, bits: u8| {
            let rest = u32::from(bits.saturating_sub(self.prefix));
            own.checked_shr(rest) == other.checked_shr(rest)
        };
        match (self.address.to_canonical(), address.to_canonical()) {
            (IpAddr::V4(own), IpAddr::V4(other)) => shares(own.to_bits().into(), other.to_bits().into(), 32),
            (IpAddr::V6(own), IpAddr::V6(other)) => shares(own.to_bits(), other.to_bits(), 128),
            _ => false,
        }
    }
}

impl From<IpAddr> for Network {
    fn from(address: IpAddr) -> Self {
        let address = address.to_canonical();
        Self { address, prefix: if address.is_ipv4() { 32 } else { 128 } }
    }
}

impl FromStr for Network {
    type Err = NetworkError;

    fn from_str(text: &str) -> Result<Self, NetworkError> {
        let (address, prefix) = match text.split_once('/') {
            Some((address, prefix)) => (address, Some(prefix)),
            None => (text, None),
        };
        let address: IpAddr = address.parse().map_err(|_| NetworkError::Form(text.chars().take(80).collect()))?;
        let Some(prefix) = prefix else { return Ok(address.into()) };
        let most = if address.is_ipv4() { 32 } else { 128 };
        let digits = !prefix.is_empty() && prefix.bytes().all(|byte| byte.is_ascii_digit());
        match prefix.parse::<u8>().ok().filter(|prefix| digits && *prefix <= most) {
            Some(prefix) => Ok(Self { address, prefix }),
            None => Err(NetworkError::Prefix { most, found: prefix.chars().take(80).collect() }),
        }
    }
}

impl fmt::Display for Network {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}/{}", self.address, self.prefix)
    }
}
