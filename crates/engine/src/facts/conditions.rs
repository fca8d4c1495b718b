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
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Reporting {
    /// The hosts that have reported, or have a token to report with.
    pub hosts: usize,
    /// Those of them whose facts are stale.
    pub stale: usize,
}

impl Facts {
    /// Counts the hosts that are expected to report.
    pub fn count(&self) -> Reporting {
        let hosts: HashSet<Uuid> = {
            let latest = self.0.latest.read().unwrap_or_else(PoisonError::into_inner);
            let tokens = self.0.tokens.read().unwrap_or_else(PoisonError::into_inner);
            latest.iter().map(|((host, _), _)| *host).chain(tokens.accepted()).collect()
        };
        Reporting { hosts: hosts.len(), stale: hosts.into_iter().filter(|host| self.is_stale(*host)).count() }
    }

    /// Returns the conditions of the hardware of a host.
    pub fn conditions(&self, host: Uuid) -> Vec<HardwareCondition> {
        if self.is_stale(host) { vec![HardwareCondition::FactsStale] } else { Vec::new() }
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
    /// process ran, so that time does not count.
    fn is_stale(&self, host: Uuid) -> bool {
        let Some(last) = self.expected_since(host) else { return false };
        let patience = TimeDelta::from_std(self.period()).unwrap_or(TimeDelta::MAX).checked_mul(STALE_PERIODS);
        patience.is_some_and(|patience| Utc::now() - last.max(self.0.since) > patience)
    }
}
