//! What clients write and ask of clusters.

use underlay_entity::cluster::{ClusterRole, ClusterType, Model};
use underlay_entity::text::Url;

use super::node::Cluster;
use crate::kinds::device::{Device, DeviceListFilter};
use crate::kinds::site::{Site, SiteFilter, SiteRef};
use crate::kinds::virtual_machine::{VirtualMachine, VirtualMachineListFilter};
use crate::read::TextFilter;
use crate::{enum_filter, filter, inputs, order};

enum_filter!(ClusterTypeFilter, ClusterType);
enum_filter!(ClusterRoleFilter, ClusterRole);

inputs! {
    Cluster as cluster;
    input ClusterInput;
    patch ClusterPatch;
    payload ClusterPayload;

    reference ClusterRef {
        /// Its name.
        cluster: String;
    }

    fixed {
        /// The site of its control plane; cannot change once it is created.
        control_plane_site: SiteRef;
    }

    fields {
        /// The name for people.
        display_name: String;
        /// What it is. Default: KUBERNETES.
        r#type: ClusterType;
        /// What it is for.
        role: ClusterRole;
        /// What runs it: free text, such as `gke`, `sidero-omni`.
        platform: String;
        /// The address of its API: an http or https URL.
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
    }

    more {}
}

order! {
    Cluster: Model;
    order ClusterOrder, ClusterOrderBy;

    values {
        DisplayName as "displayName" = |cluster| cluster.display_name.as_deref();
        Platform as "platform" = |cluster| cluster.platform.as_deref();
    }
}
