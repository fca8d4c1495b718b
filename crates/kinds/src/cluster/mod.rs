//! A cluster: Kubernetes or hypervisors on devices, which may be at several sites. Its name is unique over all
//! clusters.

mod api;
mod describe;
mod input;
mod node;
mod topology;

pub use api::{ClusterMutation, ClusterQuery};
pub use describe::DESCRIPTION;
pub use input::{ClusterFilter, ClusterInput, ClusterListFilter, ClusterRef};
pub use node::Cluster;
pub use topology::TOPOLOGY;
