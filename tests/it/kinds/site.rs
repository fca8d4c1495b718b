//! Sites: their fields, with the types and the states that they can have.

use serde_json::{Value, json};

use crate::harness::world::{World, accept_all, refuse_all};

#[test]
fn sites() {
    let world = World::of(json!([{"region": {"name": "eu"}}, {"provider": {"name": "equinix", "type": "COLOCATION"}}]));
    let site = |field: &str, value: Value| json!([{"site": {"name": "s", "type": "EDGE", field: value}}]);
    let everything = json!([{"site": {
        "name": "s", "type": "DATACENTER", "displayName": "S", "region": "eu", "provider": "equinix",
        "address": "Street 1\n1000 Town", "coordinates": {"latitude": 52.3, "longitude": 4.9},
        "timeZone": "Europe/Amsterdam", "status": "PLANNED"
    }}]);
    accept_all(&world, &[("everything", everything)]);
    for r#type in ["DATACENTER", "AVAILABILITY_ZONE", "EDGE", "VIRTUAL", "OTHER"] {
        accept_all(&world, &[(r#type, site("type", json!(r#type)))]);
    }
    for status in ["PLANNED", "STAGED", "ACTIVE", "OFFLINE", "FAILED", "DECOMMISSIONING", "RETIRED"] {
        accept_all(&world, &[(status, site("status", json!(status)))]);
    }
    let table = [
        (
            "type",
            json!("MOON"),
            "INVALID",
            "type",
            "one of DATACENTER, AVAILABILITY_ZONE, EDGE, VIRTUAL, OTHER, not \"MOON\"",
        ),
        ("type", json!("edge"), "INVALID", "type", "must be one of"),
        ("status", json!("DEAD"), "INVALID", "status", "PLANNED, STAGED, ACTIVE, OFFLINE, FAILED"),
        ("timeZone", json!("Amsterdam"), "INVALID", "timeZone", "must be an IANA time zone such as Europe/Amsterdam"),
        ("coordinates", json!({"latitude": 91, "longitude": 0}), "INVALID", "coordinates.latitude", "-90 to 90"),
        ("region", json!("mars"), "NOT_FOUND", "region", "Region mars does not exist"),
        ("provider", json!("acme"), "NOT_FOUND", "provider", "Provider acme does not exist"),
        ("region", json!(7), "INVALID", "region", "must be a reference to a Region, not 7"),
    ];
    for (field, value, code, path, says) in table {
        refuse_all(&world, &[(field, site(field, value), code, path, says)]);
    }
    let mut world = world;
    world.write(site("displayName", Value::Null));
    assert_eq!(world.field("site", "s", "status"), "ACTIVE", "the default");
}
