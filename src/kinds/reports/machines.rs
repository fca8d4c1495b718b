//! The machines that an appliance lists, and the identities by which they and hosts are told apart.

use std::collections::{HashMap, HashSet};

use async_graphql::InputObject;
use underlay_address::is_junk;
use underlay_entity::host::{HostPower, Model as HostRow};

/// A machine that an appliance lists.
#[derive(Clone, Debug, InputObject)]
pub struct EnlistedMachineInput {
    /// The name of the machine there.
    pub name: String,
    /// The address of the machine.
    pub url: String,
    /// The serial number or UUID by which the machine identifies itself.
    pub uid: Option<String>,
    /// The serial number of the machine, if `uid` is a UUID. It becomes the serial number of the host, by which the host is
    /// linked with its device. A serial number that several machines of the call or another host have does not.
    pub serial: Option<String>,
    /// The MAC address that the machine boots from.
    pub boot_mac: Option<String>,
    /// The power that was seen.
    pub power: HostPower,
}

/// The identities of the machines that are listed and of the hosts that exist, in lower case and without spaces at the
/// ends.
pub(super) struct Identities {
    /// The number of listed machines that have each serial number.
    listed: HashMap<String, usize>,
    /// The UUIDs and serial numbers that hosts have as their `uid`.
    uids: HashSet<String>,
    /// The serial numbers that hosts have beside it.
    serials: HashSet<String>,
}

impl Identities {
    pub(super) fn of<'a>(machines: &[EnlistedMachineInput], hosts: impl Iterator<Item = &'a HostRow>) -> Self {
        let mut all = Self { listed: HashMap::new(), uids: HashSet::new(), serials: HashSet::new() };
        for serial in machines.iter().filter_map(|machine| machine.serial.as_deref()) {
            *all.listed.entry(folded(serial)).or_default() += 1;
        }
        for host in hosts {
            all.uids.extend(host.uid.as_deref().map(folded));
            all.serials.extend(host.serial.as_deref().map(folded));
        }
        all
    }

    /// Returns true if the machine is a host already: two hosts would give it two lives. Of two machines with one serial
    /// number and different UUIDs, each becomes a host.
    pub(super) fn is_of_host(&self, machine: &EnlistedMachineInput) -> bool {
        let uid = machine.uid.as_deref().map(folded);
        uid.is_some_and(|uid| self.uids.contains(&uid) || self.serials.contains(&uid))
            || self.unique(machine).is_some_and(|serial| self.uids.contains(&folded(serial)))
    }

    /// Returns the serial number of a machine, if it alone has it: no other one that is listed, and no host.
    pub(super) fn serial_of<'a>(&self, machine: &'a EnlistedMachineInput) -> Option<&'a str> {
        self.unique(machine).filter(|serial| !self.serials.contains(&folded(serial)))
    }

    /// Returns the serial number of a machine, if no other one of those that are listed has it. The nodes of a chassis often
    /// have one in common.
    fn unique<'a>(&self, machine: &'a EnlistedMachineInput) -> Option<&'a str> {
        let serial = machine.serial.as_deref().map(str::trim).filter(|serial| !is_junk(serial))?;
        (self.listed.get(&folded(serial)) == Some(&1)).then_some(serial)
    }
}

fn folded(identity: &str) -> String {
    identity.trim().to_lowercase()
}
