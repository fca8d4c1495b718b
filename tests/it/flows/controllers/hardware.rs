//! The hardware that controllers read from BMCs: who may report it, how it is kept, and who asks for it.

use serde_json::{Value, json};
use uuid::Uuid;

use super::host;
use super::lives::{Scene, simulated};
use crate::harness::{Client, Server, on_both_databases, until};

const REPORT: &str = "mutation($input: ReportHardwareInput!) { reportHardware(input: $input) { changed } }";
const READ: &str = "mutation($input: ReadHardwareInput!, $requestId: String) {
    readHardware(input: $input, requestId: $requestId) { revision hosts { hardwareAsked { at by } } } }";
const FACTS: &str = "id hardwareConditions agentToken { issuedTo } parts { kind serial ambiguous }
    facts { origin agentVersion stale system { serial } memory { modules { slot serial } } powerSupplies { place health } }";

/// A report of a machine with one memory module and one power supply.
fn report(module: &str, supply: &str) -> Value {
    json!({
        "format": 1,
        "agent": {"version": "0.1.0"},
        "observedAt": "2026-11-01T10:00:00Z",
        "system": {"complete": true, "found": {"serial": "S"}},
        "memory": {"complete": true, "found": {"slots": 2, "modules": [{"slot": "A1", "partNumber": "P", "serial": module}]}},
        "powerSupplies": {"complete": true, "found": [{"place": "PSU1", "health": supply}]},
    })
}

/// The name of the lease of a host, and of another one.
fn leases(id: &Value) -> [String; 2] {
    let id: Uuid = id.as_str().and_then(|id| id.parse().ok()).expect("a UUID");
    let number = id.as_bytes()[15] % 64;
    [number, (number + 1) % 64].map(|number| format!("hosts/{number:02}"))
}

/// Takes leases, and returns the input of a report of a host.
async fn taken(client: &Client, id: &Value, report: Value) -> Value {
    let names = leases(id);
    let take = "mutation($input: TakeLeasesInput!) { takeLeases(input: $input) { leases { name epoch } } }";
    let input = json!({"names": names, "holder": "one", "seconds": 600});
    let taken = client.ok(take, json!({ "input": input })).await["takeLeases"]["leases"].take();
    let own = taken.as_array().expect("leases").iter().find(|lease| lease["name"] == names[0]).expect("it is taken");
    json!({"holder": "one", "lease": names[0], "epoch": own["epoch"], "host": id, "report": report})
}

async fn events(client: &Client) -> Value {
    let query = "{ hardwareEvents(first: 20) { nodes { origin part change place } } }";
    client.ok(query, json!({})).await["hardwareEvents"]["nodes"].take()
}

