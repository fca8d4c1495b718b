//! The cards of the accelerator servers of the demo, and what their network ports hear.

use underlay_facts::{
    Device, Disk, Gpu, Interface, InterfaceKind, Neighbour, NeighbourCapability, NeighbourIdSubtype, Note, Section,
};

use super::servers::{Link, PortName, Server};
use super::{CYCLE, LINK_FLAPS, Machine, some};

/// The number of GPUs of an accelerator server, and the size of the memory of each.
const GPUS: usize = 8;
const GPU_MEMORY_BYTES: u64 = 80 << 30;
/// The machine whose GPU falls off the bus, the GPU, and the turns at which it does and is back.
const GPU_FALLS: usize = 5;
const FALLEN: usize = 6;
const FALLS_AT: u64 = 7;
const IS_BACK_AT: u64 = 19;
/// The machine with a GPU that has fewer lanes than it can use.
const GPU_IS_NARROW: usize = 6;
/// The machine whose two cables are swapped, the one with a cable in another port than is recorded, and the one whose
/// adapter keeps LLDP to itself.
const CABLES_SWAPPED: usize = 7;
const OTHER_PORT: usize = 8;
const HEARS_NOTHING: usize = 9;
/// The number of vendors and devices at PCI, by which the server names them.
const NVIDIA: &str = "10de";
const MELLANOX: &str = "15b3";
const INTEL: &str = "8086";
const SAMSUNG: &str = "144d";

/// Returns the network ports of a server at a turn.
pub(super) fn interfaces(machine: Machine<'_>, server: &Server, turn: u64) -> Vec<Interface> {
    let flapping = server.links.len().saturating_sub(1);
    let interface = |(at, link): (usize, &Link)| {
        let flaps = machine.number == LINK_FLAPS && at == flapping;
        let (is_down, carrier_changes) = super::link(flaps, turn);
        Interface {
            name: link.name.clone(),
            permanent_mac: some(&link.mac),
            kind: Some(InterfaceKind::Ethernet),
            place: some(card_place(at)),
            driver: some(if machine.number == HEARS_NOTHING { "ice" } else { "mlx5_core" }),
            firmware_version: some(if machine.number == HEARS_NOTHING { "4.60" } else { "28.41.1000" }),
            carrier: Some(!is_down),
            carrier_changes: Some(carrier_changes),
            speed_mbps: (!is_down).then_some(link.speed_mbps),
            ..Interface::default()
        }
    };
    server.links.iter().enumerate().map(interface).collect()
}

/// Returns what the network ports hear that have a carrier.
pub(super) fn neighbours(machine: Machine<'_>, server: &Server, interfaces: &[Interface]) -> Section<Vec<Neighbour>> {
    if machine.number == HEARS_NOTHING {
        let command = |link: &Link| format!("ethtool --set-priv-flags {} fw-lldp-agent off", link.name);
        let text = |link: &Link| format!("heard no LLDP; the adapter keeps it to itself until `{}`", command(link));
        let note = |link: &Link| Note { about: link.name.clone(), text: text(link) };
        return Section { notes: server.links.iter().map(note).collect(), ..Section::complete(Vec::new()) };
    }
    let up = server.links.iter().enumerate().zip(interfaces).filter(|(_, interface)| interface.carrier == Some(true));
    let heard = up.filter_map(|((at, link), _)| Some(neighbour(link, &far_end(machine, server, at)?)));
    Section::complete(heard.collect())
}

/// Returns the port to which the cable of a network port really leads.
fn far_end(machine: Machine<'_>, server: &Server, at: usize) -> Option<PortName> {
    let link = server.links.get(at)?;
    match (machine.number, at) {
        (CABLES_SWAPPED, _) => server.links.iter().rev().nth(at).map(|other| other.far_end.clone()),
        (OTHER_PORT, 0) => link.free.clone(),
        _ => Some(link.far_end.clone()),
    }
}

fn neighbour(link: &Link, far_end: &PortName) -> Neighbour {
    Neighbour {
        interface: link.name.clone(),
        permanent_mac: some(&link.mac),
        chassis_id: far_end.device.clone(),
        chassis_id_subtype: Some(NeighbourIdSubtype::Local),
        port_id: far_end.port.clone(),
        port_id_subtype: Some(NeighbourIdSubtype::InterfaceName),
        system_name: some(format!("{}.example.net", far_end.device)),
        system_description: some("lnos-9.4"),
        capabilities: vec![NeighbourCapability::Bridge, NeighbourCapability::Router],
        ..Neighbour::default()
    }
}

