//! The order of the fields of an answer. The specification of GraphQL demands the order of the request. The library
//! puts fields in the order in which they were resolved, so a field that takes long or fails comes late.

use async_graphql::indexmap::IndexMap;
use async_graphql::parser::types::{Directive, Selection, SelectionSet};
use async_graphql::{Name, Positioned, Value, Variables};
use async_graphql_value::Value as Argument;

use crate::api::Operation;

/// The most selections that are read. Fragments that spread each other could ask for any number.
const MAX_SELECTIONS: usize = 100_000;
/// The greatest depth to which selections are followed. Fragments that were not validated can form a cycle.
const MAX_DEPTH: usize = 64;

/// The fields of an object in the order of the request.
#[derive(Debug, Default)]
pub struct Order {
    fields: Vec<Field>,
    /// The number of fragments, without [`ALWAYS`].
    fragments: Fragment,
    /// The order of the object in a field, of those fields that have selections.
    within: IndexMap<Name, Self>,
    /// True if the fields of each fragment are adjacent.
    has_runs: bool,
}

/// A field as a selection names it.
#[derive(Debug)]
struct Field {
    /// The name in the answer.
    name: Name,
    /// The fragment that selects it.
    fragment: Fragment,
    /// The index in [`Order::within`], so that it need not be looked up for each object.
    within: Option<usize>,
}

/// The number of a fragment in an object. [`ALWAYS`] stands for the fields that are selected of every object. A fragment
/// applies to the objects that have all of its fields.
type Fragment = usize;
const ALWAYS: Fragment = 0;

impl Order {
    /// Returns the order that an operation asks for with these variables.
    pub fn of(operation: Operation<'_>, variables: &Variables) -> Self {
        Self::read(operation, variables).0
    }

    /// Returns the order that an operation asks for, if it is the same with all variables.
    pub fn of_any(operation: Operation<'_>) -> Option<Self> {
        let (order, is_conditional) = Self::read(operation, &Variables::default());
        (!is_conditional).then_some(order)
    }

    /// Returns the order, and true if it depends on directives.
    fn read(operation: Operation<'_>, variables: &Variables) -> (Self, bool) {
        let mut order = Self::default();
        let mut reading = Reading { operation, variables, left: MAX_SELECTIONS, is_conditional: false };
        reading.collect(operation.selections(), ALWAYS, &mut order, 0);
        order.find_runs();
        (order, reading.is_conditional)
    }

    fn find_runs(&mut self) {
        let mut seen = vec![false; self.fragments + 1];
        let begins = |run: &[Field]| run[0].fragment;
        let stand_together =
            self.runs().map(begins).all(|run| run == ALWAYS || !std::mem::replace(&mut seen[run], true));
        self.has_runs = stand_together;
        self.within.values_mut().for_each(Self::find_runs);
    }

    /// Returns the runs of adjacent fields of one fragment.
    fn runs(&self) -> impl Iterator<Item = &[Field]> {
        self.fields.chunk_by(|one, next| one.fragment == next.fragment)
    }

    /// Sorts the fields of a value, and of all objects in it.
    pub fn put(&self, value: &mut Value) {
        match value {
            Value::List(list) => list.iter_mut().for_each(|value| self.put(value)),
            Value::Object(members) => self.put_members(members),
            _ => {}
        }
    }

    fn put_members(&self, members: &mut IndexMap<Name, Value>) {
        if self.is_as_asked(members) {
            for (field, member) in self.fields.iter().zip(members.values_mut()) {
                if let Some((_, order)) = field.within.and_then(|at| self.within.get_index(at)) {
                    order.put(member);
                }
            }
            return;
        }
        for (name, order) in &self.within {
            if let Some(member) = members.get_mut(name) {
                order.put(member);
            }
        }
        if !self.is_in_runs(members) && !self.is_kept(members) {
            self.sort(members);
        }
    }

    /// Returns true if an object has exactly the fields of the request, in order. Most objects do.
    fn is_as_asked(&self, members: &IndexMap<Name, Value>) -> bool {
        members.len() == self.fields.len() && members.keys().zip(&self.fields).all(|(name, field)| *name == field.name)
    }

