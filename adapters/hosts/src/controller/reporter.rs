//! Writes reports in bulk.
//!
//! One call is under way at a time. A change is written at once, with all that came during the last call; observations
//! wait for a change or for a second since the last call. A host is at most once in a call.

use std::collections::HashMap;
use std::sync::{Mutex, PoisonError};
use std::time::Duration;

use chrono::TimeDelta;
use tokio::sync::{mpsc, oneshot, watch};
use tokio::time::{Instant, sleep_until, timeout};
use underlay_kit::control::stopped;
use uuid::Uuid;

use super::Shared;
use crate::api::{
    Api, ApiError, Change, Fence, HostsStatus, Line, MAX_ACTS, MAX_REPORTS, Part, Refusal, Report, Reported,
};
use crate::host::{Host, Observed};

/// The least time between two calls that only write observations.
const MIN_OBSERVATION_INTERVAL: Duration = Duration::from_secs(1);
/// The time after which an observation that shows only a later time is written again.
const SAME_OBSERVATION_INTERVAL: TimeDelta = TimeDelta::seconds(60);
/// The time after which a call of the server counts as lost.
const CALL_TIMEOUT: Duration = Duration::from_secs(30);

/// The answer to a change.
#[derive(Clone, Debug)]
pub struct ReportAnswer {
    /// The host as it is now, or the reason why the change was refused.
    pub outcome: Result<Host, Refusal>,
    /// The state of the server afterwards.
    pub status: HostsStatus,
}

/// A change that waits to be written.
#[derive(Debug)]
struct Waiting {
    host: Uuid,
    fence: Fence,
    change: Change,
    answer: oneshot::Sender<Result<ReportAnswer, ApiError>>,
}

/// Takes reports.
pub struct Reporter {
    changes: mpsc::Sender<Waiting>,
    observations: Mutex<Observations>,
}

/// The end of the reporter that writes.
pub struct Inbox {
    changes: mpsc::Receiver<Waiting>,
}

/// The observations that wait, and those that were written last.
#[derive(Debug, Default)]
struct Observations {
    waiting: HashMap<Uuid, (Fence, Observed)>,
    written: HashMap<Uuid, Observed>,
    /// The acts that wait. Of more than [`MAX_ACTS`] of a host the oldest are lost.
    acts: HashMap<Uuid, (Fence, Vec<Line>)>,
}

/// Returns a reporter and its other end.
pub fn reporter() -> (Reporter, Inbox) {
    let (sender, receiver) = mpsc::channel(MAX_REPORTS);
    (Reporter { changes: sender, observations: Mutex::default() }, Inbox { changes: receiver })
}

impl Reporter {
    /// Writes a change of a host, and waits for the answer.
    pub async fn change(&self, host: Uuid, fence: Fence, change: Change) -> Result<ReportAnswer, ApiError> {
        let (sender, receiver) = oneshot::channel();
        let ended = |_| ApiError::Unreachable("the controller ends".to_owned());
        let waiting = Waiting { host, fence, change, answer: sender };
        self.changes.send(waiting).await.map_err(|_| ended(()))?;
        receiver.await.map_err(|_| ended(()))?
    }

    /// Writes an observation soon, if it differs from the last one or that one is old.
    pub fn observe(&self, host: Uuid, fence: Fence, observed: Observed) {
        let mut all = self.observations.lock().unwrap_or_else(PoisonError::into_inner);
        if all.written.get(&host).is_none_or(|written| differs(written, &observed)) {
            all.waiting.insert(host, (fence, observed));
        }
    }

    /// Writes a line in the history of a host soon.
    pub fn acted(&self, host: Uuid, fence: Fence, line: Line) {
        self.with_acts(host, fence, |acts| acts.push(line));
    }

    fn with_acts(&self, host: Uuid, fence: Fence, change: impl FnOnce(&mut Vec<Line>)) {
        let mut all = self.observations.lock().unwrap_or_else(PoisonError::into_inner);
        let (own, acts) = all.acts.entry(host).or_insert_with(|| (fence.clone(), Vec::new()));
        *own = fence;
        change(acts);
        let extra = acts.len().saturating_sub(MAX_ACTS);
        acts.drain(..extra);
    }

    /// Takes the acts of hosts for a call.
    fn take_acts(&self, most: usize) -> Vec<(Uuid, Fence, Vec<Line>)> {
        let mut all = self.observations.lock().unwrap_or_else(PoisonError::into_inner);
        let hosts: Vec<Uuid> = all.acts.keys().take(most).copied().collect();
        let taken =
            hosts.into_iter().filter_map(|host| all.acts.remove(&host).map(|(fence, acts)| (host, fence, acts)));
        taken.collect()
    }

    /// Forgets a host.
    pub fn forget(&self, host: Uuid) {
        let mut all = self.observations.lock().unwrap_or_else(PoisonError::into_inner);
        all.waiting.remove(&host);
        all.acts.remove(&host);
        all.written.remove(&host);
    }

    /// Takes observations for a call.
    fn take(&self, most: usize) -> Vec<(Uuid, Fence, Observed)> {
        let mut all = self.observations.lock().unwrap_or_else(PoisonError::into_inner);
        let hosts: Vec<Uuid> = all.waiting.keys().take(most).copied().collect();
        let taken = hosts.into_iter().filter_map(|host| all.waiting.remove(&host).map(|(f, o)| (host, f, o)));
        taken.collect()
    }

    fn wrote(&self, host: Uuid, observed: Observed) {
        self.observations.lock().unwrap_or_else(PoisonError::into_inner).written.insert(host, observed);
    }

