//! Tokens of agents: one is accepted for each host, and it can do nothing but report about that host.

use serde_json::json;

use super::{FACTS, ISSUE, REVOKE, disk, facts, host, outcome, report, send, token};
use crate::flows::replicas::servers;
use crate::flows::secrets;
use crate::harness::{Database, Server, on_both_databases, postgres, until};

on_both_databases! {
    async fn a_host_has_one_token_that_is_accepted(server: Server) {
        let client = server.client();
        let (first, other) = (host(&client, "a").await, host(&client, "b").await);
        let second = token(&client, "a").await;
        for (token, status, says) in [
            (first.as_str(), 401, "it was replaced by another"),
            (&second[..second.len() - 1], 401, "no host has this token"),
            (&second, 200, "STORED"),
        ] {
            let answer = send(&client, token, &report("D1")).await;
            assert!(answer.status == status && answer.text().contains(says), "{}", answer.text());
        }
        assert_eq!(facts(&client, "b").await["facts"], json!([]), "it says nothing about other hosts");

        let revoked = client.ok(REVOKE, json!({ "host": "host/a" })).await;
        assert_eq!(revoked["revokeAgentToken"], json!({"revoked": true, "host": {"name": "a"}}));
        let answer = send(&client, &second, &report("D2")).await;
        assert!(answer.status == 401 && answer.text().contains("the token of this agent was revoked"), "{}", answer.text());
        assert_eq!(disk(&client, "a").await, "D1");
        assert!(facts(&client, "a").await["agentToken"]["revokedAt"].is_string());
        outcome(&client, &other, &report("D3")).await;

        client.apply_all(vec![json!({ "host": { "name": "c" } })]).await;
        let never = client.ok(REVOKE, json!({ "host": "host/c" })).await;
        assert_eq!(never["revokeAgentToken"]["revoked"], false);
        for mutation in [ISSUE, REVOKE] {
            let errors = client.refused(mutation, json!({ "host": "host/nobody" })).await;
            assert_eq!(errors[0].code, "NOT_FOUND", "{errors:?}");
            client.apply_all(vec![json!({ "region": { "name": "emea" } })]).await;
            let errors = client.refused(mutation, json!({ "host": "region/emea" })).await;
            assert_eq!(errors[0].code, "NOT_FOUND", "{errors:?}");
        }
    }

    async fn the_token_of_a_deleted_host_is_of_nobody(server: Server) {
        let client = server.client();
        let token = host(&client, "a").await;
        outcome(&client, &token, &report("D1")).await;
        let id = client.ok("{ host(name: \"a\") { id } }", json!({})).await["host"]["id"].take();
        let delete = "mutation($id: ID!) { deleteHost(id: $id, force: true) { revision } }";
        client.ok(delete, json!({ "id": id })).await;
        until("the host is gone", async || {
            client.ok("{ host(name: \"a\") { id } }", json!({})).await["host"].is_null().then_some(())
        })
        .await;
        let answer = send(&client, &token, &report("D2")).await;
        assert!(answer.status == 404 && answer.text().contains("the host of this token was deleted"), "{}", answer.text());
    }
}

