//! The row of a cluster: devices and virtual machines that work as one system.

use async_graphql::Enum;
use sea_orm::entity::prelude::*;
use serde::{Deserialize, Serialize};

use crate::common::{Attributes, ExternalRefs, Labels, Managers};

/// One cluster in the table `cluster`.
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
    /// The site of the control plane. It never changes.
    pub control_plane_site_id: Option<Uuid>,
    /// The platform in free text, such as `gke` or `sidero-omni`.
    pub platform: Option<String>,
    /// The http or https URL of the cluster's API.
    pub endpoint: Option<String>,
}

impl ActiveModelBehavior for ActiveModel {}

/// The type of workload that a cluster runs. Defaults to KUBERNETES.
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
    /// The cluster runs containers under Kubernetes.
    #[default]
    Kubernetes,
    /// The cluster runs virtual machines.
    Hypervisor,
}

/// The purpose of a cluster.
#[derive(
    Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize, EnumIter, DeriveActiveEnum, Enum,
)]
#[serde(rename_all = "SCREAMING_SNAKE_CASE")]
#[sea_orm(rs_type = "String", db_type = "Text", rename_all = "SCREAMING_SNAKE_CASE")]
#[graphql(name = "ClusterRole")]
pub enum ClusterRole {
    /// Runs the workloads of users.
    Compute,
    /// Runs the systems that manage the other clusters.
    Management,
    /// Runs workloads near users.
    Edge,
    /// Carries traffic between networks.
    Gateway,
}

crate::row::row!(Model);
