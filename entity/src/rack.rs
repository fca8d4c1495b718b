//! The row of a rack, a cabinet with numbered units.

use sea_orm::entity::prelude::*;

use crate::common::{Attributes, ExternalRefs, Labels, Managers};
use crate::lifecycle::Status;

/// One rack in the table `rack`.
#[sea_orm::model]
#[derive(Clone, Debug, PartialEq, DeriveEntityModel)]
#[sea_orm(table_name = "rack")]
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
    /// The site of the rack. It never changes.
    pub site_id: Uuid,
    /// A location of the same site.
    pub location_id: Option<Uuid>,
    pub cage: Option<String>,
    pub row: Option<String>,
    /// The height in rack units.
    pub height_u: i32,
    pub serial: Option<String>,
    pub asset_tag: Option<String>,
    pub status: Status,
}

impl ActiveModelBehavior for ActiveModel {}

crate::row::row!(Model);
