//! RELEASING: the machine is asked to shut down, switched off with force where the order allows it, and detached. Then
//! the host is AVAILABLE, or WIPING if its disks are to be erased.

use super::stage::{Stage, of_provisioner};
use super::{Act, Duty, Input, ManagedBy, PowerAct, Turn, power, wiping};
use crate::host::{Order, Power, State, StepName};

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
    let detach = of_provisioner(input, STATE, StepName::Detach, Duty::Detach);
    // Nothing is attached to a host without a provisioner.
    let off = || match (input.managed_by, order.act) {
        (ManagedBy::DriverAlone, Order::Release) => Turn::Done { state: State::Available },
        _ => detach.begin(),
    };
    match step.name {
        StepName::PowerOff => power::off_or_force(&ask(input), &force, order.force, step, off),
        StepName::ForceOff => force.follow(step, power::seen(input, step, Power::Off), off),
        StepName::Detach => detach.follow(step, detach.proof_of_word(step), || match order.act {
            Order::Wipe => wiping::begin(input),
            _ => Turn::Done { state: State::Available },
        }),
        _ => Turn::without_order(),
    }
}

const fn ask<'a, 'b>(input: &'a Input<'b>) -> Stage<'a, 'b> {
    Stage { input, state: STATE, name: StepName::PowerOff, act: Act::Power(PowerAct::Off) }
}
