//! The host that a machine is, by what it says of itself.
//!
//! A host gets a point for each member of the report that it has too: a MAC address, the UUID, the serial number and the
//! serial number of the board. The only host with the most points is the machine. Pure: it reads a snapshot and writes
//! nothing.
//!
//! Guarantees: texts that mean nothing, such as the serial numbers that makers leave in their boards, give no point. A tie
//! is no answer, and neither are two members that lead to different hosts.

use std::collections::{BTreeMap, HashSet};

use underlay_address::{IgnoredIdentities, uuid_key};
use underlay_entity::device::Model as DeviceRow;
use underlay_entity::host::{HostMachine, Model};
use underlay_entity::port::Model as PortRow;
use underlay_facts::Sections;
use underlay_inventory::{Kind, ObjectRef, Snapshot, cast, fold};
use uuid::Uuid;

use crate::device::{Device, UUID_ATTRIBUTE};
use crate::host::Host;
use crate::port::Port;

/// The members of a machine by which it is recognised, in one notation each.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct MachineIdentity {
    /// The permanent MAC addresses, in lower case.
    macs: HashSet<String>,
    /// The UUID, in a notation that is the same for both orders of its bytes.
    uuid: Option<String>,
    serial: Option<String>,
    board_serial: Option<String>,
    asset_tag: Option<String>,
}

/// A member by which a host is recognised.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Member {
    /// A MAC address.
    Mac,
    /// The UUID of the firmware.
    Uuid,
    /// The serial number of the machine.
    Serial,
    /// The serial number of the mainboard.
    BoardSerial,
    /// The asset tag, which only breaks ties.
    AssetTag,
}

/// The members that lead to a host alone, if only one host has them.
const STRONG: [Member; 3] = [Member::Mac, Member::Uuid, Member::Serial];
/// The members that give a point.
const COUNTED: [Member; 4] = [Member::Mac, Member::Uuid, Member::Serial, Member::BoardSerial];

/// The hosts that a machine may be, each with the members that it has.
pub type Candidates = BTreeMap<Uuid, HashSet<Member>>;

/// The host that a machine is.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Identified {
    /// It is this one.
    Host(Uuid),
    /// No host has any of its members.
    Nobody,
    /// These have as many of its members.
    Tie(Vec<Uuid>),
    /// Two members lead to different ones of these.
    Contradiction(Vec<Uuid>),
}

impl MachineIdentity {
    /// Reads what a machine says of itself, without what means nothing.
    pub fn of(sections: &Sections, ignored: &IgnoredIdentities) -> Self {
        let system = sections.system.as_ref().map(|section| &section.found);
        let said = |text: Option<&String>| text.map(|text| folded(text)).filter(|text| !ignored.has(text));
        let interfaces = sections.interfaces.iter().flat_map(|section| &section.found);
        Self {
            macs: interfaces.filter_map(|it| said(it.permanent_mac.as_ref())).collect(),
            uuid: system.and_then(|it| said(it.uuid.as_ref())).and_then(|text| uuid_key(&text)),
            serial: system.and_then(|it| said(it.serial.as_ref())),
            board_serial: said_of_board(sections, ignored),
            asset_tag: system.and_then(|it| said(it.asset_tag.as_ref())),
        }
    }

