//! The role of a kind in topology. Each kind describes its role once, in a [`Role`]. Lines, impact and paths all read
//! that description.
//!
//! A role names the references of the kind and the functions that read its rows, each fact once. Everything else
//! follows from these facts. For example, a connector names the reference to its machine. So impact takes the connector
//! down with the machine, and a path to the connector leads to the machine. [`Roles`] derives such facts from the roles
//! of all kinds.
//!
//! The words for parts are not names of kinds: several kinds can play one part, and topology depends on no kind. A
//! *span* is the stretch between two terminations, such as a cable. A *connector* is an end in a machine or a guest,
//! such as a port, also a virtual one. An *opaque span* is a span whose path the inventory does not show, such as a
//! circuit.

mod connection;
mod dependency;
mod end;
mod group;
mod machine;
mod packed_state;
mod roles;

use underlay_entity::row::Row;
use underlay_inventory::ReferenceId;

pub use connection::{Association, Lane, OpaqueSpan, Span};
pub use dependency::{Dependency, Rule};
pub use end::{Connector, End, EndState, Inside, Mapping, Onward, Purpose};
pub use group::{Group, Guest, Outside};
pub use machine::{Machine, MachineState, Plane, Tier};
pub(crate) use packed_state::{ConnectorState, PackedState};
pub use roles::Roles;
pub(crate) use roles::{Propagates, SpanSide, StandsFor, Toward};

/// The role of a kind in topology.
#[derive(Clone, Copy, Debug)]
pub struct Role {
    /// Reads the status of an object from its row.
    pub status: fn(&dyn Row) -> Status,
    /// The part that the kind plays.
    pub part: Part,
    /// The objects that an object of this kind goes down with, besides those that its part implies: a port goes down
    /// with its machine or guest, and an end that is fed goes down with its sources.
    pub depends_on: &'static [Dependency],
    /// The references from the objects at which a path to this object ends instead; the first that leads to any counts.
    /// Only a kind whose part has no place on paths needs them.
    pub represented_by: &'static [ReferenceId],
    /// Reads the names of the risk groups of an object. All objects of a risk group fail together.
    pub risk_groups: fn(&dyn Row) -> &[String],
    /// The answers that report the object when it fails.
    pub reported: Reported,
}

impl Role {
    /// The role of a kind whose objects have no status, depend on nothing and play no part. Other roles are written as
    /// differences from it.
    pub const PLAIN: Self = Self {
        status: |_| Status::Active,
        part: Part::Plain,
        depends_on: &[],
        represented_by: &[],
        risk_groups: |_| &[],
        reported: Reported::Always,
    };

    /// Returns the description of ends; `None` if objects of the kind are not ends.
    #[inline]
    pub const fn end(&self) -> Option<&End> {
        match &self.part {
            Part::End(end) => Some(end),
            Part::Connector(connector) => Some(&connector.end),
            _ => None,
        }
    }

    /// Returns the description of groups; `None` if objects of the kind are neither groups nor pools.
    #[inline]
    pub const fn group(&self) -> Option<&Group> {
        match &self.part {
            Part::Group(group) | Part::Pool(group) => Some(group),
            _ => None,
        }
    }
}

/// The part that a kind plays in topology.
#[derive(Clone, Copy, Debug)]
pub enum Part {
    /// No part: the object only goes down with others.
    Plain,
    /// An end of lines that belongs to no machine.
    End(End),
    /// An end of lines in a machine or guest: a port, also a virtual one.
    Connector(Connector),
    /// The stretch between the ends of two sides: a cable.
    Span(Span),
    /// A span between two ends whose path the inventory does not show: a circuit.
    OpaqueSpan(OpaqueSpan),
    /// An object that draws power, forwards traffic and hosts others. Paths run from machine to machine.
    Machine(Machine),
    /// A network of another operator, whose inside the inventory does not show. It is an exit of the network, forwards
    /// traffic between the ends that stand in it, and completes the lines that end in it.
    Outside(Outside),
    /// A group of machines that can have logical connections.
    Group(Group),
    /// A group of machines whose own state depends on how many of them are left.
    Pool(Group),
    /// An object that runs on another one.
    Guest(Guest),
    /// An object which says that two others are connected.
    Association(Association),
}

/// The status of an object, as its row says.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Status {
    /// The object does not exist yet or any more, is switched off, or is not plugged in. It cannot go down.
    Off,
    /// The object runs, but is not in regular use. Lines over it are not active.
    Running,
    /// The object runs and is in regular use.
    Active,
}

impl Status {
    /// Returns true if the object exists and runs.
    #[inline]
    pub const fn runs(self) -> bool {
        !matches!(self, Self::Off)
    }

    /// Returns true if the object is in regular use.
    #[inline]
    pub const fn is_active(self) -> bool {
        matches!(self, Self::Active)
    }
}

/// The answers that report an object when it fails.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Reported {
    /// The object counts as a loss, and its failure is a risk for paths.
    Always,
    /// The failure of the object is a risk for paths, but the object is no loss by itself.
    AsRisk,
    /// The object is only a part of another one, which is reported instead.
    Never,
}

impl Reported {
    /// Returns true if the object counts as a loss when it fails.
    pub const fn is_loss(self) -> bool {
        matches!(self, Self::Always)
    }

    /// Returns true if the failure of the object is a risk for paths.
    pub const fn is_risk(self) -> bool {
        matches!(self, Self::Always | Self::AsRisk)
    }
}
