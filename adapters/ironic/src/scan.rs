//! Reads what Ironic has: port groups and ports, then nodes with their inventories, then the switches that they name.

use std::collections::{HashMap, HashSet};
use std::sync::Arc;

use futures_util::{StreamExt as _, TryStreamExt as _, stream};
use underlay_kit::sync::{AdapterError, BadThing, ExternalId, Items, Sink};

use crate::client::{Client, Entry, Inventory, Listing, Node, Port, Portgroup};
use crate::map::{self, Context, Mapped, NodeDetails, Switches};
use crate::memory::Memory;

/// The number of nodes that is asked for at a time, with all details.
const NODES_PER_PAGE: usize = 200;
/// The number of ports that is asked for at a time.
const PORTS_PER_PAGE: usize = 1_000;
/// The number of inventories that is asked for at a time.
const MAX_INVENTORY_CALLS: usize = 8;
/// The names of the types in reports.
const NODE: &str = "node";
const PORT: &str = "port";
const PORTGROUP: &str = "portgroup";
const SWITCH: &str = "switch";

/// A scan of everything, or a look at one object.
pub struct Scan<'a> {
    client: &'a Client,
    cx: Context,
    memory: &'a Memory,
    /// The ports of each node, the oldest first.
    ports: HashMap<String, Vec<Port>>,
    groups: HashMap<String, Vec<Portgroup>>,
    /// True if a port could not be read, so that nobody knows which node it belongs to.
    ports_are_incomplete: bool,
    /// The classes and racks that were emitted.
    named: HashSet<(&'static str, String)>,
    switches: Switches,
}

/// A node with its inventory.
struct Read {
    node: Node,
    inventory: Option<Arc<Inventory>>,
}

impl<'a> Scan<'a> {
    pub fn new(client: &'a Client, cx: Context, memory: &'a Memory) -> Self {
        Self {
            client,
            cx,
            memory,
            ports: HashMap::new(),
            groups: HashMap::new(),
            ports_are_incomplete: false,
            named: HashSet::new(),
            switches: Switches::default(),
        }
    }

    /// Emits all objects.
    ///
    /// # Errors
    /// Returns an error if a list or an inventory cannot be read, or breaks the contract of the API.
    pub async fn everything(mut self, sink: &mut Sink) -> Result<(), AdapterError> {
        self.read_groups(sink).await?;
        self.read_ports(sink).await?;
        let mut seen = HashSet::new();
        let mut listing = Listing::nodes(NODES_PER_PAGE);
        while let Some(batch) = listing.next(self.client).await? {
            sink.report().read(NODE, batch.entries.len() as u64);
            let mut nodes = Vec::with_capacity(batch.entries.len());
            for entry in &batch.entries {
                seen.insert(entry.uuid.clone());
                if let Some(node) = self.read_node(entry, sink).await? {
                    nodes.push(node);
                }
            }
            let (client, memory) = (self.client, self.memory);
            let reads = stream::iter(nodes).map(|node| read_inventory(client, memory, node));
            let reads: Vec<Read> = reads.buffered(MAX_INVENTORY_CALLS).try_collect().await?;
            for read in reads {
                self.emit(&read, sink).await?;
            }
        }
        let rest = self.ports.values().map(Vec::len).sum::<usize>() as u64;
        if rest > 0 {
            sink.report().left_out(PORT, "of no node that is mapped", rest);
        }
        put(sink, SWITCH, std::mem::take(&mut self.switches).mapped(&self.cx)).await?;
        self.memory.complete(&seen);
        Ok(())
    }

    /// Returns the items of one object, `None` if Ironic does not have it. Switches and cables follow from all ports
    /// together, so only a scan says something new about them.
    ///
    /// # Errors
    /// Returns an error if Ironic cannot be read, or breaks the contract of the API.
    pub async fn one(mut self, id: &ExternalId) -> Result<Option<Items>, AdapterError> {
        if ![map::DEVICE, map::HOST, map::CREDENTIAL].contains(&id.kind.as_str()) || id.id.contains([':', '/']) {
            return Ok(Some(Items::new()));
        }
        let Some(node) = self.client.node(&id.id).await? else { return Ok(None) };
        if map::is_ours(&node) {
            return Ok(None);
        }
        self.memory.is_news(&node.uuid, node.updated_at.as_deref());
        self.ports.insert(node.uuid.clone(), self.client.ports_of(&node.uuid).await?);
        self.groups.insert(node.uuid.clone(), self.client.portgroups_of(&node.uuid).await?);
        let read = read_inventory(self.client, self.memory, node).await?;
        Ok(Some(self.mapped(&read).into_iter().flat_map(|(_, mapped)| mapped.items).collect()))
    }

