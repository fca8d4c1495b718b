//! The one way in which commands write: the API's `apply`.

use serde::Deserialize;
use serde_json::{Map, Value, json};
use underlay_adapters::{Client, ClientError};

/// How many items one `apply` takes.
pub(super) const MOST_ITEMS: usize = crate::kinds::apply::MOST_ITEMS;

const APPLY: &str = "mutation($input: ApplyInput!) {
  apply(input: $input) {
    revision
    results { status kind id name skipped { field manager } error { code field message } }
  }
}";

/// What the server says of a batch.
#[derive(Debug, Deserialize)]
pub(super) struct Payload {
    /// In the order of the items, one for each.
    pub(super) results: Vec<ItemResult>,
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
pub(super) async fn apply(client: &Client, mut input: Map<String, Value>) -> Result<Payload, ClientError> {
    #[derive(Deserialize)]
    struct Data {
        apply: Payload,
    }
    let items = input.get("items").and_then(Value::as_array).map_or(0, Vec::len);
    let variables = |request_id: String| {
        input.insert("requestId".to_owned(), request_id.into());
        json!({ "input": input })
    };
    let data: Data = client.mutate(APPLY, variables).await?;
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
