//! INSTALLING: one attempt to install the system of the order's profile. Then the host is INSTALLED.

use super::boot::{self, Boot};
use super::stage::of_provisioner;
use super::{Duty, Input, Turn};
use crate::host::{Order, State, StepName};

const STATE: State = State::Installing;

/// Returns the first turn of the order.
pub fn begin(input: &Input<'_>) -> Turn {
    boot::prepare(input, STATE).begin()
}

/// Decides what to do next.
pub fn decide(input: &Input<'_>) -> Turn {
    if input.host.order().is_none_or(|order| order.act != Order::Install) {
        return Turn::without_order();
    }
    let Some(step) = input.host.current_step() else { return begin(input) };
    let install = of_provisioner(input, STATE, StepName::Install, Duty::Install);
    match step.name {
        StepName::Install => {
            install.follow(step, install.proof_of_word(step), || Turn::Done { state: State::Installed })
        }
        _ => boot::follow(input, &Boot { state: STATE, then: install }, step),
    }
}
