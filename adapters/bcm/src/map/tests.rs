//! The fields of items, and the values that leave a field as it is.

use serde_json::{Map, Value, json};

use super::*;
use crate::object::Object;

const RACK_ID: &str = "9a9a9a9a-0000-4000-8000-0000000000a1";
const CATEGORY_ID: &str = "5f0e2c44-1111-4b2b-8c3c-000000000001";
const NODE_ID: &str = "7c1d5a1e-0001-4a6b-9f10-aa0000000001";

fn context() -> Context {
    Context {
        source: "bcm".to_owned(),
        base: "https://head:8081/".to_owned(),
        site: "ams1".to_owned(),
        categories: BTreeSet::from([CATEGORY_ID.to_owned()]),
        racks: BTreeSet::from([RACK_ID.to_owned()]),
    }
}

fn object(value: Value) -> Object {
    let Value::Object(members) = value else { panic!("an object") };
    Object::new("POST /json", "[0]".to_owned(), members)
}

fn interface(of: &str, name: &str, ip: &str) -> Value {
    json!({"childType": of, "name": name, "ip": ip})
}

/// Returns a node with other values for some members.
fn with(changes: Value) -> Object {
    let mut node = json!({
        "baseType": "Device", "childType": "LiteNode", "uuid": NODE_ID, "hostname": "gpu-017",
        "mac": "52:54:00:AB:10:17", "category": CATEGORY_ID, "notes": "",
        "bmcSettings": {"userName": "admin", "password": "very secret", "userID": 2},
        "rackPosition": {"rack": RACK_ID, "position": 12, "height": 2},
        "interfaces": [
            interface("NetworkPhysicalInterface", "eth1", "10.9.0.17"),
            interface("NetworkPhysicalInterface", "BOOTIF", "10.141.0.17"),
            interface("NetworkBmcInterface", "rf0", "10.142.0.17"),
        ],
        "extra_values": null,
    });
    let Value::Object(changes) = changes else { panic!("an object") };
    node.as_object_mut().expect("an object").extend(changes);
    object(node)
}

fn fields<'a>(mapped: &'a Mapped, kind: &str) -> &'a Map<String, Value> {
    let item = mapped.items.iter().find(|item| item.id().kind == kind);
    item.unwrap_or_else(|| panic!("no {kind}: {mapped:?}")).fields()
}

fn messages(mapped: &Mapped) -> Vec<String> {
    mapped.bad.iter().map(|bad| format!("{} {}", bad.kind.as_deref().unwrap_or_default(), bad.message)).collect()
}

#[test]
fn a_node_becomes_a_credential_a_device_and_a_host() {
    let mapped = node(&context(), &with(json!({"notes": "# GPU node 17\n\nRow 3.\n"}))).expect("a node");
    assert_eq!(messages(&mapped), Vec::<String>::new());
    let kinds: Vec<&str> = mapped.items.iter().map(|item| item.id().kind.as_str()).collect();
    assert_eq!(kinds, ["credential", "device", "host"]);
    assert!(mapped.items.iter().all(|item| item.id().id == NODE_ID));
    let refs = |page: Option<&str>| {
        let url = page.map(|page| format!("https://head:8081/base-view/{page}/{NODE_ID}"));
        json!([{"source": "bcm", "externalId": NODE_ID, "url": url}])
    };
    let expected = json!({"name": "bmc-gpu-017", "type": "BASIC", "username": "admin", "externalRefs": refs(None),
        "externalId": NODE_ID});
    assert_eq!(Value::Object(fields(&mapped, "credential").clone()), expected);
    let expected = json!({
        "name": "gpu-017", "role": "SERVER", "site": {"site": "ams1"}, "serial": null,
        "placement": {"rack": {"externalId": RACK_ID}, "startUnit": 12, "unitHeight": 2},
        "externalRefs": refs(Some("device")), "externalId": NODE_ID,
    });
    assert_eq!(Value::Object(fields(&mapped, "device").clone()), expected);
    let expected = json!({
        "name": "gpu-017", "machine": {"device": {"externalId": NODE_ID}}, "class": {"externalId": CATEGORY_ID},
        "uid": null, "title": "GPU node 17", "description": "# GPU node 17\n\nRow 3.", "labels": {},
        "bmcUrl": "redfish-virtualmedia://10.142.0.17", "bmcCredential": {"externalId": NODE_ID},
        "bootMac": "52:54:00:ab:10:17", "bootIp": "10.141.0.17", "externalRefs": refs(Some("device")),
        "externalId": NODE_ID,
    });
    assert_eq!(Value::Object(fields(&mapped, "host").clone()), expected);
    let secret = mapped.secret.as_ref().expect("a secret");
    assert_eq!((&*secret.credential, secret.field, &*secret.value), (NODE_ID, "password", "very secret"));
    let all: String = mapped.items.iter().map(|item| item.to_json().expect("JSON")).collect();
    assert!(!all.contains("very secret"), "{all}");
}

