//! The cabling of hosts: what is heard at them beside what is recorded, in the API and by `underlay cabling check`.

use serde_json::{Value, json};

use super::{outcome, report, token};
use crate::flows::secrets;
use crate::harness::{Client, Database, Outcome, Server, on_both_databases};

const CABLING: &str = "{ hosts { nodes { name cabling { interface verdict port { name } recorded { name device { name } } \
    heard { neighbour { systemName } port { name } device { name } } } } } }";

/// Three hosts and a leaf: `a` is connected through a panel, `b` directly, and `c` is not.
fn inventory() -> Vec<Value> {
    let device = |name: &str, role: &str| json!({"device": {"site": {"site": "s"}, "name": name, "role": role}});
    let port = |device: &str, name: &str| json!({"port": {"device": {"site": "s", "device": device}, "name": name, "type": "ETHERNET"}});
    let end = |device: &str, family: &str, port: &str| json!([{"port": {"site": "s", "device": device, "family": family, "port": port}}]);
    let cable = |name: &str, a: Value, b: Value| json!({"cable": {"name": name, "aEnds": a, "bEnds": b}});
    let mut items = vec![
        json!({"site": {"name": "s", "type": "DATACENTER"}}),
        json!({"site": {"name": "t", "type": "DATACENTER"}}),
        json!({"cluster": {"name": "blue", "type": "KUBERNETES", "tenant": "blue"}}),
        device("leaf", "LEAF"),
        device("panel", "PATCH_PANEL"),
    ];
    items.extend(["e1", "e2", "e3", "e4"].map(|name| port("leaf", name)));
    for (host, machine) in [("a", "srv-a"), ("b", "srv-b"), ("c", "srv-c")] {
        let machine_of = json!({"device": {"site": "s", "device": machine}});
        items.extend([device(machine, "SERVER"), port(machine, "eth0")]);
        items.push(json!({"host": {"name": host, "machine": machine_of, "cluster": {"cluster": "blue"}}}));
    }
    let of_panel = |name: &str, r#type: &str, more: Value| json!({"port": {"device": {"site": "s", "device": "panel"}, "name": name, "type": r#type, "passThrough": more}});
    let rear = json!([{"rear": {"site": "s", "device": "panel", "family": "REAR", "port": "1"}}]);
    items.extend([
        of_panel("1", "PATCH_REAR", json!([])),
        of_panel("1", "PATCH_FRONT", rear),
        cable("c-front", end("srv-a", "DATA", "eth0"), end("panel", "FRONT", "1")),
        cable("c-rear", end("panel", "REAR", "1"), end("leaf", "DATA", "e1")),
        cable("c-b", end("leaf", "DATA", "e2"), end("srv-b", "DATA", "eth0")),
    ]);
    items
}

/// Reports that the interface of a host hears a port of a system.
async fn hears(client: &Client, token: &str, system: &str, port: &str) {
    let mut report = report("D1");
    report["interfaces"]["found"] = json!([{"name": "eth0"}]);
    report["neighbours"] = json!({"complete": true, "found": [{"interface": "eth0", "chassisId": "x",
        "chassisIdSubtype": "LOCAL", "portId": port, "portIdSubtype": "INTERFACE_NAME", "systemName": system}]});
    assert_eq!(outcome(client, token, &report).await, "STORED");
}

async fn verdicts(client: &Client) -> Vec<Value> {
    let found = client.ok(CABLING, json!({})).await;
    found["hosts"]["nodes"]
        .as_array()
        .expect("hosts")
        .iter()
        .map(|host| host["cabling"][0]["verdict"].clone())
        .collect()
}

/// The hosts with the condition, and those whose own field says so, which must be the same.
async fn mismatched(client: &Client) -> Vec<Value> {
    let query = "{ all: hosts { nodes { name hardwareConditions } } \
        hosts(filter: {hardwareCondition: {eq: CABLING_MISMATCH}}) { nodes { name } } }";
    let mut found = client.ok(query, json!({})).await;
    let names = |hosts: &Value| -> Vec<Value> {
        hosts["nodes"].as_array().expect("hosts").iter().map(|host| host["name"].clone()).collect()
    };
    let listed = names(&found["hosts"]);
    let hosts = found["all"]["nodes"].as_array_mut().expect("hosts");
    hosts
        .retain(|host| host["hardwareConditions"].as_array().is_some_and(|it| it.contains(&json!("CABLING_MISMATCH"))));
    assert_eq!(names(&found["all"]), listed);
    listed
}

