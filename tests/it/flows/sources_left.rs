//! Objects that are gone and cannot go: something would fall with them that the source still has, or that stays refers
//! to them. They are left and reported, count against no limit, and fail no run.

use serde_json::{Value, json};

use super::sources::{Synchronizer, call, names, region, regions, source};
use crate::harness::{Client, Server, on_both_databases};

fn site(id: &str) -> Value {
    json!({"site": {"name": id, "type": "EDGE", "externalId": id}})
}

fn rack(id: usize) -> Value {
    json!({"rack": {"site": {"site": "s"}, "name": format!("k{id}"), "heightU": 42, "externalId": format!("k{id}")}})
}

fn device(id: usize, site: &str) -> Value {
    json!({"device": {"site": {"externalId": site}, "name": format!("d{id}"), "role": "SERVER", "externalId": format!("d{id}")}})
}

fn port(id: usize, device: usize) -> Value {
    let device = format!("d{device}");
    json!({"port": {"device": {"externalId": device}, "name": format!("e{id}"), "type": "ETHERNET", "externalId": format!("p{id}")}})
}

async fn count(client: &Client, list: &str) -> i64 {
    client.ok(&format!("{{ {list} {{ totalCount }} }}"), json!({})).await[list]["totalCount"]
        .as_i64()
        .expect("a number")
}

/// The external ids of the errors of a run, and the codes.
fn errors(run: &Value) -> Vec<(String, String)> {
    let text = |value: &Value| value.as_str().expect("a text").to_owned();
    run["errors"].as_array().expect("errors").iter().map(|it| (text(&it["externalId"]), text(&it["code"]))).collect()
}

