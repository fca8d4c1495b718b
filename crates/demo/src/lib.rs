//! The demo inventory: a made-up fleet that looks like a real one, for `serve --demo`, `demo`, tests and benches.
//!
//! Two metro data centres and an edge site, with everything an engineer would ask about: racks with A and B power,
//! spine-leaf pods, dual-homed servers, patch panels and trunks to the meet-me rooms, cross-connects, dark fibre,
//! transit and peering of several providers, a Kubernetes and a hypervisor cluster with virtual machines.
//!
//! The demo itself is small enough to look at. Larger fleets have the same sites and the same style, with the switches,
//! network ports and cabling that large ones have (`fit_out`), and several halls in a data centre (`core`).
//!
//! What [`items`] guarantees:
//! - The items keep all rules of the kinds, and what an item refers to always comes before it, so that they can be
//!   written as one batch, in slices of any size, or one by one.
//! - The same options always give the same items: all chance comes from the seed, nothing from clock or system.
//! - Everything is invented. Addresses are of the ranges for private use, documentation and shared use only.
//!
//! A fleet is made in stages, one pod at a time, and only one stage is in memory, so its size is not bounded by memory.

mod border;
mod catalogue;
mod compute;
mod core;
mod edge;
mod fabric;
mod fit_out;
mod gear;
mod item;
mod lines;
mod meet_me;
mod network;
mod outside;
mod panel;
mod places;
mod plan;
mod power;
mod refs;
#[cfg(test)]
mod tests;
mod vms;
mod wan;

use serde_json::Value;

use item::Items;
use plan::Plan;

/// The most compute racks that a fleet can have: its address plan holds no more.
pub const MOST_RACKS: usize = 30_000;
/// Compute racks of the demo.
const DEMO_RACKS: usize = 16;

/// How large the fleet is, and how its racks are fitted out.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Size {
    /// About 400 devices, less than 10,000 items, so that it is one batch; small switches that fit on a screen.
    Demo,
    /// A fleet in the style of the demo, with the switches, the network ports and the cabling of a large one.
    Fleet {
        /// Compute racks over both data centres, at most [`MOST_RACKS`]; more are taken as that many. Eight make a
        /// pod.
        racks: usize,
    },
}

/// What fleet to make.
#[derive(Clone, Debug)]
pub struct Options {
    /// How large it is.
    pub size: Size,
    /// Where all chance comes from.
    pub seed: u64,
}

impl Default for Options {
    fn default() -> Self {
        Self { size: Size::Demo, seed: 5 }
    }
}

/// A part of the fleet that is made in one go. Later stages refer to earlier ones, never the other way.
#[derive(Clone, Copy, Debug)]
enum Stage {
    /// Regions, providers, sites, locations, clusters.
    World,
    /// A pod of a data centre, with the border tier in the first one: (site, pod).
    Pod(usize, usize),
    /// The meet-me rooms of a data centre.
    MeetMe(usize),
    /// The edge site.
    Edge,
    /// Circuits and what hangs on them.
    Wan,
}

/// The items of the fleet, in an order in which each refers only to items before it. Each is an object with one
/// member, named after the kind, as `apply` takes it.
pub fn items(options: &Options) -> Fleet {
    let plan = Plan::new(options.size);
    let stages = stages(&plan);
    Fleet { seed: options.seed, made: 0, ready: Vec::new().into_iter(), plan, stages }
}

/// The items of a fleet, made as they are asked for.
pub struct Fleet {
    plan: Plan,
    seed: u64,
    stages: Vec<Stage>,
    /// How many of the stages are made.
    made: usize,
    /// What is left of the last one.
    ready: std::vec::IntoIter<Value>,
}

impl Fleet {
    /// How much of the fleet is made, as parts made and parts in all: its items are counted only by making them.
    pub fn progress(&self) -> (usize, usize) {
        (self.made, self.stages.len())
    }

    fn make(&self, stage: Stage) -> Vec<Value> {
        let plan = &self.plan;
        let mut items = Items::new(self.seed, self.made);
        match stage {
            Stage::World => {
                outside::write(&mut items);
                places::write(&mut items, plan);
                compute::write_clusters(&mut items);
            }
            Stage::Pod(site, pod) => fabric::write_pod(&mut items, &plan.sites[site], &plan.sites[site].pods[pod]),
            Stage::MeetMe(site) => meet_me::write(&mut items, &plan.sites[site]),
            Stage::Edge => edge::write(&mut items, plan),
            Stage::Wan => wan::write(&mut items, plan),
        }
        items.into_list()
    }
}

impl Iterator for Fleet {
    type Item = Value;

    fn next(&mut self) -> Option<Value> {
        loop {
            if let Some(item) = self.ready.next() {
                return Some(item);
            }
            let stage = *self.stages.get(self.made)?;
            self.ready = self.make(stage).into_iter();
            self.made += 1;
        }
    }
}

fn stages(plan: &Plan) -> Vec<Stage> {
    let mut stages = vec![Stage::World];
    for (number, site) in plan.sites.iter().enumerate() {
        stages.extend((0..site.pods.len()).map(|pod| Stage::Pod(number, pod)));
        stages.push(Stage::MeetMe(number));
    }
    stages.extend([Stage::Edge, Stage::Wan]);
    stages
}
