//! The resolvers of the root fields of all kinds: lists, objects by key, and single mutations as batches of one item.

use async_graphql::resolver_utils::EnumType;
use async_graphql::{Context, ID, MaybeUndefined, OutputType, Result, SimpleObject};
use futures_util::future::BoxFuture;
use serde::Serialize;
use serde_json::{Map, Value as Json};
use uuid::Uuid;

use crate::apply::ConflictPolicy;
use crate::errors::{forbidden, internal, refused, unreadable};
use crate::request::Request;
use crate::scalars::Revision;
use crate::write_handle::WriteHandle;
use underlay_engine::access::WriteKind;
use underlay_engine::write::{Batch, Cascade, Conflicts, Intent, Item, Mode, Origin, WriteAnswer};
use underlay_entity::change::Operation;
use underlay_inventory::{Held, Kind, Refusal, Selector, parse_id};
use underlay_read::{Connection, Listed, Listing, PageArguments};

/// The arguments of a list, as the client gave them.
#[derive(Debug)]
pub struct RequestedPage {
    /// The maximum number of entries from the beginning.
    pub first: Option<i32>,
    /// The cursor after which the page begins.
    pub after: Option<String>,
    /// The maximum number of entries from the end.
    pub last: Option<i32>,
    /// The cursor before which the page ends.
    pub before: Option<String>,
    /// True if the revision of the list is kept for further pages.
    pub pin: Option<bool>,
    /// The revision to read, if it is not the current one.
    pub at_revision: Option<Revision>,
    /// The number of entries to leave out before the page.
    pub skip: Option<i32>,
}

impl From<RequestedPage> for PageArguments {
    fn from(requested: RequestedPage) -> Self {
        let RequestedPage { first, after, last, before, pin, at_revision, skip } = requested;
        let at_revision = at_revision.map(|revision| revision.0);
        Self { first, after, last, before, pin: pin.unwrap_or_default(), at_revision, skip }
    }
}

/// Returns a page of a list. The future is on the heap, because the resolver of every field of an object takes as much
/// space as its largest field.
pub fn list<'a, K: Listed + OutputType>(
    context: &'a Context<'_>,
    listing: Listing<K>,
    page: RequestedPage,
) -> BoxFuture<'a, Result<Option<Connection<K>>>> {
    Box::pin(async move {
        let page = PageArguments::from(page);
        let request = Request::of(context);
        let listing = listing.pinned(&request.view.pins, request.caller_key(), &page);
        let listing = listing.map_err(|error| unreadable(&error))?;
        let page = listing.page(&page).await.map_err(|error| unreadable(&error))?;
        Ok(Some(Connection::new(listing, page)))
    })
}

/// A part of a key that is an argument of a root field.
pub trait KeyPart {
    /// Returns the part as text.
    fn text(self) -> String;
}

impl KeyPart for String {
    fn text(self) -> String {
        self
    }
}

/// Returns the GraphQL name of an enum value.
pub fn enum_text<E: EnumType>(value: E) -> String {
    enum_name(value).to_owned()
}

/// Returns the GraphQL name of an enum value.
pub fn enum_name<E: EnumType>(value: E) -> &'static str {
    E::items().iter().find(|item| item.value == value).map(|item| item.name).unwrap_or_default()
}

/// Returns the object that a key names.
pub fn by_key<K: Listed>(context: &Context<'_>, name: String, parents: &[(&str, Option<String>)]) -> Result<Option<K>> {
    let present = parents.iter().filter_map(|(member, value)| Some((camel_case(member), value.clone()?)));
    look_up(context, &Selector { name: Some(name), parents: present.collect(), ..Selector::default() })
}

/// Returns the GraphQL name of an argument: `virtualMachine` for `virtual_machine`.
fn camel_case(name: &str) -> String {
    let mut words = name.split('_');
    let first = words.next().unwrap_or_default().to_owned();
    words.fold(first, |text, word| {
        let (initial, rest) = word.split_at(word.len().min(1));
        text + &initial.to_ascii_uppercase() + rest
    })
}

