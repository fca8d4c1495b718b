//! One pass of a worker over a host: read it, decide, write the step, act, and so on until there is nothing to do now.

mod write;

use std::time::Duration;

use tokio::time::Instant;
use underlay_kit::control::{Held, Then};
use uuid::Uuid;

use super::Shared;
use super::calls::{ActOutcome, HostBackends};
use super::host_cache::StepKey;
use super::safety::Halt;
use crate::api::{Api, Fence, Line, Part, Read};
use crate::host::{Ended, Host, HostFailure, Order, OrderKey, Outcome, State, Step, StepName, Word, WordState};
use crate::life::{Act, Attempt, Duty, Input, ManagedBy, Turn, decide, has_erased, may_be_armed};
use crate::machine::CallError;
use crate::provisioner::Progress;

/// The maximum number of turns in a pass. An order has fewer.
const MAX_TURNS: usize = 16;
/// The pause after the server refused a report, because the host changed meanwhile.
const REFUSED_RETRY_DELAY: Duration = Duration::from_secs(1);
/// The pause before a look at a host for which nothing may be done now.
const IDLE_CHECK_DELAY: Duration = Duration::from_secs(30);
/// The pause before a host is read again after an answer about another graph than the known one.
const OTHER_GRAPH_DELAY: Duration = Duration::from_secs(5);
/// The bounds of the time after which a provisioner is asked again.
const ASK_DELAY_BOUNDS: (Duration, Duration) = (Duration::from_secs(1), Duration::from_secs(60));

/// A host in a pass, with the lease under which it is worked on.
struct Pass<'a> {
    host: Host,
    held: &'a Held,
    backends: Result<HostBackends, CallError>,
    halt: Option<Halt>,
    /// The reason why this controller does not serve the host.
    unserved: Option<String>,
}

/// The answer to the question if a machine may boot from the network the next time, though its order ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Armed {
    Yes,
    No,
}

/// The end of a turn.
enum Turned {
    /// There can be more to do now, for the host as it is now.
    On(Box<Host>),
    /// There is nothing more to do now.
    End(Then),
}

impl<A: Api> Shared<A> {
    /// Works on a host, as far as that is possible now.
    pub(super) async fn pass(&self, id: Uuid) -> Then {
        let Some(mut held) = self.held(id) else {
            self.cache.forget(id);
            self.reporter.forget(id);
            return Then::Rest;
        };
        let asked = Instant::now();
        let read = match self.api.host(id, self.safety.known().as_ref()).await {
            Ok(read) => read,
            Err(error) => return Then::Failed(error.to_string()),
        };
        self.clock.set(read.status.now);
        let halt = self.safety.check(&read.status).err();
        if halt == Some(Halt::OtherGraph) {
            // Nothing is decided on a graph that is not the known one, or not yet.
            return Then::At(Instant::now() + OTHER_GRAPH_DELAY);
        }
        let Read { host: Some(host), .. } = read else {
            self.cache.forget(id);
            self.reporter.forget(id);
            return Then::Rest;
        };
        if !self.is_here(host.site) {
            self.leaves(&host);
            return Then::Rest;
        }
        held.settled = self.is_at_site(id, asked).map_or(held.settled, |at| at.max(held.settled));
        self.plan_poll(&host);
        self.plan_reading(&host);
        let backends = self.backends(&host);
        let unserved = self.scope.refuses(&host);
        let mut pass = Pass { host, held: &held, backends, halt, unserved };
        for _ in 0..MAX_TURNS {
            self.cache.read(&pass.host, held.epoch);
            match self.turn(&mut pass).await {
                Turned::On(host) => pass.host = *host,
                Turned::End(then) => return then,
            }
        }
        Then::At(Instant::now() + REFUSED_RETRY_DELAY)
    }

