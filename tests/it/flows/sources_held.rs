//! The treatment of objects that are gone: retired and put back, released, deleted; approved, rejected, and renumbered.

use serde_json::{Value, json};

use super::sources::{Synchronizer, call, names, refused, region, regions, source};
use crate::harness::{Client, Server, on_both_databases};

/// A site, a rack and so many devices with serials in it.
fn fleet(devices: std::ops::Range<usize>, prefix: &str) -> Vec<Value> {
    let mut items = vec![
        json!({"site": {"name": "ams1", "type": "EDGE", "externalId": "site"}}),
        json!({"rack": {"site": {"externalId": "site"}, "name": "A1", "heightU": 42, "externalId": "rack"}}),
    ];
    items.extend(devices.map(|id| {
        json!({"device": {
            "site": {"externalId": "site"}, "name": format!("d{id}"), "role": "SERVER", "externalId": format!("{prefix}{id}"),
            "serial": format!("S{id}"), "placement": {"rack": {"externalId": "rack"}, "startUnit": id + 1, "unitHeight": 1},
        }})
    }));
    items
}

async fn device(client: &Client, name: &str) -> Value {
    let query = "query($name: String!) { devices(filter: {name: {eq: $name}}) { nodes { id name status serial attributes \
        externalRefs { externalId } placement { startUnit rack { name } } ports { totalCount } } } }";
    client.ok(query, json!({ "name": name })).await["devices"]["nodes"][0].take()
}

