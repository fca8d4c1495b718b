//! The results of the mutations that controllers call.

use async_graphql::{ID, SimpleObject};
use chrono::{DateTime, Utc};

use super::hosts_status::{HostContradiction, HostsStatus, ObserveOnly};
use crate::apply_result::ApplyError;
use crate::host::Host;
use crate::scalars::Revision;

/// The result of reports.
#[derive(Clone, Debug, SimpleObject)]
pub struct ReportHostsPayload {
    /// The results of the reports, in their order.
    pub results: Vec<HostReportResult>,
    /// The id of the history of the database. A restored database has another one.
    pub history: ID,
    /// The reason why controllers may only observe. Null: they may act.
    pub observe_only: Option<ObserveOnly>,
    /// The time of the database.
    pub now: DateTime<Utc>,
    /// The revision that the reports created. Null if nothing changed.
    pub revision: Option<Revision>,
    /// The state of the server after the reports, which every act depends on.
    pub status: HostsStatus,
}

/// The result of a report.
#[derive(Clone, Debug, SimpleObject)]
pub struct HostReportResult {
    /// The host after the report. Null if there is no such host.
    pub host: Option<Host>,
    /// The reason why the report was refused. LEASE_LOST: another controller holds the lease, or it has ended.
    /// STALE_VERSION: the host changed, or has a newer order. NOT_FOUND: there is no such host. UNAVAILABLE: reports about
    /// the host come too often. Null if it was written.
    pub error: Option<ApplyError>,
}

/// The result of `observeHosts`.
#[derive(Clone, Debug, SimpleObject)]
pub struct ObserveHostsPayload {
    /// The reason why controllers may only observe: the first one that was set.
    pub observe_only: Option<ObserveOnly>,
}

/// The result of `resumeHosts`.
#[derive(Clone, Debug, SimpleObject)]
pub struct ResumeHostsPayload {
    /// The reason why controllers could only observe. Null if they could act.
    pub observe_only: Option<ObserveOnly>,
    /// The hosts of which what was seen contradicts the inventory, or whose orders go on now: at most 1,000.
    pub contradictions: Vec<HostContradiction>,
}
