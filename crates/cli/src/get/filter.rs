//! `--filter`: a filter of the API, written as in GraphQL or as JSON.

use std::str::FromStr;

use async_graphql::parser::parse_query;
use async_graphql::parser::types::Selection;
use serde_json::Value;

/// The maximum number of brackets in a filter. The parser recurses for each of them.
const MAX_BRACKETS: usize = 128;

/// A filter as JSON, for a variable.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct FilterArgument(pub(super) Value);

impl FromStr for FilterArgument {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        if text.matches(['{', '[', '(']).count() > MAX_BRACKETS {
            return Err(format!("the filter has more than {MAX_BRACKETS} brackets"));
        }
        let value = serde_json::from_str(text).ok().or_else(|| graphql(text));
        let filter = value.filter(Value::is_object).map(Self);
        filter.ok_or_else(|| "the filter must be GraphQL or JSON, such as {status: {eq: FAILED}}".to_owned())
    }
}

/// Converts a text from GraphQL syntax. Words without quotation marks become texts, as in variables.
fn graphql(text: &str) -> Option<Value> {
    let document = parse_query(format!("{{ list(filter: {text}) }}")).ok()?;
    let (_, operation) = document.operations.iter().next()?;
    let [selection] = operation.node.selection_set.node.items.as_slice() else { return None };
    let Selection::Field(field) = &selection.node else { return None };
    let [(_, value)] = field.node.arguments.as_slice() else { return None };
    value.node.clone().into_const()?.into_json().ok()
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    #[test]
    fn filters_are_graphql_or_json() {
        let expected =
            json!({"status": {"in": ["FAILED", "OFFLINE"]}, "heightU": {"gte": 40}, "not": {"name": {"eq": "a"}}});
        for text in [
            r#"{status: {in: [FAILED, OFFLINE]}, heightU: {gte: 40}, not: {name: {eq: "a"}}}"#,
            r#"{"status": {"in": ["FAILED", "OFFLINE"]}, "heightU": {"gte": 40}, "not": {"name": {"eq": "a"}}}"#,
        ] {
            assert_eq!(text.parse(), Ok(FilterArgument(expected.clone())));
        }
        let deep = "{a:".repeat(1_000_000);
        for text in ["status=FAILED", "", "[]", "{a: $b}", "{a: 1}) { x } list(filter: {}", "{a: 1}, b: {}", &deep] {
            assert!(text.parse::<FilterArgument>().is_err(), "{:.40}", text);
        }
    }
}
