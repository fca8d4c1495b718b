//! A small Ironic: its state machine over HTTP, with machines that live on when its database is lost, and faults on request.
//!
//! Work that takes time in Ironic takes looks here: each look at a node brings it on, so no test depends on time.

mod http;

use std::collections::{BTreeMap, HashMap};
use std::sync::{Arc, Mutex, MutexGuard};

use axum::Router;
use axum::http::Method;
use serde_json::{Map, Value, json};
use tokio::net::TcpListener;

use self::http::answer;

/// The state of a machine and the acts on it, whoever knows of them.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Machine {
    pub is_on: bool,
    pub deploys: u32,
    pub cleans: u32,
    pub undeploys: u32,
    pub switches: u32,
}

/// A fault of the next calls that change something.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Fault {
    /// The change is made, and its answer is lost: the call with this number, from 1.
    LostAnswer(usize),
    /// The node is locked for so many calls.
    Locked(usize),
    /// The work that this verb begins fails with a sentence.
    Fails(&'static str, &'static str),
    /// The database is lost before the call with this number, of all calls about nodes.
    Forgets(usize),
}

#[derive(Default)]
struct Inner {
    nodes: BTreeMap<String, Map<String, Value>>,
    ports: Vec<Map<String, Value>>,
    /// The next state of a node, with the number of looks until then, and the sentence of an error.
    coming: HashMap<String, (u32, String, Option<String>)>,
    /// By the addresses of their BMCs.
    machines: BTreeMap<String, Machine>,
    faults: Vec<Fault>,
    changes: usize,
    calls: usize,
    inspections: u32,
}

/// The server.
#[derive(Clone, Default)]
pub struct Model {
    inner: Arc<Mutex<Inner>>,
    pub url: String,
}

/// A refusal, as a status and a sentence.
type Refused = (u16, String);

impl Model {
    /// Starts a server at a free port. It ends with the runtime of the test.
    pub async fn start() -> Self {
        let listener = TcpListener::bind("127.0.0.1:0").await.expect("a port");
        let url = format!("http://{}", listener.local_addr().expect("an address"));
        let model = Self { url, ..Self::default() };
        let app = Router::new().fallback(answer).with_state(model.clone());
        tokio::spawn(async move { axum::serve(listener, app).await.expect("it serves") });
        model
    }

    fn locked(&self) -> MutexGuard<'_, Inner> {
        self.inner.lock().expect("no test panics while it holds the lock")
    }

    /// Loses the database.
    pub fn forget(&self) {
        self.locked().forget();
    }

    /// Adds a fault.
    pub fn fault(&self, fault: Fault) {
        let mut inner = self.locked();
        (inner.changes, inner.calls) = (0, 0);
        inner.faults.push(fault);
    }

    /// Ends all faults.
    pub fn heal(&self) {
        self.locked().faults.clear();
    }

    /// Returns the number of calls about nodes since the last fault was added.
    pub fn calls(&self) -> (usize, usize) {
        let inner = self.locked();
        (inner.calls, inner.changes)
    }

    /// Returns what was done to the machine at an address.
    pub fn machine(&self, address: &str) -> Machine {
        self.locked().machines.get(address).copied().unwrap_or_default()
    }

    /// Switches a machine by hand.
    pub fn switch(&self, address: &str, is_on: bool) {
        self.locked().machines.entry(address.to_owned()).or_default().is_on = is_on;
    }

    /// Returns a node.
    pub fn node(&self, id: &str) -> Option<Value> {
        self.locked().nodes.get(id).cloned().map(Value::Object)
    }

    /// Adds a node, or changes members of one, as somebody else does.
    pub fn put(&self, id: &str, members: Value) {
        let mut inner = self.locked();
        let node = inner.nodes.entry(id.to_owned()).or_insert_with(|| new_node(id));
        node.extend(members.as_object().cloned().expect("members"));
    }
}

fn new_node(id: &str) -> Map<String, Value> {
    let node = json!({"uuid": id, "name": null, "driver": "redfish", "driver_info": {}, "properties": {}, "extra": {},
        "instance_info": {}, "provision_state": "enroll", "target_provision_state": null, "power_state": null,
        "target_power_state": null, "last_error": null, "maintenance": false, "maintenance_reason": null, "fault": null,
        "automated_clean": null, "reservation": null, "inspection_finished_at": null, "provision_updated_at": null});
    node.as_object().cloned().expect("an object")
}

impl Inner {
    fn forget(&mut self) {
        self.nodes.clear();
        self.ports.clear();
        self.coming.clear();
    }

    fn machine_of(&mut self, id: &str) -> &mut Machine {
        let address = self.nodes.get(id).and_then(|node| node["driver_info"].get("redfish_address")).cloned();
        let address = address.as_ref().and_then(Value::as_str).unwrap_or_default().to_owned();
        self.machines.entry(address).or_default()
    }

