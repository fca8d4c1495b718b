//! The ports and devices that a neighbour leads to by what it says of itself.

use underlay_entity::port::Model as PortRow;
use underlay_facts::{Neighbour, NeighbourIdSubtype};
use underlay_inventory::{ObjectRef, Snapshot};

use super::lookup::{
    data_ports, device_of, device_row, devices_named, has_mac, is_same, is_same_port, is_same_stack, ports_with_mac,
    stack_mates,
};

/// The objects that a neighbour leads to. Of each kind, those that the strongest rule finds are kept apart.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Lead {
    /// The ports by all rules.
    ports: Vec<ObjectRef>,
    /// The ports by the strongest rule that leads to any.
    best_ports: Vec<ObjectRef>,
    /// The devices by all rules.
    devices: Vec<ObjectRef>,
    /// The devices by the strongest rule that leads to any.
    best_devices: Vec<ObjectRef>,
}

impl Lead {
    /// Follows what a neighbour says of itself: MAC addresses, then names, then the description. The far ends of its line
    /// are looked at first, so that they are found however many objects have a text in common.
    pub fn of(snapshot: &Snapshot, neighbour: &Neighbour, far_ends: &[ObjectRef]) -> Self {
        let [by_mac, by_name, by_label] = devices(snapshot, neighbour, far_ends);
        let on_all = |fits: &dyn Fn(&PortRow) -> bool| {
            [&by_mac, &by_name, &by_label].map(|devices| ports(snapshot, devices, fits)).to_vec()
        };
        let mut found = vec![by_port_mac(snapshot, neighbour, far_ends)];
        found.extend(on_all(&|row| is_same(&row.name, &neighbour.port_id)));
        if let Some(text) = &neighbour.port_description
            && found.iter().all(Vec::is_empty)
        {
            found.extend(on_all(&|row| is_same(&row.name, text)));
            found.extend(on_all(&|row| row.description.as_deref().is_some_and(|own| is_same(own, text))));
        }
        let (best_ports, ports) = best_and_all(found);
        let (best_devices, devices) = best_and_all(vec![by_mac, by_name, by_label]);
        Self { ports, best_ports, devices, best_devices }
    }

    /// Returns true if the neighbour leads to anything.
    pub fn is_known(&self) -> bool {
        !self.ports.is_empty() || !self.devices.is_empty()
    }

    /// Returns true if a far end is what the neighbour is: a port that it leads to, or a port of its device or stack if
    /// nothing is known but that.
    pub fn is(&self, snapshot: &Snapshot, far_end: ObjectRef) -> bool {
        if self.ports.is_empty() {
            let device = device_of(snapshot, far_end);
            return device.is_some_and(|it| self.devices.iter().any(|other| is_same_stack(snapshot, it, *other)));
        }
        self.ports.iter().any(|port| is_same_port(snapshot, *port, far_end))
    }

    /// Returns the only port that the neighbour leads to. Of several, it is the only one at the site of a machine.
    pub fn port(&self, snapshot: &Snapshot, machine: ObjectRef) -> Option<ObjectRef> {
        let is_near = |port| device_of(snapshot, port).is_some_and(|it| is_at_site(snapshot, it, machine));
        only(&self.best_ports, is_near)
    }

    /// Returns the only device that the neighbour leads to. Of several, it is the only one at the site of a machine.
    pub fn device(&self, snapshot: &Snapshot, machine: ObjectRef) -> Option<ObjectRef> {
        let is_near = |device| is_at_site(snapshot, device, machine);
        if self.best_ports.is_empty() {
            return only(&self.best_devices, is_near);
        }
        let of_ports = self.best_ports.iter().filter_map(|port| device_of(snapshot, *port));
        only(&distinct(of_ports), is_near)
    }
}

/// Returns the objects of the first rule that finds any, and those of all rules.
fn best_and_all(found: Vec<Vec<ObjectRef>>) -> (Vec<ObjectRef>, Vec<ObjectRef>) {
    let best = found.iter().find(|objects| !objects.is_empty()).cloned().unwrap_or_default();
    (best, distinct(found.into_iter().flatten()))
}

fn distinct(objects: impl Iterator<Item = ObjectRef>) -> Vec<ObjectRef> {
    let mut all = Vec::new();
    for object in objects {
        if !all.contains(&object) {
            all.push(object);
        }
    }
    all
}

/// Returns the only object of a list, or the only one that is preferred.
fn only(all: &[ObjectRef], is_preferred: impl Fn(ObjectRef) -> bool) -> Option<ObjectRef> {
    if let [only] = all {
        return Some(*only);
    }
    let mut preferred = all.iter().copied().filter(|object| is_preferred(*object));
    preferred.next().filter(|_| preferred.next().is_none())
}

fn is_at_site(snapshot: &Snapshot, device: ObjectRef, machine: ObjectRef) -> bool {
    let site = |device: ObjectRef| device_row(snapshot, device).map(|row| row.site_id);
    site(device) == site(machine)
}

/// Returns the devices that a neighbour may be: by the MAC address of its chassis, by its name, and by the first label of
/// its name.
fn devices(snapshot: &Snapshot, neighbour: &Neighbour, far_ends: &[ObjectRef]) -> [Vec<ObjectRef>; 3] {
    let far: Vec<ObjectRef> = distinct(far_ends.iter().filter_map(|port| device_of(snapshot, *port)));
    let named = |name: &str| {
        let has = |device: &ObjectRef| device_row(snapshot, *device).is_some_and(|row| is_same(&row.name, name));
        distinct(far.iter().copied().filter(has).chain(devices_named(snapshot, name)))
    };
    let by_mac = match neighbour.chassis_id_subtype {
        Some(NeighbourIdSubtype::MacAddress) => {
            distinct(ports_with_mac(snapshot, &neighbour.chassis_id).iter().filter_map(|it| device_of(snapshot, *it)))
        }
        _ => Vec::new(),
    };
    let name = neighbour.system_name.as_deref();
    let label = name.and_then(|name| name.split_once('.')).map(|(label, _)| label);
    [by_mac, name.map(named).unwrap_or_default(), label.map(named).unwrap_or_default()]
}

/// Returns the ports of devices with the MAC address that is the id of a neighbour's port.
fn by_port_mac(snapshot: &Snapshot, neighbour: &Neighbour, far_ends: &[ObjectRef]) -> Vec<ObjectRef> {
    if neighbour.port_id_subtype != Some(NeighbourIdSubtype::MacAddress) {
        return Vec::new();
    }
    let mac = &neighbour.port_id;
    let has = |port: &ObjectRef| has_mac(snapshot, *port, mac);
    let ports = far_ends.iter().copied().filter(has).chain(ports_with_mac(snapshot, mac));
    distinct(ports.filter(|port| device_of(snapshot, *port).is_some()))
}

/// Returns the ports of devices that fit. If a device has none, the other members of its stack are looked at, because a
/// stack often speaks with one name.
fn ports(snapshot: &Snapshot, devices: &[ObjectRef], fits: &dyn Fn(&PortRow) -> bool) -> Vec<ObjectRef> {
    let of = |device: ObjectRef| {
        let fitting = data_ports(snapshot, device).filter(|(_, row)| fits(row));
        fitting.map(|(port, _)| port).collect::<Vec<_>>()
    };
    let mut found = Vec::new();
    for device in devices {
        let own = of(*device);
        if own.is_empty() {
            found.extend(stack_mates(snapshot, *device).into_iter().flat_map(of));
        } else {
            found.extend(own);
        }
    }
    found
}
