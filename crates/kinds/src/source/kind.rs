//! Declares a source.

use async_graphql::{Context, Result};
use chrono::{DateTime, Utc};
use serde_json::Value as Json;
use underlay_engine::runtime::block_in_place;
use underlay_entity::source::{Model, SourceHealth, SourceHostsArrive, SourceLimits, SourcePrune};
use underlay_entity::source_run::RunMode;
use underlay_inventory::{Audience, Shape, Unfit, cast, shorten};
use underlay_kind_derive::{kind, resolvers};
use underlay_read::{IntFilter, TextFilter, enum_filter};

use super::rules;
use super::suggestions::{SourceSuggestion, refused, suggestions};
use super::topology::TOPOLOGY;
use crate::common::{member, within, without_user};
use crate::runs::{
    SourceRun, SourceRunConnection, Suspect, held_count_of, holding_runs_of, last_errors_of, last_run_of,
    last_success_of, most, runs_of, suspect_count_of, suspects_of,
};

enum_filter!(SourcePruneFilter, SourcePrune);
enum_filter!(SourceHealthFilter, SourceHealth);
enum_filter!(SourceHostsArriveFilter, SourceHostsArrive);

/// The time between two full runs, in seconds: from ten seconds to thirty days.
const INTERVAL: Shape = Shape::Integer { least: 10, most: 30 * 24 * 60 * 60 };

/// The default time between two full runs, in seconds.
const USUAL_INTERVAL: i32 = 300;

/// The address of the outside system.
const URL: Shape = Shape::Text { longest: 2_000 };

const LIMITS: Shape = Shape::Structure("an object with share (0 to 1) and count (at least 0)");

/// A source: an outside system whose synchronizer keeps a part of the inventory true. Tokens of tenants see none.
#[kind(
    id = SOURCE,
    row = Model,
    reference(source_name = "The name of the source."),
    rules = &[rules::name],
    audience = Audience::Operators,
    reserves = Some(|row| cast::<Model>(row).reserved),
    searched(url),
)]
pub struct Source {
    /// The type of the outside system: free text, such as `netbox`.
    #[written = "Required to create a source."]
    #[field(
        6,
        default = String::new(),
        filter(TextFilter, |row| Some(row.r#type.as_str())),
        order("the type", |row| Some(row.r#type.as_str())),
        required,
        normalised(not_empty),
    )]
    r#type: String,

    /// The address of the outside system, for people.
    #[input = "The address of the outside system, for people: at most 2,000 characters."]
    #[field(
        7,
        shape = URL,
        filter,
        normalised(|value| without_user(value.as_str().unwrap_or_default()).map(|()| value)),
    )]
    url: Option<String>,

    /// The time between two full runs, in seconds.
    #[input = "The time between two full runs, in seconds: 10 to 2,592,000 (30 days). Defaults to 300."]
    #[field(
        8,
        column = interval_seconds,
        shape = INTERVAL,
        default = USUAL_INTERVAL,
        filter(IntFilter, |row| Some(i64::from(row.interval_seconds))),
    )]
    interval: i32,

    /// The effect on an object that the source no longer has.
    #[written = "Defaults to KEEP. Only operators and administrators set it."]
    #[field(9, filter, set_by_operators)]
    prune: SourcePrune,

    /// The limits on what the runs of the source remove or empty within 24 hours.
    #[input = "The limits on what the runs of the source remove or empty within 24 hours, for each kind. Only \
        operators and administrators set them."]
    #[field(10, shape = LIMITS, normalised(limits), set_by_operators)]
    limits: SourceLimits,

    /// True if the source is paused: its synchronizer starts no runs.
    #[input = "True pauses the source: its synchronizer starts no runs. Defaults to false. Only operators and \
        administrators set it."]
    #[field(11, filter, set_by_operators)]
    paused: bool,

    /// The health of the source. Only the server sets it.
    #[field(12, unwritten, filter, set_by_server)]
    health: SourceHealth,

    /// True once a run of the source was started on this server. From then on a batch in the name of the source must
    /// belong to a run of it. Only the server sets it.
    #[field(13, unwritten, set_by_server)]
    reserved: bool,

    /// The state of the hosts that a run of the source creates.
    #[written = "Defaults to REGISTERED. Only operators and administrators set it."]
    #[field(14, filter, set_by_operators)]
    hosts_arrive: SourceHostsArrive,
}

