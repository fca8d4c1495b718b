//! A site: a data centre, an availability zone, an edge location or a virtual place. A site may be in a region, and a
//! provider may run it. It contains locations, racks, power feeds and devices. Its name is unique over all sites.

mod api;
mod describe;
mod input;
mod node;
mod topology;

pub use api::{SiteMutation, SiteQuery};
pub use describe::DESCRIPTION;
pub use input::{SiteFilter, SiteInput, SiteListFilter, SiteRef};
pub use node::Site;
pub use topology::TOPOLOGY;
