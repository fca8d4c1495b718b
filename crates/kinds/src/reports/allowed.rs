//! The changes that a controller may report, judged on the host as it is. A pure function, so that no controller can
//! take a host where no order leads.

use underlay_entity::host::{HostAct, HostState, Model, Wanted};

use super::input::HostChangeInput;
use super::invalid;
use crate::grammar::enum_name;
use crate::hosts::touches;
use underlay_error::Code;
use underlay_inventory::{Refusal, parse_id};

/// Checks a change of a host.
///
/// # Errors
/// Returns the reason why the change is refused.
pub fn check(host: &Model, change: &HostChangeInput, is_observe_only: bool) -> Result<(), Refusal> {
    let what = || format!("host {}", host.name);
    if change.based_on.0 != host.observed_version {
        let (expected, actual) = (change.based_on.0, host.observed_version);
        return Err(Refusal::StaleVersion { what: format!("the report of {}", what()), expected, actual });
    }
    let generation = change.generation.0;
    if generation != host.generation {
        let (expected, actual) = (generation, host.generation);
        return Err(Refusal::StaleVersion { what: format!("the order of {}", what()), expected, actual });
    }
    check_order(host, change)?;
    let done = change.generation_done.0;
    if done != host.generation_done && done != generation {
        let reason = format!("must be {} or {generation}, not {done}", host.generation_done);
        return Err(invalid("change.generationDone", reason));
    }
    let ends = done != host.generation_done;
    let goes_back = ends && open_wanted(host).is_some_and(|wanted| wanted.given_in == Some(change.state));
    if change.state != host.state && !goes_back && !leads_to(host, change.state) {
        let order = match open_order(host) {
            Some(act) => format!("its order is {}", enum_name(act)),
            None => "it has no open order".to_owned(),
        };
        let (from, to) = (enum_name(host.state), enum_name(change.state));
        let reason = format!("cannot become {to}: the host is {from}, and {order}");
        return Err(invalid("change.state", reason));
    }
    if change.ended.is_some() && !ends {
        return Err(invalid("change.ended", "is for a change that ends an order: set generationDone to generation"));
    }
    if change.state == HostState::Failed && change.failure.is_none() {
        return Err(invalid("change.failure", "must say why the host is FAILED"));
    }
    begins(host, change, is_observe_only)
}

/// Checks that the order with the reported number is the reported one. After a restore it can be another.
fn check_order(host: &Model, change: &HostChangeInput) -> Result<(), Refusal> {
    let Some(order) = &change.order else { return Ok(()) };
    let order = parse_id("change.order", order)?;
    if host.wanted.as_ref().and_then(|wanted| wanted.id) == Some(order) {
        return Ok(());
    }
    let Model { name, generation, .. } = host;
    let message = format!("the order {generation} of host {name} is another one than {order}: read the host again");
    Err(Refusal::Recorded { code: Code::StaleVersion, field: Some("change.order".to_owned()), message })
}

/// Checks the step, if it is another one than the host has.
fn begins(host: &Model, change: &HostChangeInput, is_observe_only: bool) -> Result<(), Refusal> {
    let Some(step) = &change.step else { return Ok(()) };
    let is_same = host
        .step
        .as_ref()
        .is_some_and(|old| (old.attempt, old.of.0, old.name.as_str()) == (step.attempt, step.of.0, step.name.as_str()));
    if is_same {
        return Ok(());
    }
    if is_observe_only {
        let message = "controllers may only observe: an admin lets them act again with `underlay hosts resume`";
        return Err(Refusal::Incompatible { field: "change.step".to_owned(), message: message.to_owned() });
    }
    if step.of.0 != host.generation || open_order(host).is_none() || change.generation_done.0 == host.generation {
        let reason = format!("is of the order {}, which is not open: a step begins for the open order", step.of.0);
        return Err(invalid("change.step", reason));
    }
    let is_stopped = open_wanted(host).is_some_and(|wanted| wanted.stop.is_some());
    if is_stopped && touches(change.state, &step.name) {
        let (expected, actual) = (change.based_on.0, host.version);
        return Err(Refusal::StaleVersion {
            what: format!("the order of host {}, which ends", host.name),
            expected,
            actual,
        });
    }
    Ok(())
}

/// Returns the act of the order of a host that is neither done nor failed.
pub fn open_order(host: &Model) -> Option<HostAct> {
    open_wanted(host).map(|wanted| wanted.act)
}

fn open_wanted(host: &Model) -> Option<&Wanted> {
    host.wanted.as_ref().filter(|_| host.generation > host.generation_done)
}

/// Returns true if the order of a host leads to a state.
fn leads_to(host: &Model, state: HostState) -> bool {
    use HostState::{Available, Discovering, Failed, Installed, Installing, Registered, Releasing, Wiping};
    match open_order(host) {
        Some(HostAct::Discover) => matches!(state, Discovering | Registered | Available | Failed),
        Some(HostAct::Install) => matches!(state, Installing | Installed | Failed),
        Some(HostAct::Release) => matches!(state, Releasing | Available | Failed),
        Some(HostAct::Wipe) => matches!(state, Releasing | Wiping | Available | Failed),
        Some(
            HostAct::PowerOn | HostAct::PowerOff | HostAct::PowerCycle | HostAct::BootLocal | HostAct::BootNetwork,
        ) => state == Failed,
        // A host that works for no order, as after an override, can only stop.
        None => state == Failed && is_working(host.state),
    }
}

fn is_working(state: HostState) -> bool {
    matches!(state, HostState::Discovering | HostState::Installing | HostState::Releasing | HostState::Wiping)
}