    /// Has a host polled earlier than its next poll is due, if there is a reason.
    fn plan_poll(&self, host: &Host) {
        let now = Instant::now();
        match self.cache.host(host.id) {
            // The next poll of a host that rested may be due in hours.
            _ if host.order().is_some() => self.polls.add_at(host.id, now + self.timing.poll_at_work),
            // A host that was just enlisted is seen soon, and not only after the next look at all hosts.
            None => self.polls.add_first(host.id, self.first_poll()),
            Some(known) if is_worth_a_look(&known, host) => self.polls.add_at(host.id, now),
            Some(_) => {}
        }
    }

    /// Decides on a turn and takes it.
    async fn turn(&self, pass: &mut Pass<'_>) -> Turned {
        if pass.unserved.is_some() {
            return self.sync(pass, Then::Rest).await;
        }
        let turn = self.decided(pass);
        let is_idle = matches!(turn, Turn::Rest | Turn::Wait(_) | Turn::Ask(_));
        if pass.halt.is_some() && !is_idle {
            let then =
                if pass.host.order().is_some() { Then::At(Instant::now() + IDLE_CHECK_DELAY) } else { Then::Rest };
            return self.sync(pass, then).await;
        }
        // A reading of the hardware makes room for what is to be done.
        let _at_work = match is_idle {
            true => None,
            false => Some(self.turns.work(pass.host.id).await),
        };
        match turn {
            Turn::Rest => self.sync(pass, Then::Rest).await,
            Turn::Wait(until) => self.sync(pass, Then::At(self.clock.instant(until))).await,
            Turn::Begin { state, step, attempt, act } => self.begin(pass, state, step, attempt, act).await,
            Turn::Again(act) => self.again(pass, act).await,
            Turn::Ask(duty) => self.ask(pass, duty).await,
            Turn::Done { state } => {
                let mut change = self.end(pass, state);
                // An order for the power of a FAILED host leaves it as it is.
                if state != State::Failed {
                    change.failure = None;
                }
                if let Some(failure) = &mut change.failure {
                    failure.armed &= pass.host.order().is_none_or(|order| order.act != Order::BootLocal);
                }
                self.write(pass, change).await
            }
            Turn::Refuse { state, outcome, reason, message } => {
                let mut change = self.end(pass, state);
                change.ended = Some(Ended { outcome, reason, message });
                self.write(pass, change).await
            }
            Turn::Fail { state, reason, message } => {
                let armed = self.disarm(pass).await;
                let mut change = self.end(pass, state);
                if state == State::Failed && pass.host.state != State::Failed {
                    change.failure = Some(self.failure(pass, &reason, &message, armed));
                }
                change.ended = Some(Ended { outcome: Outcome::Failed, reason, message });
                self.write(pass, change).await
            }
            Turn::TakeOver(duty) => self.take_over(pass, duty).await,
            Turn::Delete => self.delete(pass).await,
        }
    }

    fn decided(&self, pass: &Pass<'_>) -> Turn {
        let managed_by = match &pass.backends {
            Ok(backends) => backends.managed_by(),
            Err(_) if pass.host.order().is_none() => return Turn::Rest,
            Err(error) => return without_hands(&pass.host, error),
        };
        let (attempt, evidence) = (self.cache.attempt(&pass.host), self.cache.evidence(&pass.host));
        let (host, is_by_hand, now) = (&pass.host, is_by_hand(&pass.backends), self.clock.now());
        let deadline_minute = self.timing.deadline_minute;
        decide(&Input { host, attempt: &attempt, evidence: &evidence, managed_by, is_by_hand, now, deadline_minute })
    }

    /// Returns the failure of the present step of a host.
    fn failure(&self, pass: &Pass<'_>, reason: &str, message: &str, armed: Armed) -> HostFailure {
        let host = &pass.host;
        let before = match host.order().and_then(|order| order.given_in) {
            Some(State::Failed) => host.failure.as_ref().and_then(|failure| failure.before),
            given_in => given_in,
        };
        let evidence = self.cache.evidence(host);
        let erased = pass.backends.as_ref().is_ok_and(|backends| has_erased(host, &evidence, backends.managed_by()));
        HostFailure {
            during: host.state,
            reason: reason.to_owned(),
            message: message.to_owned(),
            step: host.current_step().map(|step| step.name),
            before,
            erased,
            armed: armed == Armed::Yes,
        }
    }

