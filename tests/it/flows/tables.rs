//! Tables of all kinds: what `get -o csv` writes, `apply` reads as the same objects.

use std::collections::BTreeMap;
use std::path::Path;

use serde::Deserialize;
use serde_json::{Value, json};

use super::apply::done;
use crate::harness::{Client, Database, Server, scratch};

/// The objects of a kind, as the console's tests have them, too. Together they have every field.
#[derive(Deserialize)]
struct Case {
    kind: String,
    items: Vec<Value>,
}

fn cases() -> Vec<Case> {
    serde_json::from_str(include_str!("../../../console/test/pure/tables.json")).expect("cases")
}

/// All objects of a server as items, by kind and id.
async fn items(client: &Client) -> BTreeMap<String, Value> {
    let mut items = BTreeMap::new();
    for kind in underlay_kinds::registry().kinds() {
        let list = kind.plural();
        let found = client.ok(&format!("{{ {list}(first: 1000) {{ nodes {{ id item }} }} }}"), json!({})).await;
        for node in found[&list]["nodes"].as_array().expect("nodes") {
            items.insert(format!("{} {}", kind.singular, node["id"]), node["item"].clone());
        }
    }
    items
}

/// Writes a table of each kind into a folder, and returns the names of the files with the numbers of their lines.
async fn write_tables(server: &Server, folder: &Path) -> Vec<(String, usize)> {
    let mut files = Vec::new();
    for kind in underlay_kinds::registry().kinds() {
        let table = server.cli(["get", kind.singular, "-o", "csv"]).await;
        let text = done(&table);
        let lines = csv::Reader::from_reader(text.as_bytes()).records().count();
        let file = format!("{}.csv", kind.plural());
        std::fs::write(folder.join(&file), text).expect("a file");
        files.push((file, lines));
    }
    files
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_table_with_every_field_of_every_kind_changes_nothing_and_makes_the_same_objects() {
    let from = Server::start(Database::Sqlite).await;
    let registry = underlay_kinds::registry();
    let given = cases().into_iter().flat_map(|case| {
        let kind = registry.named(&case.kind).expect("a kind").singular;
        case.items.into_iter().map(move |item| json!({ kind: item }))
    });
    from.client().apply_all(given.collect()).await;

    let folder = scratch::folder("tables");
    let files = write_tables(&from, folder.path()).await;
    for (file, lines) in &files {
        let mut table = csv::Reader::from_path(folder.path().join(file)).expect("a table");
        let names: Vec<String> = table.headers().expect("a header").iter().map(str::to_owned).collect();
        let records: Vec<_> = table.records().map(|record| record.expect("a line")).collect();
        for (at, name) in names.iter().enumerate() {
            // Without a value somewhere the column proves nothing.
            assert!(records.iter().any(|record| !record[at].is_empty()), "{file}: no object has {name}");
        }
        let again = from.cli(["apply", "-f", file, "--dry-run"]).current_dir(folder.path()).await;
        assert_eq!((done(&again), again.stderr.as_str()), (&*format!("{lines} unchanged (dry run)\n"), ""), "{file}");
    }

    // All tables at once, because objects refer to each other in circles.
    let to = Server::start(Database::Sqlite).await;
    let arguments = files.iter().flat_map(|(file, _)| ["-f", file.as_str()]);
    let made = to.cli(["apply"].into_iter().chain(arguments)).current_dir(folder.path()).await;
    assert_eq!(made.code, 0, "{made:?}");
    let (mine, theirs) = (items(&from.client()).await, items(&to.client()).await);
    for (object, item) in &mine {
        assert_eq!(theirs.get(object), Some(item), "{object}");
    }
    assert_eq!(mine.len(), theirs.len());
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn the_tables_of_the_demo_change_nothing() {
    let server = Server::start(Database::Sqlite).arg("--demo").await;
    let folder = scratch::folder("tables");
    for (file, lines) in write_tables(&server, folder.path()).await {
        if lines > 0 {
            let again = server.cli(["apply", "-f", &file, "--dry-run"]).current_dir(folder.path()).await;
            assert_eq!(done(&again), format!("{lines} unchanged (dry run)\n"), "{file}");
        }
    }
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn columns_that_the_server_computes_are_noted() {
    let server = Server::start(Database::Sqlite).await;
    let folder = scratch::folder("tables");
    let table = "name,type,updatedAt,version\nams1,EDGE,2020-01-01,7\n";
    std::fs::write(folder.path().join("ams1.sites.csv"), table).expect("a file");
    let made = server.cli(["apply", "-f", "ams1.sites.csv"]).current_dir(folder.path()).await;
    assert_eq!((made.code, made.stdout.as_str()), (0, "created site/ams1\n1 created\n"), "{made:?}");
    let note = |number: usize, name: &str| {
        format!("note: ams1.sites.csv, column {number}: {name} is not applied, because the server computes it\n")
    };
    assert_eq!(made.stderr, note(3, "updatedAt") + &note(4, "version"));

    server.client().apply_all(vec![json!({"region": {"name": "x"}})]).await;
    let several = server.cli(["get", "site/ams1", "region/x", "-o", "csv"]).await;
    assert_eq!((several.code, several.stdout.as_str()), (2, ""), "{several:?}");
    assert!(several.stderr.contains("a table (-o csv) has objects of one kind"), "{several:?}");
}
