//! The one way in which commands write: `POST /apply` of the server, or the mutation `apply` where a command shows what
//! changes object by object.

use std::fmt;

use clap::ValueEnum;
use serde::{Deserialize, Serialize};
use serde_json::{Map, Value, json};
use underlay_client::{Client, ClientError, GraphqlError};

/// How many items one `apply` takes.
pub(super) const MOST_ITEMS: usize = crate::kinds::apply::MOST_ITEMS;
/// The number of items that the server writes in one batch where each item stands alone.
pub(super) const BATCH_ITEMS: usize = 1_000;

/// The part of the answer that a command needs.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Answer {
    /// The result of each item.
    Results,
    /// The result of each item, and what changes object by object.
    Changes,
}

/// The mutation that gives the results and the changes of a batch.
const APPLY: &str = "mutation($input: ApplyInput!) {
  apply(input: $input) {
    results { status name skipped { field manager } error { code field message } }
    changes { operation kind path before after }
  }
}";

/// What is written, and how: the API's `ApplyInput`.
#[derive(Clone, Debug, Serialize)]
#[serde(rename_all = "camelCase")]
pub(super) struct Input<'a> {
    /// Borrowed, as they may be many.
    pub(super) items: Vec<&'a Value>,
    pub(super) mode: Mode,
    pub(super) dry_run: bool,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) source: Option<&'a str>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) conflicts: Option<Conflicts>,
}

impl<'a> Input<'a> {
    /// Items that are written together, or not at all.
    pub(super) fn of(items: impl IntoIterator<Item = &'a Value>) -> Self {
        let items = items.into_iter().collect();
        Self { items, mode: Mode::Atomic, dry_run: false, source: None, conflicts: None }
    }
}

/// Whether the items of a batch stand and fall together.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "SCREAMING_SNAKE_CASE")]
pub(super) enum Mode {
    Atomic,
    PerItem,
}

impl Mode {
    /// The name in the API.
    const fn name(self) -> &'static str {
        match self {
            Self::Atomic => "ATOMIC",
            Self::PerItem => "PER_ITEM",
        }
    }
}

/// What happens to a field that another manager holds.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, ValueEnum)]
#[serde(rename_all = "SCREAMING_SNAKE_CASE")]
pub(super) enum Conflicts {
    /// They are left alone, and reported.
    Skip,
    /// The item is refused.
    Fail,
    /// They are taken over.
    Force,
}

impl Conflicts {
    /// The name in the API.
    const fn name(self) -> &'static str {
        match self {
            Self::Skip => "SKIP",
            Self::Fail => "FAIL",
            Self::Force => "FORCE",
        }
    }
}

/// What the server says of a batch.
#[derive(Debug, Default, Deserialize)]
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

/// Writes a batch, or with a dry run says what it would change.
pub(super) async fn apply(client: &Client, input: &Input<'_>, answer: Answer) -> Result<Payload, ClientError> {
    #[derive(Deserialize)]
    struct Data {
        apply: Payload,
    }
    #[derive(Serialize)]
    #[serde(rename_all = "camelCase")]
    struct Named<'a> {
        #[serde(flatten)]
        input: &'a Input<'a>,
        request_id: String,
    }
    #[derive(Serialize)]
    struct Variables<'a> {
        input: Named<'a>,
    }
    if answer != Answer::Changes {
        return post(client, input).await;
    }
    let variables = |request_id| Variables { input: Named { input, request_id } };
    let data: Data = client.mutate(APPLY, variables).await?;
    complete(client, data.apply, input)
}

/// Writes a batch by `POST /apply`.
async fn post(client: &Client, input: &Input<'_>) -> Result<Payload, ClientError> {
    #[derive(Serialize)]
    struct Line<'a> {
        item: &'a Value,
    }
    let (mode, conflicts) = (input.mode.name(), input.conflicts.map(Conflicts::name));
    let mut parameters = vec![("mode", mode)];
    parameters.extend(input.dry_run.then_some(("dryRun", "true")));
    parameters.extend(input.source.map(|source| ("source", source)));
    parameters.extend(conflicts.map(|conflicts| ("conflicts", conflicts)));
    let mut body = Vec::new();
    for item in &input.items {
        // A value can always be written as JSON.
        let _ = serde_json::to_writer(&mut body, &Line { item });
        body.push(b'\n');
    }
    let answer = client.apply(&parameters, body).await?;
    let lines = answer.split(|byte| *byte == b'\n').filter(|line| !line.is_empty());
    let read = lines.map(serde_json::from_slice).collect::<Result<Vec<AnswerLine>, _>>();
    let mut read = read.map_err(|error| unexpected(client, error.to_string()))?;
    match read.pop() {
        Some(AnswerLine::End { end: true, .. }) => {}
        Some(AnswerLine::End { error: Some(error), .. }) => return Err(ClientError::Graphql(vec![error.into()])),
        _ => return Err(unexpected(client, "the answer of /apply has no last line".to_owned())),
    }
    let results = read.into_iter().filter_map(|line| match line {
        AnswerLine::Item(result) => Some(result),
        AnswerLine::End { .. } => None,
    });
    complete(client, Payload { results: results.collect(), changes: Vec::new() }, input)
}

/// A line of the answer of `POST /apply`.
#[derive(Debug, Deserialize)]
#[serde(untagged)]
enum AnswerLine {
    End { end: bool, error: Option<ItemError> },
    Item(ItemResult),
}

impl From<ItemError> for GraphqlError {
    fn from(ItemError { code, field, message }: ItemError) -> Self {
        Self { message, path: Vec::new(), extensions: json!({"code": code, "field": field}) }
    }
}

/// Checks that a payload has a result for each item.
fn complete(client: &Client, payload: Payload, input: &Input<'_>) -> Result<Payload, ClientError> {
    let (said, sent) = (payload.results.len(), input.items.len());
    match said == sent {
        true => Ok(payload),
        false => Err(unexpected(client, format!("the answer has results of {said} items, {sent} were sent"))),
    }
}

fn unexpected(client: &Client, reason: String) -> ClientError {
    ClientError::NotGraphql { server: client.server().to_string(), reason }
}

/// Statuses, counted: `3 created, 20 unchanged`.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Totals([usize; Status::ALL.len()]);

impl Totals {
    pub(super) fn add(&mut self, status: Status) {
        let place = Status::ALL.iter().position(|it| *it == status);
        if let Some(count) = place.and_then(|place| self.0.get_mut(place)) {
            *count += 1;
        }
    }

    /// How many there are in all.
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
        let said: Vec<String> = counted.map(|(status, count)| format!("{count} {}", status.word())).collect();
        out.write_str(if said.is_empty() { "nothing to do" } else { "" })?;
        out.write_str(&said.join(", "))
    }
}
