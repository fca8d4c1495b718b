//! A naive model of lines: follows every strand from its beginning to its end; slow and obviously correct.

use std::collections::BTreeSet;
use std::fmt::Write;

use rand::rngs::SmallRng;
use rand::{Rng, SeedableRng};

/// A strand ends after so many steps at the latest; no net that is drawn has one as long.
const MAX_STRAND_STEPS: usize = 400;
/// More steps than these are not tried from one port.
const MAX_TRIED_STEPS: usize = 100_000;

/// A few devices and panels and what is plugged into what, often into itself.
pub struct Net {
    pub ports: Vec<Port>,
    /// The mappings from positions of front ports to positions of rear ports.
    maps: Vec<[(usize, u32); 2]>,
    cables: Vec<Cable>,
}

pub struct Port {
    pub name: String,
    is_patch: bool,
    positions: u32,
}

struct Cable {
    name: String,
    sides: [Vec<usize>; 2],
    /// Of each side the number of the end, from 1, and its position.
    lanes: Vec<[(usize, u32); 2]>,
}

/// The way in which a strand ends.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Fate {
    Complete,
    Open,
    Loop,
    Unmapped,
}

/// A strand that was tried to its end.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Strand {
    pub inward: bool,
    /// The name of the port or cable that it ends at.
    pub end: String,
    pub fate: Fate,
    pub guessed: bool,
    /// The position of the origin that it is of, where that has several.
    pub from: Option<u32>,
    /// The position at which it arrives, where its end has several.
    pub at: Option<u32>,
}

/// The positions that a strand has visited.
#[derive(Clone)]
struct Step {
    port: usize,
    arrives: bool,
    stack: Vec<u32>,
    /// The number of lower positions that were not read afterwards; `None` if nothing was read.
    unread: Option<isize>,
}

#[derive(Clone)]
struct Tried {
    steps: Vec<Step>,
    guessed: bool,
    from: Option<u32>,
    inward: bool,
}

impl Net {
    pub fn random(number: u64) -> Self {
        let mut rng = SmallRng::seed_from_u64(number);
        let mut net = Self { ports: Vec::new(), maps: Vec::new(), cables: Vec::new() };
        for at in 0..rng.random_range(2..5) {
            let positions = if rng.random_bool(0.3) { rng.random_range(2..4) } else { 1 };
            net.ports.push(Port { name: format!("n{number}d:e{at}"), is_patch: false, positions });
        }
        for panel in 0..rng.random_range(1..3) {
            net.add_panel(&format!("n{number}p{panel}"), &mut rng);
        }
        net.plug(number, &mut rng);
        net
    }

    fn add_panel(&mut self, panel: &str, rng: &mut SmallRng) {
        let rears: Vec<usize> = (0..rng.random_range(1..3))
            .map(|at| {
                let positions = if rng.random_bool(0.75) { rng.random_range(2..4) } else { 1 };
                self.ports.push(Port { name: format!("{panel}:r{at}"), is_patch: true, positions });
                self.ports.len() - 1
            })
            .collect();
        let mut free: Vec<(usize, u32)> =
            rears.iter().flat_map(|rear| (1..=self.ports[*rear].positions).map(|at| (*rear, at))).collect();
        for at in 0..rng.random_range(1..4) {
            let positions = if rng.random_bool(0.2) { 2 } else { 1 };
            self.ports.push(Port { name: format!("{panel}:f{at}"), is_patch: true, positions });
            let front = self.ports.len() - 1;
            for position in 1..=positions {
                if !free.is_empty() && rng.random_bool(0.9) {
                    let rear = free.remove(rng.random_range(0..free.len()));
                    self.maps.push([(front, position), rear]);
                }
            }
        }
    }

    fn plug(&mut self, number: u64, rng: &mut SmallRng) {
        let mut free: Vec<usize> = (0..self.ports.len()).collect();
        while free.len() > 1 && rng.random_bool(0.9) {
            let mut side = |least: usize| -> Vec<usize> {
                let count = if free.len() > least && rng.random_bool(0.3) { 2 } else { 1 };
                (0..count).map(|_| free.remove(rng.random_range(0..free.len()))).collect()
            };
            let sides = [side(2), side(1)];
            let mut lanes = Vec::new();
            if rng.random_bool(0.35) {
                let mut of = |side: &Vec<usize>| -> Vec<(usize, u32)> {
                    let ends = side.iter().enumerate();
                    let mut all: Vec<_> = ends
                        .flat_map(|(at, end)| (1..=self.ports[*end].positions).map(move |it| (at + 1, it)))
                        .collect();
                    (1..all.len()).for_each(|at| all.swap(at, rng.random_range(0..=at)));
                    all
                };
                let (a, b) = (of(&sides[0]), of(&sides[1]));
                lanes = a.into_iter().zip(b).map(|(a, b)| [a, b]).collect();
            }
            let name = format!("n{number}c{}", self.cables.len());
            self.cables.push(Cable { name, sides, lanes });
        }
    }

    /// The net as a picture.
    pub fn draw(&self, text: &mut String) {
        let name = |port: &usize| &self.ports[*port].name;
        for port in &self.ports {
            writeln!(text, "{}/{}", port.name, port.positions).expect("a text grows");
        }
        for [(front, at), (rear, rear_at)] in &self.maps {
            writeln!(text, "{} ={at}:{rear_at}= {}", name(front), name(rear)).expect("a text grows");
        }
        for cable in &self.cables {
            let [a, b] =
                cable.sides.each_ref().map(|side| side.iter().map(name).cloned().collect::<Vec<_>>().join(","));
            let lanes: Vec<String> =
                cable.lanes.iter().map(|[(a, at), (b, to)]| format!("{a}/{at}>{b}/{to}")).collect();
            let lanes = if lanes.is_empty() { String::new() } else { format!("({})", lanes.join(",")) };
            writeln!(text, "[{a}] --{}{lanes}-- [{b}]", cable.name).expect("a text grows");
        }
    }

