//! Puts the report together.

use std::time::{Duration, Instant};

use chrono::Utc;
use underlay_facts::{AgentProgram, FORMAT, Report, Sections};

use crate::bounded::Reading;
use crate::root::Root;
use crate::sections::{devices, disks, gpus, interfaces, memory, neighbours, processors, system};

/// The time that a machine has for the answers to all sections, besides the time of programs.
pub const PATIENCE: Duration = Duration::from_secs(10);

/// Returns the report of a machine. A section that is not read within the time is incomplete.
#[must_use]
pub fn report(root: &Root, patience: Duration) -> Report {
    let observed_at = Utc::now();
    let deadline = Instant::now() + patience;
    let after_programs = deadline + root.limit_of_programs();
    let system = Reading::start("system", root, system::read);
    let memory = Reading::start("memory", root, memory::read);
    let processors = Reading::start("processors", root, processors::read);
    let disks = Reading::start("disks", root, disks::read);
    let interfaces = Reading::start("interfaces", root, interfaces::read);
    let devices = Reading::start("devices", root, devices::read);
    let gpus = Reading::start("gpus", root, gpus::read);
    let neighbours = Reading::start("neighbours", root, neighbours::read);
    let sections = Sections {
        system: Some(system.end(deadline)),
        memory: Some(memory.end(deadline)),
        processors: Some(processors.end(deadline)),
        disks: Some(disks.end(after_programs)),
        interfaces: Some(interfaces.end(deadline)),
        devices: Some(devices.end(deadline)),
        gpus: Some(gpus.end(after_programs)),
        neighbours: Some(neighbours.end(after_programs)),
        ..Sections::default()
    };
    Report {
        format: FORMAT,
        agent: AgentProgram { version: env!("CARGO_PKG_VERSION").to_owned() },
        observed_at,
        sections,
    }
}
