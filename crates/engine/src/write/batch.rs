//! The input of the write path: a batch of items.

use std::sync::Arc;

use serde::Deserialize;
use serde_json::Value as Json;
use uuid::Uuid;

use super::fields::Fields;
use super::outcome::Outcome;
use super::{Attendant, Decision};
use crate::store::Fence;
use underlay_inventory::{Description, Manager, Refusal, Registry, Roles, shorten, shorten_text};

/// The maximum number of items in a batch, and of objects that it may touch.
pub const MAX_BATCH_ITEMS: usize = 10_000;
/// The maximum length of the name of a source, a request or a run, in characters.
const MAX_NAME_CHARACTERS: usize = 253;
/// The maximum number of items of a batch that waits in the queue for small batches.
pub const SMALL_BATCH_ITEMS: usize = 100;

/// The effect of a refused item on the other items of its batch.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "SCREAMING_SNAKE_CASE")]
pub enum Mode {
    /// Either all items are written, or none.
    #[default]
    Atomic,
    /// Each item is written or refused independently of the others.
    PerItem,
}

/// The treatment of a field that another manager owns.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "SCREAMING_SNAKE_CASE")]
pub enum Conflicts {
    /// The field keeps its value, and the outcome reports it.
    Skip,
    /// The item is refused.
    Fail,
    /// The item takes over the field.
    Force,
}

/// The fields that an author may set, by the roles in which it writes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Sets {
    /// Every field, but of the reported ones only those that are assigned by one of these roles, and as a synchronizer
    /// alone none that is set by operators.
    All(Roles),
    /// Of existing objects, the fields that are assigned by one of these roles.
    Assigned(Roles),
}

/// The author of a batch.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Author {
    /// The authenticated caller.
    pub actor: String,
    /// The source whose data a synchronizer writes.
    pub source: Option<String>,
    /// The fields that the author may set. They also distinguish controllers from users.
    pub sets: Sets,
}

impl Author {
    /// Creates a user that writes in its own name, and sets no reported field.
    pub fn user(actor: impl Into<String>) -> Self {
        Self { actor: actor.into(), source: None, sets: Sets::All(Roles::NONE) }
    }

    /// Returns the same author, on behalf of a source if there is one.
    pub fn on_behalf_of(self, source: Option<impl Into<String>>) -> Self {
        Self { source: source.map(Into::into), ..self }
    }

    /// The manager of the fields that this author sets.
    pub fn manager(&self) -> String {
        let manager = match (&self.source, self.sets) {
            (Some(source), _) => Manager::Source(source),
            (None, Sets::All(_)) => Manager::User(&self.actor),
            (None, Sets::Assigned(_)) => Manager::Controller(&self.actor),
        };
        manager.stored()
    }
}

/// The writes that an item permits.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Intent {
    /// Create the object, or update it if it exists.
    Apply,
    /// Create the object. The item is refused if the object exists.
    Create,
    /// Update the object. The item is refused if the object does not exist.
    Update,
}

/// One item of a batch.
#[derive(Clone, Debug)]
pub enum Item {
    /// Set fields of an object.
    Write {
        kind: &'static Description,
        intent: Intent,
        /// The fields by their GraphQL names. Besides the kind's fields there may be `id` and `externalId`, which
        /// identify the object.
        fields: Fields,
        if_version: Option<i64>,
    },
    /// Delete an object.
    Delete {
        /// The kind; `None` if the reference is an id.
        kind: Option<&'static Description>,
        /// A reference in the form that fields use.
        object: Json,
        cascade: Cascade,
        if_version: Option<i64>,
    },
    /// Release the ownership of fields. Their values stay.
    Release {
        /// The kind; `None` if the reference is an id.
        kind: Option<&'static Description>,
        /// A reference in the form that fields use.
        object: Json,
        /// The fields by their GraphQL names. An entry of a map is written as `labels.env`.
        what: Release,
    },
    /// An item that was refused when it was read. It keeps its position in the batch and writes nothing.
    Refused {
        /// The outcome of the item, with its refusal.
        outcome: Box<Outcome>,
        /// The item as the client sent it.
        input: Json,
    },
}

/// The member of an item with the version that its object must have.
const IF_VERSION: &str = "ifVersion";