/// Returns the object that a selector names.
pub fn look_up<K: Listed>(context: &Context<'_>, selector: &Selector) -> Result<Option<K>> {
    let snapshot = Request::of(context).snapshot();
    let kind = K::describe();
    let object = snapshot.select(kind, "name", selector).map_err(|refusal| refused(&refusal, Some(kind.name), None))?;
    Ok(object.and_then(|object| snapshot.hold(object)).map(K::of))
}

/// A single mutation that sets fields of an object.
#[derive(Debug)]
pub struct Change {
    intent: Intent,
    fields: Map<String, Json>,
    if_version: Option<Revision>,
    conflicts: Conflicts,
    dry_run: bool,
    request_id: Option<String>,
}

impl Change {
    /// Builds the mutation that creates an object.
    pub fn create(
        input: &impl Serialize,
        if_version: MaybeUndefined<Revision>,
        dry_run: Option<bool>,
        request_id: Option<String>,
    ) -> Self {
        Self {
            intent: Intent::Create,
            fields: to_fields(input),
            if_version: if_version.take(),
            conflicts: Conflicts::Fail,
            dry_run: dry_run.unwrap_or(false),
            request_id,
        }
    }

    /// Builds the mutation that changes an object.
    pub fn update(
        id: &ID,
        patch: &impl Serialize,
        if_version: Option<Revision>,
        conflicts: Option<ConflictPolicy>,
        dry_run: Option<bool>,
        request_id: Option<String>,
    ) -> Self {
        let mut fields = to_fields(patch);
        fields.insert("id".to_owned(), Json::String(id.to_string()));
        let conflicts = conflicts.map_or(Conflicts::Fail, Into::into);
        let dry_run = dry_run.unwrap_or(false);
        Self { intent: Intent::Update, fields, if_version, conflicts, dry_run, request_id }
    }
}

/// Returns the fields of an input by their names.
pub fn to_fields(input: &impl Serialize) -> Map<String, Json> {
    match serde_json::to_value(input) {
        Ok(Json::Object(fields)) => fields,
        // An input is a struct of plain values: it always becomes an object.
        _ => Map::new(),
    }
}

/// Writes a single change. Returns the object after the write, and the revision if the write created one. A dry run
/// returns the object as it would be, and no revision.
pub async fn write_one<K: Kind>(context: &Context<'_>, change: Change) -> Result<(Held<K>, Option<Revision>)> {
    let request = Request::of(context);
    let kind = if change.intent == Intent::Create { WriteKind::Single } else { WriteKind::Update };
    let handle = request.handle(kind).map_err(|it| forbidden(&it))?;
    let bytes = change.fields.len() * 64;
    let item = Item::Write {
        kind: K::describe(),
        intent: change.intent,
        fields: change.fields.into(),
        if_version: change.if_version.map(|version| version.0),
    };
    let batch = single(&handle, item, change.conflicts, change.request_id, bytes);
    let writing = async {
        let answer = match change.dry_run {
            true => handle.dry_run(batch).await,
            false => handle.write(batch).await,
        };
        answer.map_err(|refusal| refused(&refusal, Some(K::describe().name), None))
    };
    let answer = request.once(context, writing).await?;
    request.wrote(&answer);
    let id = accepted::<K>(&answer)?;
    let held = answer.snapshot.find(id).and_then(|object| answer.snapshot.hold(object));
    // A repeated request returns the object of the current snapshot, where it may be gone.
    let gone = || Refusal::NotFound { field: "id".to_owned(), what: format!("{} {id}", K::describe().name) };
    let held = held.ok_or_else(|| refused(&gone(), Some(K::describe().name), Some(id)))?;
    Ok((held, answer.revision.map(Revision)))
}

