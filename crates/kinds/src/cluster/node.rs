//! The GraphQL object of a cluster.

use underlay_entity::cluster::{ClusterRole, ClusterType, Model};
use underlay_entity::text::Url;

use crate::device::Device;
use crate::host::Host;
use crate::object;
use crate::site::Site;
use crate::virtual_machine::VirtualMachine;

object! {
    /// A cluster: Kubernetes or hypervisors on devices, which may be at several sites.
    Cluster: Model;

    own {
        /// A readable name for people. It need not be unique.
        display_name: Option<&str> = |cluster| cluster.display_name.as_deref();
        /// The type of the cluster.
        r#type: ClusterType = |cluster| cluster.r#type;
        /// The role of the cluster.
        role: Option<ClusterRole> = |cluster| cluster.role;
        /// The platform that runs the cluster: free text, such as `gke` or `sidero-omni`.
        platform: Option<&str> = |cluster| cluster.platform.as_deref();
        /// The address of the cluster's API: an http or https URL.
        endpoint: Option<Url> = |cluster| cluster.endpoint.clone().map(Url);
    }

    requires {}

    refers {
        /// The site of the cluster's control plane.
        control_plane_site: Site by Cluster::CONTROL_PLANE_SITE;
    }

    lists {
        /// The devices that work for the cluster.
        devices: Device by Device::CLUSTER;
        /// The virtual machines in the cluster.
        virtual_machines: VirtualMachine by VirtualMachine::CLUSTER;
        /// The hosts that the cluster has.
        hosts: Host by Host::CLUSTER;
    }

    more {}
}
