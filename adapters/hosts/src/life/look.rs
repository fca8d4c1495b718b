//! The looks at the power of a machine before an order that would reboot it: one before anything is done, and one right
//! before the machine is booted, after it was prepared. A machine that runs is left alone: the order is refused, and the
//! host goes back to the state in which the order was given.
//!
//! A look needs a provisioner that knows the host, because it may own the BMC. To register a host touches nothing.

use chrono::TimeDelta;

use super::stage::{Proof, Stage, of_provisioner, take_back};
use super::{Act, Attempt, Duty, Input, Turn, stop};
use crate::host::{Outcome, Power, State, Step, StepName, Wanted};

/// The time for which it counts what was seen. The machine may be switched on at any time.
const SIGHTING_LIFETIME: TimeDelta = TimeDelta::seconds(60);

/// Goes on with `next` when nothing runs on the machine, or nobody has to look. The host keeps its state meanwhile.
pub fn first(input: &Input<'_>, order: &Wanted, next: impl FnOnce() -> Turn) -> Turn {
    let register = of_provisioner(input, input.host.state, StepName::Register, Duty::Register);
    let look = stage(input, input.host.state);
    match input.host.current_step() {
        Some(step) if step.name == StepName::Register => {
            register.follow(step, register.proof_of_word(step), || look.begin())
        }
        Some(step) if step.name == StepName::Look => follow(&look, step, next, || refused(input)),
        _ if may_run(input, order) => next(),
        _ => register.begin(),
    }
}

/// Begins the look right before a machine is booted. Goes on with `next` where nobody has to look.
pub fn again(input: &Input<'_>, state: State, next: impl FnOnce() -> Turn) -> Turn {
    if may_boot_running(input, state) { next() } else { stage(input, state).begin() }
}

/// Follows the look right before a machine is booted, which was prepared. What was prepared is taken back before the order
/// is refused, so that nothing of it is booted later. A machine that is to be wiped was seen off before, so somebody
/// switched it on, and its host goes back to nowhere.
pub fn follow_again(input: &Input<'_>, state: State, step: &Step, next: impl FnOnce() -> Turn) -> Turn {
    follow(&stage(input, state), step, next, || match state {
        State::Wiping => {
            let (reason, message) = sentence(input);
            Turn::Fail { state: State::Failed, reason: reason.to_owned(), message: message.to_owned() }
        }
        _ => take_back(input, state).begin(),
    })
}

/// Returns true if a machine is booted in a state whether or not it runs.
pub fn may_boot_running(input: &Input<'_>, state: State) -> bool {
    match (state, input.host.order()) {
        // It was switched off for this very order.
        (State::Wiping, _) | (_, None) => input.is_by_hand,
        (_, Some(order)) => may_run(input, order),
    }
}

/// Follows the step that takes back what was prepared for an order that is refused.
pub fn follow_detach(input: &Input<'_>, state: State, step: &Step) -> Turn {
    let detach = take_back(input, state);
    detach.follow(step, detach.proof_of_word(step), || stop::refused(input).unwrap_or_else(|| refused(input)))
}

/// Returns true if an order goes on whether or not the machine runs: a person said so for this machine, a person switches it,
/// or an installer or a wipe of an earlier order began on it, so that its disks hold nothing.
pub fn may_run(input: &Input<'_>, order: &Wanted) -> bool {
    let is_empty = input.host.failure.as_ref().is_some_and(|failure| failure.erased);
    order.covers_running || input.is_by_hand || is_empty
}

const fn stage<'a, 'b>(input: &'a Input<'b>, state: State) -> Stage<'a, 'b> {
    Stage { input, state, name: StepName::Look, act: Act::Look }
}

fn follow(look: &Stage<'_, '_>, step: &Step, next: impl FnOnce() -> Turn, refuse: impl FnOnce() -> Turn) -> Turn {
    let Input { evidence, attempt, now, .. } = look.input;
    match evidence.power_after(step.since.max(*now - SIGHTING_LIFETIME)) {
        Some(Power::On) => refuse(),
        Some(Power::Off) => next(),
        Some(Power::Unknown) | None if **attempt == Attempt::Answered && *now >= look.deadline(step) => refuse(),
        Some(Power::Unknown) | None => look.follow(step, Proof::None, next),
    }
}

/// Refuses an order because of what was seen last.
fn refused(input: &Input<'_>) -> Turn {
    let (reason, message) = sentence(input);
    Turn::Refuse {
        state: input.host.state_before(),
        outcome: Outcome::Refused,
        reason: reason.to_owned(),
        message: message.to_owned(),
    }
}

/// Returns the reason for which an order is refused because of what was seen last, as one word and as a sentence.
fn sentence(input: &Input<'_>) -> (&'static str, &'static str) {
    match input.evidence.last_power() {
        Power::On => (
            "MachineRuns",
            "the machine is running; this would reboot it: look who uses it, and if nobody does, switch it off and order \
             again",
        ),
        Power::Off | Power::Unknown => (
            "PowerUnknown",
            "nobody can see if the machine is running; this would reboot it if it is: look at it, and order with force if \
             it is free",
        ),
    }
}
