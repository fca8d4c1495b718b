//! OpenStack's recorder: its word is kept apart from that of an agent, and counts for less.

use serde_json::{Value, json};

use super::{FACTS, REVOKE, disk, facts, host, outcome, report};
use crate::flows::secrets;
use crate::harness::{Answer, Client, Database, Server, on_both_databases, until};

const EVENTS: &str = "query($name: String!) { host(name: $name) { parts { serial } \
    hardwareEvents { nodes { origin part change place } } } }";

/// The body of a machine with one disk, as ironic-python-agent writes it.
fn body(disk: &str) -> Value {
    json!({
        "inventory": {
            "cpu": {"model_name": "Contoso Xeon 6338", "count": 64, "architecture": "x86_64"},
            "memory": {"total": 137_438_953_472_u64, "physical_mb": 131_072},
            "disks": [{"name": "/dev/sda", "serial": disk, "model": "CN-480", "size": 480_103_981_056_u64, "rotational": false}],
            "interfaces": [{"name": "eno1", "mac_address": "02:00:5e:00:00:01", "has_carrier": true}],
            "system_vendor": {"manufacturer": "Contoso", "product_name": "CN-R740", "serial_number": "SN-7"},
            "bmc_address": "10.9.0.7",
        },
        "plugin_data": {},
    })
}

/// Posts what a recorder says. A recorder sends no header that authenticates it.
async fn post(client: &Client, token: &str, body: impl Into<Vec<u8>>) -> Answer {
    client.post_recording(token, &[("content-type", "application/json")], body).await
}

async fn record(client: &Client, token: &str, body: &Value) -> Value {
    let answer = post(client, token, body.to_string()).await;
    assert_eq!(answer.status, 200, "{}", answer.text());
    answer.json()
}

/// The events of a host, without their order.
async fn events(client: &Client, host: &str) -> Value {
    client.ok(EVENTS, json!({ "name": host })).await["host"].take()
}

on_both_databases! {
    async fn what_a_recorder_says_is_a_report_of_its_own(server: Server) {
        let client = server.client();
        let token = host(&client, "a").await;
        let id = client.ok("{ host(name: \"a\") { id } }", json!({})).await["host"]["id"].take();
        assert_eq!(record(&client, &token, &body("R1")).await, json!({ "uuid": id }));
        assert_eq!(record(&client, &token, &body("R1")).await, json!({ "uuid": id }), "it repeats itself");

        let shown = facts(&client, "a").await["facts"].take();
        assert_eq!(shown.as_array().map(Vec::len), Some(1));
        assert_eq!((&shown[0]["origin"], &shown[0]["system"]["serial"]), (&json!("RECORDER"), &json!("SN-7")));
        assert_eq!(shown[0]["agentVersion"], "ironic-python-agent/1");

        let mut healthy = report("D1");
        healthy["disks"]["found"][0]["health"] = json!("PASSED");
        assert_eq!(outcome(&client, &token, &healthy).await, "STORED");
        let shown = facts(&client, "a").await["facts"].take();
        let of = |at: usize| (shown[at]["origin"].clone(), shown[at]["disks"][0]["serial"].clone());
        assert_eq!([of(0), of(1)], [(json!("AGENT"), json!("D1")), (json!("RECORDER"), json!("R1"))]);
        assert_eq!(events(&client, "a").await["hardwareEvents"]["nodes"], json!([]), "the two are never compared");
    }

    async fn what_a_recorder_says_changed_is_told_and_moves_no_part(server: Server) {
        let client = server.client();
        let (one, other) = (host(&client, "a").await, host(&client, "b").await);
        let mut empty = body("");
        empty["inventory"]["disks"] = json!([]);
        record(&client, &one, &body("R1")).await;
        record(&client, &other, &empty).await;
        record(&client, &other, &body("R1")).await;
        let added = json!([{"origin": "RECORDER", "part": "DISK", "change": "ADDED", "place": "sda"}]);
        let told = events(&client, "b").await;
        assert_eq!((&told["hardwareEvents"]["nodes"], &told["parts"]), (&added, &json!([])));

        // A repetition is no second reading.
        for _ in 0..3 {
            record(&client, &one, &empty).await;
        }
        let mut link = empty.clone();
        link["inventory"]["interfaces"][0]["has_carrier"] = json!(false);
        record(&client, &one, &link).await;
        let told = events(&client, "a").await["hardwareEvents"]["nodes"].take();
        let changes: Vec<_> = told.as_array().expect("events").iter().map(|it| it["change"].clone()).collect();
        assert_eq!(changes, ["LINK_DOWN", "REMOVED"], "the latest first, in the order of the report");
    }

    async fn a_recorder_is_no_agent(server: Server) {
        let client = server.client();
        let token = host(&client, "a").await;
        record(&client, &token, &body("R1")).await;
        let shown = facts(&client, "a").await;
        assert_eq!(shown["hardwareConditions"], json!([]), "{shown}");
    }

    async fn what_is_refused_changes_nothing(server: Server) {
        let client = server.client();
        let (own, revoked, gone) = (host(&client, "a").await, host(&client, "b").await, host(&client, "c").await);
        record(&client, &own, &body("R1")).await;
        client.ok(REVOKE, json!({ "host": "host/b" })).await;
        let id = client.ok("{ host(name: \"c\") { id } }", json!({})).await["host"]["id"].take();
        client.ok("mutation($id: ID!) { deleteHost(id: $id, force: true) { revision } }", json!({ "id": id })).await;
        until("the host is gone", async || {
            client.ok("{ host(name: \"c\") { id } }", json!({})).await["host"].is_null().then_some(())
        })
        .await;

        let good = body("R2").to_string();
        let mut zero = body("R2");
        zero["inventory"]["hostname"] = json!("a\u{0}");
        let mut many = body("R2");
        many["inventory"]["disks"] = json!(vec![json!({"name": "/dev/sda"}); 5_000]);
        for (token, body, status, says) in [
            ("no-token", good.clone(), 401, "a report needs the token of an agent"),
            (&own[..own.len() - 1], good.clone(), 401, "no host has this token"),
            (&revoked, good.clone(), 401, "the token of this agent was revoked"),
            (&gone, good, 404, "the host of this token was deleted"),
            (&own, "{}".to_owned(), 400, "missing field `inventory`"),
            (&own, "no".to_owned(), 400, "the body is no report"),
            (&own, format!("[{}]", "1,".repeat(100_001)), 422, "values; at most 100000 are allowed"),
            (&own, zero.to_string(), 422, "U+0000"),
            (&own, many.to_string(), 422, "disks.found has 5000 entries; at most 4096 are allowed"),
            (&own, " ".repeat((1 << 20) + 1), 413, "larger than 1048576 bytes"),
        ] {
            let answer = post(&client, token, body).await;
            assert_eq!(answer.status, status, "{says}: {}", answer.text());
            assert!(answer.text().contains(says) && !answer.text().contains(&own), "{says}: {}", answer.text());
        }
        let answer = client.post_recording(&own, &[("content-type", "text/plain")], body("R2").to_string()).await;
        assert_eq!(answer.status, 415, "{}", answer.text());
        assert_eq!(disk(&client, "a").await, "R1");

        let mut last = 2;
        let slowed = loop {
            let answer = post(&client, &own, body(&format!("R{last}")).to_string()).await;
            if answer.status != 200 {
                break answer;
            }
            last += 1;
            assert!(last < 50, "nothing slows it down");
        };
        assert!(slowed.status == 429 && slowed.headers.contains_key("retry-after"), "{}", slowed.text());
    }
}

