//! The guard over HTTP: however wrong the answer of a source is, no more goes than its limits allow, and nothing goes
//! that the source still has.

use std::collections::BTreeSet;

use rand::rngs::StdRng;
use rand::{Rng, SeedableRng};
use serde_json::{Value, json};

use super::sources::{Synchronizer, call, names, refused, region, regions, source};
use crate::harness::{Client, Server, on_both_databases};

async fn state(client: &Client, items: Vec<Value>) -> String {
    Synchronizer::full(client, items).await["state"].as_str().expect("a state").to_owned()
}

on_both_databases! {
    async fn an_empty_or_short_answer_is_held_and_nothing_goes(server: Server) {
        let client = server.client();
        source(&client, json!({"prune": "DELETE"})).await;
        assert_eq!(state(&client, regions(0..200)).await, "SUCCEEDED");
        for items in [regions(0..0), regions(0..100), regions(0..179)] {
            let count = items.len();
            let run = Synchronizer::full(&client, items).await;
            assert_eq!((&run["state"], &run["heldCount"]), (&json!("HELD"), &json!(200 - count)), "{count}");
            assert_eq!(names(&client).await.len(), 200, "{count} of 200 were seen");
        }
        // The source is whole again: nothing is held any longer.
        let run = Synchronizer::full(&client, regions(0..200)).await;
        assert_eq!((&run["state"], &run["heldCount"]), (&json!("SUCCEEDED"), &json!(0)));
        // A tenth may go, and then no more on this day.
        assert_eq!(state(&client, regions(0..180)).await, "SUCCEEDED");
        assert_eq!(names(&client).await.len(), 180);
        assert_eq!(state(&client, regions(0..179)).await, "HELD");
        assert_eq!(names(&client).await.len(), 180);
    }

    async fn a_tenth_each_run_is_stopped(server: Server) {
        let client = server.client();
        source(&client, json!({"prune": "RELEASE"})).await;
        state(&client, regions(0..100)).await;
        let mut states = Vec::new();
        for left in [95, 90, 85, 80] {
            states.push(state(&client, regions(0..left)).await);
        }
        assert_eq!(states, ["SUCCEEDED", "SUCCEEDED", "HELD", "HELD"], "ten of a hundred, whatever the number of runs");
        let refs = client.ok("{ regions(first: 1000, filter: {externalRef: {source: \"nb\"}}) { totalCount } }", json!({})).await;
        assert_eq!(refs["regions"]["totalCount"], 90);
        assert_eq!(names(&client).await.len(), 100, "what is released stays");
    }

    async fn a_kind_of_three_does_not_lose_all(server: Server) {
        let client = server.client();
        source(&client, json!({"prune": "DELETE"})).await;
        state(&client, regions(0..3)).await;
        assert_eq!(state(&client, regions(0..0)).await, "HELD");
        assert_eq!(names(&client).await.len(), 3);
        assert_eq!(state(&client, regions(0..3)).await, "SUCCEEDED");
        assert_eq!(state(&client, regions(0..1)).await, "SUCCEEDED", "two of three may");
        assert_eq!(state(&client, regions(0..0)).await, "HELD", "it had three within the day");
        assert_eq!(names(&client).await, ["r0"]);
    }

    async fn a_kind_of_three_does_not_lose_one_while_the_others_stay_for_another_reason(server: Server) {
        let client = server.client();
        source(&client, json!({"prune": "DELETE"})).await;
        state(&client, regions(0..3)).await;
        // Two of them are in use, so they would stay in any case.
        let site = |name: &str, region: &str| json!({"site": {"name": name, "type": "EDGE", "region": {"region": region}}});
        client.apply_all(vec![site("a", "r0"), site("b", "r1")]).await;
        let run = Synchronizer::full(&client, regions(0..0)).await;
        assert_eq!((&run["state"], &run["heldCount"], &run["deleted"]), (&json!("HELD"), &json!(3), &json!(0)), "{run:#}");
        assert_eq!(names(&client).await, ["r0", "r1", "r2"]);
        assert_eq!(state(&client, regions(0..3)).await, "SUCCEEDED", "the list was wrong, and nothing has another id");
        assert_eq!(state(&client, regions(0..2)).await, "SUCCEEDED", "one of three may go while the source has others");
        assert_eq!(names(&client).await, ["r0", "r1"]);
    }

    async fn everything_renamed_is_no_loss(server: Server) {
        let client = server.client();
        source(&client, json!({"prune": "DELETE"})).await;
        state(&client, regions(0..50)).await;
        let renamed = (0..50).map(|id| json!({"region": {"name": format!("new{id}"), "externalId": id.to_string()}}));
        let run = Synchronizer::full(&client, renamed.collect()).await;
        assert_eq!((&run["state"], &run["updated"], &run["deleted"]), (&json!("SUCCEEDED"), &json!(50), &json!(0)));
        assert!(names(&client).await.iter().all(|name| name.starts_with("new")));
    }

    async fn everything_emptied_is_left_as_it_is(server: Server) {
        let client = server.client();
        source(&client, json!({})).await;
        let child = |id: usize, parent: Value| json!({"region": {"name": format!("c{id}"), "externalId": format!("c{id}"), "parent": parent}});
        let mut items = vec![region(0)];
        items.extend((0..30).map(|id| child(id, json!({"externalId": "0"}))));
        assert_eq!(state(&client, items).await, "SUCCEEDED");

        let it = Synchronizer::start(&client, "FULL").await;
        let mut items = vec![region(0)];
        items.extend((0..30).map(|id| {
            let mut item = child(id, Value::Null);
            item["region"]["description"] = json!("kept");
            item
        }));
        let results = it.apply(items).await;
        let left = results.iter().filter(|result| result["skipped"][0]["reason"] == "HELD").count();
        assert_eq!(left, 20, "ten of the source's 31 regions may be emptied: {results:#?}");
        assert!(results.iter().all(|result| result["status"] != "FAILED"), "{results:#?}");
        it.settle(true).await;
        let run = it.finish().await;
        assert_eq!((&run["state"], &run["heldCount"], &run["skippedFields"]), (&json!("HELD"), &json!(20), &json!(20)));
        assert_eq!((&run["held"][0]["field"], &run["held"][0]["reason"]), (&json!("parent"), &json!("EMPTIED")));
        let count = "{ beneath: regions(filter: {parent: {isNull: false}}) { totalCount } described: regions(filter: {description: {eq: \"kept\"}}) { totalCount } }";
        let found = client.ok(count, json!({})).await;
        assert_eq!(found["beneath"]["totalCount"], 20);
        assert_eq!(found["described"]["totalCount"], 30, "everything else of the items is written");

        // One of them is set again, and is taken off the list. The others are emptied when an operator approves.
        let it = Synchronizer::start(&client, "PARTIAL").await;
        let held = run["held"][0]["externalId"].as_str().unwrap().to_owned();
        let number: usize = held[1..].parse().unwrap();
        it.apply(vec![child(number, json!({"externalId": "0"}))]).await;
        it.finish().await;
        let approved = call(&client, "approveRun", json!({"run": run["id"]})).await;
        assert_eq!((&approved["run"]["state"], &approved["run"]["heldCount"]), (&json!("SUCCEEDED"), &json!(0)));
        assert_eq!(client.ok(count, json!({})).await["beneath"]["totalCount"], 1);
    }

    async fn an_external_id_of_another_kind_is_another_object(server: Server) {
        let client = server.client();
        source(&client, json!({"prune": "DELETE", "limits": {"share": 1, "count": 100}})).await;
        state(&client, regions(0..5)).await;
        let mut items = regions(1..5);
        items.push(json!({"provider": {"name": "p", "type": "TRANSIT", "externalId": "0"}}));
        let run = Synchronizer::full(&client, items).await;
        assert_eq!((&run["state"], &run["created"], &run["deleted"]), (&json!("SUCCEEDED"), &json!(1), &json!(1)), "{run:#}");
        assert_eq!(names(&client).await, ["r1", "r2", "r3", "r4"], "the region with that id is gone");
    }

    async fn random_sources_lose_only_what_they_lost_and_not_too_much(server: Server) {
        let client = server.client();
        source(&client, json!({"prune": "DELETE", "limits": {"share": 0.2, "count": 3}})).await;
        let mut random = StdRng::seed_from_u64(23);
        let mut there: BTreeSet<usize> = (0..40).collect();
        let mut inventory: BTreeSet<usize> = there.clone();
        state(&client, there.iter().copied().map(region).collect()).await;
        let (mut removed, mut held) = (0, 0);
        let mut list: BTreeSet<usize> = BTreeSet::new();
        for round in 0..25 {
            // The source gains and loses a few, and sometimes answers with a part only.
            let next = 100 + round;
            there.insert(next);
            let lost = random.random_range(0..3);
            for _ in 0..lost {
                let at = random.random_range(0..there.len());
                let id = *there.iter().nth(at).expect("one of them");
                there.remove(&id);
            }
            let sent: BTreeSet<usize> = match random.random_range(0..4) {
                0 => there.iter().copied().filter(|_| random.random_bool(0.5)).collect(),
                _ => there.clone(),
            };
            inventory.extend(&sent);
            let gone: BTreeSet<usize> = inventory.difference(&sent).copied().collect();
            let own = inventory.len();
            // The share is of what there was before anything went.
            let most = 3.max((own + removed) / 5);
            let takes_all = gone.len() == own;
            // An object that is seen again leaves the list, and nothing is removed while a list is held.
            list.retain(|id| !sent.contains(id));
            let permitted = gone.is_empty() || list.is_empty() && removed + gone.len() <= most && !takes_all;
            let run = Synchronizer::full(&client, sent.iter().copied().map(region).collect()).await;
            let expected = if permitted { "SUCCEEDED" } else { "HELD" };
            assert_eq!(run["state"], expected, "round {round}: {} of {own} gone, {removed} went before: {run:#}", gone.len());

            if permitted {
                inventory.retain(|id| !gone.contains(id));
                removed += gone.len();
                list.clear();
            } else {
                held += 1;
                list = gone;
                // Sometimes an operator says that the source was wrong.
                if random.random_bool(0.5) {
                    call(&client, "rejectRun", json!({"run": run["id"]})).await;
                    list.clear();
                }
            }
            let found: BTreeSet<usize> = names(&client).await.iter().map(|name| name[1..].parse().unwrap()).collect();
            assert_eq!(found, inventory, "round {round}");
            assert!(sent.is_subset(&found), "round {round}: nothing goes that the source still has");
        }
        assert!(removed > 0 && held > 2, "{removed} {held}");
    }

    async fn what_another_run_wrote_meanwhile_is_not_gone(server: Server) {
        let client = server.client();
        source(&client, json!({"prune": "DELETE"})).await;
        state(&client, regions(0..6)).await;
        let early = Synchronizer::start(&client, "PARTIAL").await;
        early.apply(vec![region(5)]).await;
        // The scan has passed what another process writes or names.
        let full = Synchronizer::start(&client, "FULL").await;
        full.apply(regions(0..3)).await;
        let partial = Synchronizer::start(&client, "PARTIAL").await;
        partial.apply(vec![region(3), region(9)]).await;
        partial.report(json!({"seenIds": [{"kind": "Region", "ids": ["4"]}]})).await;
        assert_eq!(partial.finish().await["seen"], 3);
        let settled = full.settle(true).await;
        assert_eq!((&settled["seen"], &settled["deleted"]), (&json!(3), &json!(1)), "what was seen before counts for nothing: {settled:#}");
        assert_eq!(full.finish().await["state"], "SUCCEEDED");
        assert_eq!(names(&client).await, ["r0", "r1", "r2", "r3", "r4", "r9"]);

        // A full run counts what it sees itself, whoever saw it before.
        let full = Synchronizer::start(&client, "FULL").await;
        let partial = Synchronizer::start(&client, "PARTIAL").await;
        partial.apply(vec![region(9)]).await;
        full.apply(vec![region(9), region(0)]).await;
        let report = full.report(json!({"seenIds": [{"kind": "Region", "ids": ["9", "0", "1"]}]})).await;
        assert_eq!(report["run"]["seen"], 3);
        let settled = full.settle(true).await;
        assert_eq!((&settled["seen"], &settled["deleted"]), (&json!(3), &json!(3)), "{settled:#}");
        assert_eq!(names(&client).await, ["r0", "r1", "r9"]);
    }

    async fn two_synchronizers_at_once_count_exactly(server: Server) {
        let client = server.client();
        source(&client, json!({})).await;
        let one = Synchronizer::start(&client, "FULL").await;
        assert_eq!(refused(&client, "startRun", json!({"source": "nb", "mode": "FULL"})).await.0, "IN_USE");
        let two = Synchronizer { client: client.clone(), run: one.run.clone() };
        let write = async |it: &Synchronizer, from: usize| {
            for id in from..from + 20 {
                it.apply(vec![region(id)]).await;
            }
        };
        tokio::join!(write(&one, 0), write(&two, 10));
        let run = one.settle(true).await;
        let counts = ["seen", "created", "unchanged"].map(|name| run[name].as_i64().unwrap());
        assert_eq!(counts, [30, 30, 10], "{run:#}");
    }
}
