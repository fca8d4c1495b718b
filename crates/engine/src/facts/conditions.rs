//! The conditions of the hardware of a host, worked out when they are read.

use std::sync::PoisonError;

use chrono::{TimeDelta, Utc};
use underlay_entity::facts::FactsOrigin;
use uuid::Uuid;

use super::Facts;

/// The number of periods after which facts are stale.
const STALE_PERIODS: i32 = 3;

/// A condition of the hardware of a host.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum HardwareCondition {
    /// The agent of the host has not reported for three periods.
    FactsStale,
}

impl Facts {
    /// Returns the conditions of the hardware of a host.
    pub fn conditions(&self, host: Uuid) -> Vec<HardwareCondition> {
        if self.is_stale(host) { vec![HardwareCondition::FactsStale] } else { Vec::new() }
    }

    /// Returns true if the host has reported, or has a token to report with, and nothing was heard for three periods.
    /// Nobody could report before this process ran, so that time does not count.
    fn is_stale(&self, host: Uuid) -> bool {
        let heard = self.latest(host, FactsOrigin::Agent).map(|it| it.received_at);
        let issued = self.0.tokens.read().unwrap_or_else(PoisonError::into_inner).issued_at(host);
        let Some(last) = heard.max(issued) else { return false };

        let patience = TimeDelta::from_std(self.period()).unwrap_or(TimeDelta::MAX).checked_mul(STALE_PERIODS);
        patience.is_some_and(|patience| Utc::now() - last.max(self.0.since) > patience)
    }
}
