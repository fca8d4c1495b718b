//! The steps that boot a machine for an order: prepare, look at its power, boot from the network once, switch on. A
//! provisioner that owns the BMC does the last two by itself. A machine that was seen off is only switched on; one that
//! may run, because the order covers that, is cycled.

use super::stage::{Proof, Stage, of_provisioner, proof_of_answer};
use super::{Act, Attempt, Duty, Input, ManagedBy, PowerAct, Turn, look, power};
use crate::host::{Power, State, Step, StepName};

/// The boot of a state, and the step that follows it.
pub struct Boot<'a, 'b> {
    pub state: State,
    /// The step that follows.
    pub then: Stage<'a, 'b>,
}

/// Returns the step that prepares what the machine boots.
pub const fn prepare<'a, 'b>(input: &'a Input<'b>, state: State) -> Stage<'a, 'b> {
    of_provisioner(input, state, StepName::Prepare, Duty::Prepare)
}

/// Returns the step that switches the machine off.
pub const fn force_off<'a, 'b>(input: &'a Input<'b>, state: State) -> Stage<'a, 'b> {
    Stage { input, state, name: StepName::ForceOff, act: Act::Power(PowerAct::ForceOff) }
}

/// Follows the step that switches the machine off after the work. It is not repeated for another controller that began it:
/// what runs then can be a machine that was off already, and that somebody has switched on since.
pub fn follow_off(input: &Input<'_>, state: State, step: &Step, next: impl FnOnce() -> Turn) -> Turn {
    let off = force_off(input, state);
    let proof = power::seen(input, step, Power::Off);
    if proof == Proof::None && *input.attempt == Attempt::OfAnother && input.now >= off.deadline(step) {
        return Turn::Fail {
            state: State::Failed,
            reason: "Unanswered".to_owned(),
            message:
                "nobody saw the machine go off after the work, and it is not switched off again; look at the machine, \
                      then retry the host"
                    .to_owned(),
        };
    }
    off.follow(step, proof, next)
}

/// Follows the steps of a boot. A step that is none of them does not fit the order.
pub fn follow(input: &Input<'_>, boot: &Boot<'_, '_>, step: &Step) -> Turn {
    let Boot { state, then } = boot;
    let network = Stage { input, state: *state, name: StepName::BootNetwork, act: Act::BootNetwork };
    let boot = || match input.managed_by {
        ManagedBy::ProvisionerAlone => then.begin(),
        ManagedBy::DriverAndProvisioner | ManagedBy::DriverAlone => network.begin(),
    };
    match step.name {
        StepName::Prepare => {
            let prepare = prepare(input, *state);
            prepare.follow(step, prepare.proof_of_word(step), || look::again(input, *state, boot))
        }
        StepName::Look => look::follow_again(input, *state, step, boot),
        StepName::Detach if *state != State::Wiping => look::follow_detach(input, *state, step),
        StepName::BootNetwork => network.follow(step, proof_of_answer(input), || switch(input, *state).begin()),
        StepName::PowerOn => {
            let is_on = input.evidence.power_after(step.since) == Some(Power::On);
            let proof = if is_on { Proof::Done } else { proof_of_boot(input, step) };
            switched(input, *state, StepName::PowerOn).follow(step, proof, || then.begin())
        }
        StepName::PowerCycle => {
            // The power is on before and after a cycle, so it shows nothing.
            let proof = match proof_of_boot(input, step) {
                // A person who is asked has not done it yet.
                Proof::None if !input.is_by_hand => proof_of_answer(input),
                proof => proof,
            };
            switched(input, *state, StepName::PowerCycle).follow(step, proof, || then.begin())
        }
        _ => Turn::without_order(),
    }
}

/// Returns the step that makes the machine boot now.
fn switch<'a, 'b>(input: &'a Input<'b>, state: State) -> Stage<'a, 'b> {
    match input.evidence.last_power() {
        Power::On | Power::Unknown if look::may_boot_running(input.host, state, input.is_by_hand) => {
            switched(input, state, StepName::PowerCycle)
        }
        // To switch on what somebody switched on meanwhile does nothing to it.
        Power::Off | Power::On | Power::Unknown => switched(input, state, StepName::PowerOn),
    }
}

fn switched<'a, 'b>(input: &'a Input<'b>, state: State, name: StepName) -> Stage<'a, 'b> {
    let act = if name == StepName::PowerOn { PowerAct::On } else { PowerAct::Cycle };
    Stage { input, state, name, act: Act::Power(act) }
}

fn proof_of_boot(input: &Input<'_>, step: &Step) -> Proof {
    if input.evidence.has_script_after(step.since) { Proof::Done } else { Proof::None }
}
