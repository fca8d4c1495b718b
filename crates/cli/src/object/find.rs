//! Finds the object that a name means, with all readings of the name in one request.

use serde::Deserialize;
use serde_json::{Map, Value, json};
use thiserror::Error;
use underlay_client::{Client, ClientError};

use crate::exit::Exit;
use crate::server;
use underlay_inventory::Description;

use super::kind::{UnknownKind, kinds, plural};
use super::name::{self, ObjectName};
use super::path::{ObjectPath, selection};
use super::readings::{Reading, readings};

/// The maximum number of objects to read for each reading. If there are more, their number is not known.
const OBJECTS_PER_READING: usize = 50;
/// The maximum number of candidates in an error message.
const CANDIDATES_LISTED: usize = 5;

/// An object that was found in the inventory.
#[derive(Clone, Debug)]
pub(crate) struct Object {
    pub(crate) kind: &'static Description,
    pub(crate) id: String,
    /// The revision that last changed the object: the optimistic lock.
    pub(crate) version: i64,
    /// The path of the object, for messages and for typing it again.
    pub(crate) path: ObjectPath,
}

/// The reason why a name does not lead to one object.
#[derive(Clone, Debug, PartialEq, Error)]
pub(crate) enum FindError {
    /// No object has that path, and it does not begin with a kind.
    #[error("there is no object {path} (NOT_FOUND), and {no_kind}")]
    NoPath {
        /// The text that was typed.
        path: String,
        /// The reason why it does not begin with a kind.
        no_kind: UnknownKind,
    },
    /// No object has that name.
    #[error("there is no {name} (NOT_FOUND)")]
    NotFound {
        /// The text that was typed.
        name: String,
    },
    /// Several objects have that name.
    #[error("{name} fits {}{count} objects: {candidates} (AMBIGUOUS)", if *count < OBJECTS_PER_READING { "" } else { "at least " })]
    Ambiguous {
        /// The text that was typed.
        name: String,
        /// The number of objects that were found.
        count: usize,
        /// The first candidates.
        candidates: String,
    },
    /// The text has several readings, and more than one of them names an object.
    #[error("{name} can be read in several ways, and fits {count} objects: {candidates} (AMBIGUOUS)")]
    SeveralReadings {
        /// The text that was typed.
        name: String,
        /// The number of objects that were found.
        count: usize,
        /// The first candidates.
        candidates: String,
    },
    /// The request was not sent or failed.
    #[error(transparent)]
    Client(#[from] ClientError),
}

impl FindError {
    /// Prints the error and a hint how to solve it.
    pub(crate) fn explain(&self) -> Exit {
        let hint = match self {
            Self::Client(error) => return server::explain(error),
            Self::Ambiguous { .. } => "name more of its parents, or use its id",
            Self::SeveralReadings { .. } => {
                "write the one that is meant as it is listed (port/SITE/DEVICE/PORT), or use its id"
            }
            Self::NoPath { .. } => "write KIND/NAME, with as many parents as are needed (rack/ams1/A14), or an id",
            Self::NotFound { .. } => "`underlay get KIND` lists what there is; names are case-sensitive",
        };
        eprintln!("error: {self}");
        eprintln!("hint: {hint}");
        Exit::Failed
    }
}

#[derive(Deserialize)]
struct Nodes {
    nodes: Vec<Value>,
}

/// Returns the object that a name means.
pub(crate) async fn find(client: &Client, name: &ObjectName) -> Result<Object, FindError> {
    let readings = match name {
        ObjectName::OneOf { readings, .. } => readings.as_slice(),
        one => std::slice::from_ref(one),
    };
    let asked: Vec<ListQuery> =
        readings.iter().enumerate().flat_map(|(reading, name)| queries(reading, name)).collect();
    let mut answer: Map<String, Value> = client.query(&query(&asked), variables(&asked)).await?;
    let mut found = vec![Vec::new(); readings.len()];
    for (index, query) in asked.iter().enumerate() {
        let list = answer.get_mut(&format!("a{index}")).map(Value::take).unwrap_or_default();
        let nodes = serde_json::from_value::<Nodes>(list).map_or_else(|_| Vec::new(), |list| list.nodes);
        found[query.reading].extend(nodes.iter().map(|node| (query.joined, object(query.kind, node))));
    }
    match name {
        ObjectName::OneOf { .. } => choose_reading(name, readings.iter().zip(found)),
        ObjectName::Path { no_kind, .. } => {
            choose(name, found.pop().unwrap_or_default()).map_err(|error| match error {
                FindError::NotFound { name: path } => FindError::NoPath { path, no_kind: no_kind.clone() },
                other => other,
            })
        }
        _ => choose(name, found.pop().unwrap_or_default()),
    }
}

/// One list of objects to request from the server.
struct ListQuery {
    /// The index of the reading that the list belongs to.
    reading: usize,
    kind: &'static Description,
    joined: usize,
    filter: Value,
}

fn queries(reading: usize, name: &ObjectName) -> Vec<ListQuery> {
    let by_id = |kind, id: &str| ListQuery { reading, kind, joined: 0, filter: json!({"id": {"eq": id}}) };
    match name {
        ObjectName::Id(id) => kinds().kinds().map(|kind| by_id(kind, &id.to_string())).collect(),
        ObjectName::Named { kind, parts } => {
            let id = parts.first().filter(|part| parts.len() == 1 && name::id(part).is_some());
            let readings = readings(kind, parts).into_iter();
            let named = readings.map(|Reading { joined, filter }| ListQuery { reading, kind, joined, filter });
            id.map(|id| by_id(kind, id)).into_iter().chain(named).collect()
        }
        ObjectName::Path { text, .. } => {
            let by_path = |kind| ListQuery { reading, kind, joined: 0, filter: json!({"path": {"eq": text}}) };
            kinds().kinds().map(by_path).collect()
        }
        // The readings of a text are not nested: each is a name of its own.
        ObjectName::OneOf { .. } => Vec::new(),
    }
}

fn query(asked: &[ListQuery]) -> String {
    let numbered = || asked.iter().enumerate();
    let declared = numbered().map(|(index, query)| format!("$f{index}: {}Filter", query.kind.name));
    let lists = numbered().map(|(index, query)| {
        let (list, path) = (plural(query.kind), selection(query.kind));
        format!("a{index}: {list}(filter: $f{index}, first: {OBJECTS_PER_READING}) {{ nodes {{ id version {path} }} }}")
    });
    format!("query({}) {{ {} }}", declared.collect::<Vec<_>>().join(", "), lists.collect::<Vec<_>>().join(" "))
}

fn variables(asked: &[ListQuery]) -> Value {
    let filters = asked.iter().enumerate();
    Value::Object(filters.map(|(index, query)| (format!("f{index}"), query.filter.clone())).collect())
}

fn object(kind: &'static Description, node: &Value) -> Object {
    Object {
        kind,
        id: node["id"].as_str().unwrap_or_default().to_owned(),
        version: node["version"].as_i64().unwrap_or_default(),
        path: ObjectPath::read(kind, node),
    }
}

/// Returns the one object that any reading of the text means, from the objects that were found for each reading.
fn choose_reading<'a>(
    name: &ObjectName,
    found: impl Iterator<Item = (&'a ObjectName, Vec<(usize, Object)>)>,
) -> Result<Object, FindError> {
    let mut meant: Vec<_> = found.flat_map(|(reading, found)| likeliest(&reading.to_string(), found)).collect();
    meant.sort_by(|(_, one), (_, other)| one.id.cmp(&other.id));
    meant.dedup_by(|(_, one), (_, other)| one.id == other.id);
    let name = name.to_string();
    if meant.len() > 1 {
        return Err(FindError::SeveralReadings { name, count: meant.len(), candidates: candidates(&meant) });
    }
    meant.pop().map(|(_, object)| object).ok_or(FindError::NotFound { name: format!("port {name}") })
}

/// Returns the objects whose path equals the typed text. If there are none, returns the objects of the likeliest
/// reading.
fn likeliest(typed: &str, mut found: Vec<(usize, Object)>) -> Vec<(usize, Object)> {
    let is_exact = |object: &Object| object.path.to_string() == typed;
    let likeliest = found.iter().map(|(joined, _)| *joined).min();
    let exact = found.iter().any(|(_, object)| is_exact(object));
    found.retain(|(joined, object)| if exact { is_exact(object) } else { Some(*joined) == likeliest });
    found.sort_by(|(_, one), (_, other)| one.id.cmp(&other.id));
    found.dedup_by(|(_, one), (_, other)| one.id == other.id);
    found
}

/// Returns the one object that a name means.
fn choose(name: &ObjectName, found: Vec<(usize, Object)>) -> Result<Object, FindError> {
    let typed = name.to_string();
    let mut found = likeliest(&typed, found);
    if found.len() > 1 {
        let (name, count, candidates) = (typed, found.len(), candidates(&found));
        return Err(FindError::Ambiguous { name, count, candidates });
    }
    found.pop().map(|(_, object)| object).ok_or(FindError::NotFound { name: typed })
}

/// Lists the first candidates, with their ids if their paths do not distinguish them.
fn candidates(found: &[(usize, Object)]) -> String {
    let mut paths: Vec<String> = found.iter().map(|(_, object)| object.path.to_string()).collect();
    paths.sort_unstable();
    paths.dedup();
    if paths.len() < found.len() {
        paths = found.iter().map(|(_, object)| format!("{} {}", object.path, object.id)).collect();
        paths.sort_unstable();
    }
    let more = paths.len().saturating_sub(CANDIDATES_LISTED);
    paths.truncate(CANDIDATES_LISTED);
    if more > 0 {
        paths.push(format!("and {more} more"));
    }
    paths.join(", ")
}

#[cfg(test)]
mod tests {
    use super::*;

