//! Tables of what each state decides.

mod discovering;
mod histories;
mod installing;
mod look;
mod releasing;
mod rest;
mod wiping;

use chrono::{DateTime, TimeDelta};
use uuid::Uuid;

use super::*;
use crate::host::{HostFailure, Order, Step, Wanted, Word};

/// One case: a host, what is known of it, and the turn that is expected.
pub struct Case {
    name: &'static str,
    host: Host,
    attempt: Attempt,
    evidence: Evidence,
    managed_by: ManagedBy,
    is_by_hand: bool,
}

/// Returns the time of all cases.
pub fn now() -> Time {
    DateTime::UNIX_EPOCH + TimeDelta::days(20_000)
}

/// Returns a time before now.
pub fn minutes_ago(minutes: i64) -> Time {
    now() - TimeDelta::minutes(minutes)
}

/// The id of the order of all cases.
const ORDER: Uuid = Uuid::from_u128(77);

/// Returns a host that is free and has no order.
pub fn free_host() -> Host {
    case("free", State::Available, None).host
}

/// Begins a case: a host in a state, with an order that is open.
pub fn case(name: &'static str, state: State, order: impl Into<Option<Order>>) -> Case {
    let wanted = order.into().map(|act| Wanted { id: Some(ORDER), ..Wanted::of(act) });
    let generation = 7;
    let host = Host {
        id: Uuid::nil(),
        name: "h".into(),
        observed_version: 3,
        bmc_url: Some("simulated://h".into()),
        bmc_credential: None,
        bmc_insecure: false,
        bmc_trusted_cas: None,
        uid: None,
        serial: None,
        seen_identity: None,
        look_asked: None,
        hardware_asked: None,
        ignored: std::sync::Arc::default(),
        is_pinned_by_nothing: false,
        boot_mac: None,
        boot_mode: None,
        root_device: None,
        provisioner: Some("simulated".into()),
        in_maintenance: false,
        deleting: false,
        generation_done: if wanted.is_some() { 6 } else { 7 },
        wanted,
        generation,
        state,
        power: Power::Unknown,
        step: None,
        conditions: Vec::new(),
        failure: None,
        was_installed: state == State::Installed,
        observed: Observed::default(),
        site: None,
        appliance: None,
        interval: None,
    };
    let (attempt, evidence) = (Attempt::Answered, Evidence::default());
    Case { name, host, attempt, evidence, managed_by: ManagedBy::DriverAndProvisioner, is_by_hand: false }
}

impl Case {
    /// The host is at this step since so many minutes.
    pub fn at(mut self, name: StepName, minutes: i64) -> Self {
        self.host.step = Some(Step { attempt: 1, name, of: 7, since: minutes_ago(minutes) });
        self
    }

    /// The step is this attempt.
    pub fn attempt(mut self, number: i32) -> Self {
        self.host.step.as_mut().unwrap().attempt = number;
        self
    }

    /// The act of the step had this fate.
    pub fn fate(mut self, attempt: Attempt) -> Self {
        self.attempt = attempt;
        self
    }

    /// Another controller began the step.
    pub fn of_another(self) -> Self {
        self.fate(Attempt::OfAnother)
    }

    /// The act got no answer.
    pub fn unanswered(self) -> Self {
        self.fate(Attempt::Unanswered { reason: "silence".into() })
    }

    /// The act was certainly not made.
    pub fn not_made(self) -> Self {
        self.fate(Attempt::NotMade { reason: "no route".into() })
    }

    /// A look at the machine showed that it is the right one, and its power, so many minutes ago.
    pub fn power(mut self, power: Power, minutes: i64) -> Self {
        let at = minutes_ago(minutes);
        self.evidence.look = Some(Look { at, power, machine: Recognised::Known });
        self.cached(power, minutes)
    }

    /// The provisioner said so of the power, so many minutes ago.
    pub fn cached(mut self, power: Power, minutes: i64) -> Self {
        self.evidence.power = Some((power, minutes_ago(minutes)));
        self
    }

