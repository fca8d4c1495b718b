//! Builds the references of items: an object by its key, within its parent's key.

use serde_json::{Value, json};

pub(super) fn region(name: &str) -> Value {
    json!({"region": name})
}

pub(super) fn site(name: &str) -> Value {
    json!({"site": name})
}

/// Returns a reference to a location. Location names of the demo are unique in their site, so the parent is not needed.
pub(super) fn location(site: &str, name: &str) -> Value {
    json!({"site": site, "location": name})
}

/// Returns a reference to a power feed of a rack, or of the site.
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

/// Returns a port as the end of a cable, or as a source of power.
pub(super) fn port_end(port: Value) -> Value {
    json!({"port": port})
}

/// Returns a power feed as the end of a cable, or as a source of power.
pub(super) fn feed_end(feed: Value) -> Value {
    json!({"powerFeed": feed})
}

/// Returns an end of a circuit as the end of a cable.
pub(super) fn circuit_end(provider: &str, circuit: &str, side: &str) -> Value {
    json!({"circuitTermination": {"provider": provider, "circuit": circuit, "side": side}})
}

/// Returns the family of a port type. Port names are unique within a family.
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

/// The owner of ports: a device or a rack.
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

    /// Returns the member of an item that names the owner: `device` or `rack`.
    pub(super) fn kind(&self) -> &'static str {
        self.kind
    }

    pub(super) fn reference(&self) -> Value {
        json!({"site": self.site, self.kind: self.name})
    }

    /// Returns a reference to a port of the owner, which need not be written yet.
    pub(super) fn port(&self, port_type: &str, name: &str) -> Value {
        json!({"site": self.site, self.kind: self.name, "family": family(port_type), "port": name})
    }

    /// Returns a port of the owner as the end of a cable.
    pub(super) fn end(&self, port_type: &str, name: &str) -> Value {
        port_end(self.port(port_type, name))
    }
}
