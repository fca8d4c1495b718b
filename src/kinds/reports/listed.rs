//! Decides what becomes of the machines that an appliance lists: new hosts, other addresses of hosts, or nothing.
//!
//! Guarantee: a host gets another address only if the machine there says that it is the machine of this host alone, by its
//! UUID or a serial number that is unique, if the host is of this appliance, has no open order, and nobody but a controller
//! set its address.

use std::collections::HashMap;

use underlay_address::{Address, IgnoredIdentities, Selected, uuid_key};
use underlay_entity::host::Model as HostRow;
use uuid::Uuid;

use super::machines::{EnlistedMachineInput, folded};
use crate::hosts::machine_settings;
use crate::kinds::host::Host;
use underlay_inventory::{Kind, Manager, Snapshot, cast};

/// What becomes of a machine.
#[derive(Clone, Debug, PartialEq)]
pub(super) enum Verdict<'a> {
    /// It gets a host.
    New,
    /// Its host gets another address.
    Moved(&'a HostRow),
    /// Its host has this address already.
    Same(&'a HostRow),
    /// Its host stays as it is.
    Kept(&'a HostRow, Why),
    /// Several hosts may be its host.
    Ambiguous(Vec<&'a str>),
}

/// The reason why a host stays as it is.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Why {
    /// It is not of this appliance.
    OtherAppliance,
    /// It has an open order.
    OpenOrder,
    /// A person or a source set its address.
    SetBy(String),
}

impl Why {
    /// Returns the reason as a sentence.
    pub(super) fn sentence(&self) -> String {
        match self {
            Self::OtherAppliance => "the host is not of this appliance, so its address stays".to_owned(),
            Self::OpenOrder => "the host has an open order: enlist again when it has ended".to_owned(),
            Self::SetBy(who) => format!("{who} set the address of the host, so it stays"),
        }
    }
}

/// The hosts of a snapshot, as machines are compared with them.
pub(super) struct Known<'a> {
    snapshot: &'a Snapshot,
    ignored: &'a IgnoredIdentities,
    appliance: Uuid,
    by_url: HashMap<&'a str, &'a HostRow>,
    by_identity: HashMap<String, Vec<&'a HostRow>>,
    /// The number of machines of this call that have each serial number. The nodes of a chassis often have one in common.
    serials: HashMap<String, usize>,
}

impl<'a> Known<'a> {
    /// Reads all hosts, for the machines of an appliance.
    pub(super) fn of(snapshot: &'a Snapshot, appliance: Uuid, machines: &[EnlistedMachineInput]) -> Self {
        let ignored = &machine_settings(snapshot).ignored_identities;
        let mut known = Self {
            snapshot,
            ignored,
            appliance,
            by_url: HashMap::new(),
            by_identity: HashMap::new(),
            serials: HashMap::new(),
        };
        for (_, row) in snapshot.table(Host::ID).rows(0) {
            let host: &HostRow = cast(row.as_ref());
            if let Some(url) = host.bmc_url.as_deref() {
                known.by_url.insert(url, host);
            }
            for text in [host.uid.as_deref(), host.serial.as_deref()].into_iter().flatten() {
                known.by_identity.entry(key(text)).or_default().push(host);
            }
        }
        for serial in machines.iter().filter_map(|machine| machine.serial.as_deref()) {
            *known.serials.entry(folded(serial)).or_default() += 1;
        }
        known
    }

    /// Decides what becomes of a machine.
    pub(super) fn judge(&self, machine: &EnlistedMachineInput) -> Verdict<'a> {
        if let Some(host) = self.by_url.get(machine.url.as_str()) {
            return Verdict::Same(host);
        }
        let hosts = self.hosts_of(machine);
        match hosts.as_slice() {
            [] => Verdict::New,
            [host] => match self.keeps(host) {
                None => Verdict::Moved(host),
                Some(why) => Verdict::Kept(host, why),
            },
            hosts => Verdict::Ambiguous(hosts.iter().map(|host| host.name.as_str()).collect()),
        }
    }

    /// Returns the serial number of a machine, if it alone has it: no other one of the call, and no host.
    pub(super) fn serial_of<'m>(&self, machine: &'m EnlistedMachineInput) -> Option<&'m str> {
        self.unique_serial(machine).filter(|serial| {
            let hosts = self.by_identity.get(&key(serial)).into_iter().flatten();
            hosts.filter_map(|host| host.serial.as_deref()).all(|own| folded(own) != folded(serial))
        })
    }

    /// Returns the hosts whose machine this is, by what both say of it.
    fn hosts_of(&self, machine: &EnlistedMachineInput) -> Vec<&'a HostRow> {
        let with = |text: &str| self.by_identity.get(&key(text)).into_iter().flatten().copied();
        let by_uid = self.ignored.meaning(machine.uid.as_deref()).into_iter().flat_map(with);
        // Of two machines with one serial number and different UUIDs, each has a host.
        let is_comparable = |host: &&HostRow| host.uid.as_deref().and_then(uuid_key).is_none();
        let by_serial = self.unique_serial(machine).into_iter().flat_map(with).filter(is_comparable);
        let mut hosts: Vec<&HostRow> = Vec::new();
        for host in by_uid.chain(by_serial) {
            if hosts.iter().all(|known| known.id != host.id) {
                hosts.push(host);
            }
        }
        hosts
    }

    fn unique_serial<'m>(&self, machine: &'m EnlistedMachineInput) -> Option<&'m str> {
        let serial = self.ignored.meaning(machine.serial.as_deref().map(str::trim))?;
        (self.serials.get(&folded(serial)) == Some(&1)).then_some(serial)
    }

    /// Returns the reason why the address of a host stays; `None` if it can be changed.
    fn keeps(&self, host: &HostRow) -> Option<Why> {
        if host.appliance_id != Some(self.appliance) {
            return Some(Why::OtherAppliance);
        }
        if host.generation != host.generation_done {
            return Some(Why::OpenOrder);
        }
        let field = Host::describe().field("bmcUrl").map(|index| Host::describe().fields[index].number)?;
        let holding = host.managers.0.iter().find(|holding| holding.fields & (1 << field) != 0)?;
        match Manager::read(self.snapshot.manager(holding.manager)?) {
            Manager::Controller(_) => None,
            Manager::User(name) => Some(Why::SetBy(name.to_owned())),
            Manager::Source(name) => Some(Why::SetBy(format!("the source {name}"))),
        }
    }
}

/// Returns true if a password that was for one address is for another one too: they name the same end of a connection, and
/// the way to it is as safe.
pub(super) fn keeps_credential(before: Option<&str>, after: &str) -> bool {
    let end = |text: &str| {
        let address = Address::parse(text).ok()?;
        let end = match address.selected() {
            Some(Selected::System { bmc, .. }) => Ok(bmc),
            Some(Selected::Named(_)) | None => Err((address.host.clone(), address.port)),
        };
        Some((end, address.transport))
    };
    before.and_then(end).is_some_and(|before| end(after) == Some(before))
}

/// Returns an identity in a notation that is the same for all spellings of it.
fn key(text: &str) -> String {
    uuid_key(text).unwrap_or_else(|| folded(text))
}
