//! Keeps one source in step: full scans at their times, and looks at what hints name between them.

use std::future::Future;
use std::sync::Arc;
use std::time::Duration;

use tokio::sync::watch;
use tokio::time::{Instant, sleep, sleep_until, timeout};
use underlay_client::ClientError;

use super::adapter::Adapter;
use super::error::SyncError;
use super::failure::{ItemFailure, Reported};
use super::hint::{Hint, HintStream, next};
use super::item::ExternalId;
use super::look::{self, Written};
use super::messages::{NewSource, RunMode, RunOutcome, RunRequest, RunState, Started};
use super::missing::{Missing, Proofs};
use super::report::Report;
use super::scan::{Between, FullRun};
use super::schedule::{Schedule, Timing};
use super::server::Server;
use super::state::State;
use super::tally::{Observer, Ran, RunEnd, Tally};
use super::waiting::{Due, Waiting, due};

/// The time for which a runner goes on.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Duty {
    /// One full scan.
    Once,
    /// Until it is stopped.
    Forever,
}

/// The synchronizer of one source.
pub struct Runner<A> {
    adapter: A,
    server: Server,
    new: NewSource,
    state: State,
    timing: Timing,
    observer: Arc<dyn Observer>,
    /// The times of full scans. Their interval is that of the server once it is known.
    schedule: Schedule,
    /// True once it was noted that a scan takes longer than the interval.
    is_overrun: bool,
    /// True once the server was found to fit.
    is_checked: bool,
    /// The run that is going on.
    open: Option<String>,
    /// The last run that failed, if that could not be reported to the server yet.
    unreported: Option<ItemFailure>,
    /// What looks did not find.
    missing: Missing,
}

/// The next step of a runner.
enum NextStep {
    Stop,
    Hint(Hint),
    Full,
    Hints,
    Missing,
}

/// A partial run, and the time after which a full scan should follow it.
#[derive(Default)]
struct Looked {
    ran: Option<Ran>,
    full_after: Option<Duration>,
}

impl<A: Adapter> Runner<A> {
    /// Returns the synchronizer of a source.
    pub fn new(
        adapter: A,
        server: Server,
        new: NewSource,
        state: State,
        timing: Timing,
        observer: Arc<dyn Observer>,
    ) -> Self {
        let schedule = Schedule::new(&timing);
        let (is_overrun, is_checked, open, unreported) = (false, false, None, None);
        let missing = Missing::new(timing.soon);
        Self {
            adapter,
            server,
            new,
            state,
            timing,
            observer,
            schedule,
            is_overrun,
            is_checked,
            open,
            unreported,
            missing,
        }
    }

    /// Synchronizes once, or until it is stopped. Returns the last run. May not be dropped before it ends: then the
    /// server would wait for the run that is going on.
    pub async fn run(&mut self, duty: Duty, stop: watch::Receiver<bool>) -> Ran {
        let mut hints = if duty == Duty::Forever { self.adapter.hints() } else { None };
        let ran = self.turns(duty, stop, &mut hints).await;
        if let Some(hints) = hints {
            hints.end().await;
        }
        ran
    }

