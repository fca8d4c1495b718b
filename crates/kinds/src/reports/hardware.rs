//! The hardware of hosts that controllers read from BMCs. It is kept as a report of an origin of its own.
//!
//! Guarantees: a report is taken only under the lease of its host, and within the bounds of `POST /facts`. It makes no
//! revision.

use async_graphql::{Context, ID, InputObject, Object, Result, SimpleObject};
use chrono::Utc;
use serde_json::Value;
use underlay_engine::access::WriteKind;
use underlay_engine::facts::FactsError;
use underlay_engine::store::Fence;
use underlay_engine::write::check_name;
use underlay_entity::facts::FactsOrigin;
use underlay_entity::long::Long;
use underlay_facts::{MAX_MESSAGE_BYTES, MAX_MESSAGE_VALUES, Outcome, Report};
use underlay_inventory::{Refusal, parse_id};

use super::invalid;
use super::leases::LeasesOf;
use super::strays::check_lease;
use crate::control::unanswered;
use crate::errors::{forbidden, internal, refused};
use crate::facts::facts_of;
use crate::request::Request;
use crate::scalars::FreeJson;

/// The argument with the report.
const REPORT: &str = "report";

/// The hardware of a host, as a controller read it from its BMC.
#[derive(Clone, Debug, InputObject)]
pub struct ReportHardwareInput {
    /// The controller, by the name with which it took its leases.
    pub holder: String,
    /// The lease of the host: `hosts/NN` of a controller without a site, or `hosts/SITE/NN` of one of the site of the host.
    pub lease: String,
    /// The epoch under which the controller holds the lease.
    pub epoch: Long,
    /// The id of the host.
    pub host: ID,
    /// The report, in the form and within the bounds of `POST /facts`.
    pub report: FreeJson,
}

/// The result of `reportHardware`.
#[derive(Clone, Debug, SimpleObject)]
pub struct ReportHardwarePayload {
    /// True if the hardware is another one than that of the last report.
    pub changed: bool,
}

/// The root field by which the hardware is reported.
#[derive(Debug, Default)]
pub struct HardwareMutation;

/// The root field by which the hardware is reported.
#[Object]
impl HardwareMutation {
    /// Reports the hardware of a host as its BMC tells it, in the place of what was reported so before. It makes no revision.
    /// The report is refused if the lease of its host is not held under its epoch.
    async fn report_hardware(
        &self,
        context: &Context<'_>,
        #[graphql(desc = "The hardware of a host.")] input: ReportHardwareInput,
    ) -> Result<Option<ReportHardwarePayload>> {
        let request = Request::of(context);
        request.handle(WriteKind::Report).map_err(|it| forbidden(&it))?;
        let refuse = |it: Refusal| refused(&it, None, None);
        check_name("holder", Some(&input.holder)).map_err(refuse)?;
        let (snapshot, host) = (request.snapshot(), parse_id("host", &input.host).map_err(refuse)?);
        let gone = || Refusal::NotFound { field: "host".to_owned(), what: format!("Host {host}") };
        let leases = LeasesOf::host(&snapshot, host).ok_or_else(gone).map_err(refuse)?;
        leases.check(&input.lease).map_err(refuse)?;
        let fence = Fence { lease: input.lease, holder: input.holder, epoch: input.epoch.0 };
        let held = Box::pin(request.sources().store().named_leases(std::iter::once(fence.lease.as_str()))).await;
        check_lease(&fence, &held.map_err(|it| unanswered(&it))?).map_err(refuse)?;

        let facts = facts_of(&snapshot).ok_or_else(|| internal("the server has no place for facts"))?;
        let _place = facts.place_to_read().map_err(|error| refuse(refusal(&error)))?;
        let report = report(input.report.0).map_err(refuse)?;
        let accepted = Box::pin(facts.accept(host, FactsOrigin::Bmc, &report)).await;
        let outcome = accepted.map_err(|error| refuse(refusal(&error)))?;
        Ok(Some(ReportHardwarePayload { changed: outcome == Outcome::Stored }))
    }
}

/// Reads a report, within its bounds.
fn report(json: Value) -> std::result::Result<Report, Refusal> {
    let unfit = |reason: String| invalid(REPORT, reason);
    let text = serde_json::to_vec(&json).map_err(|error| unfit(format!("is no JSON: {error}")))?;
    if text.len() > MAX_MESSAGE_BYTES {
        return Err(unfit(format!("is larger than {MAX_MESSAGE_BYTES} bytes")));
    }
    let values = underlay_json::values(&text);
    if values > MAX_MESSAGE_VALUES {
        return Err(unfit(format!("has {values} values; at most {MAX_MESSAGE_VALUES} are allowed")));
    }
    if underlay_json::has_null_character(&text) {
        return Err(unfit("has the character U+0000 in a text".to_owned()));
    }
    let report: Report = serde_json::from_value(json).map_err(|error| unfit(format!("is no report: {error}")))?;
    report.check(Utc::now()).map_err(|error| unfit(format!("is not taken: {error}")))?;
    Ok(report)
}

/// Returns the refusal of a report that the facts do not take.
fn refusal(error: &FactsError) -> Refusal {
    match error {
        FactsError::Unfit(_) => invalid(REPORT, format!("is not taken: {error}")),
        FactsError::Busy { .. } | FactsError::Restless { .. } | FactsError::NotStored | FactsError::Store(_) => {
            Refusal::Unavailable(error.to_string())
        }
    }
}
