//! The digest of a batch is stored with the request, and recognises its repeats.

use std::sync::Arc;

use chrono::{DateTime, Utc};
use serde_json::{Value as Json, json};
use underlay_engine::write::{Author, Batch, Conflicts, Decision, Item, Mode, Origin, digest};
use underlay_inventory::{Refusal, Snapshot};
use underlay_kinds::registry;
use uuid::Uuid;

fn of(items: Json, mode: Mode, source: Option<&str>) -> String {
    let registry = registry();
    let items = items.as_array().expect("a list").iter();
    let items = items.map(|item| Item::parse(&registry, item.clone()).expect("an item")).collect();
    let author = Author::user("ann").on_behalf_of(source);
    let (conflicts, request_id) = (Conflicts::Fail, Some("r".to_owned()));
    let origin = Origin::Client;
    digest(&Batch { id: Uuid::new_v4(), items, mode, conflicts, author, origin, request_id, bytes: 0 })
}

/// A decision about a request.
#[derive(Debug)]
struct About(Json);

impl Decision for About {
    fn request(&self) -> &Json {
        &self.0
    }

    fn size(&self) -> usize {
        1
    }

    fn items(&self, _: &Snapshot, _: DateTime<Utc>) -> Result<Vec<Item>, Refusal> {
        Ok(Vec::new())
    }
}

#[test]
fn a_decision_is_recognised_by_its_request() {
    let of = |request: Json| {
        let (id, request_id) = (Uuid::new_v4(), Some("r".to_owned()));
        let (author, origin) = (Author::user("ann"), Origin::Decision(Arc::new(About(request))));
        let (mode, conflicts) = (Mode::Atomic, Conflicts::Force);
        digest(&Batch { id, items: Vec::new(), mode, conflicts, author, origin, request_id, bytes: 0 })
    };
    let first = of(json!({"retryHosts": {"ids": ["a"]}}));
    // The digest is stored with the request, and a later version compares it with that of a repeated request.
    assert_eq!(first, "78e53c872e2406a07dbd4ba5bca6ed8b0b313a354494186b920bca9fb5e1ef89");
    assert_ne!(of(json!({"retryHosts": {"ids": ["b"]}})), first);
}

#[test]
fn the_same_request_has_the_same_digest_and_no_other_has() {
    let items = || json!([{"region": {"name": "a", "displayName": "b"}}, {"region": {"name": "c"}}]);
    let first = of(items(), Mode::Atomic, None);
    // The digest is stored with the request, and a later version compares it with that of a repeated request.
    assert_eq!(first, "ee2b22a25d9bfeb7f4e1f7de4842135692e96e01fec8abcdec400e0129e1568c");
    let turned = json!([{"region": {"displayName": "b", "name": "a"}}, {"region": {"name": "c"}}]);
    assert_eq!(of(turned, Mode::Atomic, None), first, "the order of fields");
    let others = [
        of(json!([{"region": {"name": "c"}}, {"region": {"name": "a", "displayName": "b"}}]), Mode::Atomic, None),
        of(json!([{"region": {"name": "a", "displayName": "x"}}, {"region": {"name": "c"}}]), Mode::Atomic, None),
        of(json!([{"region": {"name": "a", "displayName": "b"}}]), Mode::Atomic, None),
        of(json!([{"cluster": {"name": "a", "displayName": "b"}}, {"region": {"name": "c"}}]), Mode::Atomic, None),
        of(items(), Mode::PerItem, None),
        of(items(), Mode::Atomic, Some("bcm")),
    ];
    assert!(others.iter().all(|other| *other != first), "{others:?}");
}
