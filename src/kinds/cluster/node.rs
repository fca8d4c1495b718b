//! A cluster in the API.

use underlay_entity::cluster::{ClusterRole, ClusterType, Model};
use underlay_entity::text::Url;

use crate::kinds::device::Device;
use crate::kinds::site::Site;
use crate::kinds::virtual_machine::VirtualMachine;
use crate::object;

object! {
    /// A cluster: Kubernetes or hypervisors, made of devices.
    Cluster: Model;

    own {
        /// The name for people.
        display_name: Option<&str> = |cluster| cluster.display_name.as_deref();
        /// What it is.
        r#type: ClusterType = |cluster| cluster.r#type;
        /// What it is for.
        role: Option<ClusterRole> = |cluster| cluster.role;
        /// What runs it: free text, such as `gke`, `sidero-omni`.
        platform: Option<&str> = |cluster| cluster.platform.as_deref();
        /// The address of its API: an http or https URL.
        endpoint: Option<Url> = |cluster| cluster.endpoint.clone().map(Url);
    }

    requires {}

    refers {
        /// The site of its control plane.
        control_plane_site: Site by Cluster::CONTROL_PLANE_SITE;
    }

    lists {
        /// The devices that work for it.
        devices: Device by Device::CLUSTER;
        /// The virtual machines in it.
        virtual_machines: VirtualMachine by VirtualMachine::CLUSTER;
    }

    more {}
}
