//! Writing many items of mixed kinds at once, and letting go of fields.

use async_graphql::{Context, Enum, ID, InputObject, Object, Result, SimpleObject};
use uuid::Uuid;

use super::applied::ItemChange;
use super::errors::{forbidden, internal, refused};
use super::outcomes::Results;
use super::request::Request;
use super::scalars::Revision;
use super::write_handle::WriteHandle;
use super::{AnyRef, ApplyItem};
use crate::access::WriteKind;
use crate::runtime::block_in_place;
pub use crate::write::MOST_ITEMS;
use crate::write::{self, Batch, Cascade, Conflicts, Item, Mode, Outcome, Recognised, Release, Status};
use underlay_inventory::{SOURCE, parse_id};

/// Whether the items of a batch stand and fall together.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Enum)]
pub enum ApplyMode {
    /// All are written, or none. The default.
    Atomic,
    /// Each is written or refused by itself; what refers to a refused item is refused with it.
    PerItem,
}

/// What happens to a field that another manager holds.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Enum)]
pub enum ConflictPolicy {
    /// It is left alone, and reported. The default for sources.
    Skip,
    /// The item is refused as MANAGED_ELSEWHERE. The default for users.
    Fail,
    /// It is taken over.
    Force,
}

impl From<ConflictPolicy> for Conflicts {
    fn from(policy: ConflictPolicy) -> Self {
        match policy {
            ConflictPolicy::Skip => Self::Skip,
            ConflictPolicy::Fail => Self::Fail,
            ConflictPolicy::Force => Self::Force,
        }
    }
}

/// A delete in a batch.
#[derive(Clone, Debug, InputObject)]
pub struct DeleteItem {
    /// The object.
    #[graphql(name = "ref")]
    pub object: AnyRef,
    /// Take along what it contains, and the cables that are left without an end. Default: false.
    #[graphql(default)]
    pub cascade: bool,
    /// Only when the object is at this version.
    pub if_version: Option<Revision>,
}

impl DeleteItem {
    /// Returns the item for the write path.
    pub fn into_item(self) -> Item {
        let (kind, object) = self.object.parts();
        let cascade = if self.cascade { Cascade::Contained } else { Cascade::No };
        Item::Delete { kind, object, cascade, if_version: self.if_version.map(|version| version.0) }
    }
}

/// Fields that are let go in a batch: their values stay, the next who changes one holds it.
#[derive(Clone, Debug, InputObject)]
pub struct ReleaseItem {
    /// The object.
    #[graphql(name = "ref")]
    pub object: AnyRef,
    /// The fields; entries of labels, attributes and external references as `labels.env`.
    pub fields: Vec<String>,
}

impl ReleaseItem {
    /// Returns the item for the write path.
    pub fn into_item(self) -> Item {
        let (kind, object) = self.object.parts();
        Item::Release { kind, object, what: Release::Fields(self.fields) }
    }
}

/// Items to be written in one batch.
#[derive(Clone, Debug, InputObject)]
pub struct ApplyInput {
    /// The items: at most 10,000, of any kinds, in any order.
    pub items: Vec<ApplyItem>,
    /// The source in whose name is written: it becomes the manager of the fields, and `externalId` is of it.
    pub source: Option<String>,
    /// Whether the items stand and fall together. Default: ATOMIC.
    pub mode: Option<ApplyMode>,
    /// What happens to a field that another manager holds. Default: SKIP with a source, FAIL without.
    pub conflicts: Option<ConflictPolicy>,
    /// Only say what would happen. Default: false.
    #[graphql(default)]
    pub dry_run: bool,
    /// The sync run that this batch is a part of: recorded as an attribute of the request in the server's log.
    pub run: Option<String>,
    /// A name for the request: a repeat within a day gets the first answer and writes nothing. Another request under the
    /// same name is refused.
    pub request_id: Option<String>,
}

/// What became of an item.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Enum)]
pub enum ApplyStatus {
    /// The object is new.
    Created,
    /// Fields of the object changed.
    Updated,
    /// Nothing had to be changed.
    Unchanged,
    /// The object is gone.
    Deleted,
    /// The item was refused.
    Failed,
}

impl From<Status> for ApplyStatus {
    fn from(status: Status) -> Self {
        match status {
            Status::Created => Self::Created,
            Status::Updated => Self::Updated,
            Status::Unchanged => Self::Unchanged,
            Status::Deleted => Self::Deleted,
            Status::Failed => Self::Failed,
        }
    }
}