/// Returns the GPUs of a server at a turn.
pub(super) fn gpus(machine: Machine<'_>, turn: u64) -> Vec<Gpu> {
    let has_fallen = (FALLS_AT..IS_BACK_AT).contains(&(turn % CYCLE));
    let gpu = |at: usize| {
        let off_bus = machine.number == GPU_FALLS && at == FALLEN && has_fallen;
        let lanes = if machine.number == GPU_IS_NARROW && at == 0 { 8 } else { 16 };
        Gpu {
            place: format!("0000:{:02x}:00.0", 0x81 + at * 8),
            vendor: some(NVIDIA),
            device: some("2330"),
            model: some("NVIDIA H100 80GB HBM3"),
            serial: some(format!("{}-G{at}", machine.serial)),
            memory_bytes: Some(GPU_MEMORY_BYTES),
            firmware_version: some("96.00.89.00.01"),
            driver: some("nvidia"),
            link_width: (!off_bus).then_some(lanes),
            max_link_width: (!off_bus).then_some(16),
            numa_node: u32::try_from(at / (GPUS / 2)).ok(),
            off_bus,
            ..Gpu::default()
        }
    };
    (0..GPUS).map(gpu).collect()
}

/// Returns the devices at PCI: the card of the network ports, and the disks.
pub(super) fn devices(interfaces: &[Interface], disks: &[Disk]) -> Vec<Device> {
    let card = |interface: &Interface| {
        let driver = interface.driver.as_deref()?;
        let numbers = if driver == "ice" { [INTEL, "1592"] } else { [MELLANOX, "1021"] };
        device(interface.place.clone()?, [numbers[0], numbers[1], "020000"], driver, 16)
    };
    let drive = |disk: &Disk| device(address(disk.place.as_ref()?)?, [SAMSUNG, "a80a", "010802"], "nvme", 4);
    interfaces.iter().filter_map(card).chain(disks.iter().filter_map(drive)).collect()
}

fn device(place: String, [vendor, number, class]: [&str; 3], driver: &str, lanes: u32) -> Option<Device> {
    Some(Device {
        place,
        vendor: some(vendor),
        device: some(number),
        class: some(class),
        driver: some(driver),
        link_speed_mts: Some(16_000),
        max_link_speed_mts: Some(16_000),
        link_width: Some(lanes),
        max_link_width: Some(lanes),
        numa_node: Some(0),
        ..Device::default()
    })
}

/// Returns the PCI address in the place of a disk, such as `pci-0000:41:00.0-nvme-1`.
fn address(place: &str) -> Option<String> {
    place.split('-').nth(1).map(str::to_owned)
}

/// Returns the place of a network port on a card with two.
fn card_place(at: usize) -> String {
    format!("0000:{:02x}:00.{}", 0x21 + at / 2, at % 2)
}

#[cfg(test)]
mod tests {
    use chrono::DateTime;
    use underlay_facts::Sections;

    use super::super::{Servers, report};
    use super::*;

    fn at(number: usize, turn: u64) -> (Server, Sections) {
        let servers = Servers::of_demo();
        let server = servers.get("SIM-GPU-LAB-1").expect("a server");
        let machine = Machine { serial: "SIM-GPU-LAB-1", number, before: None, server: Some(server) };
        (server.clone(), report(machine, turn, DateTime::UNIX_EPOCH).sections)
    }

    fn heard(number: usize) -> Vec<(String, PortName)> {
        let found = at(number, 0).1.neighbours.expect("neighbours").found;
        let port = |it: &Neighbour| PortName { device: it.chassis_id.clone(), port: it.port_id.clone() };
        found.iter().map(|it| (it.interface.clone(), port(it))).collect()
    }

    #[test]
    fn the_recorded_far_ends_are_heard_apart_from_three_machines() {
        let links = at(0, 0).0.links;
        let recorded: Vec<_> = links.iter().map(|link| (link.name.clone(), link.far_end.clone())).collect();
        for number in [0, 1, GPU_FALLS, HEARS_NOTHING + 1] {
            assert_eq!(heard(number), recorded, "machine {number}");
        }
        let swapped = heard(CABLES_SWAPPED);
        assert_eq!((&swapped[0].1, &swapped[1].1), (&recorded[1].1, &recorded[0].1));
        let other = heard(OTHER_PORT);
        assert_eq!((Some(&other[0].1), &other[1]), (links[0].free.as_ref(), &recorded[1]));
        assert_eq!(heard(HEARS_NOTHING), []);
        let down = at(LINK_FLAPS, 10).1;
        assert_eq!(down.neighbours.expect("neighbours").found.len(), 1, "nothing is heard without a carrier");
    }

    #[test]
    fn each_disk_and_network_port_is_a_device_and_gpus_fall() {
        let (server, sections) = at(0, 12);
        let (disks, devices) = (sections.disks.expect("disks").found, sections.devices.expect("devices").found);
        assert_eq!(devices.len(), disks.len() + server.links.len(), "a disk is missing at this turn");
        let fallen =
            |number, turn| at(number, turn).1.gpus.expect("GPUs").found.iter().filter(|gpu| gpu.off_bus).count();
        assert_eq!([6, 7, 18, 19].map(|turn| fallen(GPU_FALLS, turn)), [0, 1, 1, 0]);
        assert_eq!(fallen(GPU_FALLS + 1, 7), 0);
    }
}
