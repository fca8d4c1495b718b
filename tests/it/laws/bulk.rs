//! Many new rows are written to the database in another way than a few. Rows of every kind, with all fields set, are
//! read back as they were written.

use std::collections::BTreeMap;

use serde_json::{Value, json};

use crate::harness::inside::{Inside, batch, items, sqlite};
use crate::harness::{assert_same, postgres};

/// The number of rows of a kind that counts as many.
const MANY_ROWS: usize = 120;
/// The number of items in the second batch, which is less than a batch can have.
const SECOND_BATCH_ITEMS: usize = 5_000;
/// The number of different objects of a kind that are copied.
const COPIED_OBJECTS: usize = 3;

/// The demo, and of each kind of which it has few so many under other names that they are many.
fn fleet() -> Vec<Value> {
    let mut by_kind: BTreeMap<String, Vec<Value>> = BTreeMap::new();
    let mut fleet: Vec<Value> = underlay_demo::items(&underlay_demo::Options::default()).collect();
    for item in &fleet {
        let (kind, fields) = item.as_object().and_then(|item| item.iter().next()).expect("an item");
        by_kind.entry(kind.clone()).or_default().push(fields.clone());
    }
    // The demo has no sources, and little of hosts.
    let source = json!({"type": "netbox", "url": "https://netbox.example", "interval": 60, "prune": "RETIRE",
        "limits": {"share": 0.25, "count": 3}, "paused": true});
    by_kind.insert("source".to_owned(), vec![source]);
    for (kind, fields) in of_hosts() {
        by_kind.insert(kind.to_owned(), vec![fields]);
    }
    for (kind, objects) in by_kind.into_iter().filter(|(_, objects)| objects.len() < MANY_ROWS) {
        for (number, fields) in objects.iter().take(COPIED_OBJECTS).cycle().take(MANY_ROWS).enumerate() {
            let mut fields = fields.clone();
            fields["name"] = json!(format!("copy {number} \"\\\u{e9}"));
            fields["description"] = json!("one\ttwo \\N {\"three\"}\nfour");
            // The values that must be unique.
            if let Some(circuit_id) = fields.get_mut("circuitId") {
                *circuit_id = json!(format!("CID-{number}"));
            }
            if kind == "host" {
                // Each is a machine of its own.
                fields["bmcUrl"] = json!(format!("ipmi://bmc-{number}"));
                fields["uid"] = json!(format!("CZJ1-{number}"));
                fields["bootMac"] = json!(format!("00:00:5e:00:53:{number:02x}"));
            }
            fields["externalRefs"] = json!([{"source": "facility-book", "externalId": format!("{kind}-{number}")}]);
            fleet.push(json!({ &kind: fields }));
        }
    }
    fleet
}

/// One object of each kind that belongs to hosts, with all fields set.
fn of_hosts() -> Vec<(&'static str, Value)> {
    let image = json!({"url": "https://images.example/a.qcow2", "checksum": format!("sha256:{}", "0a".repeat(32)),
        "format": "QCOW2"});
    let class = json!({"title": "large", "match": {"cpuCores": 64, "memoryBytes": 1_i64 << 40,
        "disks": [{"count": 2, "sizeBytes": 1000, "type": "NVME"}], "labels": {"row": "a \\"}}});
    let credential = json!({"type": "SSH_KEY", "username": "root", "allowedHosts": ["10.1.0.0/16", "bmc-1"]});
    let profile = json!({"purpose": "INSTALL", "method": "DISK_IMAGE", "kernel": "https://images.example/vmlinuz",
        "initrd": "https://images.example/initrd", "image": image, "arguments": ["quiet", "a=\"b\""], "debug": true});
    let appliance = json!({"type": "REDFISH", "url": "redfish://bmc-1", "namePattern": "node-*", "prefix": "n",
        "interval": 60});
    let host = json!({"uid": "CZJ1", "serial": "CZJ2", "title": "a host", "architecture": "ARM64", "bmcUrl": "ipmi://bmc-1",
        "bmcInsecure": true, "bmcTrustedCas": "-----BEGIN CERTIFICATE-----\nMIIB\n-----END CERTIFICATE-----",
        "bootMac": "00:00:5e:00:53:01", "bootIp": "192.0.2.1", "bootMode": "UEFI_SECURE", "boot": "NETWORK",
        "rootDevice": {"wwn": "0x5", "serial": "s", "name": "/dev/sda", "minSizeBytes": 1000, "rotational": false},
        "provisioner": "ironic", "maintenance": {"ann": "a fan\tis \\loud"}});
    vec![
        ("hostClass", class),
        ("credential", credential),
        ("profile", profile),
        ("appliance", appliance),
        ("host", host),
    ]
}

async fn law(url: &str) {
    let inside = Inside::open(url).await;
    let fleet = fleet();
    // All of a kind that the demo lacks come last, so they are many in one batch too.
    let (demo, more) = fleet.split_at(fleet.len() - SECOND_BATCH_ITEMS.min(fleet.len()));
    let first = inside.writer.write(batch(items(demo.to_vec()))).await.expect("written");
    let answer = inside.writer.write(batch(items(more.to_vec()))).await.expect("written");
    let outcomes = first.outcomes.iter().chain(&answer.outcomes);
    let refused: Vec<_> = outcomes.filter_map(|outcome| outcome.error.as_ref()).collect();
    assert!(refused.is_empty(), "{} refused, the first: {:?}", refused.len(), refused[0]);
    for kind in answer.snapshot.registry().kinds() {
        let count = answer.snapshot.table(kind.id).len();
        assert!(count >= MANY_ROWS, "there are {count} of {}", kind.name);
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
