//! Writes regions, sites and locations. Each rack is written with its devices.

use serde_json::{Value, json};

use super::item::Items;
use super::plan::{EDGE, Plan, RACK_UNITS, RackPlan, SitePlan};
use super::{power, refs};

/// Writes the regions, the sites with their locations, and the utility feeds of the sites.
pub(super) fn write(items: &mut Items, plan: &Plan) {
    for (name, display, parent) in [
        ("europe", "Europe", None),
        ("eu-west", "Western Europe", Some("europe")),
        ("ams-metro", "Amsterdam metro", Some("eu-west")),
        ("rtm-metro", "Rotterdam metro", Some("eu-west")),
    ] {
        items.add("region", json!({"name": name, "displayName": display, "parent": parent.map(refs::region)}));
    }
    site(items, "ams1", ["Amsterdam South-East", "Voorbeeldkade 14, Amsterdam"], [52.303, 4.938]);
    site(items, "ams2", ["Amsterdam North-West", "Proefpolderweg 7, Haarlemmermeer"], [52.391, 4.783]);
    site(items, EDGE, ["Rotterdam edge", "Testhavenstraat 3, Rotterdam"], [51.917, 4.486]);
    for metro in &plan.sites {
        metro_locations(items, metro);
        power::write_utility(items, metro.name, 2_500);
    }
    location(items, EDGE, "room-1", "ROOM", None);
    location(items, EDGE, "cage-1", "CAGE", Some("room-1"));
    power::write_utility(items, EDGE, 63);
}

fn site(items: &mut Items, name: &str, [display, address]: [&str; 2], [latitude, longitude]: [f64; 2]) {
    let edge = name == EDGE;
    let (region, tier) = if edge { ("rtm-metro", "edge") } else { ("ams-metro", "core") };
    items.add(
        "site",
        json!({
            "name": name,
            "displayName": display,
            "region": refs::region(region),
            "provider": refs::provider(landlord(name)),
            "type": if edge { "EDGE" } else { "DATACENTER" },
            "address": address,
            "coordinates": {"latitude": latitude, "longitude": longitude},
            "timeZone": "Europe/Amsterdam",
            "labels": {"env": "prod", "tier": tier},
            "externalRefs": [{"source": "facility-book", "externalId": format!("FB-{name}")}],
        }),
    );
}

/// Returns the provider that runs the facility of a site and its cross-connects.
pub(super) fn landlord(site: &str) -> &'static str {
    match site {
        "ams1" => "lowfield",
        "ams2" => "dunegate",
        _ => "maaswijk",
    }
}

/// Writes the locations of a data centre: building, hall with a cage of two rows for each pod, meet-me rooms, power
/// rooms.
fn metro_locations(items: &mut Items, site: &SitePlan) {
    location(items, site.name, "building-1", "BUILDING", None);
    location(items, site.name, "floor-0", "FLOOR", Some("building-1"));
    location(items, site.name, "hall-1", "ROOM", Some("floor-0"));
    for room in ["mmr-1", "mmr-2", "power-a", "power-b"] {
        location(items, site.name, room, "ROOM", Some("floor-0"));
    }
    for pod in &site.pods {
        let cage = format!("cage-c{}", pod.number + 1);
        location(items, site.name, &cage, "CAGE", Some("hall-1"));
        for row in pod.rows() {
            location(items, site.name, &format!("row-{}", row.to_lowercase()), "ROW", Some(&cage));
        }
    }
}

fn location(items: &mut Items, site: &str, name: &str, kind: &str, parent: Option<&str>) {
    let parent = parent.map(|parent| refs::location(site, parent));
    items.add("location", json!({"name": name, "site": refs::site(site), "parent": parent, "type": kind}));
}

/// Adds a rack.
pub(super) fn write_rack(items: &mut Items, rack: &RackPlan, role: &str, tenant: Option<&str>) {
    let asset_tag = items.asset_tag();
    let fields = json!({
        "name": rack.name,
        "site": refs::site(rack.site),
        "location": refs::location(rack.site, &rack.location),
        "cage": rack.cage,
        "row": rack.row,
        "heightU": RACK_UNITS,
        "assetTag": asset_tag,
        "status": rack.status,
        "tenant": tenant,
        "labels": {"env": "prod", "role": role},
        "attributes": attributes(rack),
    });
    items.add("rack", fields);
}

fn attributes(rack: &RackPlan) -> Value {
    match rack.status {
        Some(_) => json!({"project": "ams2-growth", "powerBudgetKw": 12}),
        None => Value::Null,
    }
}
