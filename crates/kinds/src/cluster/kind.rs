//! Declares a cluster.

use underlay_entity::cluster::{ClusterRole, ClusterType, Model};
use underlay_entity::text::Url;
use underlay_kind_derive::{kind, resolvers};
use underlay_read::{TextFilter, enum_filter};

use super::topology::TOPOLOGY;
use crate::common::{URL, url};
use crate::device::{Device, DeviceListFilter};
use crate::host::{Host, HostListFilter};
use crate::site::{Site, SiteFilter, SiteRef};
use crate::virtual_machine::{VirtualMachine, VirtualMachineListFilter};

enum_filter!(ClusterTypeFilter, ClusterType);
enum_filter!(ClusterRoleFilter, ClusterRole);

/// A cluster: Kubernetes or hypervisors on devices, which may be at several sites.
#[kind(
    id = CLUSTER,
    row = Model,
    reference(cluster = "The name of the cluster."),
    searched(display_name),
)]
pub struct Cluster {
    /// A readable name for people. It need not be unique.
    #[field(6, filter, order("the display name"))]
    display_name: Option<String>,

    /// The type of the cluster.
    #[written = "Defaults to KUBERNETES."]
    #[field(7, filter)]
    r#type: ClusterType,

    /// The role of the cluster.
    #[field(8, filter)]
    role: Option<ClusterRole>,

    /// The site of the cluster's control plane.
    #[written = "It cannot change after the cluster is created."]
    #[reference(9, filter, immutable, placing)]
    control_plane_site: Option<Site>,

    /// The platform that runs the cluster: free text, such as `gke` or `sidero-omni`.
    #[field(10, filter, order("the platform"))]
    platform: Option<String>,

    /// The address of the cluster's API: an http or https URL.
    #[field(
        11,
        shape = URL,
        output(Option<Url>, |row| row.endpoint.clone().map(Url)),
        filter(TextFilter, |row| row.endpoint.as_deref()),
        normalised(url),
    )]
    endpoint: Option<Url>,

    /// The devices that work for the cluster.
    #[list(Device::CLUSTER, filter)]
    devices: Vec<Device>,

    /// The virtual machines in the cluster.
    #[list(VirtualMachine::CLUSTER, filter)]
    virtual_machines: Vec<VirtualMachine>,

    /// The hosts that the cluster has.
    #[list(Host::CLUSTER, filter)]
    hosts: Vec<Host>,
}

#[resolvers]
impl Cluster {}
