//! The server over its API. Each call has a time limit. A call whose connection breaks is made again a few times, after
//! pauses that grow and are partly random; every call may be made twice. What fails for longer is for the controller.

use std::time::Duration;

use serde::Deserialize;
use serde::de::DeserializeOwned;
use serde_json::{Value, json};
use tokio::sync::Mutex;
use tokio::time::{Instant, timeout_at};
use underlay_client::{ChangeEvent, ChangeStream, Client, ClientError};
use underlay_kit::control::{LeaseSeen, LeaseServer, Position, Taken};
use uuid::Uuid;

use super::secret::{Recipient, SECRET, SecretData};
use super::wire::{self, HOST, ReportsData, STATUS, WireEnlistment, WireHost, WireStatus, report, reported, sentence};
use super::{
    Api, ApiError, Changes, Enlistment, Fence, Hardware, HostPage, HostsStatus, Listed, Listing, Read, Report,
    Reported, Strays,
};
use crate::host::{Host, Time};
use crate::machine::Secret;

/// The number of hosts in a page.
const HOSTS_PER_PAGE: usize = 200;
/// The longest time that a call for changes waits.
const CHANGES_TIMEOUT: Duration = Duration::from_secs(30);
/// The time for which more changes are waited for after the first one.
const MORE_CHANGES_TIMEOUT: Duration = Duration::from_millis(20);
/// The maximum number of changes that a call returns.
const MAX_CHANGES: usize = 1_000;
/// The maximum number of leases in a call, as the server has it.
const MAX_LEASES: usize = 256;

const HOSTS_STATUS: &str = "query($known: ChangeCursor!) { hostsStatus { ...status } }";
const HAS_TAKEN_HOSTS: &str = "{ hostsStatus { hasTakenHosts } }";
const HOST_READ: &str =
    "query($id: ID!, $known: ChangeCursor!) { node(id: $id) { ...host } hostsStatus { ...status } }";
const CHANGES: &str = "subscription($after: ChangeCursor) {
  changes(filter: {kinds: [\"Host\"]}, after: $after) { type cursor revision objectId }
}";
const REPORT: &str = "mutation($input: ReportHostsInput!, $known: ChangeCursor!) {
  reportHosts(input: $input) { results { host { ...host } error { code message } } status { ...status } }
}";
const OBSERVE: &str = "mutation($input: ObserveHostsInput!) { observeHosts(input: $input) { observeOnly { reason } } }";
const MACS: &str = "query($id: ID!) {
  node(id: $id) { ... on Host { machine {
    ... on Device { ports(first: 200) { nodes { mac } } }
    ... on VirtualMachine { ports(first: 200) { nodes { mac } } }
  } } }
}";
const ENLISTMENTS: &str = "{ openEnlistments {
  appliance { id name url credential { id } }
  site { id }
  enlistment { number discover }
} }";
const ENLIST: &str = "mutation($input: EnlistHostsInput!) { enlistHosts(input: $input) { revision } }";
const STRAYS: &str = "mutation($input: ReportStraysInput!) { reportStrays(input: $input) { total } }";
const HARDWARE_REPORTED: &str = "query($id: ID!) { node(id: $id) { ... on Host { facts { origin receivedAt } } } }";
const HARDWARE: &str = "mutation($input: ReportHardwareInput!) { reportHardware(input: $input) { changed } }";
const LEASES: &str = "query($prefix: String) { leases(prefix: $prefix) { leases { name epoch until } now } }";
const HOSTS: &str = "query($first: Int!, $after: String) {
  hosts(first: $first, after: $after) { nodes { ...host } pageInfo { hasNextPage endCursor } }
  hostsStatus { ignoredIdentities }
}";
const SITE: &str = "query($name: String!) { site(name: $name) { id } }";

/// The server, as the controller with one name sees it.
pub struct Remote {
    client: Client,
    holder: String,
    live_changes: Mutex<Option<LiveChanges>>,
}

