//! The look at the power of a machine that may be in use, before anything is done for an order that would reboot it. A machine
//! that runs is left alone: the order fails, and the host stays where it is.
//!
//! A look needs a provisioner that knows the host, because it may own the BMC. To register a host touches nothing.

use chrono::TimeDelta;

use super::stage::{Proof, Stage, of_provisioner};
use super::{Act, Attempt, Duty, Input, Turn};
use crate::host::{Power, State, Step, StepName, Wanted};

/// The time for which it counts what was seen. The machine may be switched on at any time.
const SIGHTING_LIFETIME: TimeDelta = TimeDelta::seconds(60);

/// Goes on with `next` when nothing runs on the machine, or nobody has to look.
pub fn first(input: &Input<'_>, order: &Wanted, next: impl FnOnce() -> Turn) -> Turn {
    let state = input.host.state;
    let register = of_provisioner(input, state, StepName::Register, Duty::Register);
    let look = Stage { input, state, name: StepName::Look, act: Act::Look };
    match input.host.current_step() {
        Some(step) if step.name == StepName::Register => {
            register.follow(step, register.proof_of_word(step), || look.begin())
        }
        Some(step) if step.name == StepName::Look => follow(&look, step, next),
        _ if is_needed(input, order) => register.begin(),
        _ => next(),
    }
}

/// Returns true if a machine may be in use though nobody who gave the order could know. What is REGISTERED may be switched
/// on at any time; of the others somebody said that they are free, and it counts if their power was ever seen. A machine that
/// is switched by hand is rebooted by nobody else.
fn is_needed(input: &Input<'_>, order: &Wanted) -> bool {
    let host = input.host;
    let may_run = match host.state {
        State::Registered => true,
        State::Available | State::Acquired => host.power == Power::Unknown,
        _ => false,
    };
    may_run && !order.force && !input.is_by_hand
}

fn follow(look: &Stage<'_, '_>, step: &Step, next: impl FnOnce() -> Turn) -> Turn {
    let Input { host, evidence, attempt, now, .. } = look.input;
    let refused = |reason: &str, message: &str| Turn::Fail {
        state: host.state,
        reason: reason.to_owned(),
        message: message.to_owned(),
    };
    match evidence.power_after(step.since.max(*now - SIGHTING_LIFETIME)) {
        Some(Power::On) => refused("MachineRuns", "the machine is running; this would reboot it"),
        Some(Power::Off) => next(),
        Some(Power::Unknown) | None if **attempt == Attempt::Answered && *now >= look.deadline(step) => {
            refused("PowerUnknown", "nobody can see if the machine is running; this would reboot it if it is")
        }
        Some(Power::Unknown) | None => look.follow(step, Proof::None, next),
    }
}
