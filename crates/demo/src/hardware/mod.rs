//! The hardware that the made-up machines of the demo report, with parts that fail, move and come back by a script.
//!
//! Guarantee: a report depends on the machine, its place in the list of all machines and the turn alone, so the script is
//! the same at every start. The accelerator servers of the demo hear the far ends of their recorded cables, apart from a
//! few whose cables are elsewhere.

mod cards;
mod servers;

use chrono::{DateTime, Utc};
use underlay_facts::{
    AgentProgram, BootMode, Disk, DiskHealth, DiskMedium, FORMAT, Interface, InterfaceKind, Memory, MemoryErrors,
    MemoryModule, Processor, Report, Section, Sections, System,
};

pub use self::servers::{Server, Servers};

/// The number of turns after which the script begins again.
const CYCLE: u64 = 24;
/// The bytes of a memory module.
const MODULE_BYTES: u64 = 16 << 30;
/// The number of memory modules, and of slots for them.
const MODULES: usize = 16;
const SLOTS: usize = 24;
/// The number of disks, and their size in bytes.
const DISKS: usize = 8;
const DISK_BYTES: u64 = 3_840_755_982_336;
/// The number of network interfaces.
const INTERFACES: usize = 4;
/// The part of the script that each of the first machines plays; the others are well.
const DISK_FAILS: usize = 0;
const MODULE_LEAVES: usize = 1;
const MODULE_ARRIVES: usize = 2;
const LINK_FLAPS: usize = 3;
const MEMORY_ERRS: usize = 4;
/// The disk that fails, the slot from which a module moves, and the one to which it does.
const FAILING_DISK: usize = 3;
const SLOT_LEFT: usize = 5;
const SLOT_TAKEN: usize = MODULES;
/// The interface whose link goes and comes.
const FLAPPING: usize = 2;

/// A made-up machine.
#[derive(Clone, Copy, Debug)]
pub struct Machine<'a> {
    /// The serial number by which it identifies itself.
    pub serial: &'a str,
    /// Its place in the list of all machines, from 0. The first ones play a part in the script.
    pub number: usize,
    /// The serial number of the machine before it in the list, from which a module can come.
    pub before: Option<&'a str>,
    /// The accelerator server of the demo that it is, if it is one. Others have neither GPUs nor neighbours.
    pub server: Option<&'a Server>,
}

/// Returns what a machine reports at a turn of the script.
#[must_use]
pub fn report(machine: Machine<'_>, turn: u64, now: DateTime<Utc>) -> Report {
    let (disks, interfaces) = (disks(machine, turn), interfaces(machine, turn));
    let server = machine.server;
    let sections = Sections {
        system: Some(Section::complete(system(machine))),
        memory: Some(Section::complete(memory(machine, turn))),
        processors: Some(Section::complete((0..2).map(processor).collect())),
        devices: server.map(|_| Section::complete(cards::devices(&interfaces, &disks))),
        gpus: server.map(|_| Section::complete(cards::gpus(machine, turn))),
        neighbours: server.map(|server| cards::neighbours(machine, server, &interfaces)),
        disks: Some(Section::complete(disks)),
        interfaces: Some(Section::complete(interfaces)),
        ..Sections::default()
    };
    let agent = AgentProgram { version: concat!(env!("CARGO_PKG_VERSION"), "-simulated").to_owned() };
    Report { format: FORMAT, agent, observed_at: now, sections }
}

fn some(text: impl Into<String>) -> Option<String> {
    Some(text.into())
}

fn system(machine: Machine<'_>) -> System {
    System {
        manufacturer: some("Fabrikam"),
        model: some("Trainer 8"),
        serial: some(machine.serial),
        board_manufacturer: some("Fabrikam"),
        board_model: some("T8-MB"),
        board_serial: some(format!("{}-MB", machine.serial)),
        firmware_vendor: some("Fabrikam"),
        firmware_version: some("2.14"),
        firmware_date: some("04/11/2026"),
        boot_mode: Some(BootMode::Uefi),
        secure_boot: Some(true),
        ..System::default()
    }
}

fn memory(machine: Machine<'_>, turn: u64) -> Memory {
    let moved = (8..16).contains(&(turn % CYCLE));
    let mut modules: Vec<MemoryModule> = (0..MODULES).map(|slot| module(slot, machine.serial, slot)).collect();
    if machine.number == MODULE_LEAVES && moved {
        modules.remove(SLOT_LEFT);
    }
    if let (MODULE_ARRIVES, true, Some(before)) = (machine.number, moved, machine.before) {
        modules.push(module(SLOT_TAKEN, before, SLOT_LEFT));
    }
    let corrected = if machine.number == MEMORY_ERRS { turn / 6 * 12 } else { 0 };
    Memory {
        modules,
        slots: u32::try_from(SLOTS).ok(),
        errors: Some(MemoryErrors { corrected, uncorrected: 0 }),
        ..Memory::default()
    }
}

/// Returns a module in a slot, which was built into the slot `built_into` of the machine with a serial number.
fn module(slot: usize, machine: &str, built_into: usize) -> MemoryModule {
    MemoryModule {
        slot: format!("P{}_DIMM_{}{}", slot / 12, char::from(b'A' + (slot % 12) as u8 / 2), slot % 2 + 1),
        size_bytes: Some(MODULE_BYTES),
        r#type: some("DDR5"),
        speed_mts: Some(4_800),
        manufacturer: some("Contoso"),
        part_number: some("C5-16G-4800"),
        serial: some(format!("{machine}-M{built_into:02}")),
        ..MemoryModule::default()
    }
}

