//! Lists, page by page.
//!
//! A page begins after the last object of the one before it. The link to the next page is not followed, because behind a
//! proxy it often has another address; it only says that there is one. If the last object was deleted meanwhile, the page
//! begins after the one before it, and so on; objects that were listed already are passed over.

use std::collections::HashSet;

use reqwest::Method;
use serde_json::{Map, Value};
use underlay_kit::sort_of;

use super::call::Client;
use super::error::IronicError;
use super::fields::{Fault, Fields};
use super::inventory::Inventory;
use super::model::{Node, Port, Portgroup};
use super::request::{Call, Effect};

/// The maximum number of objects after which a page is asked for, if those behind them were deleted.
const MAX_MARKERS: usize = 5;

/// A list that is being read.
#[derive(Debug)]
pub struct Listing {
    name: &'static str,
    limit: usize,
    filters: Vec<(String, String)>,
    /// The ids after which the next page can begin, the best one at the end; empty before the first page.
    markers: Vec<String>,
    seen: HashSet<String>,
    is_done: bool,
}

/// A page of a list.
#[derive(Debug)]
pub struct Batch {
    /// The call that read it, for messages.
    pub call: String,
    /// The objects.
    pub entries: Vec<Entry>,
}

/// An object of a list.
#[derive(Debug)]
pub struct Entry {
    /// The id.
    pub uuid: String,
    path: String,
    members: Map<String, Value>,
}

impl Entry {
    /// Returns the members of the object.
    pub fn fields(&self) -> Fields<'_> {
        Fields::new(self.path.clone(), &self.members)
    }
}

impl Listing {
    /// A list of nodes with all details, in pages of `limit`. Ironic can give shorter ones.
    pub fn nodes(limit: usize) -> Self {
        Self::of("nodes", limit)
    }

    /// A list of ports with all details, in pages of `limit`. Ironic can give shorter ones.
    pub fn ports(limit: usize) -> Self {
        Self::of("ports", limit)
    }

    /// A list of port groups with all details, in pages of `limit`. Ironic can give shorter ones.
    pub fn portgroups(limit: usize) -> Self {
        Self::of("portgroups", limit)
    }

    fn of(name: &'static str, limit: usize) -> Self {
        Self { name, limit, filters: Vec::new(), markers: Vec::new(), seen: HashSet::new(), is_done: false }
    }

    /// Adds a parameter, such as `node` with the id of a node, or `sort_key`.
    #[must_use]
    pub fn with(mut self, name: &str, value: &str) -> Self {
        self.filters.push((name.to_owned(), value.to_owned()));
        self
    }

    /// Begins after an object.
    #[must_use]
    pub fn after(mut self, uuid: &str) -> Self {
        self.markers = vec![uuid.to_owned()];
        self
    }

    /// Returns the id after which the next page begins, `None` after the last page.
    pub fn marker(&self) -> Option<&str> {
        self.markers.last().map(String::as_str).filter(|_| !self.is_done)
    }

    /// Reads the next page, `None` after the last one.
    ///
    /// # Errors
    /// Returns an error if the page cannot be read, is no list of objects with ids, or has nothing new.
    pub async fn next(&mut self, client: &Client) -> Result<Option<Batch>, IronicError> {
        if self.is_done {
            return Ok(None);
        }
        let (call, answer) = self.page(client).await?;
        let Some(Value::Array(rows)) = answer.get(self.name) else {
            let found = answer.get(self.name).map_or("nothing", sort_of);
            return Err(call.wrong(self.name, format!("a list, not {found}; check that the URL is that of Ironic")));
        };
        let mut entries = Vec::with_capacity(rows.len());
        let mut markers = Vec::new();
        for (at, row) in rows.iter().enumerate() {
            let entry = entry(&call, format!("{}[{at}]", self.name), row)?;
            markers.push(entry.uuid.clone());
            if self.seen.insert(entry.uuid.clone()) {
                entries.push(entry);
            }
        }
        self.is_done = answer.get("next").is_none_or(Value::is_null);
        if !self.is_done && entries.is_empty() {
            return Err(
                call.wrong(self.name, "objects that were not listed before, because there is a next page".to_owned())
            );
        }
        markers.drain(..markers.len().saturating_sub(MAX_MARKERS));
        self.markers = markers;
        Ok(Some(Batch { call: call.text.to_string(), entries }))
    }

    /// Reads a page after the last object that is still there.
    async fn page(&mut self, client: &Client) -> Result<(Call, Map<String, Value>), IronicError> {
        loop {
            let call = self.call(client);
            match client.object(&call).await {
                Err(error) if error.is_not_found() && self.markers.len() > 1 => drop(self.markers.pop()),
                answer => return answer.map(|answer| (call, answer)),
            }
        }
    }

