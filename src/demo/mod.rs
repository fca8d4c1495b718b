//! The demo inventory: a made-up fleet that looks like a real one, for `serve --demo`, `demo`, tests and benches.
//!
//! Two metro data centres and an edge site, with everything an engineer would ask about: racks with A and B power,
//! spine-leaf pods, dual-homed servers, patch panels and trunks to the meet-me rooms, cross-connects, dark fibre,
//! transit and peering of several providers, a Kubernetes and a hypervisor cluster with virtual machines.
//!
//! What [`items`] guarantees:
//! - The items keep all rules of the kinds, and what an item refers to always comes before it, so that they can be
//!   written as one batch, in slices of any size, or one by one.
//! - The same options always give the same items: all chance comes from the seed, nothing from clock or system.
//! - Everything is invented. Addresses are of the ranges for private use and documentation only.
//!
//! A fleet is made in stages, one pod at a time, and only one stage is in memory, so its size is not bounded by memory.

mod border;
mod catalogue;
mod compute;
mod edge;
mod fabric;
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
pub const MOST_RACKS: usize = 6_000;

/// What fleet to make.
#[derive(Clone, Debug)]
pub struct Options {
    /// Compute racks over both data centres, at most [`MOST_RACKS`]; more are taken as that many. Eight make a pod.
    pub racks: usize,
    /// Where all chance comes from.
    pub seed: u64,
}

impl Default for Options {
    /// The demo: about 400 devices, less than 10,000 items, so that it is one batch.
    fn default() -> Self {
        Self { racks: 16, seed: 5 }
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
pub fn items(options: &Options) -> impl Iterator<Item = Value> + Send + use<> {
    let plan = Plan::new(options.racks.min(MOST_RACKS));
    let seed = options.seed;
    let stages = stages(&plan);
    stages.into_iter().enumerate().flat_map(move |(number, stage)| {
        let mut items = Items::new(seed, number);
        match stage {
            Stage::World => {
                outside::write(&mut items);
                places::write(&mut items, &plan);
                compute::write_clusters(&mut items);
            }
            Stage::Pod(site, pod) => fabric::write_pod(&mut items, &plan.sites[site], &plan.sites[site].pods[pod]),
            Stage::MeetMe(site) => meet_me::write(&mut items, &plan.sites[site]),
            Stage::Edge => edge::write(&mut items, &plan),
            Stage::Wan => wan::write(&mut items, &plan),
        }
        items.into_list()
    })
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
