//! The mutations of runs.

use async_graphql::{Context, ID, Object, Result};
use underlay_entity::source_run;
use uuid::Uuid;

use super::input::{
    ApproveRunInput, CancelRunInput, FinishRunInput, NewSourceInput, RejectRunInput, ReportRunInput, ReportRunPayload,
    ResendIds, RunPayload, SettleRunInput, StartRunInput, read_extent, read_report,
};
use super::run_refused;
use crate::errors::{forbidden, refused};
use crate::request::Request;
use crate::write_handle::WriteHandle;
use underlay_engine::access::WriteKind;
use underlay_engine::sources::{RunError, SeenIds, StartRun};
use underlay_engine::write::check_name;

/// Root fields that run sources.
#[derive(Debug, Default)]
pub struct RunMutation;

/// Root fields that run sources.
#[Object]
impl RunMutation {
    /// Starts a run of a source. One full run of a source runs at a time. The synchronizer of a source that does not
    /// exist creates it, as does everybody who gives `newSource`. Every call for the run keeps it alive; after five
    /// minutes without one it is abandoned.
    async fn start_run(
        &self,
        context: &Context<'_>,
        #[graphql(desc = "The source, and the part of it that the run reads.")] input: StartRunInput,
        #[graphql(desc = "A unique name for the request. A repeat within a day gets the run of the first request.")]
        request_id: Option<String>,
    ) -> Result<Option<RunPayload>> {
        let request = Request::of(context);
        let kind = WriteKind::Run { source: Some(&input.source) };
        let handle = request.handle(kind).map_err(|it| forbidden(&it))?;
        let names = [("source", Some(input.source.as_str())), ("requestId", request_id.as_deref())];
        let checked = names.into_iter().try_for_each(|(field, name)| check_name(field, name));
        checked.map_err(|it| refused(&it, None, None))?;
        let start = StartRun {
            actor: handle.author().actor,
            source: input.source.clone(),
            mode: input.mode,
            request_id,
            creates: handle.is_of_source() || input.new_source.is_some(),
            new_source: input.new_source.map(NewSourceInput::fields).unwrap_or_default(),
        };
        payload(request, Box::pin(request.sources().start(&start)).await).await
    }

    /// Reports what a run saw without sending it, what a look did not find, counts and errors.
    async fn report_run(
        &self,
        context: &Context<'_>,
        #[graphql(desc = "The run and what it saw, counted and met.")] input: ReportRunInput,
    ) -> Result<Option<ReportRunPayload>> {
        let request = Request::of(context);
        let (run, _) = opened(request, &input.run).await?;
        let report = read_report(&request.snapshot(), input)?;
        let (run, resend) = Box::pin(request.sources().report(run, &report)).await.map_err(run_refused)?;
        let resend = resend.into_iter().map(|SeenIds { kind, ids }| ResendIds { kind: kind.name.to_owned(), ids });
        let (resend, history) = (resend.collect(), history(request).await?);
        Ok(Some(ReportRunPayload { run: run.into(), resend, history }))
    }

    /// Settles a run. After a complete scan the server works out which objects of the source were not seen; a partial run
    /// names what the source has deleted. The server judges all of them together, and removes them as `Source.prune` says.
    /// Beyond `Source.limits` it removes nothing, and the run is HELD.
    async fn settle_run(
        &self,
        context: &Context<'_>,
        #[graphql(desc = "The run, and what is gone.")] input: SettleRunInput,
    ) -> Result<Option<RunPayload>> {
        let request = Request::of(context);
        let (run, handle) = opened(request, &input.run).await?;
        let actor = handle.author().actor;
        let extent = read_extent(&request.snapshot(), input)?;
        payload(request, Box::pin(request.sources().settle(run, &extent, &actor)).await).await
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

    /// Cancels a run. It removes nothing. What is held with it stays held.
    async fn cancel_run(
        &self,
        context: &Context<'_>,
        #[graphql(desc = "The run to cancel.")] input: CancelRunInput,
    ) -> Result<Option<RunPayload>> {
        let request = Request::of(context);
        let (run, _) = opened(request, &input.run).await?;
        payload(request, Box::pin(request.sources().cancel(run)).await).await
    }

    /// Approves what is held with a run, also if the run has failed: the listed objects are removed, unless the source
    /// has them again, and the listed fields are emptied or replaced. What was approved does not count against the limits
    /// of the source.
    async fn approve_run(
        &self,
        context: &Context<'_>,
        #[graphql(desc = "The run to approve.")] input: ApproveRunInput,
    ) -> Result<Option<RunPayload>> {
        let request = Request::of(context);
        let handle = request.handle(WriteKind::Decide).map_err(|it| forbidden(&it))?;
        let (run, _) = Box::pin(request.sources().source_of(&input.run)).await.map_err(run_refused)?;
        let actor = handle.author().actor;
        payload(request, Box::pin(request.sources().approve(run, input.adopt, &actor)).await).await
    }

    /// Rejects what is held with a run: nothing is removed, and the next full run is judged anew.
    async fn reject_run(
        &self,
        context: &Context<'_>,
        #[graphql(desc = "The run to reject.")] input: RejectRunInput,
    ) -> Result<Option<RunPayload>> {
        let request = Request::of(context);
        request.handle(WriteKind::Decide).map_err(|it| forbidden(&it))?;
        let (run, _) = Box::pin(request.sources().source_of(&input.run)).await.map_err(run_refused)?;
        payload(request, Box::pin(request.sources().reject(run)).await).await
    }
}

/// Returns a run that the caller may write in, and the way to write.
async fn opened(request: &Request, run: &ID) -> Result<(Uuid, WriteHandle)> {
    // Only callers that may run sources learn that such a run exists.
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