    /// Returns all strands from a port, or `None` if there are too many to try.
    pub fn strands(&self, port: usize) -> Option<BTreeSet<Strand>> {
        let mut trial = Trial { net: self, found: BTreeSet::new(), left: MAX_TRIED_STEPS };
        let origin = &self.ports[port];
        let starts: Vec<Option<u32>> =
            if origin.positions > 1 { (1..=origin.positions).map(Some).collect() } else { vec![None] };
        for inward in [false, true].into_iter().filter(|inward| !inward || origin.is_patch) {
            for from in &starts {
                let tried = Tried { steps: Vec::new(), guessed: false, from: *from, inward };
                trial.go(tried, port, inward, from.iter().copied().collect());
            }
        }
        (trial.left > 0).then_some(trial.found)
    }
}

struct Trial<'a> {
    net: &'a Net,
    found: BTreeSet<Strand>,
    left: usize,
}

impl Trial<'_> {
    fn go(&mut self, mut tried: Tried, port: usize, arrives: bool, stack: Vec<u32>) {
        self.left = self.left.saturating_sub(1);
        if self.left == 0 {
            return;
        }
        assert!(tried.steps.len() < MAX_STRAND_STEPS, "a strand goes on and on");
        if comes_again(&tried.steps, port, arrives, &stack) {
            return self.end(&tried, Some(port), &stack, Fate::Loop, &self.net.ports[port].name);
        }
        tried.steps.push(Step { port, arrives, stack: stack.clone(), unread: None });
        if arrives { self.arrive(&tried, port, &stack) } else { self.depart(&tried, port, &stack) }
    }

    fn end(&mut self, tried: &Tried, port: Option<usize>, stack: &[u32], fate: Fate, name: &str) {
        let has_several = port.is_some_and(|port| self.net.ports[port].positions > 1);
        let at = stack.last().copied().filter(|_| has_several);
        let Tried { guessed, from, inward, .. } = *tried;
        self.found.insert(Strand { inward, end: name.to_owned(), fate, guessed, from, at });
    }

    fn arrive(&mut self, tried: &Tried, port: usize, stack: &[u32]) {
        let here = &self.net.ports[port];
        if !here.is_patch {
            return self.end(tried, Some(port), stack, Fate::Complete, &here.name);
        }
        let (tried, wanted, rest) = self.read(tried, port, stack);
        let mut leads = false;
        for map in &self.net.maps {
            for (own, other) in [(map[0], map[1]), (map[1], map[0])] {
                if own.0 == port && wanted.is_none_or(|wanted| wanted == own.1) {
                    leads = true;
                    self.go(guess(&tried, wanted), other.0, false, self.with(&rest, other));
                }
            }
        }
        if !leads {
            self.end(&tried, Some(port), stack, Fate::Unmapped, &here.name);
        }
    }

    fn depart(&mut self, tried: &Tried, port: usize, stack: &[u32]) {
        for cable in &self.net.cables {
            let Some(side) = (0..2).find(|side| cable.sides[*side].contains(&port)) else { continue };
            let others = &cable.sides[1 - side];
            if cable.lanes.is_empty() {
                return others.iter().for_each(|other| self.go(tried.clone(), *other, true, stack.to_vec()));
            }
            let (tried, wanted, rest) = self.read(tried, port, stack);
            let own = cable.sides[side].iter().position(|end| *end == port).expect("an end") + 1;
            let mut leads = false;
            for lane in &cable.lanes {
                let (here, there) = (lane[side], lane[1 - side]);
                if here.0 == own && wanted.is_none_or(|wanted| wanted == here.1) {
                    leads = true;
                    let other = (others[there.0 - 1], there.1);
                    self.go(guess(&tried, wanted), other.0, true, self.with(&rest, other));
                }
            }
            if !leads {
                self.end(&tried, None, stack, Fate::Open, &cable.name);
            }
            return;
        }
        self.end(tried, Some(port), stack, Fate::Open, &self.net.ports[port].name);
    }

    /// The position at which a strand goes on, and the stack that is left.
    fn read(&self, tried: &Tried, port: usize, stack: &[u32]) -> (Tried, Option<u32>, Vec<u32>) {
        let mut tried = tried.clone();
        if self.net.ports[port].positions == 1 {
            return (tried, Some(1), stack.to_vec());
        }
        tried.steps.last_mut().expect("it is somewhere").unread = Some(stack.len() as isize - 1);
        match stack {
            [rest @ .., top] => (tried, Some(*top), rest.to_vec()),
            [] => (tried, None, Vec::new()),
        }
    }

    /// The stack at a port that is come to at a position.
    fn with(&self, stack: &[u32], (port, position): (usize, u32)) -> Vec<u32> {
        let several = self.net.ports[port].positions > 1;
        stack.iter().copied().chain(several.then_some(position)).collect()
    }
}

fn guess(tried: &Tried, wanted: Option<u32>) -> Tried {
    Tried { guessed: tried.guessed || wanted.is_none(), ..tried.clone() }
}

/// Returns true if a strand has been here with the same stack, or with a part of it that it has not read since.
fn comes_again(steps: &[Step], port: usize, arrives: bool, stack: &[u32]) -> bool {
    (0..steps.len()).any(|at| {
        let step = &steps[at];
        let unread = |it: &Step| it.unread.is_none_or(|unread| unread >= step.stack.len() as isize);
        let grows = step.arrives == arrives && stack.starts_with(&step.stack) && steps[at..].iter().all(unread);
        step.port == port && (step.stack == stack || grows)
    })
}
