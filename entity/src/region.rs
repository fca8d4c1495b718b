//! The row of a region: a part of the world that contains sites and smaller regions.

use sea_orm::entity::prelude::*;

use crate::common::{Attributes, ExternalRefs, Labels, Managers};
use crate::place::Coordinates;

/// One region in the table `region`.
#[sea_orm::model]
#[derive(Clone, Debug, PartialEq, DeriveEntityModel)]
#[sea_orm(table_name = "region")]
pub struct Model {
    #[sea_orm(primary_key, auto_increment = false)]
    pub id: Uuid,
    pub name: String,
    pub labels: Labels,
    pub tenant: Option<String>,
    pub description: Option<String>,
    pub attributes: Attributes,
    pub external_refs: ExternalRefs,
    pub managers: Managers,
    pub version: i64,
    pub created_at: DateTimeUtc,
    pub updated_at: DateTimeUtc,
    pub display_name: Option<String>,
    /// The region that contains this one. The chain of parents has no cycle.
    pub parent_id: Option<Uuid>,
    pub coordinates: Option<Coordinates>,
}

impl ActiveModelBehavior for ActiveModel {}

crate::row::row!(Model);
