//! Orders that change only the power of a host, or the device that it boots from the next time. Its state stays as it is, also
//! if the order fails.

use super::stage::{Proof, Stage, proof_of_answer};
use super::{Act, Attempt, Input, ManagedBy, PowerAct, Turn};
use crate::host::{Order, Outcome, Power, Step, StepName, Wanted};

/// Decides what to do next for an order that changes the power, after the machine was looked at.
pub fn decide(input: &Input<'_>, order: &Wanted) -> Turn {
    let step = input.host.current_step().filter(|step| step.name != StepName::Look);
    match order.act {
        Order::PowerOff => off(input, order, step),
        Order::PowerCycle => cycle(input, step),
        Order::BootLocal => boot(input, StepName::BootLocal, Act::BootLocal, step),
        Order::BootNetwork => boot(input, StepName::BootNetwork, Act::BootNetwork, step),
        _ => on(input, step),
    }
}

fn on(input: &Input<'_>, step: Option<&Step>) -> Turn {
    let stage = stage(input, StepName::PowerOn, PowerAct::On);
    match step {
        None => stage.begin(),
        Some(step) => stage.follow(step, seen(input, step, Power::On), || done(input)),
    }
}

fn boot(input: &Input<'_>, name: StepName, act: Act, step: Option<&Step>) -> Turn {
    if input.managed_by == ManagedBy::ProvisionerAlone {
        let message = "the provisioner alone says what the machine boots; nothing was done".to_owned();
        let (state, outcome) = (input.host.state, Outcome::Refused);
        return Turn::Refuse { state, outcome, reason: "ProvisionerBoots".to_owned(), message };
    }
    let stage = Stage { input, state: input.host.state, name, act };
    match step {
        None => stage.begin(),
        Some(step) => stage.follow(step, proof_of_answer(input), || done(input)),
    }
}

fn off(input: &Input<'_>, order: &Wanted, step: Option<&Step>) -> Turn {
    let (ask, force) = (stage(input, StepName::PowerOff, PowerAct::Off), forced(input));
    match step {
        None => ask.begin(),
        Some(step) if step.name == StepName::ForceOff => {
            force.follow(step, seen(input, step, Power::Off), || done(input))
        }
        Some(step) => off_or_force(&ask, &force, order.force, step, || done(input)),
    }
}

/// A power cycle that nobody saw end is not repeated: it would reboot a machine in use twice by one order.
fn cycle(input: &Input<'_>, step: Option<&Step>) -> Turn {
    let stage = stage(input, StepName::PowerCycle, PowerAct::Cycle);
    match (step, input.attempt) {
        (None, _) => stage.begin(),
        (Some(_), Attempt::Answered) => done(input),
        (Some(_), Attempt::OfAnother | Attempt::Unanswered { .. }) => Turn::Fail {
            state: input.host.state,
            reason: "Unanswered".to_owned(),
            message: "nobody saw the end of the power cycle, and it is not repeated; look at the machine".to_owned(),
        },
        (Some(step), _) => stage.follow(step, Proof::None, || done(input)),
    }
}

/// Follows a step that asks a machine to shut down. If the machine does not, it is switched off where that is allowed.
pub fn off_or_force(
    ask: &Stage<'_, '_>,
    force: &Stage<'_, '_>,
    may_force: bool,
    step: &Step,
    next: impl FnOnce() -> Turn,
) -> Turn {
    let proof = seen(ask.input, step, Power::Off);
    let is_over = ask.input.now >= ask.deadline(step);
    match proof {
        Proof::None if may_force && (is_over || matches!(ask.input.attempt, Attempt::Refused { .. })) => force.begin(),
        Proof::None if is_over && *ask.input.attempt == Attempt::Answered => Turn::Fail {
            state: ask.failed_state(),
            reason: "StillOn".to_owned(),
            message: "the machine was asked to shut down and is not off; order again with force".to_owned(),
        },
        proof => ask.follow(step, proof, next),
    }
}

/// Returns the step that switches a machine off without asking it.
pub const fn forced<'a, 'b>(input: &'a Input<'b>) -> Stage<'a, 'b> {
    stage(input, StepName::ForceOff, PowerAct::ForceOff)
}

/// Returns a step that changes the power, in the state that the host has.
pub const fn stage<'a, 'b>(input: &'a Input<'b>, name: StepName, act: PowerAct) -> Stage<'a, 'b> {
    Stage { input, state: input.host.state, name, act: Act::Power(act) }
}

/// Returns the proof of a step that ends when the power is seen so.
pub fn seen(input: &Input<'_>, step: &Step, power: Power) -> Proof {
    if input.evidence.power_after(step.since) == Some(power) { Proof::Done } else { Proof::None }
}

fn done(input: &Input<'_>) -> Turn {
    Turn::Done { state: input.host.state }
}
