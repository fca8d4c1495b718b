//! The runs of sources in the API: their mutations, and the runs of a source.

use async_graphql::{ComplexObject, Context, ID, InputObject, Object, Result, SimpleObject};
use chrono::{DateTime, Utc};
use futures_util::future::BoxFuture;
use underlay_entity::source_held::{self, HeldReason};
use underlay_entity::source_run::{self, RunMode, RunState};
use underlay_entity::source_suspect;
use uuid::Uuid;

use super::Node;
use super::errors::{forbidden, named_kinds, refused};
use super::request::Request;
use super::scalars::Revision;
use super::write_handle::WriteHandle;
use crate::access::WriteKind;
use crate::sources::{Counts, Report, RunError, SeenIds, Sources, StartRun};
use crate::store::StoreError;
use underlay_inventory::{Description, Refusal, Snapshot};

/// The number of held objects, runs or suspects in one answer.
const MOST: i32 = 1_000;
/// The number of runs in an answer that does not ask for a number.
const USUAL: i32 = 20;
/// The features of the server that clients ask for by name.
const FEATURES: [&str; 1] = ["sources"];

/// A run of a source: one pass of its synchronizer.
#[derive(Clone, Debug, SimpleObject)]
#[graphql(complex)]
pub struct SourceRun {
    /// The id of the run. Batches of the run give it as `run`.
    pub id: ID,
    /// The part of the source that the run reads.
    pub mode: RunMode,
    /// The state of the run.
    pub state: RunState,
    /// The time when the run started.
    pub started_at: DateTime<Utc>,
    /// The time of the last call for the run.
    pub heartbeat_at: DateTime<Utc>,
    /// The time when the run ended. Null while it accepts calls.
    pub finished_at: Option<DateTime<Utc>>,
    /// The number of different things that the run saw.
    pub seen: i64,
    /// The number of objects that the run created.
    pub created: i64,
    /// The number of objects that the run changed.
    pub updated: i64,
    /// The number of items that changed nothing.
    pub unchanged: i64,
    /// The number of objects that the run retired.
    pub retired: i64,
    /// The number of objects that the run deleted.
    pub deleted: i64,
    /// The number of objects that the run released.
    pub released: i64,
    /// The number of items that were refused, and of errors that the synchronizer reported.
    pub failed: i64,
    /// The number of fields that kept their value, because another manager owns them or the guard holds them.
    pub skipped_fields: i64,
    /// The number of things that the synchronizer read, as it says.
    pub read: i64,
    /// The number of things that the synchronizer put into attributes, as it says.
    pub put_aside: i64,
    /// The number of things that the synchronizer left out, as it says.
    pub left_out: i64,
    /// True if the run is held because at least half of what is gone looks like objects with new external ids. An
    /// operator can give the old objects the new ids: `approveRun` with `adopt`.
    pub renumbered: bool,
    /// The first errors of the run: at most 100.
    pub errors: Vec<SourceRunError>,
    /// The first revision that the run made.
    pub first_revision: Option<Revision>,
    /// The last revision that the run made.
    pub last_revision: Option<Revision>,
    /// The watermark of the source. Only its synchronizer understands it.
    pub cursor: Option<String>,
    #[graphql(skip)]
    source_id: Uuid,
    #[graphql(skip)]
    run_id: Uuid,
}

/// An error of a run.
#[derive(Clone, Debug, SimpleObject)]
pub struct SourceRunError {
    /// The external id of the thing that the error is about.
    pub external_id: Option<String>,
    /// The code of the error.
    pub code: String,
    /// The reason, in one sentence.
    pub message: String,
}

/// An object or a field that the guard holds.
#[derive(Clone, Debug, SimpleObject)]
pub struct HeldObject {
    /// The kind of the object.
    pub kind: String,
    /// The id of the object.
    pub id: ID,
    /// The name of the object.
    pub name: String,
    /// The id of the object in the source.
    pub external_id: String,
    /// The reason why it is held.
    pub reason: HeldReason,
    /// The field that would be emptied. Null if the object would be removed.
    pub field: Option<String>,
}

/// Something that a look between two scans did not find in its source.
#[derive(Clone, Debug, SimpleObject)]
pub struct Suspect {
    /// The kind of the object.
    pub kind: String,
    /// The id of the object in the source.
    pub external_id: String,
    /// The time of the look.
    pub at: DateTime<Utc>,
}