    /// Has a machine boot from its disk the next time, if the order that fails now may have set it to boot from the network.
    /// What it was to boot would otherwise run when somebody switches it on for another purpose.
    async fn disarm(&self, pass: &Pass<'_>) -> Armed {
        let Ok(backends) = &pass.backends else { return Armed::No };
        if !may_be_armed(&pass.host, backends.managed_by()) || backends.driver.is_by_hand() {
            return Armed::No;
        }
        let Some(step) = pass.host.current_step() else { return Armed::No };
        let made = self.make(backends, &pass.host, step.name, Act::BootLocal).await;
        match made {
            ActOutcome::Attempt(Attempt::Answered) => Armed::No,
            ActOutcome::Attempt(_) | ActOutcome::Progress(_) => Armed::Yes,
        }
    }

    /// Writes a step, and makes its act when the answer came.
    async fn begin(&self, pass: &mut Pass<'_>, state: State, name: StepName, attempt: i32, act: Act) -> Turned {
        if let Some(then) = self.not_yet(pass.held, act) {
            return Turned::End(then);
        }
        let step = Step { attempt, name, of: pass.host.generation, since: self.clock.now() };
        let key = StepKey::of(&pass.host, &step);
        // The act is made only after the answer. If that is lost, the act was not made, whatever became of the step.
        self.cache.begins(pass.host.id, key);
        let mut change = self.change(pass);
        (change.state, change.step) = (state, Some(step));
        // It is written with the step, so that nobody reads after a kill that nothing was done.
        let begun = "it begins; if this is all that is said of it, it may have been made, and no answer was seen";
        let message = format!("for the order {}: {begun}", pass.host.generation);
        let line = Line { at: self.clock.now(), act: name.text().to_owned(), message, part: Part::Begin };
        self.reporter.acted(pass.host.id, fence(pass.held), line);
        match self.write(pass, change).await {
            Turned::On(host) if host.current_step().map(|step| StepKey::of(&host, step)) == Some(key) => {
                pass.host = *host;
                if pass.halt.is_some() {
                    return Turned::End(Then::At(Instant::now() + IDLE_CHECK_DELAY));
                }
                self.act(pass, name, key, act, Part::End).await
            }
            turned => turned,
        }
    }

    /// Makes the act of the current step, which was certainly not made before.
    async fn again(&self, pass: &Pass<'_>, act: Act) -> Turned {
        if let Some(then) = self.not_yet(pass.held, act) {
            return Turned::End(then);
        }
        let Some(step) = pass.host.current_step() else { return Turned::End(Then::Rest) };
        self.act(pass, step.name, StepKey::of(&pass.host, step), act, Part::Whole).await
    }

    /// Returns the time at which an act can be made, if that is not now.
    fn not_yet(&self, held: &Held, act: Act) -> Option<Then> {
        let now = Instant::now();
        (act.touches_machine() && held.settled > now).then_some(Then::At(held.settled))
    }

