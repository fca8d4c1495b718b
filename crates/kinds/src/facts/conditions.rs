//! The conditions of the hardware of hosts, worked out when they are read, of what was reported and of the inventory.
//!
//! Guarantee: what is not known is no condition. The cabling of a host is judged once for each revision and report.

use std::sync::Arc;

use foldhash::HashSet;
use underlay_engine::facts::{Facts, HostSummary};
use underlay_entity::facts::HardwareCondition;
use underlay_entity::host::{HardwareMeasure, Model};
use underlay_inventory::{Kind, Snapshot, cast};
use uuid::Uuid;

use super::cabling::{CablingVerdict, Judge};
use super::facts_of;
use super::missing::missing;
use crate::grammar::enum_name;
use crate::host::Host;

/// The number of hosts that are expected to report.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Reporting {
    /// The hosts that have reported, or have a token to report with.
    pub hosts: usize,
    /// The number of those of them that have a condition, for each one.
    pub conditions: Vec<(HardwareCondition, usize)>,
    /// The number of those of them that have less hardware than is expected, for each measure, by
    /// its name in the API.
    pub missing: Vec<(&'static str, usize)>,
}

/// Returns the conditions of the hardware of a host at this moment.
pub fn conditions(snapshot: &Snapshot, host: &Model) -> Vec<HardwareCondition> {
    HardwareCondition::ALL.into_iter().filter(|condition| has_condition(snapshot, host, *condition)).collect()
}

/// Returns true if the hardware of a host has a condition at this moment.
pub fn has_condition(snapshot: &Snapshot, host: &Model, condition: HardwareCondition) -> bool {
    let Some(facts) = facts_of(snapshot) else { return false };
    match condition {
        HardwareCondition::FactsStale => facts.is_stale(host.id),
        HardwareCondition::DiskFailing => facts.alarms(host.id).disk_failing,
        HardwareCondition::MemoryErrors => facts.alarms(host.id).memory_errors,
        HardwareCondition::HardwareMissing => !missing(snapshot, host).is_empty(),
        HardwareCondition::CablingMismatch => judged(snapshot, facts, host.id).differs,
        HardwareCondition::LinkDown => judged(snapshot, facts, host.id).is_cut,
        HardwareCondition::GpuLost => facts.summary(host.id).is_some_and(|summary| summary.gpu_lost),
    }
}

/// Counts the hosts that are expected to report, and their conditions.
pub fn count(snapshot: &Snapshot, facts: &Facts) -> Reporting {
    let expected: HashSet<Uuid> = facts.expected();
    let found = expected.iter().filter_map(|host| snapshot.find(*host)).filter(|object| object.kind == Host::ID);
    let hosts: Vec<&Model> =
        found.filter_map(|host| snapshot.row(host)).map(|row| cast::<Model>(row.as_ref())).collect();
    let counted = HardwareCondition::ALL
        .map(|condition| (condition, hosts.iter().filter(|host| has_condition(snapshot, host, condition)).count()));
    let lacks = |host: &&Model, measure| missing(snapshot, host).iter().any(|missing| missing.measure == measure);
    let lacking: Vec<&Model> = hosts.iter().copied().filter(|host| !missing(snapshot, host).is_empty()).collect();
    let missing = HardwareMeasure::ALL.map(|it| (enum_name(it), lacking.iter().filter(|host| lacks(host, it)).count()));
    Reporting { hosts: hosts.len(), conditions: counted.to_vec(), missing: missing.to_vec() }
}

/// The verdicts about the cabling of a host.
struct Judged {
    revision: i64,
    summary: Arc<HostSummary>,
    verdicts: Verdicts,
}

/// The verdicts about the interfaces of a host together.
#[derive(Clone, Copy, Debug, Default)]
struct Verdicts {
    /// True if a neighbour is heard that is not the far end that is recorded.
    differs: bool,
    /// True if an interface has no carrier though its port is cabled.
    is_cut: bool,
}

/// Returns the verdicts about the cabling of a host. A tenant does not see neighbours, and only a part of the cables.
fn judged(snapshot: &Snapshot, facts: &Facts, host: Uuid) -> Verdicts {
    let (None, Some(object), Some(summary)) = (snapshot.part_of(), snapshot.find(host), facts.summary(host)) else {
        return Verdicts::default();
    };
    let (Some(heard), Some(machine)) = (&summary.heard, snapshot.outgoing(object).first_by(Host::MACHINE)) else {
        return Verdicts::default();
    };
    if let Some(judged) = snapshot.memo::<Judged>(object)
        && judged.revision == snapshot.revision()
        && Arc::ptr_eq(&judged.summary, &summary)
    {
        return judged.verdicts;
    }
    let judge = Judge::new(snapshot, machine, heard);
    let verdicts = judge.cabling().fold(Verdicts::default(), |verdicts, interface| Verdicts {
        differs: verdicts.differs || interface.verdict == CablingVerdict::Differs,
        is_cut: verdicts.is_cut || interface.is_cut,
    });
    // Which ports a text leads to may change with any object, so the verdict is one of this revision.
    let judged = Judged { revision: snapshot.revision(), summary: Arc::clone(&summary), verdicts };
    snapshot.memoize(object, Arc::new(judged), Default::default());
    verdicts
}
