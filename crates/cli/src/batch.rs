//! Sends the writes of all commands: by `POST /apply` or, for commands that show what changes object by object, by the
//! mutation `apply`.

use std::fmt;

use clap::ValueEnum;
use serde::{Deserialize, Serialize};
use serde_json::{Map, Value};
use underlay_client::{Client, ClientError, Lines};

/// The maximum number of items of one `apply`.
pub(super) const MAX_BATCH_ITEMS: usize = underlay_kinds::apply::MAX_BATCH_ITEMS;
/// The number of items that the server writes in one batch if each item is written on its own.
pub(super) const BATCH_ITEMS: usize = 1_000;

/// The part of the answer that a command needs.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Detail {
    /// The result of each item.
    Results,
    /// The result of each item, and the changes object by object.
    Changes,
}

/// The mutation that returns the results and the changes of a batch.
const APPLY: &str = "mutation($input: ApplyInput!) {
  apply(input: $input) {
    results { status name skipped { field manager } error { code field message } }
    changes { operation kind path before after }
  }
}";

/// The input of a batch: the API's `ApplyInput`.
#[derive(Clone, Debug, Serialize)]
#[serde(rename_all = "camelCase")]
pub(super) struct Input<'a> {
    /// Borrowed, because there can be many.
    pub(super) items: Vec<&'a Value>,
    pub(super) mode: Mode,
    pub(super) dry_run: bool,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) source: Option<&'a str>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) conflicts: Option<Conflicts>,
}

impl<'a> Input<'a> {
    /// Returns a batch of items that are written together or not at all.
    pub(super) fn of(items: impl IntoIterator<Item = &'a Value>) -> Self {
        let items = items.into_iter().collect();
        Self { items, mode: Mode::Atomic, dry_run: false, source: None, conflicts: None }
    }
}

/// The effect of a rejected item on the other items of a batch.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "SCREAMING_SNAKE_CASE")]
pub(super) enum Mode {
    Atomic,
    PerItem,
}

impl Mode {
    /// Returns the API's name for the mode.
    const fn name(self) -> &'static str {
        match self {
            Self::Atomic => "ATOMIC",
            Self::PerItem => "PER_ITEM",
        }
    }
}

/// The policy for a field that another manager owns.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, ValueEnum)]
#[serde(rename_all = "SCREAMING_SNAKE_CASE")]
pub(super) enum Conflicts {
    /// Leave the field unchanged and report it.
    Skip,
    /// Reject the item.
    Fail,
    /// Set the field and take over its ownership.
    Force,
}

impl Conflicts {
    /// Returns the API's name for the policy.
    const fn name(self) -> &'static str {
        match self {
            Self::Skip => "SKIP",
            Self::Fail => "FAIL",
            Self::Force => "FORCE",
        }
    }
}

/// The server's answer for a batch.
#[derive(Debug, Default, Deserialize)]
pub(super) struct BatchAnswer {
    /// One result for each item, in the order of the items.
    pub(super) results: Vec<ItemResult>,
    /// The changes that were made or would be made, if they were requested.
    #[serde(default)]
    pub(super) changes: Vec<Change>,
}

/// The change of one object.
#[derive(Debug, Deserialize)]
pub(super) struct Change {
    pub(super) operation: Operation,
    /// The name of the kind.
    pub(super) kind: String,
    /// The path of the object, such as `rack/ams1/A14`.
    pub(super) path: String,
    /// The old values of the fields that differ; for a deleted object, all fields.
    pub(super) before: Option<Map<String, Value>>,
    /// The new values of the fields that differ; for a new object, all fields.
    pub(super) after: Option<Map<String, Value>>,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "SCREAMING_SNAKE_CASE")]
pub(super) enum Operation {
    Created,
    Updated,
    Deleted,
}

/// The server's result for one item.
#[derive(Debug, Deserialize)]
pub(super) struct ItemResult {
    pub(super) status: Status,
    #[serde(default)]
    pub(super) name: Option<String>,
    #[serde(default)]
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
    NotWritten,
}

