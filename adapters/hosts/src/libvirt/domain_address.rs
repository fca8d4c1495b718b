//! The address of a domain: the hypervisor that an address names, and the domain there.

use underlay_address::{Address, AllowedHost, Exceptions, Host, Scheme, Transport};
use uuid::Uuid;

use super::refused;
use crate::machine::{CallError, NameError, Target, WRONG_MACHINE, resolve};

/// The address of a domain, or of all domains of a hypervisor.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct DomainAddress {
    pub host: Host,
    /// The port, if it is not the usual one.
    pub port: Option<u16>,
    /// The transport: TLS, TCP or SSH.
    pub transport: Transport,
    /// The driver of libvirt: `qemu`, or `test` for its machines in memory.
    driver: &'static str,
    /// The address without a domain.
    pub appliance: String,
    /// The domain, if the address or the `uid` of the host names one.
    pub domain: Option<Uuid>,
    /// The UUID that the host has, if its `uid` is one.
    uid: Option<Uuid>,
    /// The hosts that the credential is for; empty for all.
    allowed: Vec<AllowedHost>,
}

impl DomainAddress {
    /// Reads the address of a target, and refuses one to which nothing may connect.
    ///
    /// # Errors
    /// Returns an error that says what is wrong with the address.
    pub fn parse(target: &Target, exceptions: &Exceptions) -> Result<Self, CallError> {
        let wrong = |reason: String| refused("WrongAddress", format!("{} {reason}", target.url));
        let address = Address::parse(&target.url).map_err(|error| wrong(error.to_string()))?;
        if address.scheme != Scheme::Libvirt {
            return Err(wrong("must begin with libvirt+tls://, libvirt+tcp:// or libvirt+ssh://".to_owned()));
        }
        let reserved = exceptions.refuse_host(&address.host);
        reserved.map_err(|reason| wrong(format!("{reason}; allow its network at the controller")))?;
        let driver = if address.parameter("driver") == Some("test") { "test" } else { "qemu" };
        let uid = target.uid.as_deref().and_then(|uid| Uuid::parse_str(uid.trim()).ok());
        let named = address.machine.as_deref().and_then(|domain| Uuid::parse_str(domain).ok());
        let appliance = target.url.split('#').next().unwrap_or_default().to_owned();
        let Address { host, port, transport, .. } = address;
        Ok(Self {
            host,
            port,
            transport,
            driver,
            appliance,
            domain: named.or(uid),
            uid,
            allowed: target.allowed_hosts().to_vec(),
        })
    }

    /// Checks all addresses of the host, just before a program resolves its name again.
    ///
    /// # Errors
    /// Returns an error if the name cannot be resolved, or if one of its addresses is reserved, or none that the
    /// credential is for.
    pub async fn check(&self, exceptions: &Exceptions) -> Result<(), CallError> {
        let Host::Name(name) = &self.host else { return Ok(()) };
        match resolve(name, exceptions, &self.allowed).await {
            Ok(_) => Ok(()),
            Err(error @ (NameError::Reserved { .. } | NameError::NotAllowed { .. })) => {
                Err(refused("WrongAddress", format!("{}: {error}", self.appliance)))
            }
            Err(error) => Err(CallError::NotMade { reason: format!("{}: {error}", self.appliance) }),
        }
    }

    /// Returns the domain.
    ///
    /// # Errors
    /// Returns an error if neither the address nor the host names one.
    pub fn domain(&self) -> Result<Uuid, CallError> {
        self.domain.ok_or_else(|| {
            let example = "as in libvirt+tls://host/system#DOMAIN-UUID";
            refused("WrongAddress", format!("{} names no domain: add its UUID to bmcUrl, {example}", self.appliance))
        })
    }

    /// Refuses a domain that is another machine than the host. A UUID with its first groups in the other byte order, as
    /// some tools read it from the firmware, counts as equal.
    ///
    /// # Errors
    /// Returns an error that names both UUIDs.
    pub fn refuse_other(&self, found: Uuid) -> Result<(), CallError> {
        let asked = self.domain()?;
        let other = |expected: Uuid| {
            let message = format!(
                "{}: the domain has the UUID {found}, and the host has {expected}: it is another machine, and was left \
                 alone; correct bmcUrl or uid",
                self.appliance
            );
            refused(WRONG_MACHINE, message)
        };
        if found != asked {
            return Err(other(asked));
        }
        match self.uid {
            Some(uid) if uid != found && Uuid::from_bytes_le(*uid.as_bytes()) != found => Err(other(uid)),
            _ => Ok(()),
        }
    }

    /// Returns the URI of the connection for `virsh`, with a user name and parameters.
    pub fn uri(&self, user: Option<&str>, parameters: &[(&str, String)]) -> String {
        let transport = match self.transport {
            Transport::Ssh => "ssh",
            Transport::Tcp => "tcp",
            // An address has no other transports, and this one is the safe one.
            _ => "tls",
        };
        let user = user.map(|user| format!("{}@", encoded(user))).unwrap_or_default();
        let host = match &self.host {
            Host::Ip(ip) if ip.is_ipv6() => format!("[{ip}]"),
            host => host.to_string(),
        };
        let port = self.port.map(|port| format!(":{port}")).unwrap_or_default();
        let path = if self.driver == "test" { "default" } else { "system" };
        let parameters: Vec<String> =
            parameters.iter().map(|(name, value)| format!("{name}={}", encoded(value))).collect();
        let query = if parameters.is_empty() { String::new() } else { format!("?{}", parameters.join("&")) };
        format!("{}+{transport}://{user}{host}{port}/{path}{query}", self.driver)
    }

    /// Returns the address of a domain of the hypervisor.
    pub fn url_of(&self, domain: Uuid) -> String {
        format!("{}#{domain}", self.appliance)
    }
}

/// Encodes a text for a URI, by percent signs (RFC 3986). A slash stays, because paths have it.
fn encoded(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    for byte in text.bytes() {
        match byte {
            b'a'..=b'z' | b'A'..=b'Z' | b'0'..=b'9' | b'-' | b'.' | b'_' | b'~' | b'/' => out.push(char::from(byte)),
            byte => out.push_str(&format!("%{byte:02X}")),
        }
    }
    out
}
