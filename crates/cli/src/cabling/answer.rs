//! The answer of the server about the cabling of a host.

use serde::Deserialize;
use serde::de::IgnoredAny;
use serde_json::Value;

/// The verdicts about which something can be done.
const MISMATCHES: [&str; 3] = [DIFFERS, NOT_RECORDED, "UNKNOWN_NEIGHBOUR"];
/// The verdict that another port or device is heard than the far end that is recorded.
pub(super) const DIFFERS: &str = "DIFFERS";
/// The verdict that a port or device is heard and no far end is recorded.
pub(super) const NOT_RECORDED: &str = "NOT_RECORDED";
/// The GraphQL selection for a port, with all that a cable at it depends on.
const PORT: &str = "id name type family markConnected device { name site { name } } parent { id } \
     circuitTermination { id } cable { name lanes { aPosition } aEnds { ... on Port { id } } bEnds { ... on Port { id } } }";

/// Returns the GraphQL selection for a host.
pub(super) fn selection() -> String {
    format!(
        "name cabling {{ interface verdict port {{ {PORT} }} recorded {{ {PORT} }} heard {{ \
         neighbour {{ chassisId systemName portId portDescription }} port {{ {PORT} }} device {{ name }} }} }}"
    )
}

#[derive(Deserialize)]
struct Host {
    name: String,
    cabling: Option<Vec<Value>>,
}

/// An interface of a host that was checked.
#[derive(Debug, Deserialize)]
pub(super) struct Checked {
    #[serde(skip)]
    pub(super) host: String,
    pub(super) interface: String,
    pub(super) verdict: String,
    pub(super) port: Option<Port>,
    pub(super) recorded: Vec<Port>,
    pub(super) heard: Vec<Heard>,
    /// The interface as the server has it, with the name of the host.
    #[serde(skip)]
    pub(super) raw: Value,
}

/// A port of a device.
#[derive(Clone, Debug, Deserialize)]
#[serde(rename_all = "camelCase")]
pub(super) struct Port {
    pub(super) id: String,
    pub(super) name: String,
    pub(super) r#type: String,
    pub(super) family: String,
    pub(super) mark_connected: bool,
    pub(super) device: Option<Device>,
    pub(super) parent: Option<IgnoredAny>,
    pub(super) circuit_termination: Option<IgnoredAny>,
    pub(super) cable: Option<Cable>,
}

/// The device of a port.
#[derive(Clone, Debug, Deserialize)]
pub(super) struct Device {
    pub(super) name: String,
    pub(super) site: Named,
}

/// An object of which only the name matters.
#[derive(Clone, Debug, Deserialize)]
pub(super) struct Named {
    pub(super) name: String,
}

/// The cable on a port.
#[derive(Clone, Debug, Deserialize)]
#[serde(rename_all = "camelCase")]
pub(super) struct Cable {
    pub(super) name: String,
    pub(super) lanes: Vec<IgnoredAny>,
    pub(super) a_ends: Vec<End>,
    pub(super) b_ends: Vec<End>,
}

/// An end of a cable, with its id if it is a port.
#[derive(Clone, Debug, Deserialize)]
pub(super) struct End {
    pub(super) id: Option<String>,
}

/// A neighbour that is heard, with what it leads to.
#[derive(Debug, Deserialize)]
pub(super) struct Heard {
    neighbour: Neighbour,
    pub(super) port: Option<Port>,
    device: Option<Named>,
}

#[derive(Debug, Deserialize)]
#[serde(rename_all = "camelCase")]
struct Neighbour {
    chassis_id: String,
    system_name: Option<String>,
    port_id: String,
    port_description: Option<String>,
}

/// Reads the interfaces of a host. A token that sees only a part of the inventory gets none.
pub(super) fn interfaces(node: Value) -> Result<Vec<Checked>, String> {
    let other_form = |error| format!("the server sent a host in another form: {error}");
    let Host { name, cabling } = serde_json::from_value(node).map_err(other_form)?;
    let cabling = cabling.ok_or("the token sees only a part of the inventory, so it cannot check cabling")?;
    let read = |mut raw: Value| {
        let checked: Checked = serde_json::from_value(raw.clone()).map_err(other_form)?;
        raw["host"] = name.clone().into();
        Ok(Checked { host: name.clone(), raw, ..checked })
    };
    cabling.into_iter().map(read).collect()
}

impl Checked {
    /// Returns true if something is heard that is not recorded.
    pub(super) fn is_mismatch(&self) -> bool {
        MISMATCHES.contains(&self.verdict.as_str())
    }
}

impl Port {
    /// Returns the port as it is shown: its device and its name.
    pub(super) fn shown(&self) -> String {
        let device = self.device.as_ref().map(|device| format!("{}/", device.name)).unwrap_or_default();
        format!("{device}{}", self.name)
    }
}

impl Heard {
    /// Returns the port that the neighbour leads to; if there is none, what it says itself.
    pub(super) fn shown(&self) -> String {
        if let Some(port) = &self.port {
            return port.shown();
        }
        let Neighbour { chassis_id, system_name, port_id, port_description } = &self.neighbour;
        let device = self.device.as_ref().map(|device| &device.name);
        let device = device.or(system_name.as_ref()).unwrap_or(chassis_id);
        format!("{device}/{}", port_description.as_ref().unwrap_or(port_id))
    }
}
