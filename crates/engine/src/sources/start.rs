//! Starts runs.

use chrono::{DateTime, TimeDelta, Utc};
use serde_json::{Value as Json, json};
use sha2::{Digest, Sha256};
use underlay_entity::request;
use underlay_entity::source_run::{self, RunErrors, RunMode, RunState};
use uuid::Uuid;

use super::error::RunError;
use super::load::is_silent;
use super::role::SourceOf;
use super::{MAX_ATTEMPTS, Sources};
use crate::store::{REPEATABLE_HOURS, RunChanges};
use crate::write::{Author, Batch, Conflicts, Fields, Intent, Item, Mode, Origin};
use underlay_error::Code;
use underlay_inventory::Refusal;

/// The number of ended runs of each mode that are kept of a source, so that the many partial runs do not push out the
/// full ones.
const MAX_KEPT_RUNS: u64 = 500;
/// The field with the type of a source, and the type of a source whose synchronizer did not say one.
const TYPE_FIELD: &str = "type";
const UNKNOWN_TYPE: &str = "other";
/// The field of the request that has the settings of a source to be created.
const NEW_SOURCE_FIELD: &str = "newSource";
/// The member of a stored answer with the id of the run.
const RUN: &str = "run";

/// A run to be started.
#[derive(Clone, Debug)]
pub struct StartRun {
    /// The caller.
    pub actor: String,
    /// The name of the source.
    pub source: String,
    pub mode: RunMode,
    /// The client's name for the request, with which it can be repeated safely.
    pub request_id: Option<String>,
    /// True if the source is created when there is none.
    pub creates: bool,
    /// The fields that the source gets if this call creates it. A source that exists keeps its own.
    pub new_source: Fields,
}

impl Sources {
    /// Starts a run. A repeated request gets the run of the first one.
    ///
    /// # Errors
    /// Returns an error if there is no such source, it is paused, or a full run of it is running already.
    pub async fn start(&self, start: &StartRun) -> Result<source_run::Model, RunError> {
        if let Some(run) = self.repeated(start).await? {
            return Ok(run);
        }
        self.catch_up().await;
        let source = self.reserved(start).await?;
        for _ in 0..MAX_ATTEMPTS {
            match self.try_start(start, &source).await {
                Err(RunError::Overtaken) => {}
                started => return started,
            }
        }
        Err(RunError::Overtaken)
    }

    async fn try_start(&self, start: &StartRun, source: &SourceOf) -> Result<source_run::Model, RunError> {
        let held = self.turn(source.id).await;
        let store = &self.0.store;
        let turn = store.turn(source.id).await?;
        // The step and the open runs are read before this: a run that this request started elsewhere a moment ago is
        // found here, or its step is taken, and it is not mistaken for the run of somebody else.
        let open_runs = store.open_runs(source.id).await?;
        if let Some(run) = self.repeated(start).await? {
            return Ok(run);
        }
        let now = store.clock().now();
        for open in open_runs {
            if is_silent(&open, now, self.0.timing.patience) {
                self.abandon_before(turn.step, source, open, now).await?;
                // The step was taken, so everything is read again.
                return Err(RunError::Overtaken);
            }
            if start.mode == RunMode::Full && open.mode == RunMode::Full {
                return Err(RunError::Busy { source_name: source.name.clone(), running: open.id });
            }
        }
        let run = source_run::Model {
            id: Uuid::new_v4(),
            source_id: source.id,
            mode: start.mode,
            state: RunState::Running,
            started_at: now,
            heartbeat_at: now,
            finished_at: None,
            actor: start.actor.clone(),
            base_revision: self.0.current.get().revision(),
            complete: None,
            renumbered: false,
            seen: 0,
            created: 0,
            updated: 0,
            unchanged: 0,
            retired: 0,
            deleted: 0,
            released: 0,
            failed: 0,
            skipped_fields: 0,
            read: 0,
            put_aside: 0,
            left_out: 0,
            errors: RunErrors::default(),
            first_revision: None,
            last_revision: None,
            cursor: None,
        };
        let mut changes = RunChanges::of(turn.step, run);
        changes.request = start.request_id.as_ref().map(|request_id| request::Model {
            actor: start.actor.clone(),
            request_id: request_id.clone(),
            digest: Some(digest(start)),
            revision: None,
            at: now,
            outcome: json!({ RUN: changes.run.id }),
        });
        let run = store.record_run(&changes).await?;
        drop(held);
        self.measure(&self.0.current.get(), source, turn.last_success_at);
        if let Err(error) = store.trim_runs(source.id, start.mode, MAX_KEPT_RUNS).await {
            tracing::warn!("old runs cannot be deleted now: {error}");
        }
        Ok(run)
    }

