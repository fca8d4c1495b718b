//! The row of a cluster: devices and virtual machines that work as one.

use async_graphql::Enum;
use sea_orm::entity::prelude::*;
use serde::{Deserialize, Serialize};

use crate::common::{Attributes, ExternalRefs, Labels, Managers};

/// The row of a cluster.
#[sea_orm::model]
#[derive(Clone, Debug, PartialEq, DeriveEntityModel)]
#[sea_orm(table_name = "cluster")]
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
    pub r#type: ClusterType,
    pub role: Option<ClusterRole>,
    /// Never changes.
    pub control_plane_site_id: Option<Uuid>,
    /// Free text, such as `gke` or `sidero-omni`.
    pub platform: Option<String>,
    /// The http or https URL of its API.
    pub endpoint: Option<String>,
}

impl ActiveModelBehavior for ActiveModel {}

/// What a cluster runs. Default KUBERNETES.
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
#[graphql(name = "ClusterType")]
pub enum ClusterType {
    /// Containers under Kubernetes.
    #[default]
    Kubernetes,
    /// Virtual machines.
    Hypervisor,
}

/// What a cluster is for.
#[derive(
    Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize, EnumIter, DeriveActiveEnum, Enum,
)]
#[serde(rename_all = "SCREAMING_SNAKE_CASE")]
#[sea_orm(rs_type = "String", db_type = "Text", rename_all = "SCREAMING_SNAKE_CASE")]
#[graphql(name = "ClusterRole")]
pub enum ClusterRole {
    /// Runs the workloads of users.
    Compute,
    /// Runs what manages the other clusters.
    Management,
    /// Runs workloads near users.
    Edge,
    /// Carries traffic between networks.
    Gateway,
}
