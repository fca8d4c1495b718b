//! DISCOVERING: the machine boots from the network once, and its hardware is found out. Then it is switched off. A host that
//! was free is AVAILABLE again. One that was REGISTERED stays so, unless the order adopts it: that its machine was off says
//! nothing about what is on its disks.

use super::boot::{self, Boot};
use super::stage::{Proof, of_provisioner};
use super::{Duty, Input, ManagedBy, Turn};
use crate::host::{Order, State, StepName};

const STATE: State = State::Discovering;

/// Returns the first turn of the order.
pub fn begin(input: &Input<'_>) -> Turn {
    of_provisioner(input, STATE, StepName::Register, Duty::Register).begin()
}

/// Decides what to do next.
pub fn decide(input: &Input<'_>) -> Turn {
    if input.host.order().is_none_or(|order| order.act != Order::Discover) {
        return Turn::without_order();
    }
    let Some(step) = input.host.current_step() else { return begin(input) };
    let inspect = of_provisioner(input, STATE, StepName::Inspect, Duty::Inspect);
    let off = boot::force_off(input, STATE);
    match step.name {
        StepName::Register => {
            let stage = of_provisioner(input, STATE, StepName::Register, Duty::Register);
            let prepare = of_provisioner(input, STATE, StepName::Prepare, Duty::Prepare);
            stage.follow(step, stage.proof_of_word(step), || prepare.begin())
        }
        StepName::Inspect => {
            let has_facts = input.evidence.has_facts_after(step.since);
            let proof = if has_facts { Proof::Done } else { inspect.proof_of_word(step) };
            inspect.follow(step, proof, || match input.managed_by {
                ManagedBy::ProvisionerAlone => done(input),
                // Its report is all that is ever seen of it, and what reported switches it off.
                _ if input.is_by_hand => done(input),
                ManagedBy::DriverAndProvisioner | ManagedBy::DriverAlone => off.begin(),
            })
        }
        StepName::ForceOff => boot::follow_off(input, STATE, step, || done(input)),
        _ => boot::follow(input, &Boot { state: STATE, then: inspect }, step),
    }
}

fn done(input: &Input<'_>) -> Turn {
    let order = input.host.order();
    let before = match order.and_then(|order| order.given_in) {
        Some(State::Failed) => input.host.failure.as_ref().and_then(|failure| failure.before),
        given_in => given_in,
    };
    let is_free = before == Some(State::Available) || order.is_some_and(|order| order.adopt);
    Turn::Done { state: if is_free { State::Available } else { State::Registered } }
}