    async fn turns(&mut self, duty: Duty, mut stop: watch::Receiver<bool>, hints: &mut Option<HintStream>) -> Ran {
        let mut waiting = Waiting::default();
        let (mut full_at, mut rested_at) = (Instant::now(), Instant::now());
        loop {
            let (hints_at, missing_at) = (waiting.due_at(self.timing.coalesce), self.missing.due_at());
            let turn = tokio::select! {
                biased;
                () = stopped(&mut stop) => NextStep::Stop,
                hint = next(hints, &*self.observer) => NextStep::Hint(hint),
                () = sleep_until(full_at) => NextStep::Full,
                () = due(hints_at) => NextStep::Hints,
                () = due(missing_at) => NextStep::Missing,
            };
            let things = match turn {
                NextStep::Stop => return self.stopped(),
                NextStep::Hint(hint) => {
                    waiting.add(hint);
                    continue;
                }
                NextStep::Full => {
                    let started = Instant::now();
                    let ran = self.full(&mut stop, hints, &mut waiting).await;
                    self.observer.ended(&ran);
                    if duty == Duty::Once || is_final(&ran.end) {
                        return ran;
                    }
                    let ended = Instant::now();
                    full_at = self.schedule.after(started, ended, &ran.end);
                    rested_at = self.schedule.rested(ended);
                    self.note_overrun(&ran);
                    continue;
                }
                NextStep::Hints => match waiting.take() {
                    Due::Everything => {
                        full_at = full_at.min(rested_at.max(Instant::now()));
                        continue;
                    }
                    Due::Things(things) => things,
                },
                NextStep::Missing => Vec::new(),
            };
            let observer = Arc::clone(&self.observer);
            let work = self.partial(things, &mut stop);
            let Looked { ran, full_after } = gather(work, hints, &mut waiting, &*observer).await;
            if let Some(ran) = ran {
                observer.ended(&ran);
                if is_final(&ran.end) {
                    return ran;
                }
            }
            full_at = full_after.map_or(full_at, |after| full_at.min(rested_at.max(Instant::now() + after)));
        }
    }

    /// Makes a full run, which ends early when the synchronizer is stopped.
    async fn full(
        &mut self,
        stop: &mut watch::Receiver<bool>,
        hints: &mut Option<HintStream>,
        waiting: &mut Waiting,
    ) -> Ran {
        let started = Instant::now();
        let (mut tally, mut report) = (Tally::default(), Report::default());
        let farewell = self.timing.farewell;
        // A run whose start nobody waits for would stay open on the server, which then refuses the next one.
        let late = async {
            stopped(stop).await;
            sleep(farewell).await;
        };
        let begun = tokio::select! {
            begun = self.begin_full() => Some(begun),
            () = late => None,
        };
        waiting.begin_scan();
        let end = match begun {
            Some(Ok(run)) => tokio::select! {
                ended = self.execute(&run, hints, waiting, &mut tally, &mut report) => end(ended),
                () = stopped(stop) => RunEnd::Stopped,
            },
            Some(Err(error)) => RunEnd::Failed(error),
            None => RunEnd::Stopped,
        };
        if matches!(end, RunEnd::Done | RunEnd::Held) {
            self.missing.judged(started);
        }
        self.close(&end).await;
        self.save();
        Ran { mode: RunMode::Full, end, tally, report, took: started.elapsed() }
    }

    /// Begins a full run, and checks before the first one that the server fits.
    async fn begin_full(&mut self) -> Result<String, SyncError> {
        if !self.is_checked {
            self.server.check().await?;
            self.is_checked = true;
        }
        Ok(self.start(RunMode::Full).await?.0)
    }

    async fn execute(
        &mut self,
        run: &str,
        hints: &mut Option<HintStream>,
        waiting: &mut Waiting,
        tally: &mut Tally,
        report: &mut Report,
    ) -> Result<RunOutcome, SyncError> {
        let mut full = FullRun {
            adapter: &self.adapter,
            server: &self.server,
            state: &mut self.state,
            observer: &*self.observer,
            timing: self.timing,
            between: Between { hints, waiting, missing: &mut self.missing, new: &self.new },
            is_settled: false,
        };
        let ended = full.execute(run, tally, report).await;
        let is_settled = full.is_settled;
        if let Err(error) = &ended {
            self.fail(run, RunMode::Full, is_settled, error).await;
        }
        ended
    }