    /// Reads the MAC addresses of a machine that boots, and its UUID, serial number and that of its mainboard, without what
    /// means nothing.
    pub fn said<'a>(
        macs: impl Iterator<Item = &'a str>,
        [uuid, serial, board_serial]: [Option<&str>; 3],
        ignored: &IgnoredIdentities,
    ) -> Self {
        let said = |text: Option<&str>| text.map(folded).filter(|text| !ignored.has(text));
        Self {
            macs: macs.filter_map(|mac| said(Some(mac))).collect(),
            uuid: said(uuid).and_then(|text| uuid_key(&text)),
            serial: said(serial),
            board_serial: said(board_serial),
            asset_tag: None,
        }
    }

    /// Returns the serial number of the mainboard.
    pub fn board_serial(&self) -> Option<&str> {
        self.board_serial.as_deref()
    }

    /// Returns true if a host that is made for the machine can be found by it again.
    pub fn is_lasting(&self) -> bool {
        self.uuid.is_some() || self.serial.is_some() || self.only_mac().is_some()
    }

    /// Returns the MAC address of a machine with one interface, which is the one that it boots from.
    pub fn only_mac(&self) -> Option<&str> {
        self.macs.iter().next().filter(|_| self.macs.len() == 1).map(String::as_str)
    }

    /// Returns the hosts that share a member with the machine. It takes a look at each host.
    pub fn candidates(&self, snapshot: &Snapshot) -> Candidates {
        let mut candidates = Candidates::new();
        let mut add = |host: Uuid, member: Member| {
            candidates.entry(host).or_default().insert(member);
        };
        for (_, row) in snapshot.table(Host::ID).rows(0) {
            let host = cast::<Model>(row.as_ref());
            for member in self.shared_with(snapshot, host) {
                add(host.id, member);
            }
        }
        for host in self.macs.iter().flat_map(|mac| hosts_with_port(snapshot, mac)) {
            add(host, Member::Mac);
        }
        // An asset tag alone leads to no host.
        candidates.retain(|_, members| members.iter().any(|member| COUNTED.contains(member)));
        candidates
    }

    fn shared_with(&self, snapshot: &Snapshot, host: &Model) -> impl Iterator<Item = Member> {
        let device = match host.machine {
            Some(HostMachine::Device(id)) => snapshot.get::<Device>(id),
            Some(HostMachine::VirtualMachine(_)) | None => None,
        };
        let seen = host.seen_identity.as_ref();
        let macs =
            host.boot_mac.as_deref().into_iter().chain(seen.into_iter().flat_map(|it| it.macs.iter().map(|it| &**it)));
        let uuids = [host.uid.as_deref(), seen.and_then(|it| it.uuid.as_deref()), device.and_then(uuid_of)];
        let serials = [
            host.uid.as_deref(),
            host.serial.as_deref(),
            seen.and_then(|it| it.serial.as_deref()),
            device.and_then(|it| it.serial.as_deref()),
        ];
        let has = |own: Option<&str>, other: &str| own.is_some_and(|own| own.eq_ignore_ascii_case(other.trim()));
        let shares = [
            (Member::Mac, macs.into_iter().any(|mac| self.macs.contains(&folded(mac)))),
            (Member::Uuid, self.uuid.is_some() && uuids.into_iter().flatten().any(|it| uuid_key(it) == self.uuid)),
            (Member::Serial, serials.into_iter().flatten().any(|it| has(self.serial.as_deref(), it))),
            (
                Member::AssetTag,
                device.and_then(|it| it.asset_tag.as_deref()).is_some_and(|it| has(self.asset_tag.as_deref(), it)),
            ),
        ];
        shares.into_iter().filter(|(_, is_shared)| *is_shared).map(|(member, _)| member)
    }
}

/// Returns the serial number of the mainboard in a report, unless it means nothing.
pub fn said_of_board(sections: &Sections, ignored: &IgnoredIdentities) -> Option<String> {
    let serial = sections.system.as_ref()?.found.board_serial.as_deref()?;
    Some(folded(serial)).filter(|text| !ignored.has(text))
}

/// Returns the host that a machine is.
pub fn judge(candidates: &Candidates) -> Identified {
    let holders =
        |member: Member| candidates.iter().filter(move |(_, has)| has.contains(&member)).map(|(host, _)| *host);
    let alone = STRONG.iter().filter_map(|member| {
        let mut holders = holders(*member);
        holders.next().filter(|_| holders.next().is_none())
    });
    let named: Vec<Uuid> = alone.collect::<HashSet<_>>().into_iter().collect();
    if named.len() > 1 {
        return Identified::Contradiction(sorted(named));
    }

    let points = |has: &HashSet<Member>| COUNTED.iter().filter(|member| has.contains(member)).count();
    let Some(most) = candidates.values().map(points).max() else { return Identified::Nobody };
    let best: Vec<Uuid> = candidates.iter().filter(|(_, has)| points(has) == most).map(|(host, _)| *host).collect();
    let tagged = best.iter().filter(|host| candidates[host].contains(&Member::AssetTag));
    match (best.as_slice(), tagged.collect::<Vec<_>>().as_slice()) {
        ([only], _) => Identified::Host(*only),
        (_, [only]) => Identified::Host(**only),
        _ => Identified::Tie(sorted(best)),
    }
}

fn sorted(mut hosts: Vec<Uuid>) -> Vec<Uuid> {
    hosts.sort_unstable();
    hosts
}

fn folded(text: &str) -> String {
    text.trim().to_lowercase()
}

