//! Hosts that are in use: neither they nor their machines are removed, and they keep their places.

use serde_json::{Value, json};

use super::write_as_server;
use crate::harness::world::{How, World, errors};

#[test]
fn a_taken_host_is_protected_with_its_machine() {
    let table = [
        ("REGISTERED", None, false),
        ("DISCOVERING", None, false),
        ("AVAILABLE", None, false),
        ("ACQUIRED", None, true),
        ("INSTALLING", None, true),
        ("INSTALLED", None, true),
        ("RELEASING", None, true),
        ("WIPING", None, true),
        ("FAILED", None, false),
        ("FAILED", Some("DISCOVERING"), false),
        ("FAILED", Some("INSTALLING"), true),
    ];
    for (state, during, is_protected) in table {
        let mut world = World::small();
        let rack = json!({"rack": {"site": "ams1", "rack": "A14"}, "startUnit": 1, "unitHeight": 1});
        world.write(json!([
            {"device": {"site": "ams1", "name": "node-1", "placement": rack}},
            {"host": {"name": "h", "machine": {"device": {"site": "ams1", "device": "node-1"}}}}
        ]));
        let failure = during.map(|during| json!({"during": during, "reason": "R", "message": "m"}));
        write_as_server(&mut world, json!([{"host": {"name": "h", "state": state, "failure": failure}}]));
        let changes: [(&str, Value); 5] = [
            ("the host is deleted", json!([{"delete": {"host": "h"}}])),
            ("the device is deleted", json!([{"delete": {"device": "node-1"}, "cascade": true}])),
            ("the site is deleted", json!([{"delete": {"site": "ams1"}, "cascade": true}])),
            ("the host leaves its machine", json!([{"host": {"name": "h", "machine": null}}])),
            ("the device leaves its rack", json!([{"device": {"site": "ams1", "name": "node-1", "placement": null}}])),
        ];
        for (what, items) in changes {
            let found = errors(&world.plan(items, &How::default()));
            match is_protected {
                true => assert!(
                    found.iter().any(|(code, _, message)| code == "IN_USE" && message.contains("releaseHosts")),
                    "{state} {during:?}: {what}: {found:?}"
                ),
                false => assert!(found.is_empty(), "{state} {during:?}: {what}: {found:?}"),
            }
        }
    }
}
