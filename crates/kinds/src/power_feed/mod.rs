//! A power feed: a supply of power to a site or a rack, from another feed or from an outlet, without cycles. A cable
//! can end at a power feed. Its name is unique in its rack, or among the feeds of its site that are in no rack.

mod kind;
mod rules;
mod source;
mod supply;
mod topology;

pub use kind::{
    DESCRIPTION, PowerFeed, PowerFeedFilter, PowerFeedInput, PowerFeedListFilter, PowerFeedMutation, PowerFeedQuery,
    PowerFeedRef, PowerSourceFilter, PowerSourceInput,
};
pub use source::PowerSource;
pub use supply::{cables as check_cables_supply, is_supplied_by, outlets as check_outlets_supply};
pub use topology::TOPOLOGY;
