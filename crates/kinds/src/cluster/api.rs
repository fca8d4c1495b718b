//! The GraphQL root fields that read and write clusters.

use super::input::{ClusterInput, ClusterPatch, ClusterPayload};
use super::node::Cluster;
use crate::roots;

roots! {
    Cluster;
    query ClusterQuery {
        cluster(),
        clusters
    }
    mutation ClusterMutation { create_cluster, update_cluster, delete_cluster }
    with ClusterInput, ClusterPatch, ClusterPayload { cluster }
}