    async fn read_groups(&mut self, sink: &mut Sink) -> Result<(), AdapterError> {
        let mut listing = Listing::portgroups(PORTS_PER_PAGE);
        while let Some(batch) = listing.next(self.client).await? {
            sink.report().read(PORTGROUP, batch.entries.len() as u64);
            for entry in &batch.entries {
                match Portgroup::read(&entry.fields()) {
                    Ok(group) => self.groups.entry(group.node.clone()).or_default().push(group),
                    Err(fault) => bad_port(sink, PORTGROUP, entry, fault.to_string()).await?,
                }
            }
        }
        Ok(())
    }

    async fn read_ports(&mut self, sink: &mut Sink) -> Result<(), AdapterError> {
        let mut listing = Listing::ports(PORTS_PER_PAGE);
        while let Some(batch) = listing.next(self.client).await? {
            sink.report().read(PORT, batch.entries.len() as u64);
            for entry in &batch.entries {
                match Port::read(&entry.fields()) {
                    Ok(port) => self.ports.entry(port.node.clone()).or_default().push(port),
                    Err(fault) => {
                        self.ports_are_incomplete = true;
                        bad_port(sink, PORT, entry, fault.to_string()).await?;
                    }
                }
            }
        }
        Ok(())
    }

    /// Returns a node that is to be mapped. What the inventory has of one that cannot be read stays as it is.
    async fn read_node(&mut self, entry: &Entry, sink: &mut Sink) -> Result<Option<Node>, AdapterError> {
        match Node::read(&entry.fields()) {
            Ok(node) if map::is_ours(&node) => {
                sink.report().left_out(NODE, "registered by Underlay", 1);
                Ok(None)
            }
            Ok(node) => {
                self.memory.is_news(&node.uuid, node.updated_at.as_deref());
                Ok(Some(node))
            }
            Err(fault) => {
                let fault = fault.to_string();
                put(sink, NODE, map::unreadable(&entry.uuid, &fault)).await?;
                for port in self.ports.remove(&entry.uuid).unwrap_or_default() {
                    let reason = format!("its node {} cannot be read: {fault}", entry.uuid);
                    sink.bad(BadThing::new(Some(map::PORT), port.uuid, reason)).await?;
                }
                Ok(None)
            }
        }
    }

    async fn emit(&mut self, read: &Read, sink: &mut Sink) -> Result<(), AdapterError> {
        for (of, mapped) in self.mapped(read) {
            put(sink, of, mapped).await?;
        }
        Ok(())
    }

    /// Maps a node with everything that belongs to it, in the order of references.
    fn mapped(&mut self, read: &Read) -> Vec<(&'static str, Mapped)> {
        let (node, inventory) = (&read.node, read.inventory.as_deref());
        let mut all = Vec::new();
        for (of, named) in [("resource class", map::class(&self.cx, node)), ("rack", map::rack(&self.cx, node))] {
            if let Some((name, mapped)) = named
                && self.named.insert((of, name))
            {
                all.push((of, mapped));
            }
        }
        let ports = self.ports.remove(&node.uuid).unwrap_or_default();
        let details = NodeDetails { ports: &ports, ports_are_incomplete: self.ports_are_incomplete, inventory };
        all.push((NODE, map::node(&self.cx, node, &details)));
        for group in self.groups.remove(&node.uuid).unwrap_or_default() {
            all.push((PORTGROUP, map::portgroup(&self.cx, &group)));
        }
        for port in &ports {
            let mapped = map::port(&self.cx, port, inventory);
            if !mapped.items.is_empty() {
                self.switches.add(&port.uuid, &map::link(port, inventory));
            }
            all.push((PORT, mapped));
        }
        all
    }
}

/// Reads the inventory of a node, unless it is known.
async fn read_inventory(client: &Client, memory: &Memory, node: Node) -> Result<Read, AdapterError> {
    let inventory = match memory.inventory(&node) {
        Some(known) => known,
        None => {
            let inventory = client.inventory(&node.uuid).await?.map(Arc::new);
            memory.keep(&node, inventory.clone());
            inventory
        }
    };
    Ok(Read { node, inventory })
}

async fn bad_port(sink: &mut Sink, of: &str, entry: &Entry, fault: String) -> Result<(), AdapterError> {
    sink.report().left_out(of, "not valid", 1);
    sink.bad(BadThing::new(Some(map::PORT), &*entry.uuid, fault)).await
}

/// Emits what became of an object, and counts it.
async fn put(sink: &mut Sink, of: &str, mapped: Mapped) -> Result<(), AdapterError> {
    match (mapped.items.is_empty(), mapped.bad.is_empty()) {
        (false, _) => sink.report().mapped(of, 1),
        (true, false) => sink.report().left_out(of, "not valid", 1),
        (true, true) => {}
    }
    for (reason, count) in mapped.left_out {
        sink.report().left_out(of, reason, count);
    }
    for item in mapped.items {
        sink.put(item).await?;
    }
    if let Some(secret) = mapped.secret {
        sink.secret(secret).await?;
    }
    for thing in mapped.bad {
        sink.bad(thing).await?;
    }
    Ok(())
}
