//! Strays: what exists at a provisioner and is no host is listed for operators, and left alone.

use serde_json::{Value, json};

use super::host;
use super::lives::{Scene, simulated, until_state};
use crate::harness::{Client, Server, on_both_databases, until};

const STRAYS: &str = "{ strays { provisioner by seenAt total strays { name host address uid since } } }";
const REPORT: &str = "mutation($input: ReportStraysInput!) { reportStrays(input: $input) { total } }";

fn names(strays: &Value) -> Vec<&str> {
    let listed = strays[0]["strays"].as_array().map(Vec::as_slice).unwrap_or_default();
    listed.iter().filter_map(|stray| stray["name"].as_str()).collect()
}

async fn strays(client: &Client) -> Value {
    client.ok(STRAYS, json!({})).await["strays"].take()
}

/// Waits until these strays are listed.
async fn until_listed(client: &Client, expected: &[&str]) -> Value {
    until(format!("{expected:?} are listed"), async || {
        let now = strays(client).await;
        if names(&now) == expected && !now[0].is_null() { Ok(now) } else { Err(format!("{now:#}")) }
    })
    .await
}

on_both_databases! {
    async fn lists_machines_that_are_no_hosts_and_leaves_them_alone(server: Server) {
        let (scene, client) = (Scene::new(), server.client());
        client.apply_all(vec![simulated("m1", "")]).await;
        scene.provisioner.register("lone");
        let id = host(&client, "m1", "id").await["id"].take();
        let discover = "mutation($input: DiscoverHostsInput!) { discoverHosts(input: $input) { hosts { name } } }";
        client.ok(discover, json!({"input": {"ids": [id], "adopt": true}})).await;
        let controller = scene.start(server.url(), 1);
        until_state(&client, "m1", "AVAILABLE").await;
        let first = until_listed(&client, &["lone"]).await;
        assert_eq!((&first[0]["provisioner"], &first[0]["total"]), (&json!("simulated"), &json!(1)), "{first:#}");
        let counts = scene.counts("m1");
        controller.stop().await;

        // A host that is deleted by force leaves behind what is outside.
        let delete = "mutation($id: ID!) { deleteHost(id: $id, force: true) { deleted { id } } }";
        client.ok(delete, json!({ "id": id })).await;
        let revision = client.ok("{ revision }", json!({})).await;
        let controller = scene.start(server.url(), 1);
        let both = until_listed(&client, &["lone", "m1"]).await;
        assert_eq!(client.ok("{ revision }", json!({})).await, revision, "strays make no revision");
        let [lone, m1] = [&both[0]["strays"][0], &both[0]["strays"][1]];
        assert_eq!((&lone["host"], &m1["host"], &m1["address"]), (&Value::Null, &id, &json!("simulated://m1")));
        assert_eq!(lone["since"], first[0]["strays"][0]["since"], "it is known since then");
        assert_ne!(both[0]["seenAt"], first[0]["seenAt"]);
        // The line comes after the report is stored, and each machine has one.
        let lines = || server.log().matches("a machine at a provisioner is no host").count();
        until("there are two lines", async || lines() >= 2).await;
        assert_eq!(lines(), 2, "once each: {}", server.log());
        let status = server.cli(["hosts", "status"]).await;
        assert_eq!(status.code, 0, "{status:?}");
        assert!(status.stderr.contains("simulated has 2 that are no hosts"), "{status:?}");
        assert!(status.stdout.starts_with("STRAY") && status.stdout.contains("simulated://lone"), "{status:?}");
        controller.stop().await;

        // A machine that becomes a host is no stray any more at once, and one that goes is none after the next look.
        client.apply_all(vec![json!({"host": {"name": "found", "bmcUrl": "simulated://lone"}})]).await;
        let one = strays(&client).await;
        assert_eq!((names(&one), &one[0]["total"]), (vec!["m1"], &json!(1)), "{one:#}");
        scene.provisioner.forget();
        let _controller = scene.start(server.url(), 1);
        let none = until_listed(&client, &[]).await;
        assert_eq!((&none[0]["total"], scene.counts("m1")), (&json!(0), counts), "{none:#}");
        assert_eq!(lines(), 2, "still once each: {}", server.log());
    }

    async fn strays_are_reported_under_the_lease_of_the_provisioner(server: Server) {
        let client = server.client();
        let take = "mutation($input: TakeLeasesInput!) { takeLeases(input: $input) { leases { epoch } } }";
        client.ok(take, json!({"input": {"names": ["hosts/08"], "holder": "one", "seconds": 600}})).await;
        let many = |count: usize| (0..count).map(|number| json!({"name": format!("m{number:04}")})).collect::<Vec<_>>();
        let base = json!({"holder": "one", "lease": "hosts/08", "epoch": 1, "provisioner": "simulated",
            "strays": many(1), "total": 1});
        let with = |field: &str, value: Value| {
            let mut input = base.clone();
            input[field] = value;
            input
        };
        for (input, code, field) in [
            (with("lease", json!("hosts/09")), "INVALID", Some("lease")),
            (with("epoch", json!(2)), "LEASE_LOST", None),
            (with("holder", json!("two")), "LEASE_LOST", None),
            (with("holder", json!("")), "INVALID", Some("holder")),
            (with("provisioner", json!("")), "INVALID", Some("provisioner")),
            (with("strays", json!(many(1_001))), "INVALID", Some("strays")),
            (with("total", json!(0)), "INVALID", Some("total")),
            (with("strays", json!([{"name": ""}])), "INVALID", Some("strays[0].name")),
            (with("strays", json!([{"name": "a", "uid": ""}])), "INVALID", Some("strays[0].uid")),
            (with("strays", json!([{"name": "a", "host": "x"}])), "INVALID", Some("strays[0].host")),
        ] {
            let errors = client.refused(REPORT, json!({ "input": input })).await;
            assert_eq!((errors[0].code.as_str(), errors[0].field.as_deref()), (code, field), "{input}");
        }
        let twice = json!({"holder": "one", "lease": "hosts/08", "epoch": 1, "provisioner": "simulated", "total": 2,
            "strays": [{"name": "a"}, {"name": "a"}]});
        let errors = client.refused(REPORT, json!({ "input": twice })).await;
        assert_eq!(errors[0].field.as_deref(), Some("strays[1].name"));
        assert_eq!(strays(&client).await, json!([]), "nothing was written");

        // Of many strays, the first thousand are listed and the others are counted.
        let mut input = with("strays", json!(many(1_000)));
        input["total"] = json!(4_321);
        assert_eq!(client.ok(REPORT, json!({ "input": input })).await["reportStrays"]["total"], 4_321);
        let listed = strays(&client).await;
        assert_eq!((names(&listed).len(), &listed[0]["total"]), (1_000, &json!(4_321)));
        let fewer = client.ok(REPORT, json!({ "input": base })).await;
        assert_eq!((&fewer["reportStrays"]["total"], names(&strays(&client).await)), (&json!(1), vec!["m0000"]));
    }
}
