//! Credentials: their bounds, the hosts that they are allowed for, and those that a source wrote.

mod sources;

use serde_json::{Value, json};

use crate::harness::world::{How, World, accept_all, refuse_all};

#[test]
fn the_fields_of_a_credential_are_bounded() {
    let world = World::empty();
    let credential = |field: &str, value: Value| json!([{"credential": {"name": "c", "type": "BASIC", field: value}}]);
    accept_all(
        &world,
        &[
            (
                "names, addresses, networks",
                credential("allowedHosts", json!(["bmc-1.example", "10.0.0.1", "2001:db8::/32"])),
            ),
            ("most", credential("allowedHosts", (0..256).map(|at| json!(format!("h{at}"))).collect())),
            ("username", credential("username", json!("root"))),
        ],
    );
    refuse_all(
        &world,
        &[
            ("type", credential("type", json!("PASSWORD")), "INVALID", "type", "one of BASIC, TOKEN, TLS"),
            ("username", credential("username", json!("")), "INVALID", "username", "1 to 253 characters"),
            (
                "network",
                credential("allowedHosts", json!(["a", "10.0.0.0/33"])),
                "INVALID",
                "allowedHosts[1]",
                "0 to 32 bits",
            ),
            (
                "number",
                credential("allowedHosts", json!(["127.1"])),
                "INVALID",
                "allowedHosts[0]",
                "the name of a host",
            ),
            (
                "twice",
                credential("allowedHosts", json!(["a", "a"])),
                "INVALID",
                "allowedHosts[1]",
                "in the list already",
            ),
            (
                "too many",
                credential("allowedHosts", (0..257).map(|at| json!(format!("h{at}"))).collect()),
                "INVALID",
                "allowedHosts",
                "at most 256",
            ),
            ("secret", credential("password", json!("calvin")), "INVALID", "password", "has no field password"),
        ],
    );
}

#[test]
fn a_credential_is_used_for_its_hosts_only() {
    let mut world = World::of(json!([
        {"credential": {"name": "net", "type": "BASIC", "allowedHosts": ["10.1.0.0/16"]}},
        {"credential": {"name": "named", "type": "BASIC", "allowedHosts": ["bmc-1"]}},
        {"credential": {"name": "any", "type": "BASIC"}}
    ]));
    let host =
        |url: &str, credential: &str| json!([{"host": {"name": "h", "bmcUrl": url, "bmcCredential": credential}}]);
    accept_all(
        &world,
        &[
            ("in the network", host("redfish://10.1.2.3", "net")),
            ("a name, which may be in the network", host("redfish://bmc-9", "net")),
            ("the name", host("redfish://BMC-1", "named")),
            ("any", host("redfish://bmc-9", "any")),
            ("nothing is sent", host("simulated://rack-1", "named")),
        ],
    );
    let says = "is not allowed for the host";
    refuse_all(
        &world,
        &[
            ("outside", host("redfish://10.2.2.3", "net"), "INCOMPATIBLE", "bmcCredential", says),
            ("another name", host("redfish://bmc-9", "named"), "INCOMPATIBLE", "bmcCredential", says),
            ("an address", host("redfish://10.1.2.3", "named"), "INCOMPATIBLE", "bmcCredential", says),
            (
                "an appliance",
                json!([{"appliance": {"name": "a", "type": "IPMI", "url": "ipmi://10.2.0.1", "credential": "net"}}]),
                "INCOMPATIBLE",
                "credential",
                says,
            ),
        ],
    );
    world.write(host("redfish://10.1.2.3", "net"));
    refuse_all(
        &world,
        &[(
            "other hosts, while it is used",
            json!([{"credential": {"name": "net", "allowedHosts": ["10.2.0.0/16"]}}]),
            "INCOMPATIBLE",
            "allowedHosts",
            says,
        )],
    );
}

#[test]
fn a_credential_of_a_source_is_for_the_objects_of_that_source() {
    let mut world = World::empty();
    world.write_as(
        json!([
            {"credential": {"name": "c", "type": "BASIC", "externalId": "1"}},
            {"host": {"name": "own", "externalId": "2", "bmcCredential": "c"}}
        ]),
        &How::source("bcm"),
    );
    let says = "is of the source bcm";
    refuse_all(
        &world,
        &[
            (
                "another host",
                json!([{"host": {"name": "h", "bmcCredential": "c"}}]),
                "INCOMPATIBLE",
                "bmcCredential",
                says,
            ),
            (
                "an appliance",
                json!([{"appliance": {"name": "a", "type": "MANUAL", "credential": "c"}}]),
                "INCOMPATIBLE",
                "credential",
                says,
            ),
        ],
    );
    let mut world = World::of(json!([
        {"credential": {"name": "c", "type": "BASIC"}},
        {"host": {"name": "h", "bmcCredential": "c"}}
    ]));
    refuse_all(
        &world,
        &[(
            "a source cannot take a credential that others use",
            json!([{"credential": {"name": "c", "externalRefs": [{"source": "bcm", "externalId": "1"}]}}]),
            "INCOMPATIBLE",
            "externalRefs",
            says,
        )],
    );
    world.write(json!([{"host": {"name": "h", "bmcCredential": null}}]));
    world.write(json!([{"credential": {"name": "c", "externalRefs": [{"source": "bcm", "externalId": "1"}]}}]));
}
