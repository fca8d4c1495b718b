//! The GraphQL object of a source.

use async_graphql::{Context, Result};
use chrono::{DateTime, Utc};
use underlay_entity::source::{Model, SourceHealth, SourceHostsArrive, SourceLimits, SourcePrune};
use underlay_entity::source_run::RunMode;

use super::suggestions::{SourceSuggestion, refused, suggestions};
use crate::object;
use crate::runs::{
    SourceRun, SourceRunConnection, Suspect, held_count_of, holding_runs_of, last_errors_of, last_run_of,
    last_success_of, most, runs_of, suspect_count_of, suspects_of,
};
use underlay_engine::runtime::block_in_place;

object! {
    /// A source: an outside system whose synchronizer keeps a part of the inventory true. Tokens of tenants see none.
    Source: Model;

    own {
        /// The type of the outside system: free text, such as `netbox`.
        r#type: &str = |source| &source.r#type;
        /// The address of the outside system, for people.
        url: Option<&str> = |source| source.url.as_deref();
        /// The time between two full runs, in seconds.
        interval: i32 = |source| source.interval_seconds;
        /// The effect on an object that the source no longer has.
        prune: SourcePrune = |source| source.prune;
        /// The limits on what the runs of the source remove or empty within 24 hours.
        limits: SourceLimits = |source| source.limits;
        /// True if the source is paused: its synchronizer starts no runs.
        paused: bool = |source| source.paused;
        /// The health of the source. Only the server sets it.
        health: SourceHealth = |source| source.health;
        /// True once a run of the source was started on this server. From then on a batch in the name of the source
        /// must belong to a run of it. Only the server sets it.
        reserved: bool = |source| source.reserved;
        /// The state of the hosts that a run of the source creates.
        hosts_arrive: SourceHostsArrive = |source| source.hosts_arrive;
    }

    requires {}

    refers {}

    lists {}

    more {
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
}
