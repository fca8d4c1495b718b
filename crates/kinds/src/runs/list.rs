//! The lists of a source: its runs in pages, newest first, and its suspects.

use async_graphql::{Context, Object, Result, SimpleObject};
use base64::Engine;
use base64::engine::general_purpose::URL_SAFE_NO_PAD;
use chrono::{DateTime, SecondsFormat, Utc};
use futures_util::future::BoxFuture;
use underlay_entity::source;
use underlay_entity::source_run::{self, RunErrorEntry, RunMode};
use uuid::Uuid;

use super::load::{HeldOf, HoldingRunsOf, RunCountOf, RunsOf, SuccessOf, SuspectsOf, load};
use super::run::{SourceRun, Suspect};
use super::{most, sources, unread};
use crate::changes::size;
use crate::errors::unreadable;
use crate::request::Request;
use underlay_engine::store::RunPosition;
use underlay_read::{Paced, PageInfo, ReadError};

/// A page of the runs of a source.
#[derive(Clone, Debug)]
pub struct SourceRunConnection {
    source: Uuid,
    runs: Vec<(String, SourceRun)>,
    more: bool,
    began_after: bool,
}

/// A run in a list, with its cursor.
#[derive(Clone, Debug, SimpleObject)]
pub struct SourceRunEdge {
    /// The position of the run in the list. Pass it as `after` to continue from here.
    pub cursor: String,
    /// The run at this position.
    pub node: SourceRun,
}

/// A page of the runs of a source.
#[Object]
impl SourceRunConnection {
    /// The runs of this page, each with its cursor.
    async fn edges(&self) -> Vec<Paced<SourceRunEdge>> {
        let edge = |(cursor, run): &(String, SourceRun)| SourceRunEdge { cursor: cursor.clone(), node: run.clone() };
        self.runs.iter().map(edge).map(Paced).collect()
    }

    /// The runs of this page.
    async fn nodes(&self) -> Vec<Paced<&SourceRun>> {
        self.runs.iter().map(|(_, run)| Paced(run)).collect()
    }

    /// The position of this page in the list.
    async fn page_info(&self) -> PageInfo {
        let cursor = |run: Option<&(String, SourceRun)>| run.map(|(cursor, _)| cursor.clone());
        PageInfo {
            has_next_page: self.more,
            has_previous_page: self.began_after,
            start_cursor: cursor(self.runs.first()),
            end_cursor: cursor(self.runs.last()),
        }
    }

    /// The number of runs in the whole list. It is computed only if it is selected.
    async fn total_count(&self, context: &Context<'_>) -> Result<i64> {
        Ok(load(context, RunCountOf(self.source)).await?.unwrap_or_default())
    }
}

/// Returns how a run of a source is shown to the caller. The errors of a run repeat what stands in the outside system,
/// so only those see them who may run the source.
fn shown_to(context: &Context<'_>, source: &source::Model) -> impl Fn(source_run::Model) -> SourceRun {
    let sees_errors = Request::of(context).reads_errors_of(&source.name);
    move |mut run| {
        if !sees_errors {
            run.errors.0.clear();
        }
        run.into()
    }
}

/// Returns a page of the runs of a source, newest first. The future is on the heap, because the resolver of every field
/// of an object takes as much space as its largest field.
pub fn runs_of<'a>(
    context: &'a Context<'_>,
    source: &'a source::Model,
    first: Option<i32>,
    after: Option<String>,
) -> BoxFuture<'a, Result<SourceRunConnection>> {
    Box::pin(async move {
        let (limit, past) = (size(first)?, after.as_deref().map(position).transpose()?);
        let key = RunsOf { source: source.id, ended: None, past, most: limit as u64 + 1 };
        let mut runs = load(context, key).await?.unwrap_or_default();
        let more = runs.len() > limit;
        runs.truncate(limit);
        let show = shown_to(context, source);
        let runs = runs.into_iter().map(|run| (cursor((run.started_at, run.id)), show(run))).collect();
        Ok(SourceRunConnection { source: source.id, runs, more, began_after: past.is_some() })
    })
}