    /// Ends a run that failed. If that cannot be reported now, it is reported before the next run, or the server
    /// abandons the run.
    async fn fail(&mut self, run: &str, mode: RunMode, is_settled: bool, error: &SyncError) {
        self.unreported = None;
        if let Some(failure) = ItemFailure::of(run, mode, is_settled, error) {
            let reporting = failure.report(&self.server);
            // A server that was away for long is not waited for again.
            let reported = match matches!(error, SyncError::Client(error) if error.is_passing()) {
                true => timeout(self.timing.farewell, reporting).await.unwrap_or(Reported::NotYet(None)),
                false => reporting.await,
            };
            self.unreported = matches!(reported, Reported::NotYet(_)).then_some(failure);
        }
        self.open = None;
        // A run that goes on as far as the server knows stays noted, so that the next process can end it.
        if self.unreported.is_none() {
            self.state.note_run(None);
        }
    }

    /// Reports the run before, which failed while the server could not be reached.
    async fn report_failure(&mut self) -> Result<(), SyncError> {
        let Some(failure) = &self.unreported else { return Ok(()) };
        if let Reported::NotYet(Some(error)) = failure.report(&self.server).await {
            return Err(error);
        }
        self.unreported = None;
        Ok(())
    }

    /// Starts a run. Returns its id, and true if the server's database is another one than before.
    async fn start(&mut self, mode: RunMode) -> Result<(String, bool), SyncError> {
        self.report_failure().await?;
        if let Some(left) = self.state.take_left_open() {
            // The server refuses a second full run while the first one is open. The same request gets that run, or one
            // that is ended at once if the request had not been sent.
            if let Ok(Started { run, .. }) = self.server.start(left, &self.new).await {
                drop(self.server.cancel(&run).await);
            }
        }
        let request = RunRequest::new(mode);
        self.state.note_run(Some(request));
        let started = self.server.start(request, &self.new).await;
        if let Err(SyncError::Client(ClientError::Graphql(_))) = &started {
            // A request that was refused began no run.
            self.state.note_run(None);
        }
        let Started { run, history, interval_seconds } = started?;
        self.open = Some(run.clone());
        self.schedule.set_interval(interval_seconds.map_or(self.timing.interval, Duration::from_secs));
        let is_other = self.state.of_history(&history)?;
        if is_other {
            self.observer.note("the server has another database than before, so everything is sent once");
        }
        Ok((run, is_other))
    }

    /// Looks at things, and makes a partial run if there is something to report.
    async fn partial(&mut self, things: Vec<ExternalId>, stop: &mut watch::Receiver<bool>) -> Looked {
        let started = Instant::now();
        let (mut tally, mut full_after) = (Tally::default(), None);
        let ended = tokio::select! {
            ended = self.try_partial(things, &mut tally, &mut full_after) => ended,
            () = stopped(stop) => Ok(Some(RunEnd::Stopped)),
        };
        let end = match ended {
            Ok(None) => return Looked { ran: None, full_after },
            Ok(Some(end)) => end,
            Err(error) => {
                // The hints are lost, so everything has to be read.
                full_after = Some(self.timing.soon);
                RunEnd::Failed(error)
            }
        };
        self.close(&end).await;
        if matches!(end, RunEnd::Stopped) {
            self.save();
        }
        let ran = Ran { mode: RunMode::Partial, end, tally, report: Report::default(), took: started.elapsed() };
        Looked { ran: Some(ran), full_after }
    }

