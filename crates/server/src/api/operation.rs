//! This module finds the operation that a request executes. A document can hold several operations; the request then
//! names one of them (GraphQL, section 6.1, `GetOperation`).
//!
//! Guarantee: everything that looks at the operation of a request finds it here, so all of it sees the same one.

use async_graphql::parser::types::{
    Directive, ExecutableDocument, FragmentDefinition, OperationDefinition, OperationType, SelectionSet,
    VariableDefinition,
};
use async_graphql::{Name, Positioned, Value, Variables};
use thiserror::Error;

use underlay_error::Code;

/// The operation that a request executes, with the document that contains it.
#[derive(Clone, Copy, Debug)]
pub struct Operation<'a> {
    document: &'a ExecutableDocument,
    definition: &'a OperationDefinition,
}

/// The reason why a document has no operation to execute.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
pub enum OperationError {
    /// The request names an operation that the document does not have.
    #[error("the document has no operation named {0:?}")]
    Unknown(String),
    /// The request names no operation, and the document does not have exactly one.
    #[error("operationName is required: the document has {0} operations")]
    NameRequired(usize),
}

impl OperationError {
    /// Returns the error code for clients.
    pub fn code(&self) -> Code {
        match self {
            Self::Unknown(_) | Self::NameRequired(_) => Code::Invalid,
        }
    }
}

/// Returns the operation of a document that a request with this operation name executes. A request without a name
/// executes the only operation of its document.
///
/// # Errors
/// Returns an error if no operation has the name, or if a request without a name has several to choose from.
pub fn operation<'a>(document: &'a ExecutableDocument, name: Option<&str>) -> Result<Operation<'a>, OperationError> {
    let mut operations = document.operations.iter();
    let found = match name {
        Some(name) => operations
            .find(|(own, _)| own.is_some_and(|own| own == name))
            .ok_or_else(|| OperationError::Unknown(name.to_owned()))?,
        None => match (operations.next(), operations.next()) {
            (Some(only), None) => only,
            _ => return Err(OperationError::NameRequired(document.operations.iter().count())),
        },
    };
    let (_, definition) = found;
    Ok(Operation { document, definition: &definition.node })
}

impl<'a> Operation<'a> {
    /// Returns the type of the operation: query, mutation or subscription.
    pub fn ty(self) -> OperationType {
        self.definition.ty
    }

    /// Returns the document that contains the operation.
    pub fn document(self) -> &'a ExecutableDocument {
        self.document
    }

    /// Returns the selections at the root of the operation.
    pub fn selections(self) -> &'a SelectionSet {
        &self.definition.selection_set.node
    }

    /// Returns the directives of the operation itself.
    pub fn directives(self) -> &'a [Positioned<Directive>] {
        &self.definition.directives
    }

    /// Returns the fragment with this name, if the document has one.
    pub fn fragment(self, name: &Name) -> Option<&'a FragmentDefinition> {
        self.document.fragments.get(name).map(|fragment| &fragment.node)
    }

    /// Returns the definitions of the variables of the operation.
    pub fn variables(self) -> &'a [Positioned<VariableDefinition>] {
        &self.definition.variable_definitions
    }

    /// Returns the value of a variable of the operation: the one that the request gives, or else the default. A nullable
    /// variable without either is null. Returns `None` if the variable must be given, or does not exist.
    pub fn variable(self, name: &Name, values: &'a Variables) -> Option<&'a Value> {
        let defined = || self.variables().iter().find(|it| it.node.name.node == *name);
        values.get(name).or_else(|| defined()?.node.default_value())
    }
}

#[cfg(test)]
mod tests {
    use async_graphql::parser::parse_query;
    use serde_json::json;

    use super::*;

    const THREE: &str = "query A { a } mutation B { b } subscription C { c }";

    fn found(text: &str, name: Option<&str>) -> Result<OperationType, String> {
        let document = parse_query(text).expect("a document");
        operation(&document, name).map(Operation::ty).map_err(|error| error.to_string())
    }

    #[test]
    fn the_only_operation_runs_without_a_name() {
        for (text, ty) in [
            ("{ a }", OperationType::Query),
            ("query A { a }", OperationType::Query),
            ("mutation { a } fragment F on A { a }", OperationType::Mutation),
            ("subscription S { a }", OperationType::Subscription),
        ] {
            assert_eq!(found(text, None), Ok(ty), "{text}");
        }
        assert_eq!(found(THREE, None), Err("operationName is required: the document has 3 operations".to_owned()));
    }

    #[test]
    fn the_named_operation_runs() {
        let named = [("A", OperationType::Query), ("B", OperationType::Mutation), ("C", OperationType::Subscription)];
        for (name, ty) in named {
            assert_eq!(found(THREE, Some(name)), Ok(ty), "{name}");
        }
        for (text, name) in
            [(THREE, "D"), (THREE, "a"), (THREE, ""), ("{ a }", "A"), ("{ a }", ""), ("query A { a }", "B")]
        {
            assert_eq!(found(text, Some(name)), Err(format!("the document has no operation named {name:?}")), "{text}");
        }
    }

    #[test]
    fn a_variable_has_its_value_or_its_default() {
        let text = "query A($a: Int = 1, $b: Int!, $c: Int = 3, $d: Int) { a } query B($b: Int! = 2) { b }";
        let document = parse_query(text).expect("a document");
        let operation = operation(&document, Some("A")).expect("an operation");
        let values = Variables::from_json(json!({"a": 7, "c": null}));
        let value = |name: &str| operation.variable(&Name::new(name), &values);
        assert_eq!((value("a"), value("b"), value("c")), (Some(&7.into()), None, Some(&Value::Null)));
        assert_eq!((value("d"), value("e")), (Some(&Value::Null), None));
        assert_eq!(operation.variable(&Name::new("c"), &Variables::default()), Some(&3.into()));
    }
}