impl From<source_run::Model> for SourceRun {
    fn from(run: source_run::Model) -> Self {
        let error = |error: source_run::RunErrorEntry| SourceRunError {
            external_id: error.external_id,
            code: error.code,
            message: error.message,
        };
        Self {
            id: run.id.into(),
            mode: run.mode,
            state: run.state,
            started_at: run.started_at,
            heartbeat_at: run.heartbeat_at,
            finished_at: run.finished_at,
            seen: run.seen,
            created: run.created,
            updated: run.updated,
            unchanged: run.unchanged,
            retired: run.retired,
            deleted: run.deleted,
            released: run.released,
            failed: run.failed,
            skipped_fields: run.skipped_fields,
            read: run.read,
            put_aside: run.put_aside,
            left_out: run.left_out,
            renumbered: run.renumbered,
            errors: run.errors.0.into_iter().map(error).collect(),
            first_revision: run.first_revision.map(Revision),
            last_revision: run.last_revision.map(Revision),
            cursor: run.cursor,
            source_id: run.source_id,
            run_id: run.id,
        }
    }
}

impl From<source_held::Model> for HeldObject {
    fn from(held: source_held::Model) -> Self {
        Self {
            kind: held.kind,
            id: held.object_id.into(),
            name: held.name,
            external_id: held.external_id,
            reason: held.reason,
            field: Some(held.field).filter(|field| !field.is_empty()),
        }
    }
}

impl From<source_suspect::Model> for Suspect {
    fn from(suspect: source_suspect::Model) -> Self {
        Self { kind: suspect.kind, external_id: suspect.external_id, at: suspect.at }
    }
}

/// A run of a source: one pass of its synchronizer.
#[ComplexObject]
impl SourceRun {
    /// The source of the run. Null if it was deleted.
    async fn source(&self, context: &Context<'_>) -> Option<super::source::Source> {
        let snapshot = Request::of(context).snapshot();
        match Node::at(&snapshot, snapshot.find(self.source_id)?)? {
            Node::Source(source) => Some(source),
            _ => None,
        }
    }

    /// The objects and fields that the guard holds with the run, in the order of names.
    async fn held(
        &self,
        context: &Context<'_>,
        #[graphql(desc = "The maximum number of entries: 0 to 1000. Defaults to 1000.")] first: Option<i32>,
    ) -> Result<Vec<HeldObject>> {
        let most = most(first, MOST)?;
        let held = Box::pin(sources(context)?.store().held_with(self.run_id, most)).await.map_err(unread)?;
        Ok(held.into_iter().map(HeldObject::from).collect())
    }

    /// The number of objects and fields that the guard holds with the run.
    async fn held_count(&self, context: &Context<'_>) -> Result<u64> {
        Box::pin(sources(context)?.store().count_held_with(self.run_id)).await.map_err(unread)
    }
}

/// Returns the last runs of a source, newest first. The future is on the heap, because the resolver of every field of an
/// object takes as much space as its largest field.
pub fn runs_of<'a>(
    context: &'a Context<'_>,
    source: Uuid,
    first: Option<i32>,
) -> BoxFuture<'a, Result<Vec<SourceRun>>> {
    Box::pin(async move {
        let most = most(first, USUAL)?;
        let runs = sources(context)?.store().runs(source, most).await.map_err(unread)?;
        Ok(runs.into_iter().map(SourceRun::from).collect())
    })
}

/// Returns the time of the last full run of a source that succeeded.
pub fn last_success_of<'a>(context: &'a Context<'_>, source: Uuid) -> BoxFuture<'a, Result<Option<DateTime<Utc>>>> {
    Box::pin(async move {
        let turn = sources(context)?.store().find_turn(source).await.map_err(unread)?;
        Ok(turn.and_then(|turn| turn.last_success_at))
    })
}

/// Returns the oldest suspects of a source.
pub fn suspects_of<'a>(
    context: &'a Context<'_>,
    source: Uuid,
    first: Option<i32>,
) -> BoxFuture<'a, Result<Vec<Suspect>>> {
    Box::pin(async move {
        let most = most(first, MOST)?;
        let suspects = sources(context)?.store().suspects(source, most).await.map_err(unread)?;
        Ok(suspects.into_iter().map(Suspect::from).collect())
    })
}

