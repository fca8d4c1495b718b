//! Ends orders that begin nothing more: those that a person cancelled, those that controllers could not work on for a time,
//! and those that were not begun in the time for which they were valid.

use super::stage::take_back;
use super::{Act, Duty, Input, Turn};
use crate::host::{Host, Outcome, State, StepName};

/// Returns the turn, unless it would touch the machine for an order that begins nothing more.
pub fn checked(input: &Input<'_>, turn: Turn) -> Turn {
    let host = input.host;
    let (state, act, has_touched) = match &turn {
        Turn::Begin { state, act, .. } => (*state, *act, has_touched(host)),
        // The act of the step was certainly not made.
        Turn::Again(act) => (host.state, *act, had_touched_before(host)),
        _ => return turn,
    };
    if !touches(state, act) {
        return turn;
    }
    let Some(refused) = refusal(input, has_touched) else { return turn };
    if has_touched {
        return Turn::Fail {
            state: if host.state.rests() { host.state } else { State::Failed },
            reason: "Stopped".to_owned(),
            message: "the order was ended after it had touched the machine; look at the machine, then order again"
                .to_owned(),
        };
    }
    match host.current_step().map(|step| step.name) {
        // Nothing of what was prepared is to be booted later.
        Some(name) if name != StepName::Register && is_prepared(host.state) => take_back(input, host.state).begin(),
        _ => refused,
    }
}

/// Returns the refusal of an order that begins nothing more and has touched nothing; `None` if it goes on.
pub fn refused(input: &Input<'_>) -> Option<Turn> {
    refusal(input, has_touched(input.host))
}

fn refusal(input: &Input<'_>, has_touched: bool) -> Option<Turn> {
    let order = input.host.order()?;
    let is_late = order.until.is_some_and(|until| until < input.now) && !has_touched;
    let outcome = order.stop.or(is_late.then_some(Outcome::Expired))?;
    let (reason, message) = match outcome {
        Outcome::Cancelled => ("Cancelled", "the order was cancelled before it touched the machine"),
        Outcome::Expired => ("Expired", "the order was not begun in the time for which it was valid; order again"),
        Outcome::Refused | Outcome::Failed => ("Stopped", "the order was ended before it touched the machine"),
    };
    let state = input.host.state_before();
    Some(Turn::Refuse { state, outcome, reason: reason.to_owned(), message: message.to_owned() })
}

/// Returns true if an act in a state touches a machine. To take back what was prepared touches nothing.
const fn touches(state: State, act: Act) -> bool {
    match act {
        Act::Look | Act::Provision(Duty::Register | Duty::Adopt | Duty::Prepare) => false,
        Act::Provision(Duty::Detach) => !is_prepared(state),
        Act::Power(_) | Act::BootNetwork | Act::BootLocal | Act::Provision(_) => true,
    }
}

/// Returns true if the order of a host began a step that touches the machine.
fn has_touched(host: &Host) -> bool {
    host.current_step().is_some_and(|step| match step.name {
        StepName::Register | StepName::Look | StepName::Prepare => false,
        StepName::Detach => !is_prepared(host.state),
        _ => true,
    })
}

/// Returns true if the order of a host began a step that touches the machine before its present one.
fn had_touched_before(host: &Host) -> bool {
    host.current_step().is_some_and(|step| match (host.state, step.name) {
        (State::Discovering | State::Installing, StepName::BootNetwork) => false,
        (State::Releasing, StepName::PowerOff) => false,
        (state, StepName::PowerOn | StepName::PowerOff | StepName::PowerCycle | StepName::BootLocal) => !state.rests(),
        (state, StepName::BootNetwork) => !state.rests(),
        _ => has_touched(host),
    })
}

/// Returns true if a host in a state is prepared before its machine is touched.
const fn is_prepared(state: State) -> bool {
    matches!(state, State::Discovering | State::Installing)
}
