//! Histories of hosts at random: orders are given, refused, repeated, cancelled and left to expire, steps fail, and people
//! press the power buttons of machines. No order is less safe for what was before it.

use rand::rngs::SmallRng;
use rand::seq::IndexedRandom as _;
use rand::{Rng as _, SeedableRng as _};

use super::*;
use crate::host::{HostFailure, StepName as Name};
use crate::life::look::is_to_be_switched_off;

const HISTORIES: u64 = 5_000;
const ORDERS: usize = 8;
/// The number of turns within which every order ends.
const MAX_TURNS: usize = 60;

/// A host with its machine, as the graph and the world have it.
struct Life {
    host: Host,
    managed_by: ManagedBy,
    evidence: Evidence,
    attempt: Attempt,
    now: Time,
    /// The power of the machine.
    power: Power,
    /// True if somebody switched the machine on and uses it, whatever the graph says.
    is_used: bool,
    log: Vec<String>,
    wrong: Option<String>,
}

impl Life {
    fn new(random: &mut SmallRng) -> Self {
        let states = [State::Registered, State::Available, State::Acquired];
        let managed_by = *[ManagedBy::DriverAndProvisioner, ManagedBy::ProvisionerAlone].choose(random).unwrap();
        let mut host = case("any", *states.choose(random).unwrap(), None).host;
        host.power = *[Power::On, Power::Off, Power::Unknown].choose(random).unwrap();
        Self {
            host,
            managed_by,
            evidence: Evidence::default(),
            attempt: Attempt::Answered,
            now: now(),
            power: Power::Off,
            is_used: false,
            log: Vec::new(),
            wrong: None,
        }
    }

    /// Somebody presses the power button. Nobody uses a machine whose disks hold nothing.
    fn press(&mut self, random: &mut SmallRng) {
        let is_empty = self.host.failure.as_ref().is_some_and(|failure| failure.erased);
        // What was installed is switched off because its user gave it back.
        let is_given_back = self.host.order().is_some() && is_to_be_switched_off(&self.host);
        if !is_empty && !is_given_back && random.random_bool(0.2) {
            self.is_used = !self.is_used;
            self.power = if self.is_used { Power::On } else { Power::Off };
            self.log.push(format!("pressed: {:?}", self.power));
        }
    }

    fn order(&mut self, random: &mut SmallRng) {
        let acts: &[Order] = match self.host.state {
            State::Registered | State::Available => &[Order::Discover],
            State::Acquired => &[Order::Install, Order::Release, Order::Wipe],
            State::Failed if self.host.failure.as_ref().is_some_and(|it| it.during == State::Discovering) => {
                &[Order::Discover]
            }
            State::Failed => &[Order::Install, Order::Release, Order::Wipe],
            _ => &[Order::Release, Order::Wipe],
        };
        let act = *acts.choose(random).unwrap();
        self.host.generation += 1;
        let given_in = Some(self.host.state);
        let until = random.random_bool(0.1).then_some(self.now + TimeDelta::minutes(2));
        let adopt = random.random_bool(0.5);
        self.host.wanted = Some(Wanted { id: Some(Uuid::new_v4()), given_in, until, adopt, ..Wanted::of(act) });
        // What was installed is given back by its user.
        if self.host.was_installed && matches!(act, Order::Release | Order::Wipe) {
            self.is_used = false;
        }
        self.log.push(format!("{act:?} in {:?}", self.host.state));
    }

    /// Carries out the order. Returns false if it does not end.
    fn follow(&mut self, random: &mut SmallRng) -> bool {
        for _ in 0..MAX_TURNS {
            let Self { host, attempt, evidence, managed_by, now, .. } = &*self;
            let turn = decide(&Input {
                host,
                attempt,
                evidence,
                managed_by: *managed_by,
                is_by_hand: false,
                now: *now,
                deadline_minute: TimeDelta::minutes(1),
            });
            self.log.push(text_of(&turn));
            self.now += TimeDelta::seconds(random.random_range(1..20));
            match turn {
                Turn::Rest => return true,
                Turn::Wait(until) => self.now = until,
                Turn::Begin { state, step, attempt, act } => {
                    (self.host.state, self.attempt) = (state, Attempt::Answered);
                    self.host.step = Some(Step { attempt, name: step, of: self.host.generation, since: self.now });
                    self.host.was_installed &=
                        state != State::Wiping && (state, step) != (State::Releasing, Name::Detach);
                    self.now += TimeDelta::seconds(1);
                    self.act(act, random);
                }
                Turn::Again(act) => self.act(act, random),
                Turn::Ask(_) => self.answer(random),
                Turn::Done { state } => {
                    self.end(state);
                    self.host.failure = None;
                }
                Turn::Refuse { state, .. } => self.end(state),
                Turn::Fail { state, reason, message } => {
                    let (before, name) = (self.host.wanted.as_ref().unwrap().given_in, self.host.step.as_ref());
                    let erased = has_erased(&self.host, &self.evidence, self.managed_by);
                    if self.host.state != State::Failed {
                        let (during, step) = (self.host.state, name.map(|step| step.name));
                        self.host.failure =
                            Some(HostFailure { during, reason, message, step, before, erased, armed: false });
                    }
                    self.end(state);
                }
                Turn::TakeOver(_) | Turn::Delete => unreachable!("nothing of this is in these histories"),
            }
        }
        false
    }

