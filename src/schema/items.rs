//! The items of a large batch, on their way around the library: see [`super::exact`] and [`super::reading`].

use std::sync::{LazyLock, Mutex};

use async_graphql::parser::parse_query;
use async_graphql::parser::types::{ExecutableDocument, OperationDefinition};
use async_graphql::{InputType, Name, Request, Value};
use serde_json::Value as Json;

use super::exact::Inputs;
use super::reading::Items;
use crate::inventory::Registry;
use crate::kinds;
use crate::kinds::apply::ApplyInput;
use crate::kinds::items::{Apart, ApplyItems, Ready};
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
        let given = whole.pointer_mut(&format!("/variables/{variable}/{ITEMS}")).filter(|items| items.is_array());
        let items = given.and_then(|items| Some((ready(items.as_array()?, Items::read_value)?, items)));
        if let Some((ready, items)) = items {
            *items = Json::Array(Vec::new());
            taken.push((variable, ready));
        }
    }
    request(whole, document, taken)
}

/// Reads a request that has items in a variable, of which the texts are given: something else stands in their place.
/// `None`: they do not conform, or that is not what the variable is for.
///
/// # Errors
/// When it is no request.
pub fn read_apart(whole: Json, variable: &str, items: &[&str]) -> Result<Option<Request>, serde_json::Error> {
    let query = whole.get("query").and_then(Json::as_str).unwrap_or_default();
    let document = parse_query(query).ok();
    let variables = document.as_ref().map(|document| inputs(query, document)).unwrap_or_default();
    let is_input = variables.iter().any(|input| input == variable);
    match is_input.then(|| ready(items, |reading, text| reading.read(text))).flatten() {
        Some(ready) => request(whole, document, vec![(variable.to_owned(), ready)]).map(Some),
        None => Ok(None),
    }
}

/// The request, with the items of some variables apart from it.
fn request(
    whole: Json,
    document: Option<ExecutableDocument>,
    taken: Vec<(String, Vec<Ready>)>,
) -> Result<Request, serde_json::Error> {
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

/// All items as they are written, if all of them conform.
fn ready<T: Sync>(items: &[T], read: impl Fn(&Items, &T) -> Option<Ready> + Sync) -> Option<Vec<Ready>> {
    let reading = reading()?;
    let halves = in_halves(items, items.len(), |items| {
        let ready: Option<Vec<Ready>> = items.iter().map(|item| read(reading, item)).collect();
        vec![ready]
    });
    let halves: Vec<Vec<Ready>> = halves.into_iter().collect::<Option<_>>()?;
    Some(halves.into_iter().flatten().collect())
}

/// What items may be; nothing only if the schema had none.
fn reading() -> Option<&'static Items> {
    static INPUTS: LazyLock<Inputs> = LazyLock::new(|| Inputs::of(&super::text()));
    static REGISTRY: LazyLock<Registry> = LazyLock::new(kinds::registry);
    static READING: LazyLock<Option<Items>> = LazyLock::new(|| Items::of(&INPUTS, &REGISTRY));
    READING.as_ref()
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

    /// How many items are kept apart from a request, list by list. That is the same when their texts are given.
    fn taken(query: &str, items: Json) -> Vec<usize> {
        let whole = |items: &Json| json!({"query": query, "variables": {"input": {"items": items}}});
        let texts: Vec<String> = items.as_array().into_iter().flatten().map(Json::to_string).collect();
        let texts: Vec<&str> = texts.iter().map(String::as_str).collect();
        let apart = read_apart(whole(&json!("a mark")), "input", &texts).expect("a request");
        let taken = kept(read(whole(&items)).expect("a request"));
        if items.is_array() {
            assert_eq!(apart.map(kept).unwrap_or_default(), taken);
        }
        taken.iter().map(|items| items.len()).collect()
    }

    /// The lists of items that are kept apart from a request, each item in words.
    fn kept(mut request: Request) -> Vec<Vec<String>> {
        let input = request.variables.remove("input");
        let marked = matches!(&input, Some(Value::Object(input)) if matches!(input.get(ITEMS), Some(Value::Binary(_))));
        let apart = request.data.get(&std::any::TypeId::of::<Apart>()).and_then(|apart| apart.downcast_ref::<Apart>());
        let words = |items: &Mutex<Option<Vec<Ready>>>| {
            let items = items.lock().expect("a lock").take().expect("items");
            items.iter().map(|item| format!("{item:?}")).collect()
        };
        let lists: Vec<Vec<String>> = apart.expect("what was kept apart").0.iter().map(words).collect();
        assert_eq!(marked, !lists.is_empty());
        lists
    }

    #[test]
    fn an_item_is_the_same_from_its_text_and_from_its_value() {
        let reading = reading().expect("items in the schema");
        for (text, fits) in [
            (
                r#"{"port": {"name": "a", "device": {"site": "s", "device": "d"}, "mtu": 9000, "labels": {"a": "b"}}}"#,
                true,
            ),
            (r#" { "port" : { "name" : "\u0061", "mtu":null, "name":"b" } } "#, true),
            (r#"{"p\u006frt": {}}"#, true),
            (r#"{"delete": {"ref": {"rack": {"rack": "A1"}}}}"#, true),
            (r#"{"port": {"name": "a", "name": 7}}"#, false),
            (r#"{"port": {"speed": 1}}"#, false),
            (r#"{"port": {}, "rack": {}}"#, false),
            (r#"{"port": null}"#, false),
            (r#"{"port": []}"#, false),
            (r#"["port"]"#, false),
            ("{}", false),
            ("7", false),
        ] {
            let value = serde_json::from_str(text).expect("JSON");
            let [from_text, from_value] = [reading.read(text), reading.read_value(&value)].map(|it| format!("{it:?}"));
            assert_eq!((&from_text, from_text != "None"), (&from_value, fits), "{text}");
        }
        for broken in ["", "{", r#"{"port": {}} x"#, r#"{"port": {},}"#, r#"{"port": {"name": tru}}"#] {
            assert!(reading.read(broken).is_none(), "{broken}");
        }
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
