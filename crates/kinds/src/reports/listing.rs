//! Decides what becomes of the machines that an appliance lists: new hosts, other addresses of hosts, or nothing.
//!
//! Guarantee: a host gets another address only if the appliance lists its whole content in one call, if one machine of it and
//! no other one says that it is the machine of this host and of no other host, by its UUID or else by its serial number, if
//! nothing that is known of the host's machine contradicts, and if the host is of this appliance, has no open order, and a
//! controller set its address last.

use std::collections::{HashMap, HashSet};

use underlay_address::{Address, IgnoredIdentities, Selected, uuid_key};
use underlay_entity::host::Model as HostRow;
use uuid::Uuid;

use super::machines::{EnlistedMachineInput, folded};
use crate::host::Host;
use crate::hosts::machine_settings;
use underlay_inventory::{Kind, Manager, Snapshot, cast};

/// The number of hosts that a reason names.
const MAX_NAMED_HOSTS: usize = 5;

/// What becomes of a machine.
#[derive(Clone, Debug, PartialEq)]
pub(super) enum Verdict<'a> {
    /// It gets a host.
    New,
    /// Its host gets another address.
    Moved(&'a HostRow),
    /// Its host has this address already.
    Same(&'a HostRow),
    /// A host stays as it is.
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
    /// Nobody knows who set its address.
    SetByUnknown,
    /// Several of the machines that are listed may be its machine.
    SeveralMachines,
    /// The machine says something else than is known of the machine of the host.
    Contradicts,
    /// The appliance lists more machines than there are in one call.
    OnlyPart,
}

impl Why {
    /// Returns the reason as a sentence.
    pub(super) fn sentence(&self) -> String {
        let sentence = match self {
            Self::SetBy(who) => return format!("{who} set the address of the host, so it stays"),
            Self::OtherAppliance => "the host is not of this appliance, so its address stays",
            Self::OpenOrder => "the host has an open order: enlist again when it has ended",
            Self::SetByUnknown => "nobody knows who set the address of the host, so it stays",
            Self::SeveralMachines => {
                "several machines that are listed may be the machine of the host, so its address stays"
            }
            Self::Contradicts => {
                "the machine says another UUID or serial number than is known of the machine of the host, so the host stays as \
                 it is; if the machine was exchanged, correct the host, or accept the machine"
            }
            Self::OnlyPart => {
                "the appliance lists more than 1,000 machines, so nobody sees if another one says the same: enlist again with a \
                 pattern"
            }
        };
        sentence.to_owned()
    }
}

/// How much of what an appliance lists is in a call.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Extent {
    Whole,
    Part,
}

/// What a machine, or the machine of a host, says of itself.
#[derive(Clone, Debug, Default)]
struct Said {
    uuids: Vec<String>,
    serials: Vec<String>,
}

impl Said {
    fn add(&mut self, text: Option<&str>, ignored: &IgnoredIdentities) {
        let Some(text) = ignored.meaning(text.map(str::trim)) else { return };
        match uuid_key(text) {
            Some(uuid) => self.uuids.push(uuid),
            None => self.serials.push(folded(text)),
        }
    }

    fn of_host(host: &HostRow, ignored: &IgnoredIdentities) -> Self {
        let mut said = Self::default();
        let seen = host.seen_identity.as_ref();
        let (uuid, serial) = (seen.and_then(|seen| seen.uuid.as_deref()), seen.and_then(|seen| seen.serial.as_deref()));
        [host.uid.as_deref(), host.serial.as_deref(), uuid, serial]
            .into_iter()
            .for_each(|text| said.add(text, ignored));
        said
    }

    fn of_machine(machine: &EnlistedMachineInput, ignored: &IgnoredIdentities) -> Self {
        let mut said = Self::default();
        [machine.uid.as_deref(), machine.serial.as_deref()].into_iter().for_each(|text| said.add(text, ignored));
        said
    }

    /// Returns true if both say one UUID, or one serial number where not both say a UUID. The systems of a chassis can have a
    /// serial number in common, and boards of one vendor a UUID.
    fn agrees(&self, other: &Self) -> bool {
        match self.uuids.is_empty() || other.uuids.is_empty() {
            true => common(&self.serials, &other.serials),
            false => common(&self.uuids, &other.uuids),
        }
    }

    /// Returns true if a UUID or a serial number of which both say one differs.
    fn contradicts(&self, other: &Self) -> bool {
        let differ = |own: &[String], other: &[String]| !own.is_empty() && !other.is_empty() && !common(own, other);
        differ(&self.uuids, &other.uuids) || differ(&self.serials, &other.serials)
    }
}

fn common(own: &[String], other: &[String]) -> bool {
    own.iter().any(|text| other.contains(text))
}

/// The number of machines of a call that have each serial number.
pub(super) struct Serials(HashMap<String, usize>);

impl Serials {
    pub(super) fn of(machines: &[&EnlistedMachineInput]) -> Self {
        let mut all = HashMap::new();
        for serial in machines.iter().filter_map(|machine| machine.serial.as_deref()) {
            *all.entry(folded(serial)).or_default() += 1;
        }
        Self(all)
    }
}

