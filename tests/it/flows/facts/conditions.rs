//! The conditions of hardware that need more than the last report: less hardware than is expected, and other cables than
//! are recorded.

use serde_json::{Value, json};

use super::{outcome, report, token, unchanged};
use crate::harness::{Client, Server, on_both_databases};

const SHOWN: &str = "query($name: String!) { host(name: $name) { hardwareConditions \
    missingHardware { measure expected found demand } acknowledgedHardware { by amounts { measure amount } } } }";
const ACKNOWLEDGE: &str =
    "mutation($ids: [ID!]!) { acknowledgeHardware(input: {ids: $ids}) { hosts { missingHardware { measure } } } }";

async fn shown(client: &Client, host: &str) -> Value {
    client.ok(SHOWN, json!({ "name": host })).await["host"].take()
}

/// A report of a machine with so many disks of 4 TB, and so many GPUs.
fn with(disks: usize, gpus: usize) -> Value {
    let disk = |at| json!({"name": format!("d{at}"), "place": format!("p{at}"), "serial": format!("D{at}"), "sizeBytes": 4_000_000_000_000_u64});
    let mut report = report("D1");
    report["disks"]["found"] = (0..disks).map(disk).collect();
    let gpus: Vec<Value> = (0..gpus).map(|at| json!({"place": format!("0000:0{at}:00.0"), "model": "H100"})).collect();
    report["gpus"] = json!({"complete": true, "found": gpus});
    report
}

async fn names(client: &Client, condition: &str) -> Vec<Value> {
    let query = "query($is: HardwareCondition!) { hosts(filter: {hardwareCondition: {eq: $is}}) { nodes { name } } }";
    let found = client.ok(query, json!({ "is": condition })).await;
    found["hosts"]["nodes"].as_array().expect("hosts").iter().map(|host| host["name"].clone()).collect()
}

on_both_databases! {
    async fn hosts_are_found_by_the_models_of_their_parts(server: Server) {
        let client = server.client();
        client.apply_all(["a", "b", "c"].map(|name| json!({ "host": { "name": name } })).to_vec()).await;
        for (host, disks, gpus) in [("a", 3, 0), ("b", 2, 4)] {
            assert_eq!(outcome(&client, &token(&client, host).await, &with(disks, gpus)).await, "STORED");
        }
        let query = "query($filter: HardwareModelFilter) { hardware(filter: $filter) { kind model sizeBytes count hostCount \
            hosts { host { name } count } } }";
        let found = client.ok(query, json!({ "filter": {"kind": "GPU", "model": {"startsWith": "H"}} })).await;
        let hosts = json!([{"host": {"name": "b"}, "count": 4}]);
        let gpus = json!({"kind": "GPU", "model": "H100", "sizeBytes": null, "count": 4, "hostCount": 1, "hosts": hosts});
        assert_eq!(found["hardware"], json!([gpus]));
        let all = client.ok(query, json!({})).await["hardware"].take();
        let counts: Vec<_> = all.as_array().expect("models").iter().map(|it| (it["kind"].clone(), it["count"].clone())).collect();
        assert_eq!(counts[..2], [(json!("DISK"), json!(5)), (json!("GPU"), json!(4))]);
        let listed = server.cli(["hardware", "list", "--kind", "gpu", "--hosts"]).await;
        assert_eq!(listed.code, 0, "{listed:?}");
        let rows: Vec<Vec<&str>> = listed.stdout.lines().map(|line| line.split_whitespace().collect()).collect();
        assert_eq!(rows[1], ["GPU", "-", "H100", "-", "-", "4", "b"], "{listed:?}");
    }

    async fn a_host_lacks_what_its_class_demands_and_what_was_acknowledged(server: Server) {
        let client = server.client();
        let criteria = json!({"disks": [{"count": 2, "sizeBytes": 4_000_000_000_000_u64}], "memoryBytes": 1});
        client.apply_all(vec![
            json!({"hostClass": {"name": "large", "match": criteria}}),
            json!({"host": {"name": "a", "class": {"hostClass": "large"}}}),
        ]).await;
        let token = token(&client, "a").await;
        let id = client.ok("{ host(name: \"a\") { id } }", json!({})).await["host"]["id"].take();
        let refused = client.refused(ACKNOWLEDGE, json!({ "ids": [id] })).await;
        assert!(refused[0].message.contains("has no report of an agent"), "{refused:?}");

        assert_eq!(outcome(&client, &token, &with(1, 2)).await, "STORED");
        let missing = json!([{"measure": "DISKS", "expected": 2, "found": 1, "demand": "CLASS"}]);
        let seen = shown(&client, "a").await;
        assert_eq!((&seen["missingHardware"], &seen["hardwareConditions"]), (&missing, &json!(["HARDWARE_MISSING"])));
        assert_eq!(names(&client, "HARDWARE_MISSING").await, ["a"]);

        assert_eq!(outcome(&client, &token, &with(3, 2)).await, "STORED");
        assert_eq!(shown(&client, "a").await["missingHardware"], json!([]));
        let acknowledged = server.cli(["host", "acknowledge-hardware", "a"]).await;
        assert_eq!(acknowledged.code, 0, "{acknowledged:?}");
        let amounts = shown(&client, "a").await["acknowledgedHardware"]["amounts"].take();
        let amounts = amounts.as_array().expect("amounts").clone();
        for (measure, amount) in [("DISKS", 3), ("GPUS", 2), ("INTERFACES", 1)] {
            assert!(amounts.contains(&json!({"measure": measure, "amount": amount})), "{amounts:?}");
        }
        assert!(!amounts.iter().any(|it| it["measure"] == "MEMORY_BYTES"), "the section is not complete: {amounts:?}");

        // One report that lacks a part says nothing yet.
        assert_eq!(outcome(&client, &token, &with(3, 1)).await, "STORED");
        assert_eq!(shown(&client, "a").await["missingHardware"], json!([]));
        assert_eq!(outcome(&client, &token, &unchanged(&with(3, 1))).await, "UNCHANGED");
        let missing = json!([{"measure": "GPUS", "expected": 2, "found": 1, "demand": "ACKNOWLEDGED"}]);
        crate::harness::until("the next report confirms it", async || {
            (shown(&client, "a").await["missingHardware"] == missing).then_some(())
        })
        .await;
        let page = server.cli(["host", "hardware", "a"]).await;
        assert!(page.stdout.contains("MISSING GPUS: 1 of 2, which was acknowledged"), "{page:?}");

        client.ok(ACKNOWLEDGE, json!({ "ids": [id] })).await;
        assert_eq!(shown(&client, "a").await["missingHardware"], json!([]));
        assert_eq!(names(&client, "HARDWARE_MISSING").await, Vec::<Value>::new());
    }
}