    /// Returns true if an object has the fields of some fragments in order, one whole fragment after the other. Objects of
    /// one type among several do.
    fn is_in_runs(&self, members: &IndexMap<Name, Value>) -> bool {
        if !self.has_runs {
            return false;
        }
        let mut left = members.len();
        let mut names = members.keys();
        for run in self.runs() {
            let fits = run.len() <= left && run.iter().zip(names.clone()).all(|(field, name)| field.name == *name);
            match fits {
                true => {
                    left -= run.len();
                    names.by_ref().take(run.len()).for_each(drop);
                }
                // The run may be elsewhere in the object.
                false if run[0].fragment == ALWAYS || run.iter().all(|it| members.contains_key(&it.name)) => {
                    return false;
                }
                false => {}
            }
        }
        left == 0
    }

    /// Returns true if the fields of an object are in order.
    fn is_kept(&self, members: &IndexMap<Name, Value>) -> bool {
        let mut seen = 0;
        for field in &self.fields {
            match members.get_index_of(&field.name) {
                Some(at) if at < seen => {}
                Some(at) if at == seen && field.fragment == ALWAYS => seen += 1,
                // The field is missing, comes later, or depends on the type of the object.
                _ => return false,
            }
        }
        seen == members.len()
    }

    fn sort(&self, members: &mut IndexMap<Name, Value>) {
        let mut is_of = vec![true; self.fragments + 1];
        for Field { name, fragment, .. } in &self.fields {
            is_of[*fragment] &= *fragment == ALWAYS || members.contains_key(name);
        }
        let mut sorted = IndexMap::with_capacity(members.len());
        for Field { name, .. } in self.fields.iter().filter(|field| is_of[field.fragment]) {
            if let Some((name, value)) = members.swap_remove_entry(name) {
                sorted.insert(name, value);
            }
        }
        sorted.append(members);
        *members = sorted;
    }
}

/// Reads the selections of an operation.
struct Reading<'a> {
    operation: Operation<'a>,
    variables: &'a Variables,
    left: usize,
    /// True if a directive may leave a selection out.
    is_conditional: bool,
}

impl Reading<'_> {
    fn collect(&mut self, selections: &SelectionSet, fragment: Fragment, order: &mut Order, depth: usize) {
        if depth > MAX_DEPTH {
            return;
        }
        for selection in &selections.items {
            let Some(left) = self.left.checked_sub(1) else { return };
            self.left = left;
            let directives = match &selection.node {
                Selection::Field(field) => &field.node.directives,
                Selection::FragmentSpread(spread) => &spread.node.directives,
                Selection::InlineFragment(inline) => &inline.node.directives,
            };
            if self.is_left_out(directives) {
                continue;
            }
            match &selection.node {
                Selection::Field(field) => {
                    let name = field.node.response_key().node.clone();
                    let selections = &field.node.selection_set.node;
                    let within = (!selections.items.is_empty()).then(|| {
                        let entry = order.within.entry(name.clone());
                        let (at, within) = (entry.index(), entry.or_default());
                        // The selections of a fragment do not apply to the same field of other objects.
                        let inner = if fragment == ALWAYS { ALWAYS } else { within.next_fragment() };
                        self.collect(selections, inner, within, depth + 1);
                        at
                    });
                    order.fields.push(Field { name, fragment, within });
                }
                Selection::FragmentSpread(spread) => {
                    if let Some(fragment) = self.operation.fragment(&spread.node.fragment_name.node) {
                        let inner = order.next_fragment();
                        self.collect(&fragment.selection_set.node, inner, order, depth + 1);
                    }
                }
                Selection::InlineFragment(inline) => {
                    let inner = match inline.node.type_condition {
                        Some(_) => order.next_fragment(),
                        None => fragment,
                    };
                    self.collect(&inline.node.selection_set.node, inner, order, depth + 1);
                }
            }
        }
    }

    /// Returns true if directives leave a selection out.
    fn is_left_out(&mut self, directives: &[Positioned<Directive>]) -> bool {
        directives.iter().map(|directive| &directive.node).any(|directive| {
            let when = match directive.name.node.as_str() {
                "skip" => true,
                "include" => false,
                _ => return false,
            };
            self.is_conditional = true;
            match directive.get_argument("if").map(|argument| &argument.node) {
                Some(Argument::Boolean(argument)) => *argument == when,
                Some(Argument::Variable(name)) => {
                    self.operation.variable(name, self.variables) == Some(&Value::Boolean(when))
                }
                _ => false,
            }
        })
    }
}

impl Order {
    /// Returns the number of fields, including those of the objects within.
    pub fn size(&self) -> usize {
        self.fields.len() + self.within.values().map(Self::size).sum::<usize>()
    }

    fn next_fragment(&mut self) -> Fragment {
        self.fragments += 1;
        self.fragments
    }
}

