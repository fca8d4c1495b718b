//! A power feed: a supply of power to a site or a rack, from another feed or from an outlet, without cycles. A cable
//! can end at a power feed. Its name is unique in its rack, or among the feeds of its site that are in no rack.

mod api;
mod describe;
mod input;
mod node;
mod rules;
mod source;
mod supply;
mod topology;

pub use api::{PowerFeedMutation, PowerFeedQuery};
pub use describe::DESCRIPTION;
pub use input::{
    PowerFeedFilter, PowerFeedInput, PowerFeedListFilter, PowerFeedRef, PowerSourceFilter, PowerSourceInput,
};
pub use node::PowerFeed;
pub use source::PowerSource;
pub use supply::{cables as check_cables_supply, is_supplied_by, outlets as check_outlets_supply};
pub use topology::TOPOLOGY;
