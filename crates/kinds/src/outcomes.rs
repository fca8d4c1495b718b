//! Puts the results of a batch into an answer. There can be 10,000 results, and none of them waits for anything. They
//! are resolved at once on two threads, because the GraphQL library would resolve them one by one.

use std::borrow::Cow;
use std::sync::Arc;

use async_graphql::parser::types::Field;
use async_graphql::registry::Registry;
use async_graphql::resolver_utils::resolve_container_serial;
use async_graphql::{ContextSelectionSet, OutputType, Positioned, ServerError, ServerResult, Value};
use futures_util::FutureExt;

use super::apply_result::ApplyResult;
use underlay_engine::runtime::{block_in_place, parallel};
use underlay_engine::write::WriteAnswer;

/// The results of the items of a batch, in the order of the items.
#[derive(Clone, Debug)]
pub struct Results(pub Arc<WriteAnswer>);

impl OutputType for Results {
    fn type_name() -> Cow<'static, str> {
        Vec::<ApplyResult>::type_name()
    }

    fn qualified_type_name() -> String {
        Vec::<ApplyResult>::qualified_type_name()
    }

    fn create_type_info(registry: &mut Registry) -> String {
        Vec::<ApplyResult>::create_type_info(registry)
    }

    async fn resolve(&self, context: &ContextSelectionSet<'_>, _: &Positioned<Field>) -> ServerResult<Value> {
        let outcomes = &self.0.outcomes;
        let indices: Vec<usize> = (0..outcomes.len()).collect();
        let value = |index: usize| {
            let context = context.with_index(index);
            let value = resolve_container_serial(&context, &ApplyResult::from(&outcomes[index])).now_or_never();
            let value = value.unwrap_or_else(|| Err(ServerError::new("a result waits for something", None)));
            value.map_err(|error| context.set_error_path(error))
        };
        let values =
            || parallel(&indices, indices.len(), |indices| indices.iter().map(|index| value(*index)).collect());
        block_in_place(values).into_iter().collect::<ServerResult<_>>().map(Value::List)
    }
}
