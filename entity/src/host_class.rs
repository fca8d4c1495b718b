//! The row of a host class: hosts that are alike enough to stand in for each other.

use async_graphql::{InputObject, SimpleObject};
use sea_orm::FromJsonQueryResult;
use sea_orm::entity::prelude::*;
use serde::{Deserialize, Serialize};

use crate::long::Long;
use crate::machine::DiskType;
use crate::text_map::TextMap;

crate::row::kind_row! {
    /// One host class in the table `host_class`.
    table "host_class" {
        pub title: Option<String>,
        /// The conditions under which a host that is discovered gets the class. Null: none does.
        pub criteria: Option<HostMatch>,
    }
}

/// The conditions on a machine under which its host gets a class when it is discovered. All that are given must hold.
#[derive(
    Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize, FromJsonQueryResult, SimpleObject, InputObject,
)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
#[graphql(name = "HostMatch", input_name = "HostMatchInput")]
pub struct HostMatch {
    /// The least number of processor cores, at least 1.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub cpu_cores: Option<i32>,
    /// The least memory in bytes, at least 1.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub memory_bytes: Option<Long>,
    /// The disks that the machine must have: at most 8 conditions. Each condition needs disks of its own. Defaults to an
    /// empty list.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    #[graphql(default)]
    pub disks: Vec<DiskMatch>,
    /// The labels that the host must have, with these values: at most 64. Null: none.
    // A default of an own scalar would be one that no tool can print: printSchema of graphql-js fails on it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub labels: Option<TextMap>,
}

/// A condition on the disks of a machine.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, SimpleObject, InputObject)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
#[graphql(name = "DiskMatch", input_name = "DiskMatchInput")]
pub struct DiskMatch {
    /// The least number of such disks: 1 to 1,000. Defaults to 1.
    #[serde(default = "one")]
    #[graphql(default = 1)]
    pub count: i32,
    /// The least size of each disk in bytes, at least 1.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub size_bytes: Option<Long>,
    /// The technology of each disk. Defaults to any.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub r#type: Option<DiskType>,
}

fn one() -> i32 {
    1
}
