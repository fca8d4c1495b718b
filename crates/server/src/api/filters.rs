//! Refuses filters that would not select what they say.
//!
//! - A filter that is null selects everything, as an absent one does, and a variable that was not sent is absent. But a
//!   null inside a filter is refused: the library would read it as absent, so that a condition which a client did not
//!   fill in would select everything. Where a filter holds JSON, nulls in that are values.
//! - `within` is refused for kinds whose objects are in no place: it would select nothing.
//!
//! This holds for every argument with the name `filter`, whatever its type.

use std::sync::LazyLock;

use async_graphql::parser::types::{Directive, Field, OperationType, Selection, SelectionSet};
use async_graphql::registry::{MetaInputValue, MetaType, MetaTypeName};
use async_graphql::{Name, Positioned, Value as Constant, Variables};
use async_graphql_value::Value;
use foldhash::{HashMap, HashSet, HashSetExt as _};
use thiserror::Error;

use super::introspection::TYPES;
use super::operation::Operation;
use underlay_error::Code;

/// The name of the arguments that are checked.
const FILTER: &str = "filter";
/// The member of a filter that says whether a value must be absent.
const IS_NULL: &str = "isNull";

/// The member of a filter that selects objects beneath another one.
const WITHIN: &str = "within";

/// The reason why a filter is refused.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
pub enum FilterError {
    /// A member is null.
    #[error("{path} is null: leave it out, or give a value of the type {of}{}", hint(.instead))]
    Null {
        /// The member, such as `filter.rack.name.in`.
        path: String,
        /// The type of the member.
        of: String,
        /// The condition that selects objects without the value.
        instead: Option<String>,
    },
    /// A member asks for a place, but objects of the kind are in none.
    #[error("{path} selects nothing: objects of the kind {kind} are in no place; leave it out")]
    NoPlace {
        /// The member, such as `filter.provider.within`.
        path: String,
        /// The kind of the objects.
        kind: &'static str,
    },
}

impl FilterError {
    /// Returns the error code for clients.
    pub fn code(&self) -> Code {
        Code::Invalid
    }

    /// Returns the member that is refused.
    pub fn path(&self) -> &str {
        match self {
            Self::Null { path, .. } | Self::NoPlace { path, .. } => path,
        }
    }
}

/// The names of the types of filters on objects that are in no place, each with the kind.
static WITHOUT_PLACES: LazyLock<HashMap<String, &'static str>> = LazyLock::new(|| {
    let registry = underlay_kinds::registry();
    let without = registry.kinds().filter(|kind| !registry.has_places(kind));
    without.map(|kind| (format!("{}Filter", kind.name), kind.name)).collect()
});

fn hint(instead: &Option<String>) -> String {
    instead.as_ref().map_or_else(String::new, |it| format!("; {it} selects what has none"))
}

/// Checks all filters of an operation, with its complete variables. What is skipped is not checked.
///
/// # Errors
/// Returns an error if a member of a filter is null, or asks for the place of objects that are in none.
pub fn check_filters(operation: Operation<'_>, variables: &Variables) -> Result<(), FilterError> {
    let root = match operation.ty() {
        OperationType::Query => "Query",
        OperationType::Mutation => "Mutation",
        OperationType::Subscription => "Subscription",
    };
    let (mut left, mut seen) = (vec![(operation.selections(), TYPES.types.get(root))], HashSet::new());
    while let Some((SelectionSet { items }, of)) = left.pop() {
        let executed = items.iter().filter(|it| !is_skipped(it.node.directives(), variables));
        for selection in executed {
            match &selection.node {
                Selection::Field(Positioned { node: field, .. }) => {
                    let described = of.and_then(|of| of.field_by_name(&field.name.node));
                    if let Some(argument) = described.and_then(|it| it.args.get(FILTER)) {
                        check(field, argument, variables)?;
                    }
                    let below = described.and_then(|it| TYPES.types.get(MetaTypeName::concrete_typename(&it.ty)));
                    left.push((&field.selection_set.node, below));
                }
                Selection::InlineFragment(Positioned { node: inline, .. }) => {
                    let condition = inline.type_condition.as_ref();
                    let of = condition.map_or(of, |condition| TYPES.types.get(condition.node.on.node.as_str()));
                    left.push((&inline.selection_set.node, of));
                }
                Selection::FragmentSpread(spread) => {
                    let name = &spread.node.fragment_name.node;
                    if let Some(fragment) = operation.fragment(name).filter(|_| seen.insert(name)) {
                        let of = TYPES.types.get(fragment.type_condition.node.on.node.as_str());
                        left.push((&fragment.selection_set.node, of));
                    }
                }
            }
        }
    }
    Ok(())
}

