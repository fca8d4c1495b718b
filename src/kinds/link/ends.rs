//! The ends of links.

use async_graphql::{InputObject, OneofObject, Result, Union};
use serde::Serialize;
use uuid::Uuid;

use super::node::Link;
use crate::inventory::{Held, ReferenceId, Targets};
use crate::kinds::cluster::{Cluster, ClusterFilter, ClusterRef};
use crate::kinds::device::{Device, DeviceFilter, DeviceRef};
use crate::kinds::grammar::required;
use crate::kinds::site::{Site, SiteFilter, SiteRef};
use crate::read::{At, any_reference_fits};

/// What a link ends at.
#[derive(Clone, Debug, Union)]
pub enum LinkEnd {
    /// A site.
    Site(Site),
    /// A cluster.
    Cluster(Cluster),
    /// A device.
    Device(Device),
}

impl LinkEnd {
    /// An end of a link.
    pub fn followed(link: &Held<Link>, end: ReferenceId) -> Result<Self> {
        let site = link.follow(end).map(Site).map(Self::Site);
        let cluster = || link.follow(end).map(Cluster).map(Self::Cluster);
        let device = || link.follow(end).map(Device).map(Self::Device);
        required(site.or_else(cluster).or_else(device), "the end of a link")
    }
}

/// Names what a link ends at. Exactly one member is given.
#[derive(Clone, Debug, OneofObject, Serialize)]
#[serde(rename_all = "camelCase")]
pub enum LinkEndInput {
    /// A site.
    Site(SiteRef),
    /// A cluster.
    Cluster(ClusterRef),
    /// A device.
    Device(DeviceRef),
}

/// What is asked of an end of a link.
#[derive(Clone, Debug, Default, InputObject)]
pub struct LinkEndFilter {
    /// It is a site that fits.
    pub site: Option<Box<SiteFilter>>,
    /// It is a cluster that fits.
    pub cluster: Option<Box<ClusterFilter>>,
    /// It is a device that fits.
    pub device: Option<Box<DeviceFilter>>,
}

impl LinkEndFilter {
    /// Whether an end of a link fits.
    pub fn fits(&self, end: ReferenceId, at: At<'_>) -> bool {
        let site = |filter: &SiteFilter| any_reference_fits::<Site, _>(filter, end, at);
        let cluster = |filter: &ClusterFilter| any_reference_fits::<Cluster, _>(filter, end, at);
        let device = |filter: &DeviceFilter| any_reference_fits::<Device, _>(filter, end, at);
        self.site.as_deref().is_none_or(site)
            && self.cluster.as_deref().is_none_or(cluster)
            && self.device.as_deref().is_none_or(device)
    }
}

impl Targets for underlay_entity::link::LinkEnd {
    fn each(&self, visit: &mut dyn FnMut(Uuid)) {
        visit(self.id());
    }
}
