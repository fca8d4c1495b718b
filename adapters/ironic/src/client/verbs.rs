//! The calls that change something: nodes, ports, their states and their boot devices.

use std::fmt;

use reqwest::Method;
use serde::Serialize;
use serde_json::{Map, Value, json};

use super::call::Client;
use super::error::IronicError;
use super::fields::Fields;
use super::model::{Node, Port, States};
use super::request::{Call, Effect};

/// A step of a change of a node or port (RFC 6902).
#[derive(Clone, Debug, PartialEq, Serialize)]
#[serde(tag = "op", rename_all = "lowercase")]
pub enum Patch {
    /// Sets a member, whether it is there or not.
    Add {
        /// The path of the member, such as `/extra/rack`.
        path: String,
        value: Value,
    },
    /// Removes a member that is there.
    Remove {
        /// The path of the member.
        path: String,
    },
}

impl Patch {
    /// Returns the step that sets a member.
    pub fn set(path: &str, value: impl Into<Value>) -> Self {
        Self::Add { path: path.to_owned(), value: value.into() }
    }

    /// Returns the step that removes a member.
    pub fn remove(path: &str) -> Self {
        Self::Remove { path: path.to_owned() }
    }
}

/// An order to change the provision state of a node. Its debug output does not show the configuration drive, which can hold
/// secrets.
#[derive(Clone, PartialEq)]
pub struct Provision {
    target: Target,
    configdrive: Option<Value>,
    clean_steps: Option<Value>,
}

impl fmt::Debug for Provision {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(out, "the order {}", self.target.verb())
    }
}

/// The verbs that change the provision state of a node.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Target {
    /// Checks the BMC of an enrolled node, or takes one back from being available.
    Manage,
    /// Makes a manageable node available.
    Provide,
    /// Inspects a manageable node.
    Inspect,
    /// Runs clean steps on a manageable node.
    Clean,
    /// Deploys an available node.
    Deploy,
    /// Deploys a node again that is active.
    Rebuild,
    /// Undeploys a node.
    Undeploy,
    /// Takes a manageable node over as it is, so that it is active.
    Adopt,
    /// Ends something that waits.
    Abort,
}

impl Target {
    /// Returns the name of the verb in the API.
    pub const fn verb(self) -> &'static str {
        match self {
            Self::Manage => "manage",
            Self::Provide => "provide",
            Self::Inspect => "inspect",
            Self::Clean => "clean",
            Self::Deploy => "active",
            Self::Rebuild => "rebuild",
            Self::Undeploy => "deleted",
            Self::Adopt => "adopt",
            Self::Abort => "abort",
        }
    }
}

impl Provision {
    /// Returns the order.
    pub const fn to(target: Target) -> Self {
        Self { target, configdrive: None, clean_steps: None }
    }

    /// Adds the configuration drive: an ISO image in base64, or an object with `meta_data`, `user_data` and `network_data`.
    #[must_use]
    pub fn configdrive(mut self, configdrive: impl Into<Value>) -> Self {
        self.configdrive = Some(configdrive.into());
        self
    }

    /// Adds the steps of [`Target::Clean`], each an object such as `{"interface": "deploy", "step": "erase_devices"}`.
    #[must_use]
    pub fn clean_steps(mut self, steps: Vec<Value>) -> Self {
        self.clean_steps = Some(Value::Array(steps));
        self
    }

    fn body(&self) -> Value {
        let mut body = Map::new();
        body.insert("target".to_owned(), self.target.verb().into());
        for (name, value) in [("configdrive", &self.configdrive), ("clean_steps", &self.clean_steps)] {
            if let Some(value) = value {
                body.insert(name.to_owned(), value.clone());
            }
        }
        Value::Object(body)
    }
}

impl Client {
    /// Creates a node. `members` are those of Ironic's API; with a `uuid` among them, a repeated call is in conflict instead
    /// of making another node.
    ///
    /// # Errors
    /// Returns an error if Ironic refuses, or if nobody knows if it was done.
    pub async fn create_node(&self, members: Map<String, Value>) -> Result<Node, IronicError> {
        let call = self.call(Method::POST, &["nodes"], Effect::Changes).with(Value::Object(members));
        self.changed_node(&call).await
    }

    /// Changes a node. All steps are done, or none is.
    ///
    /// # Errors
    /// Returns an error if Ironic refuses, or if nobody knows if it was done.
    pub async fn patch_node(&self, id: &str, steps: &[Patch]) -> Result<Node, IronicError> {
        let call = self.call(Method::PATCH, &["nodes", id], Effect::Changes).with(json!(steps));
        self.changed_node(&call).await
    }