/// The hosts of a snapshot, as machines are compared with them.
pub(super) struct Known<'a> {
    snapshot: &'a Snapshot,
    ignored: &'a IgnoredIdentities,
    appliance: Uuid,
    hosts: Vec<(&'a HostRow, Said)>,
    by_url: HashMap<&'a str, usize>,
    by_text: HashMap<String, Vec<usize>>,
    /// The serial numbers that hosts have beside their UUIDs.
    serials: HashSet<String>,
}

impl<'a> Known<'a> {
    /// Reads all hosts, for the machines of an appliance.
    pub(super) fn of(snapshot: &'a Snapshot, appliance: Uuid) -> Self {
        let ignored = &machine_settings(snapshot).ignored_identities;
        let (hosts, by_url, by_text, serials) = Default::default();
        let mut known = Self { snapshot, ignored, appliance, hosts, by_url, by_text, serials };
        for (_, row) in snapshot.table(Host::ID).rows(0) {
            let host: &HostRow = cast(row.as_ref());
            let (at, said) = (known.hosts.len(), Said::of_host(host, ignored));
            if let Some(url) = host.bmc_url.as_deref() {
                known.by_url.insert(url, at);
            }
            for text in said.uuids.iter().chain(&said.serials) {
                let hosts = known.by_text.entry(text.clone()).or_default();
                if hosts.last() != Some(&at) {
                    hosts.push(at);
                }
            }
            known.serials.extend(host.serial.as_deref().map(folded));
            known.hosts.push((host, said));
        }
        known
    }

    /// Decides what becomes of the machines of a call, all together: what one of them is depends on the others.
    pub(super) fn judge(&self, machines: &[&EnlistedMachineInput], extent: Extent) -> Vec<Verdict<'a>> {
        let said: Vec<Said> = machines.iter().map(|machine| Said::of_machine(machine, self.ignored)).collect();
        let candidates: Vec<Vec<usize>> = machines
            .iter()
            .zip(&said)
            .map(|(machine, said)| {
                self.by_url.get(machine.url.as_str()).map_or_else(|| self.hosts_of(said), |at| vec![*at])
            })
            .collect();
        let mut claims: HashMap<usize, usize> = HashMap::new();
        candidates.iter().flatten().for_each(|at| *claims.entry(*at).or_default() += 1);

        let verdict = |((machine, said), candidates): ((&&EnlistedMachineInput, &Said), &Vec<usize>)| {
            let [at] = candidates.as_slice() else {
                let names = candidates.iter().map(|at| self.hosts[*at].0.name.as_str()).take(MAX_NAMED_HOSTS);
                return if candidates.is_empty() { Verdict::New } else { Verdict::Ambiguous(names.collect()) };
            };
            let (host, known) = &self.hosts[*at];
            if known.contradicts(said) {
                return Verdict::Kept(host, Why::Contradicts);
            }
            if host.bmc_url.as_deref() == Some(machine.url.as_str()) {
                return Verdict::Same(host);
            }
            let why = match () {
                () if claims.get(at) != Some(&1) => Some(Why::SeveralMachines),
                () if extent == Extent::Part => Some(Why::OnlyPart),
                () => self.keeps(host),
            };
            why.map_or(Verdict::Moved(host), |why| Verdict::Kept(host, why))
        };
        machines.iter().zip(&said).zip(&candidates).map(verdict).collect()
    }

    /// Returns the serial number that the new host of a machine gets: one that no other machine of the call and no host has.
    /// The systems of a chassis often have one in common.
    pub(super) fn serial_of<'m>(&self, machine: &'m EnlistedMachineInput, listed: &Serials) -> Option<&'m str> {
        let serial = self.ignored.meaning(machine.serial.as_deref().map(str::trim))?;
        let key = folded(serial);
        (listed.0.get(&key) == Some(&1) && !self.serials.contains(&key)).then_some(serial)
    }

    /// Returns the hosts whose machine says the same.
    fn hosts_of(&self, said: &Said) -> Vec<usize> {
        let near = said.uuids.iter().chain(&said.serials).filter_map(|text| self.by_text.get(text)).flatten();
        let mut hosts: Vec<usize> = near.copied().filter(|at| self.hosts[*at].1.agrees(said)).collect();
        hosts.sort_unstable();
        hosts.dedup();
        hosts
    }

    /// Returns the reason why the address of a host stays; `None` if it can be changed.
    fn keeps(&self, host: &HostRow) -> Option<Why> {
        if host.appliance_id != Some(self.appliance) {
            return Some(Why::OtherAppliance);
        }
        if host.generation != host.generation_done {
            return Some(Why::OpenOrder);
        }
        let kind = Host::describe();
        let number = kind.field("bmcUrl").map(|index| kind.fields[index].number);
        let holds = |fields: i64| number.is_some_and(|number| fields & (1 << number) != 0);
        let holding = host.managers.0.iter().find(|holding| holds(holding.fields));
        let name = holding.and_then(|holding| self.snapshot.manager(holding.manager));
        match name.map(|name| Manager::read(name)) {
            Some(Manager::Controller(_)) => None,
            Some(Manager::User(name)) => Some(Why::SetBy(name.to_owned())),
            Some(Manager::Source(name)) => Some(Why::SetBy(format!("the source {name}"))),
            None => Some(Why::SetByUnknown),
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
