//! The number of values in arguments, with the values of the variables in them. A value is a number, a text, a list, an
//! object, or anything else that is one node of JSON. Nothing is copied, because the variables of a request can be
//! large.

use async_graphql::parser::types::VariableDefinition;
use async_graphql::{Name, Positioned, Value as Constant, Variables};
use async_graphql_value::Value;
use foldhash::HashMap;

/// The variables of an operation, each with the number of its values.
#[derive(Clone, Debug, Default)]
pub struct Sizes<'a>(HashMap<&'a Name, (Option<&'a Constant>, u64)>);

impl<'a> Sizes<'a> {
    /// Counts the values of the variables that an operation defines.
    pub fn new(definitions: &'a [Positioned<VariableDefinition>], variables: &'a Variables) -> Self {
        let size = |definition: &'a Positioned<VariableDefinition>| {
            let name = &definition.node.name.node;
            let value = variables.get(name).or_else(|| definition.node.default_value());
            (name, (value, value.map_or(1, count)))
        };
        Self(definitions.iter().map(size).collect())
    }

    /// Returns the value of a variable: the one that the request gives, or else the default.
    pub fn value(&self, name: &Name) -> Option<&'a Constant> {
        self.0.get(name).and_then(|(value, _)| *value)
    }

    /// Returns the number of values in a value of the document, and adds the number of its variables to `uses`.
    pub fn of(&self, value: &Value, uses: &mut u64) -> u64 {
        match value {
            Value::Variable(name) => {
                *uses = uses.saturating_add(1);
                self.0.get(name).map_or(1, |(_, size)| *size)
            }
            Value::List(list) => list.iter().fold(1, |sum: u64, value| sum.saturating_add(self.of(value, uses))),
            Value::Object(members) => {
                members.values().fold(1, |sum: u64, value| sum.saturating_add(self.of(value, uses)))
            }
            Value::Null
            | Value::Number(_)
            | Value::String(_)
            | Value::Boolean(_)
            | Value::Binary(_)
            | Value::Enum(_) => 1,
        }
    }
}

/// Returns the number of values in a value.
fn count(value: &Constant) -> u64 {
    match value {
        Constant::List(list) => list.iter().map(count).fold(1, u64::saturating_add),
        Constant::Object(members) => members.values().map(count).fold(1, u64::saturating_add),
        Constant::Null
        | Constant::Number(_)
        | Constant::String(_)
        | Constant::Boolean(_)
        | Constant::Binary(_)
        | Constant::Enum(_) => 1,
    }
}

#[cfg(test)]
mod tests {
    use async_graphql::parser::parse_query;
    use async_graphql::parser::types::Selection;
    use serde_json::json;

    use super::*;

    #[test]
    fn a_variable_counts_as_its_value_its_default_or_one() {
        let text =
            "query($given: X, $preset: X = [1, 2], $none: X) { a(x: [$given, $preset, $none, $strange, {y: TRUE}]) }";
        let document = parse_query(text).expect("a document");
        let (_, operation) = document.operations.iter().next().expect("an operation");
        let variables = Variables::from_json(json!({"given": {"a": [true, null], "b": ""}, "strange": [1, 2, 3]}));
        let sizes = Sizes::new(&operation.node.variable_definitions, &variables);
        let Selection::Field(field) = &operation.node.selection_set.node.items[0].node else { panic!("a field") };
        let mut uses = 0;
        let found = sizes.of(&field.node.arguments[0].1.node, &mut uses);
        assert_eq!((found, uses), (1 + 5 + 3 + 1 + 1 + 2, 4));
    }
}
