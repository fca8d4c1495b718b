//! The requests that arrive over a long-lived connection. A query or a mutation has one answer; a subscription has
//! many.

use std::convert::Infallible;

use async_graphql::parser::types::{Directive, ExecutableDocument, OperationType, Selection, SelectionSet};
use async_graphql::{Name, Positioned, Request, Value, Variables};

use crate::api::{Operation, operation};
use crate::http::admission::Taken;
use crate::http::identity::Asker;
use crate::http::refusal::Refused;
use crate::http::request::{Parsed, Size};
use underlay_error::Code;

/// A request for a subscription.
#[derive(Clone, Debug)]
pub struct LiveRequest {
    asker: Asker,
    query: String,
    operation: Option<String>,
    variables: Variables,
    /// The size of the request.
    size: Size,
    key: ExecutionKey,
}

/// The identity of an execution. Two subscriptions with the same key get the same bytes.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct ExecutionKey {
    /// The tenant whose objects the subscription sees. Callers of one tenant, or of none, see the same objects.
    tenant: Option<String>,
    query: String,
    operation: Option<String>,
    variables: String,
}

/// The way in which a request is answered.
pub enum Delivery {
    /// With one answer.
    Once(Box<Parsed>),
    /// With an answer for each event.
    Live(LiveRequest),
}

/// The number of executions that a subscription can have at a time: its own, and that of its group.
const MAX_EXECUTIONS: usize = 2;
/// The argument with the position at which a subscription begins. Everything else in a request decides about its answers.
const AFTER: &str = "after";

/// Returns the way in which a request is answered. A request that cannot be parsed is answered once, with its error.
///
/// # Errors
/// Returns an error if the request is a subscription with another number of fields than one.
pub fn delivery(mut parsed: Parsed, asker: &Asker) -> Result<Delivery, Refused> {
    if parsed.operation != Some(OperationType::Subscription) {
        return Ok(Delivery::Once(Box::new(parsed)));
    }
    let name = parsed.request.operation_name.clone();
    let Ok(document) = parsed.request.parsed_query() else { return Ok(Delivery::Once(Box::new(parsed))) };
    let found = operation(document, name.as_deref())?;
    match found.selections().items.as_slice() {
        [only] if matches!(only.node, Selection::Field(_)) => {}
        _ => return Err(Refused::request_error(Code::Invalid, "a subscription has exactly one field at its root")),
    }
    let (begins_at, size) = (begins_at(found), parsed.size);
    let Request { query, operation_name: operation, variables, .. } = parsed.request;
    let key =
        ExecutionKey::of(asker.caller.tenant(), &query, operation.as_deref(), variables.clone(), begins_at.as_ref());
    Ok(Delivery::Live(LiveRequest { asker: asker.clone(), query, operation, variables, size, key }))
}

impl LiveRequest {
    /// Returns the request, to be executed once more.
    pub fn request(&self) -> Request {
        let request = Request::new(self.query.clone()).variables(self.variables.clone());
        match &self.operation {
            Some(operation) => request.operation_name(operation.clone()),
            None => request,
        }
    }

    /// Counts the bytes of a large request once more for each execution that it can have. An execution has a copy of
    /// the request, and lasts for any time.
    ///
    /// # Errors
    /// Returns an error if there is no room.
    pub fn take_copies(&self, body: &mut Taken) -> Result<(), Refused> {
        match self.size {
            Size::Usual => Ok(()),
            Size::Large => body.take(body.bytes().saturating_mul(MAX_EXECUTIONS)),
        }
    }

    /// Returns the size of the request.
    pub fn size(&self) -> Size {
        self.size
    }

    /// Returns the caller with its view.
    pub fn asker(&self) -> &Asker {
        &self.asker
    }

    /// Returns the identity of the execution that answers this request.
    pub fn key(&self) -> &ExecutionKey {
        &self.key
    }
}

impl ExecutionKey {
    /// Creates the key of a subscription. The position at which it begins is no part of the key: a variable that is used
    /// only for the position is left out.
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
            // In the order of their names. Plain values can always be serialized.
            variables: serde_json::to_string(&variables).unwrap_or_default(),
        }
    }
}

/// Returns the variable with the position at which a subscription begins, if it is used only for that. A variable that
/// is used anywhere else in the document decides about the answers.
fn begins_at(operation: Operation<'_>) -> Option<Name> {
    let Selection::Field(field) = &operation.selections().items.first()?.node else { return None };
    let value = field.node.get_argument(AFTER)?;
    // Only a variable is written with a dollar in front: a text stands in quotes.
    let variable = Name::new(value.node.to_string().strip_prefix('$')?);
    (Uses::of(&variable, operation.document()) == 1).then_some(variable)
}

/// Counts the uses of a variable in a document. The recursion is as deep as the document, whose nesting is bounded.
struct Uses<'a> {
    variable: &'a Name,
    found: usize,
}

impl<'a> Uses<'a> {
    /// Returns the number of uses in all operations and fragments of a document.
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

    /// Counts a variable within a value.
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
    use underlay_engine::access::{Caller, Channel};
    use underlay_engine::feed::{Answers, CurrentSnapshot, Observed, View};
    use underlay_inventory::{Registry, Snapshot};

    fn anybody() -> Asker {
        let nothing = Snapshot::empty(Arc::new(Registry::new(Vec::new())));
        let view = View::part(CurrentSnapshot::new(nothing), Answers::default(), Observed::default());
        Asker { caller: Arc::new(Caller::anybody()), view: Arc::new(view), channel: Channel::Plain }
    }

    fn parsed(mut request: Request) -> Parsed {
        let name = request.operation_name.clone();
        let document = request.parsed_query().ok();
        let operation = document.and_then(|document| operation(document, name.as_deref()).ok()).map(Operation::ty);
        Parsed { request, operation, objects: 0, size: Size::Usual }
    }

    fn asked(query: &str, name: Option<&str>, variables: serde_json::Value) -> Option<LiveRequest> {
        let request = Request::new(query).variables(Variables::from_json(variables));
        let request = match name {
            Some(name) => request.operation_name(name),
            None => request,
        };
        match delivery(parsed(request), &anybody()) {
            Ok(Delivery::Live(request)) => Some(request),
            _ => None,
        }
    }

    #[test]
    fn a_subscription_is_distinguished_from_a_query() {
        let none = || json!({});
        assert!(asked("subscription { changes { cursor } }", None, none()).is_some());
        assert!(asked("{ revision }", None, none()).is_none());
        assert!(asked("subscription { changes {", None, none()).is_none(), "the execution reports what is wrong");
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
            assert!(delivery(parsed(Request::new(query)), &anybody()).is_err(), "{query}");
        }
    }

    #[test]
    fn the_start_position_does_not_distinguish_subscriptions() {
        let query = "subscription($after: ChangeCursor, $kinds: [String!]) {
            changes(after: $after, filter: { kinds: $kinds }) { cursor } }";
        let key = |query: &str, variables| asked(query, None, variables).expect("a subscription").key().clone();
        let one = key(query, json!({"after": "1", "kinds": ["Rack"]}));
        assert_eq!(one, key(query, json!({"kinds": ["Rack"], "after": "2"})));
        assert_eq!(one, key(query, json!({"kinds": ["Rack"]})));
        assert_ne!(one, key(query, json!({"after": "1", "kinds": ["Site"]})));
        let of_tenant = ExecutionKey { tenant: Some("blue".to_owned()), ..one.clone() };
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
