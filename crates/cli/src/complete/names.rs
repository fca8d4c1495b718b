//! Finds the names that begin with the typed text.
//!
//! A name is completed one part at a time, like a path: `am` to `ams1/`, `ams1/A` to `ams1/A14`. The typed text can
//! begin at any parent, because parents that are not needed can be left out.

use serde_json::{Map, Value, json};
use underlay_client::Client;

use crate::object::{kinds, plural};
use underlay_inventory::Description;
use underlay_kit::line;

/// The maximum number of candidates of a query; nobody reads more.
const MAX_CANDIDATES: usize = 100;
/// The maximum depth of a chain of kinds. A kind that contains its own kind counts twice.
const CHAIN_LEVELS: usize = 5;
/// The maximum number of queries in a request.
const QUERIES_PER_REQUEST: usize = 24;

/// A query for the names at one level.
#[derive(Clone, Debug, PartialEq)]
struct NameQuery {
    kind: &'static str,
    list: String,
    filter: Value,
    /// The text before the part that is completed.
    before: String,
    /// The text after a candidate: a slash after a parent.
    after: &'static str,
}

/// Returns the names of a kind that begin with a text, completed as far as possible. Returns none if the server does
/// not answer.
pub(super) async fn beginning_with(client: &Client, kind: &'static Description, typed: &str) -> Vec<String> {
    let asked = queries(kind, typed);
    let numbered = || asked.iter().enumerate();
    let declared = numbered().map(|(at, query)| format!("$f{at}: {}Filter", query.kind));
    let lists = numbered().map(|(at, query)| {
        format!("a{at}: {}(filter: $f{at}, first: {MAX_CANDIDATES}) {{ nodes {{ name }} }}", query.list)
    });
    let query =
        format!("query({}) {{ {} }}", declared.collect::<Vec<_>>().join(", "), lists.collect::<Vec<_>>().join(" "));
    let variables: Map<String, Value> =
        numbered().map(|(at, query)| (format!("f{at}"), query.filter.clone())).collect();
    let Ok(answer) = client.ask(&query, variables.into(), None).await else { return Vec::new() };
    let mut found = Vec::new();
    for (at, query) in numbered() {
        let nodes = answer.data[format!("a{at}")]["nodes"].as_array().map(Vec::as_slice).unwrap_or_default();
        let names = nodes.iter().filter_map(|node| node["name"].as_str());
        found.extend(names.map(|name| line(&format!("{}{name}{}", query.before, query.after))));
    }
    found.sort_unstable();
    found.dedup();
    found
}

/// Returns the chains of kinds from the top down to a kind, each with the field by which the next kind refers to it.
fn chains(kind: &'static Description, levels: usize) -> Vec<Vec<(&'static Description, &'static str)>> {
    let mut found = Vec::new();
    for (_, field) in kind.parent_fields() {
        let target = field.reference.and_then(|reference| kinds().named(reference.targets.first()?));
        let Some(target) = target.filter(|_| levels > 1) else { continue };
        for mut chain in chains(target, levels - 1) {
            if let Some(last) = chain.last_mut() {
                last.1 = field.name;
            }
            chain.push((kind, ""));
            found.push(chain);
        }
    }
    if found.is_empty() { vec![vec![(kind, "")]] } else { found }
}

fn queries(kind: &'static Description, typed: &str) -> Vec<NameQuery> {
    let parts: Vec<&str> = typed.split('/').collect();
    let mut found: Vec<NameQuery> = Vec::new();
    for chain in chains(kind, CHAIN_LEVELS) {
        // If nothing is typed, only the top level is requested; otherwise the request would list all objects.
        let starts = if typed.is_empty() { 1 } else { chain.len() };
        for start in 0..starts {
            for used in 1..=parts.len() {
                let level = start + used - 1;
                // The name of the object itself can contain slashes.
                let is_object = level + 1 == chain.len();
                if level < chain.len() && (used == parts.len() || is_object) {
                    let query = query(&chain[start..=level], &parts, used, is_object);
                    if !found.contains(&query) {
                        found.push(query);
                    }
                }
            }
        }
    }
    found.truncate(QUERIES_PER_REQUEST);
    found
}

/// Returns the query for the names of the last kind of a chain; the first parts are the names of the other kinds.
fn query(chain: &[(&'static Description, &'static str)], parts: &[&str], used: usize, is_object: bool) -> NameQuery {
    let (above, typed) = (&parts[..used - 1], parts[used - 1..].join("/"));
    let mut condition = Map::new();
    for ((_, field), name) in chain.iter().zip(above) {
        let mut parent = Map::from_iter([("name".to_owned(), json!({ "eq": name }))]);
        parent.append(&mut condition);
        condition.insert((*field).to_owned(), parent.into());
    }
    // A condition that every name fulfils would only cost time.
    if !typed.is_empty() {
        condition.insert("name".to_owned(), json!({ "startsWith": typed }));
    }
    let (kind, _) = chain[chain.len() - 1];
    let before = above.iter().map(|part| format!("{part}/")).collect();
    let after = if is_object { "" } else { "/" };
    NameQuery { kind: kind.name, list: plural(kind), filter: condition.into(), before, after }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn asked(kind: &str, typed: &str) -> Vec<(String, Value, String, &'static str)> {
        let kind = kinds().named(kind).expect("a kind");
        queries(kind, typed).into_iter().map(|it| (it.list, it.filter, it.before, it.after)).collect()
    }

    #[test]
    fn names_are_completed_part_by_part_from_any_parent() {
        assert_eq!(asked("rack", ""), [("sites".into(), json!({}), String::new(), "/")]);
        assert_eq!(
            asked("rack", "a"),
            [
                ("sites".into(), json!({"name": {"startsWith": "a"}}), String::new(), "/"),
                ("racks".into(), json!({"name": {"startsWith": "a"}}), String::new(), ""),
            ]
        );
        let racks = asked("rack", "ams1/A");
        let expected = (
            "racks".into(),
            json!({"site": {"name": {"eq": "ams1"}}, "name": {"startsWith": "A"}}),
            "ams1/".into(),
            "",
        );
        assert!(racks.contains(&expected), "{racks:?}");
        let ports = asked("port", "ams1/leaf-3/");
        let expected = (
            "ports".into(),
            json!({"device": {"name": {"eq": "leaf-3"}, "site": {"name": {"eq": "ams1"}}}}),
            "ams1/leaf-3/".into(),
            "",
        );
        assert!(ports.contains(&expected), "{ports:?}");
        let slashes = asked("port", "leaf-3/Ethernet1/");
        let expected = (
            "ports".into(),
            json!({"device": {"name": {"eq": "leaf-3"}}, "name": {"startsWith": "Ethernet1/"}}),
            "leaf-3/".into(),
            "",
        );
        assert!(slashes.contains(&expected), "{slashes:?}");
    }

    #[test]
    fn the_number_of_queries_is_limited() {
        for kind in kinds().kinds() {
            let count = queries(kind, "a/b/c/d/e/f/g/h").len();
            assert!(count <= QUERIES_PER_REQUEST, "{}: {count}", kind.name);
        }
    }
}
