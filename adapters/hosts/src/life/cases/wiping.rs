use super::*;
use crate::host::StepName as Name;

fn wiping(name: &'static str) -> Case {
    case(name, State::Wiping, Order::Wipe)
}

#[test]
fn wiping_decides() {
    check(vec![
        (wiping("no step yet"), "begin Wiping prepare 1 Prepare"),
        (case("no order", State::Wiping, None), "fail Failed NoOrder"),
        (case("a release without a wipe", State::Wiping, Order::Release), "fail Failed NoOrder"),
        (wiping("prepared").at(Name::Prepare, 1).word(Name::Prepare, WordState::Done, 0), "begin Wiping look 1 look"),
        (wiping("off").at(Name::BootNetwork, 1).power(Power::Off, 5), "begin Wiping power-on 1 On"),
        (wiping("on").at(Name::PowerOn, 1).power(Power::On, 0), "begin Wiping wipe 1 Deinstall"),
        (wiping("wiping for hours").at(Name::Wipe, 217).word(Name::Wipe, WordState::Working, 1), "ask Deinstall"),
        (wiping("wiping too long").at(Name::Wipe, 218).word(Name::Wipe, WordState::Working, 1), "fail Failed TimedOut"),
        (wiping("wiped").at(Name::Wipe, 60).word(Name::Wipe, WordState::Done, 1), "begin Wiping force-off 1 ForceOff"),
        (wiping("wiped by hand").by_hand().at(Name::Wipe, 60).word(Name::Wipe, WordState::Done, 1), "done Available"),
        (wiping("failed").at(Name::Wipe, 60).word(Name::Wipe, WordState::Failed, 1), "fail Failed Provisioner"),
        (wiping("another switched off").at(Name::ForceOff, 1).of_another().power(Power::On, 0), "wait 15 s"),
        (
            wiping("another switched off, and it runs").at(Name::ForceOff, 5).of_another().power(Power::On, 0),
            "fail Failed Unanswered",
        ),
        (
            wiping("another switched off, and it is off").at(Name::ForceOff, 5).of_another().power(Power::Off, 0),
            "done Available",
        ),
        (wiping("switched off").at(Name::ForceOff, 1).power(Power::Off, 0), "done Available"),
    ]);
}
