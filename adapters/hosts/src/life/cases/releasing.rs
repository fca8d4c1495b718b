use super::*;
use crate::host::StepName as Name;

fn releasing(name: &'static str) -> Case {
    case(name, State::Releasing, Order::Release)
}

fn forced(name: &'static str) -> Case {
    releasing(name).with(|host| host.wanted.as_mut().unwrap().force = true)
}

#[test]
fn releasing_decides() {
    let refused = || Attempt::Refused { reason: "PowerRefused".into(), message: String::new() };
    check(vec![
        (releasing("no step yet"), "begin Releasing power-off 1 Off"),
        (case("no order", State::Releasing, None), "fail Failed NoOrder"),
        (case("another order", State::Releasing, Order::Install), "fail Failed NoOrder"),
        (releasing("shutting down").at(Name::PowerOff, 4).power(Power::On, 0), "wait 15 s"),
        (releasing("off before the step").at(Name::PowerOff, 1).power(Power::Off, 2), "wait 15 s"),
        (releasing("off").at(Name::PowerOff, 4).power(Power::Off, 0), "begin Releasing detach 1 Detach"),
        (
            releasing("off, without a provisioner")
                .at(Name::PowerOff, 4)
                .power(Power::Off, 0)
                .managed_by(ManagedBy::DriverAlone),
            "done Available",
        ),
        (releasing("does not shut down").at(Name::PowerOff, 5).power(Power::On, 0), "fail Failed StillOn"),
        (
            forced("does not shut down, with force").at(Name::PowerOff, 5).power(Power::On, 0),
            "begin Releasing force-off 1 ForceOff",
        ),
        (forced("is not forced before five minutes").at(Name::PowerOff, 4).power(Power::On, 0), "wait 15 s"),
        (releasing("refused").at(Name::PowerOff, 1).fate(refused()), "fail Failed PowerRefused"),
        (forced("refused, with force").at(Name::PowerOff, 1).fate(refused()), "begin Releasing force-off 1 ForceOff"),
        (forced("forced off").at(Name::ForceOff, 1).power(Power::Off, 0), "begin Releasing detach 1 Detach"),
        (forced("not even with force").at(Name::ForceOff, 2).power(Power::On, 0), "fail Failed NoEffect"),
        (releasing("detached").at(Name::Detach, 1).word(Name::Detach, WordState::Done, 0), "done Available"),
        (
            case("detached, to be wiped", State::Releasing, Order::Wipe).at(Name::Detach, 1).word(
                Name::Detach,
                WordState::Done,
                0,
            ),
            "begin Wiping prepare 1 Prepare",
        ),
        (releasing("another switched off").at(Name::PowerOff, 1).of_another(), "wait 15 s"),
        (releasing("another is gone").at(Name::PowerOff, 5).of_another(), "begin Releasing power-off 2 Off"),
    ]);
}