    fn end(&mut self, state: State) {
        self.host.generation_done = self.host.generation;
        (self.host.state, self.host.step) = (state, None);
        match state {
            State::Registered | State::Available => self.host.was_installed = false,
            State::Installed => self.host.was_installed = true,
            _ => {}
        }
    }

    /// Makes an act, which can fail.
    fn act(&mut self, act: Act, random: &mut SmallRng) {
        if act == Act::Look || act == Act::Provision(Duty::Prepare) {
            // Whatever happens before the last look is seen by it.
            self.press(random);
        }
        let boots = matches!(act, Act::Provision(Duty::Inspect | Duty::Install | Duty::Deinstall))
            && self.managed_by == ManagedBy::ProvisionerAlone;
        let cuts = matches!(act, Act::Power(PowerAct::Off | PowerAct::ForceOff | PowerAct::Cycle)) || boots;
        if self.is_used && cuts {
            self.wrong = Some(format!("{} cuts the power of a machine in use", acts(act)));
        }
        if random.random_bool(0.1) {
            let reason = "no route".to_owned();
            self.attempt = Attempt::NotMade { reason };
            return;
        }
        self.attempt = Attempt::Answered;
        match act {
            Act::Look => {
                let power = if random.random_bool(0.1) { Power::Unknown } else { self.power };
                self.evidence.power = Some((power, self.now));
                let machine = if random.random_bool(0.05) { Recognised::Learned } else { Recognised::Known };
                self.evidence.look = Some(Look { at: self.now, power, machine });
            }
            Act::Power(PowerAct::On | PowerAct::Cycle) => self.sees(Power::On),
            Act::Power(PowerAct::Off | PowerAct::ForceOff) => self.sees(Power::Off),
            Act::BootNetwork | Act::BootLocal => {}
            Act::Provision(_) => self.answer(random),
        }
    }

    fn sees(&mut self, power: Power) {
        self.power = power;
        self.now += TimeDelta::seconds(1);
        self.evidence.power = Some((power, self.now));
    }

    /// The provisioner speaks.
    fn answer(&mut self, random: &mut SmallRng) {
        let Some(step) = self.host.step.clone() else { return };
        self.now += TimeDelta::seconds(1);
        if matches!(step.name, Name::Install | Name::Wipe) && !self.is_used {
            self.evidence.observed.script_fetched_at = Some(self.now);
        }
        let state = match random.random_range(0..10) {
            0 => WordState::Failed,
            1..3 => WordState::Working,
            // A machine that somebody uses does not boot what was prepared.
            _ if self.is_used && matches!(step.name, Name::Install | Name::Inspect | Name::Wipe) => WordState::Working,
            _ => WordState::Done,
        };
        if state == WordState::Working {
            self.now += TimeDelta::minutes(5);
        }
        let order = self.host.order_key();
        self.evidence.observed.word =
            Some(Word { step: step.name, of: order.number, order: order.id, state, sentence: None, at: self.now });
    }
}

#[test]
fn no_history_makes_an_order_cut_the_power_of_a_machine_in_use() {
    let (mut refused, mut installed, mut expired) = (0, 0, 0);
    for seed in 0..HISTORIES {
        let mut random = SmallRng::seed_from_u64(seed);
        let mut life = Life::new(&mut random);
        for _ in 0..ORDERS {
            life.press(&mut random);
            life.order(&mut random);
            let ends = life.follow(&mut random);
            assert!(ends, "seed {seed}: the order does not end: {:#?}", life.log);
            assert_eq!(life.wrong, None, "seed {seed}: {:#?}", life.log);
            installed += usize::from(life.host.state == State::Installed);
            if life.host.state == State::Available {
                life.host.state = State::Acquired;
            }
        }
        refused += life.log.iter().filter(|line| line.contains("MachineRuns")).count();
        expired += life.log.iter().filter(|line| line.contains("Expired")).count();
    }
    println!("{refused} orders refused, {expired} expired, {installed} times installed");
    assert!(refused > 1_000 && expired > 100 && installed > 1_000, "too few of each kind");
}
