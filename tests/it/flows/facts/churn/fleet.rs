//! The truth: machines whose parts die, move and have doubles, and the events that all of this makes.

use std::collections::BTreeMap;

use rand::rngs::StdRng;
use rand::seq::SliceRandom as _;
use rand::{Rng as _, SeedableRng as _};
use serde_json::{Value, json};

/// The slots for memory modules in a machine, of which each has as many modules in the beginning.
const SLOTS: usize = 6;
const MODULES: usize = 4;
/// The number of disks of a machine.
const DISKS: usize = 3;
/// One of this many modules moves, is taken out or is replaced in a round.
const MODULES_PER_CHANGE: usize = 12;
/// One of this many machines gets a module that has the serial number of another one.
const MACHINES_PER_DOUBLE: usize = 40;
/// One of this many machines has a token that another machine uses too.
const MACHINES_PER_COPY: usize = 50;
/// The length of the text that makes a large report, in bytes.
const LARGE: usize = 300_000;

/// All machines.
pub(super) struct Fleet {
    pub random: StdRng,
    pub machines: Vec<Machine>,
    /// The modules that are in no machine, each with the machine that it was in last.
    store: Vec<(String, usize)>,
    /// The serial numbers that two machines have: the machine that had it first, and the other one.
    doubles: BTreeMap<String, (usize, usize)>,
    /// The number of modules that were made so far.
    made: usize,
    /// The events that have happened so far, by hosts, in order.
    pub expected: Events,
    /// The removals that may be told as well, by hosts: a module that moves is gone from its old machine before the new
    /// one shows it, if the old one reports twice before the new one does.
    pub allowed: BTreeMap<String, Vec<String>>,
}

/// The events of each host, in order: those of its modules, and all others.
pub(super) type Events = BTreeMap<String, [Vec<String>; 2]>;

/// The places of modules before a round.
struct Before {
    /// The modules of each machine, by slots.
    modules: Vec<BTreeMap<usize, String>>,
    /// The machines that have each module.
    holders: BTreeMap<String, Vec<usize>>,
    /// The modules in store, each with the machine that it was in last.
    store: BTreeMap<String, usize>,
    doubles: BTreeMap<String, (usize, usize)>,
}

/// The way in which an agent confirms that modules are gone.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Confirmation {
    /// By a report with other facts, which lacks them too.
    ByReport,
    /// By the message that its facts are unchanged, in some cases.
    ByHeartbeat,
}

/// The hardware of one machine.
#[derive(Clone, Debug)]
pub(super) struct Machine {
    number: usize,
    /// The serial numbers of modules, by slots.
    modules: BTreeMap<usize, String>,
    disks: Vec<Disk>,
    carrier: bool,
    carrier_changes: u64,
    version: u32,
    /// A number that says nothing of hardware, so that reports of the same hardware are different facts.
    pub note: u64,
    is_large: bool,
}

#[derive(Clone, Debug)]
struct Disk {
    generation: u32,
    fails: bool,
}

/// A report that an agent is to send until it is accepted.
#[derive(Clone, Debug)]
pub(super) struct Said {
    pub note: u64,
    pub body: Value,
}

/// The name of a host.
pub(super) fn name(number: usize) -> String {
    format!("h{number:05}")
}

impl Fleet {
    pub fn new(seed: u64, count: usize) -> Self {
        let machine = |number| Machine {
            number,
            modules: (0..MODULES).map(|slot| (slot, format!("M-{number}-{slot}"))).collect(),
            disks: vec![Disk { generation: 0, fails: false }; DISKS],
            carrier: true,
            carrier_changes: 1,
            version: 0,
            note: 0,
            is_large: false,
        };
        Self {
            random: StdRng::seed_from_u64(seed),
            machines: (0..count).map(machine).collect(),
            store: Vec::new(),
            doubles: BTreeMap::new(),
            made: 0,
            expected: Events::new(),
            allowed: BTreeMap::new(),
        }
    }

    /// Returns the first reports of all machines, which make no events.
    pub fn first_reports(&mut self) -> Vec<Vec<Said>> {
        self.machines.iter_mut().map(|machine| vec![machine.say()]).collect()
    }

