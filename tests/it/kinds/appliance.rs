//! Appliances: their addresses, and the credential that goes with an address.

use std::sync::Arc;

use serde_json::{Value, json};
use underlay_address::{Exceptions, MachineSettings};
use underlay_inventory::Snapshot;

use crate::harness::world::{World, accept_all, refuse_all};

fn appliance(ty: &str, url: Value) -> Value {
    json!([{"appliance": {"name": "a", "type": ty, "url": url}}])
}

#[test]
fn an_appliance_has_an_address_of_its_type() {
    let world = World::empty();
    accept_all(
        &world,
        &[
            ("redfish", appliance("REDFISH", json!("redfish+https://10.0.0.7:443"))),
            ("an alias", appliance("REDFISH", json!("idrac-virtualmedia://bmc-1"))),
            ("libvirt", appliance("LIBVIRT", json!("libvirt+ssh://kvm-1/system"))),
            ("ipmi", appliance("IPMI", json!("ipmi://bmc-1"))),
            ("simulated", appliance("SIMULATED", json!("simulated://rack-1?fault=power"))),
            ("exec", appliance("EXEC", json!("exec://vmware"))),
            ("manual", appliance("MANUAL", Value::Null)),
        ],
    );
    let long = format!("redfish://{}", "a".repeat(2_048));
    let table = [
        ("none", "REDFISH", Value::Null, "is required for the type REDFISH"),
        ("another type", "REDFISH", json!("ipmi://bmc-1"), "has the scheme ipmi, which does not fit the type REDFISH"),
        ("manual", "MANUAL", json!("ipmi://bmc-1"), "does not fit the type MANUAL"),
        ("no address", "REDFISH", json!("bmc-1"), "must be an address such as redfish://10.0.0.7"),
        ("unknown", "REDFISH", json!("http://bmc-1"), "unknown scheme \"http\""),
        ("parameter", "SIMULATED", json!("simulated://r?x=1"), "unknown parameter \"x\""),
        ("plain", "LIBVIRT", json!("libvirt://kvm-1/system"), "use libvirt+tls://"),
        ("a program", "LIBVIRT", json!("libvirt+ssh://kvm-1/system?command=sh"), "unknown parameter \"command\""),
        ("password", "REDFISH", json!("redfish://root:calvin@bmc-1"), "use a credential"),
        ("loopback", "REDFISH", json!("redfish://127.0.0.1"), "is a loopback address"),
        ("a name of it", "REDFISH", json!("redfish://localhost:8000"), "is a loopback address"),
        ("link-local", "IPMI", json!("ipmi://[fe80::1]"), "is a link-local address"),
        ("metadata", "REDFISH", json!("redfish+http://169.254.169.254"), "metadata service"),
        ("metadata over IPv6", "REDFISH", json!("redfish+http://[fd00:ec2::254]"), "metadata service"),
        ("mapped", "REDFISH", json!("redfish://[::ffff:127.0.0.1]"), "is a loopback address"),
        ("too long", "REDFISH", json!(long), "at most 2048 characters"),
    ];
    let table: Vec<_> =
        table.into_iter().map(|(what, ty, url, says)| (what, appliance(ty, url), "INVALID", "url", says)).collect();
    refuse_all(&world, &table);
}

#[test]
fn configured_addresses_are_allowed() {
    let allowed_addresses = Exceptions::new(vec!["127.0.0.0/8".parse().expect("a network")]);
    let settings = MachineSettings { allowed_addresses, ..MachineSettings::default() };
    let registry = underlay_kinds::registry().with_settings(settings);
    let world = World { snapshot: Snapshot::empty(Arc::new(registry)) };
    accept_all(
        &world,
        &[
            ("loopback", appliance("REDFISH", json!("redfish://127.0.0.1:8000"))),
            ("its name", appliance("REDFISH", json!("redfish://localhost:8000"))),
        ],
    );
    refuse_all(
        &world,
        &[("another", appliance("REDFISH", json!("redfish://169.254.169.254")), "INVALID", "url", "metadata service")],
    );
}

#[test]
fn the_fields_of_an_appliance_are_bounded() {
    let mut world = World::small();
    let with = |field: &str, value: Value| json!([{"appliance": {"name": "a", "type": "MANUAL", field: value}}]);
    accept_all(
        &world,
        &[
            ("least", with("interval", json!(10))),
            ("most", with("interval", json!(86_400))),
            ("pattern", with("namePattern", json!("node-*"))),
            ("prefix", with("prefix", json!("x".repeat(63)))),
        ],
    );
    refuse_all(
        &world,
        &[
            ("interval", with("interval", json!(9)), "INVALID", "interval", "from 10 to 86400"),
            ("prefix", with("prefix", json!("x".repeat(64))), "INVALID", "prefix", "at most 63 characters"),
            ("pattern", with("namePattern", json!("")), "INVALID", "namePattern", "1 to 253 characters"),
            (
                "a rack elsewhere",
                json!([{"appliance": {"name": "a", "type": "MANUAL", "site": "ams1", "rack": {"site": "fra1", "rack": "B1"}}}]),
                "INCOMPATIBLE",
                "rack",
                "must be a rack of the site",
            ),
        ],
    );
    world.write(json!([{"appliance": {"name": "a", "type": "MANUAL", "site": "ams1", "rack": {"site": "ams1", "rack": "A14"}}}]));
    assert_eq!(world.field("appliance", "a", "interval"), 300);
}

#[test]
fn a_credential_goes_with_the_address() {
    for (kind, url, credential) in [("appliance", "url", "credential"), ("host", "bmcUrl", "bmcCredential")] {
        let mut first = json!([
            {"credential": {"name": "c", "type": "BASIC"}},
            {"credential": {"name": "d", "type": "BASIC"}},
            {kind: {"name": "x", url: "redfish://bmc-1", credential: "c"}}
        ]);
        if kind == "appliance" {
            first[2][kind]["type"] = json!("REDFISH");
        }
        let world = World::of(first);
        let (c, d) = (json!(world.id("credential", "c")), json!(world.id("credential", "d")));
        let table = [
            ("the same address", json!({url: "redfish://bmc-1", "description": "x"}), c.clone()),
            ("something else", json!({"description": "x"}), c.clone()),
            ("another address", json!({url: "redfish://bmc-2"}), Value::Null),
            ("with the same credential", json!({url: "redfish://bmc-2", credential: "c"}), c),
            ("with another credential", json!({url: "redfish://bmc-2", credential: "d"}), d),
            ("with none", json!({url: "redfish://bmc-2", credential: null}), Value::Null),
        ];
        for (what, mut fields, expected) in table {
            let mut world = world.clone();
            fields["name"] = json!("x");
            world.write(json!([{ kind: fields }]));
            assert_eq!(world.field(kind, "x", credential), expected, "{kind}: {what}");
        }
    }
    let mut world = World::of(json!([
        {"credential": {"name": "c", "type": "BASIC"}},
        {"host": {"name": "x", "bmcUrl": "redfish://bmc-1", "bmcCredential": "c"}}
    ]));
    world.write(json!([{"host": {"name": "x", "bmcUrl": null}}]));
    assert_eq!(world.field("host", "x", "bmcCredential"), Value::Null);
}
