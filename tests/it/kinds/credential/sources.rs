//! Credentials that sources may use: their own, and those of operators that name them and the hosts of their addresses.

use serde_json::{Value, json};
use underlay_engine::write::Conflicts;
use underlay_inventory::{Role, Roles};

use crate::harness::world::{How, World, accept_all_as, refuse_all_as};

/// Three credentials of operators: one that names the source `bcm` and hosts, one that names it alone, and one that names
/// hosts alone.
fn world() -> World {
    World::of(json!([
        {"credential": {"name": "shared", "type": "BASIC", "sources": ["bcm"], "allowedHosts": ["10.1.0.0/16", "bmc-1"]}},
        {"credential": {"name": "open", "type": "BASIC", "sources": ["bcm"]}},
        {"credential": {"name": "closed", "type": "BASIC", "allowedHosts": ["10.1.0.0/16"]}}
    ]))
}

/// A host of the source `bcm`.
fn host(url: &str, credential: &str) -> Value {
    json!([{"host": {"name": "h", "externalId": "1", "bmcUrl": url, "bmcCredential": credential}}])
}

#[test]
fn a_source_refers_to_a_credential_of_an_operator_only_if_it_names_the_source_and_the_host() {
    let appliance = |url: &str, credential: &str| json!([{"appliance": {"name": "a", "externalId": "1", "type": "REDFISH", "url": url, "credential": credential}}]);
    let nameless = json!([{"host": {"name": "h", "bmcUrl": "redfish://10.1.2.3", "bmcCredential": "closed"}}]);
    let bcm = How::source("bcm");
    accept_all_as(
        &world(),
        &bcm,
        &[
            ("in the network", host("redfish://10.1.2.3", "shared")),
            ("the name", host("redfish://bmc-1", "shared")),
            ("an appliance", appliance("redfish://10.1.2.3", "shared")),
        ],
    );
    let (named, says) =
        ("an operator permits it by adding bcm to sources of the credential", "only if allowedHosts names");
    let on_host = |what, items, says| (what, items, "INCOMPATIBLE", "bmcCredential", says);
    refuse_all_as(
        &world(),
        &bcm,
        &[
            on_host("the source is not named", host("redfish://10.1.2.3", "closed"), named),
            on_host("the source is not named, without an external id", nameless, named),
            on_host("no host is named", host("redfish://10.1.2.3", "open"), says),
            on_host("another host", host("redfish://10.2.2.3", "shared"), "is not allowed for the host 10.2.2.3"),
            on_host("a name whose addresses nobody knows", host("redfish://bmc-9", "shared"), says),
            on_host("plain HTTP", host("redfish+http://10.1.2.3", "shared"), "is not allowed for plain HTTP"),
            on_host("a program of the controller", host("exec://lab", "shared"), says),
            (
                "no address",
                json!([{"host": {"name": "h", "externalId": "1", "bmcCredential": "shared"}}]),
                "INCOMPATIBLE",
                "bmcCredential",
                "only beside an address",
            ),
            ("an appliance", appliance("redfish://10.1.2.3", "closed"), "INCOMPATIBLE", "credential", named),
        ],
    );
    refuse_all_as(
        &world(),
        &How::source("dcim"),
        &[on_host("another source", host("redfish://10.1.2.3", "shared"), "is not for the source dcim")],
    );
}

#[test]
fn an_operator_gives_an_object_of_a_source_only_a_credential_that_names_the_source() {
    let mut world = world();
    world.write_as(
        json!([{"host": {"name": "h", "externalId": "1", "bmcUrl": "redfish://10.1.2.3"}}]),
        &How::source("bcm"),
    );
    let given = |credential: &str| json!([{"host": {"name": "h", "bmcCredential": credential}}]);
    let says = "is not for the source bcm";
    refuse_all_as(&world, &How::default(), &[("not named", given("closed"), "INCOMPATIBLE", "bmcCredential", says)]);
    world.write(given("shared"));
    for (field, value, says) in [
        ("sources", json!([]), says),
        ("allowedHosts", json!([]), "only if allowedHosts names"),
        ("allowedHosts", json!(["10.2.0.0/16"]), "is not allowed for the host"),
    ] {
        let items = json!([{"credential": {"name": "shared", field: value}}]);
        refuse_all_as(&world, &How::default(), &[("while it is used", items, "INCOMPATIBLE", field, says)]);
    }
}

