//! The GraphQL inputs, filters and sort orders of regions.

use underlay_entity::place::Coordinates;
use underlay_entity::region::Model;

use super::node::Region;
use crate::site::{Site, SiteListFilter};
use crate::{filter, inputs, order};
use underlay_read::TextFilter;

inputs! {
    Region as region;
    input RegionInput;
    patch RegionPatch;
    payload RegionPayload;

    reference RegionRef {
        /// The name of the region.
        region: String;
    }

    fixed {}

    fields {
        /// A readable name for people. It need not be unique.
        display_name: String;
        /// The parent region. It must not be the region itself or one beneath it.
        parent: RegionRef;
        /// The geographic coordinates of the region.
        coordinates: Coordinates;
    }
}

filter! {
    Region: Model;
    filter RegionFilter, RegionListFilter;

    values {
        display_name: TextFilter = |region| region.display_name.as_deref();
    }

    references {
        parent: RegionFilter => Region, Region::PARENT;
    }

    lists {
        children: RegionListFilter => Region, Region::PARENT;
        sites: SiteListFilter => Site, Site::REGION;
    }

    more {}
}

order! {
    Region: Model;
    order RegionOrder, RegionOrderBy;

    values {
        DisplayName as "displayName": "the display name" = |region| region.display_name.as_deref();
    }
}