/// Who may get tokens, and what a tenant sees.
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn operators_get_tokens_and_tenants_see_no_serial_numbers() {
    let server = Server::start(Database::Sqlite).asking().await;
    let bearing = async |arguments: &[&str]| server.client().bearing(&secrets::token(&server, arguments).await);
    let operator = bearing(&["--role", "operator"]).await;
    operator
        .apply_all(vec![
            json!({ "cluster": { "name": "blue", "type": "KUBERNETES", "tenant": "blue" } }),
            json!({ "host": { "name": "a", "cluster": { "cluster": "blue" } } }),
            json!({ "host": { "name": "b" } }),
        ])
        .await;
    let (own, hidden) = (token(&operator, "a").await, token(&operator, "b").await);
    outcome(&operator, &own, &report("D1")).await;
    outcome(&operator, &hidden, &report("D2")).await;
    assert_eq!(facts(&operator, "a").await["agentToken"]["issuedTo"].as_str().map(str::is_empty), Some(false));

    for role in ["viewer", "synchronizer", "reconciler"] {
        let source = if role == "synchronizer" { &["--source", "dcim"][..] } else { &[] };
        let client = bearing(&[&["--role", role], source].concat()).await;
        for mutation in [ISSUE, REVOKE] {
            let errors = client.refused(mutation, json!({ "host": "host/a" })).await;
            assert_eq!(errors[0].code, "FORBIDDEN", "{role}: {errors:?}");
        }
        assert_eq!(disk(&client, "a").await, "D1", "{role} reads");
    }
    // The token of an agent opens nothing else.
    assert_eq!(server.client().bearing(&own).get("/metrics").await.status, 401);
    let errors = server.client().bearing(&own).refused("{ revision }", json!({})).await;
    assert_eq!(errors[0].code, "UNAUTHENTICATED", "{errors:?}");

    let tenant = bearing(&["--role", "viewer", "--tenant", "blue"]).await;
    let seen = facts(&tenant, "a").await;
    let text = seen.to_string();
    for identity in ["D1", "w-1", "u-1", "M1", "02:00:5e", "LAMP1", "sensors", "issuedTo"] {
        assert!(!text.contains(&format!("\"{identity}")), "{identity} is shown to a tenant: {text}");
    }
    assert_eq!(seen["facts"][0]["disks"][0]["name"], "sda");
    assert_eq!(seen["facts"][0]["disks"][0]["sizeBytes"], 4_000_787_030_016_u64);
    assert!(tenant.ok(FACTS, json!({ "name": "b" })).await["host"].is_null());
    let shown =
        tenant.ok("{ host(name: \"a\") { name parts { serial } hardwareEvents { nodes { at } } } }", json!({})).await;
    assert_eq!(shown["host"], json!({ "name": "a", "parts": null, "hardwareEvents": null }));
    for query in ["{ part(serial: \"D1\") { serial } }", "{ parts { nodes { serial } } }"] {
        let errors = tenant.refused(query, json!({})).await;
        assert_eq!(errors[0].code, "FORBIDDEN", "{errors:?}");
    }
}

/// What one server accepts, the others know.
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
#[ignore = "needs PostgreSQL"]
async fn all_servers_on_a_database_know_the_tokens_and_the_facts() {
    let (url, servers) = servers(2).await;
    let (one, other) = (servers[0].client(), servers[1].client());
    let first = host(&one, "a").await;
    let accepted = async |client: &crate::harness::Client, token: &str, message: &serde_json::Value| {
        // The host and the token reach the other server soon.
        until("the message is accepted", async || {
            let answer = send(client, token, message).await;
            (answer.status == 200).then(|| answer.json()["outcome"].as_str().expect("an outcome").to_owned())
        })
        .await
    };
    assert_eq!(accepted(&one, &first, &report("D1")).await, "STORED");
    until("the other server knows the facts", async || {
        (accepted(&other, &first, &super::unchanged(&report("D1"))).await == "UNCHANGED").then_some(())
    })
    .await;
    assert_eq!(disk(&other, "a").await, "D1");

    assert_eq!(accepted(&other, &first, &report("D2")).await, "STORED");
    assert_eq!(disk(&one, "a").await, "D2");
    let second = token(&other, "a").await;
    until("the first server refuses the old token", async || {
        (send(&one, &first, &report("D3")).await.status == 401).then_some(())
    })
    .await;
    accepted(&one, &second, &report("D4")).await;
    one.ok(REVOKE, json!({ "host": "host/a" })).await;
    until("the other server refuses the revoked token", async || {
        (send(&other, &second, &report("D5")).await.status == 401).then_some(())
    })
    .await;
    drop(servers);
    postgres::drop_database(&url).await;
}