/// The way in which the object of an item was recognised.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Enum)]
#[graphql(remote = "Recognised")]
pub enum RecognisedBy {
    /// By the id that the item gives.
    Id,
    /// By the external id that the item gives, of the source of the batch.
    ExternalId,
    /// By its key: the name within its parent. A cable without a name is recognised by its first A end.
    Key,
    /// No object was recognised: the item creates one.
    Created,
}

/// A field that was left alone because another manager holds it.
#[derive(Clone, Debug, SimpleObject)]
pub struct SkippedField {
    /// The field; entries of labels, attributes and external references as `labels.env`.
    pub field: String,
    /// Who holds it: `source:NAME` or `user:NAME`.
    pub manager: String,
}

/// Why an item was refused.
#[derive(Clone, Debug, SimpleObject)]
pub struct ApplyError {
    /// The code, as in the extensions of errors.
    pub code: String,
    /// The field that it is about.
    pub field: Option<String>,
    /// What is wrong, and what is allowed.
    pub message: String,
}

/// What is said of an item.
#[derive(Clone, Debug, SimpleObject)]
pub struct ApplyResult {
    /// What became of it. When the payload has no revision nothing was written: it says what would have become of it.
    pub status: ApplyStatus,
    /// The kind of the object.
    pub kind: Option<&'static str>,
    /// The id of the object.
    pub id: Option<ID>,
    /// The name of the object.
    pub name: Option<String>,
    /// The way in which the object was recognised. Null if the item was refused before that.
    pub by: Option<RecognisedBy>,
    /// The external id that the item gave.
    pub external_id: Option<String>,
    /// Fields that were left alone because another manager holds them.
    pub skipped: Vec<SkippedField>,
    /// Why the item was refused.
    pub error: Option<ApplyError>,
}

impl From<&Outcome> for ApplyResult {
    fn from(outcome: &Outcome) -> Self {
        let skipped = |it: &write::Skipped| SkippedField { field: it.field.clone(), manager: it.manager.clone() };
        Self {
            status: outcome.status.into(),
            kind: outcome.kind,
            id: outcome.id.map(ID::from),
            name: outcome.name.clone(),
            by: outcome.by.map(Into::into),
            external_id: outcome.external_id.clone(),
            skipped: outcome.skipped.iter().map(skipped).collect(),
            error: outcome.error.as_ref().map(|refusal| ApplyError {
                code: refusal.code().as_str().to_owned(),
                field: refusal.field().map(str::to_owned),
                message: refusal.to_string(),
            }),
        }
    }
}

/// What a batch gives back.
#[derive(Clone, Debug, SimpleObject)]
pub struct ApplyPayload {
    /// The revision that the batch made; null when nothing was written.
    pub revision: Option<Revision>,
    /// What is said of each item, in the order of the items.
    pub results: Results,
    /// What changed, or would change by a dry run: object by object, also those that went along with others.
    pub changes: Vec<ItemChange>,
}

/// What letting go of fields gives back.
#[derive(Clone, Debug, SimpleObject)]
pub struct ReleasePayload {
    /// How many objects were let go of.
    pub released: usize,
    /// The last revision that it made; null when there was nothing to let go.
    pub revision: Option<Revision>,
}

/// Root fields that write objects of any kind.
#[derive(Debug, Default)]
pub struct ApplyMutation;

/// Root fields that write objects of any kind.
#[Object]
impl ApplyMutation {
    /// Writes up to 10,000 items of mixed kinds in one batch. An item finds its object by id, else by the external id
    /// of the batch's source, else by key, and creates it if there is none. What is wrong with single items stands in
    /// their results.
    async fn apply(
        &self,
        context: &Context<'_>,
        #[graphql(desc = "The items, and how they are written.")] input: ApplyInput,
    ) -> Result<Option<ApplyPayload>> {
        let request = Request::of(context);
        let handle =
            request.handle(WriteKind::Apply { source: input.source.as_deref() }).map_err(|it| forbidden(&it))?;
        let usual = if handle.source().is_some() { Conflicts::Skip } else { Conflicts::Fail };
        let mode = if input.mode == Some(ApplyMode::PerItem) { Mode::PerItem } else { Mode::Atomic };
        // Ten thousand items take longer than anything should at a time.
        let items: Vec<Item> = block_in_place(|| input.items.into_iter().map(ApplyItem::into_item).collect());
        write::check_name("run", input.run.as_deref()).map_err(|refusal| refused(&refusal, None, None))?;
        if let Some(run) = &input.run {
            tracing::info!(run, items = items.len(), source = handle.source(), "a sync run writes");
        }
        let batch = Batch {
            id: Uuid::new_v4(),
            bytes: items.len() * 512,
            items,
            mode,
            conflicts: input.conflicts.map_or(usual, Into::into),
            author: handle.author(),
            request_id: input.request_id,
        };
        let writing = async {
            let answer = match input.dry_run {
                true => handle.dry_run(batch).await,
                false => handle.write(batch).await,
            };
            answer.map_err(|refusal| refused(&refusal, None, None))
        };
        let answer = request.once(context, writing).await?;
        request.wrote(&answer);
        // There may be as many of them as of the items, and mostly nobody asks.
        let asked = context.look_ahead().field("changes").exists();
        let changes = if asked { ItemChange::of(&answer) } else { Vec::new() };
        let revision = answer.revision.map(Revision);
        Ok(Some(ApplyPayload { revision, results: Results(answer), changes }))
    }

