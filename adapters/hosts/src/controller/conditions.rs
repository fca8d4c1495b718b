//! The conditions that the controller writes.

use super::safety::Halt;
use crate::host::{Condition, Host, StepName};
use crate::machine::WRONG_MACHINE;

/// The types of conditions that the controller owns. It leaves all others as they are.
/// The server writes `NoController` too, for hosts whose leases nobody holds.
const OWN: [&str; 8] =
    ["NoController", "ObserveOnly", "Waiting", "ByHand", "Unreachable", "NotTakenOver", "Armed", WRONG_MACHINE];

/// The knowledge of the controller about a host, besides its state.
#[derive(Clone, Debug, Default)]
pub struct Known {
    /// The reason why this controller does not serve the host.
    pub unserved: Option<String>,
    /// The reason why nothing is done, if that is forbidden.
    pub halt: Option<Halt>,
    /// True if a person has to switch the machine.
    pub is_by_hand: bool,
    /// The reason why its BMC does not answer.
    pub unreachable: Option<String>,
    /// What another machine says that was found in the place of its machine.
    pub other_machine: Option<String>,
    /// The reason why its provisioner, which does not know it, cannot take it over.
    pub not_taken_over: Option<String>,
}

/// Returns all conditions of a host: those of others, and the own ones that hold now.
pub fn conditions(host: &Host, known: &Known) -> Vec<Condition> {
    let mut conditions: Vec<Condition> =
        host.conditions.iter().filter(|it| !OWN.contains(&it.r#type.as_str())).cloned().collect();
    let has_order = host.order().is_some();
    if let Some(reason) = known.unserved.as_ref().filter(|_| has_order || host.deleting) {
        conditions.push(holds("NoController", "NotServed", reason));
        return conditions;
    }
    if known.halt.is_some() && has_order {
        let message = "controllers may only observe; an admin resumes them with `underlay hosts resume`";
        conditions.push(holds("ObserveOnly", "ObserveOnly", message));
    }
    if host.in_maintenance && has_order && host.current_step().is_none() {
        conditions.push(holds("Waiting", "Maintenance", "the order begins when the maintenance ends"));
    }
    if let Some(what) = host.current_step().and_then(|step| by_hand(host, step.name)).filter(|_| known.is_by_hand) {
        conditions.push(holds("ByHand", "Manual", what));
    }
    if let Some(reason) = &known.unreachable {
        conditions.push(holds("Unreachable", "NoAnswer", reason));
    }
    if let Some(says) = &known.other_machine {
        conditions.push(holds(WRONG_MACHINE, "OtherMachine", says));
    }
    if host.failure.as_ref().is_some_and(|failure| failure.armed) {
        let message = "the machine may boot from the network the next time it is switched on, and nobody could take that \
                       back: order `underlay host boot local` for it";
        conditions.push(holds("Armed", "NotDisarmed", message));
    }
    if let Some(reason) = &known.not_taken_over {
        conditions.push(holds("NotTakenOver", "Provisioner", reason));
    }
    conditions
}

/// Returns the sentence that asks a person to do a step, if it is one that a person does.
fn by_hand(host: &Host, step: StepName) -> Option<&'static str> {
    match step {
        StepName::PowerOn if host.state.rests() => Some("switch it on"),
        StepName::PowerCycle if host.state.rests() => Some("switch it off and on"),
        StepName::BootNetwork | StepName::PowerOn => Some("switch it on, and have it boot from the network"),
        StepName::PowerCycle => Some("switch it off and on, and have it boot from the network"),
        StepName::BootLocal => Some("have it boot from its disk the next time"),
        StepName::PowerOff | StepName::ForceOff => Some("switch it off"),
        StepName::Register
        | StepName::Look
        | StepName::Prepare
        | StepName::Inspect
        | StepName::Install
        | StepName::Detach
        | StepName::Wipe => None,
    }
}

fn holds(r#type: &str, reason: &str, message: &str) -> Condition {
    Condition {
        r#type: r#type.to_owned(),
        status: "TRUE".to_owned(),
        reason: reason.to_owned(),
        message: Some(message.to_owned()),
        message_for_tenants: None,
    }
}
