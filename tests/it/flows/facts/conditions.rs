//! The conditions of hardware that need more than the last report: less hardware than is expected, and other cables than
//! are recorded.

use serde_json::{Value, json};

use super::{outcome, report, token, unchanged};
use crate::harness::metrics::Exported;
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
        let query = "query($filter: HardwareModelFilter, $first: Int) { hardware(filter: $filter, first: $first) { totalCount \
            nodes { kind model sizeBytes count hostCount hosts { host { name } count } } } }";
        let found = client.ok(query, json!({ "filter": {"kind": "GPU", "model": {"startsWith": "H"}} })).await;
        let hosts = json!([{"host": {"name": "b"}, "count": 4}]);
        let gpus = json!({"kind": "GPU", "model": "H100", "sizeBytes": null, "count": 4, "hostCount": 1, "hosts": hosts});
        assert_eq!(found["hardware"], json!({"totalCount": 1, "nodes": [gpus]}));
        let all = client.ok(query, json!({})).await["hardware"].take();
        let cut = client.ok(query, json!({ "first": 1 })).await["hardware"].take();
        assert_eq!((&cut["totalCount"], &cut["nodes"]), (&all["totalCount"], &json!([all["nodes"][0]])), "a cut says so");
        let counts: Vec<_> = all["nodes"].as_array().expect("models").iter().map(|it| (it["kind"].clone(), it["count"].clone())).collect();
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

        let exported = Exported::of(&server).await;
        let lacking = |measure| exported.sum("underlay_hardware_missing", &[("measure", measure)]);
        assert_eq!((lacking("GPUS"), lacking("MEMORY_BYTES")), (1.0, 0.0));

        client.ok(ACKNOWLEDGE, json!({ "ids": [id] })).await;
        assert_eq!(shown(&client, "a").await["missingHardware"], json!([]));
        assert_eq!(names(&client, "HARDWARE_MISSING").await, Vec::<Value>::new());
    }

    async fn a_link_is_down_where_a_cable_is_recorded(server: Server) {
        let client = server.client();
        let device = |name: &str, role: &str| json!({"device": {"site": {"site": "s"}, "name": name, "role": role}});
        let port = |device: &str, name: &str| json!({"port": {"device": {"site": "s", "device": device}, "name": name, "type": "ETHERNET"}});
        let end = |device: &str, port: &str| json!([{"port": {"site": "s", "device": device, "port": port}}]);
        let host = |name: &str, machine: &str| json!({"host": {"name": name, "machine": {"device": {"site": "s", "device": machine}}}});
        client.apply_all(vec![
            json!({"site": {"name": "s", "type": "DATACENTER"}}),
            device("leaf", "LEAF"), port("leaf", "p1"),
            device("n1", "SERVER"), port("n1", "e1"), port("n1", "e2"), device("n2", "SERVER"), port("n2", "e1"),
            json!({"cable": {"name": "c1", "aEnds": end("n1", "e1"), "bEnds": end("leaf", "p1")}}),
            host("a", "n1"), host("b", "n2"), json!({"host": {"name": "c"}}),
        ]).await;
        let report = |carriers: [Value; 2]| {
            let interface = |(at, carrier): (usize, Value)| json!({"name": format!("e{}", at + 1), "carrier": carrier});
            let mut report = with(1, 1);
            report["interfaces"]["found"] = carriers.into_iter().enumerate().map(interface).collect();
            report
        };
        let (up, down, off) = (json!(true), json!(false), Value::Null);
        let token_of_a = token(&client, "a").await;
        for (name, token) in [("a", token_of_a.clone()), ("b", token(&client, "b").await), ("c", token(&client, "c").await)] {
            assert_eq!(outcome(&client, &token, &report([down.clone(), up.clone()])).await, "STORED", "{name}");
        }
        assert_eq!(names(&client, "LINK_DOWN").await, ["a"], "only there a cable is recorded");
        assert_eq!(shown(&client, "a").await["hardwareConditions"].as_array().map(|it| it.contains(&json!("LINK_DOWN"))), Some(true));
        let exported = Exported::of(&server).await;
        assert_eq!(exported.sum("underlay_hardware_conditions", &[("condition", "LINK_DOWN")]), 1.0);
        for (carriers, is_down) in [
            ([off, up.clone()], false),
            ([up.clone(), down.clone()], false),
            ([down, up.clone()], true),
            ([up.clone(), up], false),
        ] {
            assert_eq!(outcome(&client, &token_of_a, &report(carriers.clone())).await, "STORED");
            assert_eq!(names(&client, "LINK_DOWN").await.len(), usize::from(is_down), "{carriers:?}");
        }
    }

    async fn a_gpu_that_fell_off_its_bus_is_lost(server: Server) {
        let client = server.client();
        client.apply_all(vec![json!({"host": {"name": "a"}})]).await;
        let token = token(&client, "a").await;
        let mut report = with(1, 2);
        for (is_off, expected) in [(false, &[][..]), (true, &["a"]), (false, &[])] {
            report["gpus"]["found"][1]["offBus"] = json!(is_off);
            outcome(&client, &token, &report).await;
            assert_eq!(names(&client, "GPU_LOST").await, expected);
        }
    }
}