/// Returns the number of suspects of a source.
pub fn suspect_count_of<'a>(context: &'a Context<'_>, source: Uuid) -> BoxFuture<'a, Result<u64>> {
    Box::pin(async move { sources(context)?.store().count_suspects(source).await.map_err(unread) })
}

fn sources<'a>(context: &Context<'a>) -> Result<&'a Sources> {
    let request = Request::of(context);
    // Sources are in no tenant's snapshot, so no tenant gets here. The log is the mark of a view of everything.
    request.log().map_err(|it| forbidden(&it))?;
    Ok(request.sources())
}

fn most(first: Option<i32>, usual: i32) -> Result<u64> {
    let first = first.unwrap_or(usual);
    let reason = || format!("must be from 0 to {MOST}, not {first}");
    let fits = (0..=MOST).contains(&first);
    let invalid = || refused(&Refusal::Invalid { field: "first".to_owned(), reason: reason() }, None, None);
    if fits { Ok(first.unsigned_abs().into()) } else { Err(invalid()) }
}

fn unread(error: StoreError) -> async_graphql::Error {
    refused(&RunError::from(error).into(), None, None)
}

fn run_refused(error: RunError) -> async_graphql::Error {
    refused(&error.into(), None, None)
}

/// A run to be started.
#[derive(Clone, Debug, InputObject)]
pub struct StartRunInput {
    /// The name of the source.
    pub source: String,
    /// The part of the source that the run reads.
    pub mode: RunMode,
}

/// External ids of one kind that the source has.
#[derive(Clone, Debug, InputObject)]
pub struct SeenIdsInput {
    /// The kind, such as `Device`.
    pub kind: String,
    /// The external ids.
    pub ids: Vec<String>,
}

/// Something that a look did not find.
#[derive(Clone, Debug, InputObject)]
pub struct GoneInput {
    /// The kind, such as `Device`.
    pub kind: String,
    /// The external id.
    pub external_id: String,
}

/// Counts that only the synchronizer knows.
#[derive(Clone, Copy, Debug, InputObject)]
pub struct RunCountsInput {
    /// The number of things that were read.
    #[graphql(default, validator(minimum = 0))]
    pub read: i64,
    /// The number of things that were put into attributes.
    #[graphql(default, validator(minimum = 0))]
    pub put_aside: i64,
    /// The number of things that were left out.
    #[graphql(default, validator(minimum = 0))]
    pub left_out: i64,
}

/// An error that the synchronizer met.
#[derive(Clone, Debug, InputObject)]
pub struct RunErrorInput {
    /// The external id of the thing that the error is about.
    pub external_id: Option<String>,
    /// The code of the error.
    pub code: String,
    /// The reason, in one sentence.
    pub message: String,
}

/// A report for a run.
#[derive(Clone, Debug, InputObject)]
pub struct ReportRunInput {
    /// The run.
    pub run: ID,
    /// The external ids that the source has and that are not sent, because nothing changed: at most 10,000.
    #[graphql(default)]
    pub seen_ids: Vec<SeenIdsInput>,
    /// The things that a look between scans did not find: at most 1,000. Only the next full run judges them.
    #[graphql(default)]
    pub gone: Vec<GoneInput>,
    /// The counts of the run so far. They replace those of earlier reports.
    pub counts: Option<RunCountsInput>,
    /// The errors that the synchronizer met since its last report: at most 1,000.
    #[graphql(default)]
    pub errors: Vec<RunErrorInput>,
}

/// A run to be settled.
#[derive(Clone, Debug, InputObject)]
pub struct SettleRunInput {
    /// The run.
    pub run: ID,
    /// True if the scan was complete. Then the server removes what the run did not see, or holds it.
    pub complete: bool,
}

/// A run to be finished.
#[derive(Clone, Debug, InputObject)]
pub struct FinishRunInput {
    /// The run.
    pub run: ID,
    /// The watermark of the source: at most 4 KiB, which only its synchronizer understands.
    pub cursor: Option<String>,
}

/// A run to be cancelled.
#[derive(Clone, Debug, InputObject)]
pub struct CancelRunInput {
    /// The run.
    pub run: ID,
}

