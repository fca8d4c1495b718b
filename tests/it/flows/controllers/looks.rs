//! Looks at machines that may be in use, before an order reboots them.

use serde_json::{Value, json};

use super::lives::{Scene, order, simulated, switch_on, until, until_state};
use super::write_as_server;
use crate::harness::{Server, on_both_databases};

/// Returns true if the last order of a host failed.
fn has_failed(host: &Value) -> bool {
    host["generation"] == host["generationDone"] && !host["failure"].is_null()
}

on_both_databases! {
    async fn a_registered_machine_that_runs_is_not_rebooted(mut server: Server) {
        let scene = Scene::new();
        let names = ["used", "free", "forced", "away", "silent"];
        server.client().apply_all(vec![
            simulated("used", ""),
            simulated("free", ""),
            simulated("forced", ""),
            simulated("away", "?fault=unreachable"),
            simulated("silent", "?fault=power-unknown"),
        ]).await;
        switch_on(&scene.world, "used").await;
        switch_on(&scene.world, "forced").await;
        // The orders come before anybody has seen the power, so the server cannot refuse them.
        let orders = names.map(|name| {
            let mut item = order(name, "DISCOVER", 1, json!({}));
            item["host"]["wanted"]["force"] = json!(name == "forced");
            item
        });
        write_as_server(&mut server, orders.to_vec()).await;
        let controller = scene.start(server.url(), 1);
        let client = server.client();

        let refused = until(&client, "used", has_failed).await;
        let failure = &refused["failure"];
        assert_eq!((&refused["state"], &refused["step"], &refused["power"]), (&json!("REGISTERED"), &Value::Null, &json!("ON")));
        assert_eq!((&failure["during"], &failure["reason"]), (&json!("REGISTERED"), &json!("MachineRuns")), "{refused:#}");
        assert_eq!(failure["message"], "the machine is running; this would reboot it");
        let counts = scene.counts("used");
        assert_eq!((counts.power_cuts, counts.network_boots, counts.local_boots), (0, 0, 1), "it is in use");

        until_state(&client, "free", "AVAILABLE").await;
        assert_eq!(scene.counts("free").network_boots, 1);
        until_state(&client, "forced", "AVAILABLE").await;
        assert!(scene.counts("forced").power_cuts >= 1, "somebody wanted it so");

        // The controller waits for machines that it cannot see, and does nothing meanwhile.
        for name in ["away", "silent"] {
            let waiting = until(&client, name, |host| host["step"]["name"] == "look").await;
            assert_eq!(waiting["state"], "REGISTERED", "{waiting:#}");
            assert_eq!(scene.counts(name).network_boots, 0, "{name}");
        }
        controller.stop().await;

        // A failed order does not keep an adopted host from being claimed, and an install looks too.
        let adopt = "mutation($input: AdoptHostsInput!) { adoptHosts(input: $input) { hosts { state failure { reason } } } }";
        let id = client.ok("{ host(name: \"used\") { id } }", json!({})).await["host"]["id"].take();
        let adopted = client.ok(adopt, json!({"input": {"ids": [id], "as": "AVAILABLE"}})).await;
        assert_eq!(adopted["adoptHosts"]["hosts"][0], json!({"state": "AVAILABLE", "failure": null}));
        let unseen = json!({"state": "ACQUIRED", "acquiredFor": "tests", "power": "UNKNOWN"});
        write_as_server(&mut server, vec![order("used", "INSTALL", 2, unseen)]).await;
        let _controller = scene.start(server.url(), 1);
        let refused = until(&server.client(), "used", has_failed).await;
        assert_eq!((&refused["state"], &refused["failure"]["reason"]), (&json!("ACQUIRED"), &json!("MachineRuns")));
        assert_eq!(scene.counts("used"), counts, "it is in use");
    }
}
