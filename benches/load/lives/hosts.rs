//! The hosts, and the orders that a person gives them.

use std::net::SocketAddr;
use std::time::{Duration, Instant};

use chrono::{DateTime, Utc};
use serde::Deserialize;
use serde_json::{Value, json};

use super::controller::Controller;
use crate::client::ask;
use crate::problem::{LoadError, Result};

/// The number of hosts in an order.
const ORDER_HOSTS: usize = 1_000;
/// The number of hosts in a page of [`HOSTS`].
const PAGE_HOSTS: usize = 200;
/// The interval of looks at hosts at work.
const POLL_INTERVAL: Duration = Duration::from_millis(500);

const APPLY: &str =
    "mutation($items: [ApplyItem!]!) { apply(input: {items: $items}) { results { error { message } } } }";
const APPLIANCE: &str = "{ appliance(name: \"lives\") { id enlistment { doneAt enlisted message } } }";
const ENLIST: &str = "mutation($id: ID!) { enlistAppliance(input: {appliance: $id}) { appliance { name } } }";
const DISCOVER: &str = "mutation($ids: [ID!]!) { discoverHosts(input: {ids: $ids, adopt: true}) { revision } }";
const ACQUIRE: &str = "mutation($count: Int!) {
  acquireHosts(input: {class: {hostClass: \"lives\"}, count: $count, for: \"lives\"}) { hosts { id } }
}";
const INSTALL: &str = "mutation($ids: [ID!]!) {
  installHosts(input: {ids: $ids, profile: {profile: \"lives\"}}) { revision }
}";
const RELEASE: &str = "mutation($ids: [ID!]!) { releaseHosts(input: {ids: $ids}) { revision } }";
const COUNT_QUERY: &str = "query($state: HostState!) {
  there: hosts(first: 0, filter: {state: {eq: $state}}) { totalCount }
  failed: hosts(first: 1, filter: {state: {eq: FAILED}}) { nodes { name failure { during reason message } } }
}";
const HOSTS: &str = "query($first: Int!, $after: String) { hosts(first: $first, after: $after) {
  nodes {
    id name state power generation generationDone acquiredFor class { name } step { name } failure { reason }
    conditions { type } observed { seenAt }
  }
  pageInfo { hasNextPage endCursor }
} }";

/// Hosts on simulated machines.
pub struct Hosts {
    server: SocketAddr,
    ids: Vec<String>,
    pub names: Vec<String>,
}

/// A host as the API shows it.
#[derive(Debug, Deserialize)]
#[serde(rename_all = "camelCase")]
struct Shown {
    id: String,
    name: String,
    state: String,
    power: String,
    generation: i64,
    generation_done: i64,
    acquired_for: Option<String>,
    class: Option<Value>,
    step: Option<Value>,
    failure: Option<Value>,
    conditions: Vec<Value>,
    observed: Option<Observed>,
}

#[derive(Debug, Deserialize)]
#[serde(rename_all = "camelCase")]
struct Observed {
    seen_at: DateTime<Utc>,
}

impl Hosts {
    /// Returns no hosts of a server.
    pub const fn none(server: SocketAddr) -> Self {
        Self { server, ids: Vec::new(), names: Vec::new() }
    }

    /// Makes an appliance of simulated machines, and enlists all of them.
    pub async fn enlist(server: SocketAddr, count: usize, controller: &mut Controller, end: Instant) -> Result<Self> {
        let image = json!({"url": "https://images.example/a", "checksum": format!("sha256:{}", "0a".repeat(32)),
            "format": "QCOW2"});
        let items = json!([
            {"hostClass": {"name": "lives", "match": {"cpuCores": 1}}},
            {"profile": {"name": "lives", "purpose": "INSTALL", "method": "DISK_IMAGE", "image": image}},
            {"appliance": {"name": "lives", "type": "SIMULATED", "url": format!("simulated://lives?machines={count}")}},
        ]);
        let written = ask(server, APPLY, json!({ "items": items })).await?;
        let results = written["apply"]["results"].as_array().cloned().unwrap_or_default();
        if results.len() != 3 || results.iter().any(|result| !result["error"].is_null()) {
            return Err(LoadError::Answer(format!("the appliance was not written: {written}")));
        }
        let appliance = ask(server, APPLIANCE, Value::Null).await?["appliance"]["id"].take();
        ask(server, ENLIST, json!({ "id": appliance })).await?;
        loop {
            let enlistment = ask(server, APPLIANCE, Value::Null).await?["appliance"]["enlistment"].take();
            if !enlistment["doneAt"].is_null() {
                return Self::read(server, count, &enlistment).await;
            }
            look_on(controller, end, || format!("the enlistment is not done: {enlistment}")).await?;
        }
    }

    async fn read(server: SocketAddr, count: usize, enlistment: &Value) -> Result<Self> {
        let mut hosts = Self::none(server);
        for host in hosts.all().await? {
            hosts.ids.push(host.id);
            hosts.names.push(host.name);
        }
        match hosts.ids.len() == count && enlistment["enlisted"] == count {
            true => Ok(hosts),
            false => Err(LoadError::Answer(format!("{} hosts were enlisted as {enlistment}", hosts.ids.len()))),
        }
    }

    /// Returns all hosts.
    async fn all(&self) -> Result<Vec<Shown>> {
        let (mut all, mut after) = (Vec::with_capacity(self.ids.len()), Value::Null);
        loop {
            let mut page = ask(self.server, HOSTS, json!({"first": PAGE_HOSTS, "after": after})).await?["hosts"].take();
            all.append(&mut serde_json::from_value(page["nodes"].take())?);
            if page["pageInfo"]["hasNextPage"] != true {
                return Ok(all);
            }
            after = page["pageInfo"]["endCursor"].take();
        }
    }

    fn count(&self) -> usize {
        self.ids.len()
    }

    /// Discovers all hosts.
    pub async fn discover(&self, controller: &mut Controller, end: Instant) -> Result<()> {
        self.order(DISCOVER).await?;
        self.until("AVAILABLE", controller, end).await
    }

    /// Acquires all hosts by their class, which they got when they were discovered.
    pub async fn acquire(&self) -> Result<()> {
        for ids in self.ids.chunks(ORDER_HOSTS) {
            let answer = ask(self.server, ACQUIRE, json!({"count": ids.len()})).await?;
            if answer["acquireHosts"]["hosts"].as_array().map(Vec::len) != Some(ids.len()) {
                return Err(LoadError::Answer(format!("{} hosts were acquired as {answer}", ids.len())));
            }
        }
        Ok(())
    }

    /// Installs all hosts.
    pub async fn install(&self, controller: &mut Controller, end: Instant) -> Result<()> {
        self.order(INSTALL).await?;
        self.until("INSTALLED", controller, end).await
    }

    /// Releases all hosts.
    pub async fn release(&self, controller: &mut Controller, end: Instant) -> Result<()> {
        self.order(RELEASE).await?;
        self.until("AVAILABLE", controller, end).await
    }

    async fn order(&self, mutation: &str) -> Result<()> {
        for ids in self.ids.chunks(ORDER_HOSTS) {
            ask(self.server, mutation, json!({ "ids": ids })).await?;
        }
        Ok(())
    }

    /// Waits until all hosts are in a state.
    ///
    /// # Errors
    /// Returns an error if a host fails, if the controller ends, or if it takes too long.
    async fn until(&self, state: &str, controller: &mut Controller, end: Instant) -> Result<()> {
        loop {
            let seen = ask(self.server, COUNT_QUERY, json!({ "state": state })).await?;
            if let Some(failed) = seen["failed"]["nodes"].get(0) {
                return Err(LoadError::Answer(format!("a host failed: {failed}")));
            }
            let there = seen["there"]["totalCount"].as_u64().unwrap_or_default() as usize;
            if there == self.count() {
                return Ok(());
            }
            look_on(controller, end, || format!("only {there} of {} hosts are {state}", self.count())).await?;
        }
    }

    /// Checks that every host is as free as it was before its life, and that nothing is left of it.
    pub async fn should_rest(&self) -> Result<()> {
        let all = self.all().await?;
        let rests = |host: &Shown| {
            let has_none = host.acquired_for.is_none() && host.step.is_none() && host.failure.is_none();
            let is_off = host.state == "AVAILABLE" && host.power == "OFF";
            // The orders are to discover, to install and to release.
            let is_done = host.generation == 3 && host.generation_done == 3;
            is_off && is_done && has_none && host.class.is_some() && host.conditions.is_empty()
        };
        match all.iter().find(|host| !rests(host)) {
            None if all.len() == self.count() => Ok(()),
            None => Err(LoadError::Answer(format!("{} of {} hosts are left", all.len(), self.count()))),
            Some(host) => Err(LoadError::Answer(format!("a host does not rest after its life: {host:?}"))),
        }
    }

    /// Returns the number of hosts that were seen since a time of the server.
    pub async fn seen_since(&self, since: DateTime<Utc>) -> Result<usize> {
        let is_later = |host: &Shown| host.observed.as_ref().is_some_and(|observed| observed.seen_at >= since);
        Ok(self.all().await?.iter().filter(|host| is_later(host)).count())
    }

    /// Returns the time of the server.
    pub async fn now(&self) -> Result<DateTime<Utc>> {
        let mut answer = ask(self.server, "{ hostsStatus { now } }", Value::Null).await?;
        Ok(serde_json::from_value(answer["hostsStatus"]["now"].take())?)
    }
}

/// Waits a moment for a controller that is at work.
///
/// # Errors
/// Returns an error if the controller has ended, or a sentence if it took too long.
async fn look_on(controller: &mut Controller, end: Instant, late: impl FnOnce() -> String) -> Result<()> {
    controller.should_run()?;
    if Instant::now() > end {
        return Err(LoadError::Answer(format!("it takes too long: {}", late())));
    }
    tokio::time::sleep(POLL_INTERVAL).await;
    Ok(())
}