    /// Lets some modules change their places and some machines have troubles. Returns what each agent then says, in
    /// order. Modules do not change their places until all of it is accepted.
    pub fn next_reports(&mut self, confirmation: Confirmation) -> Vec<Vec<Said>> {
        let before = Before {
            modules: self.machines.iter().map(|machine| machine.modules.clone()).collect(),
            holders: self.holders(),
            store: self.store.iter().cloned().collect(),
            doubles: self.doubles.clone(),
        };
        self.resolve_doubles();
        self.move_modules(&before);
        self.make_doubles(&before);

        let now = self.holders();
        for number in 0..self.machines.len() {
            self.expect_modules(number, &before, &now);
        }
        (0..self.machines.len()).map(|number| self.reports_of(number, &before.modules[number], confirmation)).collect()
    }

    /// Returns the modules of all machines, as serial numbers with slots, in order. Of one that another machine has too it
    /// is not known where it is.
    pub fn places(&self) -> BTreeMap<String, Vec<(String, Option<String>)>> {
        let place = |(slot, serial): (&usize, &String)| {
            let is_clear = !self.doubles.contains_key(serial);
            (serial.clone(), is_clear.then(|| slot_name(*slot)))
        };
        let of = |machine: &Machine| {
            let mut places: Vec<_> = machine.modules.iter().map(place).collect();
            places.sort();
            places
        };
        self.machines.iter().map(|machine| (machine.name(), of(machine))).collect()
    }

    fn holders(&self) -> BTreeMap<String, Vec<usize>> {
        let mut holders: BTreeMap<String, Vec<usize>> = BTreeMap::new();
        for machine in &self.machines {
            for serial in machine.modules.values() {
                holders.entry(serial.clone()).or_default().push(machine.number);
            }
        }
        holders
    }

    /// Lets one of the two modules of a serial number go, in some cases.
    fn resolve_doubles(&mut self) {
        for (serial, (first, second)) in self.doubles.clone() {
            if self.random.random_bool(0.5) {
                let gone = if self.random.random_bool(0.5) { first } else { second };
                self.machines[gone].modules.retain(|_, module| *module != serial);
                self.doubles.remove(&serial);
            }
        }
    }

    /// Takes modules out, and puts these, others of the store and new ones into free slots. No module changes its slot
    /// within a machine.
    fn move_modules(&mut self, before: &Before) {
        let all =
            self.machines.iter().flat_map(|it| it.modules.iter().map(move |(slot, serial)| (it.number, *slot, serial)));
        let single = all.filter(|(.., serial)| !before.doubles.contains_key(*serial));
        let mut free: Vec<(usize, usize)> = single.map(|(number, slot, _)| (number, slot)).collect();
        free.shuffle(&mut self.random);
        free.truncate(free.len() / MODULES_PER_CHANGE);
        for (number, slot) in &free {
            let module = self.machines[*number].modules.remove(slot);
            self.store.extend(module.map(|module| (module, *number)));
        }

        let fresh = free.len() / 4;
        self.store.extend((self.made..self.made + fresh).map(|number| (format!("N-{number}"), usize::MAX)));
        self.made += fresh;
        self.store.shuffle(&mut self.random);
        for _ in 0..free.len() {
            free.push((self.random.random_range(0..self.machines.len()), self.random.random_range(0..SLOTS)));
        }
        free.shuffle(&mut self.random);
        for (number, slot) in free {
            let is_free = !self.machines[number].modules.contains_key(&slot);
            let fits = |(serial, last): &(String, usize)| *last != number || before.store.contains_key(serial);
            let is_filled = is_free && self.random.random_bool(0.7);
            if let (true, Some(at)) = (is_filled, self.store.iter().position(fits)) {
                let (module, _) = self.store.swap_remove(at);
                self.machines[number].modules.insert(slot, module);
            }
        }
    }

    /// Puts modules into free slots whose serial numbers other machines have.
    fn make_doubles(&mut self, before: &Before) {
        for _ in 0..self.machines.len().div_ceil(MACHINES_PER_DOUBLE) {
            let two = rand::seq::index::sample(&mut self.random, self.machines.len(), 2);
            let (first, second) = (two.index(0), two.index(1));
            let is_free = |serial: &String| !before.doubles.contains_key(serial) && !self.doubles.contains_key(serial);
            let stays = |(slot, serial): &(&usize, &String)| before.modules[first].get(slot) == Some(serial);
            let serial =
                self.machines[first].modules.iter().filter(stays).map(|(_, serial)| serial).find(|it| is_free(it));
            let slot = (0..SLOTS).find(|slot| !self.machines[second].modules.contains_key(slot));
            if let (Some(serial), Some(slot)) = (serial.cloned(), slot) {
                self.machines[second].modules.insert(slot, serial.clone());
                self.doubles.insert(serial, (first, second));
            }
        }
    }

