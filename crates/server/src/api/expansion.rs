//! The size of a whole document with its fragments written out. The library walks a document in this way: it
//! follows every fragment wherever it is used, in every operation, before it knows which operation runs.
//!
//! Guarantee: each number is at least the number of steps that the library takes (`tests/it/hostile/fragments.rs`), and
//! is computed in time proportional to the text, because each fragment is measured once.

use async_graphql::parser::types::{Directive, ExecutableDocument, Field, Selection, SelectionSet};
use async_graphql::{Name, Positioned};
use async_graphql_value::Value;
use foldhash::{HashMap, HashMapExt as _};
use thiserror::Error;

use super::variables::Sizes;
use underlay_error::Code;

/// The greatest depth to which fields and fragments are followed.
pub const MAX_DEPTH: usize = 100;
/// The most arguments of a field. The library reports each argument of a field again for each field with the same name
/// in the answer. No field of the schema has half as many.
const MAX_ARGUMENTS: usize = 32;

/// The reason for which a document cannot be written out.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
pub enum ExpansionError {
    /// A fragment contains itself.
    #[error("the fragment {0:?} uses itself")]
    Cycle(String),
    /// Selections and fragments are nested too deep.
    #[error("selections and fragments are nested too deep: at most {MAX_DEPTH} can be in each other")]
    TooDeep,
    /// A field has too many arguments.
    #[error("the field {field:?} has {count} arguments; at most {MAX_ARGUMENTS} are allowed")]
    Arguments { field: String, count: usize },
}

impl ExpansionError {
    /// Returns the error code for clients.
    pub fn code(&self) -> Code {
        match self {
            Self::Cycle(_) => Code::Invalid,
            Self::TooDeep | Self::Arguments { .. } => Code::TooComplex,
        }
    }
}

/// The size of a document. The numbers saturate at `u64::MAX`.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Expansion {
    /// The number of selections of all operations: fields, uses of fragments, and inline fragments.
    pub selections: u64,
    /// The number of comparisons of fields that end up in the same object. The library makes them for each selection
    /// set anew, those of fragments included.
    pub merged: u64,
    /// The number of uses of variables in all operations.
    pub variables: u64,
    /// The number of values in the arguments of the text as it stands, with those of the variables wherever these are
    /// used.
    pub values: u64,
}

impl Expansion {
    /// Measures a document.
    ///
    /// # Errors
    /// Returns an error if the document has no finite size, or one that cannot be measured.
    pub fn of(document: &ExecutableDocument, sizes: &Sizes<'_>) -> Result<Self, ExpansionError> {
        let mut walk = Walk { document, sizes, fragments: HashMap::new(), merged: 0, values: 0 };
        let (mut selections, mut variables) = (0_u64, 0_u64);
        for (_, operation) in document.operations.iter() {
            let operation = &operation.node;
            let definitions = operation.variable_definitions.iter().map(|it| it.node.directives.as_slice());
            let own = definitions
                .chain([operation.directives.as_slice()])
                .fold(0_u64, |own, directives| own.saturating_add(walk.directives(directives)));
            let set = walk.set(&operation.selection_set.node, 0)?;
            selections = selections.saturating_add(set.selections);
            variables = variables.saturating_add(set.variables).saturating_add(own);
        }
        for name in document.fragments.keys() {
            walk.fragment(name, 0)?;
        }
        Ok(Self { selections, merged: walk.merged, variables, values: walk.values })
    }
}

/// The size of a selection set.
#[derive(Clone, Copy, Debug, Default)]
struct Set {
    /// The number of selections, with those beneath each of them.
    selections: u64,
    /// The number of selections that stand for the same object.
    level: u64,
    /// The number of uses of variables.
    variables: u64,
}

impl Set {
    fn and(self, other: Self) -> Self {
        Self {
            selections: self.selections.saturating_add(other.selections),
            level: self.level.saturating_add(other.level),
            variables: self.variables.saturating_add(other.variables),
        }
    }
}

struct Walk<'a> {
    document: &'a ExecutableDocument,
    sizes: &'a Sizes<'a>,
    /// The measured fragments. `None` for one that is being measured.
    fragments: HashMap<&'a Name, Option<Set>>,
    merged: u64,
    values: u64,
}

impl<'a> Walk<'a> {
    fn set(&mut self, set: &'a SelectionSet, deep: usize) -> Result<Set, ExpansionError> {
        if deep > MAX_DEPTH {
            return Err(ExpansionError::TooDeep);
        }
        let mut sum = Set::default();
        for item in &set.items {
            let variables = self.directives(item.node.directives());
            let own = Set { selections: 1, level: 1, variables };
            let inner = match &item.node {
                Selection::Field(field) => self.field(&field.node, deep)?,
                Selection::InlineFragment(inline) => self.set(&inline.node.selection_set.node, deep + 1)?,
                Selection::FragmentSpread(spread) => self.fragment(&spread.node.fragment_name.node, deep)?,
            };
            sum = sum.and(own).and(inner);
        }
        self.merged = self.merged.saturating_add(sum.level);
        Ok(sum)
    }