    /// The look recognised the machine in this way.
    pub fn machine(mut self, machine: Recognised) -> Self {
        self.evidence.look.as_mut().unwrap().machine = machine;
        self
    }

    /// The machine fetched its script so many minutes ago.
    pub fn script(mut self, minutes: i64) -> Self {
        self.evidence.observed.script_fetched_at = Some(minutes_ago(minutes));
        self
    }

    /// Facts came so many minutes ago.
    pub fn facts(mut self, minutes: i64) -> Self {
        self.evidence.observed.facts_at = Some(minutes_ago(minutes));
        self
    }

    /// The provisioner reported this about a step so many minutes ago.
    pub fn word(mut self, step: StepName, state: WordState, minutes: i64) -> Self {
        let sentence = Some("a sentence".into());
        self.evidence.observed.word =
            Some(Word { step, of: 7, order: Some(ORDER), state, sentence, at: minutes_ago(minutes) });
        self
    }

    /// The provisioner reported it about another order with the same number, as one of before a restore.
    pub fn of_other_order(mut self) -> Self {
        self.evidence.observed.word.as_mut().unwrap().order = Some(Uuid::from_u128(78));
        self
    }

    /// The machine is worked on in this way.
    pub fn managed_by(mut self, managed_by: ManagedBy) -> Self {
        self.managed_by = managed_by;
        self
    }

    /// A person switches the machine.
    pub fn by_hand(mut self) -> Self {
        self.is_by_hand = true;
        self
    }

    /// Changes the host.
    pub fn with(mut self, change: impl FnOnce(&mut Host)) -> Self {
        change(&mut self.host);
        self
    }

    fn decide(&self) -> Turn {
        let Self { host, attempt, evidence, managed_by, is_by_hand, .. } = self;
        let deadline_minute = TimeDelta::minutes(1);
        decide(&Input {
            host,
            attempt,
            evidence,
            managed_by: *managed_by,
            is_by_hand: *is_by_hand,
            now: now(),
            deadline_minute,
        })
    }
}

/// Checks a table.
pub fn check(table: Vec<(Case, &str)>) {
    let mut wrong = Vec::new();
    for (case, expected) in table {
        let found = text_of(&case.decide());
        if found != expected {
            wrong.push(format!("{}: {found}, expected {expected}", case.name));
        }
    }
    assert!(wrong.is_empty(), "{wrong:#?}");
}

/// Returns a turn as the tables write it.
fn text_of(turn: &Turn) -> String {
    match turn {
        Turn::Rest => "rest".to_owned(),
        Turn::Wait(until) => format!("wait {} s", (*until - now()).num_seconds()),
        Turn::Begin { state, step, attempt, act } => {
            format!("begin {state:?} {} {attempt} {}", step.text(), acts(*act))
        }
        Turn::Again(act) => format!("again {}", acts(*act)),
        Turn::Ask(duty) => format!("ask {duty:?}"),
        Turn::Done { state } => format!("done {state:?}"),
        Turn::Refuse { state, outcome: Outcome::Refused, reason, .. } => format!("refuse {state:?} {reason}"),
        Turn::Refuse { state, outcome, .. } => format!("refuse {state:?} {outcome:?}"),
        Turn::Fail { state, reason, .. } => format!("fail {state:?} {reason}"),
        Turn::TakeOver(duty) => format!("take over {duty:?}"),
        Turn::Delete => "delete".to_owned(),
    }
}

fn acts(act: Act) -> String {
    match act {
        Act::Power(act) => format!("{act:?}"),
        Act::BootNetwork => "network".to_owned(),
        Act::BootLocal => "local".to_owned(),
        Act::Look => "look".to_owned(),
        Act::Provision(duty) => format!("{duty:?}"),
    }
}