    fn found(joined: usize, id: &str, name: &str, site: &str) -> (usize, Object) {
        let kind = kinds().named("rack").expect("a kind");
        (joined, object(kind, &json!({"id": id, "version": 3, "name": name, "site": {"name": site}})))
    }

    #[test]
    fn an_exact_path_wins_then_the_likeliest_reading() {
        let chosen = |name: &str, found: &[(usize, Object)]| {
            let name = name.parse().expect("a name");
            choose(&name, found.to_vec()).map(|object| object.id).map_err(|error| error.to_string())
        };
        let (one, two) = (found(0, "1", "A", "s1"), found(0, "2", "A", "s2"));
        let slash = found(1, "3", "s1/A", "s1");
        assert_eq!(chosen("rack/s1/A", &[slash.clone(), one.clone(), one.clone()]), Ok("1".to_owned()));
        assert_eq!(chosen("rack/s1/s1/A", &[found(0, "4", "A", "s1"), slash]), Ok("3".to_owned()));
        assert_eq!(
            chosen("rack/A", &[one.clone(), two]),
            Err("rack/A fits 2 objects: rack/s1/A, rack/s2/A (AMBIGUOUS)".to_owned())
        );
        assert_eq!(
            chosen("rack/A", &[one, found(0, "9", "A", "s1")]),
            Err("rack/A fits 2 objects: rack/s1/A 1, rack/s1/A 9 (AMBIGUOUS)".to_owned())
        );
        assert_eq!(chosen("rack/B", &[]), Err("there is no rack/B (NOT_FOUND)".to_owned()));
    }
}
