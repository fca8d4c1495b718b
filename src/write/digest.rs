//! Computes the digest of a batch, which shows that a repeated request has the same content.

use serde::Serialize;
use serde_json::Value as Json;
use sha2::{Digest as _, Sha256};

use super::batch::{Batch, Cascade, Conflicts, Intent, Item, Mode, Origin, Release};

/// Returns the SHA-256 digest of the items of a batch and of its options, as hexadecimal digits. The order of the
/// fields in an item does not matter.
pub(super) fn digest(batch: &Batch) -> String {
    let mut digest = Sha256::new();
    let mut text = Vec::new();
    let mode = match batch.mode {
        Mode::Atomic => "atomic",
        Mode::PerItem => "per item",
    };
    let conflicts = match batch.conflicts {
        Conflicts::Skip => "skip",
        Conflicts::Fail => "fail",
        Conflicts::Force => "force",
    };
    add(&mut digest, &mut text, &(mode, conflicts, &batch.author.source));
    if let Origin::Decision(decision) = &batch.origin {
        add(&mut digest, &mut text, &("decided", decision.request()));
    }
    for item in &batch.items {
        match item {
            Item::Write { kind, intent, fields, if_version } => {
                let intent = match intent {
                    Intent::Apply => "apply",
                    Intent::Create => "create",
                    Intent::Update => "update",
                };
                let mut fields: Vec<(&str, &Json)> = fields.iter().collect();
                fields.sort_unstable_by_key(|(name, _)| *name);
                add(&mut digest, &mut text, &(intent, kind.name, if_version, fields));
            }
            Item::Delete { kind, object, cascade, if_version } => {
                let what = match cascade {
                    Cascade::No => "delete",
                    Cascade::Contained => "delete with contents",
                };
                add(&mut digest, &mut text, &(what, kind.map(|kind| kind.name), if_version, object));
            }
            Item::Release { kind, object, what } => {
                let kind = kind.map(|kind| kind.name);
                match what {
                    Release::Fields(fields) => add(&mut digest, &mut text, &("release", kind, object, fields)),
                    Release::HeldBy(manager) => add(&mut digest, &mut text, &("release of", kind, object, manager)),
                }
            }
            Item::Refused { input, .. } => add(&mut digest, &mut text, &("refused", input)),
        }
    }
    digest.finalize().iter().map(|byte| format!("{byte:02x}")).collect()
}

/// Adds a value as a line of JSON, so that two different batches never give the same text.
fn add(digest: &mut Sha256, text: &mut Vec<u8>, part: &impl Serialize) {
    text.clear();
    // Texts, numbers and JSON values can always be written as JSON.
    if serde_json::to_writer(&mut *text, part).is_ok() {
        text.push(b'\n');
        digest.update(&*text);
    }
}

#[cfg(test)]
mod tests {
    use std::sync::Arc;

    use chrono::{DateTime, Utc};
    use serde_json::json;
    use underlay_inventory::{Refusal, Snapshot};
    use uuid::Uuid;

    use super::*;
    use crate::kinds::registry;
    use crate::write::{Author, Decision};

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
}