    fn state(&self, id: &str) -> String {
        self.nodes[id]["provision_state"].as_str().unwrap_or_default().to_owned()
    }

    fn set(&mut self, id: &str, name: &str, value: impl Into<Value>) {
        if let Some(node) = self.nodes.get_mut(id) {
            node.insert(name.to_owned(), value.into());
        }
    }

    /// Brings a node on by one look.
    fn look(&mut self, id: &str) {
        let Some((left, state, error)) = self.coming.remove(id) else { return };
        if left > 0 {
            self.coming.insert(id.to_owned(), (left - 1, state, error));
            return;
        }
        if self.nodes[id]["provision_state"] == "verifying" && state == "manageable" {
            let power = if self.machine_of(id).is_on { "power on" } else { "power off" };
            self.set(id, "power_state", power);
        }
        if self.state(id) == "inspecting" && state == "manageable" {
            self.inspections += 1;
            let at = format!("2026-01-01T00:00:{:02}+00:00", self.inspections % 60);
            self.set(id, "inspection_finished_at", at);
            self.set(id, "properties", json!({"cpus": 64, "memory_mb": 1024}));
        }
        self.set(id, "provision_state", state);
        self.set(id, "target_provision_state", Value::Null);
        if error.is_some() {
            self.set(id, "last_error", error);
        }
    }

    /// Begins what a verb begins (`ironic.common.state_machine`).
    fn provision(&mut self, id: &str, verb: &str) -> Result<(), Refused> {
        let state = self.state(id);
        let cleans = self.nodes[id]["automated_clean"] != json!(false);
        let (working, end, failed) = match (state.as_str(), verb) {
            ("enroll", "manage") => ("verifying", "manageable", "enroll"),
            ("available" | "clean failed" | "inspect failed" | "adopt failed", "manage") => ("", "manageable", ""),
            ("manageable", "provide") if cleans => ("cleaning", "available", "clean failed"),
            ("manageable", "provide") => ("", "available", ""),
            ("manageable" | "inspect failed", "inspect") => ("inspecting", "manageable", "inspect failed"),
            ("manageable" | "adopt failed", "adopt") => ("adopting", "active", "adopt failed"),
            ("available" | "deploy failed", "active") => ("deploying", "active", "deploy failed"),
            ("active" | "deploy failed" | "error" | "wait call-back" | "rescue", "deleted") => {
                ("deleting", "available", "error")
            }
            _ => {
                let sentence = format!(
                    "The requested action \"{verb}\" can not be performed on node \"{id}\" while it is in state \"{state}\"."
                );
                return Err((400, sentence));
            }
        };
        let machine = self.machine_of(id);
        match verb {
            "active" => (machine.deploys, machine.is_on) = (machine.deploys + 1, true),
            "deleted" => (machine.undeploys, machine.is_on) = (machine.undeploys + 1, false),
            "provide" if cleans => machine.cleans += 1,
            _ => {}
        }
        if verb == "deleted" && cleans {
            self.machine_of(id).cleans += 1;
        }
        let fault = self.faults.iter().find_map(|fault| match fault {
            Fault::Fails(of, sentence) if *of == verb => Some((*sentence).to_owned()),
            _ => None,
        });
        self.set(id, "last_error", Value::Null);
        if working.is_empty() {
            self.set(id, "provision_state", end);
            return Ok(());
        }
        let end = if fault.is_some() { failed } else { end };
        self.set(id, "provision_state", working);
        self.set(id, "target_provision_state", end);
        self.coming.insert(id.to_owned(), (1, end.to_owned(), fault));
        Ok(())
    }

    fn power(&mut self, id: &str, target: &str) {
        let fault = self.faults.iter().find_map(|fault| match fault {
            Fault::Fails("power", sentence) => Some((*sentence).to_owned()),
            _ => None,
        });
        self.set(id, "last_error", fault.clone());
        if fault.is_none() {
            let is_on = matches!(target, "power on" | "rebooting");
            let machine = self.machine_of(id);
            (machine.switches, machine.is_on) = (machine.switches + 1, is_on);
            self.set(id, "power_state", if is_on { "power on" } else { "power off" });
        }
    }

    fn patch(&mut self, id: &str, steps: &Value) -> Result<(), Refused> {
        if !self.nodes[id]["target_provision_state"].is_null() && self.state(id) != "verifying" {
            return Err((409, format!("Node {id} can not be updated while a state transition is in progress.")));
        }
        for step in steps.as_array().expect("steps") {
            let path = step["path"].as_str().expect("a path").trim_start_matches('/');
            let node = self.nodes.get_mut(id).expect("a node");
            let (members, name) = match path.split_once('/') {
                Some((within, name)) => (node.get_mut(within).and_then(Value::as_object_mut).expect("an object"), name),
                None => (node, path),
            };
            match step["op"].as_str() {
                Some("add") => drop(members.insert(name.to_owned(), step["value"].clone())),
                Some("remove") => assert!(members.remove(name).is_some(), "{path} is not there"),
                other => panic!("the operation {other:?}"),
            }
        }
        Ok(())
    }

