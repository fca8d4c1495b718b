//! An object that its source no longer has is kept or removed according to the other owners of its fields.

use serde_json::{Value, json};

use super::sources::{Synchronizer, source, token};
use crate::harness::{Client, Database, Server};

fn device(number: usize) -> Value {
    json!({"device": {"name": format!("d{number}"), "site": {"site": "s"}, "role": "SERVER", "externalId": number.to_string()}})
}

/// The managers of a device besides its source, by type and name. `None` if there is no such device.
async fn others(client: &Client, name: &str) -> Option<Vec<(String, String)>> {
    let query = "query($name: String!) { device(name: $name, site: \"s\") { id managers { type manager } } }";
    let answer = client.execute(query, json!({"name": name})).await;
    let managers = answer.data["device"]["managers"].as_array()?.iter();
    let text = |value: &Value| value.as_str().expect("a text").to_owned();
    let mut others: Vec<_> = managers.map(|it| (text(&it["type"]), text(&it["manager"]))).collect();
    others.retain(|(_, manager)| manager != "nb");
    others.dedup();
    Some(others)
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn facts_and_controllers_keep_no_object_and_others_do() {
    let server = Server::start(Database::Sqlite).asking().await;
    let operator = token(&server, &["--role", "operator"]).await;
    let controller = token(&server, &["--role", "reconciler"]).await;
    source(&operator, json!({"prune": "DELETE"})).await;
    operator.apply_all(vec![json!({"site": {"name": "s", "type": "EDGE"}})]).await;
    Synchronizer::full(&operator, (0..6).map(device).collect()).await;

    // The controller sets what became of a machine, and others report or describe.
    let find = "{ device(name: \"d1\", site: \"s\") { id } }";
    let id = operator.ok(find, json!({})).await["device"]["id"].clone();
    let update = "mutation($id: ID!) { updateDevice(id: $id, patch: {status: OFFLINE}) { revision } }";
    controller.ok(update, json!({"id": id})).await;
    let write = |source: &str, number: usize, field: &str| {
        let item = json!({"device": {"name": format!("d{number}"), "site": {"site": "s"}, field: "x"}});
        operator.apply_input(json!({"source": source, "items": [item]}))
    };
    write("facts", 2, "serial").await;
    write("cmdb", 3, "serial").await;
    operator.apply_all(vec![json!({"device": {"name": "d4", "site": {"site": "s"}, "description": "x"}})]).await;

    let managers = others(&operator, "d1").await.expect("a device");
    assert_eq!(managers.iter().map(|(ty, _)| ty.as_str()).collect::<Vec<_>>(), ["CONTROLLER"], "{managers:?}");
    let describe = server.cli(["describe", "device/s/d1"]);
    let described = describe.env("UNDERLAY_RUN_DIR", server.folder().join("run")).await;
    assert!(described.code == 0 && described.stdout.contains("  controller "), "{described:?}");

    let run = Synchronizer::full(&operator, vec![device(5)]).await;
    assert_eq!(
        (&run["state"], &run["deleted"], &run["released"]),
        (&json!("SUCCEEDED"), &json!(3), &json!(2)),
        "{run:#}"
    );
    let mut left = Vec::new();
    for number in 0..6 {
        left.push(others(&operator, &format!("d{number}")).await.is_some());
    }
    assert_eq!(left, [false, false, false, true, true, true]);
}
