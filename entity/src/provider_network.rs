//! The row of a provider network: the part of a provider's network behind its circuits, whose structure is not known.

use sea_orm::entity::prelude::*;

use crate::common::{Attributes, ExternalRefs, Labels, Managers};

/// One network of a provider in the table `provider_network`.
#[sea_orm::model]
#[derive(Clone, Debug, PartialEq, DeriveEntityModel)]
#[sea_orm(table_name = "provider_network")]
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
    /// The provider of the network. It never changes.
    pub provider_id: Uuid,
}

impl ActiveModelBehavior for ActiveModel {}

crate::row::row!(Model);
