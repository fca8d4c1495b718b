//! The GraphQL root fields that read and write sites.

use super::input::{SiteInput, SitePatch, SitePayload};
use super::node::Site;
use crate::roots;

roots! {
    Site;
    query SiteQuery { site(), sites }
    mutation SiteMutation { create_site, update_site, delete_site }
    with SiteInput, SitePatch, SitePayload { site }
}
