//! The row of a source: an outside system whose synchronizer keeps a part of the inventory true.

use async_graphql::{InputObject, SimpleObject};
use sea_orm::FromJsonQueryResult;
use sea_orm::entity::prelude::*;
use serde::{Deserialize, Serialize};

crate::row::kind_row! {
    /// One source in the table `source`.
    table "source" {
        /// The type of the outside system in free text, such as `netbox`.
        pub r#type: String,
        pub url: Option<String>,
        /// The time between two full runs, in seconds.
        pub interval_seconds: i32,
        pub prune: SourcePrune,
        pub limits: SourceLimits,
        pub paused: bool,
        /// The health, which only the server sets.
        pub health: SourceHealth,
        /// True once a run of the source was started here. Only the server sets it.
        pub reserved: bool,
        /// The state of the hosts that a run of the source creates.
        pub hosts_arrive: SourceHostsArrive,
    }
}

crate::choice::choice! {
    /// The effect on an object that its source no longer has.
    #[derive(Default)]
    pub enum SourcePrune {
        /// The object gets the status RETIRED and another name, and gives up its place, serial and asset tag. All of it is
        /// put back when the source has the object again. An object whose kind has no such status is deleted where nothing
        /// refers to it, and released otherwise.
        Retire,
        /// The object is deleted, with everything that it contains.
        Delete,
        /// The object stays, without its reference to the source. Nobody owns the fields that the source owned.
        Release,
        /// The object stays as it is.
        #[default]
        Keep,
    }
}

crate::choice::choice! {
    /// The state of a source.
    #[derive(Default)]
    pub enum SourceHealth {
        /// No full run has succeeded yet.
        #[default]
        Never,
        /// The last full run that succeeded is recent.
        Fresh,
        /// No full run has succeeded for twice the interval.
        Stale,
        /// The last three runs failed.
        Failing,
        /// A run would have removed or emptied more than the limits allow. An operator must approve or reject it.
        Held,
        /// The source is paused.
        Paused,
    }
}

crate::choice::choice! {
    /// The state of the hosts that a run of a source creates. Hosts that exist already stay as they are.
    #[derive(Default)]
    pub enum SourceHostsArrive {
        /// New hosts are REGISTERED, until people adopt or discover them.
        #[default]
        Registered,
        /// New hosts get the state in `arrivesAs` of their items, as if people had adopted them. Those without it are
        /// REGISTERED.
        AsReported,
    }
}

/// The limits on what the runs of a source remove or empty within 24 hours, for each kind. The larger one counts.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize, FromJsonQueryResult, SimpleObject, InputObject)]
#[serde(rename_all = "camelCase", deny_unknown_fields, default)]
#[graphql(input_name = "SourceLimitsInput")]
pub struct SourceLimits {
    /// The part of the source's objects of a kind, from 0 to 1. Defaults to 0.1.
    #[graphql(default = 0.1)]
    pub share: f64,
    /// The number of objects of a kind, at least 0. Defaults to 10.
    #[graphql(default = 10)]
    pub count: i32,
}

impl Default for SourceLimits {
    fn default() -> Self {
        Self { share: 0.1, count: 10 }
    }
}