#[test]
fn every_member_of_a_node_has_its_field() {
    let physical = |ip| interface("NetworkPhysicalInterface", "BOOTIF", ip);
    let bmc = |name, ip| interface("NetworkBmcInterface", name, ip);
    let rack = json!({ "externalId": RACK_ID });
    for (changes, kind, field, expected) in [
        (json!({"mac": "00:00:00:00:00:00"}), "host", "bootMac", json!(null)),
        (json!({"mac": null}), "host", "bootMac", json!(null)),
        (json!({"category": "00000000-0000-0000-0000-000000000000"}), "host", "class", json!(null)),
        (json!({"category": null}), "host", "class", json!(null)),
        (json!({"notes": "resource_class=big"}), "host", "class", json!({"hostClass": "big"})),
        (json!({"extra_values": {"resource_class": "big"}}), "host", "class", json!({"hostClass": "big"})),
        (json!({"extra_values": {"uid": "4C4C-1"}}), "host", "uid", json!("4C4C-1")),
        (json!({"extra_values": {"serial": "SN1"}}), "device", "serial", json!("SN1")),
        (json!({"extra_values": {"zone": "z1"}}), "host", "labels", json!({"extra.bcm/zone": "z1"})),
        (json!({"bmcSettings": null}), "host", "bmcCredential", json!(null)),
        (json!({"bmcSettings": {"userName": ""}}), "host", "bmcCredential", json!(null)),
        (json!({"interfaces": []}), "host", "bmcUrl", json!(null)),
        (json!({"interfaces": [physical("0.0.0.0")]}), "host", "bootIp", json!(null)),
        (json!({"interfaces": [physical("fd00::17")]}), "host", "bootIp", json!("fd00::17")),
        (json!({"interfaces": [bmc("ipmi0", "10.0.0.1")]}), "host", "bmcUrl", json!("ipmi://10.0.0.1")),
        (json!({"interfaces": [bmc("drac0", "10.0.0.1")]}), "host", "bmcUrl", json!("idrac-virtualmedia://10.0.0.1")),
        (json!({"interfaces": [bmc("ilo12", "fd00::1")]}), "host", "bmcUrl", json!("ilo5-virtualmedia://[fd00::1]")),
        (
            json!({"interfaces": [bmc("ipmi0", "10.0.0.1"), bmc("rf0", "10.0.0.2"), bmc("foo", "10.0.0.3")]}),
            "host",
            "bmcUrl",
            json!("redfish-virtualmedia://10.0.0.2"),
        ),
        (json!({"interfaces": [bmc("rf0", "0.0.0.0")]}), "host", "bmcUrl", json!(null)),
        (json!({"rackPosition": null}), "device", "placement", json!(null)),
        (json!({"rackPosition": {"rack": RACK_ID, "position": 0}}), "device", "placement", json!({ "rack": rack })),
        (
            json!({"rackPosition": {"rack": RACK_ID, "position": 48, "height": 0}}),
            "device",
            "placement",
            json!({"rack": rack, "startUnit": 48, "unitHeight": 1}),
        ),
    ] {
        let mapped = node(&context(), &with(changes.clone())).expect("a node");
        assert_eq!(fields(&mapped, kind).get(field), Some(&expected), "{changes}");
        assert!(mapped.bad.is_empty(), "{changes}: {mapped:?}");
    }
}

#[test]
fn a_wrong_member_leaves_its_field_as_it_is() {
    let bmc = |name, ip| json!([interface("NetworkBmcInterface", name, ip)]);
    for (changes, kind, field, expected) in [
        (json!({"mac": "52:54:00:AB:10"}), "host", "bootMac", "mac must be six bytes such as"),
        (json!({"mac": 17}), "host", "bootMac", "mac must be a text, not a number"),
        (json!({"category": "5f0e"}), "host", "class", "category is \"5f0e\", and BCM has no such category"),
        (json!({"interfaces": {}}), "host", "bootIp", "interfaces must be a list, not an object"),
        (json!({"interfaces": [7]}), "host", "bmcUrl", "interfaces[0] must be an object, not a number"),
        (json!({"interfaces": bmc("bmc0", "10.0.0.1")}), "host", "bmcUrl", "interfaces[0].name must be rf, drac, ilo"),
        (json!({"interfaces": bmc("rf0", "10.0.0.999")}), "host", "bmcUrl", "interfaces[0].ip must be an IP address"),
        (json!({"bmcSettings": []}), "host", "bmcCredential", "bmcSettings must be an object, not a list"),
        (json!({"bmcSettings": {"userName": 1}}), "host", "bmcCredential", "bmcSettings.userName must be a text"),
        (
            json!({"bmcSettings": {"userName": "a", "password": 7}}),
            "credential",
            "none",
            "bmcSettings.password must be",
        ),
        (json!({"extra_values": {"uid": []}}), "host", "none", "extra_values: uid must be a text, not a list"),
        (json!({"notes": 1}), "host", "none", "notes must be a text, not a number"),
        (json!({"notes": "---\na: [\n---\n"}), "host", "none", "notes: the block between --- cannot be read"),
        (json!({"notes": format!("# {}", "x".repeat(300))}), "host", "title", "title has 300 characters; at most 253"),
        (
            json!({"rackPosition": {"rack": "x"}}),
            "device",
            "placement",
            "rackPosition.rack is \"x\", and BCM has no such",
        ),
        (
            json!({"rackPosition": {"rack": RACK_ID, "position": 48, "height": 2}}),
            "device",
            "placement",
            "rackPosition.position 48 with rackPosition.height 2 is above the 48 units",
        ),
        (
            json!({"rackPosition": {"rack": RACK_ID, "position": -1}}),
            "device",
            "placement",
            "rackPosition.position must be a whole number of at least 0, not a number",
        ),
    ] {
        let mapped = node(&context(), &with(changes.clone())).expect("a node");
        assert_eq!(fields(&mapped, kind).get(field), None, "{changes}");
        let reported = messages(&mapped);
        assert!(reported.iter().any(|it| it.starts_with(&format!("{kind} {expected}"))), "{changes}: {reported:?}");
        assert!(!format!("{reported:?}").contains("very secret"), "{reported:?}");
    }
}