impl Status {
    /// All statuses, in the order in which totals list them.
    pub(super) const ALL: [Self; 6] =
        [Self::Created, Self::Updated, Self::Deleted, Self::Unchanged, Self::Failed, Self::NotWritten];

    pub(super) const fn word(self) -> &'static str {
        match self {
            Self::Created => "created",
            Self::Updated => "updated",
            Self::Unchanged => "unchanged",
            Self::Deleted => "deleted",
            Self::Failed => "failed",
            Self::NotWritten => "not written",
        }
    }
}

/// A field that was not written, because another manager owns it.
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

/// Writes a batch. With a dry run, only returns what it would change.
pub(super) async fn apply(client: &Client, input: &Input<'_>, detail: Detail) -> Result<BatchAnswer, ClientError> {
    #[derive(Deserialize)]
    struct Data {
        apply: BatchAnswer,
    }
    #[derive(Serialize)]
    #[serde(rename_all = "camelCase")]
    struct NamedInput<'a> {
        #[serde(flatten)]
        input: &'a Input<'a>,
        request_id: String,
    }
    #[derive(Serialize)]
    struct Variables<'a> {
        input: NamedInput<'a>,
    }
    if detail != Detail::Changes {
        return post(client, input).await;
    }
    let variables = |request_id| Variables { input: NamedInput { input, request_id } };
    let data: Data = client.mutate(APPLY, variables).await?;
    complete(client, data.apply, input)
}

/// Writes a batch with `POST /apply`.
async fn post(client: &Client, input: &Input<'_>) -> Result<BatchAnswer, ClientError> {
    let (mode, conflicts) = (input.mode.name(), input.conflicts.map(Conflicts::name));
    let mut parameters = vec![("mode", mode)];
    parameters.extend(input.dry_run.then_some(("dryRun", "true")));
    parameters.extend(input.source.map(|source| ("source", source)));
    parameters.extend(conflicts.map(|conflicts| ("conflicts", conflicts)));
    let lines: Lines = input.items.iter().copied().collect();
    let results = client.apply(&parameters, lines).await?;
    Ok(BatchAnswer { results, changes: Vec::new() })
}

/// Checks that the answer has a result for each item.
fn complete(client: &Client, payload: BatchAnswer, input: &Input<'_>) -> Result<BatchAnswer, ClientError> {
    let (received, sent) = (payload.results.len(), input.items.len());
    match received == sent {
        true => Ok(payload),
        false => Err(ClientError::NotGraphql {
            server: client.server().to_string(),
            reason: format!("the answer has results for {received} items, but {sent} were sent"),
        }),
    }
}

/// The number of items with each status: `3 created, 20 unchanged`.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Totals([usize; Status::ALL.len()]);

impl Totals {
    pub(super) fn add(&mut self, status: Status) {
        let index = Status::ALL.iter().position(|it| *it == status);
        if let Some(count) = index.and_then(|index| self.0.get_mut(index)) {
            *count += 1;
        }
    }

    /// Returns the total number of items.
    pub(super) fn count(&self) -> usize {
        self.0.iter().sum()
    }
}

impl FromIterator<Status> for Totals {
    fn from_iter<I: IntoIterator<Item = Status>>(statuses: I) -> Self {
        let mut totals = Self::default();
        statuses.into_iter().for_each(|status| totals.add(status));
        totals
    }
}

impl fmt::Display for Totals {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        let counted = Status::ALL.iter().zip(self.0).filter(|(_, count)| *count > 0);
        let parts: Vec<String> = counted.map(|(status, count)| format!("{count} {}", status.word())).collect();
        out.write_str(if parts.is_empty() { "nothing to do" } else { "" })?;
        out.write_str(&parts.join(", "))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_server_has_what_is_asked() {
        underlay_testing::graphql::assert_valid(APPLY);
    }
}
