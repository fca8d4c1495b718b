//! Hosts and what belongs to them in the API: reads, filters, counts, search, and what tenants see.

use serde_json::{Value, json};

use crate::harness::{Client, Database, Server, on_both_databases};

/// Two hosts of one class, with all that belongs to them.
fn fleet() -> Vec<Value> {
    let image = json!({"url": "https://images.example/a", "checksum": format!("sha256:{}", "0a".repeat(32)),
        "format": "QCOW2"});
    vec![
        json!({"site": {"name": "ams1", "type": "DATACENTER"}}),
        json!({"rack": {"site": {"site": "ams1"}, "name": "r1", "heightU": 42}}),
        json!({"device": {"site": {"site": "ams1"}, "name": "n1", "role": "SERVER", "serial": "CZJ1",
            "placement": {"rack": {"rack": "r1"}}}}),
        json!({"device": {"site": {"site": "ams1"}, "name": "n2", "role": "SERVER", "serial": "twin"}}),
        json!({"device": {"site": {"site": "ams1"}, "name": "n3", "role": "SERVER", "serial": "TWIN"}}),
        json!({"cluster": {"name": "k1", "tenant": "blue"}}),
        json!({"hostClass": {"name": "large", "match": {"cpuCores": 64, "disks": [{"type": "NVME"}],
            "labels": {"row": "a"}}}}),
        json!({"credential": {"name": "bmc", "type": "BASIC", "username": "root", "allowedHosts": ["10.0.0.0/8"]}}),
        json!({"profile": {"name": "rhel", "purpose": "INSTALL", "method": "DISK_IMAGE", "image": image}}),
        json!({"appliance": {"name": "a", "type": "SIMULATED", "url": "simulated://r1", "site": {"site": "ams1"}}}),
    ]
}

/// Writes the hosts in a batch of their own, because the devices must be there.
fn hosts() -> Vec<Value> {
    vec![
        json!({"host": {"name": "h1", "uid": "czj1", "class": {"hostClass": "large"}, "appliance": {"appliance": "a"},
            "bmcUrl": "redfish://10.0.0.7", "bmcCredential": {"credential": "bmc"}, "bootMac": "00:00:5e:00:53:01",
            "rootDevice": {"minSizeBytes": 1000}, "maintenance": {"ann": "a fan"}, "cluster": {"cluster": "k1"}}}),
        json!({"host": {"name": "h2", "uid": "4c4c4544-0042-3510-8056-b2c04f513432", "serial": "twin", "class": {"hostClass": "large"}}}),
    ]
}

async fn names(client: &Client, filter: &str) -> Vec<String> {
    let query = format!("{{ hosts(filter: {filter}) {{ nodes {{ name }} }} }}");
    let data = client.ok(&query, json!({})).await;
    let nodes = data["hosts"]["nodes"].as_array().expect("nodes").clone();
    nodes.iter().map(|node| node["name"].as_str().expect("a name").to_owned()).collect()
}

