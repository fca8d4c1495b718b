//! Orders and claims over HTTP: answers, permissions, repeats, refusals, and races.

use std::collections::BTreeMap;

use futures_util::future::join_all;
use serde_json::{Value, json};

use crate::harness::{Client, Database, Server, on_both_databases, postgres, until};

const HOSTS: &str = "hosts { id name state generation acquiredFor wanted { act force until variables profile { name } } boot } revision";

fn mutation(name: &str, selection: &str) -> String {
    let input = format!("{}{}Input", name[..1].to_uppercase(), &name[1..]);
    format!("mutation($input: {input}!, $id: String) {{ {name}(input: $input, requestId: $id) {{ {selection} }} }}")
}

/// Gives an order that must be accepted, and returns its answer.
async fn order(client: &Client, name: &str, input: Value) -> Value {
    client.ok(&mutation(name, HOSTS), json!({ "input": input })).await[name].take()
}

/// Returns the code, the field and the sentence of an order that must be refused.
async fn refused(client: &Client, name: &str, input: Value) -> (String, String, String) {
    let errors = client.refused(&mutation(name, "revision"), json!({ "input": input })).await;
    let error = &errors[0];
    (error.code.clone(), error.field.clone().unwrap_or_default(), error.message.clone())
}

/// Hosts of the class `large` in two racks, with a profile.
async fn fleet(client: &Client, hosts: usize) -> Vec<String> {
    let image = json!({"url": "https://images.example/a", "checksum": format!("sha256:{}", "0a".repeat(32)),
        "format": "QCOW2"});
    let mut items = vec![
        json!({"site": {"name": "s", "type": "DATACENTER"}}),
        json!({"rack": {"site": {"site": "s"}, "name": "A", "heightU": 42}}),
        json!({"rack": {"site": {"site": "s"}, "name": "B", "heightU": 42}}),
        json!({"hostClass": {"name": "large"}}),
        json!({"profile": {"name": "rhel", "purpose": "INSTALL", "method": "DISK_IMAGE", "image": image}}),
    ];
    for host in 0..hosts {
        let rack = json!({"rack": {"rack": (if host % 2 == 0 { "A" } else { "B" })}});
        items.push(
            json!({"device": {"site": {"site": "s"}, "name": format!("n{host}"), "role": "SERVER", "placement": rack}}),
        );
        let machine = json!({"device": {"device": format!("n{host}")}});
        items.push(json!({"host": {"name": format!("h{host}"), "class": {"hostClass": "large"}, "machine": machine,
            "bmcUrl": format!("simulated://machine-{host}"), "provisioner": "simulated"}}));
    }
    let written = client.apply_all(items).await;
    let results = written["results"].as_array().expect("results").iter();
    let hosts = results.filter(|result| result["kind"] == "Host");
    let ids: Vec<String> = hosts.filter_map(|result| result["id"].as_str().map(str::to_owned)).collect();
    if ids.is_empty() {
        let found = client.ok("{ hosts(first: 1000) { nodes { id } } }", json!({})).await;
        let nodes = found["hosts"]["nodes"].as_array().expect("hosts").iter();
        return nodes.filter_map(|node| node["id"].as_str().map(str::to_owned)).collect();
    }
    ids
}

fn claim(count: usize, more: Value) -> Value {
    let mut input = json!({"class": {"hostClass": "large"}, "count": count, "for": "build"});
    for (name, value) in more.as_object().into_iter().flatten() {
        input[name] = value.clone();
    }
    input
}

const CLAIM: &str = "hosts { id name state acquiredFor } worst { kind path node { id } takes { name } } revision";

async fn acquire(client: &Client, input: Value, id: Option<&str>) -> Value {
    client.ok(&mutation("acquireHosts", CLAIM), json!({"input": input, "id": id})).await["acquireHosts"].take()
}