impl Item {
    /// Makes an item that sets fields. The fields may contain `ifVersion`, which is not a field of the object.
    ///
    /// # Errors
    /// Returns an error if `ifVersion` is not a version.
    pub fn write(kind: &'static Description, intent: Intent, mut fields: Fields) -> Result<Self, Refusal> {
        let if_version = match fields.take(IF_VERSION) {
            None | Some(Json::Null) => None,
            Some(input) => Some(input.as_i64().ok_or_else(|| Refusal::Invalid {
                field: IF_VERSION.to_owned(),
                reason: format!("must be the number of a revision, not {}", shorten(&input)),
            })?),
        };
        Ok(Self::Write { kind, intent, fields, if_version })
    }

    /// Reads an item that creates or updates: an object with one member, named after the kind, that holds the fields.
    ///
    /// # Errors
    /// Returns an error if the item has another form, or names an unknown kind.
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
            other => Err(kind.echo.show(invalid(format!("must hold fields, not {}", shorten(&other))), [&other])),
        }
    }
}

/// The effect of a delete on the objects that the object contains.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Cascade {
    /// Contained objects block the delete.
    No,
    /// Contained objects are deleted too.
    Contained,
}

/// The fields whose ownership is released.
#[derive(Clone, Debug)]
pub enum Release {
    /// These fields, of all their owners.
    Fields(Vec<String>),
    /// Every field that this manager owns.
    HeldBy(String),
}

/// The party that sent a batch.
#[derive(Clone, Debug, Default)]
pub enum Origin {
    /// A client of the API. It cannot set the fields that only the server sets.
    #[default]
    Client,
    /// A controller, whose batch is written only while it holds these leases.
    Holder(Arc<[Fence]>),
    /// A run of the source that is the author, which takes part in the plan and the commit.
    Run(Arc<dyn Attendant>),
    /// The server itself. It also sets the fields that only the server sets.
    Server,
    /// The server itself, which decides the items when the batch is planned. Those of the batch do not count.
    Decision(Arc<dyn Decision>),
}

/// Items that are written together, in one revision.
#[derive(Clone, Debug)]
pub struct Batch {
    /// A random id. It shows whether exactly this batch was committed.
    pub id: Uuid,
    pub items: Vec<Item>,
    pub mode: Mode,
    pub conflicts: Conflicts,
    pub author: Author,
    pub origin: Origin,
    /// The client's name for the request, with which it can be repeated safely.
    pub request_id: Option<String>,
    /// The size of the request in bytes, which counts towards the limit of the queue.
    pub bytes: usize,
}

impl Origin {
    /// Returns true if the batch shares its commit with no other one.
    pub fn is_alone(&self) -> bool {
        match self {
            Self::Run(_) | Self::Holder(_) => true,
            Self::Decision(decision) => !decision.fences().is_empty(),
            Self::Client | Self::Server => false,
        }
    }

    /// Returns true if the server itself is the sender, which may set every field.
    pub fn is_server(&self) -> bool {
        matches!(self, Self::Server | Self::Decision(_))
    }
}

impl Batch {
    /// Returns the number of items, also of a batch whose items are decided when it is planned.
    pub fn size(&self) -> usize {
        match &self.origin {
            Origin::Decision(decision) => decision.size(),
            _ => self.items.len(),
        }
    }

    /// Checks the parts of a batch besides its items.
    ///
    /// # Errors
    /// Returns an error if the batch as a whole is refused.
    pub fn check(&self) -> Result<(), Refusal> {
        if self.items.len() > MAX_BATCH_ITEMS {
            return Err(Refusal::BatchTooLarge { count: self.items.len(), unit: "items", most: MAX_BATCH_ITEMS });
        }
        check_name("source", self.author.source.as_deref())?;
        check_name("requestId", self.request_id.as_deref())
    }
}

/// Checks the name of something that is not an object: a source, a request or a run.
///
/// # Errors
/// Returns an error if the name is empty, too long, or contains a character that names do not have.
pub fn check_name(field: &str, text: Option<&str>) -> Result<(), Refusal> {
    let Some(text) = text else { return Ok(()) };
    let fits = !text.is_empty() && text.trim() == text && !text.chars().any(char::is_control);
    if fits && text.chars().count() <= MAX_NAME_CHARACTERS {
        return Ok(());
    }
    let reason =
        format!("must be 1 to {MAX_NAME_CHARACTERS} characters, without control characters or a space at either end");
    Err(Refusal::Invalid { field: field.to_owned(), reason })
}