fn processor(socket: u32) -> Processor {
    Processor {
        socket,
        model: some("Northwind 9432 32-Core Processor"),
        cores: 32,
        threads: 64,
        microcode: some("0xa10113e"),
        ..Processor::default()
    }
}

fn disks(machine: Machine<'_>, turn: u64) -> Vec<Disk> {
    let (round, at) = (turn / CYCLE, turn % CYCLE);
    let plays = machine.number == DISK_FAILS;
    let mut disks: Vec<Disk> = (0..DISKS).map(|number| disk(machine.serial, number, 0)).collect();
    if plays && at < 12 {
        disks[FAILING_DISK] = disk(machine.serial, FAILING_DISK, round);
        disks[FAILING_DISK].health = Some(if at < 6 { DiskHealth::Passed } else { DiskHealth::Failing });
    } else if plays && at < 18 {
        disks.remove(FAILING_DISK);
    } else if plays {
        disks[FAILING_DISK] = disk(machine.serial, FAILING_DISK, round + 1);
    }
    disks
}

/// Returns a disk in a place of a machine, the first one there or a later one.
fn disk(machine: &str, number: usize, generation: u64) -> Disk {
    let later = if generation == 0 { String::new() } else { format!("-{generation}") };
    Disk {
        name: format!("nvme{number}n1"),
        manufacturer: some("Contoso"),
        model: some("CN-3840"),
        serial: some(format!("{machine}-D{number}{later}")),
        place: some(format!("pci-0000:{:02x}:00.0-nvme-1", 0x41 + number)),
        size_bytes: Some(DISK_BYTES),
        medium: Some(DiskMedium::Nvme),
        firmware_version: some("1.0.4"),
        health: Some(DiskHealth::Passed),
        ..Disk::default()
    }
}

fn interfaces(machine: Machine<'_>, turn: u64) -> Vec<Interface> {
    match machine.server {
        Some(server) => cards::interfaces(machine, server, turn),
        None => (0..INTERFACES).map(|at| interface(machine, at, turn)).collect(),
    }
}

/// Returns true if a link is down at a turn, and the number of changes of its carrier.
fn link(flaps: bool, turn: u64) -> (bool, u64) {
    let (round, step) = (turn / CYCLE, turn % CYCLE);
    let changes = if flaps { 1 + 2 * round + u64::from(step >= 10) + u64::from(step >= 14) } else { 1 };
    (flaps && (10..14).contains(&step), changes)
}

fn interface(machine: Machine<'_>, at: usize, turn: u64) -> Interface {
    let (is_down, changes) = link(machine.number == LINK_FLAPS && at == FLAPPING, turn);
    Interface {
        name: format!("ens{}f{}np{}", at / 2 + 1, at % 2, at % 2),
        permanent_mac: some(format!("02:00:5e:{:02x}:{:02x}:{at:02x}", machine.number / 256, machine.number % 256)),
        kind: Some(InterfaceKind::Ethernet),
        place: some(format!("0000:{:02x}:00.{}", 0x21 + at / 2, at % 2)),
        driver: some("mlx5_core"),
        firmware_version: some("28.41.1000"),
        carrier: Some(!is_down),
        carrier_changes: Some(changes),
        speed_mbps: (!is_down).then_some(100_000),
        ..Interface::default()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn at(number: usize, turn: u64) -> Sections {
        let machine = Machine { serial: &format!("S{number}"), number, before: Some("S1"), server: None };
        report(machine, turn, DateTime::UNIX_EPOCH).sections
    }

    #[test]
    fn the_script_plays_its_parts_and_the_others_are_well() {
        let disk = |turn| at(DISK_FAILS, turn).disks.expect("disks").found.get(FAILING_DISK).cloned().expect("a disk");
        assert_eq!(disk(5).health, Some(DiskHealth::Passed));
        assert_eq!((disk(6).health, disk(6).serial), (Some(DiskHealth::Failing), disk(5).serial));
        assert_eq!(at(DISK_FAILS, 12).disks.expect("disks").found.len(), DISKS - 1);
        assert_ne!(disk(18).serial, disk(5).serial, "another disk is in its place");
        assert_eq!(disk(18).serial, disk(CYCLE).serial, "it stays in the next round");

        let modules = |number, turn| at(number, turn).memory.expect("memory").found.modules;
        let (left, taken) = (modules(MODULE_LEAVES, 8), modules(MODULE_ARRIVES, 8));
        assert_eq!((left.len(), taken.len()), (MODULES - 1, MODULES + 1));
        let moved = taken.last().expect("a module").serial.clone();
        assert!(modules(MODULE_LEAVES, 7).iter().any(|it| it.serial == moved));
        assert!(!left.iter().any(|it| it.serial == moved));

        let flapping = |turn| at(LINK_FLAPS, turn).interfaces.expect("interfaces").found[FLAPPING].clone();
        assert_eq!(
            (flapping(9).carrier, flapping(10).carrier, flapping(14).carrier),
            (Some(true), Some(false), Some(true))
        );
        assert!(flapping(9).carrier_changes < flapping(10).carrier_changes);
        for turn in 0..2 * CYCLE {
            assert_eq!(at(7, turn), at(7, 0), "turn {turn}");
        }
    }

    #[test]
    fn slots_are_unique() {
        let mut slots: Vec<String> =
            at(MODULE_ARRIVES, 8).memory.expect("memory").found.modules.into_iter().map(|it| it.slot).collect();
        slots.sort();
        slots.dedup();
        assert_eq!(slots.len(), MODULES + 1);
    }
}
