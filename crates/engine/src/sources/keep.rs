//! Keeps the health of sources: every ten seconds, and soon after a run has ended, one process ends runs that went
//! silent, and writes the health of sources where it changed. It also deletes the runs of sources that were deleted.

use std::collections::BTreeMap;
use std::sync::{MutexGuard, PoisonError};
use std::time::Duration;

use chrono::{DateTime, TimeDelta, Utc};
use underlay_entity::source_held;
use underlay_entity::source_run::RunState;
use uuid::Uuid;

use super::Sources;
use super::guard::WINDOW;
use super::load::is_pending;
use super::missing::count_own;
use super::role::{Health, Settings, SourceOf};
use super::source_metrics::Measured;
use crate::store::{SourceFacts, StoreError, Upkeep};
use crate::write::{Author, Batch, Conflicts, Fields, Intent, Item, Mode, Origin};
use underlay_inventory::Snapshot;

/// The least time between two checks of the sources.
const MIN_CHECK_INTERVAL: Duration = Duration::from_secs(1);
/// The number of held fields of a source that are looked at in one check.
const MAX_CHECKED_FIELDS: u64 = 1_000;
/// The number of runs that fail before a source counts as failing.
const FAILING_RUNS: usize = 3;
/// The name under which the server writes the health.
const ACTOR: &str = "underlay";

/// Keeps the health of all sources. Never returns.
pub async fn keep_healthy(sources: Sources) {
    loop {
        let pause = sources.0.timing.look.mul_f64(0.9 + rand::random::<f64>() / 5.0);
        let minimum = MIN_CHECK_INTERVAL.min(pause);
        tokio::time::sleep(minimum).await;
        tokio::select! {
            () = tokio::time::sleep(pause - minimum) => {}
            // People who look at a source after a run of it find the health of that run.
            () = sources.0.run_ended.notified() => {}
        }
        if let Err(error) = sources.look().await {
            tracing::warn!("the health of sources cannot be worked out now: {error}");
        }
    }
}

/// Works out the health of a source at a time.
pub fn health(settings: &Settings, facts: &SourceFacts, now: DateTime<Utc>) -> Health {
    let failed = |state: &RunState| matches!(state, RunState::Failed | RunState::Abandoned);
    let stale = TimeDelta::seconds(settings.interval_seconds.saturating_mul(2));
    match facts.last_success_at {
        _ if settings.paused => Health::Paused,
        // What is held waits for an operator, and has a metric of its own. It must not hide that nothing is read.
        _ if facts.last.len() >= FAILING_RUNS && facts.last.iter().take(FAILING_RUNS).all(failed) => Health::Failing,
        _ if facts.held > 0 => Health::Held,
        None => Health::Never,
        Some(at) if now - at > stale => Health::Stale,
        Some(_) => Health::Fresh,
    }
}

impl Sources {
    /// Looks at all sources once.
    ///
    /// # Errors
    /// Returns an error if the database does not answer.
    pub async fn look(&self) -> Result<(), StoreError> {
        // A source has runs only after it was written. So a source that has runs already, and is not in a snapshot that
        // is read after this, was deleted.
        let with_runs = self.0.store.sources_with_runs().await?;
        let is_current = with_runs.is_empty() || self.catch_up().await;
        let snapshot = self.0.current.get();
        let sources = self.0.role.all(&snapshot);
        if sources.is_empty() && with_runs.is_empty() {
            self.measured().clear();
            return Ok(());
        }
        let is_deleted = |source: &Uuid| is_current && self.0.role.with_id(&snapshot, *source).is_none();
        let now = self.0.store.read_clock().await?;
        let upkeep = Upkeep {
            now,
            patience: self.0.timing.patience,
            forgotten: now - WINDOW,
            deleted: with_runs.into_iter().filter(is_deleted).collect(),
        };
        let kept = self.0.store.keep_sources(&upkeep).await?;
        let is_mine = kept.is_some();
        let facts = match kept {
            Some(mut facts) => {
                self.strike_off(&mut facts).await?;
                facts
            }
            // Another process writes the health, but the metrics are those of each process.
            None => self.0.store.source_facts().await?,
        };
        self.measure_all(&snapshot, &sources, &facts).await;
        if is_mine {
            self.write_health(&snapshot, &sources, &facts, now).await;
        }
        Ok(())
    }

    /// Takes fields that somebody has emptied, or set as the source does, off the lists of what is held. The first ones
    /// decide: while one of them is held, the source is held, however many come after it.
    async fn strike_off(&self, facts: &mut BTreeMap<Uuid, SourceFacts>) -> Result<(), StoreError> {
        for (source, facts) in facts.iter_mut().filter(|(_, facts)| facts.held > 0) {
            let held = self.0.store.held_fields(*source, MAX_CHECKED_FIELDS).await?;
            // The snapshot is newer than the list: what it does not have any more was there.
            if held.is_empty() || !self.catch_up().await {
                continue;
            }
            let snapshot = self.0.current.get();
            let is_settled = |held: &source_held::Model| !is_pending(&snapshot, held);
            let settled: Vec<_> = held.into_iter().filter(is_settled).collect();
            if !settled.is_empty() {
                facts.held = facts.held.saturating_sub(self.0.store.strike_off(&settled).await?);
            }
        }
        Ok(())
    }

