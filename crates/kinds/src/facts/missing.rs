//! The hardware that hosts lack: less than their classes demand, or than somebody acknowledged.

use async_graphql::{Enum, SimpleObject};
use underlay_entity::host::{AcknowledgedHardware, HardwareAmount, HardwareMeasure, Model};
use underlay_entity::long::Long;
use underlay_facts::{Amounts, Lack, Measure};
use underlay_inventory::Snapshot;
use uuid::Uuid;

use super::facts_of;
use crate::host_class::{self, HostClass};

/// The reason for which hardware is expected.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Enum)]
pub enum HardwareDemand {
    /// The criteria of the host's class demand it.
    Class,
    /// The host had it when its hardware was acknowledged.
    Acknowledged,
}

/// Hardware that a host lacks.
#[derive(Clone, Copy, Debug, PartialEq, Eq, SimpleObject)]
pub struct MissingHardware {
    /// The measure of the hardware.
    pub measure: HardwareMeasure,
    /// The least amount that is expected.
    expected: Long,
    /// The amount that was reported.
    found: Long,
    /// The reason for which it is expected.
    demand: HardwareDemand,
}

/// Returns the hardware that a host lacks, by the last report of its agent. A part that one report does not show is missing
/// once the next one does not show it either.
pub fn missing(snapshot: &Snapshot, host: &Model) -> Vec<MissingHardware> {
    let summary = facts_of(snapshot).and_then(|facts| facts.summary(host.id));
    let Some(summary) = summary else { return Vec::new() };
    let class = host.class_id.and_then(|class| snapshot.get::<HostClass>(class));
    let criteria = class.and_then(|class| class.criteria.as_ref());
    let of_class = criteria.map(|criteria| host_class::lacking(criteria, &summary.amounts)).unwrap_or_default();
    let acknowledged = host.acknowledged_hardware.as_ref().map(|it| since(it, &summary.amounts)).unwrap_or_default();

    let shown = |demand| move |lack| shown(lack, demand);
    let of_class = of_class.into_iter().map(shown(HardwareDemand::Class));
    of_class.chain(acknowledged.into_iter().map(shown(HardwareDemand::Acknowledged))).collect()
}

fn since(acknowledged: &AcknowledgedHardware, amounts: &Amounts) -> Vec<Lack> {
    let expected = acknowledged.amounts.iter().map(|it| (fact(it.measure), u64::try_from(it.amount.0).unwrap_or(0)));
    amounts.lacking(expected)
}

fn shown(lack: Lack, demand: HardwareDemand) -> MissingHardware {
    let Lack { measure, expected, found } = lack;
    MissingHardware { measure: recorded(measure), expected: long(expected), found: long(found), demand }
}

/// Returns the amounts of the hardware of a host that are known, by the last report of its agent.
pub fn reported_amounts(snapshot: &Snapshot, host: Uuid) -> Vec<HardwareAmount> {
    let summary = facts_of(snapshot).and_then(|facts| facts.summary(host));
    summary.map(|summary| known(&summary.amounts)).unwrap_or_default()
}

fn known(amounts: &Amounts) -> Vec<HardwareAmount> {
    let amount =
        |measure| Some(HardwareAmount { measure: recorded(measure), amount: long(amounts.of_measure(measure)?) });
    Measure::ALL.into_iter().filter_map(amount).collect()
}

fn long(amount: u64) -> Long {
    Long(i64::try_from(amount).unwrap_or(i64::MAX))
}

const fn recorded(measure: Measure) -> HardwareMeasure {
    match measure {
        Measure::Processors => HardwareMeasure::Processors,
        Measure::Cores => HardwareMeasure::Cores,
        Measure::Threads => HardwareMeasure::Threads,
        Measure::MemoryModules => HardwareMeasure::MemoryModules,
        Measure::MemoryBytes => HardwareMeasure::MemoryBytes,
        Measure::Disks => HardwareMeasure::Disks,
        Measure::DiskBytes => HardwareMeasure::DiskBytes,
        Measure::Gpus => HardwareMeasure::Gpus,
        Measure::Interfaces => HardwareMeasure::Interfaces,
        Measure::Devices => HardwareMeasure::Devices,
    }
}

const fn fact(measure: HardwareMeasure) -> Measure {
    match measure {
        HardwareMeasure::Processors => Measure::Processors,
        HardwareMeasure::Cores => Measure::Cores,
        HardwareMeasure::Threads => Measure::Threads,
        HardwareMeasure::MemoryModules => Measure::MemoryModules,
        HardwareMeasure::MemoryBytes => Measure::MemoryBytes,
        HardwareMeasure::Disks => Measure::Disks,
        HardwareMeasure::DiskBytes => Measure::DiskBytes,
        HardwareMeasure::Gpus => Measure::Gpus,
        HardwareMeasure::Interfaces => Measure::Interfaces,
        HardwareMeasure::Devices => Measure::Devices,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn measures_are_recorded_one_for_one() {
        for measure in Measure::ALL {
            assert_eq!(fact(recorded(measure)), measure);
        }
    }

    #[test]
    fn what_is_not_known_is_not_acknowledged() {
        let amounts = Amounts { gpus: Some(4), cores: None, ..Amounts::default() };
        let gpus = HardwareAmount { measure: HardwareMeasure::Gpus, amount: Long(4) };
        assert_eq!(known(&amounts), [gpus]);
    }
}