#[test]
fn the_deadlines_of_a_state_are_those_of_the_page() {
    use StepName as Name;
    for (state, steps, minutes) in [
        (
            State::Discovering,
            vec![
                Name::Register,
                Name::Prepare,
                Name::Look,
                Name::BootNetwork,
                Name::PowerCycle,
                Name::Inspect,
                Name::ForceOff,
            ],
            30,
        ),
        (State::Installing, vec![Name::Prepare, Name::Look, Name::BootNetwork, Name::PowerCycle, Name::Install], 90),
        (State::Releasing, vec![Name::PowerOff, Name::ForceOff, Name::Detach], 10),
        (
            State::Wiping,
            vec![Name::Prepare, Name::Look, Name::BootNetwork, Name::PowerOn, Name::Wipe, Name::ForceOff],
            240,
        ),
    ] {
        let total: i32 = steps.iter().map(|step| deadline_of(state, *step)).sum();
        assert_eq!(total, minutes, "{state:?}");
    }
    assert_eq!(deadline_of(State::Releasing, Name::PowerOff), 5, "a graceful shutdown");
}

#[test]
fn steps_are_stored_by_their_names() {
    for step in StepName::ALL {
        assert_eq!(serde_json::to_value(step).unwrap(), step.text());
    }
}

/// Every state, order, step, fate and evidence: what no combination may decide.
#[test]
fn no_combination_touches_a_machine_without_an_order_or_repeats_what_is_unknown() {
    use State as S;
    let states = [
        S::Registered,
        S::Discovering,
        S::Available,
        S::Acquired,
        S::Installing,
        S::Installed,
        S::Releasing,
        S::Wiping,
        S::Failed,
    ];
    let orders = [
        None,
        Some(Order::Install),
        Some(Order::Release),
        Some(Order::Wipe),
        Some(Order::Discover),
        Some(Order::PowerOn),
        Some(Order::PowerOff),
        Some(Order::PowerCycle),
        Some(Order::BootLocal),
        Some(Order::BootNetwork),
    ];
    let ways = [ManagedBy::DriverAndProvisioner, ManagedBy::ProvisionerAlone, ManagedBy::DriverAlone];
    let mut steps: Vec<Option<StepName>> = StepName::ALL.into_iter().map(Some).collect();
    steps.push(None);
    for state in states {
        for order in orders {
            for step in &steps {
                for minutes in [1, 1_000] {
                    for managed_by in ways {
                        let new = || {
                            let case = case("any", state, order).managed_by(managed_by);
                            step.map_or_else(
                                || case.host.clone(),
                                |it| {
                                    let step = Step { attempt: 1, name: it, of: 7, since: minutes_ago(minutes) };
                                    Host { step: Some(step), ..case.host.clone() }
                                },
                            )
                        };
                        let with = |attempt| {
                            let host = new();
                            Case { host, attempt, ..case("any", state, order).managed_by(managed_by) }.decide()
                        };
                        let touches = |turn: &Turn| match turn {
                            Turn::Begin { act, .. } | Turn::Again(act) => act.touches_machine(),
                            _ => false,
                        };
                        let what = format!("{state:?} {order:?} {step:?} {minutes} {managed_by:?}");
                        for attempt in [Attempt::OfAnother, Attempt::Answered] {
                            let turn = with(attempt);
                            assert!(order.is_some() || !touches(&turn), "{what}: {turn:?}");
                            if managed_by == ManagedBy::ProvisionerAlone {
                                let boots = matches!(turn, Turn::Begin { act: Act::BootNetwork, .. });
                                assert!(!boots || *step == Some(StepName::BootNetwork), "{what}: {turn:?}");
                            }
                        }
                        // An act that got no answer is never made again.
                        let turn = with(Attempt::Unanswered { reason: "silence".into() });
                        if let (Turn::Begin { step: next, .. }, Some(step)) = (&turn, step) {
                            let is_same = next == step && order.is_some() && new().current_step().is_some();
                            let continues = is_same && turn_is_repeat(&turn);
                            assert!(!continues, "{what}: {turn:?}");
                        }
                        assert!(!matches!(turn, Turn::Again(_)), "{what}: {turn:?}");
                    }
                }
            }
        }
    }
}

fn turn_is_repeat(turn: &Turn) -> bool {
    matches!(turn, Turn::Begin { attempt, .. } if *attempt > 1)
}
