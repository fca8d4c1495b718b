//! Writes the equipment that every rack has for its devices: power on two sides, a management switch, a console server.
//!
//! A [`Gear`] assigns the next free outlet, port and address, so that its users need not count.

use serde_json::{Value, json};

use super::catalogue::{GIGABIT, PDU};
use super::item::{Cable, Items, RackPosition, extend};
use super::plan::RackPlan;
use super::refs::{self, Owner};

/// The number of outlets of a PDU. Every fourth outlet is a C19 for heavy loads; the others are C13.
const OUTLETS: usize = 24;
/// The name of the serial console port of a network device.
const CONSOLE: &str = "console";

/// The type of power cord of a device.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Cord {
    /// Up to 10 A.
    C13,
    /// Up to 16 A.
    C19,
}

/// The equipment of a rack, with the next free outlets, port and address.
pub(super) struct Gear<'a> {
    pub(super) rack: &'a RackPlan,
    /// The owners of the outlets of side A and B, with the prefix of the outlets' names.
    strips: [(Owner, &'static str); 2],
    /// The number of used outlets on each side, C13 and C19.
    outlets: [[usize; 2]; 2],
    /// The management switch with its next free port.
    switch: Option<(Owner, usize)>,
    /// The number of management addresses in use.
    addresses: usize,
}

/// A console server with its next free port.
pub(super) struct Console {
    pub(super) device: Owner,
    next: usize,
}

impl<'a> Gear<'a> {
    /// Adds the two PDUs of a rack, each cabled to one of the rack's feeds.
    pub(super) fn with_pdus(items: &mut Items, rack: &'a RackPlan) -> Self {
        let strips = ["a", "b"].map(|side| {
            let pdu =
                items.device(rack, &PDU, &rack.device_name(&format!("pdu-{side}")), RackPosition::Beside, json!({}));
            let inlet = items.port(&pdu, "POWER_INLET", "inlet", json!({"connector": "iec-60309-3p-n-e-6h"}));
            outlets(items, &pdu, "", &refs::port_end(inlet.clone()));
            let feed = refs::feed_end(rack.feed(side));
            let cable = Cable::new(&rack.series(), "POWER", 3.0, feed, refs::port_end(inlet));
            items.cable(cable.status(rack.cable_status()));
            (pdu, "")
        });
        Self { rack, strips, outlets: [[0; 2]; 2], switch: None, addresses: 9 }
    }

    /// Uses the facility's outlet strips, which belong to the rack itself.
    pub(super) fn with_rack_outlets(items: &mut Items, rack: &'a RackPlan) -> Self {
        let strips = [("a", "A"), ("b", "B")].map(|(side, prefix)| {
            outlets(items, &rack.owner(), prefix, &refs::feed_end(rack.feed(side)));
            (rack.owner(), prefix)
        });
        Self { rack, strips, outlets: [[0; 2]; 2], switch: None, addresses: 9 }
    }

    /// Uses a management switch from the given port on. The PDUs get the first ports.
    pub(super) fn manage_by(&mut self, items: &mut Items, switch: Owner, first_port: usize) {
        self.switch = Some((switch, first_port));
        for (strip, _) in self.strips.clone() {
            if strip.kind() == "device" {
                self.manage(items, &strip, "net");
            }
        }
    }

    /// Adds the power inlets of a device, on sides A and B in turn.
    pub(super) fn power(&mut self, items: &mut Items, device: &Owner, inlets: usize, cord: Cord) {
        for n in 0..inlets {
            let outlet = self.outlet(n % 2, cord);
            let color = if n % 2 == 0 { "red" } else { "blue" };
            let name = format!("PSU{}", n + 1);
            let inlet = items.port(device, "POWER_INLET", &name, json!({"connector": cord.inlet()}));
            let length = items.length(1, 2);
            let cable = Cable::new(&self.rack.series(), "POWER", length, outlet, refs::port_end(inlet));
            items.cable(cable.colored(color).status(self.rack.cable_status()));
        }
    }

    /// Returns the next free outlet of a side, as the end of a cable.
    fn outlet(&mut self, side: usize, cord: Cord) -> Value {
        let in_use = &mut self.outlets[side][cord as usize];
        let number = match cord {
            Cord::C13 => *in_use + *in_use / 3 + 1,
            Cord::C19 => 4 * (*in_use + 1),
        };
        *in_use += 1;
        let (strip, prefix) = &self.strips[side];
        strip.end("POWER_OUTLET", &format!("{prefix}{number}"))
    }

    /// Returns the address that the next managed device will have.
    pub(super) fn next_address(&self) -> String {
        self.rack.management_address(self.addresses + 1).to_string()
    }

    /// Returns the device field `addresses` with the management address of the next managed device.
    pub(super) fn addresses(&self, loopback: Option<String>) -> Value {
        let mut addresses = vec![json!({"type": "MANAGEMENT", "address": self.next_address()})];
        addresses.extend(loopback.map(|address| json!({"type": "INTERNAL", "address": address})));
        Value::Array(addresses)
    }

    /// Adds the management port of a device, cabled to the rack's management switch.
    pub(super) fn manage(&mut self, items: &mut Items, device: &Owner, name: &str) {
        let address = format!("{}/24", self.next_address());
        self.addresses += 1;
        let mac = items.mac();
        let port = json!({
            "connector": "1000base-t", "speedBps": GIGABIT, "mac": mac, "mgmtOnly": true, "addresses": [address],
        });
        let port = items.port(device, "ETHERNET", name, port);
        self.attach(items, port);
    }

    /// Adds the port over which a server is installed, also cabled to the rack's management switch.
    pub(super) fn install(&mut self, items: &mut Items, device: &Owner) {
        let mac = items.mac();
        let port = json!({"connector": "1000base-t", "speedBps": GIGABIT, "mac": mac});
        let port = items.port(device, "ETHERNET", "lom0", port);
        self.attach(items, port);
    }

    /// Cables a port to the next free port of the management switch, if there is one.
    fn attach(&mut self, items: &mut Items, port: Value) {
        let Some((switch, next)) = &mut self.switch else { return };
        let uplink = switch.end("ETHERNET", &format!("Ethernet{next}"));
        *next += 1;
        let length = items.length(1, 3);
        let cable = Cable::new(&self.rack.series(), "COPPER", length, refs::port_end(port), uplink);
        items.cable(cable.colored("green").status(self.rack.cable_status()));
    }

    /// Adds the rack's own management switch with two uplinks. `used` is the number of its ports in use.
    pub(super) fn add_switch(&mut self, items: &mut Items, name: &str, place: RackPosition, used: usize) -> Owner {
        let address = self.addresses(None);
        self.addresses += 1;
        let (name, fit_out) = (self.rack.device_name(name), self.rack.fit_out);
        let switch = items.device(self.rack, &fit_out.management_switch, &name, place, json!({"addresses": address}));
        let ports = fit_out.management_ports;
        for n in 1..=ports {
            let mut port = json!({"connector": "1000base-t", "speedBps": GIGABIT});
            // Network operators disable unused ports.
            extend(&mut port, if n > used { json!({"enabled": false}) } else { json!({}) });
            items.port(&switch, "ETHERNET", &format!("Ethernet{n}"), port);
        }
        for n in ports + 1..=ports + 2 {
            let uplink = json!({"connector": "10gbase-x-sfpp", "speedBps": 10 * GIGABIT});
            items.port(&switch, "ETHERNET", &format!("Ethernet{n}"), uplink);
        }
        self.power(items, &switch, 1, Cord::C13);
        self.manage_by(items, switch.clone(), 1);
        switch
    }
}

impl Cord {
    fn inlet(self) -> &'static str {
        match self {
            Self::C13 => "iec-60320-c14",
            Self::C19 => "iec-60320-c20",
        }
    }
}

