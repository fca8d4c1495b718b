//! The lifecycle status that several kinds share.

use async_graphql::Enum;
use sea_orm::entity::prelude::*;
use serde::{Deserialize, Serialize};

/// The lifecycle status of an object.
#[derive(
    Clone,
    Copy,
    Debug,
    Default,
    PartialEq,
    Eq,
    PartialOrd,
    Ord,
    Hash,
    Serialize,
    Deserialize,
    EnumIter,
    DeriveActiveEnum,
    Enum,
)]
#[serde(rename_all = "SCREAMING_SNAKE_CASE")]
#[sea_orm(rs_type = "String", db_type = "Text", rename_all = "SCREAMING_SNAKE_CASE")]
#[graphql(name = "Status")]
pub enum Status {
    /// The object is planned, but does not exist yet.
    Planned,
    /// The object exists, but is not in use yet.
    Staged,
    /// The object is in use.
    #[default]
    Active,
    /// The object is switched off on purpose.
    Offline,
    /// The object is broken and does not work.
    Failed,
    /// The object is about to be removed.
    Decommissioning,
    /// The object is removed, and kept for the record.
    Retired,
}
