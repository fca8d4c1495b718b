//! What a client asks for over a connection that lasts: one answer, or many.

use std::convert::Infallible;

use async_graphql::parser::types::{
    Directive, ExecutableDocument, OperationDefinition, OperationType, Selection, SelectionSet,
};
use async_graphql::{Name, Positioned, Request, ServerError, Value, Variables};

use crate::http::identity::Asker;

/// A subscription as it was asked for.
#[derive(Clone, Debug)]
pub struct Asked {
    asker: Asker,
    query: String,
    operation: Option<String>,
    variables: Variables,
    key: Key,
}

/// What tells executions apart. Two subscriptions with the same key get the same bytes.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Key {
    /// Whose objects are seen: all who may read see the same otherwise.
    tenant: Option<String>,
    query: String,
    operation: Option<String>,
    variables: String,
}

/// What is asked for.
pub enum Operation {
    /// One answer.
    Once(Box<Request>),
    /// Many.
    Live(Asked),
}

/// The argument that says where to begin; all else decides what is answered.
const AFTER: &str = "after";

/// What somebody's request asks for.
///
/// # Errors
/// When it is a subscription of another form than one field.
pub fn operation(mut request: Request, asker: &Asker) -> Result<Operation, ServerError> {
    let name = request.operation_name.clone();
    // What cannot be parsed is refused when it is executed.
    let Ok(document) = request.parsed_query() else { return Ok(Operation::Once(Box::new(request))) };
    let Some(found) = find(document, name.as_deref()) else { return Ok(Operation::Once(Box::new(request))) };
    if found.ty != OperationType::Subscription {
        return Ok(Operation::Once(Box::new(request)));
    }
    match found.selection_set.node.items.as_slice() {
        [only] if matches!(only.node, Selection::Field(_)) => {}
        _ => return Err(ServerError::new("a subscription has exactly one field at its root", None)),
    }
    let begins_at = begins_at(document, found);
    let Request { query, operation_name: operation, variables, .. } = request;
    let key = Key::of(asker.caller.tenant(), &query, operation.as_deref(), variables.clone(), begins_at.as_ref());
    Ok(Operation::Live(Asked { asker: asker.clone(), query, operation, variables, key }))
}

fn find<'a>(document: &'a ExecutableDocument, name: Option<&str>) -> Option<&'a OperationDefinition> {
    let mut fitting =
        document.operations.iter().filter(|(own, _)| name.is_none() || own.map(|own| own.as_str()) == name);
    match (fitting.next(), fitting.next()) {
        (Some((_, operation)), None) => Some(&operation.node),
        _ => None,
    }
}

impl Asked {
    /// The request, to be executed once more.
    pub fn request(&self) -> Request {
        let request = Request::new(self.query.clone()).variables(self.variables.clone());
        match &self.operation {
            Some(operation) => request.operation_name(operation.clone()),
            None => request,
        }
    }

    /// Who asks.
    pub fn asker(&self) -> &Asker {
        &self.asker
    }

    /// What tells it apart from others.
    pub fn key(&self) -> &Key {
        &self.key
    }
}

impl Key {
    /// Where a subscription begins does not tell it apart: a variable that is used for that alone is left out.
    fn of(
        tenant: Option<&str>,
        query: &str,
        operation: Option<&str>,
        mut variables: Variables,
        begins_at: Option<&Name>,
    ) -> Self {
        if let Some(variable) = begins_at {
            variables.remove(variable);
        }
        Self {
            tenant: tenant.map(str::to_owned),
            query: query.to_owned(),
            operation: operation.map(str::to_owned),
            // In the order of their names; plain values, which can always be written.
            variables: serde_json::to_string(&variables).unwrap_or_default(),
        }
    }
}

/// The variable that says where a subscription begins, if it is used for that alone. A variable that stands anywhere
/// else in the document decides what is answered.
fn begins_at(document: &ExecutableDocument, operation: &OperationDefinition) -> Option<Name> {
    let Selection::Field(field) = &operation.selection_set.node.items.first()?.node else { return None };
    let (_, value) = field.node.arguments.iter().find(|(name, _)| name.node == AFTER)?;
    // Only a variable is written so: a text stands in quotes.
    let variable = Name::new(value.node.to_string().strip_prefix('$')?);
    (Uses::of(&variable, document) == 1).then_some(variable)
}

/// Counts how often a document uses a variable. The walk is as deep as the document, whose nesting is bounded.
struct Uses<'a> {
    variable: &'a Name,
    found: usize,
}

impl<'a> Uses<'a> {
    /// The uses in all operations and fragments of a document.
    fn of(variable: &'a Name, document: &ExecutableDocument) -> usize {
        let mut uses = Self { variable, found: 0 };
        for (_, operation) in document.operations.iter() {
            let operation = &operation.node;
            uses.in_directives(&operation.directives);
            operation.variable_definitions.iter().for_each(|it| uses.in_directives(&it.node.directives));
            uses.in_selection(&operation.selection_set.node);
        }
        for fragment in document.fragments.values() {
            uses.in_directives(&fragment.node.directives);
            uses.in_selection(&fragment.node.selection_set.node);
        }
        uses.found
    }