impl Console {
    /// Adds a console server.
    pub(super) fn new(items: &mut Items, gear: &mut Gear, name: String, place: RackPosition) -> Self {
        let more = json!({"addresses": gear.addresses(None)});
        let fit_out = gear.rack.fit_out;
        let device = items.device(gear.rack, &fit_out.console_server, &name, place, more);
        for n in 1..=fit_out.console_ports {
            items.port(&device, "SERIAL", &format!("tty{n}"), json!({"connector": "rj-45"}));
        }
        gear.power(items, &device, 1, Cord::C13);
        gear.manage(items, &device, "net1");
        Self { device, next: 1 }
    }

    /// Adds the console port of a device in a rack, cabled to the console server.
    pub(super) fn attach(&mut self, items: &mut Items, rack: &RackPlan, device: &Owner) {
        let port = items.port(device, "SERIAL", CONSOLE, json!({"connector": "rj-45"}));
        let server = self.device.end("SERIAL", &format!("tty{}", self.next));
        self.next += 1;
        let length = items.length(2, 15);
        let cable = Cable::new(&rack.series(), "COPPER", length, refs::port_end(port), server);
        items.cable(cable.colored("black").status(rack.cable_status()));
    }
}

/// Adds the outlets of a PDU or rack.
fn outlets(items: &mut Items, owner: &Owner, prefix: &str, source: &Value) {
    for n in 1..=OUTLETS {
        let connector = if n % 4 == 0 { "iec-60320-c19" } else { "iec-60320-c13" };
        items.port(owner, "POWER_OUTLET", &format!("{prefix}{n}"), json!({"connector": connector, "fedBy": [source]}));
    }
}
