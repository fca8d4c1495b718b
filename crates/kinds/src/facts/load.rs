//! Loads the facts of many hosts, with one statement for all of them.

use std::collections::HashMap;
use std::sync::Arc;

use async_graphql::dataloader::{DataLoader, Loader};
use async_graphql::{Context, Result};
use underlay_engine::facts::Facts;
use underlay_engine::store::StoreError;
use uuid::Uuid;

use super::report::FactsReport;
use crate::control::unanswered;
use crate::request::Request;

/// Loads the facts of hosts.
#[derive(Clone, Debug)]
pub struct FactsLoader(pub Facts);

/// The key of the facts of a host.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct FactsOf(pub Uuid);

impl Loader<FactsOf> for FactsLoader {
    type Value = Vec<FactsReport>;
    type Error = Arc<StoreError>;

    async fn load(&self, keys: &[FactsOf]) -> Result<HashMap<FactsOf, Self::Value>, Self::Error> {
        let hosts: Vec<Uuid> = keys.iter().map(|key| key.0).collect();
        let mut found: HashMap<FactsOf, Self::Value> = HashMap::new();
        for (host, origin, latest, report) in self.0.reports(&hosts).await? {
            found.entry(FactsOf(host)).or_default().push(FactsReport::new(&self.0, host, origin, latest, report));
        }
        Ok(found)
    }
}

/// Returns the facts of a host, of all origins, as the caller may see them.
///
/// # Errors
/// Returns an error if the database does not answer.
pub async fn facts_of_host(context: &Context<'_>, host: Uuid) -> Result<Vec<FactsReport>> {
    let Some(loader) = context.data_opt::<DataLoader<FactsLoader>>() else { return Ok(Vec::new()) };
    let found = loader.load_one(FactsOf(host)).await.map_err(|error| unanswered(&error))?.unwrap_or_default();
    Ok(match Request::of(context).view.log() {
        Some(_) => found,
        None => found.into_iter().map(FactsReport::for_tenants).collect(),
    })
}
