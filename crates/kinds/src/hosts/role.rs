//! The role of the kind of hosts: what orders and claims must know of hosts and of what they stand on.

use underlay_entity::host::{HardwareAmount, Model};
use underlay_entity::lifecycle::Status;
use underlay_entity::profile;
use uuid::Uuid;

use underlay_inventory::{KindId, ObjectRef, ReferenceId, Snapshot, cast};
use underlay_topology::role::Roles;

/// The failures over which hosts are spread.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Spread {
    /// The enclosures that the machines stand in.
    Enclosure,
    /// The objects that supply power, by the rules of impact.
    Power,
    /// The devices that forward traffic, by the rules of impact.
    Switch,
    /// All of these, and panels and circuits, by the rules of impact.
    Failure,
}

/// The names by which a machine is recorded.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Names<'a> {
    /// The serial number.
    pub serial: Option<&'a str>,
    /// The UUID.
    pub uuid: Option<&'a str>,
}

/// The role of the kind of hosts.
#[derive(Clone, Copy, Debug)]
pub struct HostRole {
    /// The kind of hosts itself.
    pub kind: KindId,
    /// The kind of the profiles that are booted.
    pub profiles: KindId,
    /// The reference to the class of a host.
    pub class: ReferenceId,
    /// The reference to the machine of a host.
    pub machine: ReferenceId,
    /// Returns the status of a machine.
    pub status: fn(&Snapshot, ObjectRef) -> Option<Status>,
    /// Returns the names by which a machine is recorded.
    pub names: for<'a> fn(&'a Snapshot, ObjectRef) -> Names<'a>,
    /// Returns true if a machine carries virtual machines or an appliance.
    pub carries: fn(&Snapshot, ObjectRef) -> bool,
    /// Returns the enclosure that a machine stands in.
    pub enclosure: fn(&Snapshot, ObjectRef) -> Option<ObjectRef>,
    /// Returns the objects whose failures count for a spread.
    pub failures: fn(&Snapshot, Spread) -> Vec<ObjectRef>,
    /// Returns the amounts of the hardware of a host that are known, as the agent on its machine reported last.
    pub hardware: fn(&Snapshot, Uuid) -> Vec<HardwareAmount>,
    /// Returns the roles of all kinds in topology.
    pub topology: fn() -> &'static Roles,
}

impl HostRole {
    /// Returns the host with an id.
    pub fn host<'a>(&self, snapshot: &'a Snapshot, id: Uuid) -> Option<&'a Model> {
        let object = snapshot.find(id).filter(|object| object.kind == self.kind)?;
        snapshot.row(object).map(|row| cast(row.as_ref()))
    }

    /// Returns the profile with an id.
    pub fn profile<'a>(&self, snapshot: &'a Snapshot, id: Uuid) -> Option<&'a profile::Model> {
        let object = snapshot.find(id).filter(|object| object.kind == self.profiles)?;
        snapshot.row(object).map(|row| cast(row.as_ref()))
    }
}