on_both_databases! {
    async fn hardware_is_reported_under_the_lease_of_the_host(server: Server) {
        let client = server.client();
        client.apply_all(vec![json!({"host": {"name": "a"}})]).await;
        let id = host(&client, "a", "id").await["id"].take();
        let base = taken(&client, &id, report("M1", "OK")).await;
        let with = |field: &str, value: Value| {
            let mut input = base.clone();
            input[field] = value;
            input
        };
        let told = |member: &str, value: Value| {
            let mut report = report("M1", "OK");
            report[member] = value;
            with("report", report)
        };
        let fans = |count: usize| json!({"complete": true, "found": vec![json!({"place": "f"}); count]});
        let long = "x".repeat(1 << 20);
        let mut wrong = Vec::new();
        for (input, code, field, says) in [
            (with("lease", json!(leases(&id)[1])), "INVALID", Some("lease"), "the lease of this object"),
            (with("lease", json!("hosts")), "INVALID", Some("lease"), "the lease of this object"),
            (with("epoch", json!(7)), "LEASE_LOST", None, ""),
            (with("holder", json!("two")), "LEASE_LOST", None, ""),
            (with("holder", json!("")), "INVALID", Some("holder"), ""),
            (with("host", json!("00000000-0000-7000-8000-000000000007")), "NOT_FOUND", Some("host"), ""),
            (with("host", json!("x")), "INVALID", Some("host"), ""),
            (with("report", json!({})), "INVALID", Some("report"), "missing field `format`"),
            (with("report", json!("no")), "INVALID", Some("report"), "is no report"),
            (with("report", Value::Null), "INVALID", Some("input.report"), "expected type"),
            (told("format", json!(2)), "INVALID", Some("report"), "format is 2; this server reads 1"),
            (told("agent", json!({"version": ""})), "INVALID", Some("report"), "1 to 100 characters"),
            (told("observedAt", json!("2100-01-01T00:00:00Z")), "INVALID", Some("report"), "set the clock"),
            (told("fans", fans(4_097)), "INVALID", Some("report"), "fans.found has 4097 entries; at most 4096"),
            (told("fans", fans(60_000)), "INVALID", Some("report"), "values; at most 100000 are allowed"),
            (told("disks", json!({"complete": true, "found": [{"name": "a\u{0}"}]})), "INVALID", Some("report"), "U+0000"),
            (told("more", json!(long)), "INVALID", Some("report"), "is larger than 1048576 bytes"),
        ] {
            let errors = client.refused(REPORT, json!({ "input": input })).await;
            let error = &errors[0];
            if (error.code.as_str(), error.field.as_deref()) != (code, field) || !error.message.contains(says) {
                wrong.push(format!("{code} {field:?} {says}: {} {:?} {}", error.code, error.field, error.message));
            }
        }
        assert_eq!(wrong, Vec::<String>::new());
        assert_eq!(host(&client, "a", FACTS).await["facts"], json!([]), "nothing was stored");

        let revision = client.ok("{ revision }", json!({})).await;
        for changed in [true, false] {
            let said = client.ok(REPORT, json!({ "input": base })).await;
            assert_eq!(said["reportHardware"]["changed"], changed);
        }
        assert_eq!(client.ok("{ revision }", json!({})).await, revision, "it makes no revision");
        let release = "mutation($input: ReleaseLeasesInput!) { releaseLeases(input: $input) { leases { name } } }";
        let lease = json!({"name": base["lease"], "epoch": base["epoch"]});
        client.ok(release, json!({"input": {"leases": [lease], "holder": "one"}})).await;
        let errors = client.refused(REPORT, json!({ "input": base })).await;
        assert_eq!(errors[0].code, "LEASE_LOST");
    }

    async fn what_a_bmc_tells_is_kept_beside_what_the_agent_tells(server: Server) {
        let mut server = server;
        let client = server.client();
        client.apply_all(vec![json!({"host": {"name": "a"}}), json!({"host": {"name": "b"}})]).await;
        let id = host(&client, "a", "id").await["id"].take();
        let mut input = taken(&client, &id, report("M1", "OK")).await;
        client.ok(REPORT, json!({ "input": input })).await;
        let shown = host(&client, "a", FACTS).await;
        assert_eq!(shown["facts"].as_array().map(Vec::len), Some(1));
        let bmc = &shown["facts"][0];
        assert_eq!((&bmc["origin"], &bmc["stale"], &bmc["system"]["serial"]), (&json!("BMC"), &json!(false), &json!("S")));
        assert_eq!(bmc["powerSupplies"], json!([{"place": "PSU1", "health": "OK"}]));
        assert_eq!((&shown["parts"], &shown["agentToken"]), (&json!([]), &Value::Null), "only agents say where parts are");
        let agents = client.ok("{ hosts(filter: {hasAgent: true}) { nodes { name } } }", json!({})).await;
        assert_eq!(agents["hosts"]["nodes"], json!([]), "it is no agent");

        // The same module, told by both, is one part of one host, and moved nowhere.
        let issue = "mutation($host: ID!) { issueAgentToken(host: $host) { token } }";
        let token = client.ok(issue, json!({"host": "host/a"})).await["issueAgentToken"]["token"].take();
        let agent = json!({"format": 1, "agent": {"version": "7"}, "observedAt": "2026-11-01T10:00:00Z",
            "memory": report("M1", "OK")["memory"]});
        let token = token.as_str().expect("a token");
        assert_eq!(client.post_facts(token, &agent).await.expect("an answer").status, 200);
        input["report"] = report("M2", "CRITICAL");
        client.ok(REPORT, json!({ "input": input })).await;
        let shown = host(&client, "a", FACTS).await;
        let origins: Vec<&Value> = shown["facts"].as_array().expect("facts").iter().map(|it| &it["origin"]).collect();
        assert_eq!(origins, ["AGENT", "BMC"]);
        assert_eq!(shown["parts"], json!([{"kind": "MEMORY", "serial": "M1", "ambiguous": false}]));
        assert_eq!(shown["hardwareConditions"], json!([]), "a BMC makes none");
        let told = events(&client).await;
        let told = told.as_array().expect("events");
        assert!(told.iter().all(|event| event["origin"] == "BMC"), "each is compared with its own last word: {told:?}");
        let changes: Vec<(&str, &str)> =
            told.iter().map(|event| (event["part"].as_str().unwrap_or_default(), event["change"].as_str().unwrap_or_default())).collect();
        assert!(changes.contains(&("POWER_SUPPLY", "FAILING")) && changes.contains(&("MEMORY", "REPLACED")), "{changes:?}");

        server.stop().await;
        server.restart().await;
        let kept = host(&server.client(), "a", FACTS).await;
        assert_eq!(kept["facts"][1]["memory"]["modules"], json!([{"slot": "A1", "serial": "M2"}]), "it is durable");
    }

    async fn hardware_is_read_when_somebody_asks(server: Server) {
        let (scene, client) = (Scene::new(), server.client());
        client.apply_all(vec![simulated("m1", ""), json!({"host": {"name": "bare"}})]).await;
        let [id, bare] = [host(&client, "m1", "id").await["id"].take(), host(&client, "bare", "id").await["id"].take()];
        let errors = client.refused(READ, json!({"input": {"ids": [id, bare]}})).await;
        assert!(errors[0].message.contains("has no BMC whose hardware could be read"), "{}", errors[0].message);
        assert_eq!(host(&client, "m1", "hardwareAsked { at }").await["hardwareAsked"], Value::Null, "of none of them");

        let _controller = scene.start(server.url(), 1);
        let variables = json!({"input": {"ids": [id]}, "requestId": "once"});
        let asked = client.ok(READ, variables.clone()).await["readHardware"].take();
        assert_eq!(client.ok(READ, variables).await["readHardware"], asked, "a repeat asks nothing more");
        assert!(!asked["hosts"][0]["hardwareAsked"]["at"].is_null(), "{asked}");
        let read = until("the BMC is read", async || {
            let facts = host(&client, "m1", FACTS).await["facts"].take();
            if facts[0].is_null() { Err(format!("{:#}", host(&client, "m1", "conditions { type message }").await)) } else { Ok(facts) }
        })
        .await;
        assert_eq!((&read[0]["origin"], &read[0]["system"]["serial"]), (&json!("BMC"), &json!("SIM-M1")));
        assert_eq!(read[0]["powerSupplies"].as_array().map(Vec::len), Some(2));

        // Another machine behind the address: nothing of it is stored, and the host says so.
        scene.world.lead("m1", "m2");
        let output = server.cli(["host", "read-hardware", "m1"]).await;
        assert!(output.code == 0 && output.stdout.contains("m1: a controller reads its BMC soon"), "{output:?}");
        until("the history says why", async || {
            let output = server.cli(["host", "history", "m1"]).await;
            let says = output.stdout.contains("read-hardware") && output.stdout.contains("nothing was reported");
            if says { Ok(()) } else { Err(format!("{output:?}")) }
        })
        .await;
        let after = host(&client, "m1", FACTS).await["facts"].take();
        assert_eq!(after, read, "what was read before stays");
        let output = server.cli(["host", "hardware", "m1"]).await;
        assert!(output.stdout.contains("BMC ") && output.stdout.contains("PSU 1"), "{output:?}");
    }
}
