//! WIPING: the machine boots from the network once, and its disks are erased. Then it is switched off, and the host is
//! AVAILABLE.

use super::boot::{self, Boot};
use super::stage::of_provisioner;
use super::{Duty, Input, Turn};
use crate::host::{Order, State, StepName};

const STATE: State = State::Wiping;

/// Returns the first turn of the state.
pub fn begin(input: &Input<'_>) -> Turn {
    boot::prepare(input, STATE).begin()
}

/// Decides what to do next.
pub fn decide(input: &Input<'_>) -> Turn {
    if input.host.order().is_none_or(|order| order.act != Order::Wipe) {
        return Turn::without_order();
    }
    let Some(step) = input.host.current_step() else { return begin(input) };
    let wipe = of_provisioner(input, STATE, StepName::Wipe, Duty::Deinstall);
    let off = boot::force_off(input, STATE);
    match step.name {
        StepName::Wipe => wipe.follow(step, wipe.proof_of_word(step), || match input.is_by_hand {
            // Its report is all that is ever seen of it, and what reported switches it off.
            true => Turn::Done { state: State::Available },
            false => off.begin(),
        }),
        StepName::ForceOff => boot::follow_off(input, STATE, step, || Turn::Done { state: State::Available }),
        _ => boot::follow(input, &Boot { state: STATE, then: wipe }, step),
    }
}
