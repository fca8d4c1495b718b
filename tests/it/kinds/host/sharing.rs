//! Hosts that would be one machine are refused, by their addresses and by what identifies them.

use serde_json::{Value, json};

use crate::harness::world::{How, World, errors};

const UUID: &str = "38947555-7742-3448-3784-823347823834";
const OTHER_UUID: &str = "11111111-7742-3448-3784-823347823834";

fn host(name: &str, fields: &Value) -> Value {
    let mut host = fields.clone();
    host["name"] = json!(name);
    json!({ "host": host })
}

/// Two hosts, and the field that a refusal of the second one names; none if both are accepted.
#[test]
fn two_hosts_of_one_machine_are_refused() {
    let (one, two) = ("redfish://bmc-1/redfish/v1/Systems/1", "redfish://bmc-1/redfish/v1/Systems/2");
    let at = |url: &str, more: Value| {
        let mut fields = more;
        fields["bmcUrl"] = json!(url);
        fields
    };
    let domain = "9a1b2c3d-0000-4000-8000-00000000000a";
    let table = [
        (
            "the same address",
            at(one, json!({})),
            at("redfish://BMC-1:443/redfish/v1/Systems/1/", json!({})),
            Some("bmcUrl"),
        ),
        ("two systems of a BMC", at(one, json!({})), at(two, json!({})), None),
        ("one without a path", at(one, json!({})), at("redfish://bmc-1", json!({})), Some("bmcUrl")),
        ("another protocol", at(one, json!({})), at("ipmi://bmc-1", json!({})), Some("bmcUrl")),
        (
            "another protocol, and other machines by what they say",
            at(one, json!({"uid": UUID})),
            at("ipmi://bmc-1", json!({"uid": OTHER_UUID})),
            None,
        ),
        (
            "a UUID and a serial number cannot be compared",
            at(one, json!({"uid": UUID})),
            at("ipmi://bmc-1", json!({"uid": "CN-1"})),
            Some("bmcUrl"),
        ),
        ("another port", at("redfish://bmc-1", json!({})), at("redfish://bmc-1:8443", json!({})), None),
        ("another BMC", at("redfish://bmc-1", json!({})), at("redfish://bmc-2", json!({})), None),
        (
            "a domain on two hypervisors",
            at(&format!("libvirt+tls://kvm1/system#{domain}"), json!({})),
            at(&format!("libvirt+ssh://kvm2/system#{domain}"), json!({})),
            Some("bmcUrl"),
        ),
        (
            "a simulated machine",
            at("simulated://m1?delay=1s", json!({})),
            at("simulated://m1", json!({})),
            Some("bmcUrl"),
        ),
        ("no addresses", json!({}), json!({}), None),
        (
            "a UUID in two spellings",
            json!({"uid": UUID}),
            json!({"uid": UUID.replace('-', "").to_uppercase()}),
            Some("uid"),
        ),
        (
            "a UUID in two orders of its bytes",
            json!({"uid": UUID}),
            json!({"uid": "55759438-4277-4834-3784-823347823834"}),
            Some("uid"),
        ),
        ("a serial number", json!({"uid": "CN-1"}), json!({"uid": UUID, "serial": " cn-1 "}), Some("serial")),
        (
            "a serial number, and different UUIDs",
            json!({"uid": UUID, "serial": "CN-1"}),
            json!({"uid": OTHER_UUID, "serial": "CN-1"}),
            None,
        ),
        ("a chassis", at(one, json!({"serial": "CN-1"})), at(two, json!({"serial": "CN-1"})), None),
        ("junk", json!({"serial": "To Be Filled By O.E.M."}), json!({"serial": "To Be Filled By O.E.M."}), None),
        (
            "a MAC address",
            json!({"bootMac": "52:54:00:aa:bb:01"}),
            json!({"bootMac": "52-54-00-AA-BB-01"}),
            Some("bootMac"),
        ),
        (
            "a MAC address, and different serial numbers",
            json!({"serial": "CN-1", "bootMac": "52:54:00:aa:bb:01"}),
            json!({"serial": "CN-2", "bootMac": "52:54:00:aa:bb:01"}),
            None,
        ),
    ];
    for (what, first, second, expected) in table {
        let world = World::of(json!([host("first", &first)]));
        let found = errors(&world.plan(json!([host("second", &second)]), &How::default()));
        let expected: Vec<(&str, &str)> = expected.map(|field| ("DUPLICATE", field)).into_iter().collect();
        let seen: Vec<(&str, &str)> = found.iter().map(|(code, field, _)| (code.as_str(), field.as_str())).collect();
        assert_eq!(seen, expected, "{what}: {found:?}");
        assert!(found.iter().all(|(_, _, message)| message.contains("host/first")), "{what}: {found:?}");
        // The order in which they come does not matter, nor that they come together.
        let world = World::of(json!([host("second", &second)]));
        let turned = errors(&world.plan(json!([host("first", &first)]), &How::default()));
        assert_eq!(turned.is_empty(), expected.is_empty(), "{what}, turned: {turned:?}");
        let together = json!([host("first", &first), host("second", &second)]);
        let together = errors(&World::empty().plan(together, &How::default()));
        assert_eq!(together.is_empty(), expected.is_empty(), "{what}, together: {together:?}");
    }
}

#[test]
fn hosts_change_places_in_one_batch() {
    let at = |name: &str, url: &str| host(name, &json!({ "bmcUrl": url }));
    let mut world = World::of(json!([at("a", "redfish://bmc-1"), at("b", "redfish://bmc-2")]));
    let refused = errors(&world.plan(json!([at("a", "redfish://bmc-2")]), &How::default()));
    assert_eq!(refused.len(), 1, "{refused:?}");
    world.write(json!([at("a", "redfish://bmc-2"), at("b", "redfish://bmc-1")]));
    assert_eq!(world.field("host", "a", "bmcUrl"), "redfish://bmc-2");
}