    fn call(&self, client: &Client) -> Call {
        let call = client.call(Method::GET, &[self.name], Effect::Reads);
        let mut url = call.url;
        {
            let mut parameters = url.query_pairs_mut();
            parameters.append_pair("detail", "true").append_pair("limit", &self.limit.to_string());
            parameters.extend_pairs(self.filters.iter().map(|(name, value)| (name, value)));
            if let Some(marker) = self.markers.last() {
                parameters.append_pair("marker", marker);
            }
        }
        Call::new(Method::GET, url, Effect::Reads)
    }
}

fn entry(call: &Call, path: String, row: &Value) -> Result<Entry, IronicError> {
    let Value::Object(members) = row else {
        return Err(call.wrong(&path, format!("an object, not {}", sort_of(row))));
    };
    let uuid = members.get("uuid").and_then(Value::as_str).filter(|uuid| !uuid.is_empty());
    match uuid {
        Some(uuid) => Ok(Entry { uuid: uuid.to_owned(), path, members: members.clone() }),
        None => Err(call.wrong(&format!("{path}.uuid"), "the id of the object".to_owned())),
    }
}

impl Client {
    /// Returns a node by its id or name, `None` if Ironic does not have it.
    ///
    /// # Errors
    /// Returns an error if Ironic does not answer, refuses, or answers something else than a node.
    pub async fn node(&self, id: &str) -> Result<Option<Node>, IronicError> {
        let call = self.call(Method::GET, &["nodes", id], Effect::Reads);
        self.find(&call, Node::read).await
    }

    /// Returns a port by its id, `None` if Ironic does not have it.
    ///
    /// # Errors
    /// Returns an error if Ironic does not answer, refuses, or answers something else than a port.
    pub async fn port(&self, id: &str) -> Result<Option<Port>, IronicError> {
        let call = self.call(Method::GET, &["ports", id], Effect::Reads);
        self.find(&call, Port::read).await
    }

    /// Returns a page of nodes after a node, and the id after which the next page begins; `None` after the last one.
    ///
    /// # Errors
    /// Returns an error if Ironic does not answer, refuses, or answers something else than nodes.
    pub async fn node_page(
        &self,
        after: Option<&str>,
        limit: usize,
    ) -> Result<(Vec<Node>, Option<String>), IronicError> {
        let listing = Listing::nodes(limit);
        let mut listing = after.map_or_else(|| Listing::nodes(limit), |after| listing.after(after));
        let nodes = match listing.next(self).await? {
            Some(batch) => read_all(&batch, Node::read)?,
            None => Vec::new(),
        };
        Ok((nodes, listing.marker().map(str::to_owned)))
    }

    /// Returns all ports of a node.
    ///
    /// # Errors
    /// Returns an error if Ironic does not answer, refuses, or answers something else than ports.
    pub async fn ports_of(&self, node: &str) -> Result<Vec<Port>, IronicError> {
        let mut listing = Listing::ports(1_000).with("node", node);
        let mut ports = Vec::new();
        while let Some(batch) = listing.next(self).await? {
            ports.extend(read_all(&batch, Port::read)?);
        }
        Ok(ports)
    }

    /// Returns all port groups of a node.
    ///
    /// # Errors
    /// Returns an error if Ironic does not answer, refuses, or answers something else than port groups.
    pub async fn portgroups_of(&self, node: &str) -> Result<Vec<Portgroup>, IronicError> {
        let mut listing = Listing::portgroups(1_000).with("node", node);
        let mut groups = Vec::new();
        while let Some(batch) = listing.next(self).await? {
            groups.extend(read_all(&batch, Portgroup::read)?);
        }
        Ok(groups)
    }

    /// Returns the inventory of a node, `None` if no inspection stored one, or there is no such node.
    ///
    /// # Errors
    /// Returns an error if Ironic does not answer, refuses, or answers something else.
    pub async fn inventory(&self, node: &str) -> Result<Option<Inventory>, IronicError> {
        let call = self.call(Method::GET, &["nodes", node, "inventory"], Effect::Reads);
        match self.object(&call).await {
            Ok(answer) => Ok(Some(Inventory::read(&answer))),
            Err(error) if error.is_not_found() => Ok(None),
            Err(error) => Err(error),
        }
    }

    async fn find<T>(
        &self,
        call: &Call,
        read: impl Fn(&Fields<'_>) -> Result<T, Fault>,
    ) -> Result<Option<T>, IronicError> {
        match self.object(call).await {
            Ok(answer) => read(&Fields::new(String::new(), &answer)).map(Some).map_err(|fault| call.fault(&fault)),
            Err(error) if error.is_not_found() => Ok(None),
            Err(error) => Err(error),
        }
    }
}

fn read_all<T>(batch: &Batch, read: impl Fn(&Fields<'_>) -> Result<T, Fault>) -> Result<Vec<T>, IronicError> {
    let wrong = |fault: Fault| IronicError::WrongAnswer {
        call: batch.call.clone(),
        path: fault.path,
        expected: format!("{}, not {}", fault.expected, fault.found),
    };
    batch.entries.iter().map(|entry| read(&entry.fields()).map_err(wrong)).collect()
}
