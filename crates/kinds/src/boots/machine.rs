//! The host that a booting machine is, by what its firmware or its installer says.

use underlay_address::uuid_key;
use underlay_entity::host::{HostMachine, Model as Host};
use underlay_inventory::Snapshot;
use uuid::Uuid;

use super::DIRECT;
use super::refusal::WhyDisk;
use crate::device::{Device, UUID_ATTRIBUTE};
use crate::facts::{Identified, MachineIdentity, judge};
use crate::host::{Host as HostKind, host_site};
use crate::hosts::machine_settings;

/// The greatest number of hosts that a reason names.
const MAX_NAMED: usize = 5;

/// The names that a booting machine says of itself.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct SaidOfItself {
    /// The MAC addresses, in lower case with colons.
    pub macs: Vec<String>,
    pub serial: Option<String>,
    pub uuid: Option<String>,
    pub board_serial: Option<String>,
}

/// Returns the host that a machine is.
///
/// # Errors
/// Returns the reason why it is none for certain.
pub fn find<'a>(snapshot: &'a Snapshot, said: &SaidOfItself) -> Result<&'a Host, WhyDisk> {
    let ignored = &machine_settings(snapshot).ignored_identities;
    let identity = MachineIdentity::said(
        said.macs.iter().map(String::as_str),
        [said.uuid.as_deref(), said.serial.as_deref(), said.board_serial.as_deref()],
        ignored,
    );
    let id = match judge(&identity.candidates(snapshot)) {
        Identified::Host(id) => id,
        Identified::Nobody => return Err(WhyDisk::UnknownMachine),
        Identified::Tie(hosts) => return Err(WhyDisk::SeveralHosts { hosts: names(snapshot, &hosts) }),
        Identified::Contradiction(hosts) => return Err(WhyDisk::Contradiction { hosts: names(snapshot, &hosts) }),
    };
    let host = snapshot.get::<HostKind>(id).ok_or(WhyDisk::UnknownMachine)?;
    check_same(snapshot, host, said)?;
    Ok(host)
}

/// Checks that nothing that a machine says contradicts what is known of a host.
///
/// # Errors
/// Returns the member that does.
pub fn check_same(snapshot: &Snapshot, host: &Host, said: &SaidOfItself) -> Result<(), WhyDisk> {
    let ignored = &machine_settings(snapshot).ignored_identities;
    let means = |text: &&str| !ignored.has(text);
    let device = match host.machine {
        Some(HostMachine::Device(id)) => snapshot.get::<Device>(id),
        Some(HostMachine::VirtualMachine(_)) | None => None,
    };
    let seen = host.seen_identity.as_ref();
    let another = |member| WhyDisk::AnotherMachine { host: host.name.to_string(), member };

    let of_device = device.and_then(|it| it.attributes.0.get(UUID_ATTRIBUTE)).and_then(|uuid| uuid.as_str());
    let uuids = [host.uid.as_deref(), seen.and_then(|it| it.uuid.as_deref()), of_device];
    let known: Vec<String> = uuids.into_iter().flatten().filter(means).filter_map(uuid_key).collect();
    let said_uuid = said.uuid.as_deref().filter(means).and_then(uuid_key);
    if said_uuid.is_some_and(|uuid| !known.is_empty() && !known.contains(&uuid)) {
        return Err(another("UUID"));
    }

    let uid = host.uid.as_deref().filter(|uid| uid.parse::<Uuid>().is_err());
    let serials = [
        uid,
        host.serial.as_deref(),
        seen.and_then(|it| it.serial.as_deref()),
        device.and_then(|it| it.serial.as_deref()),
    ];
    let known: Vec<&str> = serials.into_iter().flatten().map(str::trim).filter(means).collect();
    let said_serial = said.serial.as_deref().map(str::trim).filter(means);
    let differs = |serial: &str| !known.is_empty() && !known.iter().any(|it| it.eq_ignore_ascii_case(serial));
    match said_serial.is_some_and(differs) {
        true => Err(another("serial number")),
        false => Ok(()),
    }
}

/// Checks that a host is at the site of a boot server; one without a site serves all.
///
/// # Errors
/// Returns an error if it is not.
pub fn check_site(snapshot: &Snapshot, host: &Host, site: Option<Uuid>) -> Result<(), WhyDisk> {
    match site {
        Some(site) if host_site(snapshot, host) != Some(site) => {
            Err(WhyDisk::AnotherSite { host: host.name.to_string() })
        }
        _ => Ok(()),
    }
}

/// Returns true if a host boots from here.
pub fn boots_from_here(host: &Host) -> bool {
    host.provisioner.as_deref() == Some(DIRECT)
}

fn names(snapshot: &Snapshot, hosts: &[Uuid]) -> String {
    let names = hosts.iter().filter_map(|id| Some(snapshot.get::<HostKind>(*id)?.name.to_string()));
    names.take(MAX_NAMED).collect::<Vec<_>>().join(", ")
}
