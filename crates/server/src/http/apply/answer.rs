//! The lines of the answer to `POST /apply`.

use serde::Serialize;
use uuid::Uuid;

use crate::http::refusal::Refused;
use underlay_engine::write::{Outcome, Recognised, Skipped, Status};
use underlay_inventory::Refusal;

/// The line that says what became of an item. Members without a value are left out.
#[derive(Debug, Serialize)]
#[serde(rename_all = "camelCase")]
struct ItemAnswer<'a> {
    line: u64,
    status: Status,
    #[serde(skip_serializing_if = "Option::is_none")]
    kind: Option<&'a str>,
    #[serde(skip_serializing_if = "Option::is_none")]
    id: Option<Uuid>,
    #[serde(skip_serializing_if = "Option::is_none")]
    name: Option<&'a str>,
    #[serde(skip_serializing_if = "Option::is_none")]
    external_id: Option<&'a str>,
    #[serde(skip_serializing_if = "Option::is_none")]
    by: Option<Recognised>,
    #[serde(skip_serializing_if = "<[_]>::is_empty")]
    skipped: &'a [Skipped],
    #[serde(skip_serializing_if = "Option::is_none")]
    error: Option<ErrorAnswer<'a>>,
}

#[derive(Debug, Serialize)]
struct ErrorAnswer<'a> {
    code: &'static str,
    #[serde(skip_serializing_if = "Option::is_none")]
    field: Option<&'a str>,
    message: String,
}

impl<'a> From<&'a Refusal> for ErrorAnswer<'a> {
    fn from(refusal: &'a Refusal) -> Self {
        Self { code: refusal.code().as_str(), field: refusal.field(), message: refusal.to_string() }
    }
}

/// The last line. `end` is true if every line of the request was read and answered.
#[derive(Debug, Serialize)]
#[serde(rename_all = "camelCase")]
struct EndAnswer<'a> {
    end: bool,
    #[serde(flatten)]
    totals: &'a Totals,
    #[serde(skip_serializing_if = "Option::is_none")]
    error: Option<ErrorAnswer<'a>>,
}

/// The combined results of the batches of a request.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct Totals {
    counts: ItemCounts,
    /// The revision of the first batch that changed something.
    first_revision: Option<i64>,
    /// The revision of the last batch that changed something.
    last_revision: Option<i64>,
}

/// The number of items by their status.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize)]
struct ItemCounts {
    created: u64,
    updated: u64,
    deleted: u64,
    unchanged: u64,
    failed: u64,
}

impl Totals {
    /// Adds a batch and its revision, if it has one.
    pub fn add(&mut self, outcomes: &[Outcome], revision: Option<i64>) {
        for outcome in outcomes {
            let count = match outcome.status {
                Status::Created => &mut self.counts.created,
                Status::Updated => &mut self.counts.updated,
                Status::Deleted => &mut self.counts.deleted,
                Status::Unchanged => &mut self.counts.unchanged,
                Status::Failed => &mut self.counts.failed,
                Status::NotWritten => continue,
            };
            *count += 1;
        }
        self.first_revision = self.first_revision.or(revision);
        self.last_revision = revision.or(self.last_revision);
    }
}

/// Appends the lines of a batch.
pub fn write_items(to: &mut Vec<u8>, lines: &[u64], outcomes: &[Outcome]) {
    for (line, outcome) in lines.iter().zip(outcomes) {
        write_line(
            to,
            &ItemAnswer {
                line: *line,
                status: outcome.status,
                kind: outcome.kind,
                id: outcome.id,
                name: outcome.name.as_deref(),
                external_id: outcome.external_id.as_deref(),
                by: outcome.by,
                skipped: &outcome.skipped,
                error: outcome.error.as_ref().map(ErrorAnswer::from),
            },
        );
    }
}

/// Appends the last line of a request that was read to its end.
pub fn write_end(to: &mut Vec<u8>, totals: &Totals) {
    write_line(to, &EndAnswer { end: true, totals, error: None });
}

/// Appends the last line of a request that could not be read or written to its end.
pub fn write_failure(to: &mut Vec<u8>, totals: &Totals, refused: &Refused) {
    let error = ErrorAnswer { code: refused.code.as_str(), field: None, message: refused.message.clone() };
    write_line(to, &EndAnswer { end: false, totals, error: Some(error) });
}

fn write_line(to: &mut Vec<u8>, line: &impl Serialize) {
    let begin = to.len();
    // Plain values can always be written as JSON, and memory takes them. Were it otherwise, the line would be missing,
    // which the client sees by its number.
    if serde_json::to_writer(&mut *to, line).is_err() {
        to.truncate(begin);
        return;
    }
    to.push(b'\n');
}
