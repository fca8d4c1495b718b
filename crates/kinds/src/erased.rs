//! Root types whose futures are on the heap.

use std::borrow::Cow;

use async_graphql::parser::types::Field;
use async_graphql::registry::Registry;
use async_graphql::resolver_utils::ContainerType;
use async_graphql::{Context, ContextSelectionSet, ObjectType, OutputType, Positioned, ServerResult, Value};
use futures_util::future::BoxFuture;

/// A part of a merged root type whose fields are resolved by futures on the heap.
///
/// The future of a merged type contains the futures of its parts. Without this border the compiler examines the whole
/// write path once for each root field and each level of merged types, which took half of its time. A request makes one
/// more allocation for each root field.
#[derive(Clone, Copy, Debug, Default)]
pub struct Erased<T>(pub T);

impl<T: ObjectType> OutputType for Erased<T> {
    fn type_name() -> Cow<'static, str> {
        T::type_name()
    }

    fn create_type_info(registry: &mut Registry) -> String {
        T::create_type_info(registry)
    }

    async fn resolve(&self, context: &ContextSelectionSet<'_>, field: &Positioned<Field>) -> ServerResult<Value> {
        let resolving: BoxFuture<'_, _> = Box::pin(self.0.resolve(context, field));
        resolving.await
    }
}

impl<T: ObjectType> ContainerType for Erased<T> {
    async fn resolve_field(&self, context: &Context<'_>) -> ServerResult<Option<Value>> {
        let resolving: BoxFuture<'_, _> = Box::pin(self.0.resolve_field(context));
        resolving.await
    }
}

impl<T: ObjectType> ObjectType for Erased<T> {}