on_both_databases! {
    async fn a_host_is_adopted_acquired_ordered_and_overridden(server: Server) {
        let client = server.client();
        let ids = fleet(&client, 4).await;
        let adopted = order(&client, "adoptHosts", json!({"ids": ids, "as": "AVAILABLE"})).await;
        assert!(adopted["hosts"].as_array().expect("hosts").iter().all(|host| host["state"] == "AVAILABLE" && host["generation"] == 0));
        let (code, field, message) = refused(&client, "adoptHosts", json!({"ids": [ids[1]], "as": "INSTALLED"})).await;
        assert_eq!((code.as_str(), field.as_str()), ("INCOMPATIBLE", "ids[0]"));
        assert_eq!(message, "host h1 is AVAILABLE: only a REGISTERED host is adopted");

        let taken = acquire(&client, claim(2, json!({"spread": "RACK", "most": 1})), None).await;
        assert_eq!(taken["hosts"][0]["name"], "h0");
        assert_eq!(taken["hosts"][1]["name"], "h1");
        assert_eq!(taken["hosts"][1]["acquiredFor"], "build");
        assert_eq!(taken["worst"]["path"], "rack/s/A");
        assert_eq!(taken["worst"]["takes"], json!([{"name": "h0"}]));
        let (code, field, message) = refused(&client, "acquireHosts", claim(3, json!({}))).await;
        assert_eq!((code.as_str(), field.as_str()), ("INCOMPATIBLE", "count"));
        assert_eq!(message, "2 of 3: two more are acquired (build); ask for fewer, or free some of them");
        let counts = client.ok("{ hostClass(name: \"large\") { total available acquired } }", json!({})).await;
        assert_eq!(counts["hostClass"], json!({"total": 4, "available": 2, "acquired": 2}));

        let input = json!({"ids": [ids[0], ids[1]], "profile": {"profile": "rhel"}, "variables": {"a": "b"}, "validFor": 60});
        let installing = order(&client, "installHosts", input.clone()).await;
        let wanted = &installing["hosts"][0]["wanted"];
        assert_eq!((&wanted["act"], &wanted["profile"]["name"], &wanted["variables"]), (&json!("INSTALL"), &json!("rhel"), &json!({"a": "b"})));
        assert!(wanted["until"].is_string() && installing["hosts"][1]["generation"] == 1, "{installing}");
        let (code, field, message) = refused(&client, "installHosts", input).await;
        assert_eq!((code.as_str(), field.as_str()), ("IN_USE", "ids[0]"));
        assert_eq!(message, "host h0 has an order at work (INSTALL): wait until it ends; another host is refused too");

        let done = order(&client, "overrideHost", json!({"id": ids[0], "state": "INSTALLED", "reason": "by hand"})).await;
        assert_eq!(done["hosts"][0]["state"], "INSTALLED");
        let released = order(&client, "releaseHosts", json!({"ids": [ids[0]], "wipe": true, "force": true})).await;
        assert_eq!((&released["hosts"][0]["wanted"]["act"], &released["hosts"][0]["wanted"]["force"]), (&json!("WIPE"), &json!(true)));
        let powered = order(&client, "setHostPower", json!({"ids": [ids[2], ids[3]], "power": "CYCLE", "force": true})).await;
        assert_eq!((&powered["hosts"][1]["wanted"]["act"], &powered["hosts"][1]["generation"]), (&json!("POWER_CYCLE"), &json!(1)));
        order(&client, "overrideHost", json!({"id": ids[3], "state": "FAILED", "reason": "it smells"})).await;
        let message = refused(&client, "retryHosts", json!({"ids": [ids[3]]})).await.2;
        assert_eq!(message, "host h3 lost its order when it failed: give the order again, with discoverHosts, installHosts or releaseHosts");
        order(&client, "discoverHosts", json!({"ids": [ids[3]]})).await;
        order(&client, "overrideHost", json!({"id": ids[3], "state": "AVAILABLE", "reason": "it is fine"})).await;
        let conditions = "{ host(name: \"h3\") { conditions { type message } } }";
        let overridden = client.ok(conditions, json!({})).await;
        assert_eq!(overridden["host"]["conditions"], json!([{"type": "Overridden", "message": "local: it is fine"}]));
        let boot = order(&client, "setHostBoot", json!({"ids": [ids[3]], "boot": "NETWORK"})).await;
        assert_eq!((&boot["hosts"][0]["boot"], &boot["hosts"][0]["wanted"]["act"]), (&json!("NETWORK"), &json!("BOOT_NETWORK")));
        assert_eq!(client.ok(conditions, json!({})).await["host"]["conditions"], json!([]), "an order ends it");
    }

    async fn a_repeat_gets_the_answer_of_the_first_request(server: Server) {
        let client = server.client();
        let ids = fleet(&client, 3).await;
        order(&client, "adoptHosts", json!({"ids": ids, "as": "AVAILABLE"})).await;
        let first = acquire(&client, claim(2, json!({"spread": "RACK"})), Some("r1")).await;
        let again = acquire(&client, claim(2, json!({"spread": "RACK"})), Some("r1")).await;
        assert_eq!(again, first, "also when there are not two left");
        let other = client.refused(&mutation("acquireHosts", CLAIM), json!({"input": claim(1, json!({})), "id": "r1"})).await;
        assert_eq!((other[0].code.as_str(), other[0].field.as_deref()), ("REQUEST_REUSED", Some("requestId")));
        let input = json!({"input": {"ids": [ids[2]], "power": "ON"}, "id": "r2"});
        let query = mutation("setHostPower", HOSTS);
        let first = client.ok(&query, input.clone()).await;
        assert_eq!(client.ok(&query, input).await, first);
        assert_eq!(first["setHostPower"]["hosts"][0]["generation"], 1);
        // A field that a fragment repeats is executed once.
        let twice = "mutation($input: AcquireHostsInput!) { ...a ...b }
            fragment a on Mutation { acquireHosts(input: $input) { hosts { name } worst { path } } }
            fragment b on Mutation { acquireHosts(input: $input) { revision } }";
        order(&client, "overrideHost", json!({"id": ids[2], "state": "AVAILABLE", "reason": "x"})).await;
        let found = client.ok(twice, json!({"input": claim(1, json!({"spread": "FAILURE"}))})).await;
        assert_eq!(found["acquireHosts"]["hosts"], json!([{"name": "h2"}]));
        assert_eq!(found["acquireHosts"]["worst"]["path"], "rack/s/A");
    }

    async fn bad_input_is_refused_and_nothing_is_written(server: Server) {
        let client = server.client();
        let ids = fleet(&client, 2).await;
        order(&client, "adoptHosts", json!({"ids": ids, "as": "AVAILABLE"})).await;
        let taken = acquire(&client, claim(1, json!({})), None).await["hosts"][0]["id"].clone();
        let before = client.ok("{ revision }", json!({})).await;
        let install = |more: Value| {
            let mut input = json!({"ids": [taken], "profile": {"profile": "rhel"}});
            more.as_object().expect("fields").iter().for_each(|(name, value)| input[name] = value.clone());
            input
        };
        let many: serde_json::Map<_, _> = (0..65).map(|at| (format!("v{at}"), json!("x"))).collect();
        for (name, input, code, field, says) in [
            ("adoptHosts", json!({"ids": ["x"], "as": "AVAILABLE"}), "INVALID", "ids[0]", "must be a UUID"),
            ("adoptHosts", json!({"ids": [], "as": "AVAILABLE"}), "INVALID", "ids", "must have 1 to 1000 entries"),
            ("discoverHosts", json!({"ids": [taken]}), "INCOMPATIBLE", "ids[0]", "is ACQUIRED: release it first"),
            ("installHosts", install(json!({"profile": {"profile": "none"}})), "NOT_FOUND", "profile", "does not exist"),
            ("installHosts", install(json!({"validFor": 0})), "INVALID", "validFor", "must be from 1 to 604800"),
            ("installHosts", install(json!({"variables": {"": "x"}})), "INVALID", "variables", "1 to 63 characters"),
            ("installHosts", install(json!({"variables": many})), "INVALID", "variables", "has 65 entries"),
            ("acquireHosts", claim(0, json!({})), "INVALID", "count", "must be at least 1"),
            ("acquireHosts", claim(1, json!({"for": ""})), "INVALID", "for", "1 to 253 characters"),
            ("acquireHosts", claim(1, json!({"ids": []})), "INVALID", "ids", "at least one entry"),
            ("acquireHosts", claim(1, json!({"most": 1})), "INVALID", "most", "needs a spread"),
            ("acquireHosts", claim(1, json!({"class": {"hostClass": "none"}})), "NOT_FOUND", "class", "does not exist"),
            ("acquireHosts", json!({"for": "x", "count": 1}), "INVALID", "class", "say which hosts are meant"),
            ("acquireHosts", json!({"for": "x", "class": {"hostClass": "large"}}), "INVALID", "count", "is required"),
            ("acquireHosts", claim(2, json!({})), "INCOMPATIBLE", "count", "1 of 2: one more is acquired (build)"),
            ("overrideHost", json!({"id": taken, "state": "FAILED", "reason": " "}), "INVALID", "reason", "1 to 1000"),
        ] {
            let found = refused(&client, name, input.clone()).await;
            assert_eq!((found.0.as_str(), found.1.as_str()), (code, field), "{name} {input}: {found:?}");
            assert!(found.2.contains(says), "{name} {input}: {found:?}");
        }
        assert_eq!(client.ok("{ revision }", json!({})).await, before);
    }

    async fn an_appliance_is_registered_with_its_credential(server: Server) {
        let client = server.client();
        let query = "mutation($input: RegisterApplianceInput!) { registerAppliance(input: $input) {
            appliance { name url credential { name } } credential { name type username allowedHosts } revision } }";
        let appliance = json!({"name": "r1", "type": "REDFISH", "url": "redfish://10.0.0.7:8443"});
        let input = json!({"appliance": appliance, "credential": {"username": "root"}});
        let found = client.ok(query, json!({"input": input})).await["registerAppliance"].take();
        assert_eq!(found["appliance"]["credential"]["name"], "r1");
        assert_eq!(found["credential"], json!({"name": "r1", "type": "BASIC", "username": "root", "allowedHosts": ["10.0.0.7"]}));
        let errors = client.refused(query, json!({"input": input})).await;
        assert_eq!(errors[0].code, "DUPLICATE");
        let plain = json!({"appliance": {"name": "r2", "type": "SIMULATED", "url": "simulated://x"}});
        let found = client.ok(query, json!({"input": plain})).await["registerAppliance"].take();
        assert_eq!((&found["credential"], &found["appliance"]["credential"]), (&Value::Null, &Value::Null));
        for (input, field) in [
            (json!({"appliance": {"name": "r3", "type": "REDFISH", "url": "redfish://127.0.0.1"}, "credential": {}}), "appliance.url"),
            (json!({"appliance": {"name": "r3", "type": "REDFISH", "url": "redfish://10.0.0.8", "credential": {"credential": "r1"}}, "credential": {}}), "appliance.credential"),
            (json!({"appliance": {"name": "r3", "type": "REDFISH", "url": "redfish://10.0.0.8"}, "credential": {"allowedHosts": ["10.9.0.0/16"]}}), "appliance.credential"),
        ] {
            let errors = client.refused(query, json!({"input": input})).await;
            assert_eq!(errors[0].field.as_deref(), Some(field), "{input}: {errors:?}");
        }
        let credentials = client.ok("{ credentials { totalCount } appliances { totalCount } }", json!({})).await;
        assert_eq!(credentials, json!({"credentials": {"totalCount": 1}, "appliances": {"totalCount": 2}}));
    }

    async fn a_host_is_deleted_at_once_or_when_a_controller_has_cleared_up(server: Server) {
        let client = server.client();
        let ids = fleet(&client, 3).await;
        let query = "mutation($id: ID!, $force: Boolean, $dry: Boolean) { deleteHost(id: $id, force: $force, dryRun: $dry) {
            deleted { kind name } host { name deleting } left revision } }";
        let delete = async |id: &str, force: bool, dry: bool| {
            client.execute(query, json!({"id": id, "force": force, "dry": dry})).await
        };
        let done = delete(&ids[0], false, false).await;
        assert_eq!(done.data["deleteHost"]["deleted"], json!([{"kind": "Host", "name": "h0"}]), "nobody ever used it");
        order(&client, "adoptHosts", json!({"ids": [ids[1], ids[2]], "as": "AVAILABLE"})).await;
        for dry in [true, false] {
            let marked = delete(&ids[1], false, dry).await.data["deleteHost"].clone();
            assert_eq!(marked["host"], json!({"name": "h1", "deleting": true}));
            assert_eq!((&marked["deleted"], marked["revision"].is_null()), (&json!([]), dry));
        }
        let message = refused(&client, "discoverHosts", json!({"ids": [ids[1]]})).await.2;
        assert_eq!(message, "host h1 is about to be deleted, and accepts no orders");
        let message = refused(&client, "acquireHosts", claim(2, json!({}))).await.2;
        assert!(message.starts_with("1 of 2: one more is about to be deleted"), "{message}");
        let forced = delete(&ids[1], true, false).await.data["deleteHost"].clone();
        assert_eq!(forced["deleted"], json!([{"kind": "Host", "name": "h1"}]));
        assert!(forced["left"][0].as_str().expect("a sentence").contains("provisioner simulated"), "{forced}");
        acquire(&client, claim(1, json!({})), None).await;
        for force in [false, true] {
            let errors = delete(&ids[2], force, false).await.errors;
            assert!(errors[0].message.contains("releaseHosts"), "{force}: {errors:?}");
        }
    }
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn an_operator_orders_and_only_an_admin_overrides() {
    let server = Server::start(Database::Sqlite).asking().await;
    let mut clients = BTreeMap::new();
    for role in ["admin", "operator", "viewer", "reconciler"] {
        let arguments = ["token", "create", "--role", role];
        let made = server.cli(arguments).env("UNDERLAY_RUN_DIR", server.folder().join("run")).await;
        assert_eq!(made.code, 0, "{made:?}");
        clients.insert(role, server.client().bearing(made.stdout.trim()));
    }
    let ids = fleet(&clients["operator"], 1).await;
    let adopt = json!({"ids": ids, "as": "AVAILABLE"});
    for role in ["viewer", "reconciler"] {
        assert_eq!(refused(&clients[role], "adoptHosts", adopt.clone()).await.0, "FORBIDDEN", "{role}");
        assert_eq!(refused(&clients[role], "acquireHosts", claim(1, json!({}))).await.0, "FORBIDDEN", "{role}");
    }
    order(&clients["operator"], "adoptHosts", adopt).await;
    let set = json!({"id": ids[0], "state": "INSTALLED", "reason": "x"});
    let (code, _, message) = refused(&clients["operator"], "overrideHost", set.clone()).await;
    assert_eq!(code, "FORBIDDEN");
    assert!(message.contains("requires one of the roles admin"), "{message}");
    order(&clients["admin"], "overrideHost", set).await;
    let force = format!("mutation {{ deleteHost(id: \"{}\", force: true) {{ left }} }}", ids[0]);
    assert_eq!(clients["operator"].refused(&force, json!({})).await[0].code, "FORBIDDEN");
}

