//! The items of a large batch, on their way around the library: see [`super::exact`].

use std::sync::{LazyLock, Mutex};

use async_graphql::parser::parse_query;
use async_graphql::parser::types::{ExecutableDocument, OperationDefinition};
use async_graphql::{InputType, Name, Request, Value};
use serde_json::Value as Json;

use super::exact::Inputs;
use crate::kinds::ApplyItem;
use crate::kinds::apply::ApplyInput;
use crate::kinds::items::{Apart, ApplyItems};
use crate::store::in_halves;

/// The member of [`ApplyInput`] that holds the items.
const ITEMS: &str = "items";

/// Reads a request, of which the query may be parsed. Items in its variables that conform to the schema to the letter
/// are kept apart, to be given to the mutation as they are.
///
/// # Errors
/// When it is no request.
pub fn read(mut whole: Json) -> Result<Request, serde_json::Error> {
    let query = whole.get("query").and_then(Json::as_str).unwrap_or_default();
    // What cannot be parsed is refused when it is executed.
    let document = parse_query(query).ok();
    let variables = document.as_ref().map(|document| inputs(query, document)).unwrap_or_default();
    let mut taken = Vec::new();
    for variable in variables {
        let items = whole.pointer_mut(&format!("/variables/{variable}/{ITEMS}")).and_then(Json::as_array_mut);
        taken.extend(items.filter(|items| conform(items)).map(|items| (variable, std::mem::take(items))));
    }
    let mut request: Request = serde_json::from_value(whole)?;
    let mut apart = Apart::default();
    for (variable, items) in taken {
        if let Some(Value::Object(input)) = request.variables.get_mut(&Name::new(variable)) {
            input.insert(Name::new(ITEMS), ApplyItems::marker(apart.0.len()));
            apart.0.push(Mutex::new(Some(items)));
        }
    }
    if let Some(document) = document {
        request.set_parsed_query(document);
    }
    Ok(request.data(apart))
}

fn conform(items: &[Json]) -> bool {
    static INPUTS: LazyLock<Inputs> = LazyLock::new(|| Inputs::of(&super::text()));
    let name = ApplyItem::type_name();
    let conform = in_halves(items, items.len(), |items| vec![items.iter().all(|item| INPUTS.fits(&name, item))]);
    conform.into_iter().all(|conform| conform)
}

/// The variables of a query that have items and are used once.
fn inputs(query: &str, document: &ExecutableDocument) -> Vec<String> {
    let used_once = |name: &str| query.matches(&format!("${name}")).count() == 2;
    let variables = |operation: &OperationDefinition| {
        let variables = operation.variable_definitions.iter().map(|definition| &definition.node);
        let inputs =
            variables.filter(|it| it.var_type.node.to_string().trim_end_matches('!') == ApplyInput::type_name());
        inputs.map(|it| it.name.node.to_string()).filter(|name| used_once(name)).collect::<Vec<_>>()
    };
    document.operations.iter().flat_map(|(_, operation)| variables(&operation.node)).collect()
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    fn taken(query: &str, items: Json) -> Vec<usize> {
        let whole = json!({"query": query, "variables": {"input": {"items": items}}});
        let mut request = read(whole).expect("a request");
        let input = request.variables.remove("input");
        let marked = matches!(&input, Some(Value::Object(input)) if matches!(input.get(ITEMS), Some(Value::Binary(_))));
        let apart = request.data.get(&std::any::TypeId::of::<Apart>()).and_then(|apart| apart.downcast_ref::<Apart>());
        let lists = apart
            .expect("what was kept apart")
            .0
            .iter()
            .map(|items| items.lock().expect("a lock").as_ref().map_or(0, Vec::len));
        let lists: Vec<_> = lists.collect();
        assert_eq!(marked, !lists.is_empty());
        lists
    }

    #[test]
    fn items_that_conform_are_kept_apart() {
        let apply = "mutation($input: ApplyInput!) { apply(input: $input) { revision } }";
        let good = json!([{"site": {"name": "a", "type": "EDGE"}}, {"delete": {"ref": {"site": {"site": "b"}}}}]);
        assert_eq!(taken(apply, good.clone()), [2]);
        assert!(taken(apply, json!([{"site": {"name": 7}}])).is_empty(), "the library says what is wrong");
        assert!(taken(apply, json!({"site": {"name": "a"}})).is_empty(), "the library makes a list of it");
        let twice = "mutation($input: ApplyInput!) { a: apply(input: $input) { revision } b: apply(input: $input) { revision } }";
        assert!(taken(twice, good.clone()).is_empty(), "they can be taken once");
        assert!(taken("mutation($input: JSON) { x(input: $input) }", good.clone()).is_empty(), "another input");
        assert!(taken("mutation($input: ApplyInput!) {", good).is_empty(), "no query");
    }
}
