//! Simulated agents in the process of a server: they report made-up hardware in the name of simulated hosts.
//!
//! Guarantees: a simulated agent takes the way of a real one, `POST /facts` with a token of its host. It makes a token
//! only for a host that a simulated appliance lists, and never replaces a token that somebody else made or revoked.

use std::collections::HashMap;
use std::sync::Arc;
use std::time::Duration;

use chrono::Utc;
use futures_util::future::join_all;
use serde::Deserialize;
use serde_json::json;
use tokio::sync::watch;
use tokio::time::{MissedTickBehavior, interval};
use underlay_agent::{AgentError, Sender, Token, TokenSource};
use underlay_client::{Client, ClientError, Patience, ServerAddress};
use underlay_demo::hardware::{Machine, Servers, report};
use underlay_facts::Report;

use super::Way;

/// The name under which tokens are made.
pub(super) const ACTOR: &str = "simulated-agents";
/// The time between two reports of each agent.
const PERIOD: Duration = Duration::from_secs(10);
/// The greatest number of hosts that have a simulated agent.
const MAX_AGENTS: usize = 1_000;
/// The hosts that simulated appliances list.
const HOSTS: &str = "query($first: Int!) { hosts(first: $first, filter: { appliance: { type: { eq: SIMULATED } } }, \
     orderBy: { by: KEY }) { nodes { id name serial uid agentToken { issuedTo revokedAt } } } }";
const ISSUE: &str = "mutation($host: ID!) { issueAgentToken(host: $host) { token } }";

/// The simulated agents.
pub(super) struct Agents {
    /// The agents that have a token, by the ids of their hosts. `None`: its token is not accepted any more.
    senders: HashMap<String, Option<Sender>>,
    /// The servers of the demo that they can be.
    servers: Servers,
    /// The turn of the script.
    turn: u64,
}

#[derive(Deserialize)]
struct HostsData {
    hosts: Nodes,
}

#[derive(Deserialize)]
struct Nodes {
    nodes: Vec<SimulatedHost>,
}

#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
struct SimulatedHost {
    id: String,
    name: String,
    serial: Option<String>,
    uid: Option<String>,
    agent_token: Option<KnownToken>,
}

#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
struct KnownToken {
    issued_to: String,
    revoked_at: Option<String>,
}

#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
struct IssueData {
    issue_agent_token: Issued,
}

#[derive(Deserialize)]
struct Issued {
    token: String,
}

impl SimulatedHost {
    /// Returns the serial number that the machine reports.
    fn serial(&self) -> &str {
        self.serial.as_deref().or(self.uid.as_deref()).unwrap_or(&self.name)
    }

    /// Returns true if a token can be made for the host: it has none, or one of an earlier run.
    fn is_free(&self) -> bool {
        self.agent_token.as_ref().is_none_or(|token| token.issued_to == ACTOR && token.revoked_at.is_none())
    }
}

impl Agents {
    /// Returns agents that have not reported yet. The servers of the demo are as they are built.
    pub(super) fn of_demo() -> Self {
        Self { senders: HashMap::new(), servers: Servers::of_demo(), turn: 0 }
    }

    /// Reports until the server stops.
    pub(super) async fn run(mut self, way: Way, mut stop: watch::Receiver<bool>) {
        // Without an address the server failed to start, and says why.
        let Ok(address) = way.address.await else { return };
        let (server, token) = (format!("http://{address}"), way.token.token().to_owned());
        let client = match client(&server, token) {
            Ok(client) => client,
            Err(error) => return tracing::error!("the simulated agents cannot start: {error}"),
        };
        let mut turns = interval(PERIOD);
        turns.set_missed_tick_behavior(MissedTickBehavior::Delay);
        loop {
            tokio::select! {
                _ = stop.wait_for(|stopping| *stopping) => return,
                _ = turns.tick() => {}
            }
            tokio::select! {
                _ = stop.wait_for(|stopping| *stopping) => return,
                done = self.play(&client, &server) => {
                    if let Err(error) = done {
                        tracing::warn!("the simulated agents cannot report now: {error}");
                    }
                }
            }
        }
    }

    /// Plays one turn: each agent reports.
    async fn play(&mut self, client: &Client, server: &str) -> Result<(), ClientError> {
        let HostsData { hosts: Nodes { nodes } } = client.query(HOSTS, json!({ "first": MAX_AGENTS })).await?;
        self.senders.retain(|id, _| nodes.iter().any(|host| host.id == *id));
        for host in nodes.iter().filter(|host| host.is_free()) {
            if !self.senders.contains_key(&host.id) {
                let sender = sender(client, server, &host.id).await?;
                self.senders.insert(host.id.clone(), sender);
            }
        }

        // Each waits for the server to store its facts, so they report at the same time.
        let mut reports: HashMap<&str, Report> = HashMap::new();
        for (number, host) in nodes.iter().enumerate() {
            let before = number.checked_sub(1).map(|before| nodes[before].serial());
            let machine = Machine { serial: host.serial(), number, before, server: self.servers.get(host.serial()) };
            reports.insert(&host.id, report(machine, self.turn, Utc::now()));
        }
        let agents = self.senders.iter_mut().filter_map(|(id, agent)| Some((agent, reports.remove(id.as_str())?)));
        join_all(agents.map(|(agent, report)| send(agent, report))).await;
        self.turn += 1;
        Ok(())
    }
}

fn client(server: &str, token: String) -> Result<Client, String> {
    let server = server.parse::<ServerAddress>().map_err(|error| error.to_string())?;
    let client = Client::new(server, Patience::default()).map_err(|error| error.to_string())?;
    Ok(client.with_tokens(Some(Arc::new(move || Ok(token.clone())))))
}

/// Sends the report of an agent. An agent whose token is not accepted any more ends.
async fn send(agent: &mut Option<Sender>, report: Report) {
    let Some(sender) = agent else { return };
    match sender.send(report).await {
        Ok(_) | Err(AgentError::Unreachable { .. } | AgentError::Failed { .. } | AgentError::Busy { .. }) => {}
        Err(error) => {
            tracing::info!("a simulated agent ends: {error}");
            *agent = None;
        }
    }
}

/// Makes a token for a host, and an agent that sends it.
async fn sender(client: &Client, server: &str, host: &str) -> Result<Option<Sender>, ClientError> {
    let IssueData { issue_agent_token: Issued { token } } = client.query(ISSUE, json!({ "host": host })).await?;
    let made = Token::of(token.as_bytes()).and_then(|token| {
        let address = underlay_agent::ServerAddress::parse(server).ok()?;
        Sender::new(address, TokenSource::Given(token), None).ok()
    });
    Ok(made)
}