#[test]
fn a_node_without_a_usable_name_is_reported_and_stays() {
    for (hostname, expected) in [
        (json!(null), "hostname is empty"),
        (json!(""), "hostname is empty"),
        (json!(17), "hostname must be a text, not a number"),
        (json!("gpu/17"), "hostname must be 1 to 63 lower-case letters"),
        (json!("GPU-17"), "not \"GPU-17\""),
        (json!("-gpu"), "no hyphen at either end"),
        (json!("x".repeat(64)), "hostname must be 1 to 63"),
    ] {
        let mapped = node(&context(), &with(json!({ "hostname": hostname }))).expect("a node");
        assert!(mapped.items.is_empty(), "{mapped:?}");
        let reported = messages(&mapped);
        assert_eq!(reported.len(), 3, "each kind that it may be: {reported:?}");
        assert!(reported.iter().all(|it| it.contains(expected)), "{hostname}: {reported:?}");
    }
}

#[test]
fn an_object_without_an_id_or_a_type_breaks_the_contract() {
    for uuid in [json!(null), json!(""), json!(7), json!("00000000-0000-0000-0000-000000000000")] {
        let error = node(&context(), &with(json!({ "uuid": uuid }))).expect_err("no id").to_string();
        assert!(error.contains("wrong answer at [0].uuid: expected the id of the object"), "{error}");
    }
    for of in [json!(null), json!(""), json!(7)] {
        let error = type_of(&with(json!({ "childType": of }))).expect_err("no type").to_string();
        assert!(error.contains("wrong answer at [0].childType: expected the type of the device"), "{error}");
    }
}

#[test]
fn categories_become_host_classes() {
    let of = |name: Value, notes: &str| {
        let object = object(json!({"uuid": CATEGORY_ID, "name": name, "notes": notes}));
        category(&context(), &object).expect("a category")
    };
    for (notes, name, title, description) in [
        ("", "gpu", json!("BCM gpu category"), json!(null)),
        ("# Big\n\nText.\n", "gpu", json!("Big"), json!("# Big\n\nText.")),
        ("---\nhost_class: gpu-large\n---\n# Big\n", "gpu-large", json!("Big"), json!("# Big")),
        ("+++\nhost_class = \"gpu-large\"\ntitle = \"T\"\n+++\nBody\n", "gpu-large", json!("T"), json!("Body")),
        ("host_class=gpu-large\nThe rest\n", "gpu-large", json!("BCM gpu category"), json!("The rest")),
    ] {
        let mapped = of(json!("gpu"), notes);
        let class = fields(&mapped, "hostClass");
        assert_eq!((&class["name"], &class["title"], &class["description"]), (&json!(name), &title, &description));
        assert!(mapped.bad.is_empty(), "{mapped:?}");
    }
    for (name, expected) in [(json!(""), "name is empty"), (json!(1), "name must be a text, not a number")] {
        let mapped = of(name, "");
        assert_eq!((mapped.items.len(), messages(&mapped)), (0, vec![format!("hostClass {expected}")]));
    }
}

#[test]
fn racks_have_48_units() {
    let mapped = rack(&context(), &object(json!({"uuid": RACK_ID, "name": "A14"}))).expect("a rack");
    let rack_fields = fields(&mapped, "rack");
    assert_eq!((&rack_fields["name"], &rack_fields["heightU"]), (&json!("A14"), &json!(48)));
    assert_eq!(rack_fields["site"], json!({"site": "ams1"}));
    let mapped = rack(&context(), &object(json!({"uuid": RACK_ID}))).expect("a rack");
    assert_eq!(messages(&mapped), ["rack name is empty"]);
}
