//! The GraphQL root fields that read and write power feeds.

use super::input::{PowerFeedInput, PowerFeedPatch, PowerFeedPayload};
use super::node::PowerFeed;
use crate::roots;

roots! {
    PowerFeed;
    query PowerFeedQuery {
        power_feed(
            /// The name of the power feed's site.
            site: String,
            /// The name of the power feed's rack.
            rack: String,
        ),
        power_feeds
    }
    mutation PowerFeedMutation { create_power_feed, update_power_feed, delete_power_feed }
    with PowerFeedInput, PowerFeedPatch, PowerFeedPayload { power_feed }
}
