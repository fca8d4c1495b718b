//! Finds the hosts and profiles that arguments name.

use std::collections::BTreeMap;

use serde::Deserialize;
use serde_json::json;
use underlay_client::Client;

use super::Refused;
use super::read::{HOST, Host};
use crate::object::{ObjectName, find, kinds};
use underlay_kit::shown;

/// The greatest number of hosts in one order.
const MAX_HOSTS: usize = 1_000;
/// The kind before the name of a host, as `underlay host list -o name` prints it.
const HOST_PREFIX: &str = "host/";
/// The beginning of short ids.
const SHORT_ID_PREFIX: &str = "h-";

#[derive(Deserialize)]
struct HostsData {
    hosts: Nodes,
}

#[derive(Deserialize)]
struct Nodes {
    nodes: Vec<Host>,
}

/// Returns the hosts that the words name, each once, in the order of the words.
pub(super) async fn hosts(client: &Client, words: &[String]) -> Result<Vec<Host>, Refused> {
    let words: Vec<&str> = words.iter().map(|word| word.strip_prefix(HOST_PREFIX).unwrap_or(word)).collect();
    if words.len() > MAX_HOSTS {
        return Err(Refused::Usage(format!("at most {MAX_HOSTS} hosts can be named together")));
    }
    let ids: Vec<&str> = words.iter().copied().filter(|word| is_id(word)).collect();
    let short: Vec<&str> = words.iter().copied().filter(|word| word.starts_with(SHORT_ID_PREFIX)).collect();
    let filter =
        json!({ "or": [{ "name": { "in": words } }, { "shortId": { "in": short } }, { "id": { "in": ids } }] });
    pick(&words, filtered(client, filter).await?).map_err(Refused::Usage)
}

/// Returns the host that a word names.
pub(crate) async fn host_named(client: &Client, word: &str) -> Result<NamedHost, Refused> {
    let found = hosts(client, &[word.to_owned()]).await?.into_iter().next();
    let found = found.map(|host| NamedHost { id: host.id, name: host.name });
    found.ok_or_else(|| Refused::Usage(format!("there is no host {}", shown(word))))
}

/// A host that a word names.
pub(crate) struct NamedHost {
    pub(crate) id: String,
    pub(crate) name: String,
}

/// Returns the hosts that match a filter, at most as many as an order can have.
pub(super) async fn filtered(client: &Client, filter: serde_json::Value) -> Result<Vec<Host>, Refused> {
    let query =
        format!("query($filter: HostFilter) {{ hosts(filter: $filter, first: {MAX_HOSTS}) {{ nodes {{ {HOST} }} }} }}");
    let HostsData { hosts: Nodes { nodes } } = client.query(&query, json!({ "filter": filter })).await?;
    Ok(nodes)
}

fn is_id(word: &str) -> bool {
    word.len() == 36 && uuid::Uuid::try_parse(word).is_ok()
}

/// Returns the host that each word means.
fn pick(words: &[&str], found: Vec<Host>) -> Result<Vec<Host>, String> {
    let mut chosen: Vec<Host> = Vec::with_capacity(words.len());
    let by_name: BTreeMap<&str, &Host> = found.iter().map(|host| (host.name.as_str(), host)).collect();
    for word in words {
        let others = || found.iter().filter(move |host| host.short_id == *word || host.id == *word);
        let host = match (by_name.get(word), others().count()) {
            (Some(host), _) => *host,
            (None, 1) => match others().next() {
                Some(host) => host,
                None => continue,
            },
            (None, 0) => {
                return Err(format!("there is no host {} (NOT_FOUND); `underlay host list` lists them", shown(word)));
            }
            (None, count) => {
                let names: Vec<String> = others().map(|host| shown(&host.name)).collect();
                return Err(format!("{} fits {count} hosts: {} (AMBIGUOUS)", shown(word), names.join(", ")));
            }
        };
        if !chosen.iter().any(|other| other.id == host.id) {
            chosen.push(host.clone());
        }
    }
    Ok(chosen)
}

/// Returns the id of the profile with a name.
pub(super) async fn profile(client: &Client, name: &str) -> Result<String, Refused> {
    let text = name.strip_prefix("profile/").unwrap_or(name);
    object(client, "profile", text).await
}

/// Returns the id of the object of a kind with a name.
pub(crate) async fn object(client: &Client, kind: &str, text: &str) -> Result<String, Refused> {
    let known = kinds().named(kind).ok_or_else(|| Refused::Usage(format!("there is no kind {kind}")))?;
    let name = ObjectName::of_kind(known, text).map_err(|error| Refused::Usage(format!("{text:?}: {error}")))?;
    Ok(find(client, &name).await?.id)
}

#[cfg(test)]
pub(super) mod tests {
    use super::*;

    pub fn host(name: &str, change: serde_json::Value) -> Host {
        let mut host = json!({
            "id": format!("00000000-0000-4000-8000-{:012}", name.len()), "name": name, "shortId": "h-0000001",
            "title": null, "state": "AVAILABLE", "power": "OFF", "generation": 0, "generationDone": 0,
            "acquiredFor": null, "deleting": false, "createdAt": "2026-11-20T00:00:00Z", "maintenance": {},
            "class": null, "appliance": null, "cluster": null, "step": null, "failure": null, "lastOrder": null, "conditions": [],
            "machine": null,
        });
        let members = change.as_object().expect("members").clone();
        host.as_object_mut().expect("a host").extend(members);
        serde_json::from_value(host).expect("a host")
    }

    #[test]
    fn a_word_is_a_name_a_short_id_or_an_id() {
        let id = "00000000-0000-4000-8000-000000000009";
        let found = vec![
            host("calm-heron", json!({"shortId": "h-abcdefg"})),
            host("brave-otter", json!({"shortId": "h-1234567", "id": id})),
            host("twin", json!({"shortId": "h-abcdefg"})),
            host("h-1234567x", json!({})),
        ];
        let names = |words: &[&str]| {
            pick(words, found.clone()).map(|hosts| hosts.into_iter().map(|host| host.name).collect::<Vec<_>>())
        };
        assert_eq!(names(&["brave-otter", "calm-heron"]), Ok(vec!["brave-otter".to_owned(), "calm-heron".to_owned()]));
        assert_eq!(names(&["h-1234567", id, "brave-otter"]), Ok(vec!["brave-otter".to_owned()]), "each once");
        assert!(
            names(&["h-abcdefg"]).is_err_and(|it| it.contains("fits 2 hosts: \"calm-heron\", \"twin\"")
                || it.contains("fits 2 hosts: calm-heron, twin"))
        );
        assert!(names(&["brave-otter", "nobody"]).is_err_and(|it| it.contains("NOT_FOUND")));
    }

    #[test]
    fn the_query_is_valid() {
        let query = format!("{{ hosts {{ nodes {{ {HOST} }} }} }}");
        underlay_testing::graphql::assert_valid(query);
    }
}