    async fn act(&self, pass: &Pass<'_>, name: StepName, key: StepKey, act: Act, part: Part) -> Turned {
        let host = &pass.host;
        let Ok(backends) = &pass.backends else { return Turned::End(Then::Rest) };
        // Until its end is known, the act counts as unanswered: this pass can be dropped at any point.
        let reason = "the call did not end".to_owned();
        self.cache.attempted(host.id, key, Attempt::Unanswered { reason });
        let attempt = match self.make(backends, host, name, act).await {
            ActOutcome::Attempt(attempt) => attempt,
            ActOutcome::Progress(Progress::Unknown) => Attempt::Refused {
                reason: "ProvisionerRefused".to_owned(),
                message: "the provisioner did not take the work".to_owned(),
            },
            ActOutcome::Progress(progress) => {
                self.reported(pass, name, progress);
                Attempt::Answered
            }
        };
        let message = ended(&attempt, host.generation);
        let line = Line { at: self.clock.now(), act: name.text().to_owned(), message, part };
        self.reporter.acted(host.id, fence(pass.held), line);
        let failed = match &attempt {
            Attempt::NotMade { reason } => Some(reason.clone()),
            _ => None,
        };
        self.cache.attempted(host.id, key, attempt);
        if matches!(act, Act::Power(_)) {
            self.polls.add_at(host.id, Instant::now() + REFUSED_RETRY_DELAY);
        }
        match failed {
            Some(reason) => Turned::End(Then::Failed(reason)),
            None => Turned::On(Box::new(host.clone())),
        }
    }

    /// Polls the provisioner for the step's progress.
    async fn ask(&self, pass: &mut Pass<'_>, duty: Duty) -> Turned {
        if let Some(at) = self.cache.must_wait(pass.host.id) {
            return self.sync(pass, Then::At(at)).await;
        }
        let (Ok(backends), Some(step)) = (&pass.backends, pass.host.current_step()) else {
            return Turned::End(Then::Rest);
        };
        let name = step.name;
        match self.ask_for_progress(backends, &pass.host, name, duty).await {
            Ok(progress) => self.reported(pass, name, progress),
            Err(error) => {
                self.cache.ask_at(pass.host.id, Instant::now() + ASK_DELAY_BOUNDS.1);
                return Turned::End(Then::Failed(error.to_string()));
            }
        }
        Turned::On(Box::new(pass.host.clone()))
    }

    /// Notes the answer of a provisioner.
    fn reported(&self, pass: &Pass<'_>, name: StepName, progress: Progress) {
        let (host, now) = (&pass.host, self.clock.now());
        let (state, sentence, again) = match progress {
            Progress::Done { facts } => {
                if let Some(facts) = facts {
                    self.cache.found(host.id, facts, now);
                }
                (WordState::Done, None, ASK_DELAY_BOUNDS.0)
            }
            Progress::Wait { again, sentence } => {
                (WordState::Working, sentence, again.clamp(ASK_DELAY_BOUNDS.0, ASK_DELAY_BOUNDS.1))
            }
            Progress::Failed { kind, sentence } => {
                (WordState::Failed, Some(format!("{}: {sentence}", kind.reason())), ASK_DELAY_BOUNDS.0)
            }
            // Nothing shows that the work began, or it was known and is not any more.
            Progress::Unknown if !self.was_known(host, name) => {
                return self.cache.ask_at(host.id, Instant::now() + ASK_DELAY_BOUNDS.0 * 15);
            }
            Progress::Unknown => {
                let lost = "the provisioner knows nothing of the work any more; look at the machine before a retry";
                (WordState::Failed, Some(lost.to_owned()), ASK_DELAY_BOUNDS.0)
            }
        };
        let OrderKey { number: of, id: order } = host.order_key();
        let word = Word { step: name, of, order, state, sentence, at: now };
        self.cache.reported(host.id, word);
        self.cache.ask_at(host.id, Instant::now() + again);
        self.reporter.observe(host.id, fence(pass.held), self.cache.observed(host.id));
    }

    fn was_known(&self, host: &Host, name: StepName) -> bool {
        let has_word = |word: &Word| word.is_about(name, host.order_key());
        self.cache.attempt(host) == Attempt::Answered
            || self.cache.evidence(host).observed.word.as_ref().is_some_and(has_word)
    }

