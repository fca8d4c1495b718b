//! Completes the variables of an operation before it is executed (GraphQL, section 6.1.2, `CoerceVariableValues`), and
//! checks the conditions of `@skip` and `@include`.
//!
//! The library looks only at the variables that a request sends when it decides what is skipped, and takes a condition
//! that it cannot read as false. So defaults are put into the variables, and a condition that is neither true nor false
//! refuses the request. Guarantee: a selection is executed exactly if the specification says so, whatever the request
//! leaves out; in particular, a mutation that the document skips is never executed.

use async_graphql::parser::types::{BaseType, Directive, Selection, VariableDefinition};
use async_graphql::{Name, Positioned, Value as Constant, Variables};
use async_graphql_value::Value;
use foldhash::{HashSet, HashSetExt as _};
use thiserror::Error;

use super::operation::Operation;
use underlay_error::Code;

/// The reason why an operation cannot be executed with the variables of a request.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
pub enum CoercionError {
    /// A variable that must be given is absent.
    #[error("the variable ${name} of the type {of} is required")]
    Absent { name: String, of: String },
    /// A variable is null, and its type has no null.
    #[error("the variable ${name} must be {of}, not null")]
    Null { name: String, of: String },
    /// A variable of the type Boolean has another value.
    #[error("the variable ${0} must be true or false")]
    NoBoolean(String),
    /// A condition of `@skip` or `@include` is neither true nor false.
    #[error("the argument if of @{0} must be true or false")]
    Condition(String),
}

impl CoercionError {
    /// Returns the error code for clients.
    pub fn code(&self) -> Code {
        Code::Invalid
    }
}

/// Puts the defaults of an operation into the variables that a request left out.
///
/// # Errors
/// Returns an error if a variable is missing or null that must not be, or a Boolean is none. The library checks other
/// types where variables are used.
pub fn complete(operation: Operation<'_>, variables: &mut Variables) -> Result<(), CoercionError> {
    for definition in operation.variables() {
        let VariableDefinition { name, var_type, default_value, .. } = &definition.node;
        let (name, of) = (&name.node, &var_type.node);
        let named = || (name.to_string(), of.to_string());
        match (variables.get(name), default_value) {
            (None, Some(default)) => drop(variables.insert(name.clone(), default.node.clone())),
            (None, None) if of.nullable => {}
            (None, None) => {
                let (name, of) = named();
                return Err(CoercionError::Absent { name, of });
            }
            (Some(Constant::Null), _) if !of.nullable => {
                let (name, of) = named();
                return Err(CoercionError::Null { name, of });
            }
            (Some(Constant::Null | Constant::Boolean(_)), _) => {}
            (Some(_), _) if matches!(&of.base, BaseType::Named(of) if of == "Boolean") => {
                return Err(CoercionError::NoBoolean(name.to_string()));
            }
            (Some(_), _) => {}
        }
    }
    Ok(())
}

/// Checks the conditions of an operation and of the fragments that it uses, with its complete variables.
///
/// # Errors
/// Returns an error if a condition is neither true nor false: it is absent, null, or of another type.
pub fn check_conditions(operation: Operation<'_>, variables: &Variables) -> Result<(), CoercionError> {
    let (mut left, mut seen) = (vec![operation.selections()], HashSet::new());
    while let Some(selections) = left.pop() {
        for selection in &selections.items {
            check(selection.node.directives(), variables)?;
            match &selection.node {
                Selection::Field(field) => left.push(&field.node.selection_set.node),
                Selection::InlineFragment(fragment) => left.push(&fragment.node.selection_set.node),
                Selection::FragmentSpread(spread) => {
                    let name = &spread.node.fragment_name.node;
                    if seen.insert(name) {
                        left.extend(operation.fragment(name).map(|fragment| &fragment.selection_set.node));
                    }
                }
            }
        }
    }
    Ok(())
}

