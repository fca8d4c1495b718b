//! What the root fields do: lists, objects by key, single mutations as batches of one.

use async_graphql::resolver_utils::EnumType;
use async_graphql::{Context, ID, MaybeUndefined, OutputType, Result, SimpleObject};
use futures_util::future::BoxFuture;
use serde::Serialize;
use serde_json::{Map, Value as Json};
use uuid::Uuid;

use crate::access::Way;
use crate::inventory::{Held, Kind, Refusal, Selector, parse_id};
use crate::kinds::apply::ConflictPolicy;
use crate::kinds::errors::{forbidden, internal, refused, unreadable};
use crate::kinds::pen::Pen;
use crate::kinds::request::Request;
use crate::kinds::scalars::Revision;
use crate::read::{Connection, Listed, Listing, PageArguments};
use crate::write::{Answer, Batch, Cascade, Conflicts, Intent, Item, Mode};
use underlay_entity::change::Operation;

/// The arguments of a list, as they come.
#[derive(Debug)]
pub struct PageAsked {
    /// How many from the beginning.
    pub first: Option<i32>,
    /// Only what comes after this.
    pub after: Option<String>,
    /// How many from the end.
    pub last: Option<i32>,
    /// Only what comes before this.
    pub before: Option<String>,
    /// Whether the revision is kept.
    pub pin: Option<bool>,
    /// Of which revision.
    pub at_revision: Option<Revision>,
}

impl From<PageAsked> for PageArguments {
    fn from(asked: PageAsked) -> Self {
        let PageAsked { first, after, last, before, pin, at_revision } = asked;
        let at_revision = at_revision.map(|revision| revision.0);
        Self { first, after, last, before, pin: pin.unwrap_or_default(), at_revision }
    }
}

/// A page of a list. On the heap: the resolver of any field of an object takes the room of its largest field.
pub fn list<'a, K: Listed + OutputType>(
    context: &'a Context<'_>,
    listing: Listing<K>,
    page: PageAsked,
) -> BoxFuture<'a, Result<Option<Connection<K>>>> {
    Box::pin(async move {
        let page = PageArguments::from(page);
        let listing = listing.pinned(&Request::of(context).view.pins, &page).map_err(|error| unreadable(&error))?;
        let page = listing.page(&page).await.map_err(|error| unreadable(&error))?;
        Ok(Some(Connection::new(listing, page)))
    })
}

/// A part of a key, as an argument of a root field.
pub trait KeyPart {
    /// The part as text.
    fn text(self) -> String;
}

impl KeyPart for String {
    fn text(self) -> String {
        self
    }
}

/// The GraphQL name of an enum value.
pub fn enum_text<E: EnumType>(value: E) -> String {
    E::items().iter().find(|item| item.value == value).map(|item| item.name.to_owned()).unwrap_or_default()
}

/// The object of a key.
pub fn by_key<K: Listed>(context: &Context<'_>, name: String, parents: &[(&str, Option<String>)]) -> Result<Option<K>> {
    let given = parents.iter().filter_map(|(member, value)| Some((camel_case(member), value.clone()?)));
    look_up(context, &Selector { name: Some(name), parents: given.collect(), ..Selector::default() })
}

/// The GraphQL name of an argument: `virtualMachine` for `virtual_machine`.
fn camel_case(name: &str) -> String {
    let mut words = name.split('_');
    let first = words.next().unwrap_or_default().to_owned();
    words.fold(first, |text, word| {
        let (initial, rest) = word.split_at(word.len().min(1));
        text + &initial.to_ascii_uppercase() + rest
    })
}

/// The object that a selector names.
pub fn look_up<K: Listed>(context: &Context<'_>, selector: &Selector) -> Result<Option<K>> {
    let snapshot = Request::of(context).snapshot();
    let kind = K::describe();
    let place = snapshot.select(kind, "name", selector).map_err(|refusal| refused(&refusal, Some(kind.name), None))?;
    Ok(place.and_then(|place| snapshot.hold(place)).map(K::of))
}

/// A single mutation that sets fields.
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
    /// Creates an object.
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

    /// Changes an object.
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