#[test]
fn a_change_of_the_connection_clears_a_credential_that_the_writer_does_not_hold() {
    let certificate = "-----BEGIN CERTIFICATE-----\nMIIB\n-----END CERTIFICATE-----";
    let mut world = world();
    world.write(json!([
        {"credential": {"name": "any", "type": "BASIC"}},
        {"host": {"name": "h", "bmcUrl": "redfish://10.1.2.3", "bmcCredential": "closed"}},
        {"host": {"name": "g", "bmcUrl": "redfish://10.1.2.4", "bmcCredential": "shared"}},
        {"appliance": {"name": "h", "type": "REDFISH", "url": "redfish://10.1.2.3", "credential": "closed"}},
        {"appliance": {"name": "g", "type": "REDFISH", "url": "redfish://10.1.2.4", "credential": "shared"}}
    ]));
    let force = |how: How| how.on_conflict(Conflicts::Force);
    let (source, operator) = (|| force(How::source("bcm")), How::default);
    for (what, kind, name, how, fields, expected) in [
        ("another address", "host", "h", source(), json!({"bmcUrl": "redfish://evil"}), Value::Null),
        (
            "it gives it",
            "host",
            "h",
            source(),
            json!({"bmcUrl": "redfish://10.1.9.9", "bmcCredential": "closed"}),
            Value::Null,
        ),
        (
            "the transport",
            "host",
            "h",
            source(),
            json!({"bmcUrl": "redfish+http://10.1.2.3", "bmcCredential": "closed"}),
            Value::Null,
        ),
        ("certificates", "host", "h", source(), json!({"bmcInsecure": true}), Value::Null),
        (
            "certificates, and it gives it",
            "host",
            "h",
            source(),
            json!({"bmcInsecure": true, "bmcCredential": "closed"}),
            Value::Null,
        ),
        ("authorities", "host", "h", source(), json!({"bmcTrustedCas": certificate}), Value::Null),
        ("something else", "host", "h", source(), json!({"title": "x"}), json!("closed")),
        (
            "an appliance",
            "appliance",
            "h",
            source(),
            json!({"url": "redfish://10.1.9.9", "credential": "closed"}),
            Value::Null,
        ),
        (
            "a source that it names",
            "host",
            "g",
            source(),
            json!({"bmcUrl": "redfish://10.1.9.9", "bmcCredential": "shared"}),
            json!("shared"),
        ),
        (
            "a source that it names and that does not give it",
            "host",
            "g",
            source(),
            json!({"bmcUrl": "redfish://10.1.9.9"}),
            Value::Null,
        ),
        (
            "certificates, by a source that it names",
            "host",
            "g",
            source(),
            json!({"bmcInsecure": true}),
            json!("shared"),
        ),
        (
            "an appliance, by a source that it names",
            "appliance",
            "g",
            source(),
            json!({"url": "redfish://10.1.9.9", "credential": "shared"}),
            json!("shared"),
        ),
        (
            "an operator gives it",
            "host",
            "h",
            operator(),
            json!({"bmcUrl": "redfish://10.1.9.9", "bmcCredential": "closed"}),
            json!("closed"),
        ),
        ("an operator does not give it", "host", "h", operator(), json!({"bmcUrl": "redfish://10.1.9.9"}), Value::Null),
        ("certificates, by an operator", "host", "h", operator(), json!({"bmcInsecure": true}), json!("closed")),
    ] {
        let mut world = world.clone();
        let mut fields = fields;
        fields["name"] = json!(name);
        world.write_as(json!([{ kind: fields }]), &how);
        let found = world.field(kind, name, if kind == "host" { "bmcCredential" } else { "credential" });
        let expected = expected.as_str().map_or(Value::Null, |name| json!(world.id("credential", name)));
        assert_eq!(found, expected, "{kind}: {what}");
    }
    let elsewhere = json!([{"host": {"name": "g", "bmcUrl": "redfish://evil", "bmcCredential": "shared"}}]);
    refuse_all_as(
        &world,
        &source(),
        &[("a host that is not named", elsewhere, "INCOMPATIBLE", "bmcCredential", "allowedHosts names the host evil")],
    );
}

