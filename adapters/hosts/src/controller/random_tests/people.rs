//! The people who use the hosts: they order, and they know what they use, whatever the graph says. Some press the power
//! buttons of machines that they need, and some confuse cables, and tell nobody.

use std::collections::{BTreeMap, BTreeSet, HashMap};
use std::sync::{Arc, Mutex, MutexGuard};

use rand::Rng as _;
use rand::rngs::SmallRng;
use uuid::Uuid;

use crate::api::model::Model;
use crate::host::{Host, Order, Power, State, StepName};
use crate::life::PowerAct;
use crate::simulated::World;

/// The truth about the hosts, which no restore takes back.
#[derive(Clone)]
pub struct People {
    pub model: Model,
    truth: Arc<Mutex<Truth>>,
}

#[derive(Default)]
struct Truth {
    hosts: HashMap<String, Uuid>,
    held: BTreeSet<Uuid>,
    in_use: BTreeSet<Uuid>,
    /// The machines that somebody switched on by their buttons, and uses.
    pressed: BTreeSet<Uuid>,
    presses: u32,
    /// The machines whose addresses lead to others.
    confused: BTreeSet<String>,
    confusions: u32,
    install_orders: BTreeMap<Uuid, u32>,
    wipe_orders: BTreeMap<Uuid, u32>,
    cycles: BTreeMap<(Uuid, usize), u32>,
    power_orders: BTreeMap<Uuid, usize>,
    installed: u32,
    wrong: Vec<String>,
    /// True while acts can come late that were ordered before a restore.
    is_restoring: bool,
}

impl People {
    /// Returns people who watch every change of power in a world.
    pub fn new(model: &Model, world: &World) -> Self {
        let people = Self { model: model.clone(), truth: Arc::default() };
        let watch = people.clone();
        world.audit(move |machine, act| watch.watch(machine, act));
        people
    }

    /// Notes a host and its machine.
    pub fn know(&self, machine: &str, host: Uuid, is_in_use: bool) {
        let mut truth = self.truth();
        truth.hosts.insert(machine.to_owned(), host);
        if is_in_use {
            truth.held.insert(host);
            truth.in_use.insert(host);
        }
    }

    /// Checks that a change of power is allowed.
    fn watch(&self, machine: &str, act: PowerAct) {
        let mut truth = self.truth();
        let Some(&id) = truth.hosts.get(machine) else { return };
        let Some(host) = self.model.get(id) else { return };
        let order = host.order().map(|order| order.act);
        let what = || format!("{machine} {act:?} in {:?} for {order:?} at {:?}", host.state, host.step);
        // To switch on what runs does nothing to it.
        let cuts = act != PowerAct::On;
        if truth.in_use.contains(&id) || cuts && truth.pressed.contains(&id) {
            truth.wrong.push(format!("in use: {}", what()));
        } else if order.is_none() && !truth.is_restoring {
            truth.wrong.push(format!("without an order: {}", what()));
        }
        if order == Some(Order::PowerCycle) && act == PowerAct::Cycle {
            let number = truth.power_orders.get(&id).copied().unwrap_or_default();
            let cycles = truth.cycles.entry((id, number)).or_default();
            *cycles += 1;
            if *cycles > 1 {
                truth.wrong.push(format!("cycled twice by one order: {}", what()));
            }
        }
    }

    /// Does something with some of the hosts and their machines.
    pub fn act(&self, world: &World, random: &mut SmallRng) {
        let hosts = self.model.all();
        for host in &hosts {
            if random.random_bool(0.02) {
                self.press(world, host);
            }
            // A cable that is moved between the look and the act is what nobody can see.
            if host.order().is_none() && random.random_bool(0.05) {
                self.move_cable(world, &host.name, &hosts[random.random_range(0..hosts.len())].name);
            }
            if host.order().is_none() && random.random_bool(0.3) {
                self.act_on(host, random);
            }
        }
    }

    /// Has the address of a machine lead to another one, or to its own again.
    fn move_cable(&self, world: &World, machine: &str, other: &str) {
        let mut truth = self.truth();
        if truth.confused.remove(machine) {
            world.lead(machine, machine);
        } else {
            truth.confusions += 1;
            truth.confused.insert(machine.to_owned());
            world.lead(machine, other);
        }
    }

    /// Has all addresses lead to their own machines.
    pub fn tidy_cables(&self, world: &World) {
        for machine in std::mem::take(&mut self.truth().confused) {
            world.lead(&machine, &machine);
        }
    }

    /// Presses the power button of a machine that is off, or that was switched on so.
    fn press(&self, world: &World, host: &Host) {
        let mut truth = self.truth();
        let is_erased = host.failure.as_ref().is_some_and(|failure| failure.erased);
        // An order at work has the machine: what runs then is what the order booted.
        let is_at_work = host
            .current_step()
            .is_some_and(|step| !matches!(step.name, StepName::Register | StepName::Look | StepName::Prepare));
        let is_covered = is_at_work || host.order().is_some_and(|order| order.covers_running);
        if truth.pressed.remove(&host.id) {
            world.press(&host.name, Power::Off);
            return;
        }
        let is_known = is_erased || is_covered || host.was_installed || truth.in_use.contains(&host.id);
        if !is_known && world.power_of(&host.name) == Power::Off && world.press(&host.name, Power::On) {
            truth.pressed.insert(host.id);
            truth.presses += 1;
        }
    }

