//! The same machine from two sources: what is joined, and what is only suggested.

use serde_json::{Value, json};

use super::sources::{Synchronizer, source, token};
use crate::harness::{Client, Database, Server, on_both_databases};

const SUGGESTIONS: &str = "{ source(name: \"nb\") { suggestions {
  path object { ... on Device { name } ... on Host { name } } otherPath other { __typename } by value
} } }";

async fn suggested(client: &Client) -> Vec<[String; 4]> {
    let found = client.ok(SUGGESTIONS, json!({})).await;
    let found = found["source"]["suggestions"].as_array().expect("a list").clone();
    let text = |value: &Value| value.as_str().expect("a text").to_owned();
    found.iter().map(|it| ["path", "otherPath", "by", "value"].map(|field| text(&it[field]))).collect()
}

fn device(name: &str, id: &str, serial: &str) -> Value {
    json!({"device": {"name": name, "site": {"site": "s"}, "role": "SERVER", "externalId": id, "serial": serial}})
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_machine_of_two_sources_is_suggested_and_joined_by_nobody() {
    let server = Server::start(Database::Sqlite).asking().await;
    let operator = token(&server, &["--role", "operator"]).await;
    let tenant = token(&server, &["--role", "admin", "--tenant", "blue"]).await;
    source(&operator, json!({})).await;
    operator.apply_all(vec![json!({"site": {"name": "s", "type": "EDGE"}})]).await;
    let write = |source: &'static str, items: Vec<Value>| {
        let operator = operator.clone();
        async move {
            let answer = operator.apply_input(json!({"source": source, "items": items})).await;
            let results = answer["results"].as_array().expect("results").clone();
            assert!(results.iter().all(|result| result["error"].is_null()), "{results:#?}");
        }
    };
    write("nb", vec![device("a1", "1", "CZJ-1"), device("a2", "2", "To Be Filled"), device("both", "3", "CZJ-3")])
        .await;
    // The one with the same name is the same device, whatever its serial number was called before.
    write("bcm", vec![device("b1", "1", " czj-1 "), device("b2", "2", "To Be Filled"), device("both", "3", "CZJ-3")])
        .await;
    let pair = |path: &str, other: &str, by: &str, value: &str| [path, other, by, value].map(str::to_owned);
    assert_eq!(suggested(&operator).await, [pair("device/s/a1", "device/s/b1", "UID", "czj-1")]);

    // A host stands on its machine, which is no suggestion, and another device with its serial number is one.
    let host = |name: &str, id: &str, more: Value| {
        let mut host = json!({"name": name, "externalId": id});
        host.as_object_mut().unwrap().extend(more.as_object().unwrap().clone());
        json!({ "host": host })
    };
    let machine = json!({"device": {"device": "a1", "site": "s"}});
    write("nb", vec![host("h1", "h1", json!({"uid": "CZJ-1", "machine": machine, "bootMac": "52:54:00:00:00:01"}))])
        .await;
    write("nb", vec![host("h2", "h2", json!({"bmcUrl": "redfish://10.0.0.7", "uid": "CZJ-7"}))]).await;
    // What is certainly one machine is refused.
    let same = host("g", "g", json!({"bmcUrl": "redfish-virtualmedia://10.0.0.7"}));
    let refused = operator.apply_input(json!({"source": "bcm", "items": [same]})).await["results"][0]["error"].take();
    let message = refused["message"].as_str().unwrap_or_default();
    assert!(refused["code"] == "DUPLICATE" && message.contains("host/h2"), "{refused}");
    // What may be one is suggested: they say different things of themselves.
    let more = json!({"bmcUrl": "redfish-virtualmedia://10.0.0.7", "bootMac": "52-54-00-00-00-01", "uid": "CZJ-9"});
    write("bcm", vec![host("g", "g", more)]).await;
    let expected = [
        pair("device/s/a1", "device/s/b1", "UID", "czj-1"),
        pair("host/h1", "device/s/b1", "UID", "czj-1"),
        pair("host/h1", "host/g", "BOOT_MAC", "52:54:00:00:00:01"),
        pair("host/h2", "host/g", "BMC_URL", "10.0.0.7"),
    ];
    assert_eq!(suggested(&operator).await, expected);

    let listed = server.cli(["source", "suggestions", "nb"]).env("UNDERLAY_RUN_DIR", server.folder().join("run")).await;
    assert_eq!(listed.code, 0, "{listed:?}");
    for words in ["host/h1", "device/s/b1", "boot mac", "52:54:00:00:00:01"] {
        assert!(listed.stdout.contains(words), "{words}: {}", listed.stdout);
    }
    let described = server.cli(["describe", "source/nb"]).env("UNDERLAY_RUN_DIR", server.folder().join("run")).await;
    assert!(described.code == 0 && described.stdout.contains("czj-1"), "{described:?}");
    let unknown = server.cli(["source", "suggestions", "x"]).env("UNDERLAY_RUN_DIR", server.folder().join("run")).await;
    assert!(unknown.code == 1 && unknown.stderr.contains("there is no source \"x\""), "{unknown:?}");
    let hidden = tenant.execute(SUGGESTIONS, json!({})).await;
    assert_eq!(hidden.data["source"], Value::Null, "a tenant sees no source");
    let many = operator.refused("{ source(name: \"nb\") { suggestions(first: 1001) { by } } }", json!({})).await;
    assert!(many[0].message.contains("must be from 0 to 1000"), "{many:?}");
}

