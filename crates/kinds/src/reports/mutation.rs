//! The mutations that controllers call.

use std::collections::{BTreeSet, HashMap};
use std::sync::Arc;
use std::time::Instant;

use async_graphql::{Context, Object, Result};
use chrono::{DateTime, Utc};
use underlay_entity::host::Model;
use uuid::Uuid;

use super::decide::{Reporting, RequestedChange, RequestedWrite};
use super::hosts_status::{HostsStatus, contradictions};
use super::input::{HostHistoryInput, HostHistoryPart, HostReportInput, ObserveHostsInput, ReportHostsInput};
use super::invalid;
use super::leases::LeasesOf;
use super::pace::ReportPace;
use super::payload::{HostReportResult, ObserveHostsPayload, ReportHostsPayload, ResumeHostsPayload};
use super::write::{self, MAX_SENTENCE_CHARACTERS, check_acts, check_facts, check_observed, check_text};
use crate::apply_result::ApplyError;
use crate::control::unanswered;
use crate::errors::{forbidden, internal, refused};
use crate::host::{Host, end_orders};
use crate::request::Request;
use crate::scalars::Revision;
use crate::write_handle::WriteHandle;
use underlay_engine::access::WriteKind;
use underlay_engine::store::{Fence, LeasesAt, Observation, Observations, StoredAct};
use underlay_engine::write::{Batch, Conflicts, Mode, Origin, WriteAnswer, check_name};
use underlay_inventory::{Refusal, Snapshot, parse_id};

/// The greatest number of reports in a call.
const MAX_REPORTS: usize = 1_000;
/// The number of times that reports are decided again because leases ended meanwhile.
const MAX_ATTEMPTS: usize = 4;
/// The greatest number of contradictions in an answer.
const MAX_CONTRADICTIONS: usize = 1_000;

/// Root fields that controllers call.
#[derive(Debug, Default)]
pub struct ReportMutation;

/// Root fields that controllers call.
#[Object]
impl ReportMutation {
    /// Writes what a controller saw and did: at most 1,000 reports, each about another host and each by itself. A controller
    /// reports only what differs, and at most one change of a host a second, after a burst of 20. A report is refused if the
    /// lease of its host is not held under its epoch, if the host changed since it was read, or if it has a newer order.
    async fn report_hosts(
        &self,
        context: &Context<'_>,
        #[graphql(desc = "The reports to write, each for one host.")] input: ReportHostsInput,
    ) -> Result<Option<ReportHostsPayload>> {
        let request = Request::of(context);
        let handle = request.handle(WriteKind::Report).map_err(|it| forbidden(&it))?;
        check_name("holder", Some(&input.holder)).map_err(|it| refused(&it, None, None))?;
        if input.reports.len() > MAX_REPORTS {
            let reason = format!("has {} entries; at most {MAX_REPORTS} are allowed", input.reports.len());
            return Err(refused(&invalid("reports", reason), None, None));
        }
        let pace: &ReportPace = context.data_unchecked();
        // The future is large, and the resolvers of all mutations take as much space as the largest one.
        Box::pin(Reports::read(input, pace, &request.snapshot()).write(request, &handle)).await.map(Some)
    }

    /// Lets controllers only observe: they neither power nor install anything, and write nothing outside. Only an admin lets
    /// them act again (`resumeHosts`). An earlier reason stays.
    async fn observe_hosts(
        &self,
        context: &Context<'_>,
        #[graphql(desc = "The reason why controllers may only observe.")] input: ObserveHostsInput,
    ) -> Result<Option<ObserveHostsPayload>> {
        let request = Request::of(context);
        let handle = request.handle(WriteKind::Report).map_err(|it| forbidden(&it))?;
        check_text("reason", &input.reason, MAX_SENTENCE_CHARACTERS).map_err(|it| refused(&it, None, None))?;
        let (store, by) = (request.sources().store(), handle.author().actor);
        Box::pin(store.set_observe_only(&input.reason, &by)).await.map_err(|it| unanswered(&it))?;
        tracing::warn!(%by, "controllers of hosts may only observe now: {}", input.reason);
        let observe_only = Box::pin(store.observe_only()).await.map_err(|it| unanswered(&it))?;
        Ok(Some(ObserveHostsPayload { observe_only: observe_only.map(Into::into) }))
    }

    /// Lets controllers act again after they could only observe. Open orders that touched nothing end, and controllers begin
    /// nothing more for the others. The result lists the hosts of which what was seen contradicts the inventory, and those
    /// with orders. Read `hostsStatus` first, and correct the inventory.
    async fn resume_hosts(&self, context: &Context<'_>) -> Result<Option<ResumeHostsPayload>> {
        let request = Request::of(context);
        let handle = request.handle(WriteKind::Resume).map_err(|it| forbidden(&it))?;
        let store = request.sources().store();
        let was = Box::pin(store.observe_only()).await.map_err(|it| unanswered(&it))?;
        let contradictions = contradictions(&request.snapshot(), MAX_CONTRADICTIONS);
        if was.is_some() {
            // Before controllers may act, so that none begins what nobody may want any more.
            Box::pin(end_orders(request, &handle)).await?;
        }
        Box::pin(store.clear_observe_only()).await.map_err(|it| unanswered(&it))?;
        tracing::warn!(by = handle.author().actor, "controllers of hosts may act again");
        Ok(Some(ResumeHostsPayload { observe_only: was.map(Into::into), contradictions }))
    }
}

