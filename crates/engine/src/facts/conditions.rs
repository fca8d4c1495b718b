//! The conditions of the hardware of a host, worked out when they are read.

use std::sync::PoisonError;

use chrono::{DateTime, TimeDelta, Utc};
use foldhash::HashSet;
use underlay_entity::facts::{FactsOrigin, HardwareCondition};
use uuid::Uuid;

use super::Facts;

/// The number of periods after which facts are stale.
const STALE_PERIODS: i32 = 3;

/// The number of hosts that are expected to report.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Reporting {
    /// The hosts that have reported, or have a token to report with.
    pub hosts: usize,
    /// The number of those of them that have a condition, for each one.
    pub conditions: Vec<(HardwareCondition, usize)>,
}

impl Facts {
    /// Counts the hosts that are expected to report, and their conditions.
    pub fn count(&self) -> Reporting {
        let hosts: HashSet<Uuid> = {
            let latest = self.0.latest.read().unwrap_or_else(PoisonError::into_inner);
            let tokens = self.0.tokens.read().unwrap_or_else(PoisonError::into_inner);
            let reported =
                latest.iter().filter(|((_, origin), _)| *origin == FactsOrigin::Agent).map(|((host, _), _)| *host);
            reported.chain(tokens.accepted()).collect()
        };
        let mut conditions = HardwareCondition::ALL.map(|condition| (condition, 0));
        for found in hosts.iter().flat_map(|host| self.conditions(*host)) {
            conditions.iter_mut().filter(|(condition, _)| *condition == found).for_each(|(_, count)| *count += 1);
        }
        Reporting { hosts: hosts.len(), conditions: conditions.to_vec() }
    }

    /// Returns the conditions of the hardware of a host.
    pub fn conditions(&self, host: Uuid) -> Vec<HardwareCondition> {
        let alarms = self.latest(host, FactsOrigin::Agent).map(|latest| latest.alarms).unwrap_or_default();
        let holds = |condition: &HardwareCondition| match condition {
            HardwareCondition::FactsStale => self.is_stale(host),
            HardwareCondition::DiskFailing => alarms.disk_failing,
            HardwareCondition::MemoryErrors => alarms.memory_errors,
        };
        HardwareCondition::ALL.into_iter().filter(holds).collect()
    }

    /// Returns true if the agent of a host has reported, or has a token to report with.
    pub fn has_agent(&self, host: Uuid) -> bool {
        self.expected_since(host).is_some()
    }

    /// Returns the time since which a report is expected of a host: that of the last one, or of its token if that is
    /// newer.
    fn expected_since(&self, host: Uuid) -> Option<DateTime<Utc>> {
        let heard = self.latest(host, FactsOrigin::Agent).map(|it| it.received_at);
        heard.max(self.0.tokens.read().unwrap_or_else(PoisonError::into_inner).issued_at(host))
    }

    /// Returns true if a report is expected of a host, and none came for three periods. Nobody could report before this
    /// process ran, so that time does not count. A token with which only a recorder ever reported is none of an agent.
    fn is_stale(&self, host: Uuid) -> bool {
        let has = |origin| self.latest(host, origin).is_some();
        if has(FactsOrigin::Recorder) && !has(FactsOrigin::Agent) {
            return false;
        }
        let Some(last) = self.expected_since(host) else { return false };
        let patience = TimeDelta::from_std(self.period()).unwrap_or(TimeDelta::MAX).checked_mul(STALE_PERIODS);
        patience.is_some_and(|patience| Utc::now() - last.max(self.0.since) > patience)
    }
}
