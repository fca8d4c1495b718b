//! The ports of virtual machines in the API and on the command line.

use serde_json::json;

use super::apply::{apply_with, done};
use crate::harness::{Server, on_both_databases};

async fn furnish(server: &Server) {
    let items = json!([
        {"site": {"name": "ams1", "type": "DATACENTER"}},
        {"device": {"site": {"site": "ams1"}, "name": "h1", "role": "SERVER"}},
        {"cluster": {"name": "k1"}},
        {"virtualMachine": {"name": "vm-1", "cluster": {"cluster": "k1"}, "host": {"device": "h1"}}},
        {"virtualMachine": {"name": "vm-2", "host": {"device": "h1"}}},
        {"port": {"virtualMachine": {"virtualMachine": "vm-1"}, "name": "eth0", "type": "VIRTUAL", "mac": "00:00:5e:00:53:01"}},
        {"port": {"virtualMachine": {"virtualMachine": "vm-1"}, "name": "eth0.7", "type": "VIRTUAL",
            "parent": {"virtualMachine": "vm-1", "port": "eth0"}}},
        {"port": {"virtualMachine": {"site": "ams1", "host": "h1", "virtualMachine": "vm-2"}, "name": "eth0", "type": "VIRTUAL"}}
    ]);
    server.client().apply_all(items.as_array().expect("items").clone()).await;
}

on_both_databases! {
    async fn ports_of_virtual_machines_can_be_read_everywhere(server: Server) {
        furnish(&server).await;
        let client = server.client();
        let query = r#"{
            vm: virtualMachine(cluster: "k1", name: "vm-1") { id ports { totalCount nodes { name parent { name } } } }
            hosted: virtualMachine(site: "ams1", name: "vm-2") { name }
            port(virtualMachine: "vm-1", name: "eth0") { mac virtualMachine { name } device { name } children { nodes { name } } }
            other: port(site: "ams1", host: "h1", virtualMachine: "vm-2", name: "eth0") { virtualMachine { name } }
            with: virtualMachines(filter: {ports: {some: {mac: {isNull: false}}}}) { nodes { name } }
            without: virtualMachines(filter: {ports: {none: {mac: {isNull: false}}}}) { nodes { name } }
            ports(filter: {virtualMachine: {cluster: {name: {eq: "k1"}}}}) { nodes { name } }
            search(text: "00:00:5e:00:53:01", first: 5) { path }
        }"#;
        let found = client.ok(query, json!({})).await;
        let ports = json!({"totalCount": 2, "nodes": [{"name": "eth0", "parent": null}, {"name": "eth0.7", "parent": {"name": "eth0"}}]});
        assert_eq!(found["vm"]["ports"], ports);
        assert_eq!(found["hosted"]["name"], "vm-2");
        let port = json!({"mac": "00:00:5e:00:53:01", "virtualMachine": {"name": "vm-1"}, "device": null,
            "children": {"nodes": [{"name": "eth0.7"}]}});
        assert_eq!(found["port"], port);
        assert_eq!(found["other"]["virtualMachine"]["name"], "vm-2");
        assert_eq!(found["with"]["nodes"], json!([{"name": "vm-1"}]));
        assert_eq!(found["without"]["nodes"], json!([{"name": "vm-2"}]));
        assert_eq!(found["ports"]["nodes"], json!([{"name": "eth0"}, {"name": "eth0.7"}]));
        assert_eq!(found["search"], json!([{"path": "port/k1/vm-1/eth0"}]));

        let within = r#"query($vm: ID!) { ports(filter: {within: $vm}) { totalCount }
            impact(of: [$vm]) { affected { nodes { effect rule node { ... on Port { name } } } } } }"#;
        let found = client.ok(within, json!({"vm": found["vm"]["id"]})).await;
        assert_eq!(found["ports"]["totalCount"], 2);
        let down = |name: &str| json!({"effect": "DOWN", "rule": "CONTAINMENT", "node": {"name": name}});
        let affected = found["impact"]["affected"]["nodes"].as_array().expect("a list");
        assert!(affected.contains(&down("eth0")) && affected.contains(&down("eth0.7")), "{affected:#?}");

        // They go down with what their virtual machine runs on, too.
        let host = r#"query($host: ID!) { impact(of: [$host]) { affected { nodes { effect rule node { ... on Port { name } }
            because { node { ... on VirtualMachine { name } } } } } } }"#;
        let id = client.ok(r#"{ device(site: "ams1", name: "h1") { id } }"#, json!({})).await["device"]["id"].clone();
        let found = client.ok(host, json!({"host": id})).await;
        let affected = found["impact"]["affected"]["nodes"].as_array().expect("a list");
        for (port, vm) in [("eth0", "vm-1"), ("eth0.7", "vm-1"), ("eth0", "vm-2")] {
            let expected = json!({"effect": "DOWN", "rule": "CONTAINMENT", "node": {"name": port}, "because": [{"node": {"name": vm}}]});
            assert!(affected.contains(&expected), "{port} of {vm}: {affected:#?}");
        }
    }

    async fn ports_of_virtual_machines_are_handled_by_name(server: Server) {
        furnish(&server).await;
        let printed = server.cli(["get", "port/vm-1/eth0", "-o", "name"]).await;
        assert_eq!(done(&printed), "port/k1/vm-1/eth0\n");
        let printed = server.cli(["describe", "port/k1/vm-1/eth0.7"]).await;
        assert!(done(&printed).starts_with("port/k1/vm-1/eth0.7"), "{printed:?}");
        let table = "virtualMachine,name,type,mtu\nk1/vm-1,eth0,,9000\nvm-2,eth1,virtual,\n";
        let printed = apply_with(&server, &["--kind", "port"], table).await;
        assert_eq!(done(&printed), "updated port/k1/vm-1/eth0\ncreated port/vm-2/eth1\n1 created, 1 updated\n");
        let yaml = server.cli(["get", "port/vm-1/eth0", "-o", "yaml"]).await;
        let again = apply_with(&server, &[], done(&yaml)).await;
        assert_eq!(done(&again), "1 unchanged\n");
        let yaml = server.cli(["get", "port/vm-2/eth0", "-o", "yaml"]).await;
        assert_eq!(done(&apply_with(&server, &[], done(&yaml)).await), "1 unchanged\n", "{yaml:?}");
        let exported = server.cli(["export"]).await;
        let lines = done(&exported).to_owned();
        assert!(lines.matches("\"virtualMachine\":{").count() >= 4, "{lines}");
        let gone = server.cli(["delete", "port/vm-1/eth0.7", "--yes"]).await;
        assert!(done(&gone).contains("port/k1/vm-1/eth0.7"), "{gone:?}");
        let left = server.client().ok("{ ports { totalCount } }", json!({})).await;
        assert_eq!(left["ports"]["totalCount"], 3);
    }
}