/// The fields of an input, by their names.
pub fn to_fields(input: &impl Serialize) -> Map<String, Json> {
    match serde_json::to_value(input) {
        Ok(Json::Object(fields)) => fields,
        // An input is a struct of plain values: it always becomes an object.
        _ => Map::new(),
    }
}

/// Writes a single change; gives the object as it is now, and the revision if there is a new one. A dry run gives the
/// object as it would be, and no revision.
pub async fn write_one<K: Kind>(context: &Context<'_>, change: Change) -> Result<(Held<K>, Option<Revision>)> {
    let request = Request::of(context);
    let way = if change.intent == Intent::Create { Way::Single } else { Way::Update };
    let pen = request.pen(way).map_err(|it| forbidden(&it))?;
    let bytes = change.fields.len() * 64;
    let item = Item::Write {
        kind: K::describe(),
        intent: change.intent,
        fields: change.fields.into(),
        if_version: change.if_version.map(|version| version.0),
    };
    let batch = single(&pen, item, change.conflicts, change.request_id, bytes);
    let writing = async {
        let answer = match change.dry_run {
            true => pen.dry_run(batch).await,
            false => pen.write(batch).await,
        };
        answer.map_err(|refusal| refused(&refusal, Some(K::describe().name), None))
    };
    let answer = request.once(context, writing).await?;
    request.wrote(&answer);
    let id = accepted::<K>(&answer)?;
    let held = answer.snapshot.find(id).and_then(|place| answer.snapshot.hold(place));
    // A repeated request is answered from what is there now.
    let gone = || Refusal::NotFound { field: "id".to_owned(), what: format!("{} {id}", K::describe().name) };
    let held = held.ok_or_else(|| refused(&gone(), Some(K::describe().name), Some(id)))?;
    Ok((held, answer.revision.map(Revision)))
}

fn single(pen: &Pen, item: Item, conflicts: Conflicts, request_id: Option<String>, bytes: usize) -> Batch {
    Batch {
        id: Uuid::new_v4(),
        items: vec![item],
        mode: Mode::Atomic,
        conflicts,
        author: pen.author(),
        request_id,
        bytes,
    }
}

/// The object of a batch of one, if it was not refused.
fn accepted<K: Kind>(answer: &Answer) -> Result<Uuid> {
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

/// A single mutation that deletes.
#[derive(Debug)]
pub struct Deleted {
    /// The object.
    pub id: ID,
    /// Only at this version.
    pub if_version: Option<Revision>,
    /// Take along what it contains.
    pub cascade: Option<bool>,
    /// Only say what would be deleted.
    pub dry_run: Option<bool>,
    /// What the client calls the request.
    pub request_id: Option<String>,
}

/// An object that was deleted.
#[derive(Clone, Debug, SimpleObject)]
pub struct DeletedObject {
    /// Its kind.
    pub kind: String,
    /// Its id.
    pub id: ID,
    /// Its name.
    pub name: String,
}

/// What a delete gives back.
#[derive(Clone, Debug, SimpleObject)]
pub struct DeletePayload {
    /// What was deleted, or would be by a dry run.
    pub deleted: Vec<DeletedObject>,
    /// The revision that the delete made; null for a dry run.
    pub revision: Option<Revision>,
}

/// Deletes an object.
pub async fn delete<K: Kind>(context: &Context<'_>, delete: Deleted) -> Result<DeletePayload> {
    let request = Request::of(context);
    let pen = request.pen(Way::Single).map_err(|it| forbidden(&it))?;
    let kind = K::describe();
    let id = parse_id("id", &delete.id).map_err(|refusal| refused(&refusal, Some(kind.name), None))?;
    let cascade = if delete.cascade.unwrap_or(false) { Cascade::Contained } else { Cascade::No };
    let if_version = delete.if_version.map(|version| version.0);
    let item = Item::Delete { kind: Some(kind), object: Json::String(id.to_string()), cascade, if_version };
    let batch = single(&pen, item, Conflicts::Fail, delete.request_id, 64);
    let writing = async {
        let answer = match delete.dry_run.unwrap_or(false) {
            true => pen.dry_run(batch).await,
            false => pen.write(batch).await,
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
