use super::*;
use crate::host::StepName as Name;

fn discovering(name: &'static str) -> Case {
    case(name, State::Discovering, Order::Discover)
}

#[test]
fn discovering_decides() {
    let alone = ManagedBy::ProvisionerAlone;
    let off = |name| discovering(name).at(Name::ForceOff, 1).power(Power::Off, 0);
    let given_in = |state| move |host: &mut Host| host.wanted.as_mut().unwrap().given_in = Some(state);
    let adopt = |host: &mut Host| host.wanted.as_mut().unwrap().adopt = true;
    let was = |before| {
        move |host: &mut Host| {
            let (reason, message) = (String::new(), String::new());
            let (during, before) = (State::Discovering, Some(before));
            host.failure =
                Some(HostFailure { during, reason, message, step: None, before, erased: false, armed: false });
        }
    };
    check(vec![
        (discovering("no step yet"), "begin Discovering register 1 Register"),
        (case("no order", State::Discovering, None), "fail Failed NoOrder"),
        (case("another order", State::Discovering, Order::Install), "fail Failed NoOrder"),
        (discovering("a person walks to it").by_hand().at(Name::PowerOn, 14), "wait 15 s"),
        (discovering("a person is asked to cycle it").by_hand().at(Name::PowerCycle, 14), "wait 15 s"),
        (
            discovering("it was cycled by hand").by_hand().at(Name::PowerCycle, 14).script(1),
            "begin Discovering inspect 1 Inspect",
        ),
        (discovering("nobody came").by_hand().at(Name::PowerOn, 15), "fail Failed NoEffect"),
        (
            discovering("it booted by hand").by_hand().at(Name::PowerOn, 14).script(1),
            "begin Discovering inspect 1 Inspect",
        ),
        (
            discovering("it reported and went off").by_hand().at(Name::Inspect, 2).word(
                Name::Inspect,
                WordState::Done,
                0,
            ),
            "done Registered",
        ),
        (discovering("registering").at(Name::Register, 1), "ask Register"),
        (
            discovering("registered").at(Name::Register, 1).word(Name::Register, WordState::Done, 0),
            "begin Discovering prepare 1 Prepare",
        ),
        (discovering("an older word").at(Name::Register, 1).word(Name::Register, WordState::Done, 2), "ask Register"),
        (
            discovering("prepared").at(Name::Prepare, 1).word(Name::Prepare, WordState::Done, 0),
            "begin Discovering look 1 look",
        ),
        (
            discovering("prepared by the owner").managed_by(alone).at(Name::Prepare, 1).word(
                Name::Prepare,
                WordState::Done,
                0,
            ),
            "begin Discovering look 1 look",
        ),
        (
            discovering("boot is set, the machine is off").at(Name::BootNetwork, 1).power(Power::Off, 5),
            "begin Discovering power-on 1 On",
        ),
        (
            discovering("boot is set, the machine is on").at(Name::BootNetwork, 1).power(Power::On, 5),
            "begin Discovering power-on 1 On",
        ),
        (discovering("boot is set by another").at(Name::BootNetwork, 1).of_another(), "wait 15 s"),
        (
            discovering("boot was set by another, who is gone").at(Name::BootNetwork, 2).of_another(),
            "begin Discovering boot-network 2 network",
        ),
        (discovering("switched on, not seen").at(Name::PowerOn, 1).power(Power::Off, 0), "wait 15 s"),
        (discovering("on before the step").at(Name::PowerOn, 1).power(Power::On, 2), "wait 15 s"),
        (discovering("seen on").at(Name::PowerOn, 1).power(Power::On, 0), "begin Discovering inspect 1 Inspect"),
        (discovering("stays off").at(Name::PowerOn, 5).power(Power::Off, 0), "fail Failed NoEffect"),
        (
            discovering("the script was fetched").at(Name::PowerCycle, 4).of_another().script(1),
            "begin Discovering inspect 1 Inspect",
        ),
        (discovering("inspecting").at(Name::Inspect, 5).word(Name::Inspect, WordState::Working, 1), "ask Inspect"),
        (
            discovering("inspected too long").at(Name::Inspect, 12).word(Name::Inspect, WordState::Working, 1),
            "fail Failed TimedOut",
        ),
        (discovering("facts came").at(Name::Inspect, 5).facts(1), "begin Discovering force-off 1 ForceOff"),
        (discovering("older facts").at(Name::Inspect, 5).facts(6), "ask Inspect"),
        (
            discovering("the owner is done").managed_by(alone).at(Name::Inspect, 5).word(
                Name::Inspect,
                WordState::Done,
                1,
            ),
            "done Registered",
        ),
        (
            discovering("the owner failed").managed_by(alone).at(Name::Inspect, 5).word(
                Name::Inspect,
                WordState::Failed,
                1,
            ),
            "fail Failed Provisioner",
        ),
        (off("nobody knows what it was"), "done Registered"),
        (off("it was REGISTERED").with(given_in(State::Registered)), "done Registered"),
        (off("it was free").with(given_in(State::Available)), "done Available"),
        (off("it was REGISTERED, and is adopted").with(given_in(State::Registered)).with(adopt), "done Available"),
        (off("it had failed before").with(given_in(State::Failed)), "done Registered"),
        (
            off("it had failed before, and was free").with(given_in(State::Failed)).with(was(State::Available)),
            "done Available",
        ),
        (
            off("it had failed before, and was REGISTERED").with(given_in(State::Failed)).with(was(State::Registered)),
            "done Registered",
        ),
        (discovering("a step of another state").at(Name::Wipe, 1), "fail Failed NoOrder"),
    ]);
}