    /// Puts back what was not written, unless something newer came.
    fn put_back(&self, host: Uuid, fence: Fence, observed: Observed) {
        let mut all = self.observations.lock().unwrap_or_else(PoisonError::into_inner);
        all.waiting.entry(host).or_insert((fence, observed));
    }

    fn has_observations(&self) -> bool {
        let all = self.observations.lock().unwrap_or_else(PoisonError::into_inner);
        !all.waiting.is_empty() || !all.acts.is_empty()
    }
}

/// Returns true if an observation is worth writing: more than its time differs, or the old one is old.
fn differs(written: &Observed, new: &Observed) -> bool {
    let untimed = |it: &Observed| {
        let word = it.word.as_ref().map(|word| (word.step, word.of, word.order, word.state, word.sentence.clone()));
        (it.script_fetched_at, it.facts_at, word, it.power_at.is_some())
    };
    let is_old =
        new.seen_at.zip(written.seen_at).is_none_or(|(new, written)| new - written >= SAME_OBSERVATION_INTERVAL);
    is_old || untimed(written) != untimed(new)
}

impl<A: Api> Shared<A> {
    /// Writes reports until everything else has ended.
    pub(super) async fn write_reports(&self, mut ended: watch::Receiver<bool>) {
        let mut inbox = self.reports.lock().await;
        let mut observe_at = Instant::now() + MIN_OBSERVATION_INTERVAL;
        loop {
            let mut changes = Vec::new();
            tokio::select! {
                biased;
                taken = inbox.changes.recv_many(&mut changes, MAX_REPORTS) => if taken == 0 { return },
                () = sleep_until(observe_at) => {
                    observe_at = Instant::now() + MIN_OBSERVATION_INTERVAL;
                    if !self.reporter.has_observations() {
                        continue;
                    }
                }
                () = stopped(&mut ended) => return,
            }
            self.send(changes).await;
            observe_at = Instant::now() + MIN_OBSERVATION_INTERVAL;
        }
    }

    /// Writes changes, and as many observations as there is room for.
    async fn send(&self, changes: Vec<Waiting>) {
        let (mut reports, mut answers) = (Vec::with_capacity(changes.len()), Vec::with_capacity(changes.len()));
        let mut indices = HashMap::with_capacity(changes.len());
        for Waiting { host, fence, change, answer } in changes {
            indices.insert(host, reports.len());
            reports.push(Report { host, fence, change: Some(change), observed: None, acts: Vec::new() });
            answers.push(answer);
        }
        let observed = self.reporter.take(MAX_REPORTS - reports.len());
        for (host, fence, observed) in observed {
            report_of(&mut reports, &mut indices, host, fence).observed = Some(observed);
        }
        for (host, fence, acts) in self.reporter.take_acts(MAX_REPORTS - reports.len()) {
            report_of(&mut reports, &mut indices, host, fence).acts = acts;
        }
        let known = self.safety.known();
        let reported = timeout(CALL_TIMEOUT, self.api.report(&reports, known.as_ref())).await;
        let late = |_| ApiError::Unreachable(format!("no answer within {} s", CALL_TIMEOUT.as_secs()));
        self.answer(reports, answers, reported.unwrap_or_else(|elapsed| Err(late(elapsed))));
    }

    fn answer(
        &self,
        reports: Vec<Report>,
        answers: Vec<oneshot::Sender<Result<ReportAnswer, ApiError>>>,
        reported: Result<Reported, ApiError>,
    ) {
        let reported = match reported {
            Ok(reported) if reported.outcomes.len() == reports.len() => reported,
            Ok(_) => return fail(answers, &ApiError::Refused("the answer has another number of outcomes".to_owned())),
            Err(error) => {
                for Report { host, fence, observed, mut acts, .. } in reports {
                    // An act is not made by the change of which nobody knows if it was written.
                    acts.retain(|act| act.part != Part::Begin);
                    if !acts.is_empty() {
                        self.reporter.with_acts(host, fence.clone(), |newer| drop(newer.splice(0..0, acts)));
                    }
                    if let Some(observed) = observed {
                        self.reporter.put_back(host, fence, observed);
                    }
                }
                return fail(answers, &error);
            }
        };
        let Reported { outcomes, status } = reported;
        self.clock.set(status.now);
        let mut answers = answers.into_iter();
        for (report, outcome) in reports.into_iter().zip(outcomes) {
            if let (Some(observed), Ok(_)) = (report.observed, &outcome) {
                self.reporter.wrote(report.host, observed);
            }
            if report.change.is_some()
                && let Some(answer) = answers.next()
            {
                // A worker that was dropped does not wait any more.
                drop(answer.send(Ok(ReportAnswer { outcome, status: status.clone() })));
            }
        }
    }
}

/// Returns the report about a host in a call, which is added if there is none.
fn report_of<'a>(
    reports: &'a mut Vec<Report>,
    indices: &mut HashMap<Uuid, usize>,
    host: Uuid,
    fence: Fence,
) -> &'a mut Report {
    let index = *indices.entry(host).or_insert_with(|| {
        reports.push(Report { host, fence, change: None, observed: None, acts: Vec::new() });
        reports.len() - 1
    });
    &mut reports[index]
}

fn fail(answers: Vec<oneshot::Sender<Result<ReportAnswer, ApiError>>>, error: &ApiError) {
    for answer in answers {
        // A worker that was dropped does not wait any more.
        drop(answer.send(Err(error.clone())));
    }
}
