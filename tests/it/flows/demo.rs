//! `underlay demo`: writes the fleet to a running server.

use std::collections::BTreeSet;

use serde_json::{Map, Value, json};

use super::apply::{done, revision};
use crate::harness::{Cli, Server, on_both_databases, scratch};

on_both_databases! {
    async fn the_demo_is_written_to_an_empty_inventory_only(server: Server) {
        let first = server.cli(["demo"]).await;
        let printed = done(&first);
        assert!(printed.contains(" Device\n") && printed.contains(" VirtualMachine\n"), "{printed}");
        let last = printed.lines().last().unwrap_or_default();
        assert!(last.ends_with(&format!(" created: see {}/", server.url())), "{last}");
        let written = revision(&server).await;

        let again = server.cli(["demo"]).await;
        assert_eq!((again.code, again.stdout.as_str()), (1, ""), "{again:?}");
        assert!(again.stderr.contains(" is not empty (regions: ") && again.stderr.contains("hint: --force"), "{again:?}");

        let forced = server.cli(["demo", "--force"]).await;
        assert!(done(&forced).contains(" unchanged: see "), "{forced:?}");
        assert_eq!(revision(&server).await, written);
    }

    async fn a_larger_fleet_takes_several_batches(server: Server) {
        let outcome = server.cli(["demo", "--racks", "6", "--seed", "9", "--batch", "1000"]).await;
        let printed = done(&outcome);
        let written = revision(&server).await;
        assert!(written > 3, "{printed}");
        let again = server.cli(["demo", "--racks", "6", "--seed", "9", "--force"]).await;
        assert!(done(&again).contains(" unchanged: see "), "{again:?}");
        assert_eq!(revision(&server).await, written, "batches of another size, but the same fleet");
    }

    async fn a_rejected_item_ends_the_demo(server: Server) {
        let site = json!({"site": {"name": "ams1", "type": "DATACENTER"}});
        let rack = json!({"rack": {"name": "A10", "site": {"site": "ams1"}, "heightU": 1}});
        let device = json!({"device": {
            "name": "x", "site": {"site": "ams1"}, "role": "SERVER",
            "placement": {"rack": {"site": "ams1", "rack": "A11"}, "startUnit": 2, "unitHeight": 1},
        }});
        let wide = json!({"rack": {"name": "A11", "site": {"site": "ams1"}, "heightU": 47}});
        server.client().apply_all(vec![site, rack, wide, device]).await;
        let outcome = server.cli(["demo", "--racks", "1", "--force", "--batch", "500"]).await;
        assert_eq!((outcome.code, outcome.stdout.as_str()), (1, ""), "{outcome:?}");
        assert!(outcome.stderr.contains("overlaps") && outcome.stderr.contains("(OVERLAP)"), "{outcome:?}");
        assert!(outcome.stderr.contains("objects were written before; correct the problem and run the command again with --force"), "{outcome:?}");
    }
}

#[tokio::test]
async fn items_are_dumped_without_a_server() {
    let shown = Cli::new(["demo", "--dump", "-"]).await;
    let folder = scratch::folder("dump");
    let same = Cli::new(["demo", "--dump", "demo.jsonl"]).current_dir(folder.path()).await;
    assert_eq!(done(&same), "");
    let file = std::fs::read_to_string(folder.path().join("demo.jsonl")).expect("a file");
    assert!(file == done(&shown), "the file is what is shown");
    let mut kinds = BTreeSet::new();
    for line in file.lines() {
        let item: Map<String, Value> = serde_json::from_str(line).expect("an item");
        assert_eq!(item.len(), 1, "one member, named after the kind: {line}");
        kinds.extend(item.into_iter().map(|(kind, _)| kind));
    }
    assert_eq!(kinds.len(), 17, "{kinds:?}");

    let other = Cli::new(["demo", "--dump", "-", "--seed", "6"]).await;
    assert!(done(&other) != file && other.stdout.lines().count() > 5_000, "another seed, another fleet");

    let nowhere = Cli::new(["demo", "--dump", "no/such/folder.jsonl"]).current_dir(folder.path()).await;
    assert_eq!(nowhere.code, 1);
    assert!(nowhere.stderr.starts_with("error: no/such/folder.jsonl cannot be written: "), "{nowhere:?}");
}
