//! Search over all names and similar fields.

use serde_json::{Value, json};

use crate::harness::{Client, Server, on_both_databases};

const SEARCH: &str = "query($text: String!, $kinds: [String!], $downTo: SearchRank, $first: Int) {
  search(text: $text, kinds: $kinds, downTo: $downTo, first: $first) { path kind field text rank node { id } }
}";

async fn fleet(client: &Client) {
    let device = |name: &str| json!({"device": "d1", "port": name});
    client
        .apply_all(vec![
            json!({"site": {"name": "ams1", "type": "DATACENTER", "displayName": "Amsterdam One"}}),
            json!({"rack": {"site": {"site": "ams1"}, "name": "A14", "heightU": 42, "serial": "RK-7", "assetTag": "tag-1"}}),
            json!({"device": {"site": {"site": "ams1"}, "name": "leaf-1", "role": "LEAF", "serial": "SN-100"}}),
            json!({"device": {"site": {"site": "ams1"}, "name": "Leaf-10", "role": "LEAF", "serial": "sn-1000"}}),
            json!({"device": {"site": {"site": "ams1"}, "name": "leaf-2", "role": "LEAF",
                "addresses": [{"type": "MANAGEMENT", "address": "192.0.2.7"}]}}),
            json!({"device": {"site": {"site": "ams1"}, "name": "oob-leaf-1", "role": "SWITCH"}}),
            json!({"device": {"site": {"site": "ams1"}, "name": "d1", "role": "SERVER"}}),
            json!({"port": {"device": {"device": "d1"}, "name": "e1", "type": "ETHERNET", "mac": "AA-BB-CC-DD-EE-01",
                "addresses": ["198.51.100.9/24"]}}),
            json!({"port": {"device": {"device": "d1"}, "name": "e2", "type": "ETHERNET"}}),
            json!({"cable": {"name": "c1", "label": "Trunk 42", "aEnds": [{"port": device("e1")}],
                "bEnds": [{"port": device("e2")}]}}),
            json!({"provider": {"name": "acme", "type": "TRANSIT"}}),
            json!({"circuit": {"provider": {"provider": "acme"}, "name": "x1", "type": "TRANSIT", "circuitId": "ACM/7781"}}),
        ])
        .await;
}

/// Returns the hits, each as `path field rank`.
async fn found(client: &Client, variables: Value) -> Vec<String> {
    let answer = client.ok(SEARCH, variables).await;
    let text = |hit: &Value, member: &str| hit[member].as_str().unwrap().to_owned();
    let hits = answer["search"].as_array().unwrap().iter();
    hits.map(|hit| format!("{} {} {}", text(hit, "path"), text(hit, "field"), text(hit, "rank"))).collect()
}

on_both_databases! {
    async fn matches_are_listed_best_first(server: Server) {
        let client = server.client();
        fleet(&client).await;
        let table: [(&str, &[&str]); 12] = [
            ("leaf-1", &[
                "device/ams1/leaf-1 name EXACT",
                "device/ams1/Leaf-10 name PREFIX",
                "device/ams1/oob-leaf-1 name CONTAINS",
            ]),
            (" LEAF-2 ", &["device/ams1/leaf-2 name EXACT"]),
            ("sn-100", &["device/ams1/leaf-1 serial EXACT", "device/ams1/Leaf-10 serial PREFIX"]),
            ("rk-", &["rack/ams1/A14 serial PREFIX"]),
            ("tag-1", &["rack/ams1/A14 assetTag EXACT"]),
            ("dam o", &["site/ams1 displayName CONTAINS"]),
            ("aabb.ccdd.ee01", &["port/ams1/d1/e1 mac EXACT"]),
            ("cc-dd-ee", &["port/ams1/d1/e1 mac CONTAINS"]),
            ("198.51.100.9", &["port/ams1/d1/e1 addresses PREFIX"]),
            ("192.0.2.7", &["device/ams1/leaf-2 addresses EXACT"]),
            ("trunk", &["cable/c1 label PREFIX"]),
            ("7781", &["circuit/acme/x1 circuitId CONTAINS"]),
        ];
        for (text, wanted) in table {
            assert_eq!(found(&client, json!({"text": text})).await, wanted, "{text}");
        }
        assert_eq!(found(&client, json!({"text": "nothing is called so"})).await, [""; 0]);
        let narrowed = json!({"text": "1", "kinds": ["Rack", "device"], "first": 2});
        assert_eq!(found(&client, narrowed).await, ["device/ams1/leaf-2 addresses PREFIX", "rack/ams1/A14 name CONTAINS"]);
        assert_eq!(found(&client, json!({"text": "leaf", "first": 0})).await, [""; 0]);
        for (rank, count) in [("EXACT", 1), ("PREFIX", 2), ("CONTAINS", 3)] {
            assert_eq!(found(&client, json!({"text": "leaf-1", "downTo": rank})).await.len(), count, "{rank}");
        }
    }

    async fn a_search_reflects_writes(server: Server) {
        let client = server.client();
        fleet(&client).await;
        client
            .apply_all(vec![
                json!({"device": {"site": {"site": "ams1"}, "name": "leaf-1", "serial": "LEAF-1"}}),
                json!({"cable": {"name": "c1", "label": null}}),
            ])
            .await;
        assert_eq!(found(&client, json!({"text": "sn-100"})).await, ["device/ams1/Leaf-10 serial PREFIX"]);
        assert_eq!(found(&client, json!({"text": "trunk"})).await, [""; 0]);
        // The name and the serial are the same text: with one of them gone the other is still found.
        client.apply_all(vec![json!({"device": {"site": {"site": "ams1"}, "name": "leaf-1", "serial": null}})]).await;
        assert_eq!(found(&client, json!({"text": "leaf-1", "first": 1})).await, ["device/ams1/leaf-1 name EXACT"]);
        client.apply_all(vec![json!({"delete": {"ref": {"device": {"device": "leaf-1"}}}})]).await;
        assert_eq!(
            found(&client, json!({"text": "leaf-1"})).await,
            ["device/ams1/Leaf-10 name PREFIX", "device/ams1/oob-leaf-1 name CONTAINS"]
        );
    }

    async fn an_empty_search_is_rejected(server: Server) {
        let client = server.client();
        for (variables, field) in [
            (json!({"text": " "}), "text"),
            (json!({"text": "x".repeat(254)}), "text"),
            (json!({"text": "x", "first": 1001}), "first"),
            (json!({"text": "x", "first": -1}), "first"),
            (json!({"text": "x", "kinds": ["Shelf"]}), "kinds"),
        ] {
            let errors = client.refused(SEARCH, variables.clone()).await;
            assert_eq!((errors[0].code.as_str(), errors[0].field.as_deref()), ("INVALID", Some(field)), "{variables}");
        }
    }
}
