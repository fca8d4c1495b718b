//! The objects of Ironic. Members that this crate does not use are not read.

use std::fmt;

use serde_json::{Map, Value};

use super::fields::{Fault, Fields};

/// A node: a machine that Ironic manages. Times are texts as Ironic writes them, such as `2026-11-20T08:15:00+00:00`.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Node {
    /// The id.
    pub uuid: String,
    /// The name, which is unique if there is one.
    pub name: Option<String>,
    /// The hardware type, such as `redfish`.
    pub driver: Option<String>,
    /// The settings of the driver. Ironic shows passwords in it as `******`.
    pub driver_info: Map<String, Value>,
    /// The properties of the hardware that operators and inspection set, such as `memory_mb`, `cpu_arch` and `capabilities`.
    pub properties: Map<String, Value>,
    /// The values that operators keep with the node.
    pub extra: Map<String, Value>,
    /// The settings of the deployment.
    pub instance_info: Map<String, Value>,
    /// The id of the instance that the node is deployed for.
    pub instance_uuid: Option<String>,
    /// The class of the node for schedulers.
    pub resource_class: Option<String>,
    /// The traits of the node for schedulers.
    pub traits: Vec<String>,
    /// A text about the node.
    pub description: Option<String>,
    /// The project that owns the node.
    pub owner: Option<String>,
    /// The project that the node is leased to.
    pub lessee: Option<String>,
    /// The group of conductors that serve the node.
    pub conductor_group: Option<String>,
    pub states: States,
    /// True if Ironic leaves the node alone.
    pub maintenance: bool,
    pub maintenance_reason: Option<String>,
    /// The fault for which Ironic itself put the node into maintenance, such as `power failure`.
    pub fault: Option<String>,
    /// True if the node is not to be given out any more.
    pub retired: bool,
    /// The reason why it is retired.
    pub retired_reason: Option<String>,
    /// True if the node cannot be undeployed, rebuilt or deleted.
    pub protected: bool,
    /// The setting of the node for cleaning; `None` is that of the conductor.
    pub automated_clean: Option<bool>,
    /// The name of the conductor that has locked the node.
    pub reservation: Option<String>,
    /// The firmware that the node boots with: `uefi` or `bios`.
    pub boot_mode: Option<String>,
    /// True if Secure Boot is on.
    pub secure_boot: Option<bool>,
    /// The interface that boots it, such as `redfish-virtual-media`.
    pub boot_interface: Option<String>,
    /// The interface that deploys it, such as `direct`.
    pub deploy_interface: Option<String>,
    /// The interface that inspects it, such as `agent`.
    pub inspect_interface: Option<String>,
    /// The time when the last inspection ended.
    pub inspection_finished_at: Option<String>,
    /// The time when the node was created.
    pub created_at: Option<String>,
    /// The time when the node was last changed. Changes of its ports do not count.
    pub updated_at: Option<String>,
}

/// The power and the provision state of a node.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct States {
    /// The power, `power on` or `power off`; `None` until Ironic read it.
    pub power: Option<String>,
    /// The power that is being brought about.
    pub target_power: Option<String>,
    /// The provision state; `None` if Ironic did not say it.
    pub provision: Option<ProvisionState>,
    /// The provision state that is being brought about.
    pub target_provision: Option<String>,
    /// The time when the provision state last changed.
    pub provision_updated_at: Option<String>,
    /// The sentence of the last error.
    pub last_error: Option<String>,
}

/// The provision states of a node.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum ProvisionState {
    /// Created, and its BMC was not tried.
    Enroll,
    /// Its BMC works.
    Manageable,
    /// Free to be deployed.
    Available,
    /// Deployed or adopted.
    Active,
    /// Undeploying failed.
    Error,
    /// Booted into a rescue system.
    Rescue,
    /// Something is at work, such as `deploying` or `clean wait`.
    Working(String),
    /// A step waits for the order to go on, such as `clean hold`.
    Held(String),
    /// Something failed, such as `deploy failed`.
    Failed(String),
    /// A state that is not known here.
    Other(String),
}