/// Returns true if a selection is not executed. Its conditions are true or false.
fn is_skipped(directives: &[Positioned<Directive>], variables: &Variables) -> bool {
    directives.iter().any(|Positioned { node: directive, .. }| {
        let condition = match directive.get_argument("if").map(|condition| &condition.node) {
            Some(Value::Boolean(condition)) => Some(*condition),
            Some(Value::Variable(name)) => match variables.get(name) {
                Some(Constant::Boolean(condition)) => Some(*condition),
                _ => None,
            },
            _ => None,
        };
        match directive.name.node.as_str() {
            "skip" => condition == Some(true),
            "include" => condition == Some(false),
            _ => false,
        }
    })
}

/// Checks the filter of a field.
fn check(field: &Field, argument: &MetaInputValue, variables: &Variables) -> Result<(), FilterError> {
    let Some(Positioned { node: value, .. }) = field.get_argument(FILTER) else { return Ok(()) };
    let mut walk = Walk { variables, path: vec![FILTER.to_owned()] };
    match walk.sent(value) {
        None | Some(Given::Constant(Constant::Null) | Given::Written(Value::Null)) => Ok(()),
        Some(value) => walk.value(value, &argument.ty),
    }
}

/// A value of the document or of a variable.
#[derive(Clone, Copy)]
enum Given<'a> {
    Written(&'a Value),
    Constant(&'a Constant),
}

struct Walk<'a> {
    variables: &'a Variables,
    /// The members that lead to the value.
    path: Vec<String>,
}

