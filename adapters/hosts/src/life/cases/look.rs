use super::*;
use crate::host::StepName as Name;

fn registered(name: &'static str) -> Case {
    case(name, State::Registered, Order::Discover)
}

fn force(host: &mut Host) {
    host.wanted.as_mut().unwrap().force = true;
}

#[test]
fn nobody_discovers_a_registered_machine_that_runs() {
    let refused = || Attempt::Refused { reason: "PowerRefused".into(), message: String::new() };
    check(vec![
        (registered("first"), "begin Registered register 1 Register"),
        (registered("last seen off").with(|host| host.power = Power::Off), "begin Registered register 1 Register"),
        (registered("seen off just now").power(Power::Off, 0), "begin Registered register 1 Register"),
        (registered("with force").with(force), "begin Discovering register 1 Register"),
        (registered("runs, with force").with(force).power(Power::On, 0), "begin Discovering register 1 Register"),
        (registered("by hand").by_hand(), "begin Discovering register 1 Register"),
        (registered("registering").at(Name::Register, 1), "ask Register"),
        (
            registered("not to be registered").at(Name::Register, 1).word(Name::Register, WordState::Failed, 0),
            "fail Registered Provisioner",
        ),
        (
            registered("known").at(Name::Register, 1).word(Name::Register, WordState::Done, 0),
            "begin Registered look 1 look",
        ),
        (registered("no power yet").at(Name::Look, 1), "wait 15 s"),
        (registered("it runs").at(Name::Look, 1).power(Power::On, 0), "fail Registered MachineRuns"),
        (registered("it is off").at(Name::Look, 1).power(Power::Off, 0), "begin Discovering register 1 Register"),
        (registered("it was off before").at(Name::Look, 1).power(Power::Off, 2), "wait 15 s"),
        (registered("it was off a while ago").at(Name::Look, 9).power(Power::Off, 2), "fail Registered PowerUnknown"),
        (registered("its BMC does not say").at(Name::Look, 1).power(Power::Unknown, 0), "wait 15 s"),
        (registered("its BMC never says").at(Name::Look, 2).power(Power::Unknown, 0), "fail Registered PowerUnknown"),
        (registered("no answer").at(Name::Look, 1).not_made(), "again look"),
        (registered("never an answer").at(Name::Look, 2).not_made(), "fail Registered Unreachable"),
        (registered("refused").at(Name::Look, 1).fate(refused()), "fail Registered PowerRefused"),
        (registered("another looked").at(Name::Look, 1).of_another(), "wait 15 s"),
        (
            registered("another looked, and it was seen").at(Name::Look, 1).of_another().power(Power::On, 0),
            "fail Registered MachineRuns",
        ),
        (registered("another looked long ago").at(Name::Look, 2).of_another(), "begin Registered look 2 look"),
        (
            registered("off, in maintenance")
                .at(Name::Look, 1)
                .power(Power::Off, 0)
                .with(|host| host.in_maintenance = true),
            "rest",
        ),
    ]);
}

#[test]
fn nobody_reboots_a_machine_that_was_never_seen() {
    let acquired = |name| case(name, State::Acquired, Order::Install);
    let seen = |power| move |host: &mut Host| host.power = power;
    check(vec![
        (acquired("never seen"), "begin Acquired register 1 Register"),
        (acquired("seen off").with(seen(Power::Off)), "begin Installing prepare 1 Prepare"),
        (acquired("seen on, and acquired since").with(seen(Power::On)), "begin Installing prepare 1 Prepare"),
        (acquired("it runs").at(Name::Look, 1).power(Power::On, 0), "fail Acquired MachineRuns"),
        (
            acquired("it runs, as was written meanwhile").at(Name::Look, 1).power(Power::On, 0).with(seen(Power::On)),
            "fail Acquired MachineRuns",
        ),
        (acquired("it is off").at(Name::Look, 1).power(Power::Off, 0), "begin Installing prepare 1 Prepare"),
        (case("free, never seen", State::Available, Order::Discover), "begin Available register 1 Register"),
        (
            case("free", State::Available, Order::Discover).with(seen(Power::Off)),
            "begin Discovering register 1 Register",
        ),
        (case("retried", State::Failed, Order::Discover), "begin Discovering register 1 Register"),
    ]);
}