    /// Deletes a node with its ports, and returns false if Ironic does not have it.
    ///
    /// # Errors
    /// Returns an error if Ironic refuses, for example because of the state of the node.
    pub async fn delete_node(&self, id: &str) -> Result<bool, IronicError> {
        self.delete(&["nodes", id]).await
    }

    /// Creates a port. `members` are those of Ironic's API.
    ///
    /// # Errors
    /// Returns an error if Ironic refuses, or if nobody knows if it was done.
    pub async fn create_port(&self, members: Map<String, Value>) -> Result<Port, IronicError> {
        let call = self.call(Method::POST, &["ports"], Effect::Changes).with(Value::Object(members));
        let answer = self.object(&call).await?;
        Port::read(&Fields::new(String::new(), &answer)).map_err(|fault| call.fault(&fault))
    }

    /// Deletes a port, and returns false if Ironic does not have it.
    ///
    /// # Errors
    /// Returns an error if Ironic refuses.
    pub async fn delete_port(&self, id: &str) -> Result<bool, IronicError> {
        self.delete(&["ports", id]).await
    }

    /// Returns the states of a node, `None` if Ironic does not have it.
    ///
    /// # Errors
    /// Returns an error if Ironic does not answer, refuses, or answers something else.
    pub async fn states(&self, id: &str) -> Result<Option<States>, IronicError> {
        let call = self.call(Method::GET, &["nodes", id, "states"], Effect::Reads);
        match self.object(&call).await {
            Ok(answer) => {
                let states = States::read(&Fields::new(String::new(), &answer));
                states.map(Some).map_err(|fault| call.fault(&fault))
            }
            Err(error) if error.is_not_found() => Ok(None),
            Err(error) => Err(error),
        }
    }

    /// Orders another provision state. Ironic accepts the order and works on.
    ///
    /// # Errors
    /// Returns an error if Ironic refuses, for example because of the state of the node.
    pub async fn set_provision_state(&self, id: &str, order: &Provision) -> Result<(), IronicError> {
        let path = ["nodes", id, "states", "provision"];
        self.done(&self.call(Method::PUT, &path, Effect::Changes).with(order.body())).await
    }

    /// Orders another power: `power on`, `power off`, `rebooting`, `soft power off` or `soft rebooting`. Ironic accepts the
    /// order and works on; a soft one fails after `timeout` seconds.
    ///
    /// # Errors
    /// Returns an error if Ironic refuses.
    pub async fn set_power_state(&self, id: &str, target: &str, timeout: Option<u32>) -> Result<(), IronicError> {
        let mut body = json!({ "target": target });
        if let Some(timeout) = timeout {
            body["timeout"] = timeout.into();
        }
        self.done(&self.call(Method::PUT, &["nodes", id, "states", "power"], Effect::Changes).with(body)).await
    }

    /// Sets the device that a node boots from once, such as `pxe`, `disk` or `cdrom`.
    ///
    /// # Errors
    /// Returns an error if Ironic or the BMC refuses.
    pub async fn set_boot_device_once(&self, id: &str, device: &str) -> Result<(), IronicError> {
        let body = json!({ "boot_device": device, "persistent": false });
        let path = ["nodes", id, "management", "boot_device"];
        self.done(&self.call(Method::PUT, &path, Effect::Changes).with(body)).await
    }

    /// Puts a node into maintenance, with a reason.
    ///
    /// # Errors
    /// Returns an error if Ironic refuses.
    pub async fn set_maintenance(&self, id: &str, reason: &str) -> Result<(), IronicError> {
        let call = self.call(Method::PUT, &["nodes", id, "maintenance"], Effect::Changes);
        self.done(&call.with(json!({ "reason": reason }))).await
    }

    /// Takes a node out of maintenance.
    ///
    /// # Errors
    /// Returns an error if Ironic refuses.
    pub async fn clear_maintenance(&self, id: &str) -> Result<(), IronicError> {
        self.done(&self.call(Method::DELETE, &["nodes", id, "maintenance"], Effect::Changes)).await
    }

    async fn changed_node(&self, call: &Call) -> Result<Node, IronicError> {
        let answer = self.object(call).await?;
        Node::read(&Fields::new(String::new(), &answer)).map_err(|fault| call.fault(&fault))
    }

    async fn delete(&self, path: &[&str]) -> Result<bool, IronicError> {
        match self.make(&self.call(Method::DELETE, path, Effect::Changes)).await {
            Ok(_) => Ok(true),
            Err(error) if error.is_not_found() => Ok(false),
            Err(error) => Err(error),
        }
    }

    async fn done(&self, call: &Call) -> Result<(), IronicError> {
        self.make(call).await.map(drop)
    }
}
