//! The GraphQL schema put together: roots, what a document asks of them, and its text.

mod measure;
mod roots;

use async_graphql::futures_util::stream::BoxStream;
use async_graphql::parser::types::OperationType;
use async_graphql::{Name, Request, Response, Schema, SchemaBuilder};

pub use measure::{Measured, measure};
pub use roots::{Mutation, Query};

use crate::kinds::items::AnyItem;
use crate::kinds::subscription::Subscription;

/// A schema of the library.
type Executable = Schema<Query, Mutation, Subscription>;

/// The API. A mutation is executed on a schema in which the items of a batch can be any values: what is wrong with one
/// item must not refuse the others, and the library checks all arguments before it executes anything. Introspection is
/// a part of queries, so clients see the other schema, which has the types of the items.
#[derive(Clone)]
pub struct Api {
    /// For queries and subscriptions.
    typed: Executable,
    /// For mutations.
    open: Executable,
}

impl Api {
    /// Executes a query or a mutation.
    pub async fn execute(&self, request: impl Into<Request>) -> Response {
        let mut request = request.into();
        let schema = if is_mutation(&mut request) { &self.open } else { &self.typed };
        schema.execute(request).await
    }

    /// Executes a subscription.
    pub fn execute_stream(&self, request: impl Into<Request>) -> BoxStream<'static, Response> {
        self.typed.execute_stream(request)
    }
}

/// Whether a request executes a mutation. A document that cannot be parsed executes nothing.
fn is_mutation(request: &mut Request) -> bool {
    let name = request.operation_name.clone();
    let Ok(document) = request.parsed_query() else { return false };
    let mut operations = document.operations.iter();
    let found = operations.find(|(own, _)| name.is_none() || own.map(Name::as_str) == name.as_deref());
    found.is_some_and(|(_, operation)| operation.node.ty == OperationType::Mutation)
}

/// Puts the schema together.
pub fn build() -> Api {
    Api { typed: builder().finish(), open: builder().register_input_type::<AnyItem>().finish() }
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
