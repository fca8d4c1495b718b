//! The items of a large batch, on their way around the library: see [`super::exact`].

use std::sync::{LazyLock, Mutex};

use async_graphql::parser::parse_query;
use async_graphql::parser::types::{DocumentOperations, ExecutableDocument, OperationDefinition};
use async_graphql::{Name, Request, Value};
use serde_json::Value as Json;

use super::exact::Inputs;
use crate::kinds::items::{Apart, ApplyItems};

/// The input that has items, and the member that they are.
const INPUT: &str = "ApplyInput";
const ITEMS: &str = "items";
/// The type of an item.
const ITEM: &str = "ApplyItem";

/// Reads a request. Items in its variables that conform to the schema to the letter are kept apart, to be given to the
/// mutation as they are.
///
/// # Errors
/// When it is not JSON, or no request.
pub fn read(body: &[u8]) -> Result<Request, serde_json::Error> {
    let mut whole: Json = serde_json::from_slice(body)?;
    let mut taken = Vec::new();
    for variable in whole.get("query").and_then(Json::as_str).map(inputs).unwrap_or_default() {
        let items = whole.pointer_mut(&format!("/variables/{variable}/{ITEMS}"));
        let Some(Json::Array(items)) = items.filter(|items| conform(items)) else { continue };
        taken.push((variable, std::mem::take(items)));
    }
    let mut request: Request = serde_json::from_value(whole)?;
    let mut apart = Apart::default();
    for (variable, items) in taken {
        if let Some(Value::Object(input)) = request.variables.get_mut(&Name::new(variable)) {
            input.insert(Name::new(ITEMS), ApplyItems::marker(apart.0.len()));
            apart.0.push(Mutex::new(Some(items)));
        }
    }
    Ok(request.data(apart))
}

fn conform(items: &Json) -> bool {
    static INPUTS: LazyLock<Inputs> = LazyLock::new(|| Inputs::of(&super::text()));
    items.as_array().is_some_and(|items| items.iter().all(|item| INPUTS.fits(ITEM, item)))
}

/// The variables of a query that have items and are used once.
fn inputs(query: &str) -> Vec<String> {
    let Ok(document) = parse_query(query) else { return Vec::new() };
    let used_once = |name: &str| query.matches(&format!("${name}")).count() == 2;
    let mut names = Vec::new();
    for operation in operations(&document) {
        let variables = operation.variable_definitions.iter().map(|definition| &definition.node);
        let inputs = variables.filter(|it| it.var_type.node.to_string().trim_end_matches('!') == INPUT);
        names.extend(inputs.map(|it| it.name.node.to_string()).filter(|name| used_once(name)));
    }
    names
}

fn operations(document: &ExecutableDocument) -> Vec<&OperationDefinition> {
    match &document.operations {
        DocumentOperations::Single(operation) => vec![&operation.node],
        DocumentOperations::Multiple(operations) => operations.values().map(|operation| &operation.node).collect(),
    }
}