/// A subscription that goes on after a position.
struct LiveChanges {
    history: String,
    /// The revision of the last event.
    revision: i64,
    events: ChangeStream,
}

/// A change of a host.
#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
struct HostEvent {
    cursor: String,
    revision: i64,
    object_id: Option<Uuid>,
}

impl ChangeEvent for HostEvent {
    fn cursor(&self) -> &str {
        &self.cursor
    }
}

#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
struct HostsStatusData {
    hosts_status: WireStatus,
}

impl Remote {
    /// Returns the server of a client. `holder` is the name under which the controller takes its leases; no other process
    /// has the same.
    pub fn new(client: Client, holder: impl Into<String>) -> Self {
        Self { client, holder: holder.into(), live_changes: Mutex::new(None) }
    }

    async fn call<T: DeserializeOwned>(&self, operation: &str, variables: Value) -> Result<T, ApiError> {
        Ok(self.client.query(operation, variables).await?)
    }

    async fn with_host<T: DeserializeOwned>(&self, operation: &str, variables: Value) -> Result<T, ApiError> {
        self.call(&format!("{operation}\n{HOST}"), variables).await
    }

    async fn with_status<T: DeserializeOwned>(&self, operation: &str, variables: Value) -> Result<T, ApiError> {
        self.with_host(&format!("{operation}\n{STATUS}"), variables).await
    }

    /// Checks that a position belongs to the history that the server has now.
    async fn check_history(&self, position: &Position) -> Result<(), ApiError> {
        match self.hosts_status(None).await?.position.history == position.history {
            true => Ok(()),
            false => Err(ApiError::NoSuchPosition),
        }
    }

    async fn subscribe(&self, after: &Position) -> Result<LiveChanges, ApiError> {
        self.check_history(after).await?;
        let client = self.client.clone();
        let mut events = ChangeStream::new(client, CHANGES.to_owned(), json!({}), after.cursor.clone());
        events.connect().await?;
        Ok(LiveChanges { history: after.history.clone(), revision: after.revision, events })
    }

    async fn leases_of(&self, mutation: &str, input: Value) -> Result<Vec<Taken>, ApiError> {
        #[derive(Deserialize)]
        struct Payload {
            leases: Vec<WireLease>,
        }
        #[derive(Deserialize)]
        struct WireLease {
            name: String,
            epoch: u64,
        }
        #[derive(Deserialize)]
        struct Data {
            payload: Payload,
        }
        let data: Data = self.call(&leases_mutation(mutation), json!({ "input": input })).await?;
        Ok(data.payload.leases.into_iter().map(|WireLease { name, epoch }| Taken { name, epoch }).collect())
    }

    fn held(leases: &[Taken]) -> Value {
        leases.iter().map(|it| json!({"name": it.name, "epoch": it.epoch})).collect()
    }
}

impl LiveChanges {
    /// Returns the position after the changes so far.
    fn position(&self) -> Position {
        let cursor = self.events.position().to_owned();
        Position { history: self.history.clone(), revision: self.revision, cursor }
    }

    /// Waits for changes until there are some, or until a time.
    async fn next(&mut self, until: Instant) -> Result<Vec<Uuid>, ApiError> {
        let (mut hosts, mut until) = (Vec::new(), until);
        while hosts.len() < MAX_CHANGES {
            let Ok(event) = timeout_at(until, self.events.next::<HostEvent>()).await else { break };
            let HostEvent { revision, object_id, .. } = event?;
            self.revision = revision;
            if let Some(host) = object_id {
                hosts.push(host);
                until = Instant::now() + MORE_CHANGES_TIMEOUT;
            }
        }
        Ok(hosts)
    }
}

impl LeaseServer for Remote {
    type Error = ApiError;

