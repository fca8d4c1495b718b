//! Facts: agents report the hardware of hosts, with tokens that can do nothing else.

mod cabling;
mod churn;
mod conditions;
mod counts;
mod enrolment;
mod events;
mod exchanged;
mod follow;
mod kept;
mod killed;
mod parts;
mod record;
mod recorder;
mod refused;
mod stale;
mod tokens;

use serde_json::{Value, json};

use crate::harness::{Answer, Client, Server, on_both_databases};

const ISSUE: &str = "mutation($host: ID!) { issueAgentToken(host: $host) { token host { name } } }";
const REVOKE: &str = "mutation($host: ID!) { revokeAgentToken(host: $host) { revoked host { name } } }";
const FACTS: &str = "query($name: String!) { host(name: $name) { hardwareConditions agentToken { issuedTo revokedAt } \
    facts { origin agentVersion observedAt since sections { name complete unread { what reason } } \
    system { model serial uuid } memory { slots modules { slot serial sizeBytes } } \
    disks { name serial wwn sizeBytes health } interfaces { name permanentMac carrier } raw } } }";

/// Makes a host, and a token for its agent.
async fn host(client: &Client, name: &str) -> String {
    client.apply_all(vec![json!({ "host": { "name": name } })]).await;
    token(client, name).await
}

async fn token(client: &Client, host: &str) -> String {
    let issued = client.ok(ISSUE, json!({ "host": format!("host/{host}") })).await;
    assert_eq!(issued["issueAgentToken"]["host"]["name"], host);
    issued["issueAgentToken"]["token"].as_str().expect("a token").to_owned()
}

/// A report of a machine with one disk and one interface.
fn report(disk: &str) -> Value {
    json!({
        "format": 1,
        "agent": {"version": "0.1.0"},
        "observedAt": "2026-11-01T10:00:00Z",
        "system": {"complete": true, "found": {"model": "M", "serial": "S", "uuid": "u-1", "sensors": 7}},
        "memory": {
            "complete": false,
            "unread": [{"what": "/sys/firmware/dmi/tables/DMI", "reason": "permission denied"}],
            "found": {"slots": 2, "modules": [{"slot": "A1", "serial": "M1", "sizeBytes": 17_179_869_184_u64}]},
        },
        "disks": {"complete": true, "found": [
            {"name": "sda", "place": "pci-1", "serial": disk, "wwn": "w-1", "sizeBytes": 4_000_787_030_016_u64, "health": "FAILING"},
        ]},
        "interfaces": {"complete": true, "found": [{"name": "e1", "permanentMac": "02:00:5e:00:00:01", "carrier": true}]},
        "lamps": {"complete": true, "found": [{"name": "LAMP1"}]},
    })
}

/// The message that the facts of a report are unchanged.
fn unchanged(report: &Value) -> Value {
    let read: underlay_facts::Report = serde_json::from_value(report.clone()).expect("a report");
    let mut message = report.clone();
    message.as_object_mut().expect("an object").retain(|name, _| ["format", "agent", "observedAt"].contains(&&**name));
    message["digest"] = json!(read.digest().expect("a digest"));
    message
}

async fn send(client: &Client, token: &str, message: &Value) -> Answer {
    client.post_facts(token, message).await.expect("an answer")
}

/// Sends a message that is accepted, and returns the outcome.
async fn outcome(client: &Client, token: &str, message: &Value) -> String {
    let answer = send(client, token, message).await;
    assert_eq!(answer.status, 200, "{}", answer.text());
    assert_eq!(answer.json()["everySeconds"], 300);
    answer.json()["outcome"].as_str().expect("an outcome").to_owned()
}

/// The facts of a host as the API has them.
async fn facts(client: &Client, host: &str) -> Value {
    client.ok(FACTS, json!({ "name": host })).await["host"].take()
}

/// The serial number of the disk of a host.
async fn disk(client: &Client, host: &str) -> Value {
    facts(client, host).await["facts"][0]["disks"][0]["serial"].take()
}