/// Reports on their way.
struct Reports {
    holder: String,
    reports: Vec<Report>,
}

/// A report on its way.
struct Report {
    /// The host; `None` if the id is not a UUID.
    host: Option<Uuid>,
    fence: Fence,
    /// The reason why nothing of the report is written.
    refusal: Option<Refusal>,
    /// The reason why its change is not written.
    change_refusal: Option<Refusal>,
    input: HostReportInput,
}

impl Reports {
    /// Reads reports, and checks each by itself.
    fn read(input: ReportHostsInput, pace: &ReportPace, snapshot: &Snapshot) -> Self {
        let ReportHostsInput { holder, reports } = input;
        let mut seen = BTreeSet::new();
        let now = Instant::now();
        let reports = reports.into_iter().map(|input| {
            let fence = Fence { lease: input.lease.clone(), holder: holder.clone(), epoch: input.epoch.0 };
            let (host, refusal) = match check(&input, &mut seen, snapshot) {
                Ok(host) => (Some(host), None),
                Err(refusal) => (None, Some(refusal)),
            };
            let too_often = host.filter(|_| input.change.is_some()).and_then(|host| pace.take(host, now).err());
            let change_refusal = too_often.map(|wait| {
                let wait = wait.as_millis();
                Refusal::Unavailable(format!(
                    "the changes of this host come too often: wait {wait} ms, then read it again"
                ))
            });
            Report { host, fence, refusal, change_refusal, input }
        });
        Self { reports: reports.collect(), holder }
    }

    async fn write(mut self, request: &Request, handle: &WriteHandle) -> Result<ReportHostsPayload> {
        let store = request.sources().store();
        let observe_only = Box::pin(store.observe_only()).await.map_err(|it| unanswered(&it))?;
        let answer = Box::pin(self.write_changes(request, handle, observe_only.is_some())).await?;
        let snapshot = match &answer {
            Some(answer) => {
                request.wrote(answer);
                Arc::clone(&answer.snapshot)
            }
            None => request.snapshot(),
        };
        self.check_unwritten(&snapshot);
        let now = Box::pin(store.read_clock()).await.map_err(|it| unanswered(&it))?;
        Box::pin(self.write_rest(request, &snapshot, now)).await?;
        // What controllers may do is read again, so that one that began a step meanwhile knows it before the act.
        let status = Box::pin(HostsStatus::read(store, Arc::clone(&snapshot), now)).await?;
        Ok(ReportHostsPayload {
            results: self.reports.into_iter().map(|report| report.result(&snapshot)).collect(),
            history: status.history.clone(),
            observe_only: status.observe_only.clone(),
            now,
            revision: answer.and_then(|answer| answer.revision).map(Revision),
            status,
        })
    }

    /// Refuses the reports whose leases are not held.
    fn check_leases(&mut self, LeasesAt { leases, now }: &LeasesAt) {
        let held: HashMap<&str, _> = leases.iter().map(|lease| (lease.name.as_str(), lease)).collect();
        for report in &mut self.reports {
            let Fence { lease, holder, epoch } = &report.fence;
            let is_held = held
                .get(lease.as_str())
                .is_some_and(|it| it.holder == *holder && it.epoch == *epoch && it.until > *now);
            if report.refusal.is_none() && !is_held {
                report.refusal = Some(Refusal::LeaseLost { lease: lease.clone(), epoch: *epoch });
            }
        }
    }

    /// Refuses the reports whose leases are not those of their hosts any more. Reports that were written are judged already,
    /// and can have moved their hosts.
    fn check_unwritten(&mut self, snapshot: &Snapshot) {
        for report in self.reports.iter_mut().filter(|it| it.refusal.is_none() && it.requested().is_none()) {
            let leases = report.host.and_then(|host| LeasesOf::host(snapshot, host));
            report.refusal = leases.and_then(|leases| leases.check(&report.fence.lease).err());
        }
    }

