//! `underlay apply` with manifests of the Milo inventory service.

use serde_json::{Value, json};

use super::apply::{apply, apply_with, done, revision};
use crate::harness::{Server, on_both_databases};

/// Manifests of every kind that Milo has.
const FLEET: &str = include_str!("milo.yaml");

/// A Node that stands in a rack.
fn node(name: &str, rack: &str, placement: &Value) -> String {
    let mut placement = placement.clone();
    placement["rackRef"] = json!({"name": rack});
    let document = json!({
        "apiVersion": "inventory.miloapis.com/v1alpha1",
        "kind": "Node",
        "metadata": {"name": name},
        "spec": {
            "siteRef": {"name": "turku-1"},
            "hardware": {"cpuCores": 8, "cpuArchitecture": "amd64", "memoryBytes": 1_073_741_824},
            "placement": placement,
        },
    });
    document.to_string()
}

on_both_databases! {
    async fn every_kind_of_milo_is_written_and_then_unchanged(server: Server) {
        let first = apply(&server, FLEET).await;
        assert!(done(&first).ends_with("\n17 created\n"), "{}", first.stdout);
        let second = apply(&server, FLEET).await;
        assert_eq!(done(&second), "17 unchanged\n");

        let query = "{
          device(name: \"turku-n1\") { role labels cluster { name } placement { rack { name labels } } }
          ports(filter: {type: {eq: POWER_OUTLET}}) { nodes { name externalRefs { source externalId } } }
          cables { nodes { lengthM } }
          links { nodes { latencyMs cables { name } } }
          powerFeeds { totalCount }
        }";
        let found = server.client().ok(query, json!({})).await;
        assert_eq!(found["device"]["role"], "SERVER");
        assert_eq!(found["device"]["labels"], json!({"underlay/cluster-role": "Worker"}));
        assert_eq!(found["device"]["placement"]["rack"]["labels"], json!({"underlay/rack-name": "R1"}));
        assert_eq!(found["ports"]["nodes"], json!([{"name": "out", "externalRefs": [{"source": "milo", "externalId": "turku-r1-out"}]}]));
        assert_eq!(found["cables"]["nodes"], json!([{"lengthM": 1.5}]));
        assert_eq!(found["links"]["nodes"], json!([{"latencyMs": 0.25, "cables": [{"name": "turku-w1"}]}]));
        assert_eq!(found["powerFeeds"]["totalCount"], 2);
    }

    async fn a_unit_of_a_rack_is_taken_once(server: Server) {
        done(&apply(&server, FLEET).await);
        let before = revision(&server).await;
        for (name, rack, placement, expected) in [
            (
                "n-overlap",
                "turku-r1",
                json!({"startUnit": 10, "unitHeight": 2, "face": "Front"}),
                "spec.placement: U10-U11 (FRONT) overlaps turku-n1 at U8-U10 in rack turku-r1 (OVERLAP)",
            ),
            (
                "n-usual-face",
                "turku-r1",
                json!({"startUnit": 8, "unitHeight": 1}),
                "spec.placement: U8 (FRONT) overlaps turku-n1 at U8-U10 in rack turku-r1 (OVERLAP)",
            ),
            (
                "n-tall",
                "turku-r1",
                json!({"startUnit": 23, "unitHeight": 4}),
                "spec.placement: placement U23-U26 does not fit within rack turku-r1 (height 24U) (OVERLAP)",
            ),
            (
                "n-ghost",
                "turku-r9",
                json!({"startUnit": 1, "unitHeight": 1}),
                "spec.placement.rackRef: Rack turku-r9 (site turku-1) does not exist (NOT_FOUND)",
            ),
        ] {
            let outcome = apply(&server, node(name, rack, &placement)).await;
            let expected = format!("error: standard input, document 1, Node/{name}, {expected}\n");
            assert_eq!((outcome.code, outcome.stdout.as_str()), (1, ""), "{name}: {outcome:?}");
            assert!(outcome.stderr.starts_with(&expected), "{name}: {}", outcome.stderr);
        }
        assert_eq!(revision(&server).await, before);

        let rear = node("n-rear", "turku-r1", &json!({"startUnit": 8, "unitHeight": 3, "face": "Rear"}));
        assert_eq!(done(&apply(&server, rear).await), "created device/turku-1/n-rear\n1 created\n");

        let delete = json!({"delete": {"ref": {"rack": {"rack": "turku-r1"}}}});
        let payload = server.client().apply(vec![delete]).await;
        let error = &payload["results"][0]["error"];
        assert_eq!(error["code"], "IN_USE");
        let message = error["message"].as_str().unwrap_or_default();
        assert!(message.contains("2 Device (n-rear, turku-n1)"), "{message}");
    }

    async fn two_nodes_change_places(server: Server) {
        done(&apply(&server, FLEET).await);
        let place = |unit: u32| json!({"startUnit": unit, "unitHeight": 2});
        let nodes = |a, b| node("a", "turku-r1", &place(a)) + &node("b", "turku-r1", &place(b));
        done(&apply(&server, nodes(1, 3)).await);
        assert_eq!(
            done(&apply(&server, nodes(3, 1)).await),
            "updated device/turku-1/a\nupdated device/turku-1/b\n2 updated\n"
        );
    }

    async fn errors_of_the_server_use_the_field_names_of_milo(server: Server) {
        done(&apply(&server, FLEET).await);
        let before = revision(&server).await;
        for (from, to, expected) in [
            ("regionRef: {name: finland}", "regionRef: {name: ghost}", "Site/turku-1, spec.regionRef: Region ghost does not"),
            (
                "{name: turku-leaf-e1}], media",
                "{name: nowhere}], media",
                "Cable/turku-w1, spec.endpoints[1]: Port nowhere of source milo does not exist",
            ),
            (
                "{kind: Port, name: turku-leaf-e2}",
                "{kind: Port, name: turku-leaf-e1}",
                "Circuit/turku-c1, spec.zEnd: port/turku-1/turku-leaf/Ethernet1 is already taken by cable/turku-w1",
            ),
            ("clusterRef: {name: turku-k8s}, role: Worker", "clusterRef: {name: k}, role: Worker",
                "Node/turku-n1, spec.assignment.clusterRef: Cluster k does not exist (NOT_FOUND)"),
            ("siteRef: {name: turku-1}\n  cage", "siteRef: {name: turku-2}\n  cage", "Rack/turku-r1, spec.siteRef: Site turku-2"),
            ("name: eth0, speed: 25G", "name: eth0, speed: fast", "Port/turku-n1-eth0, spec.speed: must be a quantity"),
            ("type: Edge", "type: Cave", "Site/turku-1, spec.type: \"Cave\" is not allowed; allowed: Datacenter"),
        ] {
            assert!(FLEET.contains(from), "{from}");
            let outcome = apply(&server, FLEET.replacen(from, to, 1)).await;
            assert_eq!((outcome.code, outcome.stdout.as_str()), (1, ""), "{to}: {outcome:?}");
            assert!(outcome.stderr.contains(expected), "{to}: {}", outcome.stderr);
        }
        let outcome = apply_with(&server, &["--dry-run"], FLEET.replace("heightU: 24", "heightU: 9")).await;
        assert!(outcome.code == 1 && outcome.stderr.contains("Rack/turku-r1, spec.heightU: "), "{outcome:?}");
        assert_eq!(revision(&server).await, before);
    }
}