on_both_databases! {
    async fn what_an_agent_says_is_shown(server: Server) {
        let client = server.client();
        let token = host(&client, "a").await;
        assert_eq!(facts(&client, "a").await["facts"], json!([]));
        assert_eq!(outcome(&client, &token, &unchanged(&report("D1"))).await, "SEND_ALL");
        assert_eq!(outcome(&client, &token, &report("D1")).await, "STORED");

        let shown = facts(&client, "a").await;
        assert_eq!(shown["hardwareConditions"], json!(["DISK_FAILING"]));
        let only = &shown["facts"][0];
        assert_eq!(only["origin"], "AGENT");
        assert_eq!(only["system"], json!({"model": "M", "serial": "S", "uuid": "u-1"}));
        assert_eq!(only["disks"][0]["sizeBytes"], 4_000_787_030_016_u64);
        assert_eq!(only["disks"][0]["health"], "FAILING");
        assert_eq!(only["memory"]["modules"][0]["sizeBytes"], 17_179_869_184_u64);
        let unread = json!([{"what": "/sys/firmware/dmi/tables/DMI", "reason": "permission denied"}]);
        let memory = json!({"name": "memory", "complete": false, "unread": unread});
        assert!(only["sections"].as_array().expect("sections").contains(&memory), "{only}");
        assert_eq!(only["raw"]["lamps"], report("D1")["lamps"], "what this version does not know is kept");
        assert_eq!(only["raw"]["system"]["found"]["sensors"], 7);

        let mut later = report("D1");
        later["observedAt"] = json!("2026-11-01T10:05:00Z");
        assert_eq!(outcome(&client, &token, &unchanged(&later)).await, "UNCHANGED");
        assert_eq!(outcome(&client, &token, &later).await, "UNCHANGED");
        let observed = facts(&client, "a").await["facts"][0]["observedAt"].take();
        assert!(observed.as_str().is_some_and(|at| at.starts_with("2026-11-01T10:05:00")), "{observed}");

        let since = facts(&client, "a").await["facts"][0]["since"].take();
        later["agent"]["version"] = json!("0.2.0");
        assert_eq!(outcome(&client, &token, &unchanged(&later)).await, "SEND_ALL", "another version of the agent");
        assert_eq!(outcome(&client, &token, &later).await, "STORED");
        let shown = facts(&client, "a").await["facts"][0].take();
        assert_eq!((&shown["agentVersion"], &shown["since"]), (&json!("0.2.0"), &since), "the facts are the same");

        assert_eq!(outcome(&client, &token, &report("D2")).await, "STORED");
        assert_eq!(disk(&client, "a").await, "D2");
        assert_eq!(outcome(&client, &token, &unchanged(&report("D1"))).await, "SEND_ALL");
    }

    async fn hosts_are_found_by_their_agents(server: Server) {
        let client = server.client();
        let token = host(&client, "a").await;
        client.apply_all(vec![json!({ "host": { "name": "b" } }), json!({ "host": { "name": "c" } })]).await;
        let names = async |filter: Value| {
            let query = "query($filter: HostFilter) { hosts(filter: $filter) { nodes { name } } }";
            let found = client.ok(query, json!({ "filter": filter })).await;
            found["hosts"]["nodes"].as_array().expect("nodes").iter().map(|it| it["name"].clone()).collect::<Vec<_>>()
        };
        assert_eq!(names(json!({"hasAgent": true})).await, ["a"]);
        assert_eq!(names(json!({"hasAgent": false})).await, ["b", "c"]);
        assert_eq!(names(json!({"hardwareCondition": {"eq": "FACTS_STALE"}})).await, Vec::<Value>::new());
        assert_eq!(names(json!({"hardwareCondition": {"isNull": true}})).await, ["a", "b", "c"]);

        outcome(&client, &token, &report("D1")).await;
        assert_eq!(names(json!({"hardwareCondition": {"eq": "DISK_FAILING"}})).await, ["a"]);
        let mut mended = report("D1");
        mended["disks"]["found"][0]["health"] = json!("PASSED");
        mended["memory"]["found"]["errors"] = json!({"corrected": 3, "uncorrected": 1});
        outcome(&client, &token, &mended).await;
        assert_eq!(names(json!({"hardwareCondition": {"eq": "DISK_FAILING"}})).await, Vec::<Value>::new());
        assert_eq!(names(json!({"hardwareCondition": {"eq": "MEMORY_ERRORS"}})).await, ["a"]);
        outcome(&client, &token, &report("D1")).await;
        client.ok(REVOKE, json!({ "host": "host/a" })).await;
        assert_eq!(names(json!({"hasAgent": true})).await, ["a"], "its facts stay");
    }
}
