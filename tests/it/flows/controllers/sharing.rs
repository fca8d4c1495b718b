//! Hosts that are one machine already, as an older server let them be.

use serde_json::{Value, json};

use super::host;
use super::lives::{Scene, simulated};
use crate::harness::{Server, Sql, on_both_databases, until};

/// Waits until a host has the condition, or does not have it.
async fn until_shared(server: &Server, name: &str, expected: bool) -> String {
    let query = "conditions { type message }";
    until(format!("{name} shares its machine: {expected}"), async || {
        let found = host(&server.client(), name, query).await;
        let conditions = found["conditions"].as_array().expect("conditions").clone();
        let shared = conditions.iter().find(|condition| condition["type"] == "SharesMachine");
        let message = shared.map(|it| it["message"].as_str().unwrap_or_default().to_owned());
        if message.is_some() == expected { Ok(message.unwrap_or_default()) } else { Err(format!("{found:#}")) }
    })
    .await
}

on_both_databases! {
    async fn hosts_that_are_one_machine_are_told_and_get_no_orders(mut server: Server) {
        let client = server.client();
        client.apply_all(vec![simulated("spare", ""), simulated("used", ""), simulated("other", "")]).await;
        let (spare, other) = (host(&client, "spare", "id").await["id"].take(), host(&client, "other", "id").await["id"].take());
        let adopt = "mutation($ids: [ID!]!) { adoptHosts(input: {ids: $ids, as: AVAILABLE}) { hosts { name } } }";
        client.ok(adopt, json!({"ids": [spare, other]})).await;
        server.stop().await;
        let sql = Sql::connect(&server.database_url()).await;
        sql.run("UPDATE host SET bmc_url = 'simulated://used' WHERE name = 'spare'").await;
        sql.close().await;
        let doctor = server.cli(["doctor", "--database"].map(str::to_owned).into_iter().chain([server.database_url()])).await;
        let said = doctor.stdout.lines().filter(|line| line.contains("hosts are the machine of another host too"));
        let said: Vec<&str> = said.collect();
        assert!(said.len() == 1 && said[0].contains("host/spare and host/used (by bmcUrl)"), "{doctor:?}");
        assert!(said[0].contains("warning"), "{doctor:?}");
        server.restart().await;
        let client = server.client();

        let message = until_shared(&server, "spare", true).await;
        assert!(message.contains("host used is the same machine, by bmcUrl"), "{message}");
        until_shared(&server, "used", true).await;
        until_shared(&server, "other", false).await;
        let acquire = "mutation($ids: [ID!]!) { acquireHosts(input: {ids: $ids, for: \"tests\"}) { hosts { name } } }";
        let refused = &client.refused(acquire, json!({"ids": [spare]})).await[0];
        assert!(refused.message.contains("is the machine of another host too"), "{}", refused.message);
        let power = "mutation($ids: [ID!]!, $force: Boolean!) { setHostPower(input: {ids: $ids, power: CYCLE, force: $force}) { hosts { name } } }";
        for force in [false, true] {
            let refused = &client.refused(power, json!({"ids": [spare], "force": force})).await[0];
            assert!(refused.message.contains("is the machine of host used too"), "{}", refused.message);
        }
        let status = server.cli(["hosts", "status"]).await;
        assert!(status.stdout.contains("host used is the same machine"), "{status:?}");
        // What does not say which machine it is can be written, and what corrects it, too.
        client.apply_all(vec![json!({"host": {"name": "spare", "title": "a spare one"}})]).await;
        client.apply_all(vec![json!({"host": {"name": "spare", "bmcUrl": "simulated://spare"}})]).await;
        until_shared(&server, "spare", false).await;
        until_shared(&server, "used", false).await;
        client.ok(acquire, json!({"ids": [spare]})).await;
    }

    async fn facts_of_another_machine_make_no_host_that_machine(server: Server) {
        let scene = Scene::new();
        let client = server.client();
        // Nobody looks at a host without an address, so nothing is known of it but what is said.
        client.apply_all(vec![simulated("first", ""), json!({"host": {"name": "second"}})]).await;
        let _controller = scene.start(server.url(), 1);
        let discover = "mutation($ids: [ID!]!) { discoverHosts(input: {ids: $ids}) { hosts { name } } }";
        let ids = [host(&client, "first", "id").await["id"].take()];
        client.ok(discover, json!({ "ids": ids })).await;
        let uid = until("first is known", async || match host(&client, "first", "uid").await["uid"].take() {
            Value::String(uid) => Some(uid),
            _ => None,
        })
        .await;
        // Somebody says that another host is this machine.
        let refused = client.apply_input(json!({"items": [{"host": {"name": "second", "uid": uid.to_uppercase()}}]})).await;
        let error = &refused["results"][0]["error"];
        assert_eq!((&error["code"], &error["field"]), (&json!("DUPLICATE"), &json!("uid")), "{refused}");
        assert!(error["message"].as_str().unwrap_or_default().contains("host/first"), "{refused}");
    }
}
