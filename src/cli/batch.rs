//! The one way in which commands write: the API's `apply`.

use std::fmt;

use clap::ValueEnum;
use serde::{Deserialize, Serialize};
use serde_json::{Map, Value};
use underlay_client::{Client, ClientError};

/// How many items one `apply` takes.
pub(super) const MOST_ITEMS: usize = crate::kinds::apply::MOST_ITEMS;

/// How much the server shall say of each item.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Answer {
    /// Everything.
    Full,
    /// Everything, and what changes object by object.
    Changes,
    /// What became of it, and why it was refused: a third of the answer, for those who write a great many.
    Brief,
}

impl Answer {
    /// The mutation that asks for so much.
    const fn mutation(self) -> &'static str {
        match self {
            Self::Full => {
                "mutation($input: ApplyInput!) {
                   apply(input: $input) {
                     results { status name skipped { field manager } error { code field message } }
                   }
                 }"
            }
            Self::Changes => {
                "mutation($input: ApplyInput!) {
                   apply(input: $input) {
                     results { status name skipped { field manager } error { code field message } }
                     changes { operation kind path before after }
                   }
                 }"
            }
            Self::Brief => {
                "mutation($input: ApplyInput!) {
                   apply(input: $input) {
                     results { status error { code field message } }
                   }
                 }"
            }
        }
    }
}

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
    let variables = |request_id| Variables { input: Named { input, request_id } };
    let data: Data = client.mutate(answer.mutation(), variables).await?;
    if data.apply.results.len() != input.items.len() {
        let (said, sent) = (data.apply.results.len(), input.items.len());
        let reason = format!("it says something of {said} items, {sent} were sent");
        return Err(ClientError::NotGraphql { server: client.server().to_string(), reason });
    }
    Ok(data.apply)
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
