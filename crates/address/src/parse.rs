//! Reads an address: `SCHEME://HOST[:PORT][/PATH][?PARAMETERS][#MACHINE]`.

use std::fmt;
use std::net::{IpAddr, Ipv6Addr};

use thiserror::Error;

use super::scheme::{Scheme, Transport, WRITTEN};

/// The maximum length of an address, in characters.
pub const MAX_CHARACTERS: usize = 2_048;
/// The maximum length of a part of an address in an error message, in characters.
const MAX_SHOWN_CHARACTERS: usize = 80;

/// The host of an address.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub enum Host {
    /// An IP address.
    Ip(IpAddr),
    /// A name, as it was written.
    Name(String),
}

impl fmt::Display for Host {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Ip(address) => write!(f, "{address}"),
            Self::Name(name) => f.write_str(name),
        }
    }
}

/// An address whose every part is known.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Address {
    /// The protocol or driver.
    pub scheme: Scheme,
    /// The transport of the connection.
    pub transport: Transport,
    /// The host. For a scheme without connections it is a name of the controller's configuration.
    pub host: Host,
    /// The port, if the address has one.
    pub port: Option<u16>,
    /// The path, with its leading slash; empty if there is none.
    pub path: String,
    /// The parameters after the question mark, in order.
    pub parameters: Vec<(String, String)>,
    /// The machine on the host, after the number sign.
    pub machine: Option<String>,
}

