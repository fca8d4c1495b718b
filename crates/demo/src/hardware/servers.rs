//! The accelerator servers of the demo as they are built: their network ports, and the cables that really lead there.
//!
//! Guarantee: they depend on the items of the demo alone, not on what becomes of these in an inventory. So a cable that
//! somebody records otherwise is another one than that which the machine hears.

use std::collections::{BTreeMap, HashMap, HashSet};

use serde_json::Value;

use crate::{Options, items};

/// The beginning of the serial numbers of the servers that the simulated appliance lists.
const SERIALS: &str = "SIM-";

/// The accelerator servers of the demo, by serial numbers.
#[derive(Clone, Debug, Default)]
pub struct Servers(BTreeMap<String, Server>);

/// An accelerator server.
#[derive(Clone, Debug, Default)]
pub struct Server {
    /// The connected network ports, in the order of their names.
    pub(super) links: Vec<Link>,
}

/// A connected network port.
#[derive(Clone, Debug)]
pub(super) struct Link {
    pub name: String,
    pub mac: String,
    pub speed_mbps: u32,
    /// The far end, as it is recorded.
    pub far_end: PortName,
    /// A port of the same speed of the device at the far end, to which no cable leads, if there is one.
    pub free: Option<PortName>,
}

/// A port by the name of its device and its own.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub(super) struct PortName {
    pub device: String,
    pub port: String,
}

/// The data ports, as the items of the demo describe them.
#[derive(Default)]
struct Plans {
    /// The names of the servers, with their serial numbers.
    servers: BTreeMap<String, String>,
    /// The network ports with their fields, in the order of the items.
    ports: Vec<(PortName, Value)>,
    /// The ports at both ends of cables between two.
    cables: HashMap<PortName, PortName>,
    /// All ports to which a cable leads.
    cabled: HashSet<PortName>,
}

impl Servers {
    /// Returns the accelerator servers of the demo.
    #[must_use]
    pub fn of_demo() -> Self {
        let mut plans = Plans::default();
        for item in items(&Options::default()) {
            plans.read(&item);
        }
        let server = |(name, serial): (&String, &String)| (serial.clone(), Server { links: plans.links(name) });
        Self(plans.servers.iter().map(server).collect())
    }

    /// Returns the server with a serial number.
    #[must_use]
    pub fn get(&self, serial: &str) -> Option<&Server> {
        self.0.get(serial)
    }
}

impl Plans {
    fn read(&mut self, item: &Value) {
        let name = |fields: &Value| fields["name"].as_str().map(str::to_owned);
        if let (Some(name), Some(serial)) = (name(&item["device"]), item["device"]["serial"].as_str()) {
            self.servers.extend(serial.starts_with(SERIALS).then(|| (name, serial.to_owned())));
        }
        let port = &item["port"];
        if let (Some(name), Some(device), Some("ETHERNET")) =
            (name(port), port["device"]["device"].as_str(), port["type"].as_str())
        {
            self.ports.push((PortName { device: device.to_owned(), port: name }, port.clone()));
        }
        let [a, b] = ["aEnds", "bEnds"].map(|side| ends(&item["cable"][side]));
        if let ([a], [b]) = (&a[..], &b[..]) {
            self.cables.extend([(a.clone(), b.clone()), (b.clone(), a.clone())]);
        }
        self.cabled.extend(a.into_iter().chain(b));
    }

    /// Returns the connected network ports of a device.
    fn links(&self, device: &str) -> Vec<Link> {
        let own = self.ports.iter().filter(|(at, _)| at.device == device);
        let mut links: Vec<Link> = own.filter_map(|(at, fields)| self.link(at, fields)).collect();
        links.sort_by(|one, other| one.name.cmp(&other.name));
        links
    }

    /// Returns a connected network port that the system of a server sees: that of its BMC is none.
    fn link(&self, at: &PortName, fields: &Value) -> Option<Link> {
        let far_end = self.cables.get(at).filter(|_| fields["mgmtOnly"] != true)?.clone();
        let is_free = |(port, other): &&(PortName, Value)| {
            port.device == far_end.device && !self.cabled.contains(port) && other["speedBps"] == fields["speedBps"]
        };
        let free = self.ports.iter().find(is_free).map(|(port, _)| port.clone());
        Some(Link {
            name: at.port.clone(),
            mac: fields["mac"].as_str()?.to_owned(),
            speed_mbps: u32::try_from(fields["speedBps"].as_u64()? / 1_000_000).ok()?,
            far_end,
            free,
        })
    }
}

/// Returns the data ports of devices among the ends of one side of a cable.
fn ends(side: &Value) -> Vec<PortName> {
    let ends = side.as_array().map(Vec::as_slice).unwrap_or_else(|| std::slice::from_ref(side));
    let name = |end: &Value| {
        let port = &end["port"];
        let is_data = port["family"].as_str() == Some("DATA");
        let name = PortName { device: port["device"].as_str()?.to_owned(), port: port["port"].as_str()?.to_owned() };
        is_data.then_some(name)
    };
    ends.iter().filter_map(name).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn each_accelerator_server_has_two_cables_to_different_leaves() {
        let servers = Servers::of_demo();
        assert!(servers.0.len() >= 8, "{}", servers.0.len());
        for (serial, server) in &servers.0 {
            let [one, other] = &server.links[..] else { panic!("{serial}: {:?}", server.links) };
            assert_eq!((one.name.as_str(), other.name.as_str()), ("ens1f0", "ens1f1"), "{serial}");
            assert_eq!((one.speed_mbps, one.far_end.port.as_str()), (100_000, other.far_end.port.as_str()), "{serial}");
            assert_ne!(one.far_end.device, other.far_end.device, "{serial}");
            let free = one.free.as_ref().expect("a free port");
            assert!(free.device == one.far_end.device && free.port != one.far_end.port, "{serial}");
        }
    }
}
