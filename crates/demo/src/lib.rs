//! The demo inventory: a made-up fleet that resembles a real one, for `serve --demo`, `demo`, tests and benches.
//!
//! The fleet has two metro data centres and an edge site. It contains everything that an engineer would ask about:
//!
//! - racks with A and B power, spine-leaf pods, and dual-homed servers;
//! - patch panels and trunks to the meet-me rooms, cross-connects, dark fibre, and transit and peering from several
//!   providers;
//! - a Kubernetes and a hypervisor cluster with virtual machines;
//! - in the demo itself, classes of hosts, profiles, and a simulated appliance that lists some of its servers.
//!
//! [`hardware`] is what simulated agents on these servers report.
//!
//! The demo itself is small enough to look at. Larger fleets have the same sites and the same style. They have the
//! switches, network ports and cabling of large data centres (`fit_out`), and several halls in a data centre (`core`).
//!
//! [`items`] guarantees:
//!
//! - The items keep all rules of the kinds. An item refers only to items before it, so the items can be written as one
//!   batch, in slices of any size, or one by one.
//! - The same options always produce the same items: all randomness comes from the seed, none from the clock or the
//!   system.
//! - Everything is invented. All addresses are from the ranges for private use, documentation and shared use.
//!
//! A fleet is generated in stages, one pod at a time. Only one stage is in memory, so memory does not limit the size of
//! the fleet.

mod border;
mod catalogue;
mod compute;
mod core;
mod edge;
mod fabric;
mod fit_out;
mod gear;
pub mod hardware;
mod hosts;
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
mod wiring;

use serde_json::Value;

use item::Items;
use plan::Plan;

/// The maximum number of compute racks of a fleet: the address plan has room for no more.
pub const MAX_RACKS: usize = 30_000;
/// The number of compute racks of the demo.
const DEMO_RACKS: usize = 16;

/// The size of the fleet and the equipment of its racks.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Size {
    /// About 400 devices and fewer than 10,000 items, so that the demo is one batch. The switches are small enough for
    /// a screen.
    Demo,
    /// A fleet in the style of the demo, with the switches, network ports and cabling of a large one.
    Fleet {
        /// The number of compute racks in both data centres. Values above [`MAX_RACKS`] count as [`MAX_RACKS`]. Eight
        /// racks form a pod.
        racks: usize,
    },
}

/// The options for generating a fleet.
#[derive(Clone, Debug)]
pub struct Options {
    /// The size of the fleet.
    pub size: Size,
    /// The seed of all random choices.
    pub seed: u64,
}

impl Default for Options {
    fn default() -> Self {
        Self { size: Size::Demo, seed: 5 }
    }
}

/// A part of the fleet that is generated at once. Later stages refer to earlier ones, never the other way round.
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
    /// The circuits, and the objects that depend on them.
    Wan,
    /// The classes, profiles and appliances of hosts. Only the demo has them.
    Hosts,
}

/// Returns the items of the fleet, in an order in which each refers only to items before it. Each item is an object
/// with one member, named after the kind, as `apply` takes it.
pub fn items(options: &Options) -> Fleet {
    let plan = Plan::new(options.size);
    let mut stages = stages(&plan);
    if options.size == Size::Demo {
        stages.push(Stage::Hosts);
    }
    Fleet { seed: options.seed, made: 0, ready: Vec::new().into_iter(), plan, stages }
}

/// An iterator over the items of a fleet, which generates them on demand.
pub struct Fleet {
    plan: Plan,
    seed: u64,
    stages: Vec<Stage>,
    /// The number of stages that are generated.
    made: usize,
    /// The remaining items of the last stage.
    ready: std::vec::IntoIter<Value>,
}

impl Fleet {
    /// Returns the progress as the number of generated stages and of all stages. The number of items is known only once
    /// they are generated.
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
            Stage::Hosts => hosts::write(&mut items, plan),
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
