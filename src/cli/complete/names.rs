//! The names that begin with what was typed.
//!
//! A name is completed one part at a time, like a path: `am` to `ams1/`, `ams1/A` to `ams1/A14`. What was typed may
//! begin at any parent, since parents that are not needed can be left out.

use serde_json::{Map, Value, json};
use underlay_client::Client;

use crate::cli::object::{kinds, plural};
use underlay_inventory::Description;
use underlay_kit::line;

/// How many candidates a question gives: more than anyone reads.
const MOST: usize = 100;
/// How many kinds stand above each other, those that contain their own kind counted twice.
const MOST_LEVELS: usize = 5;
/// The most questions of a request.
const MOST_QUESTIONS: usize = 24;

/// A question for the names at one level.
#[derive(Clone, Debug, PartialEq)]
struct Question {
    kind: &'static str,
    list: String,
    filter: Value,
    /// What was typed before the part that is completed.
    before: String,
    /// What follows a parent.
    after: &'static str,
}

/// The names of a kind that begin with a text, as far as they can be completed; none when the server does not answer.
pub(super) async fn beginning_with(client: &Client, kind: &'static Description, typed: &str) -> Vec<String> {
    let asked = questions(kind, typed);
    let numbered = || asked.iter().enumerate();
    let declared = numbered().map(|(at, question)| format!("$f{at}: {}Filter", question.kind));
    let lists = numbered().map(|(at, question)| {
        format!("a{at}: {}(filter: $f{at}, first: {MOST}) {{ nodes {{ name }} }}", question.list)
    });
    let query =
        format!("query({}) {{ {} }}", declared.collect::<Vec<_>>().join(", "), lists.collect::<Vec<_>>().join(" "));
    let variables: Map<String, Value> =
        numbered().map(|(at, question)| (format!("f{at}"), question.filter.clone())).collect();
    let Ok(answer) = client.ask(&query, variables.into(), None).await else { return Vec::new() };
    let mut found = Vec::new();
    for (at, question) in numbered() {
        let nodes = answer.data[format!("a{at}")]["nodes"].as_array().map(Vec::as_slice).unwrap_or_default();
        let names = nodes.iter().filter_map(|node| node["name"].as_str());
        found.extend(names.map(|name| line(&format!("{}{name}{}", question.before, question.after))));
    }
    found.sort_unstable();
    found.dedup();
    found
}

/// The ways from the top down to a kind, each with the field by which the next refers to it.
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

fn questions(kind: &'static Description, typed: &str) -> Vec<Question> {
    let parts: Vec<&str> = typed.split('/').collect();
    let mut found: Vec<Question> = Vec::new();
    for chain in chains(kind, MOST_LEVELS) {
        // Nothing typed: only the top, or the list would be that of everything.
        let starts = if typed.is_empty() { 1 } else { chain.len() };
        for start in 0..starts {
            for used in 1..=parts.len() {
                let level = start + used - 1;
                // Slashes may belong to the name of the object itself.
                let is_object = level + 1 == chain.len();
                if level < chain.len() && (used == parts.len() || is_object) {
                    let question = question(&chain[start..=level], &parts, used, is_object);
                    if !found.contains(&question) {
                        found.push(question);
                    }
                }
            }
        }
    }
    found.truncate(MOST_QUESTIONS);
    found
}

/// Asks for what the last of a chain of kinds is called, the others being named by the first parts.
fn question(chain: &[(&'static Description, &'static str)], parts: &[&str], used: usize, is_object: bool) -> Question {
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
    Question { kind: kind.name, list: plural(kind), filter: condition.into(), before, after }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn asked(kind: &str, typed: &str) -> Vec<(String, Value, String, &'static str)> {
        let kind = kinds().named(kind).expect("a kind");
        questions(kind, typed).into_iter().map(|it| (it.list, it.filter, it.before, it.after)).collect()
    }

    #[test]
    fn names_are_completed_part_by_part_from_any_parent_on() {
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
    fn questions_are_few() {
        for kind in kinds().kinds() {
            let count = questions(kind, "a/b/c/d/e/f/g/h").len();
            assert!(count <= MOST_QUESTIONS, "{}: {count}", kind.name);
        }
    }
}
