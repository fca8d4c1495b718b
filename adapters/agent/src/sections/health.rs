//! The health of a disk, as `smartctl` reads it from the disk.

use serde::Deserialize;
use underlay_facts::{Disk, DiskHealth};

use crate::programs::{Call, Status};
use crate::reader::Reader;

/// The program.
pub const PROGRAM: &str = "smartctl";
/// The beginning of the paths of recorded outputs.
pub const RECORDED: &str = "/programs/smartctl/";
/// The beginnings of the names of disks that can say how they are.
const CAN_SAY: [&str; 2] = ["sd", "nvme"];

/// The part that is read of what `smartctl` writes.
#[derive(Debug, Deserialize)]
struct Written {
    smart_status: Option<SmartStatus>,
}

/// The disk's own opinion of itself.
#[derive(Debug, Deserialize)]
pub struct SmartStatus {
    /// False if it expects to fail.
    pub passed: bool,
}

impl SmartStatus {
    /// Returns the health.
    pub fn health(&self) -> DiskHealth {
        if self.passed { DiskHealth::Passed } else { DiskHealth::Failing }
    }
}

impl Written {
    fn read(bytes: &[u8]) -> Option<Self> {
        serde_json::from_slice(bytes).ok()
    }

    fn health(&self) -> Option<DiskHealth> {
        self.smart_status.as_ref().map(SmartStatus::health)
    }
}

/// Reads the health of a disk. One that sleeps is not woken, and keeps what it said last. One that says nothing of
/// itself, such as many behind a RAID adapter, has none.
pub fn read(reader: &mut Reader, disk: &Disk) -> Option<DiskHealth> {
    if !CAN_SAY.iter().any(|start| disk.name.starts_with(start)) {
        return None;
    }
    let call = call(disk);
    let bytes = reader.program(&call)?;
    let Some(written) = Written::read(&bytes) else {
        reader.lacks(&call.title(), "does not write what it should");
        return None;
    };
    written.health()
}

fn call(disk: &Disk) -> Call {
    let subject = disk.serial.as_ref().or(disk.wwn.as_ref()).or(disk.place.as_ref());
    Call {
        program: PROGRAM,
        part: Some(disk.name.clone()),
        subject: subject.cloned().unwrap_or_default(),
        arguments: arguments(&[], &format!("/dev/{}", disk.name.replace('!', "/"))),
        // The status is a mask of everything that was ever wrong with the disk.
        status: Status::Anything,
        says: |bytes| Written::read(bytes).is_some_and(|written| written.smart_status.is_some()),
    }
}

/// Returns the arguments that ask a device which disk it is and how it is, and do not wake it.
pub fn arguments(more: &[&str], device: &str) -> Vec<String> {
    let all = ["-j", "-H", "-i", "-n", "standby"].iter().chain(more).chain([&device]);
    all.map(|argument| (*argument).to_owned()).collect()
}

/// Returns what is read of an output, and nothing else of it.
pub fn without_rest(bytes: &[u8]) -> Vec<u8> {
    let text = match Written::read(bytes) {
        Some(Written { smart_status: Some(SmartStatus { passed }) }) => {
            format!("{{\"smart_status\":{{\"passed\":{passed}}}}}")
        }
        Some(Written { smart_status: None }) => "{}".to_owned(),
        None => String::new(),
    };
    text.into_bytes()
}
