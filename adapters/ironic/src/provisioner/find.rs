//! Finds the node of a host. A node that we made has the id of its host. One that somebody else made is found by our mark,
//! by the address of its BMC, or by the MAC address that it boots from. Two nodes for one host are refused.

use std::collections::HashMap;
use std::sync::Arc;
use std::time::Duration;

use tokio::sync::Mutex;
use tokio::time::Instant;
use underlay_hosts::host::Host;
use underlay_hosts::machine::CallError;
use underlay_kit::printable;
use uuid::Uuid;

use super::failure::{Effect, call_error};
use super::mark::Mark;
use super::system_address::{Bmc, SystemAddress};
use crate::client::{Client, IronicError, Listing, Node, Port};

/// The time for which a list of all nodes is used.
const LIST_LIFETIME: Duration = Duration::from_secs(30);
/// The number of nodes in a page, and the maximum number of pages.
const NODES_PER_PAGE: usize = 1_000;
const MAX_PAGES: usize = 1_000;

/// Finds nodes.
#[derive(Debug)]
pub struct Directory {
    client: Arc<Client>,
    listed: Arc<Mutex<Option<Listed>>>,
}

/// The time at which a list was begun, and its nodes.
type Listed = (Instant, Arc<Index>);

/// The nodes that were listed.
#[derive(Debug, Default)]
struct Index {
    by_host: HashMap<Uuid, Vec<String>>,
    /// The paths at each BMC, with their nodes.
    by_bmc: HashMap<Bmc, Vec<(String, String)>>,
}

impl Directory {
    /// Returns a directory of the nodes of an Ironic.
    pub fn new(client: Arc<Client>) -> Self {
        Self { client, listed: Arc::default() }
    }

    /// Returns the node of a host, if there is one.
    ///
    /// # Errors
    /// Returns an error if Ironic does not answer, or has several.
    pub async fn find(&self, host: &Host) -> Result<Option<Node>, CallError> {
        if let Some(node) = self.node(&host.id.to_string()).await? {
            return Ok(Some(node));
        }
        let index = self.index().await?;
        let mut found = index.candidates(host);
        if found.is_empty()
            && let Some(mac) = &host.boot_mac
        {
            found = self.with_mac(mac).await?;
        }
        match found.as_slice() {
            [] => Ok(None),
            // It may be gone since.
            [only] => self.node(only).await,
            several => Err(ambiguous(several)),
        }
    }

    async fn node(&self, id: &str) -> Result<Option<Node>, CallError> {
        self.client.node(id).await.map_err(reads)
    }

    /// Returns the nodes that have a port with a MAC address.
    async fn with_mac(&self, mac: &str) -> Result<Vec<String>, CallError> {
        let address = mac.to_ascii_lowercase();
        let mut listing = Listing::ports(NODES_PER_PAGE).with("address", &address);
        let batch = listing.next(&self.client).await.map_err(reads)?;
        let entries = batch.map(|batch| batch.entries).unwrap_or_default();
        let ports = entries.iter().filter_map(|entry| Port::read(&entry.fields()).ok());
        let mut nodes: Vec<String> =
            ports.filter(|port| port.address.eq_ignore_ascii_case(&address)).map(|port| port.node).collect();
        nodes.sort();
        nodes.dedup();
        Ok(nodes)
    }

    /// Returns a recent list of all nodes. It is read by a task of its own, so that a list that takes long is there for the
    /// next call.
    async fn index(&self) -> Result<Arc<Index>, CallError> {
        let (client, listed) = (Arc::clone(&self.client), Arc::clone(&self.listed));
        let read = tokio::spawn(async move {
            let mut listed = listed.lock().await;
            if let Some((at, index)) = &*listed
                && at.elapsed() < LIST_LIFETIME
            {
                return Ok::<_, IronicError>(Arc::clone(index));
            }
            let began = Instant::now();
            let index = Arc::new(list(&client).await?);
            *listed = Some((began, Arc::clone(&index)));
            Ok(index)
        });
        match read.await {
            Ok(index) => index.map_err(reads),
            Err(_) => Err(CallError::NotMade { reason: "the list of all nodes was not read".to_owned() }),
        }
    }
}