impl ProvisionState {
    /// Reads the name of a state.
    pub fn parse(name: &str) -> Self {
        match name {
            "enroll" => Self::Enroll,
            "manageable" => Self::Manageable,
            "available" => Self::Available,
            "active" => Self::Active,
            "error" => Self::Error,
            "rescue" => Self::Rescue,
            name if name.ends_with(" failed") => Self::Failed(name.to_owned()),
            name if name.ends_with(" hold") => Self::Held(name.to_owned()),
            // All others that Ironic has: `verifying`, `inspecting`, `wait call-back`, `clean wait` and so on.
            name if name.ends_with("ing") || name.ends_with(" wait") || name == "wait call-back" => {
                Self::Working(name.to_owned())
            }
            other => Self::Other(other.to_owned()),
        }
    }
}

impl fmt::Display for ProvisionState {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        out.write_str(match self {
            Self::Enroll => "enroll",
            Self::Manageable => "manageable",
            Self::Available => "available",
            Self::Active => "active",
            Self::Error => "error",
            Self::Rescue => "rescue",
            Self::Working(name) | Self::Held(name) | Self::Failed(name) | Self::Other(name) => name,
        })
    }
}

impl States {
    /// Reads the states of a node, or the answer about its states, which have the same names.
    ///
    /// # Errors
    /// Returns the member that has a wrong type.
    pub fn read(fields: &Fields<'_>) -> Result<Self, Fault> {
        Ok(Self {
            power: fields.text("power_state")?,
            target_power: fields.text("target_power_state")?,
            provision: fields.text("provision_state")?.map(|name| ProvisionState::parse(&name)),
            target_provision: fields.text("target_provision_state")?,
            provision_updated_at: fields.text("provision_updated_at")?,
            last_error: fields.text("last_error")?,
        })
    }
}

impl Node {
    /// Reads a node.
    ///
    /// # Errors
    /// Returns the member that is missing or has a wrong type.
    pub fn read(fields: &Fields<'_>) -> Result<Self, Fault> {
        Ok(Self {
            uuid: id(fields)?,
            name: fields.text("name")?,
            driver: fields.text("driver")?,
            driver_info: fields.map("driver_info")?,
            properties: fields.map("properties")?,
            extra: fields.map("extra")?,
            instance_info: fields.map("instance_info")?,
            instance_uuid: fields.text("instance_uuid")?,
            resource_class: fields.text("resource_class")?,
            traits: fields.texts("traits")?,
            description: fields.text("description")?,
            owner: fields.text("owner")?,
            lessee: fields.text("lessee")?,
            conductor_group: fields.text("conductor_group")?,
            states: States::read(fields)?,
            maintenance: fields.flag("maintenance")?.unwrap_or_default(),
            maintenance_reason: fields.text("maintenance_reason")?,
            fault: fields.text("fault")?,
            retired: fields.flag("retired")?.unwrap_or_default(),
            retired_reason: fields.text("retired_reason")?,
            protected: fields.flag("protected")?.unwrap_or_default(),
            automated_clean: fields.flag("automated_clean")?,
            reservation: fields.text("reservation")?,
            boot_mode: fields.text("boot_mode")?,
            secure_boot: fields.flag("secure_boot")?,
            boot_interface: fields.text("boot_interface")?,
            deploy_interface: fields.text("deploy_interface")?,
            inspect_interface: fields.text("inspect_interface")?,
            inspection_finished_at: fields.text("inspection_finished_at")?,
            created_at: fields.text("created_at")?,
            updated_at: fields.text("updated_at")?,
        })
    }
}

/// A port: a network interface of a node.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Port {
    /// The id.
    pub uuid: String,
    /// The id of the node.
    pub node: String,
    /// The MAC address, which is unique in Ironic.
    pub address: String,
    /// The name, which is unique if there is one.
    pub name: Option<String>,
    /// True if the node can boot from the network by it.
    pub pxe_enabled: bool,
    /// The id of the port group that it is a member of.
    pub portgroup: Option<String>,
    /// The network that it is cabled to.
    pub physical_network: Option<String>,
    /// The port of the switch that it is cabled to.
    pub link: Link,
    /// The values that operators keep with the port.
    pub extra: Map<String, Value>,
}

/// The other end of the cable of a port, as `local_link_connection` has it.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Link {
    /// The id of the switch, usually its MAC address.
    pub switch_id: Option<String>,
    /// The name of the port at the switch.
    pub port_id: Option<String>,
    /// The name of the switch.
    pub switch_info: Option<String>,
}

