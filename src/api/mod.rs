//! This module builds the GraphQL schema from its root types, measures documents against it, and writes its text.

pub mod lines;
mod measure;
mod roots;

use async_graphql::futures_util::stream::BoxStream;
use async_graphql::{Request, Response, Schema, SchemaBuilder};

pub use measure::{Measured, measure};
pub use roots::{Mutation, Query};

use crate::kinds::subscription::Subscription;

/// The API: the schema that executes requests.
#[derive(Clone)]
pub struct Api(Schema<Query, Mutation, Subscription>);

impl Api {
    /// Executes a query or a mutation.
    pub async fn execute(&self, request: impl Into<Request>) -> Response {
        self.0.execute(request).await
    }

    /// Executes a subscription.
    pub fn execute_stream(&self, request: impl Into<Request>) -> BoxStream<'static, Response> {
        self.0.execute_stream(request)
    }
}

/// Puts the schema together.
pub fn build() -> Api {
    Api(builder().finish())
}

fn builder() -> SchemaBuilder<Query, Mutation, Subscription> {
    Schema::build(Query::default(), Mutation::default(), Subscription)
        .register_output_type::<crate::kinds::Object>()
        // What it may ask for was measured before. This is for the walk of the library itself.
        .limit_recursive_depth(measure::DEEPEST)
}

/// Makes what the first requests would wait for otherwise: it is worked out from the text of the schema.
pub fn prepare() {
    measure::prepare();
}

/// The text of the schema: what `schema.graphql` holds.
pub fn text() -> String {
    let mut text = builder().finish().sdl();
    while text.ends_with('\n') {
        text.pop();
    }
    text.push('\n');
    text
}
