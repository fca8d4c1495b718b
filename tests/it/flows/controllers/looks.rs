//! Looks at machines that may be in use, before an order reboots them.

use serde_json::{Value, json};

use underlay_hosts::host::Power;

use super::lives::{Scene, command, order, simulated, switch_on, until, until_state};
use super::{host, write_as_server};
use crate::harness::{Server, Sql, on_both_databases};

/// Returns true if the last order of a host was refused.
fn was_refused(host: &Value) -> bool {
    host["generation"] == host["generationDone"] && host["lastOrder"]["outcome"] == "REFUSED"
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
            item["host"]["wanted"]["coversRunning"] = json!(name == "forced");
            item["host"]["wanted"]["adopt"] = json!(true);
            item
        });
        write_as_server(&mut server, orders.to_vec()).await;
        let controller = scene.start(server.url(), 1);
        let client = server.client();

        let refused = until(&client, "used", was_refused).await;
        assert_eq!((&refused["state"], &refused["step"], &refused["power"]), (&json!("REGISTERED"), &Value::Null, &json!("ON")));
        assert_eq!((&refused["failure"], &refused["lastOrder"]["reason"]), (&Value::Null, &json!("MachineRuns")), "{refused:#}");
        let message = refused["lastOrder"]["message"].as_str().unwrap_or_default();
        assert!(message.starts_with("the machine is running; this would reboot it"), "{message}");
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

        // What runs is adopted as free only with force, and an install looks too.
        let adopt = "mutation($input: AdoptHostsInput!) { adoptHosts(input: $input) { hosts { state } } }";
        let id = client.ok("{ host(name: \"used\") { id } }", json!({})).await["host"]["id"].take();
        let input = |force| json!({"input": {"ids": [id], "as": "AVAILABLE", "force": force}});
        let refused = &client.refused(adopt, input(false)).await[0];
        assert!(refused.message.contains("runs, so it may be in use"), "{}", refused.message);
        let adopted = client.ok(adopt, input(true)).await;
        assert_eq!(adopted["adoptHosts"]["hosts"][0]["state"], "AVAILABLE");
        for generation in [2, 3] {
            let acquired = json!({"state": "ACQUIRED", "acquiredFor": "tests"});
            write_as_server(&mut server, vec![order("used", "INSTALL", generation, acquired)]).await;
            let controller = scene.start(server.url(), 1);
            let client = server.client();
            let refused = until(&client, "used", |host| was_refused(host) && host["generation"] == generation).await;
            // The same command given twice is refused twice: to know that the machine runs makes nothing safer.
            assert_eq!((&refused["state"], &refused["lastOrder"]["reason"]), (&json!("ACQUIRED"), &json!("MachineRuns")));
            assert_eq!(scene.counts("used"), counts, "it is in use");
            controller.stop().await;
        }
    }

    /// Everything that people do with a machine that somebody switched on by its button, in the states in which it is free.
    async fn what_somebody_switched_on_is_left_alone(mut server: Server) {
        let scene = Scene::new();
        let table = [
            ("discovered", "DISCOVER", json!({"state": "AVAILABLE"})),
            ("installed", "INSTALL", json!({"state": "ACQUIRED", "acquiredFor": "tests"})),
            ("released", "RELEASE", json!({"state": "ACQUIRED", "acquiredFor": "tests"})),
            ("wiped", "WIPE", json!({"state": "ACQUIRED", "acquiredFor": "tests"})),
            ("retried", "INSTALL", json!({"state": "FAILED", "failure": {"during": "INSTALLING", "reason": "R", "message": "m"}})),
        ];
        server.client().apply_all(table.iter().map(|(name, _, _)| simulated(name, "")).collect()).await;
        // A controller that acts gets to know the server before hosts are taken.
        let controller = scene.start(server.url(), 1);
        for (name, _, _) in &table {
            until(&server.client(), name, |host| host["power"] == "OFF").await;
        }
        controller.stop().await;
        // They were seen off when the orders were given.
        let orders = table.iter().map(|(name, act, fields)| {
            let mut item = order(name, act, 1, fields.clone());
            item["host"]["wanted"]["givenIn"] = fields["state"].clone();
            item
        });
        let orders: Vec<Value> = orders.collect();
        for (name, _, _) in &table {
            switch_on(&scene.world, name).await;
        }
        let counts = table.each_ref().map(|(name, _, _)| scene.counts(name));
        write_as_server(&mut server, orders).await;
        let _controller = scene.start(server.url(), 1);
        let client = server.client();
        for ((name, _, fields), counts) in table.iter().zip(counts) {
            let refused = until(&client, name, was_refused).await;
            assert_eq!((&refused["state"], &refused["lastOrder"]["reason"]), (&fields["state"], &json!("MachineRuns")), "{name}");
            assert_eq!(scene.counts(name), counts, "{name} is in use");
        }
    }

    async fn a_claim_has_a_machine_looked_at_that_was_seen_running_long_ago(mut server: Server) {
        let scene = Scene::without_polls();
        server.keep_port();
        server.client().apply_all(vec![simulated("m1", "")]).await;
        switch_on(&scene.world, "m1").await;
        let controller = scene.start(server.url(), 1);
        until(&server.client(), "m1", |host| host["power"] == "ON").await;
        let ids = [host(&server.client(), "m1", "id").await["id"].take()];
        command(&server.client(), "adoptHosts", &ids, json!({"as": "AVAILABLE", "force": true})).await;
        scene.world.press("m1", Power::Off);

        let claim = "mutation($ids: [ID!]!) { acquireHosts(input: {ids: $ids, for: \"tests\"}) { hosts { name } } }";
        let refused = server.client().refused(claim, json!({ "ids": ids })).await[0].message.clone();
        assert!(refused.contains("one runs, so somebody may use it; ask for fewer, or free some of them"), "{refused}");
        assert!(!refused.contains("look"), "it was seen just now: {refused}");

        server.stop().await;
        let sql = Sql::connect(&server.database_url()).await;
        sql.run("UPDATE observation SET seen_at = '2026-01-01T00:00:00+00:00'").await;
        sql.close().await;
        server.restart().await;
        let client = server.client();
        let looks = scene.world.looks("m1");
        let refused = client.refused(claim, json!({ "ids": ids })).await[0].message.clone();
        assert!(refused.contains("controllers look at it now"), "{refused}");
        until(&client, "m1", |host| host["power"] == "OFF").await;
        assert!(scene.world.looks("m1") > looks);
        client.ok(claim, json!({ "ids": ids })).await;
        controller.stop().await;
    }
}