    async fn write_health(
        &self,
        snapshot: &Snapshot,
        sources: &[SourceOf],
        facts: &BTreeMap<Uuid, SourceFacts>,
        now: DateTime<Utc>,
    ) {
        let kind = snapshot.kind(self.0.role.kind);
        let none = SourceFacts::default();
        let mut items = Vec::new();
        for source in sources {
            let health = health(&source.settings, facts.get(&source.id).unwrap_or(&none), now);
            if health == source.settings.health {
                continue;
            }
            let mut fields = Fields::default();
            fields.set("id", source.id.to_string().into());
            fields.set("health", (self.0.role.word)(health).into());
            items.push(Item::Write { kind, intent: Intent::Update, fields, if_version: None });
        }
        if items.is_empty() {
            return;
        }
        let batch = Batch {
            id: Uuid::new_v4(),
            bytes: items.len() * 64,
            items,
            mode: Mode::PerItem,
            conflicts: Conflicts::Force,
            author: Author::user(ACTOR),
            origin: Origin::Server,
            request_id: None,
        };
        if let Err(refusal) = self.0.writer.write(batch).await {
            tracing::warn!("the health of sources cannot be written now: {refusal}");
        }
    }

    /// Measures all sources. The others are measured no more.
    async fn measure_all(&self, snapshot: &Snapshot, sources: &[SourceOf], facts: &BTreeMap<Uuid, SourceFacts>) {
        let mut measured = BTreeMap::new();
        for source in sources {
            let facts = facts.get(&source.id);
            let success = facts.and_then(|facts| facts.last_success_at);
            let held = facts.map_or(0, |facts| facts.held);
            let objects = count_all(snapshot, &source.name);
            measured.insert(source.name.clone(), Measured { health: source.settings.health, success, objects, held });
            // Counting one source may take a while.
            tokio::task::yield_now().await;
        }
        *self.measured() = measured;
    }

    /// Measures a source of which a run was started, so that it has metrics from then on.
    pub(super) fn measure(&self, snapshot: &Snapshot, source: &SourceOf, success: Option<DateTime<Utc>>) {
        let objects = count_all(snapshot, &source.name);
        let mut measured = self.measured();
        let held = measured.get(&source.name).map_or(0, |before| before.held);
        measured.insert(source.name.clone(), Measured { health: source.settings.health, success, objects, held });
    }

    /// Sets the metrics of all sources in the present recorder.
    pub fn set_metrics(&self) {
        let words = Health::ALL.map(|health| (health, (self.0.role.word)(health)));
        self.measured().iter().for_each(|(source, measured)| measured.set(source, &words));
    }

    fn measured(&self) -> MutexGuard<'_, BTreeMap<String, Measured>> {
        self.0.measured.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// Returns the number of objects that carry the reference of a source and are not retired.
fn count_all(snapshot: &Snapshot, source: &str) -> u64 {
    snapshot.registry().kinds().map(|kind| count_own(snapshot, kind, source)).sum()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::sources::{Limits, Prune};

    fn at(seconds: i64) -> DateTime<Utc> {
        DateTime::from_timestamp(1_800_000_000 + seconds, 0).expect("a time")
    }

    #[test]
    fn health_follows_from_the_runs() {
        use RunState::{Abandoned, Failed, Succeeded};
        let settings = |paused| Settings {
            interval_seconds: 300,
            prune: Prune::Keep,
            limits: Limits { share: 0.1, count: 10 },
            paused,
            reserved: true,
            health: Health::Never,
            arriving: None,
        };
        let facts = |held, last: &[RunState], success: Option<i64>| SourceFacts {
            held,
            last: last.to_vec(),
            last_success_at: success.map(at),
        };
        for (paused, facts, now, expected) in [
            (false, facts(0, &[], None), 0, Health::Never),
            (false, facts(0, &[Failed, Failed], None), 0, Health::Never),
            (false, facts(0, &[Failed, Abandoned, Failed], None), 0, Health::Failing),
            (false, facts(0, &[Succeeded], Some(0)), 600, Health::Fresh),
            (false, facts(0, &[Succeeded], Some(0)), 601, Health::Stale),
            (false, facts(0, &[Succeeded], Some(0)), -1_000, Health::Fresh),
            (false, facts(0, &[Failed, Failed, Failed], Some(0)), 601, Health::Failing),
            (false, facts(0, &[Failed, Failed, Succeeded], Some(0)), 601, Health::Stale),
            (false, facts(1, &[Failed, Failed, Failed], Some(0)), 601, Health::Failing),
            (false, facts(1, &[Failed, Failed, Succeeded], Some(0)), 601, Health::Held),
            (true, facts(1, &[Succeeded], Some(0)), 0, Health::Paused),
        ] {
            assert_eq!(health(&settings(paused), &facts, at(now)), expected, "{facts:?} {now}");
        }
    }
}