fn uuid_of(device: &DeviceRow) -> Option<&str> {
    device.attributes.0.get(UUID_ATTRIBUTE).and_then(|uuid| uuid.as_str())
}

/// Returns the hosts whose machines have a port with a MAC address.
fn hosts_with_port(snapshot: &Snapshot, mac: &str) -> Vec<Uuid> {
    let slots = snapshot.table(Port::ID).texts().get(&fold(mac)).into_iter().flat_map(|slots| slots.iter());
    let ports = slots.filter_map(|slot| snapshot.row(ObjectRef { kind: Port::ID, slot }));
    let machines = ports.filter_map(|row| {
        let port = cast::<PortRow>(row.as_ref());
        let has = port.mac.as_deref().is_some_and(|own| own.eq_ignore_ascii_case(mac));
        snapshot.find(port.device_id.or(port.virtual_machine_id).filter(|_| has)?)
    });
    let hosts = machines.filter_map(|machine| snapshot.incoming(machine).first_by(Host::MACHINE));
    hosts.filter_map(|host| Some(snapshot.row(host)?.common().id)).collect()
}

#[cfg(test)]
mod tests {
    use super::Member::{AssetTag, BoardSerial, Mac, Serial, Uuid as UuidOf};
    use super::*;

    fn host(number: u128) -> Uuid {
        Uuid::from_u128(number)
    }

    #[test]
    fn the_only_host_with_the_most_points_is_the_machine() {
        let table: &[(&[&[Member]], Identified)] = &[
            (&[], Identified::Nobody),
            (&[&[Mac]], Identified::Host(host(1))),
            (&[&[Mac, UuidOf, Serial], &[Serial]], Identified::Host(host(1))),
            // The nodes of a chassis share its serial number.
            (&[&[Serial], &[Serial]], Identified::Tie(vec![host(1), host(2)])),
            (&[&[Serial], &[Serial, BoardSerial]], Identified::Host(host(2))),
            (&[&[Serial, AssetTag], &[Serial]], Identified::Host(host(1))),
            (&[&[Serial, AssetTag], &[Serial, AssetTag]], Identified::Tie(vec![host(1), host(2)])),
            // The tag breaks ties only.
            (&[&[Mac, Serial], &[Serial, AssetTag]], Identified::Host(host(1))),
            // A card that went to another machine.
            (&[&[Mac], &[UuidOf, Serial]], Identified::Contradiction(vec![host(1), host(2)])),
            (&[&[Mac], &[Serial]], Identified::Contradiction(vec![host(1), host(2)])),
            (&[&[Mac, Serial], &[Serial, UuidOf]], Identified::Contradiction(vec![host(1), host(2)])),
            (&[&[Mac, Serial], &[Mac, Serial], &[UuidOf]], Identified::Tie(vec![host(1), host(2)])),
        ];
        for (hosts, expected) in table {
            let candidates: Candidates = hosts
                .iter()
                .enumerate()
                .map(|(at, members)| (host(at as u128 + 1), members.iter().copied().collect()))
                .collect();
            assert_eq!(judge(&candidates), *expected, "{hosts:?}");
        }
    }

    #[test]
    fn what_means_nothing_is_no_member() {
        let sections = |system: serde_json::Value, mac: &str| -> Sections {
            serde_json::from_value(serde_json::json!({
                "system": {"complete": true, "found": system},
                "interfaces": {"complete": true, "found": [{"name": "e1", "permanentMac": mac}]},
            }))
            .expect("sections")
        };
        let junk = serde_json::json!({"uuid": "03000200-0400-0500-0006-000700080009", "serial": "To be filled by O.E.M.",
            "boardSerial": "None", "assetTag": "Default string"});
        let ignored = IgnoredIdentities::default();
        assert_eq!(MachineIdentity::of(&sections(junk, "00:00:00:00:00:00"), &ignored), MachineIdentity::default());

        let real = serde_json::json!({"uuid": "00112233-4455-6677-8899-AABBCCDDEEFF", "serial": " CZ1 "});
        let identity = MachineIdentity::of(&sections(real, "02:00:5E:00:00:01"), &ignored);
        let swapped = serde_json::json!({"uuid": "33221100-5544-7766-8899-aabbccddeeff", "serial": "cz1"});
        assert_eq!(identity, MachineIdentity::of(&sections(swapped, "02:00:5e:00:00:01"), &ignored));
        assert!(identity.is_lasting() && identity.macs.contains("02:00:5e:00:00:01"));
    }
}