    fn field(&mut self, field: &'a Field, deep: usize) -> Result<Set, ExpansionError> {
        let count = field.arguments.len();
        if count > MAX_ARGUMENTS {
            return Err(ExpansionError::Arguments { field: field.name.node.to_string(), count });
        }
        let variables = self.arguments(&field.arguments);
        let inner = self.set(&field.selection_set.node, deep + 1)?;
        // What is beneath a field stands for another object.
        Ok(Set { level: 0, variables: inner.variables.saturating_add(variables), ..inner })
    }

    fn fragment(&mut self, name: &'a Name, deep: usize) -> Result<Set, ExpansionError> {
        match self.fragments.get(name) {
            Some(Some(known)) => return Ok(*known),
            Some(None) => return Err(ExpansionError::Cycle(name.to_string())),
            None => {}
        }
        // The library reports an unknown fragment.
        let Some(fragment) = self.document.fragments.get(name) else { return Ok(Set::default()) };
        self.fragments.insert(name, None);
        let variables = self.directives(&fragment.node.directives);
        let set = self.set(&fragment.node.selection_set.node, deep + 1)?;
        let set = Set { variables: set.variables.saturating_add(variables), ..set };
        self.fragments.insert(name, Some(set));
        Ok(set)
    }

    /// Counts the values in the arguments of directives, and returns the number of variables.
    fn directives(&mut self, directives: &[Positioned<Directive>]) -> u64 {
        directives.iter().map(|directive| self.arguments(&directive.node.arguments)).fold(0, u64::saturating_add)
    }

    /// Counts the values in arguments, and returns the number of variables.
    fn arguments(&mut self, arguments: &[(Positioned<Name>, Positioned<Value>)]) -> u64 {
        let mut variables = 0;
        for (_, value) in arguments {
            self.values = self.values.saturating_add(self.sizes.of(&value.node, &mut variables));
        }
        variables
    }
}

#[cfg(test)]
mod tests {
    use async_graphql::Variables;
    use async_graphql::parser::parse_query;
    use serde_json::json;

    use super::*;

    fn of(text: &str) -> Result<Expansion, ExpansionError> {
        let document = parse_query(text).expect("a document");
        let (_, operation) = document.operations.iter().next().expect("an operation");
        let variables = Variables::from_json(json!({"ids": ["a", "b", {"c": 1}]}));
        let sizes = Sizes::new(&operation.node.variable_definitions, &variables);
        Expansion::of(&document, &sizes)
    }

    fn counts(text: &str) -> (u64, u64) {
        let found = of(text).expect("a size");
        (found.selections, found.merged)
    }

    #[test]
    fn every_selection_counts_wherever_its_fragment_is_used() {
        assert_eq!(counts("{ a b { c } }"), (3, 3));
        assert_eq!(counts("{ a ... { b c } }"), (4, 6), "an inline fragment is compared with what is around it");
        assert_eq!(counts("{ ...F ...F } fragment F on Query { a b }"), (6, 8));
        assert_eq!(
            counts("query A { a } query B { ...F } fragment F on Query { a { b } }"),
            (4, 5),
            "of every operation"
        );
        assert_eq!(counts("{ a } fragment F on Query { b c }"), (1, 3), "of a fragment that nobody uses");
        assert_eq!(counts("{ ...Unknown }"), (1, 1));
    }

    #[test]
    fn fragments_that_double_are_counted_and_not_written_out() {
        let mut text = "{ ...F0 }".to_owned();
        (0..60).for_each(|n| text += &format!(" fragment F{n} on Query {{ ...F{m} ...F{m} }}", m = n + 1));
        text += " fragment F60 on Query { revision }";
        let (selections, merged) = counts(&text);
        assert!(selections > 1 << 60 && merged > 1 << 60, "{selections} {merged}");
    }

    #[test]
    fn a_document_without_a_finite_size_is_refused() {
        for (text, name) in [
            ("{ ...A } fragment A on Query { ...B } fragment B on Query { a { ...A } }", "A"),
            ("{ a } fragment B on Query { ... { ...B } }", "B"),
        ] {
            assert_eq!(of(text), Err(ExpansionError::Cycle(name.to_owned())), "{text}");
        }
        let mut chain = "{ ...F0 }".to_owned();
        (0..5000).for_each(|n| chain += &format!(" fragment F{n} on Query {{ ...F{} }}", n + 1));
        assert_eq!(of(&chain), Err(ExpansionError::TooDeep));
        let arguments: String = (0..=MAX_ARGUMENTS).map(|n| format!("a{n}: 1 ")).collect();
        let many = ExpansionError::Arguments { field: "a".to_owned(), count: MAX_ARGUMENTS + 1 };
        assert_eq!(of(&format!("{{ a({arguments}) }}")), Err(many));
    }

    #[test]
    fn variables_count_with_their_values_wherever_they_are_used() {
        let ids = "query($ids: [ID!]) { a(x: $ids, y: [1, {z: $ids}]) @b(if: $ids) }";
        let found = of(ids).expect("a size");
        assert_eq!((found.variables, found.values), (3, 5 + (1 + 1 + 1 + 5) + 5));
        let shared = "query A($a: Int) { ...F } query B { ...F } fragment F on Query { x(a: $a) y(a: $b) }";
        assert_eq!(of(shared).expect("a size").variables, 4, "of each operation");
    }
}
