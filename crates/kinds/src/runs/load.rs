//! Loads what belongs to many sources or runs, with one statement for all of them.

use std::collections::HashMap;
use std::hash::Hash;
use std::sync::Arc;

use async_graphql::dataloader::{DataLoader, Loader};
use async_graphql::{Context, Result};
use chrono::{DateTime, Utc};
use underlay_entity::source_held;
use underlay_entity::source_run::{self, RunMode};
use uuid::Uuid;

use super::{sources, unread};
use underlay_engine::store::{RunPosition, Store, StoreError};

/// Loads what belongs to sources and runs.
#[derive(Clone, Debug)]
pub struct SourceLoader(pub Store);

/// The key of a page of the runs of one source.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct RunsOf {
    pub source: Uuid,
    /// Only runs of this mode that have ended.
    pub ended: Option<RunMode>,
    pub past: Option<RunPosition>,
    pub most: u64,
}

/// The key of the number of runs of one source.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct RunCountOf(pub Uuid);

/// The key of the last success of one source.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct SuccessOf(pub Uuid);

/// The key of the number of suspects of one source.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct SuspectsOf(pub Uuid);

/// The key of the runs of one source with which something is held.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct HoldingRunsOf {
    pub source: Uuid,
    pub most: u64,
}

/// The key of the number of objects and fields that are held of one source.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct HeldOf(pub Uuid);

/// The key of the number of objects and fields that are held with one run.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct HeldWith(pub Uuid);

/// The key of a part of what is held with one run.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct HeldList {
    pub run: Uuid,
    pub most: u64,
}

/// Loads the value of a key together with those of other objects. Returns `None` if there is none.
///
/// # Errors
/// Returns an error if the caller may not read sources, or the database does not answer.
pub async fn load<K>(context: &Context<'_>, key: K) -> Result<Option<<SourceLoader as Loader<K>>::Value>>
where
    K: Send + Sync + Hash + Eq + Clone + 'static,
    SourceLoader: Loader<K, Error = Arc<StoreError>>,
{
    sources(context)?;
    // Every caller who may read sources has a loader.
    let loader: &DataLoader<SourceLoader> = context.data_unchecked();
    loader.load_one(key).await.map_err(|error| unread(&error))
}

impl Loader<RunsOf> for SourceLoader {
    type Value = Vec<source_run::Model>;
    type Error = Arc<StoreError>;

    async fn load(&self, keys: &[RunsOf]) -> Result<HashMap<RunsOf, Self::Value>, Self::Error> {
        let _turn = self.0.turn_to_read().await;
        let mut forms: HashMap<(Option<RunMode>, Option<RunPosition>, u64), Vec<Uuid>> = HashMap::new();
        for key in keys {
            forms.entry((key.ended, key.past, key.most)).or_default().push(key.source);
        }
        let mut found: HashMap<RunsOf, Self::Value> = HashMap::new();
        for ((ended, past, most), sources) in forms {
            for run in self.0.runs_of_each(&sources, ended, past, most).await? {
                found.entry(RunsOf { source: run.source_id, ended, past, most }).or_default().push(run);
            }
        }
        Ok(found)
    }
}

impl Loader<RunCountOf> for SourceLoader {
    type Value = i64;
    type Error = Arc<StoreError>;

    async fn load(&self, keys: &[RunCountOf]) -> Result<HashMap<RunCountOf, i64>, Self::Error> {
        let _turn = self.0.turn_to_read().await;
        let sources: Vec<Uuid> = keys.iter().map(|key| key.0).collect();
        let counts = self.0.count_runs_of_each(&sources).await?;
        Ok(counts.into_iter().map(|(source, count)| (RunCountOf(source), count)).collect())
    }
}

impl Loader<SuccessOf> for SourceLoader {
    type Value = DateTime<Utc>;
    type Error = Arc<StoreError>;

    async fn load(&self, keys: &[SuccessOf]) -> Result<HashMap<SuccessOf, DateTime<Utc>>, Self::Error> {
        let _turn = self.0.turn_to_read().await;
        let sources: Vec<Uuid> = keys.iter().map(|key| key.0).collect();
        let successes = self.0.successes_of_each(&sources).await?;
        Ok(successes.into_iter().map(|(source, at)| (SuccessOf(source), at)).collect())
    }
}

impl Loader<SuspectsOf> for SourceLoader {
    type Value = i64;
    type Error = Arc<StoreError>;

    async fn load(&self, keys: &[SuspectsOf]) -> Result<HashMap<SuspectsOf, i64>, Self::Error> {
        let _turn = self.0.turn_to_read().await;
        let sources: Vec<Uuid> = keys.iter().map(|key| key.0).collect();
        let counts = self.0.count_suspects_of_each(&sources).await?;
        Ok(counts.into_iter().map(|(source, count)| (SuspectsOf(source), count)).collect())
    }
}

impl Loader<HoldingRunsOf> for SourceLoader {
    type Value = Vec<source_run::Model>;
    type Error = Arc<StoreError>;

    async fn load(&self, keys: &[HoldingRunsOf]) -> Result<HashMap<HoldingRunsOf, Self::Value>, Self::Error> {
        let mut forms: HashMap<u64, Vec<Uuid>> = HashMap::new();
        for key in keys {
            forms.entry(key.most).or_default().push(key.source);
        }
        let mut found: HashMap<HoldingRunsOf, Self::Value> = HashMap::new();
        for (most, sources) in forms {
            for run in self.0.holding_runs_of_each(&sources, most).await? {
                found.entry(HoldingRunsOf { source: run.source_id, most }).or_default().push(run);
            }
        }
        Ok(found)
    }
}

impl Loader<HeldOf> for SourceLoader {
    type Value = i64;
    type Error = Arc<StoreError>;

    async fn load(&self, keys: &[HeldOf]) -> Result<HashMap<HeldOf, i64>, Self::Error> {
        let sources: Vec<Uuid> = keys.iter().map(|key| key.0).collect();
        let counts = self.0.count_held_of_each(&sources).await?;
        Ok(counts.into_iter().map(|(source, count)| (HeldOf(source), count)).collect())
    }
}

impl Loader<HeldList> for SourceLoader {
    type Value = Vec<source_held::Model>;
    type Error = Arc<StoreError>;

    async fn load(&self, keys: &[HeldList]) -> Result<HashMap<HeldList, Self::Value>, Self::Error> {
        let _turn = self.0.turn_to_read().await;
        let mut forms: HashMap<u64, Vec<Uuid>> = HashMap::new();
        for key in keys {
            forms.entry(key.most).or_default().push(key.run);
        }
        let mut found: HashMap<HeldList, Self::Value> = HashMap::new();
        for (most, runs) in forms {
            for held in self.0.held_with_each(&runs, most).await? {
                found.entry(HeldList { run: held.run_id, most }).or_default().push(held);
            }
        }
        Ok(found)
    }
}

impl Loader<HeldWith> for SourceLoader {
    type Value = i64;
    type Error = Arc<StoreError>;

    async fn load(&self, keys: &[HeldWith]) -> Result<HashMap<HeldWith, i64>, Self::Error> {
        let _turn = self.0.turn_to_read().await;
        let runs: Vec<Uuid> = keys.iter().map(|key| key.0).collect();
        let counts = self.0.count_held_with_each(&runs).await?;
        Ok(counts.into_iter().map(|(run, count)| (HeldWith(run), count)).collect())
    }
}
