//! The answer of the write path: an outcome for each item of a batch.

use serde::{Deserialize, Serialize};
use uuid::Uuid;

use underlay_inventory::Refusal;

/// The character that PostgreSQL cannot store in a text, and its replacement in messages.
const NUL: char = '\0';
const SHOWN_NUL: &str = "\\u0000";

/// The effect of an item.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "SCREAMING_SNAKE_CASE")]
pub enum Status {
    Created,
    Updated,
    Unchanged,
    Deleted,
    Failed,
    /// The item was not refused, but another one of its batch was, so that nothing of the batch was written.
    NotWritten,
}

/// The way in which the object of an item was recognised.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "SCREAMING_SNAKE_CASE")]
pub enum Recognised {
    /// By the id in the item.
    Id,
    /// By the external id in the item, for the source of the batch.
    ExternalId,
    /// By the key: the name within the parent, or the value that replaces the name for a kind that needs none.
    Key,
    /// No object was recognised, so the item creates one.
    Created,
}

/// The reason why a field kept its value.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "SCREAMING_SNAKE_CASE")]
pub enum SkipReason {
    /// Another manager owns the field.
    #[default]
    Managed,
    /// The source would empty more than its limits allow.
    Held,
}

/// A field that kept its value.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Skipped {
    pub field: String,
    /// The manager that owns the field.
    pub manager: String,
    /// The reason. Outcomes that were stored before there were several have none.
    #[serde(default)]
    pub reason: SkipReason,
}

/// The outcome of an item.
#[derive(Clone, Debug)]
pub struct Outcome {
    pub status: Status,
    /// The name of the kind; `None` if the item was refused before its kind was known.
    pub kind: Option<&'static str>,
    pub id: Option<Uuid>,
    pub name: Option<String>,
    /// The way in which the object was recognised; `None` if the item was refused before that.
    pub by: Option<Recognised>,
    /// The external id in the item.
    pub external_id: Option<String>,
    pub skipped: Vec<Skipped>,
    pub error: Option<Refusal>,
}

impl Outcome {
    /// Creates an outcome with a status and a kind, and nothing else.
    pub fn of(status: Status, kind: Option<&'static str>) -> Self {
        Self { status, kind, id: None, name: None, by: None, external_id: None, skipped: Vec::new(), error: None }
    }

    /// Turns the outcome into a refusal.
    pub fn refuse(&mut self, refusal: Refusal) {
        // An object that was not created has no id.
        self.id = self.id.filter(|_| self.status != Status::Created);
        self.status = Status::Failed;
        self.error = Some(refusal);
    }

    /// Takes back what the item would have done, because its batch is not written. A refused item stays refused.
    pub fn take_back(&mut self) {
        if self.error.is_none() {
            // An object that was not created has no id.
            self.id = self.id.filter(|_| self.status != Status::Created);
            self.status = Status::NotWritten;
        }
    }

    /// Replaces the character NUL in every text. An outcome quotes the client's input and is stored with the name of
    /// the request, and PostgreSQL cannot store that character. The client gets the outcome in its stored form, so that
    /// a repeated request gets the same answer.
    pub fn storable(mut self) -> Self {
        let refusal = self.error.take_if(|it| has_nul(&it.to_string()) || it.field().is_some_and(has_nul));
        if let Some(refusal) = refusal {
            self.error = Some(Refusal::Recorded {
                code: refusal.code(),
                field: refusal.field().map(without_nul),
                message: without_nul(&refusal.to_string()),
            });
        }
        for text in [&mut self.name, &mut self.external_id].into_iter().flatten().filter(|text| has_nul(text)) {
            *text = without_nul(text);
        }
        for Skipped { field, .. } in self.skipped.iter_mut().filter(|it| has_nul(&it.field)) {
            *field = without_nul(field);
        }
        self
    }

    /// Creates the outcome of a refused item.
    pub fn failed(kind: Option<&'static str>, error: Refusal) -> Self {
        Self { error: Some(error), ..Self::of(Status::Failed, kind) }
    }
}

fn has_nul(text: &str) -> bool {
    text.contains(NUL)
}

fn without_nul(text: &str) -> String {
    text.replace(NUL, SHOWN_NUL)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_outcome_holds_no_nul_and_says_where_one_was() {
        let field = "labels.a\0b".to_owned();
        let outcome = Outcome {
            name: Some("n\0".to_owned()),
            external_id: Some("\0x".to_owned()),
            ..Outcome::failed(None, Refusal::Invalid { field, reason: "must not be \"\0\"".to_owned() })
        };
        let outcome = outcome.storable();
        let error = outcome.error.expect("it stays refused");
        assert_eq!(error.code(), underlay_error::Code::Invalid);
        assert_eq!(error.field(), Some("labels.a\\u0000b"));
        assert_eq!(error.to_string(), "labels.a\\u0000b must not be \"\\u0000\"");
        assert_eq!((outcome.name.as_deref(), outcome.external_id.as_deref()), (Some("n\\u0000"), Some("\\u0000x")));
        let other = Refusal::Invalid { field: "a".to_owned(), reason: "b".to_owned() };
        assert_eq!(Outcome::failed(None, other.clone()).storable().error, Some(other), "others stay as they are");
    }
}