impl Port {
    /// Reads a port.
    ///
    /// # Errors
    /// Returns the member that is missing or has a wrong type.
    pub fn read(fields: &Fields<'_>) -> Result<Self, Fault> {
        let link = fields.object("local_link_connection")?;
        Ok(Self {
            uuid: id(fields)?,
            node: required(fields, "node_uuid")?,
            address: required(fields, "address")?,
            name: fields.text("name")?,
            // Ironic's own default.
            pxe_enabled: fields.flag("pxe_enabled")?.unwrap_or(true),
            portgroup: fields.text("portgroup_uuid")?,
            physical_network: fields.text("physical_network")?,
            link: link.map_or_else(|| Ok(Link::default()), |link| Link::read(&link))?,
            extra: fields.map("extra")?,
        })
    }
}

impl Link {
    fn read(fields: &Fields<'_>) -> Result<Self, Fault> {
        Ok(Self {
            switch_id: fields.text("switch_id")?,
            port_id: fields.text("port_id")?,
            switch_info: fields.text("switch_info")?,
        })
    }
}

/// A port group: ports of a node that are bonded.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Portgroup {
    /// The id.
    pub uuid: String,
    /// The id of the node.
    pub node: String,
    /// The name, which is unique if there is one.
    pub name: Option<String>,
    /// The MAC address, if it has one of its own.
    pub address: Option<String>,
    /// The mode of the bond, such as `802.3ad`.
    pub mode: Option<String>,
}

impl Portgroup {
    /// Reads a port group.
    ///
    /// # Errors
    /// Returns the member that is missing or has a wrong type.
    pub fn read(fields: &Fields<'_>) -> Result<Self, Fault> {
        Ok(Self {
            uuid: id(fields)?,
            node: required(fields, "node_uuid")?,
            name: fields.text("name")?,
            address: fields.text("address")?,
            mode: fields.text("mode")?,
        })
    }
}

fn id(fields: &Fields<'_>) -> Result<String, Fault> {
    required(fields, "uuid")
}

fn required(fields: &Fields<'_>, name: &str) -> Result<String, Fault> {
    fields.text(name)?.ok_or_else(|| fields.wrong(name, "a text that is not empty", &Value::Null))
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    fn read(node: &Value) -> Result<Node, Fault> {
        Node::read(&Fields::new("nodes[0]".to_owned(), node.as_object().expect("an object")))
    }

    #[test]
    fn a_node_is_read_from_what_is_there() {
        let node = json!({"uuid": "7", "provision_state": "clean failed", "maintenance": null, "traits": ["CUSTOM_A"]});
        let node = read(&node).expect("a node");
        assert_eq!(node.states.provision, Some(ProvisionState::Failed("clean failed".to_owned())));
        assert_eq!((node.uuid.as_str(), node.maintenance, node.traits.len(), node.name), ("7", false, 1, None));
    }

    #[test]
    fn a_fault_has_a_path_and_no_value() {
        for (node, expected) in [
            (json!({}), "nodes[0].uuid must be a text that is not empty, not null"),
            (json!({"uuid": "7", "driver_info": "hunter2"}), "nodes[0].driver_info must be an object, not a text"),
            (json!({"uuid": "7", "traits": [1]}), "nodes[0].traits[0] must be a text, not a number"),
            (json!({"uuid": "7", "maintenance": "no"}), "nodes[0].maintenance must be true or false, not a text"),
        ] {
            assert_eq!(read(&node).expect_err("a fault").to_string(), expected);
        }
    }

    #[test]
    fn every_state_of_ironic_is_known_and_keeps_its_name() {
        for (name, expected) in [
            ("active", ProvisionState::Active),
            ("verifying", ProvisionState::Working("verifying".to_owned())),
            ("wait call-back", ProvisionState::Working("wait call-back".to_owned())),
            ("clean wait", ProvisionState::Working("clean wait".to_owned())),
            ("deploy hold", ProvisionState::Held("deploy hold".to_owned())),
            ("adopt failed", ProvisionState::Failed("adopt failed".to_owned())),
            ("dreaming of it", ProvisionState::Other("dreaming of it".to_owned())),
        ] {
            assert_eq!(ProvisionState::parse(name), expected);
            assert_eq!(expected.to_string(), name);
        }
    }
}