    /// Writes the changes of hosts. Returns `None` if there are none.
    async fn write_changes(
        &mut self,
        request: &Request,
        handle: &WriteHandle,
        is_observe_only: bool,
    ) -> Result<Option<WriteAnswer>> {
        let store = request.sources().store();
        for _ in 0..MAX_ATTEMPTS {
            let names: BTreeSet<String> = self.reports.iter().map(|report| report.fence.lease.clone()).collect();
            let leases = Box::pin(store.named_leases(names.iter().map(String::as_str))).await;
            self.check_leases(&leases.map_err(|it| unanswered(&it))?);
            let requested = self.reports.iter().enumerate().filter_map(|(at, it)| Some((at, it.requested()?)));
            let (indices, requested): (Vec<usize>, Vec<RequestedWrite>) = requested.unzip();
            if requested.is_empty() {
                return Ok(None);
            }
            let mut fences: Vec<Fence> = indices.iter().map(|at| self.reports[*at].fence.clone()).collect();
            fences.sort_by(|left, right| left.lease.cmp(&right.lease));
            fences.dedup();
            let reporting = Reporting { requested, fences, is_observe_only };
            match handle.write(batch(handle, reporting)).await {
                Ok(answer) => {
                    for (at, outcome) in indices.into_iter().zip(&answer.outcomes) {
                        self.reports[at].change_refusal = outcome.error.clone();
                    }
                    return Ok(Some(answer));
                }
                Err(Refusal::LeaseLost { .. }) => {}
                Err(refusal) => return Err(refused(&refusal, None, None)),
            }
        }
        let refusal = Refusal::Unavailable("the leases change too fast: read them again, and report again".to_owned());
        Err(refused(&refusal, None, None))
    }

    /// Writes observations and acts.
    async fn write_rest(&self, request: &Request, snapshot: &Snapshot, now: DateTime<Utc>) -> Result<()> {
        let (mut observations, mut acts): (Vec<Observation>, Vec<StoredAct>) = Default::default();
        for report in self.reports.iter().filter(|report| report.refusal.is_none()) {
            let Some(host) = report.host_in(snapshot) else { continue };
            let observed = report.input.observed.as_ref();
            observations.extend(observed.map(|observed| write::observation(host, &self.holder, observed)));
            acts.extend(write::acts(host.id, &self.holder, now, &report.acts()));
        }
        let store = request.sources().store();
        if !observations.is_empty() {
            // The bounds were checked, so this cannot fail.
            let observations = Observations::of(observations).map_err(|unfit| internal(&unfit.to_string()))?;
            let written = request.view.observed.write(store, &observations);
            Box::pin(written).await.map_err(|it| unanswered(&it))?;
        }
        Box::pin(store.store_acts(&acts)).await.map_err(|it| unanswered(&it))
    }
}

impl Report {
    /// Returns the acts that are stored: those that begin with a change only if it was written.
    fn acts(&self) -> Vec<HostHistoryInput> {
        let begins = |act: &HostHistoryInput| act.part == HostHistoryPart::Begin && self.change_refusal.is_some();
        let acts = self.input.acts.iter().flatten();
        acts.filter(|act| !begins(act)).cloned().collect()
    }

    /// Returns the write that the report requests.
    fn requested(&self) -> Option<RequestedWrite> {
        let host = self.host.filter(|_| self.refusal.is_none() && self.change_refusal.is_none())?;
        let change = match &self.input.change {
            _ if self.input.cleared == Some(true) => RequestedChange::Cleared,
            Some(change) => RequestedChange::Change(Box::new(change.clone())),
            None => return None,
        };
        Some(RequestedWrite { host, lease: self.fence.lease.clone(), change })
    }

    fn host_in<'a>(&self, snapshot: &'a Snapshot) -> Option<&'a Model> {
        snapshot.get::<Host>(self.host?)
    }

    fn result(self, snapshot: &Arc<Snapshot>) -> HostReportResult {
        let object = self.host.and_then(|host| snapshot.find(host));
        let host = object.and_then(|object| snapshot.hold(object)).map(Host);
        let is_cleared = self.input.cleared == Some(true) && self.change_refusal.is_none();
        let gone = self.host.filter(|_| host.is_none() && !is_cleared);
        let gone = gone.map(|id| Refusal::NotFound { field: "host".to_owned(), what: format!("Host {id}") });
        let refusal = self.refusal.or(self.change_refusal).or(gone);
        HostReportResult { host, error: refusal.as_ref().map(ApplyError::from) }
    }
}

/// Checks a report by itself, and returns its host.
fn check(
    input: &HostReportInput,
    seen: &mut BTreeSet<Uuid>,
    snapshot: &Snapshot,
) -> std::result::Result<Uuid, Refusal> {
    let host = parse_id("host", &input.host)?;
    if !seen.insert(host) {
        return Err(invalid("host", "has another report in this call: give each host once"));
    }
    // A host that is not there is refused by the decision, on the snapshot that it is made on.
    LeasesOf::host(snapshot, host).map_or(Ok(()), |leases| leases.check(&input.lease))?;
    if input.cleared == Some(true) && input.change.is_some() {
        return Err(invalid("cleared", "cannot be given together with a change"));
    }
    input.observed.as_ref().map_or(Ok(()), check_observed)?;
    let facts = input.change.as_ref().and_then(|change| change.facts.as_ref());
    facts.map_or(Ok(()), check_facts)?;
    check_acts(input.acts.as_deref().unwrap_or_default())?;
    Ok(host)
}

fn batch(handle: &WriteHandle, reporting: Reporting) -> Batch {
    Batch {
        id: Uuid::new_v4(),
        bytes: reporting.requested.len() * 512,
        items: Vec::new(),
        mode: Mode::PerItem,
        // A field that a source owns stays as it is.
        conflicts: Conflicts::Skip,
        author: handle.author(),
        origin: Origin::Decision(Arc::new(reporting)),
        request_id: None,
    }
}
