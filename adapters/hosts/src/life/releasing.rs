//! RELEASING: the machine is asked to shut down, switched off with force where the order allows it, and detached. Then
//! the host is AVAILABLE, or WIPING if its disks are to be erased. WIPING begins only after the machine was seen off.

use super::stage::{Stage, of_provisioner};
use super::{Act, Duty, Input, ManagedBy, PowerAct, Turn, power, wiping};
use crate::host::{Order, Power, State, StepName, Wanted};

const STATE: State = State::Releasing;

/// Returns the first turn of the order.
pub fn begin(input: &Input<'_>) -> Turn {
    ask(input).begin()
}

/// Decides what to do next.
pub fn decide(input: &Input<'_>) -> Turn {
    let order = match input.host.order() {
        Some(order) if matches!(order.act, Order::Release | Order::Wipe) => order,
        _ => return Turn::without_order(),
    };
    let Some(step) = input.host.current_step() else { return begin(input) };
    let force = super::boot::force_off(input, STATE);
    let off = || detach(input, order);
    match step.name {
        StepName::PowerOff => power::off_or_force(&ask(input), &force, order.force, step, off),
        StepName::ForceOff => force.follow(step, power::seen(input, step, Power::Off), off),
        StepName::Detach => {
            let stage = of_provisioner(input, STATE, StepName::Detach, Duty::Detach);
            stage.follow(step, stage.proof_of_word(step), || match order.act {
                Order::Wipe => wiping::begin(input),
                _ => Turn::Done { state: State::Available },
            })
        }
        _ => Turn::without_order(),
    }
}

/// Returns the turn after the machine was seen off.
pub fn detach(input: &Input<'_>, order: &Wanted) -> Turn {
    match (input.managed_by, order.act) {
        // Nothing is attached to a host without a provisioner.
        (ManagedBy::DriverAlone, Order::Release) => Turn::Done { state: State::Available },
        _ => of_provisioner(input, STATE, StepName::Detach, Duty::Detach).begin(),
    }
}

const fn ask<'a, 'b>(input: &'a Input<'b>) -> Stage<'a, 'b> {
    Stage { input, state: STATE, name: StepName::PowerOff, act: Act::Power(PowerAct::Off) }
}
