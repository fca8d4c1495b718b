use super::*;
use crate::host::StepName as Name;

fn installing(name: &'static str) -> Case {
    case(name, State::Installing, Order::Install)
}

#[test]
fn installing_decides() {
    check(vec![
        (installing("no step yet"), "begin Installing prepare 1 Prepare"),
        (
            installing("a step of an earlier order")
                .at(Name::Install, 1)
                .with(|host| host.step.as_mut().unwrap().of = 6),
            "begin Installing prepare 1 Prepare",
        ),
        (case("no order", State::Installing, None), "fail Failed NoOrder"),
        (
            installing("prepared").at(Name::Prepare, 1).word(Name::Prepare, WordState::Done, 0),
            "begin Installing look 1 look",
        ),
        (
            installing("prepared for another order with this number")
                .at(Name::Prepare, 1)
                .word(Name::Prepare, WordState::Done, 0)
                .of_other_order(),
            "ask Prepare",
        ),
        (
            installing("prepared by the owner").managed_by(ManagedBy::ProvisionerAlone).at(Name::Prepare, 1).word(
                Name::Prepare,
                WordState::Done,
                0,
            ),
            "begin Installing look 1 look",
        ),
        (installing("cycled and answered").at(Name::PowerCycle, 1), "begin Installing install 1 Install"),
        (installing("cycled without an answer").at(Name::PowerCycle, 1).unanswered(), "wait 15 s"),
        (
            installing("cycled without an answer, nothing came").at(Name::PowerCycle, 5).unanswered(),
            "fail Failed Unanswered",
        ),
        (
            installing("cycled without an answer, the script was fetched")
                .at(Name::PowerCycle, 4)
                .unanswered()
                .script(1),
            "begin Installing install 1 Install",
        ),
        (installing("certainly not cycled").at(Name::PowerCycle, 4).not_made(), "again Cycle"),
        (installing("never reached").at(Name::PowerCycle, 5).not_made(), "fail Failed Unreachable"),
        (installing("another cycled, wait for evidence").at(Name::PowerCycle, 4).of_another(), "wait 15 s"),
        (
            installing("another cycled, the power shows nothing")
                .at(Name::PowerCycle, 4)
                .of_another()
                .power(Power::On, 0),
            "wait 15 s",
        ),
        (
            installing("another cycled, no evidence until the deadline").at(Name::PowerCycle, 5).of_another(),
            "begin Installing power-cycle 2 Cycle",
        ),
        (
            installing("another cycled, evidence came").at(Name::PowerCycle, 9).of_another().script(8),
            "begin Installing install 1 Install",
        ),
        (
            installing("three controllers gave up").at(Name::PowerCycle, 5).attempt(3).of_another(),
            "fail Failed TooManyAttempts",
        ),
        (installing("installing").at(Name::Install, 60).word(Name::Install, WordState::Working, 1), "ask Install"),
        (
            installing("another began, the provisioner works").at(Name::Install, 60).of_another().word(
                Name::Install,
                WordState::Working,
                1,
            ),
            "ask Install",
        ),
        (
            installing("installing too long").at(Name::Install, 70).word(Name::Install, WordState::Working, 1),
            "fail Failed TimedOut",
        ),
        (installing("installed").at(Name::Install, 60).word(Name::Install, WordState::Done, 1), "done Installed"),
        (
            installing("installed, and the deadline is over").at(Name::Install, 80).word(
                Name::Install,
                WordState::Done,
                1,
            ),
            "done Installed",
        ),
        (
            installing("failed").at(Name::Install, 60).word(Name::Install, WordState::Failed, 1),
            "fail Failed Provisioner",
        ),
        (
            installing("refused")
                .at(Name::Install, 1)
                .fate(Attempt::Refused { reason: "NoImage".into(), message: String::new() }),
            "fail Failed NoImage",
        ),
    ]);
}