    async fn leases(&self, prefix: &str) -> Result<Vec<LeaseSeen>, ApiError> {
        #[derive(Deserialize)]
        struct Data {
            leases: Leases,
        }
        #[derive(Deserialize)]
        struct Leases {
            leases: Vec<WireLease>,
            now: Time,
        }
        #[derive(Deserialize)]
        struct WireLease {
            name: String,
            epoch: u64,
            until: Time,
        }
        let Data { leases: Leases { leases, now } } = self.call(LEASES, json!({ "prefix": prefix })).await?;
        let seen = |WireLease { name, epoch, until }| {
            (until > now).then_some(LeaseSeen { name, epoch, until: until.timestamp_millis() })
        };
        Ok(leases.into_iter().filter_map(seen).collect())
    }

    async fn take(&self, names: &[String], ttl: Duration) -> Result<Vec<Taken>, ApiError> {
        let mut taken = Vec::with_capacity(names.len());
        for names in names.chunks(MAX_LEASES) {
            let input = json!({"names": names, "holder": self.holder, "seconds": ttl.as_secs()});
            taken.extend(self.leases_of("takeLeases", input).await?);
        }
        Ok(taken)
    }

    async fn renew(&self, leases: &[Taken], ttl: Duration) -> Result<Vec<Taken>, ApiError> {
        let mut still = Vec::with_capacity(leases.len());
        for leases in leases.chunks(MAX_LEASES) {
            let input = json!({"leases": Self::held(leases), "holder": self.holder, "seconds": ttl.as_secs()});
            still.extend(self.leases_of("renewLeases", input).await?);
        }
        Ok(still)
    }

    async fn release(&self, leases: &[Taken]) -> Result<(), ApiError> {
        for leases in leases.chunks(MAX_LEASES) {
            let input = json!({"leases": Self::held(leases), "holder": self.holder});
            self.leases_of("releaseLeases", input).await?;
        }
        Ok(())
    }
}

impl Api for Remote {
    async fn hosts_status(&self, known: Option<&Position>) -> Result<HostsStatus, ApiError> {
        let variables = json!({ "known": wire::known(known) });
        let data: HostsStatusData = self.call(&format!("{HOSTS_STATUS}\n{STATUS}"), variables).await?;
        Ok(data.hosts_status.into())
    }

    async fn has_taken_hosts(&self) -> Result<bool, ApiError> {
        #[derive(Deserialize)]
        #[serde(rename_all = "camelCase")]
        struct Data {
            hosts_status: Taken,
        }
        #[derive(Deserialize)]
        #[serde(rename_all = "camelCase")]
        struct Taken {
            has_taken_hosts: bool,
        }
        let data: Data = self.call(HAS_TAKEN_HOSTS, json!({})).await?;
        Ok(data.hosts_status.has_taken_hosts)
    }

    async fn site(&self, name: &str) -> Result<Option<Uuid>, ApiError> {
        #[derive(Deserialize)]
        struct Data {
            site: Option<WireSite>,
        }
        #[derive(Deserialize)]
        struct WireSite {
            id: Uuid,
        }
        let Data { site } = self.call(SITE, json!({ "name": name })).await?;
        Ok(site.map(|site| site.id))
    }

    async fn hosts(&self, after: Option<String>) -> Result<HostPage, ApiError> {
        #[derive(Deserialize)]
        #[serde(rename_all = "camelCase")]
        struct Data {
            hosts: Connection,
            hosts_status: Ignoring,
        }
        #[derive(Deserialize)]
        #[serde(rename_all = "camelCase")]
        struct Ignoring {
            ignored_identities: Vec<String>,
        }
        #[derive(Deserialize)]
        #[serde(rename_all = "camelCase")]
        struct Connection {
            nodes: Vec<WireHost>,
            page_info: Page,
        }
        #[derive(Deserialize)]
        #[serde(rename_all = "camelCase")]
        struct Page {
            has_next_page: bool,
            end_cursor: Option<String>,
        }
        let Data { hosts, hosts_status } =
            self.with_host(HOSTS, json!({"first": HOSTS_PER_PAGE, "after": after})).await?;
        let next = hosts.page_info.end_cursor.filter(|_| hosts.page_info.has_next_page);
        let ignored = wire::ignored(&hosts_status.ignored_identities);
        let hosts = hosts.nodes.into_iter().map(|host| Host::from(host).ignoring(&ignored));
        Ok(HostPage { hosts: hosts.collect(), next })
    }

