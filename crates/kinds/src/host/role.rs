//! The role of hosts in orders and claims: what these must know of machines, racks and of what can fail.

use std::net::IpAddr;

use underlay_address::{Address, Scheme};
use underlay_entity::device::DeviceRole;
use underlay_entity::lifecycle::Status;

use super::kind::Host;
use crate::appliance::Appliance;
use crate::circuit::Circuit;
use crate::device::{Device, UUID_ATTRIBUTE};
use crate::facts;
use crate::hosts::{HostRole, Names, Spread};
use crate::port::Port;
use crate::power_feed::PowerFeed;
use crate::rack::Rack;
use crate::virtual_machine::VirtualMachine;
use crate::{ids, topology};
use underlay_inventory::{Kind, KindId, ObjectRef, Snapshot, cast};

/// The greatest number of devices inside each other that are looked at for a rack.
const MAX_NESTED_DEVICES: usize = 16;

/// The role of hosts in orders and claims.
pub const ROLE: HostRole = HostRole {
    kind: ids::HOST,
    profiles: ids::PROFILE,
    class: Host::CLASS,
    machine: Host::MACHINE,
    status,
    names,
    carries,
    enclosure: rack,
    failures,
    hardware: facts::reported_amounts,
    topology,
};

fn status(snapshot: &Snapshot, machine: ObjectRef) -> Option<Status> {
    let row = snapshot.row(machine)?.as_ref();
    match machine.kind {
        ids::DEVICE => Some(cast::<<Device as Kind>::Row>(row).status),
        ids::VIRTUAL_MACHINE => Some(cast::<<VirtualMachine as Kind>::Row>(row).status),
        _ => None,
    }
}

fn names(snapshot: &Snapshot, machine: ObjectRef) -> Names<'_> {
    let row = match (machine.kind, snapshot.row(machine)) {
        (ids::DEVICE, Some(row)) => cast::<<Device as Kind>::Row>(row.as_ref()),
        _ => return Names::default(),
    };
    let uuid = row.attributes.0.get(UUID_ATTRIBUTE).and_then(|uuid| uuid.as_str());
    Names { serial: row.serial.as_deref(), uuid }
}

/// Returns true if virtual machines run on a device, or if a hypervisor that is an appliance has one of its addresses.
fn carries(snapshot: &Snapshot, machine: ObjectRef) -> bool {
    if snapshot.incoming(machine).first_by(VirtualMachine::HOST).is_some() {
        return true;
    }
    let hypervisors: Vec<IpAddr> = all(snapshot, Appliance::ID).filter_map(|it| hypervisor(snapshot, it)).collect();
    if hypervisors.is_empty() {
        return false;
    }
    snapshot.incoming(machine).by(Port::DEVICE).any(|port| {
        let Some(row) = snapshot.row(port) else { return false };
        let addresses = &cast::<<Port as Kind>::Row>(row.as_ref()).addresses.0;
        let ip = |address: &str| address.split('/').next().and_then(|ip| ip.parse::<IpAddr>().ok());
        addresses.iter().filter_map(|address| ip(address)).any(|ip| hypervisors.contains(&ip))
    })
}

/// Returns the IP address of an appliance that is a hypervisor.
fn hypervisor(snapshot: &Snapshot, appliance: ObjectRef) -> Option<IpAddr> {
    let row = snapshot.row(appliance)?;
    let url = cast::<<Appliance as Kind>::Row>(row.as_ref()).url.as_deref()?;
    let address = Address::parse(url).ok().filter(|address| address.scheme == Scheme::Libvirt)?;
    match address.host {
        underlay_address::Host::Ip(ip) => Some(ip),
        underlay_address::Host::Name(_) => None,
    }
}

/// Returns the rack of a device, of the device that it is in, or of the device that a virtual machine runs on.
fn rack(snapshot: &Snapshot, machine: ObjectRef) -> Option<ObjectRef> {
    let mut device = match machine.kind {
        ids::VIRTUAL_MACHINE => snapshot.outgoing(machine).first_by(VirtualMachine::HOST)?,
        _ => machine,
    };
    for _ in 0..MAX_NESTED_DEVICES {
        let outgoing = snapshot.outgoing(device);
        match outgoing.first_by(Device::RACK) {
            Some(rack) => return Some(rack),
            None => device = outgoing.first_by(Device::PARENT)?,
        }
    }
    None
}

fn failures(snapshot: &Snapshot, spread: Spread) -> Vec<ObjectRef> {
    match spread {
        Spread::Enclosure => all(snapshot, Rack::ID).collect(),
        Spread::Power => all(snapshot, PowerFeed::ID).chain(devices(snapshot, supplies)).collect(),
        Spread::Switch => devices(snapshot, forwards).collect(),
        Spread::Failure => {
            let kinds = [Rack::ID, PowerFeed::ID, Circuit::ID].into_iter().flat_map(|kind| all(snapshot, kind));
            let counts = |role| supplies(role) || forwards(role) || role == DeviceRole::PatchPanel;
            kinds.chain(devices(snapshot, counts)).collect()
        }
    }
}

fn all(snapshot: &Snapshot, kind: KindId) -> impl Iterator<Item = ObjectRef> + '_ {
    snapshot.table(kind).rows(0).map(move |(slot, _)| ObjectRef { kind, slot })
}

/// Returns the devices whose roles fit.
fn devices<'a>(snapshot: &'a Snapshot, fits: impl Fn(DeviceRole) -> bool + 'a) -> impl Iterator<Item = ObjectRef> + 'a {
    let rows = snapshot.table(Device::ID).rows(0);
    let fitting = rows.filter(move |(_, row)| fits(cast::<<Device as Kind>::Row>(row.as_ref()).role));
    fitting.map(|(slot, _)| ObjectRef { kind: Device::ID, slot })
}

const fn supplies(role: DeviceRole) -> bool {
    matches!(role, DeviceRole::Pdu | DeviceRole::Ups)
}

const fn forwards(role: DeviceRole) -> bool {
    matches!(
        role,
        DeviceRole::Spine
            | DeviceRole::Leaf
            | DeviceRole::BorderRouter
            | DeviceRole::Router
            | DeviceRole::Switch
            | DeviceRole::Firewall
            | DeviceRole::LoadBalancer
    )
}
