//! What is asked of the write path, and what it answers.

use serde::{Deserialize, Serialize};
use serde_json::Value as Json;
use uuid::Uuid;

use super::fields::Fields;
use underlay_inventory::{Description, Refusal, Registry, manager_name, shorten, shorten_text};

/// How many objects one batch may touch, and how many items it may have.
pub const MOST_ITEMS: usize = 10_000;
/// The longest name of a source, a request or a run.
const LONGEST_NAME: usize = 253;
/// The character that PostgreSQL can hold in no text, and what stands for it in messages.
const NUL: char = '\0';
const SHOWN_NUL: &str = "\\u0000";
/// Batches of up to this many items go through the lane for small ones.
pub const SMALL: usize = 100;

/// Whether the items of a batch stand and fall together.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "SCREAMING_SNAKE_CASE")]
pub enum Mode {
    /// All are written, or none.
    #[default]
    Atomic,
    /// Each is written or refused by itself.
    PerItem,
}

/// What happens to a field that another manager holds.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "SCREAMING_SNAKE_CASE")]
pub enum Conflicts {
    /// It is left alone, and reported.
    Skip,
    /// The item is refused.
    Fail,
    /// It is taken over.
    Force,
}

/// Who writes.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Author {
    /// Who is logged in.
    pub actor: String,
    /// The source in whose name a synchronizer writes.
    pub source: Option<String>,
}

impl Author {
    /// The manager of the fields that this author sets.
    pub fn manager(&self) -> String {
        manager_name(&self.actor, self.source.as_deref())
    }
}

/// What an item may do.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Intent {
    /// Create the object, or update it when it is there.
    Apply,
    /// Create the object; refused when it is there.
    Create,
    /// Update the object; refused when it is not there.
    Update,
}

/// One thing to do.
#[derive(Clone, Debug)]
pub enum Item {
    /// Set fields of an object.
    Write {
        kind: &'static Description,
        intent: Intent,
        /// By their GraphQL names; besides the kind's fields `id` and `externalId`, which say which object it is.
        fields: Fields,
        if_version: Option<i64>,
    },
    /// Delete an object.
    Delete {
        /// The kind; `None`: the reference is an id.
        kind: Option<&'static Description>,
        /// A reference, as in a field.
        object: Json,
        cascade: Cascade,
        if_version: Option<i64>,
    },
    /// Let go of fields that a manager holds; their values stay.
    Release {
        /// The kind; `None`: the reference is an id.
        kind: Option<&'static Description>,
        /// A reference, as in a field.
        object: Json,
        /// By their GraphQL names, entries of maps as `labels.env`.
        what: Release,
    },
    /// An item that was refused when it was read. It keeps its place in the batch and writes nothing.
    Refused {
        /// The outcome of the item, with its refusal.
        outcome: Box<Outcome>,
        /// The item as it was given.
        given: Json,
    },
}

/// The member of an item that says at which version its object must be.
const IF_VERSION: &str = "ifVersion";

impl Item {
    /// An item that sets fields. Among these may be `ifVersion`, which is none of the object.
    ///
    /// # Errors
    /// When `ifVersion` is no version.
    pub fn write(kind: &'static Description, intent: Intent, mut fields: Fields) -> Result<Self, Refusal> {
        let if_version = match fields.take(IF_VERSION) {
            None | Some(Json::Null) => None,
            Some(given) => Some(given.as_i64().ok_or_else(|| Refusal::Invalid {
                field: IF_VERSION.to_owned(),
                reason: format!("must be the number of a revision, not {}", shorten(&given)),
            })?),
        };
        Ok(Self::Write { kind, intent, fields, if_version })
    }

    /// Reads an item that creates or updates: an object with one member, named after the kind, that holds the fields.
    ///
    /// # Errors
    /// When it has another form, or there is no such kind.
    pub fn parse(registry: &Registry, item: Json) -> Result<Self, Refusal> {
        let invalid = |reason: String| Refusal::Invalid { field: "item".to_owned(), reason };
        let Json::Object(members) = item else {
            return Err(invalid(format!("must be an object, not {}", shorten(&item))));
        };
        let mut members = members.into_iter();
        let (Some((name, fields)), None) = (members.next(), members.next()) else {
            return Err(invalid("must have one member, named after its kind".to_owned()));
        };
        let Some(kind) = registry.named(&name) else {
            let allowed = registry.kinds().map(|kind| kind.singular).collect::<Vec<_>>().join(", ");
            return Err(Refusal::UnknownKind { kind: shorten_text(&name).into_owned(), allowed });
        };
        match fields {
            Json::Object(fields) => Self::write(kind, Intent::Apply, fields.into()),
            other => Err(invalid(format!("must hold fields, not {}", shorten(&other)))),
        }
    }
}