/// The token is in the path, and nothing that the server writes has it.
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn the_token_of_a_recorder_is_in_no_log() {
    let server = Server::start(Database::Sqlite).env("RUST_LOG", "trace").await;
    let client = server.client();
    let token = host(&client, "a").await;
    record(&client, &token, &body("R1")).await;
    post(&client, &token, "no").await;
    client.get(&format!("/facts/recorder/{token}")).await;
    client.get(&format!("/facts/records/{token}")).await;
    client.get(&format!("/facts/recorder/{token}/x")).await;
    let log = until("the requests are in the log", async || {
        let log = server.log();
        (log.matches("/facts/recorder").count() >= 4).then_some(log)
    })
    .await;
    let secret = token.rsplit('-').next().expect("a secret");
    let line = log.lines().find(|line| line.contains(secret));
    assert!(line.is_none(), "{}", line.unwrap_or_default().replace(secret, "SECRET"));
}

/// A tenant sees the report of a recorder without what identifies the machine.
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn tenants_see_no_serial_numbers_of_a_recorder() {
    let server = Server::start(Database::Sqlite).asking().await;
    let bearing = async |arguments: &[&str]| server.client().bearing(&secrets::token(&server, arguments).await);
    let operator = bearing(&["--role", "operator"]).await;
    operator
        .apply_all(vec![
            json!({ "cluster": { "name": "blue", "type": "KUBERNETES", "tenant": "blue" } }),
            json!({ "host": { "name": "a", "cluster": { "cluster": "blue" } } }),
        ])
        .await;
    let token = super::token(&operator, "a").await;
    record(&server.client(), &token, &body("R1")).await;
    let tenant = bearing(&["--role", "viewer", "--tenant", "blue"]).await;
    let seen = tenant.ok(FACTS, json!({ "name": "a" })).await.to_string();
    assert!(seen.contains("RECORDER") && seen.contains("CN-R740"), "{seen}");
    for identity in ["R1", "SN-7", "02:00:5e", "10.9.0.7"] {
        assert!(!seen.contains(&format!("\"{identity}")), "{identity} is shown to a tenant: {seen}");
    }
}

/// The command shows each report by itself.
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn the_command_shows_a_recorder_beside_an_agent() {
    let server = Server::start(Database::Sqlite).await;
    let client = server.client();
    let token = host(&client, "a").await;
    record(&client, &token, &body("R1")).await;
    outcome(&client, &token, &report("D1")).await;
    let shown = server.cli(["host", "hardware", "a"]).await;
    assert_eq!(shown.code, 0, "{shown:?}");
    let recorder = shown.stdout.find("RECORDER ironic-python-agent/1: heard").expect("the recorder");
    let (agent, recorder) = shown.stdout.split_at(recorder);
    assert!(agent.starts_with("AGENT 0.1.0: heard") && agent.contains("serial D1"), "{agent}");
    assert!(!agent.contains("restarted"), "{agent}");
    assert!(recorder.contains("which reads again only when it is restarted") && recorder.contains("R1"), "{recorder}");
}
