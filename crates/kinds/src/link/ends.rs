//! The ends of links: sites, clusters and devices.

use async_graphql::{InputObject, OneofObject, Result, Union};
use serde::Serialize;

use super::kind::Link;
use crate::cluster::{Cluster, ClusterFilter, ClusterRef};
use crate::device::{Device, DeviceFilter, DeviceRef};
use crate::grammar::required;
use crate::site::{Site, SiteFilter, SiteRef};
use underlay_inventory::{Held, ReferenceId};
use underlay_read::{At, Nests, any_reference_fits};

/// An object that a link ends at.
#[derive(Clone, Debug, Union)]
pub enum LinkEnd {
    /// A site that the link ends at.
    Site(Site),
    /// A cluster that the link ends at.
    Cluster(Cluster),
    /// A device that the link ends at.
    Device(Device),
}

impl LinkEnd {
    /// Returns an end of a link.
    pub fn followed(link: &Held<Link>, end: ReferenceId) -> Result<Self> {
        let site = link.follow(end).map(Site).map(Self::Site);
        let cluster = || link.follow(end).map(Cluster).map(Self::Cluster);
        let device = || link.follow(end).map(Device).map(Self::Device);
        required(site.or_else(cluster).or_else(device), "the end of a link")
    }
}

/// Names an object that a link ends at. Exactly one member must be given.
#[derive(Clone, Debug, OneofObject, Serialize)]
#[serde(rename_all = "camelCase")]
pub enum LinkEndInput {
    /// A site that the link ends at.
    Site(SiteRef),
    /// A cluster that the link ends at.
    Cluster(ClusterRef),
    /// A device that the link ends at.
    Device(DeviceRef),
}

/// A condition on an end of a link. All given members must match.
#[derive(Clone, Debug, Default, InputObject)]
pub struct LinkEndFilter {
    /// The end is a site that matches.
    pub site: Option<Box<SiteFilter>>,
    /// The end is a cluster that matches.
    pub cluster: Option<Box<ClusterFilter>>,
    /// The end is a device that matches.
    pub device: Option<Box<DeviceFilter>>,
}

impl Nests for LinkEndFilter {
    fn nesting(&self) -> usize {
        1 + self.site.nesting().max(self.cluster.nesting()).max(self.device.nesting())
    }
}

impl LinkEndFilter {
    /// Returns true if an end of a link matches.
    pub fn fits(&self, end: ReferenceId, at: At<'_>) -> bool {
        let site = |filter: &SiteFilter| any_reference_fits::<Site, _>(filter, end, at);
        let cluster = |filter: &ClusterFilter| any_reference_fits::<Cluster, _>(filter, end, at);
        let device = |filter: &DeviceFilter| any_reference_fits::<Device, _>(filter, end, at);
        self.site.as_deref().is_none_or(site)
            && self.cluster.as_deref().is_none_or(cluster)
            && self.device.as_deref().is_none_or(device)
    }
}