    async fn try_partial(
        &mut self,
        mut things: Vec<ExternalId>,
        tally: &mut Tally,
        full_after: &mut Option<Duration>,
    ) -> Result<Option<RunEnd>, SyncError> {
        let Proofs { deleted, unproved } = Proofs::of(&self.adapter, self.missing.take_due()).await?;
        if !deleted.is_empty() {
            // They may have been refused because of what is deleted.
            things.extend(self.missing.take_refused());
        }
        things.extend(unproved.iter().cloned());
        let mut found = look::look(&self.adapter, &self.state, things, tally).await?;
        found.deleted = deleted;
        found.there.iter().for_each(|thing| self.missing.found(thing));
        // What the source does not prove was reported when it was first missing, and a full scan judges it.
        let before = found.gone.len();
        found.gone.retain(|thing| !unproved.contains(thing));
        if found.gone.len() < before {
            *full_after = Some(Duration::ZERO);
        }
        for thing in &found.gone {
            if !self.missing.add(thing.clone()) {
                full_after.get_or_insert(self.timing.soon);
            }
        }
        if found.is_empty() {
            return Ok(None);
        }
        let (run, is_other) = self.start(RunMode::Partial).await?;
        if is_other {
            *full_after = Some(Duration::ZERO);
        }
        let written = found.write(&self.server, &run, &mut self.state, tally, &*self.observer).await;
        if let Err(error) = &written {
            self.fail(&run, RunMode::Partial, false, error).await;
        }
        let Written { outcome, refused, is_left } = written?;
        self.missing.refused(refused);
        if is_left {
            *full_after = Some(Duration::ZERO);
        }
        Ok(Some(end(Ok(outcome))))
    }

    /// Ends the run that is going on, if it did not end as it should.
    async fn close(&mut self, end: &RunEnd) {
        let Some(run) = self.open.take() else { return };
        if matches!(end, RunEnd::Stopped | RunEnd::Failed(_)) {
            // The server abandons a run without calls, so nothing depends on this call.
            drop(timeout(self.timing.farewell, self.server.cancel(&run)).await);
        }
        self.state.note_run(None);
    }

    fn save(&mut self) {
        if let Err(error) = self.state.save() {
            self.observer.note(&format!("{error}; its content stays correct, and more is sent than needed"));
        }
    }

    fn stopped(&mut self) -> Ran {
        self.save();
        let (tally, report) = (Tally::default(), Report::default());
        Ran { mode: RunMode::Full, end: RunEnd::Stopped, tally, report, took: Duration::ZERO }
    }

    /// Notes once that a scan takes longer than the interval.
    fn note_overrun(&mut self, ran: &Ran) {
        let interval = self.schedule.interval();
        if self.is_overrun || ran.took <= interval {
            return;
        }
        self.is_overrun = true;
        self.observer.note(&format!(
            "the full scan took {:.0} s, which is longer than the interval of {} s, so the next one begins {} s after its \
             end: give the source a longer interval",
            ran.took.as_secs_f64(),
            interval.as_secs(),
            self.timing.breath.as_secs()
        ));
    }
}

fn end(ended: Result<RunOutcome, SyncError>) -> RunEnd {
    match ended {
        Ok(RunOutcome { state: RunState::Held, .. }) => RunEnd::Held,
        Ok(RunOutcome { state: RunState::Succeeded | RunState::Running, .. }) => RunEnd::Done,
        Ok(RunOutcome { state, .. }) => RunEnd::Failed(SyncError::Ended { state }),
        Err(error) => RunEnd::Failed(error),
    }
}

/// Returns true if nothing that the synchronizer does can help.
const fn is_final(end: &RunEnd) -> bool {
    matches!(end, RunEnd::Stopped | RunEnd::Failed(SyncError::Version { .. } | SyncError::TooOld { .. }))
}

/// Waits until the synchronizer is asked to stop.
async fn stopped(stop: &mut watch::Receiver<bool>) {
    // If the sender is gone, nobody can ask any more, and the synchronizer ends too.
    drop(stop.wait_for(|stop| *stop).await);
}

/// Works, and gathers hints meanwhile.
async fn gather<T>(
    work: impl Future<Output = T>,
    hints: &mut Option<HintStream>,
    waiting: &mut Waiting,
    observer: &dyn Observer,
) -> T {
    let mut work = std::pin::pin!(work);
    loop {
        tokio::select! {
            biased;
            done = &mut work => return done,
            hint = next(hints, observer) => waiting.add(hint),
        }
    }
}

#[cfg(test)]
#[path = "runner_tests/mod.rs"]
mod tests;