async fn check(server: &Server, arguments: &[&str]) -> Outcome {
    server.cli([&["cabling", "check"], arguments].concat()).await
}

on_both_databases! {
    async fn what_is_heard_is_compared_and_mended(server: Server) {
        let client = server.client();
        client.apply_all(inventory()).await;
        assert_eq!(client.ok(CABLING, json!({})).await["hosts"]["nodes"][0]["cabling"], json!([]), "nothing was reported");
        let of_a = token(&client, "a").await;
        hears(&client, &of_a, "leaf", "e1").await;
        hears(&client, &token(&client, "b").await, "leaf.example.org", "E4").await;
        hears(&client, &token(&client, "c").await, "leaf", "e3").await;
        assert_eq!(verdicts(&client).await, ["AGREES", "DIFFERS", "NOT_RECORDED"]);
        assert_eq!(mismatched(&client).await, ["b"]);
        let shown = client.ok(CABLING, json!({})).await["hosts"]["nodes"][1]["cabling"][0].take();
        let heard = json!([{"neighbour": {"systemName": "leaf.example.org"}, "port": {"name": "e4"}, "device": {"name": "leaf"}}]);
        assert_eq!((&shown["port"]["name"], &shown["heard"]), (&json!("eth0"), &heard));
        assert_eq!(shown["recorded"], json!([{"name": "e2", "device": {"name": "leaf"}}]));

        let table = check(&server, &["--within", "site/s"]).await;
        assert_eq!((table.code, table.stderr.as_str()), (1, ""), "{table:?}");
        let rows: Vec<Vec<&str>> = table.stdout.lines().map(|line| line.split_whitespace().collect()).collect();
        assert_eq!(rows[0], ["HOST", "INTERFACE", "PORT", "RECORDED", "HEARD", "VERDICT"]);
        assert_eq!(rows[1], ["b", "eth0", "srv-b/eth0", "leaf/e2", "leaf/e4", "DIFFERS"]);
        assert_eq!(rows[2], ["c", "eth0", "srv-c/eth0", "-", "leaf/e3", "NOT_RECORDED"]);
        assert_eq!(rows.len(), 3);
        assert_eq!(check(&server, &["--all"]).await.stdout.lines().count(), 4);
        assert_eq!(check(&server, &["--within", "site/t"]).await.code, 0);
        assert_eq!(check(&server, &["--within", "site/nowhere"]).await.code, 4);

        let manifests = check(&server, &["-o", "manifest"]).await;
        let applied = server.cli(["apply", "-f", "-"]).stdin(manifests.stdout.clone()).await;
        assert_eq!(applied.code, 0, "{manifests:?} {applied:?}");
        assert_eq!(verdicts(&client).await, ["AGREES", "AGREES", "AGREES"]);
        assert_eq!(mismatched(&client).await, Vec::<Value>::new(), "the cables were mended");
        let none = check(&server, &["-o", "json"]).await;
        assert_eq!((none.code, none.stdout.as_str()), (0, "[]\n"), "{none:?}");

        hears(&client, &of_a, "core", "1").await;
        let left = check(&server, &["-o", "manifest"]).await;
        assert_eq!((left.code, left.stdout.as_str()), (1, "# a eth0 is left: the neighbour is not in the inventory\n"));
    }
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_tenant_sees_no_cabling() {
    let server = Server::start(Database::Sqlite).asking().await;
    let operator = server.client().bearing(&secrets::token(&server, &["--role", "operator"]).await);
    operator.apply_all(inventory()).await;
    hears(&operator, &token(&operator, "a").await, "leaf", "e1").await;
    let tenant = server.client().bearing(&secrets::token(&server, &["--role", "viewer", "--tenant", "blue"]).await);
    let seen = tenant.ok(CABLING, json!({})).await["hosts"]["nodes"][0].take();
    assert_eq!(seen, json!({"name": "a", "cabling": null}));
    assert_eq!(verdicts(&operator).await[0], "AGREES");
}
