//! The words and definitions of libvirt, the driver with a `virsh` of the tests, and against libvirt's test driver.

mod connections;
mod definitions;
mod fake;
mod libvirtd;
mod real;

use underlay_testing::HANG;

use super::*;

/// Limits that no slow machine reaches.
const PATIENT: Limits = Limits { look: HANG, change: HANG, list: HANG };
/// The UUID of the domain of the tests.
const DOMAIN: &str = "6695eb01-f6a4-8304-79aa-97f2502e193f";
/// The UUID of another one.
const OTHER: &str = "4c4c4544-0042-3510-8056-b2c04f513432";

/// The kind of an error, and its sentence.
fn text_of(error: &CallError) -> String {
    match error {
        CallError::NotMade { reason } => format!("not made: {reason}"),
        CallError::Unanswered { reason } => format!("unanswered: {reason}"),
        CallError::Refused { reason, message } => format!("{reason}: {message}"),
    }
}

/// The definition of a domain with a disk, a drive for CDs and two interfaces.
fn definition(os: &str, metadata: &str) -> String {
    format!(
        "<domain type='qemu'>
  <name>web &amp; co</name>
  <uuid>{DOMAIN}</uuid>
  <metadata>{metadata}<other:kept xmlns:other='urn:other'/></metadata>
  <sysinfo type='smbios'><system><entry name='serial'> CZJ1 </entry></system></sysinfo>
  <os>
    <type arch='x86_64'>hvm</type>
    {os}
  </os>
  <devices>
    <disk type='file' device='cdrom'><target dev='sda'/></disk>
    <disk type='file' device='disk'>
      <target dev='vda'/>
    </disk>
    <disk type='file'><boot order='2'/><target dev='vdb'/></disk>
    <interface type='network'>
      <mac address='52:54:00:00:00:0A'/>
    </interface>
    <interface type='network'><mac address='52:54:00:00:00:0b'/><boot order='3'/></interface>
    <graphics type='vnc' passwd='s3cret'/>
  </devices>
</domain>
"
    )
}
