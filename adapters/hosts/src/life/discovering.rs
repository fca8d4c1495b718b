//! DISCOVERING: the machine boots from the network once, and its hardware is found out. Then it is switched off, and the
//! host is AVAILABLE.

use super::boot::{self, Boot};
use super::stage::{Proof, of_provisioner};
use super::{Duty, Input, ManagedBy, Turn, power};
use crate::host::{Order, Power, State, StepName};

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
                ManagedBy::ProvisionerAlone => Turn::Done { state: State::Available },
                ManagedBy::DriverAndProvisioner | ManagedBy::DriverAlone => off.begin(),
            })
        }
        StepName::ForceOff => {
            off.follow(step, power::seen(input, step, Power::Off), || Turn::Done { state: State::Available })
        }
        _ => boot::follow(input, &Boot { state: STATE, then: inspect }, step),
    }
}