fn check(directives: &[Positioned<Directive>], variables: &Variables) -> Result<(), CoercionError> {
    for Positioned { node: directive, .. } in directives {
        let name: &Name = &directive.name.node;
        let is_condition = matches!(name.as_str(), "skip" | "include");
        let is_boolean = || match directive.get_argument("if").map(|condition| &condition.node) {
            Some(Value::Boolean(_)) => true,
            Some(Value::Variable(variable)) => matches!(variables.get(variable), Some(Constant::Boolean(_))),
            _ => false,
        };
        if is_condition && !is_boolean() {
            return Err(CoercionError::Condition(name.to_string()));
        }
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use async_graphql::parser::parse_query;
    use serde_json::{Value as Json, json};

    use super::*;
    use crate::api::operation;

    /// Completes and checks the operation A of a document; returns the variables, or the error.
    fn completed(text: &str, sent: Json) -> Result<Json, String> {
        let document = parse_query(text).expect("a document");
        let operation = operation(&document, Some("A")).expect("an operation");
        let mut variables = Variables::from_json(sent);
        complete(operation, &mut variables)
            .and_then(|()| check_conditions(operation, &variables))
            .map(|()| serde_json::to_value(&variables).expect("JSON"))
            .map_err(|error| error.to_string())
    }

    /// The table of `CoerceVariableValues`: default, nullability, and what is sent.
    #[test]
    fn variables_are_completed_as_the_specification_says() {
        for (definition, sent, expected) in [
            ("$x: Int", json!({}), Ok(json!({}))),
            ("$x: Int", json!({"x": null}), Ok(json!({"x": null}))),
            ("$x: Int", json!({"x": 1}), Ok(json!({"x": 1}))),
            ("$x: Int = 2", json!({}), Ok(json!({"x": 2}))),
            ("$x: Int = 2", json!({"x": null}), Ok(json!({"x": null}))),
            ("$x: Int = 2", json!({"x": 1}), Ok(json!({"x": 1}))),
            ("$x: Int = null", json!({}), Ok(json!({"x": null}))),
            ("$x: Int!", json!({}), Err("the variable $x of the type Int! is required")),
            ("$x: Int!", json!({"x": null}), Err("the variable $x must be Int!, not null")),
            ("$x: Int!", json!({"x": 1}), Ok(json!({"x": 1}))),
            ("$x: Int! = 2", json!({}), Ok(json!({"x": 2}))),
            ("$x: Int! = 2", json!({"x": null}), Err("the variable $x must be Int!, not null")),
            ("$x: Boolean", json!({"x": "true"}), Err("the variable $x must be true or false")),
            ("$x: Boolean! = true", json!({"x": 0}), Err("the variable $x must be true or false")),
            ("$x: [Boolean!]", json!({"x": [true]}), Ok(json!({"x": [true]}))),
        ] {
            let found = completed(&format!("query A({definition}) {{ a }}"), sent.clone());
            assert_eq!(found, expected.map_err(str::to_owned), "{definition}, {sent}");
        }
    }

    #[test]
    fn a_condition_is_true_or_false() {
        for (text, sent, refused) in [
            ("query A($x: Boolean = true) { a @skip(if: $x) }", json!({}), None),
            ("query A($x: Boolean = true) { a @skip(if: $x) }", json!({"x": null}), Some("skip")),
            ("query A($x: Boolean) { a @include(if: $x) }", json!({}), Some("include")),
            ("query A { a @include(if: $x) }", json!({}), Some("include")),
            ("query A { a { b @skip(if: null) } }", json!({}), Some("skip")),
            ("query A { a { ...F } } fragment F on T { ...F b @skip(if: 1) }", json!({}), Some("skip")),
            ("query A { ... @skip { a } }", json!({}), Some("skip")),
            ("query A { a } query B($x: Boolean!) { b @skip(if: $x) }", json!({}), None),
        ] {
            let expected = refused.map(|name| format!("the argument if of @{name} must be true or false"));
            assert_eq!(completed(text, sent).err(), expected, "{text}");
        }
    }
}
