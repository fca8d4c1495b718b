//! A power feed: a supply of power to a site or a rack, from another feed or from an outlet, without cycles. A cable
//! can end at a power feed. Its name is unique in its rack, or among the feeds of its site that are in no rack.

mod api;
mod describe;
mod input;
mod node;
mod rules;
mod source;
mod topology;

pub use api::{PowerFeedMutation, PowerFeedQuery};
pub use describe::DESCRIPTION;
pub use input::{
    PowerFeedFilter, PowerFeedInput, PowerFeedListFilter, PowerFeedRef, PowerSourceFilter, PowerSourceInput,
};
pub use node::PowerFeed;
pub use source::PowerSource;
pub use topology::TOPOLOGY;
