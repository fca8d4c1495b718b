//! The results of a batch in an answer. There may be 10,000 of them, and none waits for anything: they are put into the
//! answer one after the other, where the library would make them all wait for each other.

use std::borrow::Cow;

use async_graphql::parser::types::Field;
use async_graphql::registry::Registry;
use async_graphql::resolver_utils::resolve_container_serial;
use async_graphql::{ContextSelectionSet, OutputType, Positioned, ServerResult, Value};

use super::apply::ApplyResult;
use crate::read::Turn;

/// What is said of each item, in the order of the items.
#[derive(Clone, Debug)]
pub struct Results(pub Vec<ApplyResult>);

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
        let mut values = Vec::with_capacity(self.0.len());
        let mut turn = Turn::begin();
        for (place, result) in self.0.iter().enumerate() {
            turn.give_way().await;
            let context = context.with_index(place);
            let value = resolve_container_serial(&context, result).await;
            values.push(value.map_err(|error| context.set_error_path(error))?);
        }
        Ok(Value::List(values))
    }
}
