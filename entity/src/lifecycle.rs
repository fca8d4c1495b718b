//! Where an object stands in its life.

use async_graphql::Enum;
use sea_orm::entity::prelude::*;
use serde::{Deserialize, Serialize};

/// Where an object stands in its life.
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
    /// Decided, not yet there.
    Planned,
    /// There, not yet in use.
    Staged,
    /// In use.
    #[default]
    Active,
    /// Switched off on purpose.
    Offline,
    /// Broken.
    Failed,
    /// On its way out.
    Decommissioning,
    /// Gone; kept for the record.
    Retired,
}
