//! The row of a cable, which connects ports, power feeds and circuits.

use async_graphql::{InputObject, SimpleObject};
use sea_orm::FromJsonQueryResult;
use sea_orm::entity::prelude::*;
use serde::{Deserialize, Serialize};

use crate::common::Texts;
use crate::targets::Targets;

crate::row::kind_row! {
    /// One cable in the table `cable`.
    table "cable" {
        /// The text that is printed on the cable.
        pub label: Option<String>,
        pub media: Option<Media>,
        pub status: CableStatus,
        /// The length in metres.
        pub length_m: Option<f64>,
        pub color: Option<String>,
        /// Free names of shared risks, such as a conduit, duct or trench. Objects that share a name fail together.
        pub risk_groups: Texts,
        pub a_ends: CableEnds,
        pub b_ends: CableEnds,
        pub lanes: Lanes,
    }
}

crate::choice::choice! {
    /// The medium of a cable.
    pub enum Media {
        /// Twisted pair or other copper.
        Copper,
        /// Single-mode fibre.
        FiberSmf,
        /// Multi-mode fibre.
        FiberMmf,
        /// Copper with a module fixed at each end (direct attach cable).
        Dac,
        /// Fibre with a module fixed at each end (active optical cable).
        Aoc,
        /// A cable for electrical power.
        Power,
    }
}

crate::choice::choice! {
    /// The lifecycle status of a cable. Defaults to CONNECTED.
    #[derive(Default)]
    pub enum CableStatus {
        /// The cable is planned, but not plugged in yet.
        Planned,
        /// The cable is plugged in at both ends.
        #[default]
        Connected,
        /// The cable is about to be removed.
        Decommissioning,
    }
}

/// The end of a cable: a reference to the object that it is plugged into.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub enum CableEnd {
    /// A port of a device or rack.
    Port(Uuid),
    /// A power feed, by its id.
    PowerFeed(Uuid),
    /// One end of a circuit.
    CircuitTermination(Uuid),
}

impl CableEnd {
    /// Returns the id of the object, whatever its kind.
    pub fn id(self) -> Uuid {
        match self {
            Self::Port(id) | Self::PowerFeed(id) | Self::CircuitTermination(id) => id,
        }
    }
}

/// All ends of one side of a cable. A breakout cable has several.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize, FromJsonQueryResult)]
#[serde(transparent)]
pub struct CableEnds(pub Box<[CableEnd]>);

/// One strand of a cable: it connects a position of an A end to a position of a B end.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, SimpleObject, InputObject)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
#[graphql(input_name = "LaneInput")]
pub struct Lane {
    /// The index of the end in `aEnds`, from 1. Defaults to 1.
    #[serde(default = "first")]
    #[graphql(default = 1)]
    pub a_end: i32,
    /// The position on that end, from 1. Defaults to 1.
    #[serde(default = "first")]
    #[graphql(default = 1)]
    pub a_position: i32,
    /// The index of the end in `bEnds`, from 1. Defaults to 1.
    #[serde(default = "first")]
    #[graphql(default = 1)]
    pub b_end: i32,
    /// The position on that end, from 1. Defaults to 1.
    #[serde(default = "first")]
    #[graphql(default = 1)]
    pub b_position: i32,
}

fn first() -> i32 {
    1
}

/// All strands of a cable. If the list is empty, every A end is connected to every B end.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize, FromJsonQueryResult)]
#[serde(transparent)]
pub struct Lanes(pub Box<[Lane]>);

impl Targets for CableEnds {
    fn each(&self, visit: &mut dyn FnMut(Uuid)) {
        self.0.iter().for_each(|end| visit(end.id()));
    }
}
