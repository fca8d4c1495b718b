//! The settings of a node that come from a host: the driver, the address and the credential of its BMC, and what the
//! machine is.

use serde_json::{Map, Value, json};
use thiserror::Error;
use underlay_address::{Address, AddressError, Host as Name, Scheme, Transport};
use underlay_hosts::host::{BootMode, Host, RootDevice};
use underlay_hosts::machine::{CallError, Target};

/// The reason why a host cannot be a node.
#[derive(Debug, Error, PartialEq, Eq)]
pub enum MachineError {
    /// The host has no BMC, so nothing could switch it.
    #[error("the host has no bmcUrl, and no node is found for it: set bmcUrl")]
    NoAddress,
    /// The address cannot be read.
    #[error("bmcUrl {0}")]
    Address(#[from] AddressError),
    /// Ironic has no driver for the address.
    #[error("the provisioner has no driver for {0}://; it has drivers for redfish, ipmi and simulated")]
    NoDriver(&'static str),
}

impl From<MachineError> for CallError {
    fn from(error: MachineError) -> Self {
        let reason = if matches!(error, MachineError::NoDriver(_)) { "NoDriver" } else { "WrongAddress" };
        Self::Refused { reason: reason.to_owned(), message: error.to_string() }
    }
}

/// The settings of a node.
#[derive(Clone, PartialEq)]
pub struct Settings {
    /// The hardware type.
    pub driver: &'static str,
    /// The interface that boots it, if the address asks for one.
    pub boot_interface: Option<&'static str>,
    /// The members of `driver_info`, which has the password.
    pub driver_info: Map<String, Value>,
    /// The host of the address, which is connected to; `None` for simulated hardware.
    pub connects_to: Option<Name>,
}

impl Settings {
    /// Returns the settings of a target.
    ///
    /// # Errors
    /// Returns an error if Ironic cannot reach such an address.
    pub fn of(target: &Target) -> Result<Self, MachineError> {
        if target.url.is_empty() {
            return Err(MachineError::NoAddress);
        }
        let address = Address::parse(&target.url)?;
        let (driver, mut driver_info) = match address.scheme {
            scheme if scheme.is_redfish() => ("redfish", redfish(&address, target)),
            Scheme::Ipmi => ("ipmi", ipmi(&address)),
            Scheme::Simulated => ("fake-hardware", Map::new()),
            other => return Err(MachineError::NoDriver(other.name())),
        };
        let connects_to = address.scheme.connects().then_some(address.host);
        if let (Some(secret), Some(_)) = (&target.secret, &connects_to) {
            driver_info.insert(format!("{driver}_username"), json!(secret.username));
            driver_info.insert(format!("{driver}_password"), json!(secret.password));
        }
        let boot_interface = match address.scheme {
            Scheme::RedfishVirtualMedia => Some("redfish-virtual-media"),
            Scheme::RedfishUefiHttp => Some("redfish-https"),
            _ => None,
        };
        Ok(Self { driver, boot_interface, driver_info, connects_to })
    }
}

fn redfish(address: &Address, target: &Target) -> Map<String, Value> {
    let scheme = if address.transport == Transport::Http { "http" } else { "https" };
    let mut members = Map::new();
    members.insert("redfish_address".to_owned(), json!(format!("{scheme}://{}", authority(address))));
    let path = address.path.trim_end_matches('/');
    if !matches!(path, "" | "/redfish" | "/redfish/v1") {
        members.insert("redfish_system_id".to_owned(), json!(path));
    }
    members.insert("redfish_verify_ca".to_owned(), json!(!target.insecure));
    members
}

fn ipmi(address: &Address) -> Map<String, Value> {
    let mut members = Map::new();
    members.insert("ipmi_address".to_owned(), json!(address.host.to_string()));
    if let Some(port) = address.port {
        members.insert("ipmi_port".to_owned(), json!(port));
    }
    members
}

fn authority(address: &Address) -> String {
    let host = match &address.host {
        Name::Ip(ip) if ip.is_ipv6() => format!("[{ip}]"),
        host => host.to_string(),
    };
    address.port.map_or_else(|| host.clone(), |port| format!("{host}:{port}"))
}

/// Returns the members of `properties` that a host says, beside those that the node has.
pub fn properties(host: &Host, old: &Map<String, Value>) -> Map<String, Value> {
    let mut members = Map::new();
    if let Some(device) = &host.root_device {
        members.insert("root_device".to_owned(), hints(device));
    }
    if let Some(mode) = host.boot_mode {
        let old = old.get("capabilities").and_then(Value::as_str).unwrap_or_default();
        members.insert("capabilities".to_owned(), json!(capabilities(old, mode)));
    }
    members
}

/// Returns the hints by which Ironic finds a disk.
fn hints(device: &RootDevice) -> Value {
    /// The bytes of the unit in which Ironic counts sizes.
    const GIB: u64 = 1 << 30;
    let mut hints = Map::new();
    for (name, value) in [("wwn", &device.wwn), ("serial", &device.serial), ("name", &device.name)] {
        if let Some(value) = value {
            hints.insert(name.to_owned(), json!(value));
        }
    }
    if let Some(bytes) = device.min_size_bytes {
        hints.insert("size".to_owned(), json!(format!(">= {}", bytes.div_ceil(GIB))));
    }
    if let Some(rotational) = device.rotational {
        hints.insert("rotational".to_owned(), json!(rotational));
    }
    Value::Object(hints)
}

/// Returns capabilities (`name:value,name:value`) with those of a boot mode.
fn capabilities(old: &str, mode: BootMode) -> String {
    let (boot, secure) = match mode {
        BootMode::Uefi => ("uefi", false),
        BootMode::UefiSecure => ("uefi", true),
        BootMode::Bios => ("bios", false),
    };
    let is_other =
        |pair: &&str| !pair.is_empty() && !pair.starts_with("boot_mode:") && !pair.starts_with("secure_boot:");
    let mut pairs: Vec<String> = old.split(',').map(str::trim).filter(is_other).map(str::to_owned).collect();
    pairs.push(format!("boot_mode:{boot}"));
    pairs.push(format!("secure_boot:{secure}"));
    pairs.join(",")
}

#[cfg(test)]
mod tests {
    use underlay_hosts::machine::Secret;

    use super::*;

    fn target(url: &str) -> Target {
        let secret = Secret { username: "admin".into(), password: "hunter2".into(), ..Secret::default() };
        Target { url: url.into(), secret: Some(secret), ..Target::default() }
    }

    #[test]
    fn an_address_becomes_a_driver_and_its_settings() {
        for (url, driver, boot, expected) in [
            (
                "redfish://10.0.0.7",
                "redfish",
                None,
                json!({"redfish_address": "https://10.0.0.7", "redfish_verify_ca": true,
                    "redfish_username": "admin", "redfish_password": "hunter2"}),
            ),
            (
                "redfish-virtualmedia+http://[2001:db8::7]:8000/redfish/v1/Systems/1/",
                "redfish",
                Some("redfish-virtual-media"),
                json!({"redfish_address": "http://[2001:db8::7]:8000", "redfish_system_id": "/redfish/v1/Systems/1",
                    "redfish_verify_ca": true, "redfish_username": "admin", "redfish_password": "hunter2"}),
            ),
            (
                "ipmi://bmc-7:6230",
                "ipmi",
                None,
                json!({"ipmi_address": "bmc-7", "ipmi_port": 6230, "ipmi_username": "admin", "ipmi_password": "hunter2"}),
            ),
            ("simulated://a", "fake-hardware", None, json!({})),
        ] {
            let settings = Settings::of(&target(url)).expect("settings");
            let found = (settings.driver, settings.boot_interface, Value::Object(settings.driver_info));
            assert_eq!(found, (driver, boot, expected), "{url}");
        }
    }

    #[test]
    fn an_address_that_ironic_cannot_reach_is_refused() {
        for (url, sentence) in [
            ("", "the host has no bmcUrl"),
            ("libvirt+tls://host/system", "no driver for libvirt://"),
            ("exec://lab#a", "no driver for exec://"),
            ("telnet://a", "unknown scheme"),
        ] {
            let Err(error) = Settings::of(&target(url)) else { panic!("{url} has settings") };
            assert!(error.to_string().contains(sentence), "{url}: {error}");
        }
    }

    #[test]
    fn a_host_says_which_disk_and_which_firmware() {
        let device =
            RootDevice { min_size_bytes: Some((100 << 30) + 1), rotational: Some(false), ..RootDevice::default() };
        assert_eq!(hints(&device), json!({"size": ">= 101", "rotational": false}));
        let named = RootDevice { name: Some("/dev/sda".into()), wwn: Some("0x5".into()), ..RootDevice::default() };
        assert_eq!(hints(&named), json!({"name": "/dev/sda", "wwn": "0x5"}));
        assert_eq!(capabilities("", BootMode::Bios), "boot_mode:bios,secure_boot:false");
        let kept = capabilities("cpu_vt:true, boot_mode:bios", BootMode::UefiSecure);
        assert_eq!(kept, "cpu_vt:true,boot_mode:uefi,secure_boot:true");
    }
}