on_both_databases! {
    async fn hosts_can_be_read_everywhere(server: Server) {
        let client = server.client();
        client.apply_all(fleet()).await;
        client.apply_all(hosts()).await;
        let query = r#"{
            host(name: "h1") {
                shortId uid bmcUrl bootMac state power generation generationDone boot maintenance conditions { type }
                rootDevice { minSizeBytes wwn } wanted { act } failure { reason } step { name } deleting
                machine { ... on Device { name hosts { nodes { name } } } } machineSuggestions { name }
                class { name total available acquired failed match { cpuCores disks { count type } labels } }
                appliance { name url site { name } hosts { totalCount } } bmcCredential { name allowedHosts username }
                cluster { name hosts { totalCount } }
            }
            other: host(name: "h2") { machine { __typename } machineSuggestions { name } }
            profile(name: "rhel") { method image { url format checksum } debug hosts { totalCount } }
            hostClasses { totalCount nodes { name hosts { totalCount } } }
        }"#;
        let found = client.ok(query, json!({})).await;
        let host = &found["host"];
        for (field, value) in [
            ("uid", json!("czj1")),
            ("state", json!("REGISTERED")),
            ("power", json!("UNKNOWN")),
            ("generation", json!(0)),
            ("boot", json!("LOCAL")),
            ("maintenance", json!({"ann": "a fan"})),
            ("rootDevice", json!({"minSizeBytes": 1000, "wwn": null})),
            ("wanted", Value::Null),
            ("conditions", json!([])),
            ("machine", json!({"name": "n1", "hosts": {"nodes": [{"name": "h1"}]}})),
            ("machineSuggestions", json!([])),
            ("appliance", json!({"name": "a", "url": "simulated://r1", "site": {"name": "ams1"}, "hosts": {"totalCount": 1}})),
            ("bmcCredential", json!({"name": "bmc", "allowedHosts": ["10.0.0.0/8"], "username": "root"})),
            ("cluster", json!({"name": "k1", "hosts": {"totalCount": 1}})),
        ] {
            assert_eq!(host[field], value, "{field}");
        }
        assert_eq!(host["class"]["match"], json!({"cpuCores": 64, "disks": [{"count": 1, "type": "NVME"}], "labels": {"row": "a"}}));
        let counts = ["total", "available", "acquired", "failed"].map(|count| host["class"][count].clone());
        assert_eq!(counts, [json!(2), json!(0), json!(0), json!(0)]);
        let suggestions = json!([{"name": "n2"}, {"name": "n3"}]);
        assert_eq!(found["other"], json!({"machine": null, "machineSuggestions": suggestions}));
        assert_eq!(found["profile"]["image"]["format"], "QCOW2");
        assert_eq!(found["hostClasses"]["nodes"], json!([{"name": "large", "hosts": {"totalCount": 2}}]));

        let rack = client.ok("{ rack(name: \"r1\") { id } }", json!({})).await["rack"]["id"].clone();
        let short = host["shortId"].as_str().expect("a text").to_owned();
        for (filter, expected) in [
            ("{state: {eq: REGISTERED}}".to_owned(), &["h1", "h2"][..]),
            ("{serial: {eq: \"twin\"}}".to_owned(), &["h2"]),
            ("{inMaintenance: true}".to_owned(), &["h1"]),
            ("{inMaintenance: false}".to_owned(), &["h2"]),
            ("{machine: {device: {name: {eq: \"n1\"}}}}".to_owned(), &["h1"]),
            ("{machine: {isNull: true}}".to_owned(), &["h2"]),
            ("{class: {name: {eq: \"large\"}}}".to_owned(), &["h1", "h2"]),
            ("{bmcCredential: {username: {eq: \"root\"}}}".to_owned(), &["h1"]),
            (format!("{{shortId: {{eq: \"{short}\"}}}}"), &["h1"]),
            (format!("{{within: {rack}}}"), &["h1"]),
        ] {
            assert_eq!(names(&client, &filter).await, expected, "{filter}");
        }
        for (text, path) in [(short.as_str(), "host/h1"), ("CZJ1", "host/h1"), ("00:00:5e:00:53:01", "host/h1"), ("Twin", "host/h2")] {
            let search = client.ok("query($t: String!) { search(text: $t, first: 5) { path } }", json!({"t": text})).await;
            let paths = search["search"].to_string();
            assert!(paths.contains(path), "{text}: {paths}");
        }
    }
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_tenant_reads_the_hosts_of_its_clusters_without_what_is_for_operators() {
    let server = Server::start(Database::Sqlite).asking().await;
    let mut tokens = Vec::new();
    for arguments in [vec!["token", "create"], vec!["token", "create", "--tenant", "blue", "--role", "admin"]] {
        let made = server.cli(arguments).env("UNDERLAY_RUN_DIR", server.folder().join("run")).await;
        assert_eq!((made.code, made.stderr.as_str()), (0, ""), "{made:?}");
        tokens.push(made.stdout.trim().to_owned());
    }
    let (operator, blue) = (server.client().bearing(&tokens[0]), server.client().bearing(&tokens[1]));
    operator.apply_all(fleet()).await;
    operator.apply_all(hosts()).await;
    let query = "{ hosts { nodes { name uid bmcUrl bootMac provisioner appliance { name } bmcCredential { name } \
        failure { reason } machine { ... on Device { name } } machineSuggestions { name } } } \
        credentials { totalCount } profiles { totalCount } appliances { totalCount } hostClasses { nodes { total } } }";
    let found = blue.ok(query, json!({})).await;
    let host = json!({"name": "h1", "uid": null, "bmcUrl": null, "bootMac": null, "provisioner": null, "appliance": null,
        "bmcCredential": null, "failure": null, "machine": {"name": "n1"}, "machineSuggestions": []});
    assert_eq!(found["hosts"]["nodes"], json!([host]));
    for list in ["credentials", "profiles", "appliances"] {
        assert_eq!(found[list]["totalCount"], 0, "{list}");
    }
    assert_eq!(found["hostClasses"]["nodes"], json!([{"total": 1}]), "only the hosts that it sees");
    for text in ["10.0.0.7", "czj1", "00:00:5e:00:53:01", "root"] {
        let search = blue.ok("query($t: String!) { search(text: $t, first: 5) { path } }", json!({"t": text})).await;
        assert!(!search["search"].to_string().contains("host/"), "{text}: {search}");
    }
}