/// A run to be approved.
#[derive(Clone, Debug, InputObject)]
pub struct ApproveRunInput {
    /// The run.
    pub run: ID,
    /// True gives renumbered objects their new external ids instead of removing them. Defaults to false.
    #[graphql(default)]
    pub adopt: bool,
}

/// A run to be rejected.
#[derive(Clone, Debug, InputObject)]
pub struct RejectRunInput {
    /// The run.
    pub run: ID,
}

/// The result of a mutation of a run.
#[derive(Clone, Debug, SimpleObject)]
pub struct RunPayload {
    /// The run after the mutation.
    pub run: SourceRun,
    /// An id of the server's database. State that a synchronizer keeps is worthless for another one.
    pub history: ID,
}

/// The result of a report.
#[derive(Clone, Debug, SimpleObject)]
pub struct ReportRunPayload {
    /// The run after the report.
    pub run: SourceRun,
    /// The ids that the synchronizer must send whole: the server does not know them, or somebody else changed their
    /// objects.
    pub resend: Vec<ResendIds>,
    /// An id of the server's database. State that a synchronizer keeps is worthless for another one.
    pub history: ID,
}

/// External ids of one kind that must be sent whole.
#[derive(Clone, Debug, SimpleObject)]
pub struct ResendIds {
    /// The kind, such as `Device`.
    pub kind: String,
    /// The external ids.
    pub ids: Vec<String>,
}

/// The version of the server, and what it can do.
#[derive(Clone, Debug, SimpleObject)]
pub struct Server {
    /// The version of the server.
    pub version: &'static str,
    /// The names of the features that clients may depend on.
    pub features: Vec<&'static str>,
}

/// The root field that describes the server.
#[derive(Debug, Default)]
pub struct ServerRoots;

/// The root field that describes the server.
#[Object]
impl ServerRoots {
    /// The server: its version and its features.
    async fn server(&self) -> Server {
        Server { version: env!("CARGO_PKG_VERSION"), features: FEATURES.to_vec() }
    }
}

/// Root fields that run sources.
#[derive(Debug, Default)]
pub struct RunMutation;

/// Root fields that run sources.
#[Object]
impl RunMutation {
    /// Starts a run of a source. One full run of a source runs at a time. The synchronizer of a source that does not
    /// exist creates it. Every call for the run keeps it alive; after five minutes without one it is abandoned.
    async fn start_run(
        &self,
        context: &Context<'_>,
        #[graphql(desc = "The source, and the part of it that the run reads.")] input: StartRunInput,
    ) -> Result<Option<RunPayload>> {
        let request = Request::of(context);
        let kind = WriteKind::Run { source: Some(&input.source) };
        let handle = request.handle(kind).map_err(|it| forbidden(&it))?;
        crate::write::check_name("source", Some(&input.source)).map_err(|it| refused(&it, None, None))?;
        let start = StartRun {
            actor: handle.author().actor,
            source: input.source.clone(),
            mode: input.mode,
            creates: handle.is_of_source(),
        };
        payload(request, Box::pin(request.sources().start(&start)).await).await
    }

    /// Reports what a run saw without sending it, what a look did not find, counts and errors.
    async fn report_run(
        &self,
        context: &Context<'_>,
        #[graphql(desc = "The report.")] input: ReportRunInput,
    ) -> Result<Option<ReportRunPayload>> {
        let request = Request::of(context);
        let (run, _) = opened(request, &input.run).await?;
        let report = read_report(&request.snapshot(), input)?;
        let (run, resend) = Box::pin(request.sources().report(run, &report)).await.map_err(run_refused)?;
        let resend = resend.into_iter().map(|SeenIds { kind, ids }| ResendIds { kind: kind.name.to_owned(), ids });
        let (resend, history) = (resend.collect(), history(request).await?);
        Ok(Some(ReportRunPayload { run: run.into(), resend, history }))
    }

    /// Settles a run. After a complete scan the server works out which objects of the source were not seen, judges all
    /// of them together, and removes them as `Source.prune` says. Beyond `Source.limits` it removes nothing, and the run
    /// is HELD.
    async fn settle_run(
        &self,
        context: &Context<'_>,
        #[graphql(desc = "The run, and whether its scan was complete.")] input: SettleRunInput,
    ) -> Result<Option<RunPayload>> {
        let request = Request::of(context);
        let (run, handle) = opened(request, &input.run).await?;
        let actor = handle.author().actor;
        payload(request, Box::pin(request.sources().settle(run, input.complete, &actor)).await).await
    }

