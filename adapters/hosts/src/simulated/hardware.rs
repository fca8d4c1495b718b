//! The hardware of simulated machines, as a BMC tells it.

use std::time::Duration;

use chrono::Utc;
use futures_util::future::BoxFuture;
use tokio::time::{Instant, sleep_until};
use underlay_facts::{
    AgentProgram, FORMAT, Fan, Firmware, Memory, MemoryModule, PartHealth, PowerSupply, Report, Section, Sections,
    System,
};

use super::fault::Fault;
use super::world::World;
use crate::machine::{CallError, HardwareReader, Identity, Target};

/// The number of answers that a reading takes.
const READS: u32 = 20;
const MODULES: u32 = 4;
const MODULE_BYTES: u64 = 32 << 30;

impl HardwareReader for World {
    /// A reading takes the delay of the machine for each answer. What has no time any more is not read.
    fn read<'a>(&'a self, target: &'a Target, within: Duration) -> BoxFuture<'a, Result<Report, CallError>> {
        Box::pin(async move {
            let machine = self.reach(target).await?;
            let reading = self.begin_reading(&machine.name);
            if self.has_fault(&machine.name, Fault::HardwareRefused) {
                let message = "the BMC refuses to tell the hardware (simulated)".to_owned();
                return Err(CallError::Refused { reason: "HardwareRefused".to_owned(), message });
            }
            let (start, whole) = (Instant::now(), machine.delay * READS);
            sleep_until(start + whole.min(within)).await;
            let mut sections = sections(&machine.name, self.identity(&machine.name));
            if whole > within
                && let Some(firmware) = &mut sections.firmware
            {
                firmware.lacks("FirmwareInventory", "the time of the reading is over");
            }
            reading.end();
            let agent = AgentProgram { version: env!("CARGO_PKG_VERSION").to_owned() };
            Ok(Report { format: FORMAT, agent, observed_at: Utc::now(), sections })
        })
    }
}

fn sections(name: &str, identity: Identity) -> Sections {
    let text = |text: &str| Some(text.to_owned());
    let numbered = |what: &str, number: u32| format!("{what} {number}");
    let system = System {
        manufacturer: text("Simulated"),
        model: text("One"),
        serial: identity.serial,
        uuid: identity.uuid,
        ..System::default()
    };
    let module = |number| MemoryModule {
        slot: numbered("DIMM", number),
        size_bytes: Some(MODULE_BYTES),
        manufacturer: text("Simulated"),
        serial: Some(format!("{name}-dimm-{number}")),
        ..MemoryModule::default()
    };
    let supply = |number| PowerSupply {
        place: numbered("PSU", number),
        serial: Some(format!("{name}-psu-{number}")),
        capacity_watts: Some(800),
        health: Some(PartHealth::Ok),
        ..PowerSupply::default()
    };
    let fan = |number| Fan { place: numbered("Fan", number), health: Some(PartHealth::Ok), ..Fan::default() };
    let firmware = |name: &str| Firmware { name: name.to_owned(), version: text("1.0"), ..Firmware::default() };
    let memory = Memory { modules: (1..=MODULES).map(module).collect(), slots: Some(MODULES), ..Memory::default() };
    Sections {
        system: Some(Section::complete(system)),
        memory: Some(Section::complete(memory)),
        power_supplies: Some(Section::complete((1..=2).map(supply).collect())),
        fans: Some(Section::complete((1..=4).map(fan).collect())),
        firmware: Some(Section::complete(["BIOS", "BMC"].map(firmware).to_vec())),
        ..Sections::default()
    }
}