/// 64 claims at once for 40 hosts: none is held by two, and no more claims fail than must.
async fn race(clients: &[Client]) {
    let ids = fleet(&clients[0], 40).await;
    let adopted = order(&clients[0], "adoptHosts", json!({"ids": ids, "as": "AVAILABLE"})).await;
    for client in clients {
        // Another process may be a moment behind, and would not know the class.
        let request = json!({"query": "{ revision }", "extensions": {"minRevision": adopted["revision"]}});
        let answer = client.post_bytes("application/json", request.to_string()).await.expect("an answer");
        assert_eq!(answer.status, 200, "{}", answer.text());
    }
    let query = mutation("acquireHosts", "hosts { name }");
    let claims = (0..64).map(|at| {
        let (client, query) = (&clients[at % clients.len()], &query);
        let mut input = claim(1 + at % 2, json!({"for": format!("claim {at}")}));
        if at % 8 == 7 {
            input["spread"] = json!("FAILURE");
        }
        async move {
            for _ in 0..50 {
                let answer = client.execute(query, json!({ "input": input })).await;
                match answer.errors.first() {
                    Some(error) if error.code == "UNAVAILABLE" => {}
                    Some(error) => {
                        assert_eq!(
                            (error.code.as_str(), error.field.as_deref()),
                            ("INCOMPATIBLE", Some("count")),
                            "{error:?}"
                        );
                        return Vec::new();
                    }
                    None => {
                        let hosts = answer.data["acquireHosts"]["hosts"].as_array().expect("hosts").clone();
                        assert_eq!(hosts.len(), 1 + at % 2, "all or none");
                        return hosts
                            .iter()
                            .map(|host| (host["name"].as_str().expect("a name").to_owned(), format!("claim {at}")))
                            .collect();
                    }
                }
            }
            panic!("claim {at} is never answered");
        }
    });
    let won: Vec<(String, String)> = join_all(claims).await.into_iter().flatten().collect();
    let holders: BTreeMap<String, String> = won.iter().cloned().collect();
    assert_eq!(holders.len(), won.len(), "a host is held by two: {won:?}");
    assert!(won.len() >= 39, "hosts are left although claims for one were refused: {}", won.len());
    for client in clients {
        // Another process may be a moment behind.
        let query = "{ hosts(first: 1000, filter: {state: {eq: ACQUIRED}}) { nodes { name acquiredFor } } }";
        until("the graph has the holders", async || {
            let found = client.ok(query, json!({})).await;
            let nodes = found["hosts"]["nodes"].as_array().expect("hosts").clone();
            let text = |value: &Value| value.as_str().expect("a text").to_owned();
            let graph: BTreeMap<String, String> =
                nodes.iter().map(|node| (text(&node["name"]), text(&node["acquiredFor"]))).collect();
            if graph == holders { Ok(()) } else { Err(format!("{graph:?}, not {holders:?}")) }
        })
        .await;
    }
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn of_64_racing_claims_none_holds_a_host_of_another_on_sqlite() {
    let server = Server::start(Database::Sqlite).await;
    race(&[server.client()]).await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
#[ignore = "needs PostgreSQL"]
async fn of_64_racing_claims_on_two_replicas_none_holds_a_host_of_another() {
    let (url, servers) = super::replicas::servers(2).await;
    race(&servers.iter().map(Server::client).collect::<Vec<_>>()).await;
    drop(servers);
    postgres::drop_database(&url).await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn finds_what_failures_take_before_a_claim_asks() {
    let server = Server::start(Database::Sqlite).env("RUST_LOG", "underlay_kinds::hosts=debug").await;
    let client = server.client();
    let ids = fleet(&client, 4).await;
    order(&client, "adoptHosts", json!({"ids": ids, "as": "AVAILABLE"})).await;
    let looks = || -> Vec<String> {
        let log = server.log();
        log.lines().filter(|line| line.contains("found what failures take of hosts")).map(str::to_owned).collect()
    };
    until("there is a first look", async || !looks().is_empty()).await;
    // A change of the infrastructure makes it outdated; the claim of a host does not.
    let change = json!({"device": {"site": {"site": "s"}, "name": "n0", "serial": "CZJ1"}});
    let revision = client.apply_all(vec![change]).await["revision"].as_i64();
    until("there is a look after the change", async || {
        let found =
            looks().last().and_then(|line| serde_json::from_str::<Value>(line).ok()?["fields"]["revision"].as_i64());
        if found >= revision { Ok(()) } else { Err(format!("{found:?}")) }
    })
    .await;
    let before = looks();
    for _ in 0..2 {
        acquire(&client, claim(1, json!({"spread": "FAILURE"})), None).await;
    }
    assert_eq!(looks(), before);
}
