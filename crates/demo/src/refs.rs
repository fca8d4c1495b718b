//! References as items hold them: an object by its key, within its parent's key.

use serde_json::{Value, json};

pub(super) fn region(name: &str) -> Value {
    json!({"region": name})
}

pub(super) fn site(name: &str) -> Value {
    json!({"site": name})
}

/// A location; the demo names locations uniquely in their site, so the parent need not be told.
pub(super) fn location(site: &str, name: &str) -> Value {
    json!({"site": site, "location": name})
}

/// A power feed of a rack, or of the site.
pub(super) fn power_feed(site: &str, rack: Option<&str>, name: &str) -> Value {
    match rack {
        Some(rack) => json!({"site": site, "rack": rack, "powerFeed": name}),
        None => json!({"site": site, "powerFeed": name}),
    }
}

pub(super) fn provider(name: &str) -> Value {
    json!({"provider": name})
}

pub(super) fn provider_network(provider: &str, name: &str) -> Value {
    json!({"provider": provider, "providerNetwork": name})
}

pub(super) fn cluster(name: &str) -> Value {
    json!({"cluster": name})
}

pub(super) fn cable(name: &str) -> Value {
    json!({"cable": name})
}

/// The end of a cable, or a source of power, that is a port.
pub(super) fn port_end(port: Value) -> Value {
    json!({"port": port})
}

/// The end of a cable, or a source of power, that is a power feed.
pub(super) fn feed_end(feed: Value) -> Value {
    json!({"powerFeed": feed})
}

/// The end of a cable that is an end of a circuit.
pub(super) fn circuit_end(provider: &str, circuit: &str, side: &str) -> Value {
    json!({"circuitTermination": {"provider": provider, "circuit": circuit, "side": side}})
}

/// The family of a port type: port names are unique within it.
pub(super) fn family(port_type: &str) -> &'static str {
    match port_type {
        "SERIAL" => "SERIAL",
        "POWER_INLET" => "INLET",
        "POWER_OUTLET" => "OUTLET",
        "PATCH_FRONT" => "FRONT",
        "PATCH_REAR" => "REAR",
        _ => "DATA",
    }
}

/// What ports belong to: a device or a rack.
#[derive(Clone, Debug)]
pub(super) struct Owner {
    kind: &'static str,
    pub(super) site: &'static str,
    pub(super) name: String,
}

impl Owner {
    pub(super) fn device(site: &'static str, name: String) -> Self {
        Self { kind: "device", site, name }
    }

    pub(super) fn rack(site: &'static str, name: String) -> Self {
        Self { kind: "rack", site, name }
    }

    /// The member of an item that names the owner: `device` or `rack`.
    pub(super) fn kind(&self) -> &'static str {
        self.kind
    }

    pub(super) fn reference(&self) -> Value {
        json!({"site": self.site, self.kind: self.name})
    }

    /// A port of it, whether written yet or not.
    pub(super) fn port(&self, port_type: &str, name: &str) -> Value {
        json!({"site": self.site, self.kind: self.name, "family": family(port_type), "port": name})
    }

    /// A port of it as the end of a cable.
    pub(super) fn end(&self, port_type: &str, name: &str) -> Value {
        port_end(self.port(port_type, name))
    }
}
