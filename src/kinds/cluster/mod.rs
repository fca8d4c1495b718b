//! A cluster: Kubernetes or hypervisors on devices, which may be at several sites. Its name is unique over all
//! clusters.

mod api;
mod describe;
mod failure;
mod input;
mod node;
mod path;

pub use api::{ClusterMutation, ClusterQuery};
pub use describe::DESCRIPTION;
pub use failure::FAILURE;
pub use input::{ClusterFilter, ClusterInput, ClusterListFilter, ClusterRef};
pub use node::Cluster;
pub use path::PATH;
