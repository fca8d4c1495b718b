//! The part of the API about the hardware of hosts: what was last reported, what changed, where parts are and were, the
//! conditions worked out of it, the cabling beside what is recorded, and the tokens of agents. It also records the hardware
//! of devices (`record`).
//!
//! Guarantees: one statement reads the facts of all hosts of a list. A tenant sees the hardware of the hosts of its
//! clusters, without what identifies a machine: serial numbers, UUIDs, MAC addresses and neighbours.

mod agent;
pub mod cabling;
mod cards;
mod chassis;
mod conditions;
mod enrolment;
pub mod events;
pub mod follow;
mod load;
mod missing;
mod models;
mod neighbours;
mod parts;
mod record;
mod report;
mod traced_parts;

pub use agent::{AgentMutation, HostAgentToken, token_of};
pub use conditions::{Reporting, conditions, count, has_condition};
pub use enrolment::{
    EnrolError, EnrolledHost, EnrolmentMutation, EnrolmentRoots, Identified, MachineIdentity, enrol, judge,
};
pub use events::{HardwareEventConnection, HardwareRoots, events_of, of_host};
pub use load::{FactsLoader, facts_of_host};
pub use missing::{MissingHardware, missing, reported_amounts};
pub use models::ModelRoots;
pub use record::keep_recorded;
pub use report::FactsReport;
pub use traced_parts::{Part, PartConnection, PartRoots, parts_of_host};

use underlay_engine::facts::Facts;
use underlay_entity::facts::HardwareCondition;
use underlay_inventory::Snapshot;
use underlay_read::{Nests, enum_filter};
use uuid::Uuid;

enum_filter!(HardwareConditionFilter, HardwareCondition);

impl Nests for HardwareConditionFilter {}

/// Returns the facts of the process that has a snapshot. A program that only reads an inventory has none.
pub fn facts_of(snapshot: &Snapshot) -> Option<&Facts> {
    snapshot.registry().settings()
}

/// Returns true if the agent of a host has reported, or has a token to report with.
pub fn has_agent(snapshot: &Snapshot, host: Uuid) -> bool {
    facts_of(snapshot).is_some_and(|facts| facts.has_agent(host))
}