#[test]
fn several_items_for_one_host_keep_no_credential_that_the_writer_does_not_hold() {
    let mut world = world();
    world.write(json!([{"host": {"name": "h", "bmcUrl": "redfish://10.1.2.3", "bmcCredential": "closed"}}]));
    let how = How { source: Some("bcm"), conflicts: Conflicts::Force, ..How::per_item() };
    let items = json!([
        {"host": {"name": "h", "bmcInsecure": true}},
        {"host": {"name": "h", "bmcCredential": "closed"}}
    ]);
    let _ = world.statuses(items, &how);
    assert_eq!(world.field("host", "h", "bmcCredential"), Value::Null);
}

#[test]
fn a_source_changes_no_credential_that_it_did_not_write() {
    let how = How::source("bcm").on_conflict(Conflicts::Force);
    let takes = |fields: Value| {
        let mut fields = fields;
        fields["name"] = json!("shared");
        json!([{ "credential": fields }])
    };
    let says = "the source bcm did not write the credential shared, so it cannot change it";
    refuse_all_as(
        &world(),
        &how,
        &[
            ("it takes it over", takes(json!({"externalId": "1"})), "FORBIDDEN", "", says),
            ("it lists a host", takes(json!({"allowedHosts": ["evil"]})), "FORBIDDEN", "", says),
        ],
    );
    let synchronizer =
        How { sets: underlay_engine::write::Sets::All(Roles::NONE.with(Role::Synchronizer)), ..How::source("bcm") };
    let own = json!([{"credential": {"name": "own", "externalId": "2", "type": "BASIC", "sources": ["dcim"]}}]);
    let says = "can be set only with one of the roles";
    refuse_all_as(&world(), &synchronizer, &[("it permits another source", own, "FORBIDDEN", "sources", says)]);
    let mut world = world();
    world.write_as(json!([{"credential": {"name": "own", "externalId": "2", "type": "BASIC"}}]), &synchronizer);
    world.write_as(json!([{"credential": {"name": "own", "externalId": "2", "username": "root"}}]), &synchronizer);
    // A credential of one source is for the objects of another that it names, and for no others.
    let other =
        json!([{"host": {"name": "h", "externalId": "7", "bmcUrl": "redfish://10.1.2.3", "bmcCredential": "own"}}]);
    let dcim = How::source("dcim");
    refuse_all_as(
        &world,
        &dcim,
        &[("not named", other.clone(), "INCOMPATIBLE", "bmcCredential", "is of the source bcm")],
    );
    world.write(json!([{"credential": {"name": "own", "sources": ["dcim"], "allowedHosts": ["10.1.2.3"]}}]));
    world.write_as(other, &dcim);
}

#[test]
fn plain_http_needs_an_entry_of_its_own() {
    let mut world = World::of(json!([
        {"credential": {"name": "tls", "type": "BASIC", "allowedHosts": ["10.1.0.0/16"]}},
        {"credential": {"name": "plain", "type": "BASIC", "allowedHosts": ["http://10.1.0.0/16"]}},
        {"credential": {"name": "any", "type": "BASIC"}}
    ]));
    let plain = |credential: &str| json!([{"host": {"name": "h", "bmcUrl": "redfish+http://10.1.2.3", "bmcCredential": credential}}]);
    let how = How::default();
    accept_all_as(&world, &how, &[("an entry of its own", plain("plain")), ("no list", plain("any"))]);
    let says = "is not allowed for plain HTTP to the host 10.1.2.3";
    refuse_all_as(&world, &how, &[("a list of hosts", plain("tls"), "INCOMPATIBLE", "bmcCredential", says)]);
    world.write(plain("plain"));
    let narrowed = json!([{"credential": {"name": "plain", "allowedHosts": ["10.1.0.0/16"]}}]);
    refuse_all_as(&world, &how, &[("while it is used", narrowed, "INCOMPATIBLE", "allowedHosts", says)]);
}