#[resolvers]
impl Source {
    /// The runs of the source, newest first. The server keeps 500 full and 500 partial runs that have ended.
    async fn runs(
        &self,
        context: &Context<'_>,
        #[graphql(desc = "The maximum number of entries: 0 to 1000. Defaults to 50.")] first: Option<i32>,
        #[graphql(desc = "Returns only entries after this cursor.")] after: Option<String>,
    ) -> Result<Option<SourceRunConnection>> {
        runs_of(context, &self.0.row, first, after).await.map(Some)
    }

    /// The last run of the source. Null if there is none.
    async fn last_run(&self, context: &Context<'_>) -> Result<Option<SourceRun>> {
        last_run_of(context, &self.0.row, None).await
    }

    /// The last run in a mode that has ended. Null if there is none. The errors of the last full run say why a
    /// source is FAILING, however many partial runs came after it.
    async fn last_ended_run(
        &self,
        context: &Context<'_>,
        #[graphql(desc = "The mode of the run.")] mode: RunMode,
    ) -> Result<Option<SourceRun>> {
        last_run_of(context, &self.0.row, Some(mode)).await
    }

    /// The runs with which something is held, newest first, whatever became of them. `approveRun` and `rejectRun`
    /// decide about each of them.
    async fn holding_runs(
        &self,
        context: &Context<'_>,
        #[graphql(desc = "The maximum number of entries: 0 to 1000. Defaults to 1000.")] first: Option<i32>,
    ) -> Result<Vec<SourceRun>> {
        holding_runs_of(context, &self.0.row, first).await
    }

    /// The number of objects and fields that the guard holds, with all runs of the source.
    async fn held_count(&self, context: &Context<'_>) -> Result<i64> {
        held_count_of(context, self.0.row.id).await
    }

    /// The time when the last full run succeeded. Null if none has.
    async fn last_success_at(&self, context: &Context<'_>) -> Result<Option<DateTime<Utc>>> {
        last_success_of(context, self.0.row.id).await
    }

    /// The objects that looks between scans did not find in the source, oldest first. They are judged when the source
    /// proves that it has deleted them, or by the next full run, which the synchronizer starts early then.
    async fn suspects(
        &self,
        context: &Context<'_>,
        #[graphql(desc = "The maximum number of entries: 0 to 1000. Defaults to 1000.")] first: Option<i32>,
    ) -> Result<Vec<Suspect>> {
        suspects_of(context, self.0.row.id, first).await
    }

    /// The number of suspects.
    async fn suspect_count(&self, context: &Context<'_>) -> Result<i64> {
        suspect_count_of(context, self.0.row.id).await
    }

    /// The devices and hosts of the source that may be the same machine as another object, which the source does not
    /// have: both have the same serial number, UUID, BMC or boot MAC. Nothing is joined by itself. First come the hosts that
    /// the last full run did not write, because another host is their machine.
    async fn suggestions(
        &self,
        context: &Context<'_>,
        #[graphql(desc = "The maximum number of entries: 0 to 1000. Defaults to 1000.")] first: Option<i32>,
    ) -> Result<Vec<SourceSuggestion>> {
        let most = usize::try_from(most(first)?).unwrap_or_default();
        let errors = last_errors_of(context, self.0.row.id).await?;
        let (snapshot, source) = (&self.0.snapshot, &self.0.row.name);
        let mut all = refused(snapshot, source, &errors);
        all.extend(block_in_place(|| suggestions(snapshot, source, most.saturating_sub(all.len()))));
        all.truncate(most);
        Ok(all)
    }
}

fn not_empty(value: Json) -> Result<Json, Unfit> {
    match value.as_str().is_some_and(|text| text.trim().is_empty()) {
        true => Err(Unfit::new("", "must not be empty")),
        false => Ok(value),
    }
}

/// Checks that the limits are within their bounds.
fn limits(value: Json) -> Result<Json, Unfit> {
    let value = member(value, "share", |it| within(it, 0.0, 1.0))?;
    member(value, "count", |it| match it.as_i64().is_some_and(|count| (0..=i64::from(i32::MAX)).contains(&count)) {
        true => Ok(it),
        false => Err(Unfit::new("", format!("must be a whole number from 0 to {}, not {}", i32::MAX, shorten(&it)))),
    })
}