    /// Lets go of fields of an object, whoever holds them. Their values stay; the next who changes one holds it.
    async fn release_fields(
        &self,
        context: &Context<'_>,
        #[graphql(desc = "The object.")] id: ID,
        #[graphql(desc = "The fields; entries of labels, attributes and external references as `labels.env`.")]
        fields: Vec<String>,
        #[graphql(desc = "A name for the request: a repeat within a day gets the first answer and writes nothing.")]
        request_id: Option<String>,
    ) -> Result<Option<ReleasePayload>> {
        let request = Request::of(context);
        let handle = request.handle(WriteKind::Release).map_err(|it| forbidden(&it))?;
        let object = parse_id("id", &id).map_err(|refusal| refused(&refusal, None, None))?;
        let object = object.to_string().into();
        let item = Item::Release { kind: None, object, what: Release::Fields(fields) };
        release(request, &handle, vec![item], request_id).await.map(Some)
    }

    /// Lets go of everything that a source holds: what a retired source leaves behind.
    async fn release_source(
        &self,
        context: &Context<'_>,
        #[graphql(desc = "The source.")] source: String,
    ) -> Result<Option<ReleasePayload>> {
        let request = Request::of(context);
        let handle = request.handle(WriteKind::Release).map_err(|it| forbidden(&it))?;
        let manager = format!("{SOURCE}{source}");
        let snapshot = request.snapshot();
        let Some((id, _)) = snapshot.managers().find(|(_, name)| name.as_ref() == manager) else {
            return Ok(Some(ReleasePayload { released: 0, revision: None }));
        };
        let mut objects = Vec::new();
        for kind in snapshot.registry().kinds() {
            let rows = snapshot.table(kind.id).rows(0).map(|(_, row)| row.common());
            let held = rows.filter(|common| common.managers.0.iter().any(|holding| holding.manager == id));
            objects.extend(held.map(|common| common.id));
        }
        let mut payload = ReleasePayload { released: 0, revision: None };
        for objects in objects.chunks(MOST_ITEMS) {
            let what = || Release::HeldBy(manager.clone());
            let items = objects.iter().map(|object| Item::Release {
                kind: None,
                object: object.to_string().into(),
                what: what(),
            });
            let part = release(request, &handle, items.collect(), None).await?;
            payload.released += part.released;
            payload.revision = part.revision.or(payload.revision);
        }
        Ok(Some(payload))
    }
}

async fn release(
    request: &Request,
    handle: &WriteHandle,
    items: Vec<Item>,
    request_id: Option<String>,
) -> Result<ReleasePayload> {
    let batch = Batch {
        id: Uuid::new_v4(),
        bytes: items.len() * 64,
        items,
        mode: Mode::Atomic,
        conflicts: Conflicts::Fail,
        author: handle.author(),
        request_id,
    };
    let answer = handle.write(batch).await.map_err(|refusal| refused(&refusal, None, None))?;
    request.wrote(&answer);
    if let Some(outcome) = answer.outcomes.iter().find(|outcome| outcome.error.is_some()) {
        let refusal = outcome.error.as_ref().ok_or_else(|| internal("a refused item has no error"))?;
        return Err(refused(refusal, outcome.kind, outcome.id));
    }
    let released = answer.outcomes.iter().filter(|outcome| outcome.status == Status::Updated).count();
    Ok(ReleasePayload { released, revision: answer.revision.map(Revision) })
}