    fn create(&mut self, body: &Value) -> Result<Value, Refused> {
        let id = body["uuid"].as_str().expect("an id").to_owned();
        if self.nodes.contains_key(&id) {
            return Err((409, format!("A node with UUID {id} already exists.")));
        }
        let mut node = new_node(&id);
        node.extend(body.as_object().cloned().expect("members"));
        self.nodes.insert(id.clone(), node);
        Ok(self.node_json(&id))
    }

    /// Returns a node as Ironic shows it: without passwords.
    fn node_json(&self, id: &str) -> Value {
        let mut node = Value::Object(self.nodes[id].clone());
        if let Some(password) = node["driver_info"].get_mut("redfish_password") {
            *password = json!("******");
        }
        node
    }

    fn route(&mut self, method: &Method, path: &str, query: &str, body: &Value) -> Result<(u16, Value), Refused> {
        let parts: Vec<&str> = path.trim_matches('/').split('/').collect();
        if let ["v1", "nodes", id, ..] = parts.as_slice()
            && !self.nodes.contains_key(*id)
        {
            return Err((404, format!("Node {id} could not be found.")));
        }
        match (method.as_str(), parts.as_slice()) {
            ("GET", ["v1"]) => Ok((200, json!({}))),
            ("GET", ["v1", "nodes"]) => {
                let nodes: Vec<Value> = self.nodes.keys().map(|id| self.node_json(id)).collect();
                Ok((200, json!({ "nodes": nodes })))
            }
            ("POST", ["v1", "nodes"]) => self.create(body).map(|node| (201, node)),
            ("GET", ["v1", "nodes", id]) => {
                self.look(id);
                Ok((200, self.node_json(id)))
            }
            ("GET", ["v1", "nodes", id, "states"]) => Ok((200, self.node_json(id))),
            ("GET", ["v1", "nodes", id, "inventory"]) => Err((404, format!("no inventory of {id}"))),
            ("PATCH", ["v1", "nodes", id]) => self.patch(id, body).map(|()| (200, self.node_json(id))),
            ("DELETE", ["v1", "nodes", id]) => {
                let is_free = matches!(self.state(id).as_str(), "enroll" | "manageable" | "available" | "adopt failed");
                if !is_free && self.nodes[*id]["maintenance"] != json!(true) {
                    return Err((409, format!("Can not delete node {id}.")));
                }
                self.nodes.remove(*id);
                let id = json!(id);
                self.ports.retain(|port| port["node_uuid"] != id);
                Ok((204, Value::Null))
            }
            ("PUT", ["v1", "nodes", id, "states", "provision"]) => {
                let verb = body["target"].as_str().expect("a verb").to_owned();
                self.provision(id, &verb).map(|()| (202, Value::Null))
            }
            ("PUT", ["v1", "nodes", id, "states", "power"]) => {
                let target = body["target"].as_str().expect("a power").to_owned();
                self.power(id, &target);
                Ok((202, Value::Null))
            }
            ("PUT", ["v1", "nodes", id, "maintenance"]) => {
                self.set(id, "maintenance", true);
                self.set(id, "maintenance_reason", body["reason"].clone());
                Ok((202, Value::Null))
            }
            ("DELETE", ["v1", "nodes", id, "maintenance"]) => {
                self.set(id, "maintenance", false);
                self.set(id, "fault", Value::Null);
                Ok((202, Value::Null))
            }
            ("GET", ["v1", "ports"]) => {
                let fits = |port: &&Map<String, Value>| {
                    let is = |name: &str, of: &str| {
                        port[of].as_str().is_some_and(|it| query.contains(&format!("{name}={it}")))
                    };
                    let mac = port["address"].as_str().unwrap_or("?");
                    is("node", "node_uuid") || query.replace("%3A", ":").contains(&format!("address={mac}"))
                };
                let ports: Vec<Value> = self.ports.iter().filter(fits).cloned().map(Value::Object).collect();
                Ok((200, json!({ "ports": ports })))
            }
            ("POST", ["v1", "ports"]) => {
                if self.ports.iter().any(|port| port["address"] == body["address"]) {
                    return Err((409, format!("A port with MAC address {} already exists.", body["address"])));
                }
                let mut port = body.as_object().cloned().expect("members");
                port.insert("uuid".to_owned(), json!(format!("port-{}", self.ports.len())));
                self.ports.push(port.clone());
                Ok((201, Value::Object(port)))
            }
            other => panic!("{other:?} is not in the model"),
        }
    }
}
