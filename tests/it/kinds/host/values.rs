//! The bounds of the fields of hosts, and the fields that no ordinary write sets.

use serde_json::{Value, json};

use underlay_engine::write::Sets;
use underlay_inventory::{Role, Roles};

use super::write_as_server;
use crate::harness::world::{How, World, accept_all, refuse_all};

fn host(field: &str, value: Value) -> Value {
    json!([{"host": {"name": "h", field: value}}])
}

#[test]
fn the_fields_of_a_host_are_bounded() {
    let world = World::empty();
    let certificate = "-----BEGIN CERTIFICATE-----\nMIIB\n-----END CERTIFICATE-----\n";
    accept_all(
        &world,
        &[
            ("uid", host("uid", json!(" CZJ1 "))),
            ("serial", host("serial", json!(" CZJ1 "))),
            ("url", host("bmcUrl", json!("libvirt+tls://kvm-1/system#4c4c4544-0042-3510-8056-b2c04f513432"))),
            ("certificates", host("bmcTrustedCas", json!(certificate.repeat(2)))),
            ("mac", host("bootMac", json!("0000.5e00.5301"))),
            ("ip", host("bootIp", json!("2001:DB8::1"))),
            ("root device", host("rootDevice", json!({"rotational": false}))),
            ("maintenance", host("maintenance", json!({"ann": "a fan"}))),
            ("architecture", host("architecture", json!("ARM64"))),
        ],
    );
    let reasons: serde_json::Map<_, _> = (0..33).map(|at| (format!("w{at}"), json!("r"))).collect();
    let table = [
        ("uid", json!(" "), "uid", "1 to 253 characters"),
        ("serial", json!(" "), "serial", "1 to 253 characters"),
        ("bmcUrl", json!("redfish://169.254.1.1"), "bmcUrl", "is a link-local address"),
        ("bmcUrl", json!("libvirt+tls://kvm-1/system#web"), "bmcUrl", "by its UUID"),
        ("bmcTrustedCas", json!("MIIB"), "bmcTrustedCas", "must be certificates in PEM"),
        ("bmcTrustedCas", json!(certificate.repeat(400)), "bmcTrustedCas", "at most 16384 characters"),
        ("bootMac", json!("00:00"), "bootMac", "must be a MAC address"),
        ("bootIp", json!("192.0.2.1/24"), "bootIp", "must be an IP address such as 192.0.2.1"),
        ("bootMode", json!("EFI"), "bootMode", "UEFI, UEFI_SECURE, BIOS"),
        ("boot", json!("DISK"), "boot", "LOCAL, NETWORK"),
        ("architecture", json!("X86_64"), "architecture", "AMD64, ARM64, OTHER"),
        ("rootDevice", json!({}), "rootDevice", "must have at least one of"),
        ("rootDevice", json!({"minSizeBytes": 0}), "rootDevice.minSizeBytes", "at least 1"),
        ("rootDevice", json!({"wwn": ""}), "rootDevice.wwn", "1 to 253 characters"),
        ("rootDevice", json!({"model": "x"}), "rootDevice", "unknown field `model`"),
        ("provisioner", json!(" ironic"), "provisioner", "space at either end"),
        ("maintenance", json!({"ann": ""}), "maintenance.ann", "must have a reason"),
        ("maintenance", json!({"": "r"}), "maintenance", "1 to 253 characters"),
        ("maintenance", json!({"ann": 1}), "maintenance.ann", "must be text"),
        ("maintenance", json!(["ann"]), "maintenance", "must be an object"),
        ("maintenance", reasons.into(), "maintenance", "has 33 entries; at most 32 are allowed"),
    ];
    let table: Vec<_> =
        table.into_iter().map(|(name, value, field, says)| (name, host(name, value), "INVALID", field, says)).collect();
    refuse_all(&world, &table);
}

#[test]
fn a_host_has_its_defaults_and_normal_forms() {
    let world = World::of(json!([{"host": {"name": "h", "uid": " CZJ1 ", "bootMac": "0000.5E00.5301",
        "bootIp": "2001:DB8:0::1"}}]));
    for (field, value) in [
        ("uid", json!("CZJ1")),
        ("bootMac", json!("00:00:5e:00:53:01")),
        ("bootIp", json!("2001:db8::1")),
        ("boot", json!("LOCAL")),
        ("state", json!("REGISTERED")),
        ("power", json!("UNKNOWN")),
        ("generation", json!(0)),
        ("generationDone", json!(0)),
        ("maintenance", json!({})),
        ("conditions", json!([])),
        ("deleting", json!(false)),
        ("wanted", Value::Null),
    ] {
        assert_eq!(world.field("host", "h", field), value, "{field}");
    }
}

