//! The requests that clients send during measurements, and the objects that they are about. The objects are spread over
//! the whole fleet, so that neither the processor's caches nor a favourable part of the inventory improves the numbers.

use std::net::SocketAddr;

use serde::Deserialize;
use serde_json::{Value, json};

use uuid::Uuid;

use crate::client::{Prepared, ask};
use crate::problem::{LoadError, Result};
use crate::quantity::thousands;

/// 50 devices with site, rack, role, their first ten ports, and the far end of each cable with its device.
pub const DASHBOARD: &str = "query($after: String) {
  devices(first: 50, after: $after) {
    nodes {
      name
      role
      site { name }
      placement { rack { name } }
      ports(first: 10) {
        nodes {
          name
          peers { ... on Port { name device { name } } }
        }
      }
    }
  }
}";
/// The number of devices on a dashboard page.
const DASHBOARD_DEVICES: usize = 50;

/// One device by its name, with 20 ports.
const DEVICE: &str = "query($site: String, $name: String!) {
  device(site: $site, name: $name) {
    name role status
    site { name }
    ports(first: 20) { nodes { name type } }
  }
}";
/// The number of ports in that query.
const DEVICE_PORTS: usize = 20;

/// The smallest possible query.
const NOTHING: &str = "{ __typename }";

const WALK: &str = "query($after: String) {
  devices(first: 1000, after: $after) {
    edges { cursor node { name site { name } ports(first: 1) { totalCount nodes { id } } } }
    pageInfo { hasNextPage endCursor }
  }
}";
/// The maximum number of pages of a thousand devices that are read.
const MAX_PAGES: usize = 1_000;

const UPDATE: &str = "mutation($id: ID!, $text: String) {
  updatePort(id: $id, patch: {description: $text}) { revision }
}";

const APPLY: &str = "mutation($items: [ApplyItem!]!) { apply(input: {items: $items}) { revision } }";

const SEARCH: &str = "query($text: String!, $downTo: SearchRank!) {
  search(text: $text, downTo: $downTo, first: 20) { kind path field text }
}";

/// A device of the fleet.
#[derive(Clone, Debug)]
pub struct Device {
    pub site: String,
    pub name: String,
    pub ports: u64,
    /// The id of its first port.
    port: Option<String>,
    cursor: String,
}

/// All devices of a fleet, in the order of their keys.
#[derive(Clone, Debug)]
pub struct Devices(Vec<Device>);

impl Devices {
    /// Reads all devices of the fleet, page by page.
    pub async fn of(server: SocketAddr) -> Result<Self> {
        let mut devices = Vec::new();
        let mut after = None;
        for _ in 0..MAX_PAGES {
            let data = ask(server, WALK, json!({"after": after})).await?;
            let page: WalkPage = serde_json::from_value(data["devices"].clone())?;
            devices.extend(page.edges.into_iter().map(WalkEdge::device));
            after = page.page_info.end_cursor.filter(|_| page.page_info.has_next_page);
            if after.is_none() {
                break;
            }
        }
        match devices.len() {
            0 => Err(LoadError::Answer("the fleet has no devices".to_owned())),
            _ => Ok(Self(devices)),
        }
    }

    /// Returns the total number of their ports.
    pub fn ports(&self) -> u64 {
        self.0.iter().map(|device| device.ports).sum()
    }

    /// Returns at most `most` of the devices, evenly spread.
    pub fn spread(&self, most: usize) -> Vec<&Device> {
        spread(&self.0, most)
    }

    /// Returns the cursors after which dashboard pages begin; the first page has none.
    pub fn pages(&self, most: usize) -> Vec<Option<&str>> {
        let mut pages = vec![None];
        let whole = self.0.chunks_exact(DASHBOARD_DEVICES);
        pages.extend(whole.map(|page| page.last().map(|device| device.cursor.as_str())));
        // The page after the last whole page is not a whole page.
        if pages.len() > 1 {
            pages.pop();
        }
        spread(&pages, most).into_iter().copied().collect()
    }

    /// Returns requests for single devices that have enough ports.
    pub fn lookups(&self, most: usize) -> Vec<Prepared> {
        let large: Vec<_> = self.0.iter().filter(|device| device.ports >= DEVICE_PORTS as u64).collect();
        let lookup = |device: &&&Device| Prepared::graphql(DEVICE, &json!({"site": device.site, "name": device.name}));
        spread(&large, most).iter().map(lookup).collect()
    }

