//! The validation rules of hosts.

use underlay_entity::host::{HostState, Model};

use super::node::Host;
use crate::kinds::address::refuse_reserved;
use crate::kinds::grammar::enum_name;
use underlay_inventory::{Checked, Problems};

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
