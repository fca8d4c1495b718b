//! This module builds the GraphQL schema from its root types, finds the operation that a request executes, measures it
//! against the schema, and writes the text of the schema.
//!
//! The root types are the one model of the schema: what executes requests, what measures them, and the text of the
//! schema are all made of the description that the library makes of these types.

mod coercion;
mod expansion;
mod filters;
mod introspection;
mod measure;
mod operation;
mod roots;
mod variables;
mod viewer;

use async_graphql::futures_util::stream::BoxStream;
use async_graphql::registry::Registry;
use async_graphql::{
    OutputType as _, Request, Response, SDLExportOptions, Schema, SchemaBuilder, SubscriptionType as _,
};

pub use coercion::{CoercionError, check_conditions, complete};
pub use expansion::ExpansionError;
pub use filters::{FilterError, check_filters};
pub use measure::{Bounds, QueryCost, measure};
pub use operation::{Operation, OperationError, operation};
pub use roots::{Mutation, Query};

use underlay_kinds::subscription::Subscription;

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

/// The description of the scalar of times.
const DATE_TIME: &str = "A time, as `2026-11-20T12:25:33.123456Z`: a `date-time` of RFC 3339. Answers are in UTC.";

/// Builds the schema.
pub fn build() -> Api {
    Api(builder().finish())
}

fn builder() -> SchemaBuilder<Query, Mutation, Subscription> {
    Schema::build(Query::default(), Mutation::default(), Subscription)
        .register_output_type::<underlay_kinds::Object>()
        // The library knows the type, and its description says nothing of our API.
        .override_output_type_description::<chrono::DateTime<chrono::Utc>>(DATE_TIME)
        .data(underlay_kinds::reports::ReportPace::default())
        // The size of a document was checked before. This limit is for the recursion of the library itself.
        .limit_recursive_depth(expansion::MAX_DEPTH)
}

/// The description of all types of the schema, as the library makes it for the schema itself.
fn types() -> Registry {
    let mut types = Registry::default();
    Query::create_type_info(&mut types);
    Mutation::create_type_info(&mut types);
    Subscription::create_type_info(&mut types);
    underlay_kinds::Object::create_type_info(&mut types);
    types
}

/// Makes the description of the types, for which the first request would have to wait otherwise.
pub fn prepare() {
    measure::prepare();
}

/// Returns the text of the schema, which `schema.graphql` holds.
pub fn text() -> String {
    let mut text = builder().finish().sdl_with_options(SDLExportOptions::new().include_specified_by());
    while text.ends_with('\n') {
        text.pop();
    }
    text.push('\n');
    text
}
