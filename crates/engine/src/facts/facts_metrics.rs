//! Measures reports about hardware: their number, by outcome.

use metrics::counter;
use underlay_facts::Outcome;

use super::FactsError;

/// The metric of the number of reports, by outcome.
pub const REPORTS: &str = "underlay_facts_reports_total";

/// The metric of the number of hosts that are expected to report.
pub const HOSTS: &str = "underlay_facts_hosts";
/// The metric of the number of hosts with a condition of their hardware, by the condition.
pub const CONDITIONS: &str = "underlay_hardware_conditions";
/// The metric of the number of hosts with less hardware than is expected, by the measure of the hardware.
pub const MISSING: &str = "underlay_hardware_missing";

const STORED: &str = "stored";
const UNCHANGED: &str = "unchanged";
const SEND_ALL: &str = "send-all";
const BUSY: &str = "busy";
const FAILED: &str = "failed";
/// All outcomes of a report.
pub const OUTCOMES: [&str; 5] = [STORED, UNCHANGED, SEND_ALL, BUSY, FAILED];

/// Counts a report.
pub(super) fn reported(accepted: &Result<Outcome, FactsError>) {
    let outcome = match accepted {
        Ok(Outcome::Stored) => STORED,
        Ok(Outcome::Unchanged) => UNCHANGED,
        Ok(Outcome::SendAll) => SEND_ALL,
        Err(FactsError::Busy { .. } | FactsError::Restless { .. }) => BUSY,
        Err(FactsError::Unfit(_) | FactsError::NotStored | FactsError::Store(_)) => FAILED,
    };
    counter!(REPORTS, "outcome" => outcome).increment(1);
}