    /// Finishes a run. A full run that was not settled as complete is FAILED.
    async fn finish_run(
        &self,
        context: &Context<'_>,
        #[graphql(desc = "The run, and the watermark of the source.")] input: FinishRunInput,
    ) -> Result<Option<RunPayload>> {
        let request = Request::of(context);
        let (run, _) = opened(request, &input.run).await?;
        payload(request, Box::pin(request.sources().finish(run, input.cursor.as_deref())).await).await
    }

    /// Cancels a run. It removes nothing. What a HELD run holds stays held.
    async fn cancel_run(
        &self,
        context: &Context<'_>,
        #[graphql(desc = "The run.")] input: CancelRunInput,
    ) -> Result<Option<RunPayload>> {
        let request = Request::of(context);
        let (run, _) = opened(request, &input.run).await?;
        payload(request, Box::pin(request.sources().cancel(run)).await).await
    }

    /// Approves what a HELD run holds: the listed objects are removed, unless the source has them again, and the listed
    /// fields are emptied. What was approved does not count against the limits of the source.
    async fn approve_run(
        &self,
        context: &Context<'_>,
        #[graphql(desc = "The run.")] input: ApproveRunInput,
    ) -> Result<Option<RunPayload>> {
        let request = Request::of(context);
        let handle = request.handle(WriteKind::Decide).map_err(|it| forbidden(&it))?;
        let (run, _) = Box::pin(request.sources().source_of(&input.run)).await.map_err(run_refused)?;
        let actor = handle.author().actor;
        payload(request, Box::pin(request.sources().approve(run, input.adopt, &actor)).await).await
    }

    /// Rejects what a HELD run holds: nothing is removed, and the next full run is judged anew.
    async fn reject_run(
        &self,
        context: &Context<'_>,
        #[graphql(desc = "The run.")] input: RejectRunInput,
    ) -> Result<Option<RunPayload>> {
        let request = Request::of(context);
        request.handle(WriteKind::Decide).map_err(|it| forbidden(&it))?;
        let (run, _) = Box::pin(request.sources().source_of(&input.run)).await.map_err(run_refused)?;
        payload(request, Box::pin(request.sources().reject(run)).await).await
    }
}

/// Returns a run that the caller may write in, and the way to write.
async fn opened(request: &Request, run: &ID) -> Result<(Uuid, WriteHandle)> {
    // Whether there is such a run is told only to those who may run sources.
    request.handle(WriteKind::Run { source: None }).map_err(|it| forbidden(&it))?;
    let (run, source) = Box::pin(request.sources().source_of(run)).await.map_err(run_refused)?;
    let handle = request.handle(WriteKind::Run { source: Some(&source) }).map_err(|it| forbidden(&it))?;
    Ok((run, handle))
}

async fn payload(
    request: &Request,
    run: std::result::Result<source_run::Model, RunError>,
) -> Result<Option<RunPayload>> {
    let run = run.map_err(run_refused)?;
    request.look_at_newest();
    Ok(Some(RunPayload { run: run.into(), history: history(request).await? }))
}

async fn history(request: &Request) -> Result<ID> {
    Box::pin(request.sources().history()).await.map(ID::from).map_err(run_refused)
}

fn read_report(snapshot: &Snapshot, input: ReportRunInput) -> Result<Report> {
    let kind = |name: &String| -> Result<&'static Description> {
        let kinds = named_kinds(snapshot, std::slice::from_ref(name))?;
        kinds.first().copied().ok_or_else(|| super::errors::internal("a named kind is missing"))
    };
    let seen = input.seen_ids.into_iter().map(|seen| Ok(SeenIds { kind: kind(&seen.kind)?, ids: seen.ids }));
    let gone = input.gone.into_iter().map(|gone| Ok((kind(&gone.kind)?, gone.external_id)));
    let counts = input.counts.map(|RunCountsInput { read, put_aside, left_out }| Counts { read, put_aside, left_out });
    let errors = input.errors.into_iter().map(|error| (error.external_id, error.code, error.message));
    Ok(Report {
        seen: seen.collect::<Result<_>>()?,
        gone: gone.collect::<Result<_>>()?,
        counts,
        errors: errors.collect(),
    })
}
