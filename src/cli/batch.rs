//! The one way in which commands write: the API's `apply`.

use serde::Deserialize;
use serde_json::{Map, Value, json};
use underlay_adapters::{Client, ClientError};

/// How many items one `apply` takes.
pub(super) const MOST_ITEMS: usize = crate::kinds::apply::MOST_ITEMS;

const RESULTS: &str = "results { status kind id name skipped { field manager } error { code field message } }";
const CHANGES: &str = "changes { operation kind path before after }";

/// What the server says of a batch.
#[derive(Debug, Deserialize)]
pub(super) struct Payload {
    /// In the order of the items, one for each.
    pub(super) results: Vec<ItemResult>,
    /// What changed, or would change, where that was asked for.
    #[serde(default)]
    pub(super) changes: Vec<Change>,
}

/// What a batch changes of an object.
#[derive(Debug, Deserialize)]
pub(super) struct Change {
    pub(super) operation: Operation,
    /// The name of the kind.
    pub(super) kind: String,
    /// What the object is called: `rack/ams1/A14`.
    pub(super) path: String,
    /// The fields that differ, as they were; of a deleted object all.
    pub(super) before: Option<Map<String, Value>>,
    /// The fields that differ, as they become; of a new object all.
    pub(super) after: Option<Map<String, Value>>,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "SCREAMING_SNAKE_CASE")]
pub(super) enum Operation {
    Created,
    Updated,
    Deleted,
}

/// What the server says of an item.
#[derive(Debug, Deserialize)]
pub(super) struct ItemResult {
    pub(super) status: Status,
    pub(super) name: Option<String>,
    pub(super) skipped: Vec<Skipped>,
    pub(super) error: Option<ItemError>,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "SCREAMING_SNAKE_CASE")]
pub(super) enum Status {
    Created,
    Updated,
    Unchanged,
    Deleted,
    Failed,
}

impl Status {
    /// All of them, in the order in which they are counted.
    pub(super) const ALL: [Self; 5] = [Self::Created, Self::Updated, Self::Deleted, Self::Unchanged, Self::Failed];

    pub(super) const fn word(self) -> &'static str {
        match self {
            Self::Created => "created",
            Self::Updated => "updated",
            Self::Unchanged => "unchanged",
            Self::Deleted => "deleted",
            Self::Failed => "failed",
        }
    }
}

/// A field that was left alone.
#[derive(Debug, Deserialize)]
pub(super) struct Skipped {
    pub(super) field: String,
    pub(super) manager: String,
}

#[derive(Debug, Deserialize)]
pub(super) struct ItemError {
    pub(super) code: String,
    pub(super) field: Option<String>,
    pub(super) message: String,
}

/// Writes a batch. The input is that of `apply`, without the id of the request.
pub(super) async fn apply(client: &Client, input: Map<String, Value>) -> Result<Payload, ClientError> {
    send(client, input, RESULTS).await
}

/// Writes a batch, and asks what it changes object by object.
pub(super) async fn apply_telling(client: &Client, input: Map<String, Value>) -> Result<Payload, ClientError> {
    send(client, input, &format!("{RESULTS} {CHANGES}")).await
}

/// Says what a batch would change object by object, and writes nothing.
pub(super) async fn dry_run(client: &Client, mut input: Map<String, Value>) -> Result<Payload, ClientError> {
    input.insert("dryRun".to_owned(), true.into());
    apply_telling(client, input).await
}

async fn send(client: &Client, mut input: Map<String, Value>, selection: &str) -> Result<Payload, ClientError> {
    #[derive(Deserialize)]
    struct Data {
        apply: Payload,
    }
    let items = input.get("items").and_then(Value::as_array).map_or(0, Vec::len);
    let variables = |request_id: String| {
        input.insert("requestId".to_owned(), request_id.into());
        json!({ "input": input })
    };
    let mutation = format!("mutation($input: ApplyInput!) {{ apply(input: $input) {{ {selection} }} }}");
    let data: Data = client.mutate(&mutation, variables).await?;
    if data.apply.results.len() != items {
        let reason = format!("it says something of {} items, {items} were sent", data.apply.results.len());
        return Err(ClientError::NotGraphql { server: client.server().to_string(), reason });
    }
    Ok(data.apply)
}

/// Statuses, counted: `3 created, 20 unchanged`.
pub(super) fn totals(statuses: impl Iterator<Item = Status> + Clone) -> String {
    let counted = Status::ALL.map(|status| (status, statuses.clone().filter(|it| *it == status).count()));
    let said =
        counted.iter().filter(|(_, count)| *count > 0).map(|(status, count)| format!("{count} {}", status.word()));
    let said = said.collect::<Vec<_>>().join(", ");
    if said.is_empty() { "nothing to do".to_owned() } else { said }
}