    /// Notes the events of the modules of a machine: what came into its slots, and what left them.
    fn expect_modules(&mut self, number: usize, before: &Before, now: &BTreeMap<String, Vec<usize>>) {
        let (was, is) = (&before.modules[number], self.machines[number].modules.clone());
        for slot in 0..SLOTS {
            let (gone, came) = (was.get(&slot), is.get(&slot));
            if gone == came {
                continue;
            }
            match (gone, came) {
                (Some(gone), Some(came)) => self.expect_of_module(number, format!("REPLACED {gone} {came}")),
                (Some(gone), None) if has_left(number, gone, before, now) => {
                    self.allowed.entry(name(number)).or_default().push(format!("MEMORY REMOVED {gone}"));
                }
                (Some(gone), None) => self.expect_of_module(number, format!("REMOVED {gone}")),
                (None, _) => {}
            }
            if let Some(came) = came {
                self.expect_arrival(number, came, gone.is_some(), before);
            }
            // The other one of two modules is taken for the one that is gone.
            if let Some((gone, (first, second))) = gone.and_then(|gone| Some((gone, *before.doubles.get(gone)?)))
                && first == number
            {
                self.expect_of_module(second, format!("MOVED {gone} from {}", name(first)));
            }
        }
    }

    /// Notes the event of a module that came to a machine, besides that it `replaces` another one. Of one that another
    /// machine still has nothing is told.
    fn expect_arrival(&mut self, number: usize, came: &str, replaces: bool, before: &Before) {
        match self.origin(number, came, before) {
            Some(from) => self.expect_of_module(number, format!("MOVED {came} from {}", name(from))),
            None if !replaces && !self.doubles.contains_key(came) => {
                self.expect_of_module(number, format!("ADDED {came}"));
            }
            None => {}
        }
    }

    /// Returns the other machine in which a module was last that came to a machine, unless it is still there.
    fn origin(&self, number: usize, serial: &str, before: &Before) -> Option<usize> {
        if self.doubles.contains_key(serial) {
            return None;
        }
        let held = before.holders.get(serial).and_then(|machines| machines.first());
        held.or_else(|| before.store.get(serial)).copied().filter(|last| *last != number && *last != usize::MAX)
    }

    fn expect_of_module(&mut self, number: usize, event: String) {
        self.expected.entry(name(number)).or_default()[0].push(format!("MEMORY {event}"));
    }

    fn expect(&mut self, number: usize, event: String) {
        self.expected.entry(name(number)).or_default()[1].push(event);
    }

    /// Returns what the agent of a machine says in a round, after some troubles of the machine.
    fn reports_of(&mut self, number: usize, before: &BTreeMap<usize, String>, confirmation: Confirmation) -> Vec<Said> {
        let mut said = Vec::new();
        let is_in_place = self.machines[number].modules == *before;
        self.machines[number].is_large = self.random.random_bool(0.03);
        if self.random.random_bool(0.25) {
            said.push(self.say_a_part(number, before));
        }
        if self.random.random_bool(0.2) {
            said.push(self.flap(number));
        }
        if self.random.random_bool(0.15) {
            said.push(self.wear(number));
        }
        if number.is_multiple_of(MACHINES_PER_COPY) && self.random.random_bool(0.5) {
            said.push(self.say_as_copy(number));
        }
        said.push(self.machines[number].say());
        if confirmation == Confirmation::ByReport || self.random.random_bool(0.5) {
            said.push(self.machines[number].say());
        }
        if is_in_place && self.random.random_bool(0.05) {
            self.machines[number].version += 1;
            said.push(self.machines[number].say());
        }
        said
    }