    fn act_on(&self, host: &Host, random: &mut SmallRng) {
        let id = host.id;
        let is_held = self.truth().held.contains(&id);
        match host.state {
            State::Registered => self.order(id, Order::Discover, false),
            State::Available if random.random_bool(0.5) => self.acquire(id),
            State::Acquired if random.random_bool(0.1) => self.release(id, random),
            State::Acquired => self.order(id, Order::Install, false),
            State::Installed => self.use_or_release(id, random),
            State::Failed if !is_held => self.order(id, Order::Discover, false),
            State::Failed if random.random_bool(0.5) => self.release(id, random),
            State::Failed => self.order(id, Order::Install, false),
            _ => {}
        }
    }

    fn acquire(&self, id: Uuid) {
        if self.model.acquire(id) && !self.truth().held.insert(id) {
            self.truth().wrong.push(format!("held by two: {id}"));
        }
    }

    fn use_or_release(&self, id: Uuid, random: &mut SmallRng) {
        let is_new = {
            let mut truth = self.truth();
            truth.held.insert(id);
            truth.in_use.insert(id)
        };
        if is_new {
            self.truth().installed += 1;
        } else if random.random_bool(0.1) {
            self.truth().in_use.remove(&id);
            self.order(id, Order::PowerCycle, false);
        } else if random.random_bool(0.2) {
            self.release(id, random);
        }
    }

    fn release(&self, id: Uuid, random: &mut SmallRng) {
        {
            let mut truth = self.truth();
            truth.in_use.remove(&id);
            truth.held.remove(&id);
        }
        let act = if random.random_bool(0.5) { Order::Wipe } else { Order::Release };
        let is_pressed = self.truth().pressed.contains(&id);
        self.order(id, act, !is_pressed && random.random_bool(0.5));
    }

    fn order(&self, id: Uuid, act: Order, force: bool) {
        {
            let mut truth = self.truth();
            match act {
                Order::Install => *truth.install_orders.entry(id).or_default() += 1,
                Order::Wipe => *truth.wipe_orders.entry(id).or_default() += 1,
                Order::PowerCycle => *truth.power_orders.entry(id).or_default() += 1,
                _ => {}
            }
        }
        self.model.order(id, act, force);
    }

    /// Notes that a restore begins or has settled.
    pub fn set_restoring(&self, is_restoring: bool) {
        self.truth().is_restoring = is_restoring;
    }

    /// Corrects the graph by what people know, as an admin does before controllers act again.
    pub fn correct(&self) {
        for host in self.model.all() {
            let truth = self.truth();
            let (is_held, is_in_use) = (truth.held.contains(&host.id), truth.in_use.contains(&host.id));
            let is_pressed = truth.pressed.contains(&host.id);
            drop(truth);
            // An order can have been done before the restore; nobody knows, so it ends.
            let state = match (is_in_use, is_held, host.state) {
                (true, _, _) => State::Installed,
                (false, true, _) if is_pressed => State::Acquired,
                (false, false, _) if is_pressed => State::Registered,
                (false, true, State::Available | State::Discovering | State::Registered) => State::Acquired,
                (false, true, state @ (State::Acquired | State::Failed)) => state,
                (false, true, _) | (false, false, _) if host.order().is_some() => State::Failed,
                (false, _, state) => state,
            };
            self.model.edit(host.id, |host| {
                (host.state, host.step, host.generation_done) = (state, None, host.generation);
                // What is on its disks is what the graph said, and that was wrong.
                host.was_installed = false;
            });
            if state == State::Failed && host.failure.is_none() {
                self.model.edit(host.id, |host| host.failure = Some(corrected(state)));
            }
        }
    }

    /// Returns what went wrong, with the final checks.
    pub fn wrong(&self, world: &World) -> Vec<String> {
        let truth = self.truth();
        let mut wrong = truth.wrong.clone();
        for (machine, id) in &truth.hosts {
            let counts = world.counts(machine);
            let installs = truth.install_orders.get(id).copied().unwrap_or_default();
            let wipes = truth.wipe_orders.get(id).copied().unwrap_or_default();
            if counts.installs > installs || counts.wipes > wipes {
                wrong.push(format!("{machine}: {counts:?} for {installs} orders to install and {wipes} to wipe"));
            }
        }
        for host in self.model.all() {
            let rests = matches!(
                host.state,
                State::Registered | State::Available | State::Acquired | State::Installed | State::Failed
            );
            let has_reason = host.failure.is_some() || host.state != State::Failed;
            if !rests || host.order().is_some() || !has_reason {
                let (state, step, wanted) = (host.state, &host.step, &host.wanted);
                wrong.push(format!("stuck: {} {state:?} {step:?} {wanted:?} {:?}", host.name, host.failure));
            }
        }
        wrong
    }

    /// Returns the number of times that somebody switched a machine on by its button.
    pub fn presses(&self) -> u32 {
        self.truth().presses
    }

    /// Returns the number of times that somebody had an address lead to another machine.
    pub fn confusions(&self) -> u32 {
        self.truth().confusions
    }

    /// Returns the number of times that a host came into use.
    pub fn installed(&self) -> u32 {
        self.truth().installed
    }

    fn truth(&self) -> MutexGuard<'_, Truth> {
        self.truth.lock().unwrap()
    }
}

fn corrected(during: State) -> crate::host::HostFailure {
    let message = "an admin stopped the order after a restore".to_owned();
    crate::host::HostFailure {
        during,
        reason: "Corrected".to_owned(),
        message,
        step: None,
        before: None,
        erased: false,
        armed: false,
    }
}
