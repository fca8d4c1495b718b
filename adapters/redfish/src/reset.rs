//! The reset that changes the power of a system, of those that the system allows.

use underlay_hosts::life::PowerAct;

use crate::system::PowerState;

/// The call for a change of power.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Reset {
    /// The system is as it should be already.
    Nothing,
    /// A reset of this type (`Resource.ResetType` in DSP0268).
    Type(String),
    /// The system allows none of those that would do it.
    NotOffered(&'static [&'static str]),
}

/// Chooses the reset for a change of power. `allowed` are the types that the system allows, if it says so.
///
/// `PushPowerButton` is never chosen: it does the opposite if the power changed meanwhile.
pub fn choose(act: PowerAct, state: PowerState, allowed: Option<&[String]>) -> Reset {
    let wanted: &[&str] = match (act, state) {
        (PowerAct::On, PowerState::On | PowerState::PoweringOn)
        | (PowerAct::Off, PowerState::Off | PowerState::PoweringOff)
        | (PowerAct::ForceOff, PowerState::Off) => return Reset::Nothing,
        (PowerAct::On, _) | (PowerAct::Cycle, PowerState::Off) => &["On", "ForceOn"],
        (PowerAct::Off, _) => &["GracefulShutdown"],
        (PowerAct::ForceOff, _) => &["ForceOff"],
        (PowerAct::Cycle, _) => &["ForceRestart", "PowerCycle"],
    };
    let Some(allowed) = allowed.filter(|allowed| !allowed.is_empty()) else {
        // Every BMC has the first ones, also if it does not say so.
        return wanted.first().map_or(Reset::NotOffered(wanted), |it| Reset::Type((*it).to_owned()));
    };
    // The type is sent as the BMC writes it.
    let find = |wanted: &&str| allowed.iter().find(|allowed| allowed.eq_ignore_ascii_case(wanted)).cloned();
    wanted.iter().find_map(find).map_or(Reset::NotOffered(wanted), Reset::Type)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_change_of_power_has_the_first_reset_that_is_allowed() {
        let (all, old) = ("On ForceOff GracefulShutdown ForceRestart PowerCycle PushPowerButton Nmi", "On ForceOff");
        for (act, state, allowed, expected) in [
            (PowerAct::On, PowerState::Off, all, "On"),
            (PowerAct::On, PowerState::Unknown, all, "On"),
            (PowerAct::On, PowerState::PoweringOff, all, "On"),
            (PowerAct::On, PowerState::On, all, "nothing"),
            (PowerAct::On, PowerState::PoweringOn, all, "nothing"),
            (PowerAct::On, PowerState::Off, "ForceOn", "ForceOn"),
            (PowerAct::On, PowerState::Off, "PushPowerButton", "none"),
            (PowerAct::On, PowerState::Off, "ON", "ON"),
            (PowerAct::On, PowerState::Off, "", "On"),
            (PowerAct::Off, PowerState::On, all, "GracefulShutdown"),
            (PowerAct::Off, PowerState::Unknown, all, "GracefulShutdown"),
            (PowerAct::Off, PowerState::Off, all, "nothing"),
            (PowerAct::Off, PowerState::PoweringOff, all, "nothing"),
            (PowerAct::Off, PowerState::On, old, "none"),
            (PowerAct::ForceOff, PowerState::On, old, "ForceOff"),
            (PowerAct::ForceOff, PowerState::PoweringOff, old, "ForceOff"),
            (PowerAct::ForceOff, PowerState::Off, old, "nothing"),
            (PowerAct::Cycle, PowerState::On, all, "ForceRestart"),
            (PowerAct::Cycle, PowerState::On, "On PowerCycle", "PowerCycle"),
            (PowerAct::Cycle, PowerState::Off, all, "On"),
            (PowerAct::Cycle, PowerState::On, old, "none"),
            (PowerAct::Cycle, PowerState::Unknown, "", "ForceRestart"),
        ] {
            let list: Vec<String> = allowed.split_whitespace().map(str::to_owned).collect();
            let found = match choose(act, state, Some(&list)) {
                Reset::Nothing => "nothing".to_owned(),
                Reset::Type(name) => name,
                Reset::NotOffered(_) => "none".to_owned(),
            };
            assert_eq!(found, expected, "{act:?} {state:?} {allowed}");
        }
        assert_eq!(choose(PowerAct::ForceOff, PowerState::On, None), Reset::Type("ForceOff".to_owned()));
    }
}