async fn list(client: &Client) -> Result<Index, IronicError> {
    let (mut index, mut after) = (Index::default(), None::<String>);
    for _ in 0..MAX_PAGES {
        let (nodes, next) = client.node_page(after.as_deref(), NODES_PER_PAGE).await?;
        nodes.iter().for_each(|node| index.add(node));
        if next.is_none() {
            break;
        }
        after = next;
    }
    Ok(index)
}

impl Index {
    fn add(&mut self, node: &Node) {
        if let Some(mark) = Mark::of(node) {
            self.by_host.entry(mark.host).or_default().push(node.uuid.clone());
        }
        if let Some(SystemAddress { bmc, path }) = SystemAddress::of_node(node) {
            self.by_bmc.entry(bmc).or_default().push((path, node.uuid.clone()));
        }
    }

    /// Returns the nodes that can be that of a host: those with our mark, or else those at its address.
    fn candidates(&self, host: &Host) -> Vec<String> {
        if let Some(marked) = self.by_host.get(&host.id) {
            return marked.clone();
        }
        let Some(address) = host.bmc_url.as_deref().and_then(SystemAddress::of_url) else { return Vec::new() };
        let at_bmc = self.by_bmc.get(&address.bmc).map(Vec::as_slice).unwrap_or_default();
        // A BMC that has one system is often written without its path.
        let is_at = |path: &str| path == address.path || path.is_empty() || address.path.is_empty();
        at_bmc.iter().filter(|(path, _)| is_at(path)).map(|(_, node)| node.clone()).collect()
    }
}

fn ambiguous(nodes: &[String]) -> CallError {
    let shown: Vec<String> = nodes.iter().take(5).map(|node| printable(node)).collect();
    CallError::Refused {
        reason: "ProvisionerRefused".to_owned(),
        message: format!(
            "there are {} nodes for the machine of the host, such as {}; delete those that are wrong, or correct bmcUrl",
            nodes.len(),
            shown.join(", ")
        ),
    }
}

fn reads(error: IronicError) -> CallError {
    call_error(&error, Effect::Reads)
}

#[cfg(test)]
mod tests {
    use serde_json::{Value, json};
    use underlay_hosts::host::State;

    use super::*;
    use crate::provisioner::samples::host;

    fn node(uuid: &str, driver_info: Value) -> Node {
        let driver_info = driver_info.as_object().cloned().unwrap_or_default();
        Node { uuid: uuid.into(), driver: Some("redfish".into()), driver_info, ..Node::default() }
    }

    #[test]
    fn a_node_is_found_by_its_mark_or_its_address() {
        let host = |url: &str| Host { bmc_url: Some(url.into()), ..host(State::Registered) };
        let mut index = Index::default();
        for (uuid, path) in [("a", "/redfish/v1/Systems/1"), ("b", "/redfish/v1/Systems/2")] {
            index.add(&node(uuid, json!({"redfish_address": "https://10.0.0.7", "redfish_system_id": path})));
        }
        index.add(&node("c", json!({"redfish_address": "10.0.0.8:443"})));
        for (url, expected) in [
            ("redfish://10.0.0.7/redfish/v1/Systems/2", vec!["b"]),
            ("idrac-virtualmedia://10.0.0.7:443/redfish/v1/Systems/1/", vec!["a"]),
            ("redfish://10.0.0.7", vec!["a", "b"]),
            ("redfish://10.0.0.8/redfish/v1/Systems/1", vec!["c"]),
            ("redfish+http://10.0.0.8", vec![]),
            ("redfish://10.0.0.9", vec![]),
            ("ipmi://10.0.0.7", vec![]),
            ("simulated://a", vec![]),
        ] {
            assert_eq!(index.candidates(&host(url)), expected, "{url}");
        }
        let ours = host("redfish://10.0.0.7/redfish/v1/Systems/1");
        let mark = Mark { host: ours.id, name: String::new(), order: None, created_for: None };
        index.add(&Node { extra: [mark.member()].into_iter().collect(), ..node("d", json!({})) });
        assert_eq!(index.candidates(&ours), ["d"], "the mark counts more than the address");
        let message = ambiguous(&["a".into(), "b".into()]).to_string();
        assert!(message.contains("2 nodes for the machine of the host, such as a, b"), "{message}");
    }
}
