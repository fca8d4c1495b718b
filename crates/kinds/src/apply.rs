//! Writes many items of mixed kinds at once, and releases the ownership of fields.

use async_graphql::{Context, Enum, ID, InputObject, Object, Result, SimpleObject};
use uuid::Uuid;

use super::errors::{forbidden, internal, refused};
use super::item_changes::ItemChange;
use super::outcomes::Results;
use super::request::Request;
use super::scalars::Revision;
use super::write_handle::WriteHandle;
use super::{AnyRef, ApplyItem};
use underlay_engine::access::WriteKind;
use underlay_engine::runtime::block_in_place;
pub use underlay_engine::write::MAX_BATCH_ITEMS;
use underlay_engine::write::{Batch, Cascade, Conflicts, Item, Mode, Origin, Release, Status};
use underlay_inventory::{SOURCE, parse_id};

/// The effect of a refused item on the other items of a batch.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Enum)]
pub enum ApplyMode {
    /// All items are written, or none. The default.
    Atomic,
    /// Each item is written or refused on its own. An item that refers to a refused item is refused too.
    PerItem,
}

/// The policy for fields that another manager owns.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Enum)]
pub enum ConflictPolicy {
    /// The field is left unchanged and reported. The default for sources.
    Skip,
    /// The item is refused with MANAGED_ELSEWHERE. The default for users.
    Fail,
    /// The field is set, and the writer becomes its owner.
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
    /// The object to delete.
    #[graphql(name = "ref")]
    pub object: AnyRef,
    /// Also deletes the objects that the object contains, and the cables that are left without an end on a side.
    /// Defaults to false.
    #[graphql(default)]
    pub cascade: bool,
    /// Deletes the object only if it has this version.
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

/// Fields whose ownership a batch releases. The values stay, and the next writer of a field owns it.
#[derive(Clone, Debug, InputObject)]
pub struct ReleaseItem {
    /// The object whose fields are released.
    #[graphql(name = "ref")]
    pub object: AnyRef,
    /// The names of the fields. Entries of labels, attributes and external references are named like `labels.env`.
    pub fields: Vec<String>,
}

impl ReleaseItem {
    /// Returns the item for the write path.
    pub fn into_item(self) -> Item {
        let (kind, object) = self.object.parts();
        Item::Release { kind, object, what: Release::Fields(self.fields) }
    }
}

/// A batch of items to write.
#[derive(Clone, Debug, InputObject)]
pub struct ApplyInput {
    /// The items: at most 10,000, of any kinds, in any order.
    pub items: Vec<ApplyItem>,
    /// The source on whose behalf the batch is written. It becomes the manager of the fields, and each `externalId` is
    /// its id for the object.
    pub source: Option<String>,
    /// The effect of a refused item on the other items. Defaults to ATOMIC.
    pub mode: Option<ApplyMode>,
    /// The policy for fields that another manager owns. Defaults to SKIP with a source, and to FAIL without one.
    pub conflicts: Option<ConflictPolicy>,
    /// Checks the batch and returns the results that it would have, without writing it. It needs no run, even in the
    /// name of a source whose name is reserved. Defaults to false.
    #[graphql(default)]
    pub dry_run: bool,
    /// The run of a source that this batch belongs to: the id that `startRun` returned. The batch is written in the name
    /// of the run's source, with conflicts SKIP, and without deletes.
    pub run: Option<ID>,
    /// A unique name for the request. A repeat within a day writes nothing and gets the answer of the first request.
    /// Another request with the same name is refused.
    pub request_id: Option<String>,
}

/// The result of a batch.
#[derive(Clone, Debug, SimpleObject)]
pub struct ApplyPayload {
    /// The revision that the batch created. Null if nothing was written.
    pub revision: Option<Revision>,
    /// The result of each item, in the order of the items.
    pub results: Results,
    /// The changes that the batch made or that a dry run would make, object by object. They include objects that
    /// changed as a consequence of others.
    pub changes: Vec<ItemChange>,
}

/// The result of releasing fields.
#[derive(Clone, Debug, SimpleObject)]
pub struct ReleasePayload {
    /// The number of objects whose fields were released.
    pub released: usize,
    /// The last revision that the release created. Null if there was nothing to release.
    pub revision: Option<Revision>,
}

/// Root fields that write objects of any kind.
#[derive(Debug, Default)]
pub struct ApplyMutation;

/// Root fields that write objects of any kind.
#[Object]
impl ApplyMutation {
    /// Writes up to 10,000 items of mixed kinds in one batch. An item finds its object by id, else by the external id
    /// of the batch's source, else by key. It creates the object if there is none. Errors of single items are in their
    /// results.
    async fn apply(
        &self,
        context: &Context<'_>,
        #[graphql(desc = "The items to write, and the options of the batch.")] input: ApplyInput,
    ) -> Result<Option<ApplyPayload>> {
        let request = Request::of(context);
        let (run, source) = match &input.run {
            None => (None, input.source.clone()),
            Some(run) => {
                request.handle(WriteKind::Run { source: None }).map_err(|it| forbidden(&it))?;
                let asked = Box::pin(request.sources().run_for(run, input.source.as_deref())).await;
                let (run, source) = asked.map_err(|error| refused(&error.into(), None, None))?;
                (Some(run), Some(source))
            }
        };
        let handle = request.handle(WriteKind::Apply { source: source.as_deref() }).map_err(|it| forbidden(&it))?;
        let handle = handle.in_run(run);
        let usual = if handle.source().is_some() { Conflicts::Skip } else { Conflicts::Fail };
        let mode = if input.mode == Some(ApplyMode::PerItem) { Mode::PerItem } else { Mode::Atomic };
        // Ten thousand items take longer than a time slice.
        let items: Vec<Item> = block_in_place(|| input.items.into_iter().map(ApplyItem::into_item).collect());
        let batch = Batch {
            id: Uuid::new_v4(),
            bytes: items.len() * 512,
            items,
            mode,
            conflicts: input.conflicts.map_or(usual, Into::into),
            author: handle.author(),
            origin: Origin::Client,
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
        // There can be as many changes as items, and most clients do not select them.
        let asked = context.look_ahead().field("changes").exists();
        let changes = if asked { ItemChange::of(&answer) } else { Vec::new() };
        let revision = answer.revision.map(Revision);
        Ok(Some(ApplyPayload { revision, results: Results(answer), changes }))
    }

    /// Releases the ownership of fields of an object, whichever manager owns them. The values stay, and the next writer
    /// of a field owns it.
    async fn release_fields(
        &self,
        context: &Context<'_>,
        #[graphql(desc = "The id of the object.")] id: ID,
        #[graphql(
            desc = "The names of the fields. Entries of labels, attributes and external references are named like `labels.env`."
        )]
        fields: Vec<String>,
        #[graphql(
            desc = "A unique name for the request. A repeat within a day writes nothing and gets the answer of the first request."
        )]
        request_id: Option<String>,
    ) -> Result<Option<ReleasePayload>> {
        let request = Request::of(context);
        let handle = request.handle(WriteKind::Release).map_err(|it| forbidden(&it))?;
        let object = parse_id("id", &id).map_err(|refusal| refused(&refusal, None, None))?;
        let object = object.to_string().into();
        let item = Item::Release { kind: None, object, what: Release::Fields(fields) };
        release(request, &handle, vec![item], request_id).await.map(Some)
    }

    /// Releases all fields that a source owns, so that others can change the fields of a source that was retired.
    async fn release_source(
        &self,
        context: &Context<'_>,
        #[graphql(desc = "The name of the source.")] source: String,
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
        for objects in objects.chunks(MAX_BATCH_ITEMS) {
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
        origin: Origin::Client,
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
