//! Queries that require a minimal revision.

use futures_util::future::join;
use serde_json::{Value, json};

use super::replicas::servers;
use crate::harness::{Client, Server, on_both_databases};

/// The status and the answer to a query with `minRevision`.
async fn ask(client: &Client, least: Value) -> (u16, Value) {
    let body = json!({"query": "{ revision }", "extensions": {"minRevision": least}});
    let answer = client.post_bytes("application/json", body.to_string()).await.expect("an answer");
    (answer.status, answer.json())
}

fn region(name: &str) -> Value {
    json!({"region": {"name": name}})
}

on_both_databases! {
    async fn a_query_waits_for_its_revision(server: Server) {
        let client = server.client();
        client.apply_all(vec![region("r1")]).await;
        for there in [json!(0), json!(1), Value::Null] {
            assert_eq!(ask(&client, there.clone()).await.1["data"]["revision"], 1, "{there}");
        }
        // It comes while the query waits, or just before: it is seen either way.
        let (waited, _) = join(ask(&client, json!(2)), client.apply_all(vec![region("r2")])).await;
        assert_eq!((waited.0, &waited.1["data"]["revision"], &waited.1["extensions"]["revision"]), (200, &json!(2), &json!(2)));
        let by_get = client.get("/graphql?query=%7Brevision%7D&extensions=%7B%22minRevision%22:2%7D").await;
        assert_eq!(by_get.json()["data"]["revision"], 2);
    }

    async fn a_revision_that_does_not_arrive_times_out(server: Server) {
        let client = server.client();
        client.apply_all(vec![region("r1")]).await;
        let (status, answer) = ask(&client, json!(99)).await;
        let error = &answer["errors"][0];
        assert_eq!((status, &error["extensions"]["code"]), (503, &json!("TIMEOUT")), "{answer}");
        assert_eq!((&error["extensions"]["minRevision"], &error["extensions"]["newestRevision"]), (&json!(99), &json!(1)));
        assert_eq!(error["message"], "revision 99 did not arrive within 5 s: the newest here is 1");
        for wrong in [json!("1"), json!(-1), json!(1.5), json!([1]), json!(true)] {
            let (status, answer) = ask(&client, wrong.clone()).await;
            let extensions = &answer["errors"][0]["extensions"];
            assert_eq!((status, &extensions["code"], &extensions["field"]), (400, &json!("INVALID"), &json!("minRevision")), "{wrong}");
        }
        // A large body is read as a small one.
        let long = format!("{{ revision }} # {}", "x".repeat(20_000));
        let body = json!({"query": long, "extensions": {"minRevision": "1"}}).to_string();
        assert_eq!(client.post_bytes("application/json", body).await.expect("an answer").status, 400);
    }
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
#[ignore = "needs PostgreSQL"]
async fn a_write_on_one_replica_is_read_on_another() {
    let (_url, servers) = servers(2).await;
    let (one, other) = (servers[0].client(), servers[1].client());
    for number in 1..=3 {
        let (writes, reads) = if number % 2 == 1 { (&one, &other) } else { (&other, &one) };
        let revision = writes.apply_all(vec![region(&format!("r{number}"))]).await["revision"].clone();
        let (status, answer) = ask(reads, revision.clone()).await;
        assert_eq!((status, &answer["data"]["revision"]), (200, &revision));
    }
}
