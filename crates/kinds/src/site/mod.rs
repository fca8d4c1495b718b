//! A site: a data centre, an availability zone, an edge location or a virtual place. A site may be in a region, and a
//! provider may run it. It contains locations, racks, power feeds and devices. Its name is unique over all sites.

mod kind;
mod topology;

pub use kind::{DESCRIPTION, Site, SiteFilter, SiteInput, SiteListFilter, SiteMutation, SiteQuery, SiteRef};
pub use topology::TOPOLOGY;
