//! The row of a virtual machine, which belongs to a host, a cluster or a provider.

use sea_orm::entity::prelude::*;

use crate::common::{Attributes, ExternalRefs, Labels, Managers};
use crate::lifecycle::Status;
use crate::machine::{Addresses, Allocation};
use crate::object_reference::ObjectReference;

/// One virtual machine in the table `virtual_machine`. At least one of `host_id`, `cluster_id` and `provider_id` is
/// set.
#[sea_orm::model]
#[derive(Clone, Debug, PartialEq, DeriveEntityModel)]
#[sea_orm(table_name = "virtual_machine")]
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
    /// The device on which the virtual machine runs.
    pub host_id: Option<Uuid>,
    pub cluster_id: Option<Uuid>,
    pub provider_id: Option<Uuid>,
    pub project_ref: Option<ObjectReference>,
    pub allocation: Option<Allocation>,
    pub addresses: Addresses,
    pub status: Status,
}

impl ActiveModelBehavior for ActiveModel {}

crate::row::row!(Model);
