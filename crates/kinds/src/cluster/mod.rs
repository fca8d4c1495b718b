//! A cluster: Kubernetes or hypervisors on devices, which may be at several sites. Its name is unique over all
//! clusters.

mod kind;
mod topology;

pub use kind::{
    Cluster, ClusterFilter, ClusterInput, ClusterListFilter, ClusterMutation, ClusterQuery, ClusterRef, DESCRIPTION,
};
pub use topology::TOPOLOGY;
