//! The row of a cluster: devices and virtual machines that work as one system.

use sea_orm::entity::prelude::*;

crate::row::kind_row! {
    /// One cluster in the table `cluster`.
    table "cluster" {
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
}

crate::choice::choice! {
    /// The type of workload that a cluster runs. Defaults to KUBERNETES.
    #[derive(Default)]
    pub enum ClusterType {
        /// The cluster runs containers under Kubernetes.
        #[default]
        Kubernetes,
        /// The cluster runs virtual machines.
        Hypervisor,
    }
}

crate::choice::choice! {
    /// The purpose of a cluster.
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
}
