//! The GraphQL inputs, filters and sort orders of clusters.

use underlay_entity::cluster::{ClusterRole, ClusterType, Model};
use underlay_entity::text::Url;

use super::node::Cluster;
use crate::device::{Device, DeviceListFilter};
use crate::host::{Host, HostListFilter};
use crate::site::{Site, SiteFilter, SiteRef};
use crate::virtual_machine::{VirtualMachine, VirtualMachineListFilter};
use crate::{filter, inputs, order};
use underlay_read::TextFilter;
use underlay_read::enum_filter;

enum_filter!(ClusterTypeFilter, ClusterType);
enum_filter!(ClusterRoleFilter, ClusterRole);

inputs! {
    Cluster as cluster;
    input ClusterInput;
    patch ClusterPatch;
    payload ClusterPayload;

    reference ClusterRef {
        /// The name of the cluster.
        cluster: String;
    }

    fixed {
        /// The site of the cluster's control plane. It cannot change after the cluster is created.
        control_plane_site: SiteRef;
    }

    fields {
        /// A readable name for people. It need not be unique.
        display_name: String;
        /// The type of the cluster. Defaults to KUBERNETES.
        r#type: ClusterType;
        /// The role of the cluster.
        role: ClusterRole;
        /// The platform that runs the cluster: free text, such as `gke` or `sidero-omni`.
        platform: String;
        /// The address of the cluster's API: an http or https URL.
        endpoint: Url;
    }
}

filter! {
    Cluster: Model;
    filter ClusterFilter, ClusterListFilter;

    values {
        display_name: TextFilter = |cluster| cluster.display_name.as_deref();
        r#type: ClusterTypeFilter = |cluster| Some(cluster.r#type);
        role: ClusterRoleFilter = |cluster| cluster.role;
        platform: TextFilter = |cluster| cluster.platform.as_deref();
        endpoint: TextFilter = |cluster| cluster.endpoint.as_deref();
    }

    references {
        control_plane_site: SiteFilter => Site, Cluster::CONTROL_PLANE_SITE;
    }

    lists {
        devices: DeviceListFilter => Device, Device::CLUSTER;
        virtual_machines: VirtualMachineListFilter => VirtualMachine, VirtualMachine::CLUSTER;
        hosts: HostListFilter => Host, Host::CLUSTER;
    }

    more {}
}

order! {
    Cluster: Model;
    order ClusterOrder, ClusterOrderBy;

    values {
        DisplayName as "displayName": "the display name" = |cluster| cluster.display_name.as_deref();
        Platform as "platform": "the platform" = |cluster| cluster.platform.as_deref();
    }
}
