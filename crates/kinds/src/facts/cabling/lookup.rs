//! Finds ports and devices of a snapshot by the texts by which machines name themselves. Case does not matter.
//!
//! Guarantee: a look at the snapshot is bounded, however many objects have a text in common.

use underlay_entity::device::Model as DeviceRow;
use underlay_entity::port::{Model as PortRow, PortFamily};
use underlay_inventory::{Kind, ObjectRef, Snapshot, cast, fold};

use crate::device::Device;
use crate::port::Port;

/// The maximum number of objects that a text leads to.
const MAX_FOUND: usize = 16;
/// The maximum number of objects that are read for a text, or of a device.
const MAX_READ: usize = 4_096;

/// Returns true if two texts are the same, whatever their case and the spaces around them.
pub fn is_same(one: &str, other: &str) -> bool {
    fold(one.trim()) == fold(other.trim())
}

/// Returns the row of a port; `None` for an object of another kind.
pub fn port_row(snapshot: &Snapshot, port: ObjectRef) -> Option<&PortRow> {
    snapshot.row(port).filter(|_| port.kind == Port::ID).map(|row| cast::<PortRow>(row.as_ref()))
}

/// Returns the row of a device; `None` for an object of another kind.
pub fn device_row(snapshot: &Snapshot, device: ObjectRef) -> Option<&DeviceRow> {
    snapshot.row(device).filter(|_| device.kind == Device::ID).map(|row| cast::<DeviceRow>(row.as_ref()))
}

/// Returns the ports with a MAC address, of devices and of virtual machines.
pub fn ports_with_mac(snapshot: &Snapshot, mac: &str) -> Vec<ObjectRef> {
    with_text::<Port>(snapshot, mac).filter(|port| has_mac(snapshot, *port, mac)).take(MAX_FOUND).collect()
}

/// Returns true if a port has a MAC address.
pub fn has_mac(snapshot: &Snapshot, port: ObjectRef, mac: &str) -> bool {
    port_row(snapshot, port).and_then(|row| row.mac.as_deref()).is_some_and(|own| is_same(own, mac))
}

/// Returns the devices of a name.
pub fn devices_named(snapshot: &Snapshot, name: &str) -> Vec<ObjectRef> {
    let has = |device: &ObjectRef| device_row(snapshot, *device).is_some_and(|row| is_same(&row.name, name));
    with_text::<Device>(snapshot, name).filter(has).take(MAX_FOUND).collect()
}

fn with_text<'a, K: Kind>(snapshot: &'a Snapshot, text: &str) -> impl Iterator<Item = ObjectRef> + use<'a, K> {
    let slots = snapshot.table(K::ID).texts().get(&fold(text.trim())).into_iter().flat_map(|slots| slots.iter());
    slots.take(MAX_READ).map(|slot| ObjectRef { kind: K::ID, slot })
}

/// Returns the data ports of a device, in the order of their names.
pub fn data_ports(snapshot: &Snapshot, device: ObjectRef) -> impl Iterator<Item = (ObjectRef, &PortRow)> {
    let id = device_row(snapshot, device).map(|row| row.id);
    let ports = id.into_iter().flat_map(|id| snapshot.children(Port::ID, id).take(MAX_READ));
    let ports = ports.map(|(_, slot)| ObjectRef { kind: Port::ID, slot });
    ports
        .filter_map(|port| Some((port, port_row(snapshot, port)?)))
        .filter(|(_, row)| row.r#type.family() == PortFamily::Data)
}

/// Returns the device that has a port.
pub fn device_of(snapshot: &Snapshot, port: ObjectRef) -> Option<ObjectRef> {
    snapshot.outgoing(port).first_by(Port::DEVICE)
}

/// Returns true if two devices are the same, members of one stack, or a stack and a member of it.
pub fn is_same_stack(snapshot: &Snapshot, one: ObjectRef, other: ObjectRef) -> bool {
    let parent = |device: ObjectRef| snapshot.outgoing(device).first_by(Device::PARENT);
    one == other
        || parent(one) == Some(other)
        || parent(other) == Some(one)
        || (parent(one).is_some() && parent(one) == parent(other))
}

/// Returns the other members of the stack of a device, and the stack itself.
pub fn stack_mates(snapshot: &Snapshot, device: ObjectRef) -> Vec<ObjectRef> {
    let parent = snapshot.outgoing(device).first_by(Device::PARENT);
    let members = |stack: ObjectRef| snapshot.incoming(stack).by(Device::PARENT).take(MAX_READ);
    let siblings = parent.into_iter().flat_map(members);
    let mut mates: Vec<ObjectRef> = parent.into_iter().chain(siblings).chain(members(device)).collect();
    mates.retain(|mate| *mate != device);
    mates.truncate(MAX_FOUND);
    mates
}

/// Returns true if two ports are the same, or one is a part of the other or a member of it.
pub fn is_same_port(snapshot: &Snapshot, one: ObjectRef, other: ObjectRef) -> bool {
    let belongs = |part: ObjectRef, whole: ObjectRef| {
        let outgoing = snapshot.outgoing(part);
        [Port::PARENT, Port::LAG].into_iter().any(|by| outgoing.first_by(by) == Some(whole))
    };
    one == other || belongs(one, other) || belongs(other, one)
}