impl<'a> Walk<'a> {
    /// Returns a value of the document, with its variable resolved; `None` if the variable was not sent.
    fn sent(&self, value: &'a Value) -> Option<Given<'a>> {
        match value {
            Value::Variable(name) => self.variables.get(name).map(Given::Constant),
            value => Some(Given::Written(value)),
        }
    }

    /// Checks the members of a value of a type, at any depth.
    fn value(&mut self, value: Given<'a>, ty: &str) -> Result<(), FilterError> {
        let Some(MetaType::InputObject { name: of, input_fields, .. }) =
            TYPES.types.get(MetaTypeName::concrete_typename(ty))
        else {
            return Ok(());
        };
        match value {
            Given::Written(Value::List(entries)) => {
                for (at, entry) in entries.iter().enumerate() {
                    if let Some(entry) = self.sent(entry) {
                        self.entry(at, entry, ty)?;
                    }
                }
            }
            Given::Constant(Constant::List(entries)) => {
                for (at, entry) in entries.iter().enumerate() {
                    self.entry(at, Given::Constant(entry), ty)?;
                }
            }
            Given::Written(Value::Object(members)) => {
                let sent = members.iter().filter_map(|(name, value)| Some((name, self.sent(value)?)));
                let sent: Vec<(&Name, Given<'a>)> = sent.collect();
                for (name, value) in sent {
                    self.member(name, value, (of, input_fields))?;
                }
            }
            Given::Constant(Constant::Object(members)) => {
                for (name, value) in members {
                    self.member(name, Given::Constant(value), (of, input_fields))?;
                }
            }
            Given::Written(_) | Given::Constant(_) => {}
        }
        Ok(())
    }

    fn entry(&mut self, at: usize, entry: Given<'a>, ty: &str) -> Result<(), FilterError> {
        self.path.push(at.to_string());
        self.value(entry, ty)?;
        self.path.pop();
        Ok(())
    }

    fn member(&mut self, name: &Name, value: Given<'a>, (of, members): (&str, &Members)) -> Result<(), FilterError> {
        // The library refuses a member that the type does not have.
        let Some(member) = members.get(name.as_str()) else { return Ok(()) };
        self.path.push(name.to_string());
        if matches!(value, Given::Written(Value::Null) | Given::Constant(Constant::Null)) {
            return Err(self.refused(name, member, members));
        }
        if let Some(kind) = WITHOUT_PLACES.get(of).copied().filter(|_| name == WITHIN) {
            return Err(FilterError::NoPlace { path: self.path.join("."), kind });
        }
        self.value(value, &member.ty)?;
        self.path.pop();
        Ok(())
    }

    fn refused(&self, name: &Name, member: &MetaInputValue, of: &Members) -> FilterError {
        let is_filter_of_kind = of.contains_key("and");
        let instead = match TYPES.types.get(MetaTypeName::concrete_typename(&member.ty)) {
            Some(MetaType::InputObject { input_fields, .. }) => {
                let is_reference = is_filter_of_kind && !MetaTypeName::create(&member.ty).is_list() && name != "not";
                (is_reference && input_fields.contains_key(IS_NULL)).then(|| format!("{name}: {{isNull: true}}"))
            }
            _ => (of.contains_key(IS_NULL) && !is_filter_of_kind && name != IS_NULL).then(|| "isNull: true".to_owned()),
        };
        FilterError::Null { path: self.path.join("."), of: member.ty.clone(), instead }
    }
}

/// The members of an input object.
type Members = async_graphql::indexmap::IndexMap<String, MetaInputValue>;

#[cfg(test)]
mod tests {
    use async_graphql::parser::parse_query;
    use serde_json::{Value as Json, json};

    use super::*;
    use crate::api::operation;

    /// Returns the member that is refused, if one is.
    fn refused(text: &str, sent: Json) -> Option<String> {
        let document = parse_query(text).expect("a document");
        let operation = operation(&document, None).expect("an operation");
        check_filters(operation, &Variables::from_json(sent)).err().map(|error| error.path().to_owned())
    }

    #[test]
    fn a_null_in_a_filter_is_refused_wherever_it_is() {
        let literal = |filter: &str| refused(&format!("{{ devices(filter: {filter}) {{ totalCount }} }}"), json!({}));
        for (filter, path) in [
            ("null", None),
            ("{}", None),
            ("{name: {eq: \"a\"}, and: []}", None),
            ("{name: null}", Some("filter.name")),
            ("{name: {in: null}}", Some("filter.name.in")),
            ("{rack: null}", Some("filter.rack")),
            ("{rack: {site: {name: {eq: null}}}}", Some("filter.rack.site.name.eq")),
            ("{or: [{name: {eq: \"a\"}}, {status: {notIn: null}}]}", Some("filter.or.1.status.notIn")),
            ("{and: null}", Some("filter.and")),
            ("{not: {labels: null}}", Some("filter.not.labels")),
            ("{ports: {some: {within: null}}}", Some("filter.ports.some.within")),
            ("{isNull: null}", Some("filter.isNull")),
        ] {
            assert_eq!(literal(filter).as_deref(), path, "{filter}");
        }
    }

    #[test]
    fn a_variable_that_is_not_sent_is_absent_and_one_that_is_null_is_not() {
        let whole = "query($f: DeviceFilter) { devices(filter: $f) { totalCount } }";
        let member =
            "query($r: RackFilter, $n: [String!]) { devices(filter: {rack: $r, name: {in: $n}}) { totalCount } }";
        for (text, sent, path) in [
            (whole, json!({}), None),
            (whole, json!({"f": null}), None),
            (whole, json!({"f": {"rack": null}}), Some("filter.rack")),
            (whole, json!({"f": {"or": [{"rack": {"name": {"eq": null}}}]}}), Some("filter.or.0.rack.name.eq")),
            (member, json!({}), None),
            (member, json!({"n": ["a"]}), None),
            (member, json!({"n": null}), Some("filter.name.in")),
            (member, json!({"r": null}), Some("filter.rack")),
            (member, json!({"r": {"name": null}}), Some("filter.rack.name")),
        ] {
            assert_eq!(refused(text, sent.clone()).as_deref(), path, "{text} {sent}");
        }
    }

    #[test]
    fn filters_are_found_wherever_they_are_and_only_where_they_are_used() {
        let bad = "(filter: {name: null}) { totalCount }";
        for (text, found) in [
            (format!("{{ sites {{ nodes {{ racks{bad} }} }} }}"), true),
            (format!("{{ ... on Query {{ racks{bad} }} }}"), true),
            (format!("{{ node(id: \"a\") {{ ...F }} }} fragment F on Site {{ racks{bad} }}"), true),
            ("{ racks(filter: {name: null}) @skip(if: true) { totalCount } revision }".to_owned(), false),
            ("{ racks(filter: {name: null}) @skip(if: false) { totalCount } revision }".to_owned(), true),
            (format!("{{ revision }} fragment F on Site {{ racks{bad} }}"), false),
            ("subscription { changes(filter: {kinds: null}) { cursor } }".to_owned(), true),
            ("{ changes(filter: {objects: null}) { totalCount } }".to_owned(), true),
            ("{ diff(from: 1, to: 2, filter: {kinds: null}) { totalCount } }".to_owned(), true),
            ("{ changes(first: null, filter: null) { totalCount } }".to_owned(), false),
        ] {
            assert_eq!(refused(&text, json!({})).is_some(), found, "{text}");
        }
    }

    #[test]
    fn a_place_is_asked_for_only_where_objects_are_in_one() {
        for kind in underlay_kinds::registry().kinds() {
            let list = kind.plural();
            let own = refused(&format!("{{ {list}(filter: {{within: \"a\"}}) {{ totalCount }} }}"), json!({}));
            let is_nowhere = matches!(kind.name, "Provider" | "HostClass" | "Profile" | "Credential" | "Source");
            assert_eq!(own, is_nowhere.then(|| "filter.within".to_owned()), "{list}");
        }
        let nested = "{ circuits(filter: {provider: {within: \"a\"}}) { totalCount } }";
        assert_eq!(refused(nested, json!({})).as_deref(), Some("filter.provider.within"));
    }

    #[test]
    fn the_sentence_says_what_is_allowed() {
        let sentence = |filter: &str| {
            let text = format!("{{ devices(filter: {filter}) {{ totalCount }} }}");
            let document = parse_query(&text).expect("a document");
            let operation = operation(&document, None).expect("an operation");
            check_filters(operation, &Variables::default()).expect_err("refused").to_string()
        };
        for (filter, expected) in [
            (
                "{name: {in: null}}",
                "filter.name.in is null: leave it out, or give a value of the type [String!]; isNull: true selects what \
                 has none",
            ),
            (
                "{rack: null}",
                "filter.rack is null: leave it out, or give a value of the type RackFilter; rack: {isNull: true} selects \
                 what has none",
            ),
            ("{or: null}", "filter.or is null: leave it out, or give a value of the type [DeviceFilter!]"),
            ("{within: null}", "filter.within is null: leave it out, or give a value of the type ID"),
            (
                "{site: {provider: {within: \"a\"}}}",
                "filter.site.provider.within selects nothing: objects of the kind Provider are in no place; leave it out",
            ),
        ] {
            assert_eq!(sentence(filter), expected);
        }
    }
}
