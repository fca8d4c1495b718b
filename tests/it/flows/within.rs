//! `within` in filters: kinds whose objects stand in no place are where others are, and kinds of which no object is
//! anywhere are refused.

use serde_json::{Value, json};

use super::apply::done;
use crate::harness::{Client, Database, Server, on_both_databases};

/// Two sites, the first in a region; clusters, virtual machines, circuits and hosts that are in one of them, in both or
/// in none.
fn items() -> Vec<Value> {
    let device = |name: &str, site: &str, cluster: Value| {
        let mut device = json!({"site": {"site": site}, "name": name, "role": "SERVER", "cluster": cluster});
        if name == "d1" {
            device["placement"] = json!({"rack": {"rack": "A"}});
        }
        json!({ "device": device })
    };
    let cluster = |name: &str| json!({ "cluster": name });
    let at = |site: &str| json!({"site": {"site": site}});
    let circuit = |name: &str, a: Value, z: Value| json!({"circuit": {"provider": {"provider": "p"}, "name": name, "type": "PROVIDER_CIRCUIT", "aEnd": a, "zEnd": z}});
    vec![
        json!({"region": {"name": "r"}}),
        json!({"site": {"name": "s1", "type": "DATACENTER", "region": {"region": "r"}}}),
        json!({"site": {"name": "s2", "type": "DATACENTER"}}),
        json!({"rack": {"site": {"site": "s1"}, "name": "A", "heightU": 42}}),
        json!({"provider": {"name": "p", "type": "TRANSIT"}}),
        json!({"providerNetwork": {"provider": {"provider": "p"}, "name": "n"}}),
        json!({"cluster": {"name": "both"}}),
        json!({"cluster": {"name": "second"}}),
        json!({"cluster": {"name": "planned", "controlPlaneSite": {"site": "s2"}}}),
        json!({"cluster": {"name": "nowhere"}}),
        device("d1", "s1", cluster("both")),
        device("d2", "s2", cluster("both")),
        device("d3", "s2", cluster("second")),
        json!({"port": {"device": {"device": "d1"}, "name": "up", "type": "ETHERNET"}}),
        json!({"virtualMachine": {"name": "hosted", "host": {"device": "d1"}, "cluster": cluster("second")}}),
        json!({"virtualMachine": {"name": "clustered", "cluster": cluster("both")}}),
        json!({"virtualMachine": {"name": "far", "cluster": cluster("second")}}),
        json!({"virtualMachine": {"name": "bought", "provider": {"provider": "p"}}}),
        json!({"port": {"virtualMachine": {"virtualMachine": "hosted"}, "name": "eth0", "type": "VIRTUAL"}}),
        circuit("across", at("s1"), at("s2")),
        circuit("plugged", json!({"site": {"site": "s1"}, "port": {"device": "d1", "port": "up"}}), json!({})),
        circuit("out", at("s2"), json!({"providerNetwork": {"provider": "p", "providerNetwork": "n"}})),
        json!({"host": {"name": "on-device", "machine": {"device": {"device": "d1"}}}}),
        json!({"host": {"name": "on-guest", "machine": {"virtualMachine": {"virtualMachine": "hosted"}}}}),
        json!({"host": {"name": "unknown", "uid": "4c4c4544-0042-3510-8056-b2c04f513432"}}),
    ]
}

/// The names of the objects of a list beneath an object.
async fn beneath(client: &Client, list: &str, place: &Value) -> Vec<String> {
    let query = format!("query($place: ID!) {{ {list}(filter: {{within: $place}}) {{ nodes {{ name }} }} }}");
    let found = client.ok(&query, json!({ "place": place })).await;
    let nodes = found[list]["nodes"].as_array().expect("nodes").iter();
    let mut names: Vec<String> = nodes.map(|node| node["name"].as_str().expect("a name").to_owned()).collect();
    names.sort_unstable();
    names
}

on_both_databases! {
    async fn objects_that_stand_in_nothing_are_where_others_are(server: Server) {
        let client = server.client();
        client.apply_all(items()).await;
        let ids = r#"{ s1: site(name: "s1") { id } s2: site(name: "s2") { id } r: region(name: "r") { id }
                       rack: rack(name: "A") { id } }"#;
        let ids = client.ok(ids, json!({})).await;
        for (place, list, expected) in [
            ("s1", "virtualMachines", &["clustered", "hosted"][..]),
            ("r", "virtualMachines", &["clustered", "hosted"]),
            ("rack", "virtualMachines", &["clustered", "hosted"]),
            ("s2", "virtualMachines", &["clustered", "far"]),
            ("s1", "clusters", &["both"]),
            ("r", "clusters", &["both"]),
            ("s2", "clusters", &["both", "planned", "second"]),
            ("s1", "circuits", &["across", "plugged"]),
            ("rack", "circuits", &["plugged"]),
            ("s2", "circuits", &["across", "out"]),
            ("s1", "circuitTerminations", &["A", "A"]),
            ("s2", "circuitTerminations", &["A", "Z"]),
            ("s1", "hosts", &["on-device", "on-guest"]),
            ("rack", "hosts", &["on-device", "on-guest"]),
            ("s2", "hosts", &[]),
            ("s1", "ports", &["eth0", "up"]),
            ("s2", "ports", &[]),
            ("s1", "devices", &["d1"]),
        ] {
            assert_eq!(beneath(&client, list, &ids[place]["id"]).await, expected, "{list} beneath {place}");
        }
        let nested = r#"query($place: ID!) { ports(filter: {virtualMachine: {within: $place}}) { totalCount } }"#;
        assert_eq!(client.ok(nested, json!({"place": ids["r"]["id"]})).await["ports"]["totalCount"], 1);
    }
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn what_is_in_no_place_is_refused_in_a_sentence() {
    let server = Server::start(Database::Sqlite).await;
    let client = server.client();
    client.apply_all(items()).await;
    let site = client.ok(r#"{ site(name: "s1") { id } }"#, json!({})).await["site"]["id"].take();
    for kind in underlay_kinds::registry().kinds() {
        let list = kind.plural();
        let query = format!("query($place: ID!) {{ {list}(filter: {{within: $place}}) {{ totalCount }} }}");
        if matches!(kind.name, "Provider" | "HostClass" | "Profile" | "Credential" | "Source") {
            let errors = client.refused(&query, json!({ "place": site })).await;
            assert_eq!(
                (errors[0].code.as_str(), errors[0].field.as_deref()),
                ("INVALID", Some("filter.within")),
                "{list}"
            );
            let says = format!("objects of the kind {} are in no place", kind.name);
            assert!(errors[0].message.contains(&says), "{list}: {errors:?}");
        } else {
            client.ok(&query, json!({ "place": site })).await;
        }
    }

    let outcome = server.cli(["get", "virtualMachines", "--within", "site/s1", "-o", "name"]).await;
    assert_eq!(done(&outcome).lines().count(), 2, "{outcome:?}");
    let outcome = server.cli(["get", "providers", "--within", "site/s1"]).await;
    assert!(outcome.stderr.contains("objects of the kind Provider are in no place"), "{outcome:?}");
}