    /// Returns the run that an earlier request with the same name started.
    async fn repeated(&self, start: &StartRun) -> Result<Option<source_run::Model>, RunError> {
        let Some(request_id) = &start.request_id else { return Ok(None) };
        let since = self.0.store.clock().now() - TimeDelta::hours(REPEATABLE_HOURS as i64);
        let Some(first) = self.0.store.find_request(request_id, &start.actor, since).await? else { return Ok(None) };
        let run = first.outcome.get(RUN).and_then(Json::as_str).and_then(|run| Uuid::parse_str(run).ok());
        match run.filter(|_| first.digest == Some(digest(start))) {
            None => Err(RunError::Refused(Refusal::RequestReused)),
            Some(run) => {
                let found = self.0.store.run(run).await?;
                found.map(Some).ok_or_else(|| RunError::NoRun(run.to_string()))
            }
        }
    }

    async fn abandon_before(
        &self,
        step: i64,
        source: &SourceOf,
        mut run: source_run::Model,
        now: DateTime<Utc>,
    ) -> Result<(), RunError> {
        if run.state == RunState::Running {
            run.state = RunState::Abandoned;
        }
        run.finished_at = Some(now);
        let run = self.0.store.record_run(&RunChanges::of(step, run)).await?;
        self.ended(source, &run);
        Ok(())
    }

    /// Returns the source with its name reserved. A missing source is created if the caller may.
    async fn reserved(&self, start: &StartRun) -> Result<SourceOf, RunError> {
        let role = self.0.role;
        for _ in 0..MAX_ATTEMPTS {
            let snapshot = self.0.current.get();
            let found = role.named(&snapshot, &start.source);
            let (intent, fields) = match &found {
                None if !start.creates => return Err(RunError::NoSource(start.source.clone())),
                None => (Intent::Create, new_source(start)),
                Some(found) if found.settings.paused => return Err(RunError::Paused(start.source.clone())),
                Some(found) if found.settings.reserved => return Ok(found.clone()),
                Some(found) => {
                    let mut fields = Fields::default();
                    fields.set("id", found.id.to_string().into());
                    (Intent::Update, fields)
                }
            };
            match self.reserve(start, intent, fields).await {
                // Another call created it meanwhile: the settings of this one do not count.
                Err(RunError::Refused(refusal)) if found.is_none() && refusal.code() == Code::Duplicate => {
                    self.catch_up().await;
                }
                reserved => return reserved,
            }
        }
        Err(RunError::Overtaken)
    }

    async fn reserve(&self, start: &StartRun, intent: Intent, mut fields: Fields) -> Result<SourceOf, RunError> {
        let role = self.0.role;
        fields.set("reserved", true.into());
        let kind = self.0.current.get().kind(role.kind);
        let batch = Batch {
            id: Uuid::new_v4(),
            items: vec![Item::Write { kind, intent, fields, if_version: None }],
            mode: Mode::Atomic,
            conflicts: Conflicts::Force,
            // The caller owns the fields, not the source: operators change them without taking them over.
            author: Author::user(&start.actor),
            origin: Origin::Server,
            request_id: None,
            bytes: 0,
        };
        let answer = self.0.writer.write(batch).await?;
        if let Some(refusal) = answer.outcomes.into_iter().find_map(|outcome| outcome.error) {
            let creates = intent == Intent::Create;
            return Err(RunError::Refused(if creates { refusal.within(NEW_SOURCE_FIELD) } else { refusal }));
        }
        let reserved = role.named(&answer.snapshot, &start.source);
        reserved.ok_or_else(|| {
            RunError::Refused(Refusal::NotFound {
                field: "source".to_owned(),
                what: format!("source {}", start.source),
            })
        })
    }
}

/// Returns the fields of a source that is created because a run of it is started.
fn new_source(start: &StartRun) -> Fields {
    let mut fields = start.new_source.clone();
    fields.set("name", start.source.clone().into());
    if !fields.has(TYPE_FIELD) {
        fields.set(TYPE_FIELD, UNKNOWN_TYPE.into());
    }
    fields
}

/// Returns the SHA-256 digest of a request to start a run, as hexadecimal digits. The settings of a source that is to
/// be created do not count, because a repeat finds the source.
fn digest(start: &StartRun) -> String {
    let text = json!(["start run", start.source, start.mode]).to_string();
    Sha256::digest(text.as_bytes()).iter().map(|byte| format!("{byte:02x}")).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_digest_depends_on_the_source_and_the_mode() {
        let of = |source: &str, mode| {
            let (actor, request_id) = ("ann".to_owned(), Some("r".to_owned()));
            let source = source.to_owned();
            digest(&StartRun { actor, source, mode, request_id, creates: false, new_source: Fields::default() })
        };
        // It is stored with the request, and a later version compares it with that of a repeated request.
        assert_eq!(of("nb", RunMode::Full), "a29615ab3c7c2044e4c548745d3f426ab0698cdd00527bfa2b23730be1217756");
        assert!(of("nb", RunMode::Full) != of("nb", RunMode::Partial));
        assert!(of("nb", RunMode::Full) != of("nb2", RunMode::Full));
    }
}
