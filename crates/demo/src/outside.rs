//! Writes the providers and their networks: colocation, carriers, an exchange and a cloud, all of them invented.

use serde_json::{Value, json};

use super::item::Items;
use super::refs;

pub(super) const GREYLAG: &str = "greylag";
pub(super) const HERONPATH: &str = "heronpath";
pub(super) const FARPOINT: &str = "farpoint";
pub(super) const QUILLNET: &str = "quillnet";
pub(super) const OSPREY: &str = "osprey-carrier";
pub(super) const NORTHLOCK: &str = "northlock-ix";
pub(super) const CIRROLANE: &str = "cirrolane";

/// A provider: name, display name, type, contract number, and its service identifiers, such as its ASN.
type Provider = (&'static str, &'static str, &'static str, u32, &'static [(&'static str, &'static str)]);

const PROVIDERS: [Provider; 10] = [
    ("lowfield", "Lowfield Halls", "COLOCATION", 1_204, &[("customer-number", "LFH-88213")]),
    ("dunegate", "Dunegate Facilities", "COLOCATION", 1_377, &[("customer-number", "DG-4410")]),
    ("maaswijk", "Maaswijk Edge Rooms", "COLOCATION", 1_420, &[("customer-number", "MW-0092")]),
    (GREYLAG, "Greylag Fibre", "DARK_FIBER", 1_251, &[("fibre-lease", "GLF-2021-07")]),
    (HERONPATH, "Heronpath Networks", "DARK_FIBER", 1_252, &[("fibre-lease", "HP/IRU/19")]),
    (FARPOINT, "Farpoint Transit", "TRANSIT", 1_301, &[("asn", "64496"), ("noc-pin", "771204")]),
    (QUILLNET, "Quillnet", "TRANSIT", 1_318, &[("asn", "64497")]),
    (OSPREY, "Osprey Carrier", "TRANSIT", 1_333, &[("asn", "64498")]),
    (NORTHLOCK, "Northlock Exchange", "INTERNET_EXCHANGE", 1_340, &[("asn", "64499"), ("member-id", "217")]),
    (CIRROLANE, "Cirrolane Cloud", "CLOUD", 1_402, &[("organisation", "org-5f2c")]),
];

/// The networks behind the circuits of a provider: provider, name, description.
const NETWORKS: [(&str, &str, &str); 5] = [
    (FARPOINT, "farpoint-ip", "full table, both stacks"),
    (QUILLNET, "quillnet-ip", "full table, both stacks"),
    (OSPREY, "osprey-ip", "full table, both stacks"),
    (NORTHLOCK, "northlock-lan", "peering LAN with route servers"),
    (CIRROLANE, "cirrolane-west", "private interconnect to the western zones"),
];

/// Writes the providers and their networks.
pub(super) fn write(items: &mut Items) {
    for (name, display, kind, contract, identifiers) in PROVIDERS {
        let identifiers: Vec<Value> =
            identifiers.iter().map(|(name, identifier)| json!({"name": name, "identifier": identifier})).collect();
        let role = if kind == "COLOCATION" { "facilities" } else { "network" };
        items.add(
            "provider",
            json!({
                "name": name,
                "displayName": display,
                "type": kind,
                "contract": {
                    "contractId": format!("CT-{contract}"),
                    "accountId": format!("ACC-{}", contract * 7),
                    "portalUrl": format!("https://portal.{name}.example"),
                },
                "serviceIdentifiers": identifiers,
                "labels": {"team": role},
            }),
        );
    }
    for (provider, name, description) in NETWORKS {
        let fields = json!({"name": name, "provider": refs::provider(provider), "description": description});
        items.add("providerNetwork", fields);
    }
}
