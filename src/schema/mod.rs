//! The GraphQL schema put together: roots, what a document asks of them, and its text.

mod exact;
mod items;
mod measure;
mod reading;
mod roots;

use async_graphql::Schema;

pub use items::{read as read_request, read_apart as read_request_apart};
pub use measure::{Measured, measure};
pub use roots::{Mutation, Query};

use crate::kinds::subscription::Subscription;

/// The schema of the API.
pub type Api = Schema<Query, Mutation, Subscription>;

/// Puts the schema together.
pub fn build() -> Api {
    Schema::build(Query::default(), Mutation::default(), Subscription)
        .register_output_type::<crate::kinds::Object>()
        // What it may ask for was measured before. This is for the walk of the library itself.
        .limit_recursive_depth(measure::DEEPEST)
        .finish()
}

/// Makes what the first requests would wait for otherwise: it is worked out from the text of the schema.
pub fn prepare() {
    measure::prepare();
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