    async fn host(&self, id: Uuid, known: Option<&Position>) -> Result<Read, ApiError> {
        #[derive(Deserialize)]
        #[serde(rename_all = "camelCase")]
        struct Data {
            node: Option<WireHost>,
            hosts_status: WireStatus,
        }
        let variables = json!({ "id": id, "known": wire::known(known) });
        let Data { node, hosts_status } = self.with_status(HOST_READ, variables).await?;
        let ignored = hosts_status.ignored();
        let host = node.map(|host| Host::from(host).ignoring(&ignored));
        Ok(Read { host, status: hosts_status.into() })
    }

    async fn macs(&self, host: Uuid) -> Result<Vec<String>, ApiError> {
        #[derive(Deserialize)]
        struct Data {
            node: Option<WireNode>,
        }
        #[derive(Deserialize)]
        struct WireNode {
            machine: Option<Machine>,
        }
        #[derive(Deserialize)]
        struct Machine {
            ports: Ports,
        }
        #[derive(Deserialize)]
        struct Ports {
            nodes: Vec<Port>,
        }
        #[derive(Deserialize)]
        struct Port {
            mac: Option<String>,
        }
        let Data { node } = self.call(MACS, json!({ "id": host })).await?;
        let ports = node.and_then(|node| node.machine).map(|machine| machine.ports.nodes).unwrap_or_default();
        Ok(ports.into_iter().filter_map(|port| port.mac).collect())
    }

    async fn changes(&self, after: &Position) -> Result<Changes, ApiError> {
        let mut live_changes = self.live_changes.lock().await;
        let mut live = match live_changes.take().filter(|it| it.position() == *after) {
            Some(live) => live,
            None => self.subscribe(after).await?,
        };
        let hosts = live.next(Instant::now() + CHANGES_TIMEOUT).await?;
        if hosts.is_empty() {
            // A database can be replaced under a server that goes on.
            self.check_history(after).await?;
        }
        let position = live.position();
        *live_changes = Some(live);
        Ok(Changes { hosts, position })
    }

    async fn report(&self, reports: &[Report], known: Option<&Position>) -> Result<Reported, ApiError> {
        let input = json!({"holder": self.holder, "reports": reports.iter().map(report).collect::<Vec<_>>()});
        let variables = json!({ "input": input, "known": wire::known(known) });
        let data: ReportsData = self.with_status(REPORT, variables).await?;
        Ok(reported(data))
    }

    async fn observe_only(&self, reason: &str) -> Result<(), ApiError> {
        self.call::<Value>(OBSERVE, json!({"input": {"reason": reason}})).await.map(drop)
    }

    async fn delete(&self, host: Uuid, fence: &Fence) -> Result<(), ApiError> {
        let Fence { lease, epoch } = fence;
        let reports = json!([{"host": host, "lease": lease, "epoch": epoch, "cleared": true}]);
        let input = json!({"holder": self.holder, "reports": reports});
        let variables = json!({ "input": input, "known": wire::known(None) });
        let data: ReportsData = self.with_status(REPORT, variables).await?;
        match reported(data).outcomes.pop() {
            // Nothing is left that could be deleted.
            None | Some(Ok(_) | Err(super::Refusal::Gone)) => Ok(()),
            Some(Err(refusal)) => Err(ApiError::Refused(refusal.to_string())),
        }
    }

    async fn enlistments(&self) -> Result<Vec<Enlistment>, ApiError> {
        #[derive(Deserialize)]
        #[serde(rename_all = "camelCase")]
        struct Data {
            open_enlistments: Vec<WireEnlistment>,
        }
        let data: Data = self.call(ENLISTMENTS, json!({})).await?;
        Ok(data.open_enlistments.into_iter().map(Enlistment::from).collect())
    }