fn single(handle: &WriteHandle, item: Item, conflicts: Conflicts, request_id: Option<String>, bytes: usize) -> Batch {
    Batch {
        id: Uuid::new_v4(),
        items: vec![item],
        mode: Mode::Atomic,
        conflicts,
        author: handle.author(),
        origin: Origin::Client,
        request_id,
        bytes,
    }
}

/// Returns the id of the object of a batch of one item, or the error if the item was rejected.
fn accepted<K: Kind>(answer: &WriteAnswer) -> Result<Uuid> {
    let kind = K::describe().name;
    let Some(outcome) = answer.outcomes.first() else { return Err(internal("a batch of one has no outcome")) };
    if outcome.kind.is_some_and(|written| written != kind) {
        let reason = "is that of another request: give each a name of its own".to_owned();
        return Err(refused(&Refusal::Invalid { field: "requestId".to_owned(), reason }, Some(kind), None));
    }
    match (&outcome.error, outcome.id) {
        (Some(refusal), id) => Err(refused(refusal, Some(kind), id)),
        (None, Some(id)) => Ok(id),
        (None, None) => Err(internal("an accepted item has no object")),
    }
}

/// A single mutation that deletes an object.
#[derive(Debug)]
pub struct Deleted {
    /// The id of the object to delete.
    pub id: ID,
    /// The version that the object must have.
    pub if_version: Option<Revision>,
    /// True if the delete also takes the objects that it contains.
    pub cascade: Option<bool>,
    /// True if nothing is written.
    pub dry_run: Option<bool>,
    /// The client's unique name for the request.
    pub request_id: Option<String>,
}

/// An object that was deleted, or would be deleted by a dry run.
#[derive(Clone, Debug, SimpleObject)]
pub struct DeletedObject {
    /// The kind of the deleted object.
    pub kind: String,
    /// The id of the deleted object.
    pub id: ID,
    /// The name of the deleted object.
    pub name: String,
}

/// The result of a delete.
#[derive(Clone, Debug, SimpleObject)]
pub struct DeletePayload {
    /// The objects that were deleted, or would be deleted by a dry run.
    pub deleted: Vec<DeletedObject>,
    /// The revision that the delete created. Null for a dry run.
    pub revision: Option<Revision>,
}

/// Deletes an object and, with `cascade`, the objects that it contains.
pub async fn delete<K: Kind>(context: &Context<'_>, delete: Deleted) -> Result<DeletePayload> {
    let request = Request::of(context);
    let handle = request.handle(WriteKind::Single).map_err(|it| forbidden(&it))?;
    let kind = K::describe();
    let id = parse_id("id", &delete.id).map_err(|refusal| refused(&refusal, Some(kind.name), None))?;
    let cascade = if delete.cascade.unwrap_or(false) { Cascade::Contained } else { Cascade::No };
    let if_version = delete.if_version.map(|version| version.0);
    let item = Item::Delete { kind: Some(kind), object: Json::String(id.to_string()), cascade, if_version };
    let batch = single(&handle, item, Conflicts::Fail, delete.request_id, 64);
    let writing = async {
        let answer = match delete.dry_run.unwrap_or(false) {
            true => handle.dry_run(batch).await,
            false => handle.write(batch).await,
        };
        answer.map_err(|refusal| refused(&refusal, Some(kind.name), Some(id)))
    };
    let answer = request.once(context, writing).await?;
    request.wrote(&answer);
    accepted::<K>(&answer).map_err(|error| {
        match answer.outcomes.first().and_then(|outcome| outcome.error.as_ref()) {
            Some(refusal) => refused(refusal, Some(kind.name), Some(id)),
            None => error,
        }
    })?;
    let deleted = answer.changes.iter().filter(|change| change.operation == Operation::Deleted);
    let deleted = deleted.map(|change| DeletedObject {
        kind: change.kind.clone(),
        id: change.object_id.into(),
        name: change.name.clone(),
    });
    Ok(DeletePayload { deleted: deleted.collect(), revision: answer.revision.map(Revision) })
}
