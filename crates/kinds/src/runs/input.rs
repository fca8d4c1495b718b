//! The inputs and the payloads of the mutations of runs.

use async_graphql::{ID, InputObject, Result, SimpleObject};
use serde_json::Value as Json;
use underlay_entity::source::SourcePrune;
use underlay_entity::source_run::RunMode;

use super::run::SourceRun;
use super::run_refused;
use crate::errors::{internal, named_kinds};
use crate::grammar::enum_name;
use underlay_engine::sources::{Counts, Extent, Report, RunError, SeenIds};
use underlay_engine::write::Fields;
use underlay_inventory::{Description, Snapshot};

/// A run to be started.
#[derive(Clone, Debug, InputObject)]
pub struct StartRunInput {
    /// The name of the source.
    pub source: String,
    /// The part of the source that the run reads.
    pub mode: RunMode,
    /// The settings that the source gets if it does not exist and the call creates it. A source that exists keeps its
    /// own, whatever is given here.
    pub new_source: Option<NewSourceInput>,
}

/// The settings of a source that is created because a run of it is started. Its limits are the default ones.
#[derive(Clone, Debug, InputObject)]
pub struct NewSourceInput {
    /// The type of the outside system: free text, such as `netbox`.
    pub r#type: String,
    /// The address of the outside system, for people: at most 2,000 characters.
    pub url: Option<String>,
    /// The time between two full runs, in seconds: 10 to 2,592,000 (30 days). Defaults to 300.
    pub interval: Option<i32>,
    /// The effect on an object that the source no longer has. Defaults to KEEP.
    pub prune: Option<SourcePrune>,
}

impl NewSourceInput {
    /// Returns the fields of the source.
    pub(super) fn fields(self) -> Fields {
        let Self { r#type, url, interval, prune } = self;
        let given = [
            ("type", Some(r#type.into())),
            ("url", url.map(Json::from)),
            ("interval", interval.map(Json::from)),
            ("prune", prune.map(|prune| enum_name(prune).into())),
        ];
        let mut fields = Fields::default();
        for (name, value) in given {
            value.into_iter().for_each(|value| fields.set(name, value));
        }
        fields
    }
}

/// External ids of one kind that the source has.
#[derive(Clone, Debug, InputObject)]
pub struct SeenIdsInput {
    /// The kind, such as `Device`.
    pub kind: String,
    /// The external ids of the objects.
    pub ids: Vec<String>,
}

/// Something that the source does not have any more.
#[derive(Clone, Debug, InputObject)]
pub struct GoneInput {
    /// The kind, such as `Device`.
    pub kind: String,
    /// The external id of the missing object.
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
    /// The id of the run that the report belongs to.
    pub run: ID,
    /// The external ids that the source has and that are not sent, because nothing changed: at most 10,000.
    #[graphql(default)]
    pub seen_ids: Vec<SeenIdsInput>,
    /// The things that a look between scans did not find: at most 1,000. They are suspected, until the next full run
    /// judges them or a partial run settles them as deleted.
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
    /// The id of the run to settle.
    pub run: ID,
    /// True if the scan of a full run was complete. Then the server removes what the run did not see, or holds it.
    pub complete: bool,
    /// The things that the source has deleted for certain, as its own log says for example: at most 1,000, in a partial
    /// run only. The server removes or holds them as it does what a complete full run did not see. What of them it can
    /// neither remove nor hold, because the list of an earlier run waits for an operator, the next full run judges.
    #[graphql(default)]
    pub deleted: Vec<GoneInput>,
}

/// A run to be finished.
#[derive(Clone, Debug, InputObject)]
pub struct FinishRunInput {
    /// The id of the run to finish.
    pub run: ID,
    /// The watermark of the source: at most 4 KiB, which only its synchronizer understands.
    pub cursor: Option<String>,
}

/// A run to be cancelled.
#[derive(Clone, Debug, InputObject)]
pub struct CancelRunInput {
    /// The id of the run to cancel.
    pub run: ID,
}

/// A run to be approved.
#[derive(Clone, Debug, InputObject)]
pub struct ApproveRunInput {
    /// The id of the run to approve.
    pub run: ID,
    /// True gives renumbered objects their new external ids instead of removing them. Defaults to false.
    #[graphql(default)]
    pub adopt: bool,
}

/// A run to be rejected.
#[derive(Clone, Debug, InputObject)]
pub struct RejectRunInput {
    /// The id of the run to reject.
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
    /// The external ids that must be sent again.
    pub ids: Vec<String>,
}

/// Reads what a run says to be gone.
pub(super) fn read_extent(snapshot: &Snapshot, input: SettleRunInput) -> Result<Extent> {
    if input.deleted.is_empty() {
        return Ok(Extent::Unseen { complete: input.complete });
    }
    if input.complete {
        let reason = "cannot be given together with `complete`: a complete run is judged by what it did not see";
        return Err(run_refused(RunError::Invalid { field: "deleted", reason: reason.to_owned() }));
    }
    let deleted = input.deleted.into_iter().map(|gone| Ok((kind_named(snapshot, &gone.kind)?, gone.external_id)));
    Ok(Extent::Deleted(deleted.collect::<Result<_>>()?))
}

fn kind_named(snapshot: &Snapshot, name: &String) -> Result<&'static Description> {
    let kinds = named_kinds(snapshot, std::slice::from_ref(name))?;
    kinds.first().copied().ok_or_else(|| internal("a named kind is missing"))
}

/// Reads a report.
pub(super) fn read_report(snapshot: &Snapshot, input: ReportRunInput) -> Result<Report> {
    let seen = input.seen_ids.into_iter();
    let seen = seen.map(|seen| Ok(SeenIds { kind: kind_named(snapshot, &seen.kind)?, ids: seen.ids }));
    let gone = input.gone.into_iter().map(|gone| Ok((kind_named(snapshot, &gone.kind)?, gone.external_id)));
    let counts = input.counts.map(|RunCountsInput { read, put_aside, left_out }| Counts { read, put_aside, left_out });
    let errors = input.errors.into_iter().map(|error| (error.external_id, error.code, error.message));
    Ok(Report {
        seen: seen.collect::<Result<_>>()?,
        gone: gone.collect::<Result<_>>()?,
        counts,
        errors: errors.collect(),
    })
}