on_both_databases! {
    async fn a_host_that_is_the_machine_of_another_one_is_suggested_and_fails_no_run(server: Server) {
        let client = server.client();
        source(&client, json!({})).await;
        client.apply_all(vec![json!({"host": {"name": "mine", "bmcUrl": "redfish://10.0.0.7", "bootMac": "52:54:00:00:00:01"}})]).await;
        let item = |id: &str, more: Value| {
            let mut host = json!({"name": id, "externalId": id});
            host.as_object_mut().expect("fields").extend(more.as_object().expect("fields").clone());
            json!({ "host": host })
        };
        let items = |url: &str| vec![
            item("n1", json!({"bmcUrl": url})),
            item("n2", json!({"bmcUrl": "redfish://10.0.0.8", "bootMac": "52-54-00-00-00-01"})),
            item("n3", json!({"bmcUrl": "redfish://10.0.0.9"})),
        ];
        let run = Synchronizer::full(&client, items("ipmi://10.0.0.7")).await;
        assert_eq!((&run["state"], &run["failed"], &run["created"]), (&json!("SUCCEEDED"), &json!(0), &json!(1)), "{run:#}");
        let pair = |path: &str, by: &str, value: &str| [path, "host/mine", by, value].map(str::to_owned);
        let expected = [pair("n1", "BMC_URL", "redfish://10.0.0.7"), pair("n2", "BOOT_MAC", "52:54:00:00:00:01")];
        assert_eq!(suggested(&client).await, expected);
        let listed = server.cli(["source", "suggestions", "nb"]).await;
        assert!(listed.code == 0 && listed.stdout.contains("n1") && listed.stdout.contains("host/mine"), "{listed:?}");

        // One that exists already, and would become the machine of the other one, keeps its address, and is told too.
        let run = Synchronizer::full(&client, items("redfish://10.0.0.6")).await;
        assert_eq!((&run["created"], &run["failed"]), (&json!(1), &json!(0)), "{run:#}");
        Synchronizer::full(&client, items("redfish://10.0.0.7:443")).await;
        let expected = [pair("host/n1", "BMC_URL", "redfish://10.0.0.7"), pair("n2", "BOOT_MAC", "52:54:00:00:00:01")];
        assert_eq!(suggested(&client).await, expected);
        let found = client.ok("{ host(name: \"n1\") { bmcUrl } }", json!({})).await;
        assert_eq!(found["host"]["bmcUrl"], "redfish://10.0.0.6");
    }
}