    /// Has the provisioner take over a host that it does not know, as it is. The reason why it cannot is a condition.
    async fn take_over(&self, pass: &mut Pass<'_>, duty: Duty) -> Turned {
        let Ok(backends) = &pass.backends else { return Turned::End(Then::Rest) };
        let work = async {
            let target = self.target(&pass.host).await?;
            self.begin_work(backends, &pass.host, StepName::Register, duty, Some(&target)).await
        };
        let reason = match work.await {
            Ok(Progress::Done { .. }) => {
                self.cache.is_known(pass.host.id, true);
                self.polls.add_at(pass.host.id, Instant::now() + REFUSED_RETRY_DELAY);
                return Turned::On(Box::new(pass.host.clone()));
            }
            Ok(Progress::Wait { again, .. }) => {
                return Turned::End(Then::At(Instant::now() + again.clamp(ASK_DELAY_BOUNDS.0, ASK_DELAY_BOUNDS.1)));
            }
            Ok(Progress::Failed { sentence, .. }) => sentence,
            Ok(Progress::Unknown) => "the provisioner does not take over the host".to_owned(),
            Err(error) => error.to_string(),
        };
        self.cache.cannot_be_taken_over(pass.host.id, reason.clone());
        self.sync(pass, Then::Failed(reason)).await
    }

    async fn delete(&self, pass: &Pass<'_>) -> Turned {
        if let Some(then) = self.not_yet(pass.held, Act::Provision(Duty::Delete)) {
            return Turned::End(then);
        }
        let Ok(backends) = &pass.backends else { return Turned::End(Then::Rest) };
        match self.begin_work(backends, &pass.host, StepName::Detach, Duty::Delete, None).await {
            Ok(Progress::Done { .. } | Progress::Unknown) => {}
            Ok(Progress::Wait { again, .. }) => {
                return Turned::End(Then::At(Instant::now() + again.clamp(ASK_DELAY_BOUNDS.0, ASK_DELAY_BOUNDS.1)));
            }
            Ok(Progress::Failed { sentence, .. }) => return Turned::End(Then::Failed(sentence)),
            Err(error) => return Turned::End(Then::Failed(error.to_string())),
        }
        match self.api.delete(pass.host.id, &fence(pass.held)).await {
            Ok(()) => Turned::End(Then::Rest),
            Err(error) => Turned::End(Then::Failed(error.to_string())),
        }
    }
}

/// Returns true if a person switches the machine.
fn is_by_hand(backends: &Result<HostBackends, CallError>) -> bool {
    backends
        .as_ref()
        .is_ok_and(|backends| backends.managed_by() != ManagedBy::ProvisionerAlone && backends.driver.is_by_hand())
}

/// Returns a sentence about the end of an act for an order.
fn ended(attempt: &Attempt, of: i64) -> String {
    match attempt {
        Attempt::OfAnother => format!("for the order {of}"),
        Attempt::Answered => format!("for the order {of}: it was accepted"),
        Attempt::NotMade { reason } => format!("for the order {of}: it was not made: {reason}"),
        Attempt::Unanswered { reason } => format!("for the order {of}: nobody knows if it was made: {reason}"),
        Attempt::Refused { message, .. } => format!("for the order {of}: it was refused: {message}"),
    }
}

/// Returns true if a claim asked for a look, or if a host may have another machine than before: its address changed, or a
/// person accepted another one.
fn is_worth_a_look(before: &Host, now: &Host) -> bool {
    let is_asked = before.look_asked != now.look_asked;
    is_asked || before.bmc_url != now.bmc_url || before.is_pinned() && !now.is_pinned()
}

pub(super) fn fence(held: &Held) -> Fence {
    Fence { lease: held.name.clone(), epoch: held.epoch }
}

/// Fails an order for a host that this controller cannot work on. A host at work is FAILED, because nobody goes on.
fn without_hands(host: &Host, error: &CallError) -> Turn {
    let reason = match error {
        CallError::Refused { reason, .. } => reason.clone(),
        CallError::NotMade { .. } | CallError::Unanswered { .. } => "Unreachable".to_owned(),
    };
    let message = error.to_string();
    if host.state.rests() && host.current_step().is_none() {
        return Turn::Refuse { state: host.state, outcome: Outcome::Refused, reason, message };
    }
    Turn::Fail { state: State::Failed, reason, message }
}
