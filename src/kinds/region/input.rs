//! What clients write and ask of regions.

use underlay_entity::place::Coordinates;
use underlay_entity::region::Model;

use super::node::Region;
use crate::kinds::site::{Site, SiteListFilter};
use crate::read::TextFilter;
use crate::{filter, inputs, order};

inputs! {
    Region as region;
    input RegionInput;
    patch RegionPatch;
    payload RegionPayload;

    reference RegionRef {
        /// Its name.
        region: String;
    }

    fixed {}

    fields {
        /// The name for people.
        display_name: String;
        /// The region that it is a part of; not itself or a part of it.
        parent: RegionRef;
        /// Where it is.
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
        DisplayName as "displayName" = |region| region.display_name.as_deref();
    }
}
