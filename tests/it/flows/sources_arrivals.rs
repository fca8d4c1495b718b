//! `Source.hostsArrive`: hosts that a run creates arrive as their source reports them, once.

use serde_json::{Value, json};

use super::sources::{Synchronizer, call, source, token};
use crate::harness::{Client, Database, Server, on_both_databases};

fn host(name: &str, arrives: &str) -> Value {
    json!({"host": {"name": name, "externalId": name, "provisioner": "ironic", "arrivesAs": arrives}})
}

/// The states of all hosts, by name.
async fn states(client: &Client) -> Vec<(String, String)> {
    let data = client.ok("{ hosts(first: 100) { nodes { name state generation } } }", json!({})).await;
    let nodes = data["hosts"]["nodes"].as_array().expect("hosts").iter();
    let text = |value: &Value| value.as_str().expect("a text").to_owned();
    let mut states: Vec<_> = nodes
        .map(|node| {
            assert_eq!(node["generation"], 0, "nobody ordered anything: {node}");
            (text(&node["name"]), text(&node["state"]))
        })
        .collect();
    states.sort();
    states
}

fn are(expected: &[(&str, &str)]) -> Vec<(String, String)> {
    expected.iter().map(|(name, state)| ((*name).to_owned(), (*state).to_owned())).collect()
}

async fn arrive(client: &Client, how: &str) {
    let found = client.ok("{ source(name: \"nb\") { id } }", json!({})).await;
    let update = "mutation($id: ID!, $how: SourceHostsArrive) { \
        updateSource(id: $id, patch: {hostsArrive: $how}) { source { hostsArrive } } }";
    let updated = client.ok(update, json!({"id": found["source"]["id"], "how": how})).await;
    assert_eq!(updated["updateSource"]["source"]["hostsArrive"], how);
}

on_both_databases! {
    async fn hosts_arrive_once_as_their_source_reports(mut server: Server) {
        let client = server.client();
        source(&client, json!({"prune": "DELETE", "limits": {"count": 100}})).await;
        client.apply_all(vec![json!({"host": {"name": "mine"}})]).await;

        // Without the setting, what the source reports counts for nothing.
        let first = vec![host("a", "AVAILABLE"), host("mine", "AVAILABLE")];
        let run = Synchronizer::full(&client, first.clone()).await;
        assert_eq!((&run["created"], &run["failed"]), (&json!(1), &json!(0)), "{run:#}");
        assert_eq!(states(&client).await, are(&[("a", "REGISTERED"), ("mine", "REGISTERED")]));

        // The setting is for hosts that are new from then on, also after a restart.
        arrive(&client, "AS_REPORTED").await;
        server.kill();
        server.restart().await;
        let client = server.client();
        let more = vec![host("b", "AVAILABLE"), host("c", "INSTALLED")];
        let run = Synchronizer::full(&client, [first.clone(), more].concat()).await;
        assert_eq!((&run["created"], &run["failed"]), (&json!(2), &json!(0)), "{run:#}");
        let arrived = [("a", "REGISTERED"), ("b", "AVAILABLE"), ("c", "INSTALLED"), ("mine", "REGISTERED")];
        assert_eq!(states(&client).await, are(&arrived));

        // Another word, and another setting, move nothing.
        let other = vec![host("b", "INSTALLED"), host("c", "AVAILABLE")];
        let run = Synchronizer::full(&client, [first.clone(), other.clone()].concat()).await;
        assert_eq!((&run["unchanged"], &run["failed"]), (&json!(4), &json!(0)), "{run:#}");
        arrive(&client, "REGISTERED").await;
        let it = Synchronizer::start(&client, "PARTIAL").await;
        let written = it.client.apply_lines(&format!("run={}", it.run), &[host("d", "AVAILABLE")]).await;
        assert_eq!(written.0[0]["status"], "CREATED", "{written:?}");
        it.finish().await;
        assert_eq!(states(&client).await, are(&[&arrived[..3], &[("d", "REGISTERED"), arrived[3]]].concat()));

        // A host in use is not removed with its item. One is left, because a run that names none of several is held.
        let run = Synchronizer::full(&client, vec![host("a", "AVAILABLE")]).await;
        let left = [("a", "REGISTERED"), ("c", "INSTALLED"), ("mine", "REGISTERED")];
        assert_eq!(states(&client).await, are(&left), "{run:#}");
    }
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn only_operators_decide_how_hosts_arrive() {
    let server = Server::start(Database::Sqlite).asking().await;
    let operator = token(&server, &["--role", "operator"]).await;
    let mine = token(&server, &["--role", "synchronizer", "--source", "nb"]).await;
    let controller = token(&server, &["--role", "reconciler"]).await;
    source(&operator, json!({})).await;

    // A synchronizer writes its source as any object, but not this.
    let it = Synchronizer::start(&mine, "FULL").await;
    let setting = |how: &str| json!({"source": {"name": "nb", "hostsArrive": how}});
    let results = it.apply(vec![setting("AS_REPORTED"), setting("REGISTERED"), host("h", "INSTALLED")]).await;
    for result in &results[..2] {
        let error = &result["error"];
        assert_eq!((&error["code"], &error["field"]), (&json!("FORBIDDEN"), &json!("hostsArrive")), "{error}");
        let message = error["message"].as_str().expect("a message");
        assert!(message.contains("only with one of the roles operator, admin"), "{message}");
    }
    assert_eq!(results[2]["status"], "CREATED");
    call(&mine, "cancelRun", json!({"run": it.run})).await;

    // Nobody reports the state of a host but a source.
    let create = "mutation($input: HostInput!) { createHost(input: $input) { revision } }";
    let error = operator.refused(create, json!({"input": {"name": "x", "arrivesAs": "INSTALLED"}})).await.remove(0);
    assert_eq!((error.code.as_str(), error.field.as_deref()), ("INVALID", Some("arrivesAs")), "{error:?}");
    assert!(error.message.contains("adopt a host with adoptHosts"), "{error:?}");
    let error = controller.refused(create, json!({"input": {"name": "x", "arrivesAs": "INSTALLED"}})).await.remove(0);
    assert_eq!(error.code, "FORBIDDEN", "{error:?}");

    // The operator may, and then the synchronizer's word counts.
    arrive(&operator, "AS_REPORTED").await;
    Synchronizer::full(&mine, vec![host("h", "INSTALLED"), host("i", "INSTALLED")]).await;
    assert_eq!(states(&operator).await, are(&[("h", "REGISTERED"), ("i", "INSTALLED")]));
}
