//! The switches that the ports of nodes are cabled to, as LLDP reports: a device for each switch, a port for each port
//! that is named, and a cable.
//!
//! Only what is unambiguous becomes something. A switch must have one name wherever it is named, which no other switch has;
//! a port of a switch must be named by one port of a node.

use std::collections::{BTreeMap, BTreeSet};

use serde_json::json;

use super::draft::Draft;
use super::{CABLE, Context, DEVICE, Mapped, PORT, mac, reference};
use crate::client::Link;

/// Gathers the other ends of cables.
#[derive(Debug, Default)]
pub struct Switches {
    switches: BTreeMap<String, Switch>,
}

#[derive(Debug, Default)]
struct Switch {
    names: BTreeSet<String>,
    /// The ports of nodes that name each port of the switch.
    ports: BTreeMap<String, Vec<String>>,
}

impl Switches {
    /// Notes the other end of the cable of a port.
    pub fn add(&mut self, port: &str, link: &Link) {
        let (Some(switch), Some(other)) = (&link.switch_id, &link.port_id) else { return };
        // The same address comes in several notations.
        let id = mac(switch).unwrap_or_else(|| switch.trim().to_owned());
        let switch = self.switches.entry(id).or_default();
        if let Some(name) = link.switch_info.as_deref().map(str::trim).filter(|name| !name.is_empty()) {
            switch.names.insert(name.to_owned());
        }
        switch.ports.entry(other.trim().to_owned()).or_default().push(port.to_owned());
    }

    /// Maps the switches, their ports and the cables.
    pub fn mapped(self, cx: &Context) -> Mapped {
        let mut mapped = Mapped::default();
        let mut owners: BTreeMap<&str, u32> = BTreeMap::new();
        for name in self.switches.values().flat_map(|switch| &switch.names) {
            *owners.entry(name.as_str()).or_default() += 1;
        }
        for (id, switch) in &self.switches {
            let is_clear =
                switch.names.len() <= 1 && switch.names.iter().all(|name| owners.get(name.as_str()) == Some(&1));
            let cables = u64::try_from(switch.ports.values().map(Vec::len).sum::<usize>()).unwrap_or(u64::MAX);
            if is_clear {
                switch.emit(cx, id, &mut mapped);
            } else {
                mapped.left_out.push(("cables to a switch whose name is not clear", cables));
            }
        }
        mapped
    }
}

impl Switch {
    fn emit(&self, cx: &Context, id: &str, mapped: &mut Mapped) {
        let device = format!("switch:{id}");
        let mut draft = Draft::new(DEVICE, &device);
        draft.set("name", self.names.first().map_or(id, String::as_str));
        draft.set("role", "SWITCH");
        draft.set("site", json!({ "site": cx.site }));
        draft.set("externalRefs", cx.external_ref(&device, None));
        draft.finish(mapped);
        for (name, ports) in &self.ports {
            let [port] = ports.as_slice() else {
                mapped.left_out.push(("cables to a port of a switch that several ports name", ports.len() as u64));
                continue;
            };
            let other = format!("{device}/{name}");
            let mut draft = Draft::new(PORT, &other);
            draft.set("name", name.as_str());
            draft.set("device", reference(&device));
            draft.set("type", "ETHERNET");
            draft.set("externalRefs", cx.external_ref(&other, None));
            draft.finish(mapped);
            let mut draft = Draft::new(CABLE, port);
            draft.set("aEnds", json!([{ "port": reference(port) }]));
            draft.set("bEnds", json!([{ "port": reference(&other) }]));
            draft.set("externalRefs", cx.external_ref(port, None));
            draft.finish(mapped);
        }
    }
}