/// Whether a delete takes along what the object contains.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Cascade {
    /// What the object contains blocks the delete.
    No,
    /// What the object contains goes too.
    Contained,
}

/// What is let go.
#[derive(Clone, Debug)]
pub enum Release {
    /// These fields, whoever holds them.
    Fields(Vec<String>),
    /// Every field that this manager holds.
    HeldBy(String),
}

/// Items that are written together.
#[derive(Clone, Debug)]
pub struct Batch {
    /// Random: tells whether this very batch was committed.
    pub id: Uuid,
    pub items: Vec<Item>,
    pub mode: Mode,
    pub conflicts: Conflicts,
    pub author: Author,
    /// What the client calls the request, so that it can be repeated.
    pub request_id: Option<String>,
    /// The size of the request in bytes, for the bound of the queue.
    pub bytes: usize,
}

impl Batch {
    /// Checks what is kept of a batch besides its items.
    ///
    /// # Errors
    /// When the batch as a whole is out of bounds.
    pub fn check(&self) -> Result<(), Refusal> {
        if self.items.len() > MOST_ITEMS {
            return Err(Refusal::BatchTooLarge { count: self.items.len(), unit: "items", most: MOST_ITEMS });
        }
        check_name("source", self.author.source.as_deref())?;
        check_name("requestId", self.request_id.as_deref())
    }
}

/// Checks a text by which a client names something that is no object: a source, a request, a run.
///
/// # Errors
/// When it is empty, too long, or holds what names do not have.
pub fn check_name(field: &str, text: Option<&str>) -> Result<(), Refusal> {
    let Some(text) = text else { return Ok(()) };
    let fits = !text.is_empty() && text.trim() == text && !text.chars().any(char::is_control);
    if fits && text.chars().count() <= LONGEST_NAME {
        return Ok(());
    }
    let reason = format!("must be 1 to {LONGEST_NAME} characters, without control characters or a space at either end");
    Err(Refusal::Invalid { field: field.to_owned(), reason })
}

/// What became of an item.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "SCREAMING_SNAKE_CASE")]
pub enum Status {
    Created,
    Updated,
    Unchanged,
    Deleted,
    Failed,
}

/// The way in which the object of an item was recognised.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "SCREAMING_SNAKE_CASE")]
pub enum Recognised {
    /// By the id that the item gives.
    Id,
    /// By the external id that the item gives, of the source of the batch.
    ExternalId,
    /// By its key: the name within its parent, or what stands for the name where the kind needs none.
    Key,
    /// Nothing was recognised: the item creates the object.
    Created,
}

/// A field that was left alone because another manager holds it.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Skipped {
    pub field: String,
    pub manager: String,
}

/// What is said of an item.
#[derive(Clone, Debug)]
pub struct Outcome {
    pub status: Status,
    /// The name of the kind; `None` when the item did not get that far.
    pub kind: Option<&'static str>,
    pub id: Option<Uuid>,
    pub name: Option<String>,
    /// How the object was recognised; `None` when the item did not get that far.
    pub by: Option<Recognised>,
    /// The external id that the item gave.
    pub external_id: Option<String>,
    pub skipped: Vec<Skipped>,
    pub error: Option<Refusal>,
}

impl Outcome {
    /// An outcome of which nothing else is known.
    pub fn of(status: Status, kind: Option<&'static str>) -> Self {
        Self { status, kind, id: None, name: None, by: None, external_id: None, skipped: Vec::new(), error: None }
    }

    /// Refuses the item after all.
    pub fn refuse(&mut self, refusal: Refusal) {
        // The id of an object that was not created leads nowhere.
        self.id = self.id.filter(|_| self.status != Status::Created);
        self.status = Status::Failed;
        self.error = Some(refusal);
    }

    /// The same without the character NUL in any text. What is said of an item repeats what the client gave, and is
    /// stored with the name of the request; PostgreSQL cannot hold that character. It is answered in the form in which it
    /// is stored, so that a repeat gets the same answer.
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
        for Skipped { field, manager: _ } in self.skipped.iter_mut().filter(|it| has_nul(&it.field)) {
            *field = without_nul(field);
        }
        self
    }

    /// An item that was refused.
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
        assert_eq!(error.code(), underlay_inventory::Code::Invalid);
        assert_eq!(error.field(), Some("labels.a\\u0000b"));
        assert_eq!(error.to_string(), "labels.a\\u0000b must not be \"\\u0000\"");
        assert_eq!((outcome.name.as_deref(), outcome.external_id.as_deref()), (Some("n\\u0000"), Some("\\u0000x")));
        let other = Refusal::Invalid { field: "a".to_owned(), reason: "b".to_owned() };
        assert_eq!(Outcome::failed(None, other.clone()).storable().error, Some(other), "others stay as they are");
    }
}