#[cfg(test)]
mod tests {
    use async_graphql::parser::parse_query;
    use serde_json::{Value as Json, json};

    use super::*;
    use crate::api::operation;

    /// The names of the fields of an answer, put in the order of a request.
    fn ordered(query: &str, variables: Json, answer: Json) -> String {
        let document = parse_query(query).expect("a document");
        let mut value = Value::from_json(answer).expect("a value");
        let operation = operation(&document, None).expect("an operation");
        Order::of(operation, &Variables::from_json(variables)).put(&mut value);
        serde_json::to_string(&value).expect("JSON")
    }

    #[test]
    fn fields_come_in_the_order_of_the_request() {
        let late = json!({"b": {"y": 1, "x": 2}, "a": 3});
        assert_eq!(ordered("{ a b { x y } }", json!({}), late), r#"{"a":3,"b":{"x":2,"y":1}}"#);
        let list = json!({"l": [{"q": 1, "p": 2}, null, {"p": 3, "q": 4}]});
        assert_eq!(ordered("{ l { p q } }", json!({}), list), r#"{"l":[{"p":2,"q":1},null,{"p":3,"q":4}]}"#);
        // A field that is asked for again stands where it was asked for first.
        let twice = json!({"b": {"z": 1, "y": 2, "x": 3}, "a": 4});
        let query = "{ b { x } a ...F } fragment F on Query { a b { y z } }";
        assert_eq!(ordered(query, json!({}), twice), r#"{"b":{"x":3,"y":2,"z":1},"a":4}"#);
    }

    #[test]
    fn fragments_count_for_the_objects_that_they_are_of() {
        let query = "{ node { ... on Device { name role } ... on Port { type name ... on Port { mtu mac } } id } }";
        let port = json!({"node": {"id": 1, "mac": 2, "mtu": 3, "name": 4, "type": 5}});
        assert_eq!(ordered(query, json!({}), port), r#"{"node":{"type":5,"name":4,"mtu":3,"mac":2,"id":1}}"#);
        let device = json!({"node": {"id": 1, "role": 2, "name": 3}});
        assert_eq!(ordered(query, json!({}), device), r#"{"node":{"name":3,"role":2,"id":1}}"#);
    }

    #[test]
    fn objects_of_several_types_are_found_in_order_as_they_stand() {
        let query = "{ n { id ... on A { x y { q p } } ... on B { w { p q } x z } end } }";
        for (answer, expected) in [
            (json!({"id": 0, "x": 1, "y": {"q": 2, "p": 3}, "end": 4}), r#"{"id":0,"x":1,"y":{"q":2,"p":3},"end":4}"#),
            (
                json!({"id": 0, "w": {"q": 2, "p": 3}, "x": 1, "z": 5, "end": 4}),
                r#"{"id":0,"w":{"p":3,"q":2},"x":1,"z":5,"end":4}"#,
            ),
            (json!({"id": 0, "y": {"q": 2, "p": 3}, "x": 1, "end": 4}), r#"{"id":0,"x":1,"y":{"q":2,"p":3},"end":4}"#),
            (json!({"id": 0, "x": 1, "w": null, "z": 5, "end": 4}), r#"{"id":0,"w":null,"x":1,"z":5,"end":4}"#),
            (json!({"end": 4, "id": 0}), r#"{"id":0,"end":4}"#),
        ] {
            assert_eq!(ordered(query, json!({}), json!({"n": answer})), format!("{{\"n\":{expected}}}"));
        }
    }

    #[test]
    fn skipped_fields_do_not_count() {
        let query = "query($no: Boolean = false) { node { ... on A { x y @include(if: $no) } ... on B { y x z @skip(if: true) } } }";
        let answer = || json!({"node": {"y": 1, "x": 2}});
        assert_eq!(ordered(query, json!({}), answer()), r#"{"node":{"x":2,"y":1}}"#);
        let with = json!({"node": {"y": 1, "x": 2}});
        assert_eq!(ordered(query, json!({"no": true}), with), r#"{"node":{"x":2,"y":1}}"#);
    }

    #[test]
    fn fragments_that_spread_each_other_come_to_an_end() {
        let query = "{ a ...F } fragment F on Query { b ...G ...G } fragment G on Query { c ...F ...F }";
        assert_eq!(ordered(query, json!({}), json!({"c": 1, "b": 2, "a": 3})), r#"{"a":3,"b":2,"c":1}"#);
    }
}
