//! One step of an order: its act, its deadline, and the proof that it is done.

use chrono::TimeDelta;

use super::{Act, Attempt, Duty, Input, Turn};
use crate::host::{Outcome, State, Step, StepName, WordState};

/// The number of attempts after which a step is not repeated any more.
pub const MAX_ATTEMPTS: i32 = 3;
/// The minutes that a person has to switch a machine for an order that boots it.
const MINUTES_BY_HAND: i32 = 15;
/// The time after which a step that waits is looked at again.
const CHECK_DELAY: TimeDelta = TimeDelta::seconds(15);

/// A step, as a state describes it.
pub struct Stage<'a, 'b> {
    /// The input of the state.
    pub input: &'a Input<'b>,
    /// The state in which the step is.
    pub state: State,
    /// The step.
    pub name: StepName,
    pub act: Act,
}

/// The proof of a step.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Proof {
    /// Nothing shows that the act was made.
    None,
    /// The act was made, and its effect takes time.
    Working,
    /// The step is done.
    Done,
    /// The step failed.
    Failed {
        /// The reason, as one word.
        reason: &'static str,
        /// A sentence that says what went wrong.
        message: String,
    },
}

/// Returns the minutes that a step has in a state. The deadlines of a state are those of its steps, one after the other.
pub const fn deadline_of(state: State, step: StepName) -> i32 {
    use StepName as Name;
    match (state, step) {
        (_, Name::Look) => 2,
        (State::Discovering, Name::Inspect) => 12,
        (State::Discovering, Name::Register | Name::Prepare | Name::BootNetwork) => 2,
        (State::Discovering, _) => 5,
        (_, Name::Register) => 2,
        (State::Installing, Name::Install) => 70,
        (State::Installing, Name::Prepare) => 10,
        (State::Installing, Name::BootNetwork) => 3,
        (State::Releasing, Name::ForceOff) => 2,
        (State::Releasing, Name::Detach) => 3,
        (State::Wiping, Name::Wipe) => 218,
        _ => 5,
    }
}

impl Stage<'_, '_> {
    /// Begins the step, as the first attempt of it.
    pub fn begin(&self) -> Turn {
        Turn::Begin { state: self.state, step: self.name, attempt: 1, act: self.act }
    }

    /// Returns the time at which the step ends, whatever came of it.
    pub fn deadline(&self, step: &Step) -> crate::host::Time {
        let minutes = match self.name {
            StepName::PowerOn | StepName::PowerCycle if self.input.is_by_hand => MINUTES_BY_HAND,
            name => deadline_of(self.state, name),
        };
        step.since + self.input.deadline_minute * minutes
    }

    /// Goes on with the step, and with `next` when it is proved to be done.
    pub fn follow(&self, step: &Step, proof: Proof, next: impl FnOnce() -> Turn) -> Turn {
        let deadline = self.deadline(step);
        let is_over = self.input.now >= deadline;
        match proof {
            Proof::Done => return next(),
            Proof::Failed { reason, message } => return self.fail(reason, message),
            Proof::Working if is_over => return self.fail("TimedOut", self.sentence("did not end in time")),
            Proof::Working => return self.wait(deadline),
            Proof::None => {}
        }
        match self.input.attempt {
            Attempt::Refused { reason, message } => self.fail(reason, message.clone()),
            Attempt::NotMade { reason } if is_over => self.fail("Unreachable", self.because("could not begin", reason)),
            Attempt::NotMade { .. } => Turn::Again(self.act),
            Attempt::OfAnother if !is_over => self.wait(deadline),
            Attempt::OfAnother if step.attempt < MAX_ATTEMPTS => {
                Turn::Begin { state: self.state, step: self.name, attempt: step.attempt + 1, act: self.act }
            }
            Attempt::OfAnother => self
                .fail("TooManyAttempts", self.sentence("was begun by several controllers, and none could finish it")),
            Attempt::Answered | Attempt::Unanswered { .. } if !is_over => self.wait(deadline),
            Attempt::Answered => self.fail("NoEffect", self.sentence("was accepted and had no effect in time")),
            Attempt::Unanswered { reason } => {
                self.fail("Unanswered", self.because("got no answer, and nothing shows that it was done", reason))
            }
        }
    }

    /// Returns the proof of a step that a provisioner works on.
    pub fn proof_of_word(&self, step: &Step) -> Proof {
        match self.input.evidence.word(self.name, self.input.host.order_key(), step.since) {
            None => Proof::None,
            Some((WordState::Working, _)) => Proof::Working,
            Some((WordState::Done, _)) => Proof::Done,
            Some((WordState::Failed, sentence)) => {
                Proof::Failed { reason: "Provisioner", message: sentence.unwrap_or("no reason came").to_owned() }
            }
        }
    }

    fn fail(&self, reason: &str, message: String) -> Turn {
        let (state, reason) = (self.failed_state(), reason.to_owned());
        // Nothing was begun with the machine, so the host is as it was.
        if self.state.rests() && !self.act.touches_machine() {
            return Turn::Refuse { state, outcome: Outcome::Refused, reason, message };
        }
        Turn::Fail { state, reason, message }
    }

    /// Returns the state of a host after this step failed: FAILED, but a host that rests stays where it is.
    pub const fn failed_state(&self) -> State {
        match self.state {
            State::Discovering | State::Installing | State::Releasing | State::Wiping => State::Failed,
            rests => rests,
        }
    }

    /// Waits. A provisioner is asked meanwhile, because it does not speak by itself.
    fn wait(&self, deadline: crate::host::Time) -> Turn {
        match self.act {
            Act::Provision(duty) => Turn::Ask(duty),
            Act::Power(_) | Act::BootNetwork | Act::BootLocal | Act::Look => {
                Turn::Wait(deadline.min(self.input.now + CHECK_DELAY))
            }
        }
    }

    fn sentence(&self, rest: &str) -> String {
        format!("the step {} {rest}; look at the machine, then retry the host", self.name.text())
    }

    fn because(&self, rest: &str, reason: &str) -> String {
        format!("the step {} {rest}: {reason}; look at the machine, then retry the host", self.name.text())
    }
}

/// Returns the proof of a step whose answer is all that there is to know.
pub fn proof_of_answer(input: &Input<'_>) -> Proof {
    if *input.attempt == Attempt::Answered { Proof::Done } else { Proof::None }
}

/// Returns the step that takes back what was prepared in a state, without touching the machine.
pub const fn take_back<'a, 'b>(input: &'a Input<'b>, state: State) -> Stage<'a, 'b> {
    of_provisioner(input, state, StepName::Detach, Duty::Detach)
}

/// Returns a step of a provisioner.
pub const fn of_provisioner<'a, 'b>(input: &'a Input<'b>, state: State, name: StepName, duty: Duty) -> Stage<'a, 'b> {
    Stage { input, state, name, act: Act::Provision(duty) }
}