    /// Returns single mutations, each of which changes a port to another value than before. The number of ports is a
    /// multiple of `clients`. So clients that take turns in the list never change the same port.
    pub fn updates(&self, clients: usize, most: usize) -> Vec<Prepared> {
        let ports: Vec<_> = self.0.iter().filter_map(|device| device.port.as_ref()).collect();
        let each = (ports.len().min(most) / clients).max(1);
        let ports = spread(&ports, each * clients);
        let update =
            |text: &'static str| move |port: &&&String| Prepared::graphql(UPDATE, &json!({"id": port, "text": text}));
        ports.iter().map(update("measured")).chain(ports.iter().map(update("measured again"))).collect()
    }

    /// Returns the ids of the ports that batches change in turn. Their number is a multiple of ten.
    pub fn changed(&self, most: usize) -> Vec<&str> {
        let ports: Vec<_> = self.0.iter().filter_map(|device| device.port.as_deref()).collect();
        let most = most.min(ports.len()) / 10 * 10;
        spread(&ports, most).into_iter().copied().collect()
    }

    /// Returns batches with this number of changes. They change the same ports in turn, each time to a value that the
    /// port never had.
    pub fn batches(&self, changes: usize, most: usize) -> Vec<Prepared> {
        let ports = self.changed(most);
        let one = Uuid::new_v4();
        let texts = [format!("measured {one}"), format!("measured again {one}")];
        let batch = |text: &str, ports: &[&str]| {
            let items: Vec<Value> =
                ports.iter().map(|port| json!({"port": {"id": port, "description": text}})).collect();
            Prepared::graphql(APPLY, &json!({"items": items}))
        };
        let batches =
            |text: &'_ String| ports.chunks_exact(changes).map(|ports| batch(text, ports)).collect::<Vec<_>>();
        texts.iter().flat_map(batches).collect()
    }

    /// Returns the name of the fleet in the table.
    pub fn fleet(&self) -> String {
        format!("{} ports", thousands(&self.ports().to_string()))
    }

    /// Returns requests that search for a part of device names: the whole, the beginning or the middle.
    pub fn searches(&self, down_to: &str, part: impl Fn(&str) -> &str) -> Vec<Prepared> {
        let search =
            |device: &&Device| Prepared::graphql(SEARCH, &json!({"text": part(&device.name), "downTo": down_to}));
        self.spread(200).iter().map(search).collect()
    }
}

/// Returns a request for a page of the dashboard.
pub fn dashboard(after: Option<&str>) -> Prepared {
    Prepared::graphql(DASHBOARD, &json!({"after": after}))
}

/// Returns the request that shows the minimum cost of a request.
pub fn nothing() -> Prepared {
    Prepared::graphql(NOTHING, &Value::Null)
}

/// Returns the current revision.
pub async fn revision(server: SocketAddr) -> Result<i64> {
    let data = ask(server, "{ revision }", Value::Null).await?;
    data["revision"].as_i64().ok_or_else(|| LoadError::Answer("the server does not say its revision".to_owned()))
}

fn spread<T>(all: &[T], most: usize) -> Vec<&T> {
    let count = all.len().min(most);
    (0..count).map(|at| &all[at * all.len() / count]).collect()
}

#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
struct WalkPage {
    edges: Vec<WalkEdge>,
    page_info: WalkInfo,
}

#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
struct WalkInfo {
    has_next_page: bool,
    end_cursor: Option<String>,
}

#[derive(Deserialize)]
struct WalkEdge {
    cursor: String,
    node: WalkNode,
}

#[derive(Deserialize)]
struct WalkNode {
    name: String,
    site: Named,
    ports: WalkPorts,
}

#[derive(Deserialize)]
struct Named {
    name: String,
}

#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
struct WalkPorts {
    total_count: u64,
    nodes: Vec<WalkPort>,
}

#[derive(Deserialize)]
struct WalkPort {
    id: String,
}

impl WalkEdge {
    fn device(self) -> Device {
        let WalkNode { name, site, ports } = self.node;
        let port = ports.nodes.into_iter().next().map(|port| port.id);
        Device { site: site.name, name, ports: ports.total_count, port, cursor: self.cursor }
    }
}
