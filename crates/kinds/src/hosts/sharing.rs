//! Which hosts are one machine. Two hosts of one machine have two lives: installing the one reboots what the other one
//! runs.
//!
//! Two hosts are one machine by their addresses if both select the same system. A BMC has several systems, so an address
//! without a path is that of every host of this BMC, unless both hosts have a `uid` and these differ. They are one machine
//! by what identifies them if their UUIDs are equal; without two UUIDs, if their serial numbers are; and without these, if
//! they boot from the same MAC address. The systems of one chassis can have a serial number in common. What the machine of a
//! host was found to be counts where the host does not say it.

use std::collections::HashMap;

use underlay_address::{Address, Bmc, IgnoredIdentities, Selected, uuid_key};
use underlay_entity::host::Model;
use uuid::Uuid;

use super::role::HostRole;
use super::settings::machine_settings;
use underlay_inventory::{Snapshot, cast};

/// The property that two hosts have in common which are one machine.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum SharedBy {
    /// Their addresses select one system.
    Address,
    /// The UUID is the same.
    Uuid,
    /// The serial number is the same.
    Serial,
    /// The MAC address is the same.
    Mac,
}

impl SharedBy {
    /// Returns the field of a host that they have in common, and the words for it.
    pub const fn field(self, host: &Model) -> (&'static str, &'static str) {
        match self {
            Self::Address => ("bmcUrl", "the machine at this address"),
            Self::Uuid => ("uid", "the machine with this UUID"),
            Self::Serial if host.serial.is_none() => ("uid", "the machine with this serial number"),
            Self::Serial => ("serial", "the machine with this serial number"),
            Self::Mac => ("bootMac", "the machine with this MAC address"),
        }
    }
}

/// The properties of a host that say which machine it is. A `uid` that is no UUID is its serial number.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Marks {
    selected: Option<Selected>,
    uuid: Option<String>,
    serial: Option<String>,
    mac: Option<String>,
}

/// A mark by which hosts are found that may be one machine.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
enum Mark {
    Bmc(Bmc),
    Named(String),
    Uuid(String),
    Serial(String),
    Mac(String),
}

impl Marks {
    /// Returns the marks of a host. Texts that mean nothing are none.
    pub fn of(host: &Model, ignored: &IgnoredIdentities) -> Self {
        let address = host.bmc_url.as_deref().and_then(|url| Address::parse(url).ok());
        let folded = |text: &str| Some(text.trim().to_lowercase()).filter(|text| !ignored.has(text));
        let uuid_of = |text: &str| uuid_key(text).filter(|_| !ignored.has(text));
        let uid = host.uid.as_deref();
        let (uuid, other) = match uid.and_then(uuid_of) {
            Some(uuid) => (Some(uuid), None),
            None => (None, uid.filter(|uid| uid.parse::<Uuid>().is_err()).and_then(folded)),
        };
        let seen = host.seen_identity.as_ref();
        let seen_serial = || seen.and_then(|seen| seen.serial.as_deref()).and_then(folded);
        let seen_mac = || seen.and_then(|seen| seen.macs.first()).map(String::as_str).and_then(folded);
        Self {
            selected: address.and_then(|address| address.selected()),
            uuid: uuid.or_else(|| seen.and_then(|seen| seen.uuid.as_deref()).and_then(uuid_of)),
            serial: other.or_else(|| host.serial.as_deref().and_then(folded)).or_else(seen_serial),
            mac: host.boot_mac.as_deref().and_then(folded).or_else(seen_mac),
        }
    }

    /// Returns what these marks and those of another host have in common, if the hosts are one machine.
    pub fn shared(&self, other: &Self) -> Option<SharedBy> {
        self.shared_address(other).or_else(|| self.shared_identity(other))
    }