/// Returns the last run of a source; with a mode, the last one of that mode that has ended.
pub fn last_run_of<'a>(
    context: &'a Context<'_>,
    source: &'a source::Model,
    ended: Option<RunMode>,
) -> BoxFuture<'a, Result<Option<SourceRun>>> {
    Box::pin(async move {
        let runs = load(context, RunsOf { source: source.id, ended, past: None, most: 1 }).await?.unwrap_or_default();
        Ok(runs.into_iter().next().map(shown_to(context, source)))
    })
}

/// Returns what the last full run of a source could not write.
pub fn last_errors_of<'a>(context: &'a Context<'_>, source: Uuid) -> BoxFuture<'a, Result<Vec<RunErrorEntry>>> {
    Box::pin(async move {
        let key = RunsOf { source, ended: Some(RunMode::Full), past: None, most: 1 };
        let runs = load(context, key).await?.unwrap_or_default();
        Ok(runs.into_iter().next().map(|run| run.errors.0).unwrap_or_default())
    })
}

/// Returns the runs of a source with which something is held, newest first.
pub fn holding_runs_of<'a>(
    context: &'a Context<'_>,
    source: &'a source::Model,
    first: Option<i32>,
) -> BoxFuture<'a, Result<Vec<SourceRun>>> {
    Box::pin(async move {
        let key = HoldingRunsOf { source: source.id, most: most(first)? };
        let runs = load(context, key).await?.unwrap_or_default();
        Ok(runs.into_iter().map(shown_to(context, source)).collect())
    })
}

/// Returns the number of objects and fields of a source that are held.
pub fn held_count_of<'a>(context: &'a Context<'_>, source: Uuid) -> BoxFuture<'a, Result<i64>> {
    Box::pin(async move { Ok(load(context, HeldOf(source)).await?.unwrap_or_default()) })
}

/// Returns the time of the last full run of a source that succeeded.
pub fn last_success_of<'a>(context: &'a Context<'_>, source: Uuid) -> BoxFuture<'a, Result<Option<DateTime<Utc>>>> {
    Box::pin(load(context, SuccessOf(source)))
}

/// Returns the oldest suspects of a source.
pub fn suspects_of<'a>(
    context: &'a Context<'_>,
    source: Uuid,
    first: Option<i32>,
) -> BoxFuture<'a, Result<Vec<Suspect>>> {
    Box::pin(async move {
        let most = most(first)?;
        let suspects = sources(context)?.store().suspects(source, most).await.map_err(|error| unread(&error))?;
        Ok(suspects.into_iter().map(Suspect::from).collect())
    })
}

/// Returns the number of suspects of a source.
pub fn suspect_count_of<'a>(context: &'a Context<'_>, source: Uuid) -> BoxFuture<'a, Result<i64>> {
    Box::pin(async move { Ok(load(context, SuspectsOf(source)).await?.unwrap_or_default()) })
}

fn cursor((at, id): RunPosition) -> String {
    let at = at.to_rfc3339_opts(SecondsFormat::AutoSi, true);
    URL_SAFE_NO_PAD.encode(format!("{at}/{id}"))
}

fn position(cursor: &str) -> Result<RunPosition> {
    let decoded = URL_SAFE_NO_PAD.decode(cursor).ok().and_then(|bytes| String::from_utf8(bytes).ok());
    let position = decoded.and_then(|text| {
        let (at, id) = text.split_once('/')?;
        Some((DateTime::parse_from_rfc3339(at).ok()?.to_utc(), Uuid::parse_str(id).ok()?))
    });
    let reason = "is no cursor of a list of runs: take one from pageInfo or edges".to_owned();
    position.ok_or_else(|| unreadable(&ReadError::Argument { argument: "after", reason }))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_cursor_keeps_its_form_and_is_exact() {
        let at = DateTime::from_timestamp(1_800_000_000, 123_456_789).expect("a time");
        let text = cursor((at, Uuid::from_u128(7)));
        // Clients give it back to a later version.
        let form = "2027-01-15T08:00:00.123456789Z/00000000-0000-0000-0000-000000000007";
        assert_eq!(URL_SAFE_NO_PAD.decode(&text).ok().as_deref(), Some(form.as_bytes()));
        assert_eq!(position(&text).ok(), Some((at, Uuid::from_u128(7))));
        for bad in ["", "x", "AAAA", "YS9i", "%%%"] {
            assert!(position(bad).is_err(), "{bad}");
        }
    }
}
