//! The validation rules of hosts.

use underlay_entity::host::{HostState, Model};
use uuid::Uuid;

use super::kind::Host;
use super::names;
use super::role::ROLE;
use crate::address::refuse_reserved;
use crate::grammar::enum_name;
use crate::hosts::Machines;
use underlay_inventory::{Checked, Problems, Refusal, Writer};

/// The fields by which two hosts can be one machine, as refusals name them.
pub const MACHINE_FIELDS: [&str; 4] = ["bmcUrl", "uid", "serial", "bootMac"];

/// Checks that a host gets no name that can be read as a reference to another one: an order by that reference would be for
/// this host. Sources name hosts by ids of their own, so only the id of another object is refused.
pub fn name(checked: &Checked<'_>, problems: &mut Problems) {
    if checked.writer == Writer::Nobody {
        return;
    }
    for (before, host) in checked.written::<Host>() {
        if before.is_some_and(|before| before.name == host.name) {
            continue;
        }
        let reads_as = match Uuid::try_parse(&host.name) {
            Ok(id) if id != host.id && checked.after.find(id).is_some() => "the id of another object",
            Ok(_) => continue,
            Err(_) => match names::reads_as(&host.name) {
                Some(reference) => reference,
                None => continue,
            },
        };
        problems.invalid(host.id, "name", format!("must not read as {reads_as}, as {:?} does", host.name));
    }
}

/// Checks that the address of a BMC that was written has no reserved host.
pub fn bmc_url(checked: &Checked<'_>, problems: &mut Problems) {
    for (before, host) in checked.written::<Host>() {
        let before = before.and_then(|before| before.bmc_url.as_deref());
        refuse_reserved(checked, (host.id, "bmcUrl"), (before, host.bmc_url.as_deref()), problems);
    }
}

/// Checks that a host gets another provisioner only while nothing of it is at the old one. Two provisioners that know one
/// machine would both switch it.
pub fn provisioner(checked: &Checked<'_>, problems: &mut Problems) {
    for (before, host) in checked.written::<Host>() {
        let Some(before) = before else { continue };
        let Some(old) = before.provisioner.as_deref().filter(|old| host.provisioner.as_deref() != Some(old)) else {
            continue;
        };
        if let Some(doing) = at_its_provisioner(before) {
            let reason = format!(
                "the host {doing}, so it stays with its provisioner {old}; another one can be chosen while the host is \
                 REGISTERED, AVAILABLE or FAILED and has no order at work: release it first"
            );
            problems.incompatible(host.id, "provisioner", reason);
        }
    }
}

/// Checks that a host that was written is not the machine of another one. It is judged on the result of the batch, so two
/// hosts can change places. Hosts that were one machine before stay so, and get no orders.
pub fn machine(checked: &Checked<'_>, problems: &mut Problems) {
    if checked.writer == Writer::Nobody {
        return;
    }
    let is_marked = |before: &Model, host: &Model| {
        (&before.bmc_url, &before.uid, &before.serial, &before.boot_mac)
            != (&host.bmc_url, &host.uid, &host.serial, &host.boot_mac)
    };
    let changed =
        checked.written::<Host>().filter(|(before, host)| before.is_none_or(|before| is_marked(before, host)));
    let changed: Vec<&Model> = changed.map(|(_, host)| host).collect();
    if changed.is_empty() {
        return;
    }
    let machines = Machines::of(&ROLE, checked.after);
    for host in changed {
        let Some((other, shared)) = machines.other(host) else { continue };
        let (field, what) = shared.field(host);
        let (field, what, holder) = (field.to_owned(), what.to_owned(), format!("host/{}", other.name));
        problems.add(host.id, Refusal::Duplicate { field, what, holder });
    }
}

/// Returns what the provisioner of a host has to do with it now, `None` if nothing.
fn at_its_provisioner(host: &Model) -> Option<String> {
    match host.state {
        HostState::Registered | HostState::Available | HostState::Failed => {
            (host.generation != host.generation_done).then(|| "has an order at work".to_owned())
        }
        HostState::Discovering
        | HostState::Acquired
        | HostState::Installing
        | HostState::Installed
        | HostState::Releasing
        | HostState::Wiping => Some(format!("is {}", enum_name(host.state))),
    }
}