    fn shared_address(&self, other: &Self) -> Option<SharedBy> {
        let is_same = match (self.selected.as_ref()?, other.selected.as_ref()?) {
            (Selected::Named(own), Selected::Named(other)) => own == other,
            (Selected::System { bmc, path }, Selected::System { bmc: other_bmc, path: other_path }) => {
                bmc == other_bmc
                    && match (path, other_path) {
                        (Some(path), Some(other)) => path == other,
                        _ => !self.differs(other),
                    }
            }
            _ => false,
        };
        is_same.then_some(SharedBy::Address)
    }

    fn shared_identity(&self, other: &Self) -> Option<SharedBy> {
        let equal = |own: &Option<String>, other: &Option<String>| Some(own.as_ref()? == other.as_ref()?);
        if let Some(is_equal) = equal(&self.uuid, &other.uuid) {
            return is_equal.then_some(SharedBy::Uuid);
        }
        if let Some(is_equal) = equal(&self.serial, &other.serial) {
            return (is_equal && !self.is_of_one_chassis(other)).then_some(SharedBy::Serial);
        }
        (equal(&self.mac, &other.mac) == Some(true)).then_some(SharedBy::Mac)
    }

    /// Returns true if both hosts say of themselves which machine they are, and that differs.
    fn differs(&self, other: &Self) -> bool {
        match (&self.uuid, &other.uuid, &self.serial, &other.serial) {
            (Some(own), Some(other), _, _) => own != other,
            (_, _, Some(own), Some(other)) => own != other,
            _ => false,
        }
    }

    /// Returns true for two different systems of one BMC.
    fn is_of_one_chassis(&self, other: &Self) -> bool {
        match (&self.selected, &other.selected) {
            (
                Some(Selected::System { bmc, path: Some(path) }),
                Some(Selected::System { bmc: other_bmc, path: Some(other_path) }),
            ) => bmc == other_bmc && path != other_path,
            _ => false,
        }
    }

    fn each(&self) -> impl Iterator<Item = Mark> {
        let selected = self.selected.clone().map(|selected| match selected {
            Selected::System { bmc, .. } => Mark::Bmc(bmc),
            Selected::Named(name) => Mark::Named(name),
        });
        let uuid = self.uuid.clone().map(Mark::Uuid);
        let serial = self.serial.clone().map(Mark::Serial);
        let mac = self.mac.clone().map(Mark::Mac);
        [selected, uuid, serial, mac].into_iter().flatten()
    }
}

/// The marks of all hosts of a snapshot.
pub struct Machines<'a> {
    ignored: &'a IgnoredIdentities,
    hosts: Vec<(&'a Model, Marks)>,
    by: HashMap<Mark, Vec<usize>>,
}

impl<'a> Machines<'a> {
    /// Reads the marks of all hosts.
    pub fn of(role: &HostRole, snapshot: &'a Snapshot) -> Self {
        let rows = snapshot.table(role.kind).rows(0).map(|(_, row)| cast::<Model>(row.as_ref()));
        let ignored = &machine_settings(snapshot).ignored_identities;
        let hosts: Vec<(&Model, Marks)> = rows.map(|host| (host, Marks::of(host, ignored))).collect();
        let mut by: HashMap<Mark, Vec<usize>> = HashMap::new();
        for (at, (_, marks)) in hosts.iter().enumerate() {
            marks.each().for_each(|mark| by.entry(mark).or_default().push(at));
        }
        Self { ignored, hosts, by }
    }

    /// Returns another host that is the same machine as a host, and what they have in common. Of several, it is the one with
    /// the first name.
    pub fn other(&self, host: &Model) -> Option<(&'a Model, SharedBy)> {
        let marks = Marks::of(host, self.ignored);
        let near = marks.each().filter_map(|mark| self.by.get(&mark)).flatten();
        let others = near.filter_map(|at| self.hosts.get(*at)).filter(|(other, _)| other.id != host.id);
        let shared = others.filter_map(|(other, other_marks)| Some((*other, marks.shared(other_marks)?)));
        shared.min_by(|(one, _), (two, _)| one.name.cmp(&two.name))
    }
}
