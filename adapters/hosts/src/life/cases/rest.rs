use super::*;
use crate::host::StepName as Name;

#[test]
fn resting_states_decide() {
    use State as S;
    let expired = |host: &mut Host| host.wanted.as_mut().unwrap().until = Some(minutes_ago(1));
    let is_off = |host: &mut Host| host.power = Power::Off;
    let valid = |host: &mut Host| host.wanted.as_mut().unwrap().until = Some(now() + TimeDelta::minutes(1));
    check(vec![
        (case("registered", S::Registered, None), "rest"),
        (case("install", S::Registered, Order::Install), "refuse Registered WrongState"),
        (case("free", S::Available, None), "rest"),
        (case("discover again", S::Available, Order::Discover).with(is_off), "begin Available look 1 look"),
        (case("install before it is acquired", S::Available, Order::Install), "refuse Available WrongState"),
        (case("acquired", S::Acquired, None), "rest"),
        (case("install", S::Acquired, Order::Install).with(is_off), "begin Acquired look 1 look"),
        (case("give back", S::Acquired, Order::Release), "begin Acquired look 1 look"),
        (case("give back and wipe", S::Acquired, Order::Wipe), "begin Acquired look 1 look"),
        (case("in use", S::Installed, None), "rest"),
        (case("install again", S::Installed, Order::Install), "refuse Installed WrongState"),
        (case("release", S::Installed, Order::Release), "begin Installed look 1 look"),
        (case("failed", S::Failed, None), "rest"),
        (case("retry", S::Failed, Order::Install), "begin Failed look 1 look"),
        (case("retry", S::Failed, Order::Discover), "begin Failed look 1 look"),
        (case("retry", S::Failed, Order::Wipe), "begin Failed look 1 look"),
        (case("in maintenance", S::Acquired, Order::Install).with(|host| host.in_maintenance = true), "rest"),
        (case("too late", S::Acquired, Order::Install).with(expired), "refuse Acquired Expired"),
        (case("in time", S::Acquired, Order::Install).with(is_off).with(valid), "begin Acquired look 1 look"),
        (
            case("no provisioner", S::Acquired, Order::Install).managed_by(ManagedBy::DriverAlone),
            "refuse Acquired NoProvisioner",
        ),
        (
            case("release without a provisioner", S::Installed, Order::Release).managed_by(ManagedBy::DriverAlone),
            "begin Installed look 1 look",
        ),
        (
            case("wipe without a provisioner", S::Installed, Order::Wipe).managed_by(ManagedBy::DriverAlone),
            "refuse Installed NoProvisioner",
        ),
        (case("to be deleted", S::Available, None).with(|host| host.deleting = true), "delete"),
        (case("to be deleted in use", S::Installed, None).with(|host| host.deleting = true), "rest"),
    ]);
}

#[test]
fn power_is_changed_by_order_only_and_keeps_the_state() {
    use State as S;
    let cycle = |name| case(name, S::Installed, Order::PowerCycle);
    check(vec![
        (case("on", S::Available, Order::PowerOn).managed_by(ManagedBy::DriverAlone), "begin Available look 1 look"),
        (
            case("looked at", S::Available, Order::PowerOn)
                .managed_by(ManagedBy::DriverAlone)
                .at(Name::Look, 1)
                .power(Power::Off, 0),
            "begin Available power-on 1 On",
        ),
        (case("by hand", S::Available, Order::PowerOn).by_hand(), "begin Available power-on 1 On"),
        (case("seen on", S::Available, Order::PowerOn).at(Name::PowerOn, 1).power(Power::On, 0), "done Available"),
        (case("not on", S::Available, Order::PowerOn).at(Name::PowerOn, 5), "fail Available NoEffect"),
        (case("off", S::Installed, Order::PowerOff), "begin Installed look 1 look"),
        (case("still on", S::Installed, Order::PowerOff).at(Name::PowerOff, 5), "fail Installed StillOn"),
        (
            case("still on, with force", S::Installed, Order::PowerOff)
                .at(Name::PowerOff, 5)
                .with(|host| host.wanted.as_mut().unwrap().force = true),
            "begin Installed force-off 1 ForceOff",
        ),
        (cycle("cycle"), "begin Installed look 1 look"),
        (cycle("cycled").at(Name::PowerCycle, 1), "done Installed"),
        (cycle("certainly not cycled").at(Name::PowerCycle, 1).not_made(), "again Cycle"),
        (cycle("no answer").at(Name::PowerCycle, 1).unanswered(), "fail Installed Unanswered"),
        (cycle("another cycled").at(Name::PowerCycle, 1).of_another(), "fail Installed Unanswered"),
        (cycle("another cycled long ago").at(Name::PowerCycle, 100).of_another(), "fail Installed Unanswered"),
    ]);
}

#[test]
fn a_host_that_its_owner_lost_is_taken_over_and_never_deployed() {
    use State as S;
    let lost = |mut case: Case, managed_by| {
        case.evidence.is_unknown_to_provisioner = true;
        case.managed_by = managed_by;
        case
    };
    let owned = |case| lost(case, ManagedBy::ProvisionerAlone);
    let is_off = |host: &mut Host| host.power = Power::Off;
    check(vec![
        (owned(case("in use", S::Installed, None)), "take over Adopt"),
        (lost(case("in use", S::Installed, None), ManagedBy::DriverAndProvisioner), "rest"),
        (owned(case("free", S::Available, None)), "take over Register"),
        (owned(case("taken", S::Acquired, None)), "take over Register"),
        (owned(case("nobody vouches for it", S::Registered, None)), "rest"),
        (owned(case("failed", S::Failed, None)), "rest"),
        (owned(case("to be deleted", S::Available, None).with(|host| host.deleting = true)), "delete"),
        (owned(case("ordered", S::Acquired, Order::Install).with(is_off)), "begin Acquired look 1 look"),
        (owned(case("ordered", S::Installed, Order::Release)), "begin Installed look 1 look"),
    ]);
}