    fn in_selection(&mut self, set: &SelectionSet) {
        for item in &set.items {
            self.in_directives(item.node.directives());
            match &item.node {
                Selection::Field(field) => {
                    for (_, value) in &field.node.arguments {
                        let _ = value.node.clone().into_const_with(|name| self.see(&name));
                    }
                    self.in_selection(&field.node.selection_set.node);
                }
                Selection::InlineFragment(inline) => self.in_selection(&inline.node.selection_set.node),
                Selection::FragmentSpread(_) => {}
            }
        }
    }

    fn in_directives(&mut self, directives: &[Positioned<Directive>]) {
        for (_, value) in directives.iter().flat_map(|directive| &directive.node.arguments) {
            let _ = value.node.clone().into_const_with(|name| self.see(&name));
        }
    }

    /// Looks at a variable within a value.
    fn see(&mut self, name: &Name) -> Result<Value, Infallible> {
        self.found += usize::from(name == self.variable);
        Ok(Value::Null)
    }
}

#[cfg(test)]
mod tests {
    use std::sync::Arc;

    use serde_json::json;

    use super::*;
    use crate::access::Caller;
    use crate::feed::{Answers, Newest, View};
    use underlay_inventory::{Registry, Snapshot};

    fn anybody() -> Asker {
        let nothing = Snapshot::empty(Arc::new(Registry::new(Vec::new())));
        let view = View::part(Newest::new(nothing), Answers::default());
        Asker { caller: Arc::new(Caller::anybody()), view: Arc::new(view) }
    }

    fn asked(query: &str, name: Option<&str>, variables: serde_json::Value) -> Option<Asked> {
        let request = Request::new(query).variables(Variables::from_json(variables));
        let request = match name {
            Some(name) => request.operation_name(name),
            None => request,
        };
        match operation(request, &anybody()) {
            Ok(Operation::Live(asked)) => Some(asked),
            _ => None,
        }
    }

    #[test]
    fn a_subscription_is_told_from_what_is_answered_once() {
        let none = || json!({});
        assert!(asked("subscription { changes { cursor } }", None, none()).is_some());
        assert!(asked("{ revision }", None, none()).is_none());
        assert!(asked("subscription { changes {", None, none()).is_none(), "what is wrong is said when it is executed");
        let both = "query A { revision } subscription B { changes { cursor } }";
        assert!(asked(both, Some("B"), none()).is_some());
        assert!(asked(both, Some("A"), none()).is_none());
        assert!(asked(both, None, none()).is_none());
    }

    #[test]
    fn a_subscription_has_one_field() {
        for query in [
            "subscription { changes { cursor } more: changes { cursor } }",
            "subscription { ...F } fragment F on Subscription { changes { cursor } }",
            "subscription { ... on Subscription { changes { cursor } } }",
        ] {
            assert!(operation(Request::new(query), &anybody()).is_err(), "{query}");
        }
    }

    #[test]
    fn where_it_begins_does_not_tell_subscriptions_apart() {
        let query = "subscription($after: ChangeCursor, $kinds: [String!]) {
            changes(after: $after, filter: { kinds: $kinds }) { cursor } }";
        let key = |query: &str, variables| asked(query, None, variables).expect("a subscription").key().clone();
        let one = key(query, json!({"after": "1", "kinds": ["Rack"]}));
        assert_eq!(one, key(query, json!({"kinds": ["Rack"], "after": "2"})));
        assert_eq!(one, key(query, json!({"kinds": ["Rack"]})));
        assert_ne!(one, key(query, json!({"after": "1", "kinds": ["Site"]})));
        let of_tenant = Key { tenant: Some("blue".to_owned()), ..one.clone() };
        assert_ne!(one, of_tenant);
        // One that is used for something else too decides what is answered.
        let twice = "subscription($after: String) { changes(after: $after, filter: { sources: [$after] }) { cursor } }";
        assert_ne!(key(twice, json!({"after": "1"})), key(twice, json!({"after": "2"})));
        for elsewhere in [
            // The text of a variable is a dollar, anything that is ignored, and the name.
            "subscription($after: String) { changes(after: $after, filter: { sources: [$ after] }) { cursor } }",
            "subscription($after: String) { changes(after: $ after, filter: { sources: [$,after] }) { cursor } }",
            "subscription($after: String) { changes(after: $after, filter: { sources: [$ # it\nafter] }) { cursor } }",
            "subscription($after: Boolean) { changes(after: $after) { ...F } } fragment F on Event { cursor @skip(if: $ after) }",
            "subscription($after: Boolean) { changes(after: $after) { ... @include(if: $ after) { cursor } } }",
            "subscription($after: Boolean) { changes(after: $after) @skip(if: $ after) { cursor } }",
        ] {
            let keys = [json!({"after": "1"}), json!({"after": "2"})].map(|variables| key(elsewhere, variables));
            assert_ne!(keys[0], keys[1], "{elsewhere}");
        }
        // A name in a comment or a longer name is no use of the variable.
        let alone = "subscription($ after: String, $afterAll: String) { # $after
            changes(after: $ after, filter: { sources: [$afterAll] }) { cursor } }";
        let variables = |after: &str| json!({"after": after, "afterAll": "x"});
        assert_eq!(key(alone, variables("1")), key(alone, variables("2")));
    }
}
