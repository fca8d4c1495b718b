use super::*;
use crate::host::StepName as Name;

fn registered(name: &'static str) -> Case {
    case(name, State::Registered, Order::Discover)
}

fn force(host: &mut Host) {
    host.wanted.as_mut().unwrap().covers_running = true;
}

#[test]
fn nobody_discovers_a_registered_machine_that_runs() {
    let refused = || Attempt::Refused { reason: "PowerRefused".into(), message: String::new() };
    check(vec![
        (registered("first"), "begin Registered look 1 look"),
        (registered("last seen off").with(|host| host.power = Power::Off), "begin Registered look 1 look"),
        (registered("seen off just now").power(Power::Off, 0), "begin Registered look 1 look"),
        (
            registered("with force, but not for it alone").with(|host| host.wanted.as_mut().unwrap().force = true),
            "begin Registered look 1 look",
        ),
        (registered("with force").with(force), "begin Registered look 1 look"),
        (registered("runs, with force").with(force).power(Power::On, 0), "begin Registered look 1 look"),
        (registered("by hand").by_hand(), "begin Discovering register 1 Register"),
        (registered("no power yet").at(Name::Look, 1), "wait 15 s"),
        (registered("it runs").at(Name::Look, 1).power(Power::On, 0), "refuse Registered MachineRuns"),
        (registered("it is off").at(Name::Look, 1).power(Power::Off, 0), "begin Discovering register 1 Register"),
        (registered("it was off before").at(Name::Look, 1).power(Power::Off, 2), "wait 15 s"),
        (registered("it was off a while ago").at(Name::Look, 9).power(Power::Off, 2), "refuse Registered PowerUnknown"),
        (registered("its BMC does not say").at(Name::Look, 1).power(Power::Unknown, 0), "wait 15 s"),
        (registered("its BMC never says").at(Name::Look, 2).power(Power::Unknown, 0), "refuse Registered PowerUnknown"),
        (registered("no answer").at(Name::Look, 1).not_made(), "again look"),
        (registered("never an answer").at(Name::Look, 2).not_made(), "refuse Registered Unreachable"),
        (registered("refused").at(Name::Look, 1).fate(refused()), "refuse Registered PowerRefused"),
        (registered("another looked").at(Name::Look, 1).of_another(), "wait 15 s"),
        (
            registered("another looked, and it was seen").at(Name::Look, 1).of_another().power(Power::On, 0),
            "refuse Registered MachineRuns",
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
        (acquired("never seen"), "begin Acquired look 1 look"),
        (acquired("seen off").with(seen(Power::Off)), "begin Acquired look 1 look"),
        (acquired("seen on, and acquired since").with(seen(Power::On)), "begin Acquired look 1 look"),
        (acquired("it runs").at(Name::Look, 1).power(Power::On, 0), "refuse Acquired MachineRuns"),
        (
            acquired("it runs, as was written meanwhile").at(Name::Look, 1).power(Power::On, 0).with(seen(Power::On)),
            "refuse Acquired MachineRuns",
        ),
        (acquired("it is off").at(Name::Look, 1).power(Power::Off, 0), "begin Installing prepare 1 Prepare"),
        (case("free, never seen", State::Available, Order::Discover), "begin Available look 1 look"),
        (case("free", State::Available, Order::Discover).with(seen(Power::Off)), "begin Available look 1 look"),
        (case("retried", State::Failed, Order::Discover), "begin Failed look 1 look"),
        (
            case("retried, it runs", State::Failed, Order::Install).at(Name::Look, 1).power(Power::On, 0),
            "refuse Failed MachineRuns",
        ),
        (
            case("retried before its disks were touched", State::Failed, Order::Install).with(failed(false)),
            "begin Failed look 1 look",
        ),
        (
            case("retried, and its disks are gone", State::Failed, Order::Install).with(failed(true)),
            "begin Failed look 1 look",
        ),
        (
            case("retried, its disks are gone, and it runs", State::Failed, Order::Install)
                .with(failed(true))
                .at(Name::Look, 1)
                .power(Power::On, 0),
            "begin Installing prepare 1 Prepare",
        ),
        (acquired("what its owner says is old").at(Name::Look, 1).cached(Power::Off, 0), "wait 15 s"),
    ]);
}

/// Fails a host in its installation, before or after the installer began.
fn failed(erased: bool) -> impl FnOnce(&mut Host) {
    move |host| {
        host.failure = Some(HostFailure {
            during: State::Installing,
            reason: "TimedOut".into(),
            message: String::new(),
            step: Some(Name::Install),
            before: Some(State::Acquired),
            erased,
            armed: false,
        });
    }
}

/// The look right before the boot: somebody can have switched the machine on while it was prepared.
#[test]
fn a_machine_that_was_switched_on_meanwhile_is_not_booted() {
    let given_in = |state| move |host: &mut Host| host.wanted.as_mut().unwrap().given_in = Some(state);
    let installing = |name| case(name, State::Installing, Order::Install).with(given_in(State::Acquired));
    let wiping = |name| case(name, State::Wiping, Order::Wipe).with(given_in(State::Installed));
    let alone = ManagedBy::ProvisionerAlone;
    let detached = |case: Case| case.at(Name::Detach, 1).word(Name::Detach, WordState::Done, 0);
    check(vec![
        (
            installing("prepared").at(Name::Prepare, 1).word(Name::Prepare, WordState::Done, 0),
            "begin Installing look 1 look",
        ),
        (
            installing("prepared, and covered").with(force).at(Name::Prepare, 1).word(
                Name::Prepare,
                WordState::Done,
                0,
            ),
            "begin Installing boot-network 1 network",
        ),
        (installing("off").at(Name::Look, 1).power(Power::Off, 0), "begin Installing boot-network 1 network"),
        (
            installing("off, and its owner boots it").managed_by(alone).at(Name::Look, 1).power(Power::Off, 0),
            "begin Installing install 1 Install",
        ),
        (installing("off, seen before the step").at(Name::Look, 1).power(Power::Off, 2), "wait 15 s"),
        (installing("on").at(Name::Look, 1).power(Power::On, 0), "begin Installing detach 1 Detach"),
        (installing("nobody can see").at(Name::Look, 2).power(Power::Unknown, 0), "begin Installing detach 1 Detach"),
        (detached(installing("on, and detached")).power(Power::On, 0), "refuse Acquired MachineRuns"),
        (detached(installing("not seen, and detached")).power(Power::Unknown, 0), "refuse Acquired PowerUnknown"),
        (
            detached(installing("on, and retried").with(given_in(State::Failed))).power(Power::On, 0),
            "refuse Failed MachineRuns",
        ),
        (
            detached(case("of an older server", State::Installing, Order::Install)).power(Power::On, 0),
            "refuse Failed MachineRuns",
        ),
        (
            detached(case("registered", State::Discovering, Order::Discover).with(given_in(State::Registered)))
                .power(Power::On, 0),
            "refuse Registered MachineRuns",
        ),
        (
            installing("boot is set, and it is on").at(Name::BootNetwork, 1).power(Power::On, 0),
            "begin Installing power-on 1 On",
        ),
        (
            installing("boot is set, it is on, and that is covered")
                .with(force)
                .at(Name::BootNetwork, 1)
                .power(Power::On, 0),
            "begin Installing power-cycle 1 Cycle",
        ),
        (wiping("prepared").at(Name::Prepare, 1).word(Name::Prepare, WordState::Done, 0), "begin Wiping look 1 look"),
        (
            wiping("prepared, with force").with(force).at(Name::Prepare, 1).word(Name::Prepare, WordState::Done, 0),
            "begin Wiping look 1 look",
        ),
        (wiping("off").at(Name::Look, 1).power(Power::Off, 0), "begin Wiping boot-network 1 network"),
        (wiping("on").at(Name::Look, 1).power(Power::On, 0), "fail Failed MachineRuns"),
        (
            wiping("boot is set, and it is on").at(Name::BootNetwork, 1).power(Power::On, 0),
            "begin Wiping power-on 1 On",
        ),
    ]);
}

#[test]
fn what_nobody_installed_is_not_switched_off_by_a_release() {
    let acquired = |name, act| case(name, State::Acquired, act);
    let (release, wipe) = (Order::Release, Order::Wipe);
    check(vec![
        (acquired("a look comes first", release), "begin Acquired look 1 look"),
        (acquired("it runs", release).at(Name::Look, 1).power(Power::On, 0), "refuse Acquired MachineRuns"),
        (acquired("it is off", release).at(Name::Look, 1).power(Power::Off, 0), "begin Releasing detach 1 Detach"),
        (
            acquired("it is off, without a provisioner", release)
                .managed_by(ManagedBy::DriverAlone)
                .at(Name::Look, 1)
                .power(Power::Off, 0),
            "done Available",
        ),
        (
            acquired("nobody can see", release).at(Name::Look, 2).power(Power::Unknown, 0),
            "refuse Acquired PowerUnknown",
        ),
        (
            acquired("it runs, with force", release).with(force).at(Name::Look, 1).power(Power::On, 0),
            "begin Releasing power-off 1 Off",
        ),
        (acquired("to be wiped", wipe), "begin Acquired look 1 look"),
        (acquired("to be wiped, off", wipe).at(Name::Look, 1).power(Power::Off, 0), "begin Releasing detach 1 Detach"),
        (
            acquired("to be wiped, it runs, with force", wipe).with(force).at(Name::Look, 1).power(Power::On, 0),
            "begin Releasing power-off 1 Off",
        ),
        (case("failed before it was installed", State::Failed, release), "begin Failed look 1 look"),
        (
            case("failed while it was installed", State::Failed, release)
                .with(|host| host.was_installed = true)
                .at(Name::Look, 1)
                .power(Power::On, 0),
            "begin Releasing power-off 1 Off",
        ),
        (case("installed", State::Installed, release), "begin Installed look 1 look"),
        (
            case("installed, it runs", State::Installed, release).at(Name::Look, 1).power(Power::On, 0),
            "begin Releasing power-off 1 Off",
        ),
        (
            case("installed, nobody can see", State::Installed, release).at(Name::Look, 1).power(Power::Unknown, 0),
            "begin Releasing power-off 1 Off",
        ),
        (
            case("installed, of an older server", State::Installed, release)
                .with(|host| host.was_installed = false)
                .at(Name::Look, 1)
                .power(Power::On, 0),
            "begin Releasing power-off 1 Off",
        ),
    ]);
}

#[test]
fn an_order_that_ends_touches_nothing_more() {
    let cancelled = |host: &mut Host| host.wanted.as_mut().unwrap().stop = Some(Outcome::Cancelled);
    let late = |host: &mut Host| host.wanted.as_mut().unwrap().until = Some(minutes_ago(1));
    let acquired = |host: &mut Host| host.wanted.as_mut().unwrap().given_in = Some(State::Acquired);
    let installing = |name| case(name, State::Installing, Order::Install).with(acquired);
    check(vec![
        (case("not begun", State::Acquired, Order::Install).with(cancelled), "refuse Acquired Cancelled"),
        (case("late", State::Acquired, Order::Install).with(late), "refuse Acquired Expired"),
        (
            case("late, in maintenance", State::Acquired, Order::Install)
                .with(late)
                .with(|it| it.in_maintenance = true),
            "refuse Acquired Expired",
        ),
        (case("looked at, and late", State::Installed, Order::Release).with(late), "refuse Installed Expired"),
        (
            installing("prepared, and cancelled").with(cancelled).at(Name::Look, 1).power(Power::Off, 0),
            "begin Installing detach 1 Detach",
        ),
        (
            installing("prepared, and late").with(late).at(Name::Look, 1).power(Power::Off, 0),
            "begin Installing detach 1 Detach",
        ),
        (
            installing("prepared, and covered, and cancelled").with(force).with(cancelled).at(Name::Prepare, 1).word(
                Name::Prepare,
                WordState::Done,
                0,
            ),
            "begin Installing detach 1 Detach",
        ),
        (
            installing("detached").with(cancelled).at(Name::Detach, 1).word(Name::Detach, WordState::Done, 0),
            "refuse Acquired Cancelled",
        ),
        (
            installing("detached, late").with(late).at(Name::Detach, 1).word(Name::Detach, WordState::Done, 0),
            "refuse Acquired Expired",
        ),
        (
            installing("never reached").with(cancelled).at(Name::BootNetwork, 1).not_made(),
            "begin Installing detach 1 Detach",
        ),
        (
            installing("boot is set").with(cancelled).at(Name::BootNetwork, 1).power(Power::Off, 0),
            "fail Failed Stopped",
        ),
        (
            installing("at work, late").with(late).at(Name::BootNetwork, 1).power(Power::Off, 0),
            "begin Installing power-on 1 On",
        ),
        (
            installing("at work, which goes on").with(cancelled).at(Name::Install, 1).word(
                Name::Install,
                WordState::Working,
                0,
            ),
            "ask Install",
        ),
        (
            installing("at work, which ends").with(cancelled).at(Name::Install, 9).word(
                Name::Install,
                WordState::Done,
                0,
            ),
            "done Installed",
        ),
        (case("cycle, late", State::Available, Order::PowerCycle).with(late), "refuse Available Expired"),
        (
            case("cycle, not made, and late", State::Available, Order::PowerCycle)
                .with(late)
                .at(Name::PowerCycle, 1)
                .not_made(),
            "refuse Available Expired",
        ),
        (
            case("cycle, ended", State::Available, Order::PowerCycle).with(late).at(Name::PowerCycle, 1),
            "done Available",
        ),
    ]);
}

/// Which machine it is decides about every order, whatever its power is, and whatever force it has.
#[test]
fn no_order_is_for_a_machine_that_nobody_knows() {
    let alone = |host: &mut Host| host.wanted.as_mut().unwrap().alone = true;
    let other = || Attempt::Refused { reason: "WrongMachine".into(), message: String::new() };
    let (learned, silent) = (Recognised::Learned, Recognised::Silent);
    let orders = [
        (State::Registered, Order::Discover, "begin Discovering register 1 Register"),
        (State::Acquired, Order::Install, "begin Installing prepare 1 Prepare"),
        (State::Acquired, Order::Release, "begin Releasing detach 1 Detach"),
        (State::Acquired, Order::Wipe, "begin Releasing detach 1 Detach"),
        (State::Installed, Order::Release, "begin Releasing power-off 1 Off"),
        (State::Available, Order::PowerOn, "begin Available power-on 1 On"),
        (State::Installed, Order::PowerOff, "begin Installed power-off 1 Off"),
        (State::Installed, Order::PowerCycle, "begin Installed power-cycle 1 Cycle"),
    ];
    for (state, act, begun) in orders {
        let off = || case("off", state, act).at(Name::Look, 1).power(Power::Off, 0);
        let refused = |reason: &str| format!("refuse {state:?} {reason}");
        check(vec![
            (case("first", state, act), format!("begin {state:?} look 1 look").as_str()),
            (off(), begun),
            (off().machine(learned), refused("FirstLook").as_str()),
            (off().machine(learned).with(force).with(alone), refused("FirstLook").as_str()),
            (off().machine(silent), refused("TellsNothing").as_str()),
            (off().machine(silent).with(force), refused("TellsNothing").as_str()),
            (off().machine(silent).with(alone), begun),
            (case("other", state, act).at(Name::Look, 1).fate(other()), refused("WrongMachine").as_str()),
            (case("other", state, act).with(force).at(Name::Look, 1).fate(other()), refused("WrongMachine").as_str()),
        ]);
    }
    let installing = |name| case(name, State::Installing, Order::Install).at(Name::Look, 1).power(Power::Off, 0);
    check(vec![
        (installing("silent since").machine(silent), "begin Installing detach 1 Detach"),
        (installing("silent, alone").machine(silent).with(alone), "begin Installing boot-network 1 network"),
        (
            case("nobody can see", State::Acquired, Order::Install)
                .with(alone)
                .at(Name::Look, 1)
                .power(Power::Unknown, 0)
                .machine(silent),
            "refuse Acquired PowerUnknown",
        ),
    ]);
}