/// The reason why a text is not an address. The texts continue the name of a field.
#[derive(Clone, Debug, Error, PartialEq, Eq)]
pub enum AddressError {
    #[error("must have at most {MAX_CHARACTERS} characters")]
    TooLong,
    #[error("must be an address such as redfish://10.0.0.7, not {0:?}")]
    Form(String),
    #[error("contains spaces or characters that must be percent-encoded")]
    Characters,
    #[error(
        "begins with libvirt://, which names a driver and no transport elsewhere: use libvirt+tls://, libvirt+tcp:// or \
         libvirt+ssh://, as in libvirt+tls://host/system#DOMAIN-UUID"
    )]
    PlainLibvirt,
    #[error(
        "has the unknown scheme {0:?}; allowed are redfish, redfish-virtualmedia and redfish-uefihttp (each alone, with \
         +http or +https, and with the aliases idrac- and ilo5-), ipmi, libvirt+tls, libvirt+tcp, libvirt+ssh, simulated \
         and exec"
    )]
    Scheme(String),
    #[error("must not contain a user name or password: use a credential")]
    UserInfo,
    #[error("has no host")]
    NoHost,
    #[error("has the invalid host {0:?}")]
    Host(String),
    #[error("has an IPv6 address without brackets: write it as [{0}], as in redfish://[2001:db8::1]")]
    Brackets(String),
    #[error("has the invalid port {0:?}: ports are numbers from 1 to 65535")]
    Port(String),
    #[error("must have no port, because {0}:// connects to nothing")]
    NoPort(&'static str),
    #[error("has the unknown parameter {name:?}; {scheme}:// takes {allowed}")]
    Parameter { scheme: &'static str, name: String, allowed: String },
    #[error("has the parameter {0} twice")]
    TwiceGiven(&'static str),
    #[error("has the value {value:?} for the parameter {name}; allowed are {allowed}")]
    Value { name: &'static str, value: String, allowed: String },
    #[error("must have the path /system, as in libvirt+tls://host/system#DOMAIN-UUID, not {0:?}")]
    LibvirtPath(String),
    #[error("must have no path, not {0:?}")]
    NoPath(String),
    #[error("must name no machine after the character #: the address of the machine is enough for {0}://")]
    NoMachine(&'static str),
    #[error("must name the domain by its UUID after the character #, not {0:?}")]
    Domain(String),
}

impl Address {
    /// Reads an address.
    ///
    /// # Errors
    /// Returns the first reason why the text is not an address. It repeats nothing of a text that contains an `@`, because
    /// that can have a password before it.
    pub fn parse(text: &str) -> Result<Self, AddressError> {
        Self::read(text).map_err(|error| if text.contains('@') { AddressError::UserInfo } else { error })
    }

    fn read(text: &str) -> Result<Self, AddressError> {
        if text.chars().count() > MAX_CHARACTERS {
            return Err(AddressError::TooLong);
        }
        if text.chars().any(|each| each.is_whitespace() || each.is_control() || "\"<>\\^`{|}".contains(each)) {
            return Err(AddressError::Characters);
        }
        let (scheme, rest) = text.split_once("://").ok_or_else(|| match is_bare_ipv6(text) {
            true => AddressError::Brackets(quoted(text)),
            false => AddressError::Form(quoted(text)),
        })?;
        let scheme = scheme.to_ascii_lowercase();
        let written = WRITTEN.iter().find(|written| written.text == scheme);
        let written = written.ok_or_else(|| match scheme.as_str() {
            "libvirt" => AddressError::PlainLibvirt,
            _ => AddressError::Scheme(quoted(&scheme)),
        })?;
        let (rest, machine) = cut(rest, '#');
        let (rest, query) = cut(rest, '?');
        let (authority, path) = rest.find('/').map_or((rest, ""), |at| rest.split_at(at));
        let (host, port) = authority_of(authority)?;
        let address = Self {
            scheme: written.scheme,
            transport: written.transport,
            host,
            port,
            path: path.to_owned(),
            parameters: parameters(written.scheme, query)?,
            machine: machine.map(str::to_owned),
        };
        address.check()?;
        Ok(address)
    }

    /// Returns the value of a parameter.
    pub fn parameter(&self, name: &str) -> Option<&str> {
        self.parameters.iter().find(|(given, _)| given == name).map(|(_, value)| value.as_str())
    }

    /// Checks the parts that depend on the scheme.
    fn check(&self) -> Result<(), AddressError> {
        if !self.scheme.connects() && self.port.is_some() {
            return Err(AddressError::NoPort(self.scheme.name()));
        }
        match self.scheme {
            Scheme::Libvirt if self.path != "/system" => Err(AddressError::LibvirtPath(quoted(&self.path))),
            Scheme::Libvirt => match self.machine.as_deref() {
                Some(domain) if !is_uuid(domain) => Err(AddressError::Domain(quoted(domain))),
                _ => Ok(()),
            },
            _ if self.scheme.is_redfish() || self.scheme == Scheme::Ipmi => {
                let path = self.scheme == Scheme::Ipmi && !matches!(self.path.as_str(), "" | "/");
                match (path, &self.machine) {
                    (true, _) => Err(AddressError::NoPath(quoted(&self.path))),
                    (_, Some(_)) => Err(AddressError::NoMachine(self.scheme.name())),
                    _ => Ok(()),
                }
            }
            _ if !matches!(self.path.as_str(), "" | "/") => Err(AddressError::NoPath(quoted(&self.path))),
            _ => Ok(()),
        }
    }
}

fn quoted(text: &str) -> String {
    text.chars().take(MAX_SHOWN_CHARACTERS).collect()
}

fn cut(text: &str, at: char) -> (&str, Option<&str>) {
    text.split_once(at).map_or((text, None), |(before, after)| (before, Some(after)))
}

/// Returns true if a text is an IPv6 address as it stands outside of addresses, also with the zone of a link.
fn is_bare_ipv6(text: &str) -> bool {
    cut(text, '%').0.parse::<Ipv6Addr>().is_ok()
}

fn authority_of(text: &str) -> Result<(Host, Option<u16>), AddressError> {
    if text.contains('@') {
        return Err(AddressError::UserInfo);
    }
    if is_bare_ipv6(text) {
        return Err(AddressError::Brackets(quoted(text)));
    }
    let (host, port) = match text.strip_prefix('[') {
        Some(rest) => {
            let (inside, after) = rest.split_once(']').ok_or_else(|| AddressError::Host(quoted(text)))?;
            let address = inside.parse().map_err(|_| AddressError::Host(quoted(inside)))?;
            (Host::Ip(IpAddr::V6(address)), after)
        }
        None => {
            let (host, port) = text.find(':').map_or((text, ""), |at| text.split_at(at));
            (host_of(host)?, port)
        }
    };
    let port = match port.strip_prefix(':') {
        None if port.is_empty() => None,
        None => return Err(AddressError::Host(quoted(text))),
        Some(digits) => {
            let is_number = !digits.is_empty() && digits.bytes().all(|byte| byte.is_ascii_digit());
            let port = digits.parse::<u16>().ok().filter(|port| is_number && *port > 0);
            Some(port.ok_or_else(|| AddressError::Port(quoted(digits)))?)
        }
    };
    Ok((host, port))
}

fn host_of(text: &str) -> Result<Host, AddressError> {
    if text.is_empty() {
        return Err(AddressError::NoHost);
    }
    if let Ok(address) = text.parse() {
        return Ok(Host::Ip(address));
    }
    match is_name(text) {
        true => Ok(Host::Name(text.to_owned())),
        false => Err(AddressError::Host(quoted(text))),
    }
}

/// Returns true if a text is the name of a host. A name whose last label is a number is none: resolvers read it as an
/// IPv4 address in an unusual notation, such as `127.1` or `0x7f000001`.
pub(crate) fn is_name(text: &str) -> bool {
    let name = text.strip_suffix('.').unwrap_or(text);
    let is_label = |label: &str| {
        !label.is_empty()
            && label.len() <= 63
            && !label.starts_with('-')
            && !label.ends_with('-')
            && label.bytes().all(|byte| byte.is_ascii_alphanumeric() || byte == b'-' || byte == b'_')
    };
    let is_number = |label: &str| {
        let hexadecimal = label.strip_prefix("0x").or_else(|| label.strip_prefix("0X"));
        let digits = hexadecimal.is_some_and(|digits| digits.bytes().all(|byte| byte.is_ascii_hexdigit()));
        digits || label.bytes().all(|byte| byte.is_ascii_digit())
    };
    !name.is_empty()
        && name.len() <= 253
        && name.split('.').all(is_label)
        && !name.rsplit('.').next().is_none_or(is_number)
}

fn parameters(scheme: Scheme, query: Option<&str>) -> Result<Vec<(String, String)>, AddressError> {
    let mut found: Vec<(String, String)> = Vec::new();
    for pair in query.unwrap_or_default().split('&').filter(|pair| !pair.is_empty()) {
        let (name, value) = pair.split_once('=').unwrap_or((pair, ""));
        let known = scheme.parameters();
        let Some(parameter) = known.iter().find(|parameter| parameter.name == name) else {
            let names: Vec<_> = known.iter().map(|parameter| parameter.name).collect();
            let allowed = if names.is_empty() { "none".to_owned() } else { names.join(", ") };
            return Err(AddressError::Parameter { scheme: scheme.name(), name: quoted(name), allowed });
        };
        if found.iter().any(|(given, _)| given == name) {
            return Err(AddressError::TwiceGiven(parameter.name));
        }
        if !parameter.values.is_empty() && !parameter.values.contains(&value) {
            let allowed = parameter.values.join(", ");
            return Err(AddressError::Value { name: parameter.name, value: quoted(value), allowed });
        }
        found.push((name.to_owned(), value.to_owned()));
    }
    Ok(found)
}

fn is_uuid(text: &str) -> bool {
    let groups: Vec<_> = text.split('-').collect();
    let lengths = groups.iter().map(|group| group.len());
    lengths.eq([8, 4, 4, 4, 12]) && groups.concat().bytes().all(|byte| byte.is_ascii_hexdigit())
}
