//! The GraphQL schema put together: roots, limits, and its text.

mod exact;
mod items;
mod roots;

use async_graphql::Schema;

pub use items::read as read_request;
pub use roots::{Mutation, Query};

use crate::kinds::subscription::Subscription;

/// How deep a query may be nested.
const MOST_DEPTH: usize = 16;
/// How many fields a query may have, as the library counts them: nested lists are counted once.
const MOST_COMPLEXITY: usize = 2_000;

/// The schema of the API.
pub type Api = Schema<Query, Mutation, Subscription>;

/// Puts the schema together.
pub fn build() -> Api {
    Schema::build(Query::default(), Mutation::default(), Subscription)
        .register_output_type::<crate::kinds::Object>()
        .limit_depth(MOST_DEPTH)
        .limit_complexity(MOST_COMPLEXITY)
        .finish()
}

/// The text of the schema: what `schema.graphql` holds.
pub fn text() -> String {
    let mut text = build().sdl();
    while text.ends_with('\n') {
        text.pop();
    }
    text.push('\n');
    text
}
