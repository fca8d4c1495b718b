//! The states in which a host waits for orders.

use super::{Input, ManagedBy, Turn, discovering, installing, look, power, releasing, stop};
use crate::host::{Order, Outcome, State, StepName};

/// Begins the order that is open, if it is one of the allowed ones. Power can be ordered in every resting state.
pub fn decide(input: &Input<'_>, allowed: &[Order]) -> Turn {
    let host = input.host;
    let Some(order) = host.order() else {
        let is_free = matches!(host.state, State::Registered | State::Available | State::Failed);
        return if host.deleting && is_free { Turn::Delete } else { Turn::Rest };
    };
    if order.act.is_of_power() && host.current_step().is_some_and(|step| step.name != StepName::Look) {
        return power::decide(input, order);
    }
    if let Some(refused) = stop::refused(input) {
        return refused;
    }
    if host.in_maintenance {
        return Turn::Rest;
    }
    match order.act {
        Order::PowerOn | Order::PowerOff | Order::PowerCycle | Order::BootLocal | Order::BootNetwork => {
            look::first(input, order, || power::decide(input, order))
        }
        act if !allowed.contains(&act) => {
            let message = format!("{act:?} cannot be done for a host that is {:?}; nothing was done", host.state);
            refuse(input, "WrongState", &message)
        }
        act if input.managed_by == ManagedBy::DriverAlone && act != Order::Release => {
            refuse(input, "NoProvisioner", "the host has no provisioner, so it can be powered only; set one")
        }
        Order::Discover => look::first(input, order, || discovering::begin(input)),
        Order::Install => look::first(input, order, || installing::begin(input)),
        Order::Release | Order::Wipe => look::first(input, order, || match look::may_run(input, order) {
            true => releasing::begin(input),
            false => releasing::detach(input, order),
        }),
    }
}

/// Returns true if the provisioner that owns the BMC does not know a host for which nothing else is to be done.
pub fn is_lost(input: &Input<'_>) -> bool {
    let is_unknown = input.managed_by == ManagedBy::ProvisionerAlone && input.evidence.is_unknown_to_provisioner;
    is_unknown && input.host.order().is_none() && !input.host.deleting
}

/// Refuses an order of which nothing was begun.
fn refuse(input: &Input<'_>, reason: &str, message: &str) -> Turn {
    Turn::Refuse {
        state: input.host.state,
        outcome: Outcome::Refused,
        reason: reason.to_owned(),
        message: message.to_owned(),
    }
}
