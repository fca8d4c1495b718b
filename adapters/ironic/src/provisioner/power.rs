//! Power, as Ironic names and shows it.

use underlay_hosts::host::{Host, Power, State};
use underlay_hosts::life::PowerAct;
use underlay_hosts::provisioner::Sighting;

use super::decide::{At, POWER_ON};
use crate::client::{Node, States};

/// The power of a machine that is off.
const POWER_OFF: &str = "power off";
/// The seconds that a system has to shut down, which end before the step of the order does.
const SHUT_DOWN: u32 = 240;

/// Returns the target of Ironic for an act, and the seconds that it may take if they are limited.
pub const fn target(act: PowerAct) -> (&'static str, Option<u32>) {
    match act {
        PowerAct::On => (POWER_ON, None),
        PowerAct::Off => ("soft power off", Some(SHUT_DOWN)),
        PowerAct::ForceOff => (POWER_OFF, None),
        PowerAct::Cycle => ("rebooting", None),
    }
}

/// Returns the power. It is not known while it changes, and while Ironic does not look at it, as in maintenance.
pub fn power(node: &Node) -> Power {
    if node.maintenance || node.states.target_power.is_some() {
        return Power::Unknown;
    }
    match node.states.power.as_deref() {
        Some(POWER_ON) => Power::On,
        Some(POWER_OFF) => Power::Off,
        _ => Power::Unknown,
    }
}

/// Returns what a look at the node of a host shows.
pub fn sighting(host: &Host, node: Option<&Node>) -> Sighting {
    let is_known = node.is_some_and(|node| is_known(host.state, At::of(node)));
    Sighting { power: Some(node.map_or(Power::Unknown, power)), is_known, script_of: None }
}

/// Returns true if a node is what the state of its host needs: verified, and active for a host in use.
const fn is_known(state: State, at: At) -> bool {
    !matches!(
        (state, at),
        (_, At::Enroll)
            | (State::Installed, At::Verifying | At::Manageable | At::Available | At::Adopting | At::AdoptFailed)
    )
}

/// Returns the sentence of a change of power that failed, `None` if it did not.
pub fn failure(states: &States) -> Option<&str> {
    if states.target_power.is_some() { None } else { states.last_error.as_deref() }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn node(power: Option<&str>, target: Option<&str>) -> Node {
        let states =
            States { power: power.map(str::to_owned), target_power: target.map(str::to_owned), ..States::default() };
        Node { states, ..Node::default() }
    }

    #[test]
    fn power_is_known_only_where_ironic_looks_at_it_and_it_rests() {
        for (at, expected) in [
            (node(Some("power on"), None), Power::On),
            (node(Some("power off"), None), Power::Off),
            (node(Some("power on"), Some("power off")), Power::Unknown),
            (node(Some("error"), None), Power::Unknown),
            (node(None, None), Power::Unknown),
            (Node { maintenance: true, ..node(Some("power off"), None) }, Power::Unknown),
        ] {
            assert_eq!(power(&at), expected, "{:?}", at.states);
        }
        assert_eq!(target(PowerAct::Off), ("soft power off", Some(240)));
        assert_eq!(target(PowerAct::Cycle), ("rebooting", None));
    }

    #[test]
    fn a_host_in_use_is_known_only_as_an_active_node() {
        for (state, at, expected) in [
            (State::Available, At::Enroll, false),
            (State::Available, At::Manageable, true),
            (State::Available, At::Available, true),
            (State::Installed, At::Enroll, false),
            (State::Installed, At::Manageable, false),
            (State::Installed, At::Available, false),
            (State::Installed, At::AdoptFailed, false),
            (State::Installed, At::InUse, true),
            (State::Installed, At::Cleaning, true),
        ] {
            assert_eq!(is_known(state, at), expected, "{state:?} {at:?}");
        }
    }
}