on_both_databases! {
    async fn a_retired_object_gives_up_its_place_and_gets_it_back(server: Server) {
        let client = server.client();
        source(&client, json!({"prune": "RETIRE"})).await;
        let mut items = fleet(0..5, "d");
        for (id, device) in [(0, "d0"), (1, "d1")] {
            items.push(json!({"port": {"device": {"externalId": device}, "name": "e0", "type": "ETHERNET", "externalId": format!("p{id}")}}));
        }
        items.push(json!({"cable": {"name": "c", "aEnds": [{"port": {"externalId": "p0"}}], "bEnds": [{"port": {"externalId": "p1"}}], "externalId": "c"}}));
        assert_eq!(Synchronizer::full(&client, items.clone()).await["state"], "SUCCEEDED");
        let whole = device(&client, "d0").await;

        // The device and the cable are gone, its port is not: the device is retired, and the cable goes.
        let is_gone = |item: &&Value| item["device"]["name"] == "d0" || item["cable"]["name"] == "c";
        let without: Vec<Value> = items.iter().filter(|item| !is_gone(item)).cloned().collect();
        let run = Synchronizer::full(&client, without.clone()).await;
        assert_eq!((&run["state"], &run["retired"]), (&json!("SUCCEEDED"), &json!(1)), "{run:#}");
        let found = client.ok("{ devices(filter: {status: {eq: RETIRED}}) { nodes { name } } cables { totalCount } }", json!({})).await;
        let name = found["devices"]["nodes"][0]["name"].as_str().expect("one is retired").to_owned();
        assert!(name.starts_with("d0 (retired 20") && name.ends_with(')'), "{name}");
        assert_eq!(found["cables"]["totalCount"], 0);
        let retired = device(&client, &name).await;
        assert_eq!((&retired["serial"], &retired["placement"]), (&Value::Null, &Value::Null));
        assert_eq!(retired["externalRefs"], json!([{"externalId": "d0"}]));
        assert_eq!(retired["attributes"]["retiredFrom"]["serial"], "S0");
        // It counts as gone only once, and its name and place are free.
        let run = Synchronizer::full(&client, without).await;
        assert_eq!((&run["state"], &run["retired"]), (&json!("SUCCEEDED"), &json!(0)), "{run:#}");

        // The source has it again, and says only its name: all else is put back.
        let it = Synchronizer::start(&client, "PARTIAL").await;
        let resend = it.report(json!({"seenIds": [{"kind": "Device", "ids": ["d0"]}]})).await;
        assert_eq!(resend["resend"][0]["ids"], json!(["d0"]));
        let results = it.apply(vec![json!({"device": {"name": "d0", "externalId": "d0"}})]).await;
        assert_eq!(results[0]["status"], "UPDATED", "{results:?}");
        it.finish().await;
        assert_eq!(device(&client, "d0").await, whole);
    }

    async fn a_retired_blade_gives_up_its_slot_and_finds_a_free_name(server: Server) {
        let client = server.client();
        source(&client, json!({"prune": "RETIRE"})).await;
        let blade = |id: usize| json!({"device": {"site": {"externalId": "site"}, "name": format!("b{id}"), "role": "SERVER",
            "externalId": format!("b{id}"), "parent": {"externalId": "d0"}, "slot": id.to_string(), "assetTag": format!("T{id}")}});
        let mut items = fleet(0..1, "d");
        items.extend((1..4).map(blade));
        assert_eq!(Synchronizer::full(&client, items.clone()).await["failed"], 0);
        // Somebody has the name already, whatever day it is by now.
        let today = chrono::Utc::now();
        let dates = [0, 1].map(|days| (today + chrono::TimeDelta::days(days)).format("%Y-%m-%d").to_string());
        let taken = dates.iter().map(|date| json!({"device": {"site": {"site": "ams1"}, "name": format!("b3 (retired {date})"), "role": "SERVER"}}));
        client.apply_all(taken.collect()).await;
        let run = Synchronizer::full(&client, items[..5].to_vec()).await;
        assert_eq!((&run["state"], &run["retired"], &run["errors"]), (&json!("SUCCEEDED"), &json!(1), &json!([])), "{run:#}");
        let query = "{ devices(filter: {status: {eq: RETIRED}}) { nodes { name slot assetTag attributes } } }";
        let retired = client.ok(query, json!({})).await["devices"]["nodes"][0].take();
        let name = retired["name"].as_str().expect("a name");
        assert!(dates.iter().any(|date| name == format!("b3 (retired {date} 2)")), "{name}");
        assert_eq!((&retired["slot"], &retired["assetTag"]), (&Value::Null, &Value::Null));
        let kept = &retired["attributes"]["retiredFrom"];
        assert_eq!((&kept["slot"], &kept["assetTag"], &kept["name"]), (&json!("3"), &json!("T3"), &json!("b3")));

        // The source has it again, and says no slot.
        let named = json!({"device": {"site": {"externalId": "site"}, "name": "b3", "externalId": "b3"}});
        let run = Synchronizer::full(&client, [&items[..5], &[named]].concat()).await;
        assert_eq!((&run["state"], &run["failed"]), (&json!("SUCCEEDED"), &json!(0)), "{run:#}");
        let query = "{ devices(filter: {name: {eq: \"b3\"}}) { nodes { slot assetTag attributes } } }";
        let back = client.ok(query, json!({})).await["devices"]["nodes"][0].take();
        assert_eq!(back, json!({"slot": "3", "assetTag": "T3", "attributes": {}}));
    }

    async fn objects_of_others_are_released_and_used_ones_are_left(server: Server) {
        let client = server.client();
        source(&client, json!({"prune": "DELETE"})).await;
        let mut items = regions(0..5);
        items.push(json!({"provider": {"name": "lumen", "type": "TRANSIT", "externalId": "p"}}));
        Synchronizer::full(&client, items).await;
        client.apply_all(vec![
            json!({"region": {"name": "r1", "description": "by hand"}}),
            json!({"site": {"name": "ams1", "type": "EDGE", "region": {"region": "r2"}}}),
        ]).await;
        let run = Synchronizer::full(&client, vec![region(0), region(3), json!({"provider": {"name": "lumen", "externalId": "p"}})]).await;
        assert_eq!((&run["state"], &run["released"], &run["deleted"]), (&json!("SUCCEEDED"), &json!(1), &json!(1)), "{run:#}");
        assert!(run["errors"][0]["code"] == "IN_USE" && run["errors"][0]["externalId"] == "2", "{run:#}");
        assert_eq!(names(&client).await, ["r0", "r1", "r2", "r3"]);
        let released = client.ok("{ region(name: \"r1\") { externalRefs { source } managers { field manager } } }", json!({})).await;
        assert_eq!(released["region"]["externalRefs"], json!([]));
        let managers = released["region"]["managers"].as_array().unwrap().clone();
        assert!(managers.iter().all(|it| it["manager"] != "nb") && !managers.is_empty(), "{managers:?}");
    }

    async fn an_object_that_takes_the_name_of_one_that_is_gone_is_no_renumbered_one(server: Server) {
        let client = server.client();
        source(&client, json!({"prune": "DELETE"})).await;
        Synchronizer::full(&client, regions(0..4)).await;
        // The source has deleted the second region, and renamed the third one.
        let items = vec![region(0), json!({"region": {"name": "r1", "externalId": "2"}}), region(3)];
        let run = Synchronizer::full(&client, items.clone()).await;
        assert_eq!((&run["state"], &run["deleted"], &run["failed"]), (&json!("SUCCEEDED"), &json!(1), &json!(1)), "{run:#}");
        let run = Synchronizer::full(&client, items).await;
        assert_eq!((&run["state"], &run["updated"]), (&json!("SUCCEEDED"), &json!(1)), "{run:#}");
        let renamed = client.ok("{ region(name: \"r1\") { externalRefs { externalId } } }", json!({})).await;
        assert_eq!(renamed["region"]["externalRefs"], json!([{"externalId": "2"}]));
        assert_eq!(names(&client).await, ["r0", "r1", "r3"]);
    }

    async fn an_operator_approves_or_rejects_and_what_is_seen_again_is_struck_off(server: Server) {
        let client = server.client();
        source(&client, json!({"prune": "DELETE"})).await;
        Synchronizer::full(&client, regions(0..100)).await;
        let first = Synchronizer::full(&client, regions(0..50)).await;
        let second = Synchronizer::full(&client, regions(0..60)).await;
        assert_eq!((&second["state"], &second["heldCount"]), (&json!("HELD"), &json!(40)));
        let (code, message) = refused(&client, "approveRun", json!({"run": first["id"]})).await;
        assert!(code == "INCOMPATIBLE" && message.contains(second["id"].as_str().unwrap()), "{code} {message}");
        let rejected = call(&client, "rejectRun", json!({"run": second["id"]})).await;
        assert_eq!((&rejected["run"]["state"], &rejected["run"]["heldCount"]), (&json!("CANCELLED"), &json!(0)));
        assert_eq!(refused(&client, "approveRun", json!({"run": second["id"]})).await.0, "INCOMPATIBLE");

        let third = Synchronizer::full(&client, regions(0..60)).await;
        let it = Synchronizer::start(&client, "PARTIAL").await;
        it.report(json!({"seenIds": [{"kind": "Region", "ids": ["60"]}]})).await;
        it.apply(vec![region(61)]).await;
        it.finish().await;
        let approved = call(&client, "approveRun", json!({"run": third["id"]})).await;
        assert_eq!((&approved["run"]["state"], &approved["run"]["deleted"]), (&json!("SUCCEEDED"), &json!(38)));
        assert_eq!(names(&client).await.len(), 62);
        assert_eq!(refused(&client, "approveRun", json!({"run": third["id"], "adopt": true})).await.0, "INCOMPATIBLE");
        // Approved removals do not count: ten more are still allowed.
        assert_eq!(Synchronizer::full(&client, regions(0..52)).await["state"], "SUCCEEDED");
        assert_eq!(names(&client).await.len(), 52);
    }

    async fn a_renumbered_source_is_recognised_and_its_objects_adopted(server: Server) {
        let client = server.client();
        source(&client, json!({"prune": "DELETE", "limits": {"share": 1, "count": 1000}})).await;
        assert_eq!(Synchronizer::full(&client, fleet(0..8, "old")).await["state"], "SUCCEEDED");
        let before = device(&client, "d3").await;
        let run = Synchronizer::full(&client, fleet(0..8, "new")).await;
        assert_eq!((&run["state"], &run["renumbered"], &run["heldCount"]), (&json!("HELD"), &json!(true), &json!(8)), "{run:#}");
        assert_eq!(run["held"][0]["reason"], "RENUMBERED");
        let approved = call(&client, "approveRun", json!({"run": run["id"], "adopt": true})).await;
        assert_eq!((&approved["run"]["state"], &approved["run"]["deleted"]), (&json!("SUCCEEDED"), &json!(0)), "{approved:#}");
        let after = device(&client, "d3").await;
        assert_eq!((&after["id"], &after["externalRefs"]), (&before["id"], &json!([{"externalId": "new3"}])));
        let run = Synchronizer::full(&client, fleet(0..8, "new")).await;
        assert_eq!((&run["state"], &run["failed"], &run["deleted"]), (&json!("SUCCEEDED"), &json!(0), &json!(0)), "{run:#}");
    }

    async fn the_command_line_shows_and_decides(server: Server) {
        let client = server.client();
        source(&client, json!({"prune": "DELETE"})).await;
        Synchronizer::full(&client, regions(0..30)).await;
        let run = Synchronizer::full(&client, regions(0..5)).await;
        let get = server.cli(["get", "sources"]).await;
        assert!(get.code == 0 && get.stdout.contains("nb") && get.stdout.contains("HELD"), "{get:?}");
        let described = server.cli(["describe", "source/nb"]).await;
        assert!(described.code == 0 && described.stdout.contains("r29"), "{described:?}");
        let paused = server.cli(["source", "pause", "nb"]).await;
        assert_eq!(paused.code, 0, "{paused:?}");
        assert_eq!(refused(&client, "startRun", json!({"source": "nb", "mode": "FULL"})).await.0, "INCOMPATIBLE");
        assert_eq!(server.cli(["source", "resume", "nb"]).await.code, 0);
        assert_eq!(server.cli(["source", "reject", "nope"]).await.code, 1);
        let approved = server.cli(["source", "approve", "nb"]).await;
        assert!(approved.code == 0 && approved.stderr.contains(run["id"].as_str().unwrap()), "{approved:?}");
        assert_eq!(names(&client).await.len(), 5);
        let nothing = server.cli(["source", "approve", "nb"]).await;
        assert!(nothing.code == 1 && nothing.stderr.contains("no run of source \"nb\" is held"), "{nothing:?}");
    }
}