    /// Returns a report that could not read all of the memory: it lacks modules that did not change.
    fn say_a_part(&mut self, number: usize, before: &BTreeMap<usize, String>) -> Said {
        let mut machine = self.machines[number].clone();
        let random = &mut self.random;
        machine.modules.retain(|slot, serial| before.get(slot) != Some(serial) || random.random_bool(0.5));
        let mut said = machine.say();
        said.body["memory"]["complete"] = json!(false);
        self.machines[number].note = machine.note;
        said
    }

    /// Lets the link of a machine go or come, or go and come again.
    fn flap(&mut self, number: usize) -> Said {
        let changes = self.random.random_range(1..=2);
        let machine = &mut self.machines[number];
        machine.carrier_changes += changes;
        machine.carrier ^= changes == 1;
        let (said, is_up) = (machine.say(), machine.carrier);
        self.expect(number, format!("INTERFACE {}", if is_up { "LINK_UP" } else { "LINK_DOWN" }));
        said
    }

    /// Lets a disk of a machine expect to fail, or puts another one into its place if it does already.
    fn wear(&mut self, number: usize) -> Said {
        let at = self.random.random_range(1..DISKS);
        let machine = &mut self.machines[number];
        let before = machine.disk(at);
        let event = if machine.disks[at].fails {
            machine.disks[at] = Disk { generation: machine.disks[at].generation + 1, fails: false };
            format!("DISK REPLACED {before} {}", machine.disk(at))
        } else {
            machine.disks[at].fails = true;
            format!("DISK FAILING d{at}")
        };
        let said = machine.say();
        self.expect(number, event);
        said
    }

    /// Returns what another machine says with a copied token: it has another disk, and its memory cannot be read.
    fn say_as_copy(&mut self, number: usize) -> Said {
        let (own, copy) = (self.machines[number].disk(0), format!("C-{number}"));
        let mut said = self.machines[number].say();
        said.body["disks"]["found"][0]["serial"] = json!(copy);
        said.body.as_object_mut().expect("an object").remove("memory");
        self.expect(number, format!("DISK REPLACED {own} {copy}"));
        self.expect(number, format!("DISK REPLACED {copy} {own}"));
        said
    }
}

/// Returns true if a module that is gone from a machine is in another one now, which got it later.
fn has_left(number: usize, serial: &str, before: &Before, now: &BTreeMap<String, Vec<usize>>) -> bool {
    match before.doubles.get(serial) {
        Some((first, _)) => *first == number,
        None => now.get(serial).is_some_and(|machines| machines.iter().any(|machine| *machine != number)),
    }
}

fn slot_name(slot: usize) -> String {
    format!("A{slot}")
}

impl Machine {
    /// Returns the name of the host.
    pub fn name(&self) -> String {
        name(self.number)
    }

    /// Returns the next report.
    fn say(&mut self) -> Said {
        self.note += 1;
        let module = |(slot, serial): (&usize, &String)| json!({"slot": slot_name(*slot), "partNumber": "N16", "serial": serial});
        let health = |disk: &Disk| if disk.fails { "FAILING" } else { "PASSED" };
        let disk = |(at, disk): (usize, &Disk)| json!({"name": format!("d{at}"), "place": format!("d{at}"), "serial": self.disk(at), "health": health(disk)});
        let interface = json!({
            "name": "e1",
            "permanentMac": format!("02:00:5e:00:{:02x}:{:02x}", self.number / 256, self.number % 256),
            "carrier": self.carrier,
            "carrierChanges": self.carrier_changes,
        });
        let mut body = json!({
            "format": 1,
            "agent": {"version": format!("1.{}", self.version)},
            "observedAt": "2026-11-01T10:00:00Z",
            // Its date is no event.
            "system": {"complete": true, "found": {"firmwareDate": self.note.to_string(), "bootId": "b"}},
            "memory": {"complete": true, "found": {"modules": self.modules.iter().map(module).collect::<Vec<_>>()}},
            "disks": {"complete": true, "found": self.disks.iter().enumerate().map(disk).collect::<Vec<_>>()},
            "interfaces": {"complete": true, "found": [interface]},
        });
        if self.is_large {
            body["lamps"] = json!("x".repeat(LARGE));
        }
        Said { note: self.note, body }
    }

    /// Returns the serial number of a disk.
    fn disk(&self, at: usize) -> String {
        format!("D-{}-{at}-{}", self.number, self.disks[at].generation)
    }
}