on_both_databases! {
    async fn what_was_seen_never_falls_with_what_is_gone(server: Server) {
        let client = server.client();
        source(&client, json!({"prune": "DELETE"})).await;
        let cable = json!({"cable": {"name": "c", "aEnds": [{"port": {"externalId": "p0"}}], "bEnds": [{"port": {"externalId": "p1"}}], "externalId": "c"}});
        let all = vec![site("s1"), site("s2"), device(0, "s1"), device(1, "s2"), port(0, 0), port(1, 1), cable];
        assert_eq!(Synchronizer::full(&client, all.clone()).await["state"], "SUCCEEDED");
        let without = |gone: &[usize]| -> Vec<Value> {
            all.iter().enumerate().filter(|(at, _)| !gone.contains(at)).map(|(_, item)| item.clone()).collect()
        };
        for prune in ["DELETE", "RETIRE"] {
            client.apply_all(vec![json!({"source": {"name": "nb", "prune": prune}})]).await;
            for (gone, left) in [
                // A site without its devices and ports; a device without its port; a port without its cable.
                (&[0][..], &["s1"][..]), (&[2], &["d0"]), (&[4], &["p0"]), (&[0, 2], &["d0", "s1"]), (&[2, 4], &["p0", "d0"]),
            ] {
                let run = Synchronizer::full(&client, without(gone)).await;
                let counts = ["deleted", "retired", "failed"].map(|name| run[name].as_i64().expect("a number"));
                if prune == "DELETE" {
                    assert_eq!((&run["state"], counts), (&json!("SUCCEEDED"), [0, 0, 0]), "{gone:?}: {run:#}");
                    let expected: Vec<_> = left.iter().map(|id| ((*id).to_owned(), "IN_USE".to_owned())).collect();
                    assert_eq!(errors(&run), expected, "{gone:?}");
                    assert!(run["errors"][0]["message"].as_str().expect("a text").contains("the source still has that"), "{run:#}");
                }
                let there = [count(&client, "ports").await, count(&client, "cables").await, count(&client, "devices").await];
                assert_eq!(there, [2, 1, 2], "{prune} {gone:?}: {run:#}");
                assert_eq!(Synchronizer::full(&client, all.clone()).await["state"], "SUCCEEDED");
            }
        }
        // What is gone as a whole goes as a whole.
        client.apply_all(vec![json!({"source": {"name": "nb", "prune": "DELETE"}})]).await;
        let run = Synchronizer::full(&client, without(&[0, 2, 4, 6])).await;
        assert_eq!((&run["state"], &run["deleted"], errors(&run)), (&json!("SUCCEEDED"), &json!(4), vec![]), "{run:#}");
    }

    async fn an_approval_takes_nothing_that_the_source_has(server: Server) {
        let client = server.client();
        source(&client, json!({"prune": "DELETE", "limits": {"share": 0, "count": 0}})).await;
        let all = vec![site("s1"), device(0, "s1"), device(1, "s1")];
        Synchronizer::full(&client, all.clone()).await;
        let run = Synchronizer::full(&client, all[..1].to_vec()).await;
        assert_eq!((&run["state"], &run["heldCount"]), (&json!("HELD"), &json!(2)));
        // Meanwhile the source has a port of one of them.
        let it = Synchronizer::start(&client, "PARTIAL").await;
        it.apply(vec![port(0, 0)]).await;
        it.finish().await;
        let approved = call(&client, "approveRun", json!({"run": run["id"]})).await["run"].take();
        assert_eq!((&approved["state"], &approved["deleted"]), (&json!("SUCCEEDED"), &json!(1)), "{approved:#}");
        assert_eq!(errors(&approved), [("d0".to_owned(), "IN_USE".to_owned())]);
        assert_eq!((count(&client, "devices").await, count(&client, "ports").await), (1, 1));
    }

    async fn what_others_need_counts_against_no_limit(server: Server) {
        let client = server.client();
        source(&client, json!({"prune": "DELETE"})).await;
        client.apply_all(vec![json!({"site": {"name": "s", "type": "EDGE"}})]).await;
        let racks: Vec<Value> = (0..40).map(rack).collect();
        Synchronizer::full(&client, racks.clone()).await;
        // Somebody put a device into each of eleven racks.
        let placed = (0..11).map(|id| json!({"device": {"site": {"site": "s"}, "name": format!("mine{id}"), "role": "SERVER",
            "placement": {"rack": {"rack": format!("k{id}")}, "startUnit": 1, "unitHeight": 1}}}));
        client.apply_all(placed.collect()).await;
        for _ in 0..2 {
            let run = Synchronizer::full(&client, racks[11..].to_vec()).await;
            let counts = ["heldCount", "deleted", "released", "failed"].map(|name| run[name].as_i64().expect("a number"));
            assert_eq!((&run["state"], counts), (&json!("SUCCEEDED"), [0, 0, 0, 0]), "{run:#}");
            assert!(errors(&run).len() == 11 && errors(&run).iter().all(|(_, code)| code == "IN_USE"), "{run:#}");
        }
        // Ten others still may go, and an eleventh may not.
        let run = Synchronizer::full(&client, racks[22..].to_vec()).await;
        assert_eq!((&run["state"], &run["heldCount"]), (&json!("HELD"), &json!(22)), "{run:#}");
        let run = Synchronizer::full(&client, racks[21..].to_vec()).await;
        assert_eq!(run["state"], "HELD", "a list is held already: {run:#}");
        call(&client, "rejectRun", json!({"run": run["id"]})).await;
        let run = Synchronizer::full(&client, racks[21..].to_vec()).await;
        assert_eq!((&run["state"], &run["deleted"]), (&json!("SUCCEEDED"), &json!(10)), "{run:#}");
        assert_eq!(count(&client, "racks").await, 30);

        // An approval ends too: what can go goes, and what cannot is reported.
        let run = Synchronizer::full(&client, racks[30..].to_vec()).await;
        assert_eq!(run["state"], "HELD");
        let approved = call(&client, "approveRun", json!({"run": run["id"]})).await["run"].take();
        assert_eq!((&approved["state"], &approved["deleted"], &approved["heldCount"]), (&json!("SUCCEEDED"), &json!(9), &json!(0)));
        let run = Synchronizer::full(&client, racks[30..].to_vec()).await;
        assert_eq!((&run["state"], &run["deleted"]), (&json!("SUCCEEDED"), &json!(0)), "{run:#}");
    }

    async fn what_falls_counts_for_its_own_kind(server: Server) {
        let client = server.client();
        source(&client, json!({"prune": "DELETE"})).await;
        // Two sites with eleven racks of the source `facts`, which keeps no object.
        let sites = |ids: &[&str]| ids.iter().map(|id| site(id)).collect::<Vec<_>>();
        assert_eq!(Synchronizer::full(&client, sites(&["s0", "s1", "s2"])).await["state"], "SUCCEEDED");
        let rack = |id: usize| json!({"rack": {"site": {"site": format!("s{}", id % 2)}, "name": format!("k{id}"), "heightU": 42}});
        client.apply_input(json!({"source": "facts", "items": (0..11).map(rack).collect::<Vec<_>>()})).await;
        let run = Synchronizer::full(&client, sites(&["s2"])).await;
        assert_eq!((&run["state"], &run["heldCount"]), (&json!("HELD"), &json!(2)), "eleven racks would fall: {run:#}");
        call(&client, "rejectRun", json!({"run": run["id"]})).await;
        let run = Synchronizer::full(&client, sites(&["s0", "s2"])).await;
        assert_eq!((&run["state"], &run["deleted"]), (&json!("SUCCEEDED"), &json!(1)), "five racks fall: {run:#}");
        assert_eq!(count(&client, "racks").await, 6);
        // They count for the day: with six more it would be eleven.
        let run = Synchronizer::full(&client, sites(&["s2"])).await;
        assert_eq!(run["state"], "HELD", "{run:#}");
        assert_eq!(count(&client, "racks").await, 6);
    }

    async fn an_object_with_too_much_in_it_is_left(server: Server) {
        let client = server.client();
        source(&client, json!({"prune": "DELETE"})).await;
        Synchronizer::full(&client, regions(0..4)).await;
        // More than a batch can delete stands beneath one of them.
        for part in 0..11 {
            let beneath = |id: usize| json!({"region": {"name": format!("x{part}-{id}"), "parent": {"region": "r3"}}});
            client.apply_input(json!({"source": "facts", "items": (0..1_000).map(beneath).collect::<Vec<_>>()})).await;
        }
        let run = Synchronizer::full(&client, vec![region(0), region(1)]).await;
        assert_eq!((&run["state"], &run["deleted"]), (&json!("SUCCEEDED"), &json!(1)), "{run:#}");
        assert_eq!(errors(&run), [("3".to_owned(), "BATCH_TOO_LARGE".to_owned())], "{run:#}");
        let left = names(&client).await;
        assert!(left.contains(&"r3".to_owned()) && !left.contains(&"r2".to_owned()), "{}", left.len());
    }
}
