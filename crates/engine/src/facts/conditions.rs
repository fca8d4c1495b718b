//! The knowledge of the last reports of hosts, from which the conditions of their hardware are worked out.

use std::sync::{Arc, PoisonError};

use chrono::{DateTime, TimeDelta, Utc};
use foldhash::HashSet;
use underlay_entity::facts::FactsOrigin;
use underlay_facts::Alarms;
use uuid::Uuid;

use super::{Facts, HostSummary, LatestReport};

/// The number of periods after which facts are stale.
const STALE_PERIODS: i32 = 3;
/// The time between two readings of a BMC.
const BMC_PERIOD: TimeDelta = TimeDelta::days(1);

impl Facts {
    /// Returns the hosts that are expected to report: those whose agents have reported, or that have a token to report with.
    pub fn expected(&self) -> HashSet<Uuid> {
        let latest = self.0.latest.read().unwrap_or_else(PoisonError::into_inner);
        let tokens = self.0.tokens.read().unwrap_or_else(PoisonError::into_inner);
        let reported =
            latest.iter().filter(|((_, origin), _)| *origin == FactsOrigin::Agent).map(|((host, _), _)| *host);
        reported.chain(tokens.accepted()).collect()
    }

    /// Returns the faults that the last report of the agent of a host shows.
    pub fn alarms(&self, host: Uuid) -> Alarms {
        self.of_agent(host, |latest| latest.alarms).unwrap_or_default()
    }

    /// Returns the summary of the last report of the agent of a host.
    pub fn summary(&self, host: Uuid) -> Option<Arc<HostSummary>> {
        self.of_agent(host, |latest| latest.summary.clone())?
    }

    /// Reads the last report of the agent of a host without a copy of it: lists ask this of every host.
    fn of_agent<T>(&self, host: Uuid, read: impl FnOnce(&LatestReport) -> T) -> Option<T> {
        let latest = self.0.latest.read().unwrap_or_else(PoisonError::into_inner);
        latest.get(&(host, FactsOrigin::Agent)).map(read)
    }

    /// Returns true if the agent of a host has reported, or has a token to report with.
    pub fn has_agent(&self, host: Uuid) -> bool {
        self.expected_since(host).is_some()
    }

    /// Returns the time since which a report is expected of a host: that of the last one, or of its token if that is
    /// newer.
    fn expected_since(&self, host: Uuid) -> Option<DateTime<Utc>> {
        let heard = self.of_agent(host, |it| it.received_at);
        heard.max(self.0.tokens.read().unwrap_or_else(PoisonError::into_inner).issued_at(host))
    }

    /// Returns true if the last report of an origin is older than it should be. A recorder reports once, so its word is never
    /// too old. Controllers read BMCs once a day, also while no server ran for a time, so that time counts.
    pub fn is_overdue(&self, host: Uuid, origin: FactsOrigin, latest: &LatestReport) -> bool {
        match origin {
            FactsOrigin::Agent => self.is_stale(host),
            FactsOrigin::Recorder => false,
            FactsOrigin::Bmc => Utc::now() - latest.received_at > BMC_PERIOD * STALE_PERIODS,
        }
    }

    /// Returns true if a report of the agent is expected of a host, and none came for three periods. Nobody could report before this
    /// process ran, so that time does not count. A token with which only a recorder ever reported is none of an agent.
    pub fn is_stale(&self, host: Uuid) -> bool {
        let has = |origin| self.latest(host, origin).is_some();
        if has(FactsOrigin::Recorder) && !has(FactsOrigin::Agent) {
            return false;
        }
        let Some(last) = self.expected_since(host) else { return false };
        let patience = TimeDelta::from_std(self.period()).unwrap_or(TimeDelta::MAX).checked_mul(STALE_PERIODS);
        patience.is_some_and(|patience| Utc::now() - last.max(self.0.since) > patience)
    }
}