    async fn enlist(&self, it: &Listing) -> Result<(), ApiError> {
        let machine = |it: &Listed| {
            json!({"name": it.name, "url": it.url, "uid": it.uid, "serial": it.serial, "bootMac": it.boot_mac,
                "power": it.power})
        };
        let machines: Vec<Value> = it.machines.iter().map(machine).collect();
        let input = json!({"holder": self.holder, "lease": it.fence.lease, "epoch": it.fence.epoch,
            "appliance": it.appliance, "number": it.number, "machines": machines, "more": it.more,
            "error": it.error.as_deref().map(sentence)});
        self.call::<Value>(ENLIST, json!({ "input": input })).await.map(drop)
    }

    async fn report_strays(&self, strays: &Strays) -> Result<(), ApiError> {
        let mut input = wire::strays(strays);
        input["holder"] = json!(self.holder);
        self.call::<Value>(STRAYS, json!({ "input": input })).await.map(drop)
    }

    async fn hardware_reported_at(&self, host: Uuid) -> Result<Option<Time>, ApiError> {
        #[derive(Deserialize)]
        struct Data {
            node: Option<WireNode>,
        }
        #[derive(Deserialize)]
        struct WireNode {
            facts: Vec<WireFacts>,
        }
        #[derive(Deserialize)]
        #[serde(rename_all = "camelCase")]
        struct WireFacts {
            origin: String,
            received_at: Time,
        }
        let Data { node } = self.call(HARDWARE_REPORTED, json!({ "id": host })).await?;
        let facts = node.map(|node| node.facts).unwrap_or_default();
        Ok(facts.into_iter().find(|facts| facts.origin == "BMC").map(|facts| facts.received_at))
    }

    async fn report_hardware(&self, hardware: &Hardware) -> Result<(), ApiError> {
        let Hardware { host, fence: Fence { lease, epoch }, report } = hardware;
        let input = json!({"holder": self.holder, "lease": lease, "epoch": epoch, "host": host, "report": report});
        self.call::<Value>(HARDWARE, json!({ "input": input })).await.map(drop)
    }

    async fn secret(&self, credential: Uuid, recipient: &Recipient) -> Result<Secret, ApiError> {
        let data: SecretData = self.call(SECRET, json!({ "id": credential, "recipient": recipient })).await?;
        data.secret()
    }
}

impl From<ClientError> for ApiError {
    fn from(error: ClientError) -> Self {
        match error {
            error if error.has_code("REVISION_COMPACTED") => Self::NoSuchPosition,
            error if error.is_passing() => Self::Unreachable(error.to_string()),
            error => Self::Refused(error.to_string()),
        }
    }
}

/// Returns the document of a mutation of leases, such as `renewLeases`.
fn leases_mutation(name: &str) -> String {
    let input = format!("{}{}Input", name[..1].to_uppercase(), &name[1..]);
    format!("mutation($input: {input}!) {{ payload: {name}(input: $input) {{ leases {{ name epoch }} }} }}")
}

#[cfg(test)]
mod tests {
    use underlay_testing::graphql::assert_valid;

    use super::*;

    #[test]
    fn the_server_has_what_is_asked() {
        for document in [
            HAS_TAKEN_HOSTS,
            CHANGES,
            OBSERVE,
            MACS,
            SITE,
            ENLISTMENTS,
            ENLIST,
            STRAYS,
            HARDWARE_REPORTED,
            HARDWARE,
            LEASES,
            SECRET,
        ] {
            assert_valid(document);
        }
        assert_valid(format!("{HOSTS}{HOST}"));
        assert_valid(format!("{HOSTS_STATUS}{STATUS}"));
        assert_valid(format!("{HOST_READ}{HOST}{STATUS}"));
        assert_valid(format!("{REPORT}{HOST}{STATUS}"));
        for name in ["takeLeases", "renewLeases", "releaseLeases"] {
            assert_valid(leases_mutation(name));
        }
    }
}
