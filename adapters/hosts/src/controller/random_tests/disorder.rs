//! Disorder around hosts and their database: a controller on a copy of the database, a replica that is behind, addresses that
//! are exchanged in the graph, machines that share what identifies them, orders that are cancelled, and boots that are armed.

use rand::Rng as _;
use rand::rngs::SmallRng;
use uuid::Uuid;

use super::{Process, Scene};
use crate::api::model::Model;
use crate::host::{Host, Order, Outcome, State, StepName};
use crate::machine::Identity;
use crate::simulated::{World, identity};

/// The number of ticks of trouble after which a controller has seen whether another one works.
const NOTICED_TICKS: u32 = 6;

/// The disorder that goes on, and how often there was some.
#[derive(Default)]
pub struct Disorder {
    copy: Option<Copied>,
    /// The number of ticks for which the replica stays behind.
    behind: u32,
    /// The hosts whose addresses were exchanged.
    exchanged: Vec<(Uuid, Uuid)>,
    pub copies: u32,
    pub lags: u32,
    pub exchanges: u32,
    pub cancelled: u32,
    pub armed: u32,
    pub wrong: Vec<String>,
}

/// A copy of the database, with a controller of its own.
struct Copied {
    model: Model,
    process: Process,
    age: u32,
    ends_at: u32,
}

/// Has some machines share what identifies them: every tenth pair has one UUID, and every other tenth pair one serial number,
/// as the nodes of a chassis have.
pub fn share_identities(world: &World, machines: usize) {
    for number in (0..machines.saturating_sub(1)).step_by(10) {
        let (one, other) = (number + 5, number + 6);
        let (first, second) = (identity(&format!("m{one}")), identity(&format!("m{other}")));
        let shared = match number % 20 {
            0 => Identity { uuid: first.uuid, ..second },
            _ => Identity { serial: first.serial, ..second },
        };
        world.say(&format!("m{other}"), shared);
    }
}

impl Scene {
    /// Makes disorder, or ends some. At the first tick there is a copy of the database and a replica that is behind.
    pub fn disorder(&mut self, random: &mut SmallRng) {
        self.copy_the_database(random);
        self.lag_behind(random);
        self.exchange_addresses(random);
        for host in self.model.all() {
            self.cancel(&host, random);
            self.arm(&host, random);
        }
    }

    /// Ends all disorder.
    pub fn tidy(&mut self) {
        if let Some(copied) = self.disorder.copy.take() {
            copied.process.task.abort();
        }
        self.disorder.behind = 0;
        self.model.read_from(None);
        for (one, other) in std::mem::take(&mut self.disorder.exchanged) {
            exchange(&self.model, one, other);
        }
    }

    /// Starts a controller on a copy of the database, as somebody does who tries something. It knows of no controller, the
    /// leases in the copy are never renewed, and the machines are those that are in use.
    fn copy_the_database(&mut self, random: &mut SmallRng) {
        match self.disorder.copy.take() {
            None if self.disorder.copies == 0 || random.random_bool(0.05) => {
                let model = self.model.copied(random.random());
                // What keeps a controller from acting must be seen on the copy itself.
                model.resume();
                let state = self.folder.path().join(format!("copy-{}.json", self.disorder.copies));
                let process = self.process(&model, state);
                self.disorder.copies += 1;
                let ends_at = random.random_range(1..2 * NOTICED_TICKS);
                self.disorder.copy = Some(Copied { model, process, age: 0, ends_at });
            }
            None => {}
            Some(copied) if copied.age == copied.ends_at => {
                copied.process.task.abort();
                if copied.age >= NOTICED_TICKS && copied.model.observe_only().is_empty() {
                    self.disorder.wrong.push("a controller acts on a copy of the database".to_owned());
                }
            }
            Some(copied) => self.disorder.copy = Some(Copied { age: copied.age + 1, ..copied }),
        }
    }

    /// Has everybody read from a replica that is behind for a while.
    fn lag_behind(&mut self, random: &mut SmallRng) {
        match self.disorder.behind {
            0 if self.disorder.lags == 0 || random.random_bool(0.05) => {
                self.disorder.behind = random.random_range(1..5);
                self.disorder.lags += 1;
                self.model.read_from(Some(self.model.backup()));
            }
            0 => {}
            1 => {
                self.disorder.behind = 0;
                self.model.read_from(None);
            }
            _ => self.disorder.behind -= 1,
        }
    }

    /// Exchanges the addresses of two hosts of which it is known which machines they are, or corrects it.
    fn exchange_addresses(&mut self, random: &mut SmallRng) {
        let exchanged = &mut self.disorder.exchanged;
        if !exchanged.is_empty() && random.random_bool(0.3) {
            let (one, other) = exchanged.swap_remove(0);
            return exchange(&self.model, one, other);
        }
        let is_exchanged = |id: Uuid| exchanged.iter().any(|(one, other)| *one == id || *other == id);
        let hosts = self.model.all().into_iter();
        let known: Vec<Host> =
            hosts.filter(|it| it.is_pinned() && it.order().is_none() && !is_exchanged(it.id)).collect();
        if known.len() < 2 || random.random_bool(0.5) {
            return;
        }
        let (one, other) = (random.random_range(0..known.len()), random.random_range(0..known.len()));
        if one != other {
            exchanged.push((known[one].id, known[other].id));
            self.disorder.exchanges += 1;
            exchange(&self.model, known[one].id, known[other].id);
        }
    }

    /// Cancels an order that has touched nothing.
    fn cancel(&mut self, host: &Host, random: &mut SmallRng) {
        if host.order().is_none() || !random.random_bool(0.01) {
            return;
        }
        let mut is_cancelled = false;
        self.model.edit(host.id, |host| {
            let touches = |step: StepName| !matches!(step, StepName::Register | StepName::Look | StepName::Prepare);
            let has_touched = host.current_step().is_some_and(|step| touches(step.name));
            if let Some(order) = host.wanted.as_mut().filter(|order| order.stop.is_none() && !has_touched) {
                order.stop = Some(Outcome::Cancelled);
                is_cancelled = true;
            }
        });
        self.disorder.cancelled += u32::from(is_cancelled);
    }

    /// Has a free machine boot from the network the next time, or from its disk again.
    fn arm(&mut self, host: &Host, random: &mut SmallRng) {
        let is_free = matches!(host.state, State::Registered | State::Available | State::Acquired);
        if is_free && host.order().is_none() && random.random_bool(0.02) {
            let act = if random.random_bool(0.5) { Order::BootNetwork } else { Order::BootLocal };
            self.disorder.armed += u32::from(self.model.order(host.id, act, false));
        }
    }
}

fn exchange(model: &Model, one: Uuid, other: Uuid) {
    let address = |id: Uuid| model.get(id).and_then(|host| host.bmc_url);
    let (of_one, of_other) = (address(one), address(other));
    model.edit(one, |host| host.bmc_url = of_other);
    model.edit(other, |host| host.bmc_url = of_one);
}