#[test]
fn no_ordinary_write_sets_what_is_ordered_or_seen() {
    let world = World::of(json!([{"host": {"name": "h"}}]));
    for (field, value) in [
        ("wanted", json!({"act": "WIPE"})),
        ("generation", json!(1)),
        ("acquiredFor", json!("me")),
        ("deleting", json!(true)),
    ] {
        refuse_all(&world, &[(field, host(field, value), "INVALID", field, "is set by the server alone")]);
    }
    let table = [
        ("state", json!("AVAILABLE")),
        ("power", json!("ON")),
        ("step", json!({"attempt": 1, "name": "x", "of": 1, "since": "2026-01-01T00:00:00Z"})),
        ("generationDone", json!(1)),
        ("conditions", json!([{"type": "A", "status": "TRUE", "reason": "R"}])),
        ("failure", json!({"during": "WIPING", "reason": "R", "message": "m"})),
    ];
    for (field, value) in table {
        // Of a structure, the first member is named.
        let named = match value.as_object().and_then(|members| members.keys().next()) {
            Some(member) => format!("{field}.{member}"),
            None => field.to_owned(),
        };
        let says = "only with one of the roles reconciler";
        refuse_all(&world, &[(field, host(field, value.clone()), "FORBIDDEN", &named, says)]);
    }
}

#[test]
fn reports_of_controllers_are_bounded() {
    let mut world = World::of(json!([{"profile": {"name": "p", "purpose": "WIPE"}}, {"host": {"name": "h"}}]));
    let wanted = json!({"act": "WIPE", "profile": "p", "variables": {"a": "b"}, "until": "2026-01-01T00:00:00Z"});
    let condition = json!({"type": "ClassAmbiguous", "status": "TRUE", "reason": "Several", "message": "m"});
    let failure = json!({"during": "WIPING", "reason": "TimedOut", "message": "It took too long."});
    write_as_server(
        &mut world,
        json!([{"host": {"name": "h", "state": "FAILED", "wanted": wanted, "generation": 1, "conditions": [condition],
            "failure": failure, "step": {"attempt": 1, "name": "boot", "of": 1, "since": "2026-01-01T00:00:00Z"}}}]),
    );
    assert_eq!(world.field("host", "h", "wanted")["variables"], json!({"a": "b"}));
    assert_eq!(world.field("host", "h", "wanted")["profile"], json!(world.id("profile", "p")));
    assert_eq!(world.field("host", "h", "conditions"), json!([condition]));
    assert_eq!(world.field("host", "h", "failure"), failure);
}

#[test]
fn a_report_moves_the_version_of_reports_alone() {
    let mut world = World::of(json!([{"host": {"name": "h"}}]));
    let how = How { sets: Sets::Assigned(Roles::NONE.with(Role::Reconciler)), actor: "hosts", ..How::default() };
    let id = world.id("host", "h");
    let versions = |world: &World| {
        let row = world.snapshot.row_of(id).expect("the host");
        (row.common().version, row.observed_version().expect("hosts have reports"))
    };
    let before = versions(&world);
    world.write_as(json!([{"host": {"id": id, "state": "AVAILABLE", "power": "OFF"}}]), &how);
    let after = versions(&world);
    assert_eq!(after.0, before.0);
    assert!(after.1 > before.1, "{before:?} {after:?}");
    assert_eq!(world.field("host", "h", "state"), "AVAILABLE");
    world.write(json!([{"host": {"name": "h", "title": "t"}}]));
    assert_eq!(versions(&world).1, after.1);
}

#[test]
fn a_host_is_not_named_like_a_reference() {
    let mut world = World::of(json!([{"host": {"name": "a"}}, {"site": {"name": "s", "type": "DATACENTER"}}]));
    let (id, site) = (world.id("host", "a").to_string(), world.id("site", "s").to_string());
    let short = format!("h-{}", &id.replace('-', "")[25..]);
    let named = |name: &str| json!([{"host": {"name": name}}]);
    let renamed = |name: &str| json!([{"host": {"id": id, "name": name}}]);
    refuse_all(
        &world,
        &[
            ("its short id", named(&short), "INVALID", "name", "must not read as a short id"),
            ("another short id", named("H-ABCDEF0"), "INVALID", "name", "must not read as a short id"),
            ("an id", named(&id), "INVALID", "name", "must not read as the id of another object"),
            ("the id of a site", named(&site), "INVALID", "name", "must not read as the id of another object"),
            ("a reference", named("host/a"), "INVALID", "name", "must not read as a reference to a host"),
            ("a new name", renamed("host/b"), "INVALID", "name", "must not read as a reference to a host"),
        ],
    );
    accept_all(
        &world,
        &[
            ("an id of a source", named("6f9b1f0e-2a64-4d29-8e0c-0d5a0e7b1c11")),
            ("eight characters", named("h-abcdef01")),
            ("no hexadecimal ones", named("h-storage")),
        ],
    );
    // A name that an older server took stays.
    write_as_server(&mut world, json!([{"host": {"id": id, "title": "x"}}]));
}
