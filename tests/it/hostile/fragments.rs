//! Random documents of fragments: what is measured is at least what the library does before it executes a document. The
//! walks of the library are repeated here, step by step, as its source has them.

use std::collections::HashSet;

use async_graphql::Variables;
use async_graphql::parser::parse_query;
use async_graphql::parser::types::{ExecutableDocument, Selection, SelectionSet};
use proptest::collection::vec;
use proptest::prelude::*;
use underlay_server::api::{self, Bounds};

use super::always;

/// The number of steps after which a walk is given up.
const MAX_STEPS: u64 = 100_000;
/// The greatest depth of nested selections that the library accepts.
const MAX_DEPTH: usize = 100;
/// The number of fragments of a random document.
const FRAGMENTS: usize = 8;

/// The steps of the library on a document.
struct Library<'a> {
    document: &'a ExecutableDocument,
    steps: u64,
}

impl<'a> Library<'a> {
    fn step(&mut self) -> Option<()> {
        self.steps += 1;
        (self.steps < MAX_STEPS).then_some(())
    }

    /// Checks the depth of all operations: `check_recursive_depth`. The visitors of the cost, which follow fragments
    /// too, take the same way. Returns `None` if the document is given up or refused.
    fn depth(&mut self, set: &'a SelectionSet, depth: usize) -> Option<()> {
        if depth > MAX_DEPTH {
            return None;
        }
        for item in &set.items {
            self.step()?;
            match &item.node {
                Selection::Field(field) => self.depth(&field.node.selection_set.node, depth + 1)?,
                Selection::InlineFragment(inline) => self.depth(&inline.node.selection_set.node, depth + 1)?,
                Selection::FragmentSpread(spread) => {
                    let fragment = self.document.fragments.get(&spread.node.fragment_name.node);
                    fragment.map_or(Some(()), |it| self.depth(&it.node.selection_set.node, depth + 1))?;
                }
            }
        }
        Some(())
    }

    /// Compares the fields of each selection set: `OverlappingFieldsCanBeMerged`, which begins anew at each of them.
    fn merge_all(&mut self, set: &'a SelectionSet) -> Option<()> {
        self.merge(set, &mut HashSet::new())?;
        set.items.iter().try_for_each(|item| match &item.node {
            Selection::Field(field) => self.merge_all(&field.node.selection_set.node),
            Selection::InlineFragment(inline) => self.merge_all(&inline.node.selection_set.node),
            Selection::FragmentSpread(_) => Some(()),
        })
    }

    fn merge(&mut self, set: &'a SelectionSet, visited: &mut HashSet<&'a str>) -> Option<()> {
        for item in &set.items {
            self.step()?;
            match &item.node {
                Selection::Field(_) => {}
                Selection::InlineFragment(inline) => self.merge(&inline.node.selection_set.node, visited)?,
                Selection::FragmentSpread(spread) => {
                    let name = &spread.node.fragment_name.node;
                    let fragment = self.document.fragments.get(name).filter(|_| visited.insert(name.as_str()));
                    fragment.map_or(Some(()), |it| self.merge(&it.node.selection_set.node, visited))?;
                }
            }
        }
        Some(())
    }
}

/// Returns the steps of a walk over a document, until it is given up.
fn steps<'a>(document: &'a ExecutableDocument, walk: impl FnOnce(&mut Library<'a>) -> Option<()>) -> u64 {
    let mut library = Library { document, steps: 0 };
    let _given_up = walk(&mut library).is_none();
    library.steps
}

/// The selections of an operation or a fragment. Most fragments use later ones, some any.
fn selections(from: usize) -> impl Strategy<Value = String> {
    let later = (from..FRAGMENTS + 2).prop_map(|n| format!("...F{n}"));
    let leaf = prop_oneof![
        3 => Just("a".to_owned()),
        8 => later,
        1 => (0..FRAGMENTS).prop_map(|n| format!("...F{n}")),
    ];
    let item = leaf.prop_recursive(3, 12, 3, |inner| {
        let within = vec(inner, 1..4).prop_map(|all| all.join(" "));
        prop_oneof![
            within.clone().prop_map(|within| format!("b {{ {within} }}")),
            within.prop_map(|within| format!("... {{ {within} }}")),
        ]
    });
    vec(item, 1..5).prop_map(|all| all.join(" "))
}

/// A document of one or two operations and some fragments, of which some are not used.
fn documents() -> impl Strategy<Value = String> {
    let fragments: Vec<_> = (0..FRAGMENTS).map(|n| selections(n + 1)).collect();
    (selections(0), prop::option::of(selections(0)), fragments).prop_map(|(first, second, fragments)| {
        let mut text = match second {
            Some(second) => format!("query A {{ {first} }} query B {{ {second} }}"),
            None => format!("query A {{ {first} }}"),
        };
        for (n, fragment) in fragments.iter().enumerate() {
            text += &format!(" fragment F{n} on Query {{ {fragment} }}");
        }
        text
    })
}

#[test]
fn the_measured_size_is_at_least_what_the_library_visits() {
    let bounds = Bounds { fields: u64::MAX, objects: u64::MAX };
    let measured = |document: &ExecutableDocument| {
        let operation = api::operation(document, Some("A")).expect("an operation");
        api::measure(operation, &Variables::default(), bounds)
    };
    always(documents(), |text| {
        let document = parse_query(&text).expect("a document");
        let sets = || {
            let operations = document.operations.iter().map(|(_, operation)| &operation.node.selection_set.node);
            operations.chain(document.fragments.values().map(|fragment| &fragment.node.selection_set.node))
        };
        let operations = document.operations.iter().count();
        let visited = steps(&document, |it| sets().take(operations).try_for_each(|set| it.depth(set, 0)));
        let compared = steps(&document, |it| sets().try_for_each(|set| it.merge_all(set)));
        match measured(&document) {
            Ok(measured) => {
                prop_assert!(measured.fields >= visited && measured.fields >= compared, "{:?}", measured);
            }
            // A fragment that uses itself. The library may or may not come to it.
            Err(error) => prop_assert!(error.to_string().contains("uses itself"), "{}", error),
        }
        Ok(())
    });
}

#[test]
fn many_of_the_random_documents_are_measured() {
    use proptest::strategy::ValueTree as _;
    let mut runner = proptest::test_runner::TestRunner::deterministic();
    let sizes = (0..500).filter_map(|_| {
        let text = documents().new_tree(&mut runner).expect("a document").current();
        let document = parse_query(&text).expect("a document");
        let operation = api::operation(&document, Some("A")).expect("an operation");
        let bounds = Bounds { fields: u64::MAX, objects: u64::MAX };
        Some(api::measure(operation, &Variables::default(), bounds).ok()?.fields)
    });
    let sizes: Vec<u64> = sizes.collect();
    let large = sizes.iter().filter(|size| **size > 1_000).count();
    assert!(sizes.len() > 50 && large > 10, "{} are finite, {large} large", sizes.len());
}
