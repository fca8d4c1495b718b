//! Many new rows are written to the database in another way than a few. Rows of every kind, with all fields set, are
//! read back as they were written.

use std::collections::BTreeMap;

use serde_json::{Value, json};

use crate::harness::inside::{Inside, batch, items, sqlite};
use crate::harness::{assert_same, postgres};

/// The number of rows of a kind that counts as many.
const MANY: usize = 120;
/// The number of different objects of a kind that are copied.
const DIFFERENT: usize = 3;

/// The demo, and of each kind of which it has few so many under other names that they are many.
fn fleet() -> Vec<Value> {
    let mut by_kind: BTreeMap<String, Vec<Value>> = BTreeMap::new();
    let mut fleet: Vec<Value> = underlay_demo::items(&underlay_demo::Options::default()).collect();
    for item in &fleet {
        let (kind, fields) = item.as_object().and_then(|item| item.iter().next()).expect("an item");
        by_kind.entry(kind.clone()).or_default().push(fields.clone());
    }
    // The demo has no sources.
    let source = json!({"type": "netbox", "url": "https://netbox.example", "interval": 60, "prune": "RETIRE",
        "limits": {"share": 0.25, "count": 3}, "paused": true});
    by_kind.insert("source".to_owned(), vec![source]);
    for (kind, objects) in by_kind.into_iter().filter(|(_, objects)| objects.len() < MANY) {
        for (number, fields) in objects.iter().take(DIFFERENT).cycle().take(MANY).enumerate() {
            let mut fields = fields.clone();
            fields["name"] = json!(format!("copy {number} \"\\\u{e9}"));
            fields["description"] = json!("one\ttwo \\N {\"three\"}\nfour");
            // The values that must be unique.
            if let Some(circuit_id) = fields.get_mut("circuitId") {
                *circuit_id = json!(format!("CID-{number}"));
            }
            fields["externalRefs"] = json!([{"source": "facility-book", "externalId": format!("{kind}-{number}")}]);
            fleet.push(json!({ &kind: fields }));
        }
    }
    fleet
}

async fn law(url: &str) {
    let inside = Inside::open(url).await;
    let answer = inside.writer.write(batch(items(fleet()))).await.expect("written");
    let refused: Vec<_> = answer.outcomes.iter().filter_map(|outcome| outcome.error.as_ref()).collect();
    assert!(refused.is_empty(), "{} refused, the first: {:?}", refused.len(), refused[0]);
    for kind in answer.snapshot.registry().kinds() {
        let count = answer.snapshot.table(kind.id).len();
        assert!(count >= MANY, "there are {count} of {}", kind.name);
    }
    assert_same(&answer.snapshot, &inside.loaded().await);
    let empty = underlay_inventory::Snapshot::empty(answer.snapshot.registry().clone());
    let followed = inside.followed(empty).await;
    assert_same(&answer.snapshot, &followed);
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn many_rows_of_every_kind_are_read_as_written_on_sqlite() {
    let (url, _folder) = sqlite();
    law(&url).await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
#[ignore = "needs PostgreSQL"]
async fn many_rows_of_every_kind_are_read_as_written_on_postgres() {
    law(&postgres::create_database().await).await;
}
