//! The items of a batch are read in one way: however many there are, however they are written, over every transport.

mod made;

use serde_json::{Value, json};

use self::made::{items, named};
use crate::harness::{Client, Database, Received, Server, Socket};

/// What is asked of each item: everything but the ids of new objects.
const RESULTS: &str = "{ revision results { status kind name by externalId skipped { field manager }
    error { code field message } } }";
/// So many items make a large batch.
const LARGE: usize = 1_000;
/// How many items are made.
const ITEMS: usize = 50;
/// Members whose values are words of enums where they are right.
const WORDS: [&str; 4] = ["type", "status", "role", "media"];

fn with_variables() -> String {
    format!("mutation($input: ApplyInput!) {{ apply(input: $input) {RESULTS} }}")
}

/// The same batch as a literal in the document.
fn as_literal(input: &Value) -> String {
    format!("mutation {{ apply(input: {}) {RESULTS} }}", literal("", input))
}

/// A value as GraphQL writes it. The member that holds it tells words from texts.
fn literal(member: &str, value: &Value) -> String {
    let is_word =
        |text: &str| !text.is_empty() && text.chars().all(|letter| letter.is_ascii_uppercase() || letter == '_');
    match value {
        Value::Object(members) => {
            // Labels are texts under any name.
            let within = |name: &'_ str| if member == "labels" { String::new() } else { name.to_owned() };
            let members = members.iter().map(|(name, value)| format!("{name}: {}", literal(&within(name), value)));
            format!("{{{}}}", members.collect::<Vec<_>>().join(" "))
        }
        Value::Array(entries) => {
            let entries = entries.iter().map(|entry| literal(member, entry));
            format!("[{}]", entries.collect::<Vec<_>>().join(" "))
        }
        Value::String(text) if ["mode", "conflicts"].contains(&member) || WORDS.contains(&member) && is_word(text) => {
            text.clone()
        }
        other => other.to_string(),
    }
}

/// The ways to send a request.
struct Ways {
    http: reqwest::Client,
    server: String,
    socket: Socket,
}

impl Ways {
    async fn to(server: &Server) -> Self {
        let http = reqwest::Client::builder().no_proxy().build().expect("a client");
        Self { http, server: server.url().to_owned(), socket: Socket::connect(server.url()).await }
    }

    /// The answers to a request, which is JSON, over all transports.
    async fn ask(&mut self, request: &str) -> [Value; 3] {
        let posted = self.post("/graphql", "application/graphql-response+json", request).await;
        let posted = serde_json::from_str(&posted).expect("JSON");
        let streamed = self.post("/graphql/stream", "text/event-stream", request).await;
        let data = streamed.lines().find_map(|line| line.strip_prefix("data: "));
        let streamed = serde_json::from_str(data.unwrap_or(&streamed)).expect("JSON");
        let message = format!(r#"{{"id":"1","type":"subscribe","payload":{request}}}"#);
        self.socket.send_raw(tokio_tungstenite::tungstenite::Message::text(message)).await;
        let over_socket = match self.socket.receive().await {
            Received::Message(mut message) if message["type"] == "next" => {
                assert_eq!(self.socket.receive().await, Received::Message(json!({"id": "1", "type": "complete"})));
                message["payload"].take()
            }
            Received::Message(mut message) => json!({"errors": message["payload"].take()}),
            ended => panic!("{ended:?} for {request}"),
        };
        [posted, streamed, over_socket].map(plain)
    }

    async fn post(&self, path: &str, accept: &str, request: &str) -> String {
        let request = self.http.post(format!("{}{path}", self.server)).body(request.to_owned());
        let request = request.header("content-type", "application/json").header("accept", accept);
        request.send().await.expect("an answer").text().await.expect("text")
    }

    /// The one answer that a batch gets in every form and over every transport.
    async fn apply(&mut self, input: &Value) -> Value {
        let variables = json!({"query": with_variables(), "variables": {"input": input}}).to_string();
        let mut answers = Vec::from(self.ask(&variables).await);
        answers.extend(self.ask(&json!({"query": as_literal(input)}).to_string()).await);
        let first = answers.swap_remove(0);
        for (at, other) in answers.iter().enumerate() {
            assert_eq!(*other, first, "answer {at} differs for {input:#}");
        }
        first
    }
}

/// An answer without what says where in the document something stood.
fn plain(mut answer: Value) -> Value {
    for error in answer["errors"].as_array_mut().into_iter().flatten() {
        error.as_object_mut().expect("an error").remove("locations");
    }
    let members = answer.as_object_mut().expect("an answer");
    members.remove("extensions");
    if members.get("errors").is_some_and(|errors| *errors == json!([])) {
        members.remove("errors");
    }
    answer
}

async fn fleet(client: &Client) {
    let port = |name: &str| json!({"port": {"device": {"device": "leaf-1"}, "name": name, "type": "ETHERNET"}});
    client
        .apply_all(vec![
            json!({"region": {"name": "eu"}}),
            json!({"site": {"name": "ams1", "type": "DATACENTER"}}),
            json!({"rack": {"site": {"site": "ams1"}, "name": "A14", "heightU": 42}}),
            json!({"device": {"site": {"site": "ams1"}, "name": "leaf-1", "role": "LEAF"}}),
            port("e1"),
            port("e2"),
            json!({"provider": {"name": "carrier", "type": "TRANSIT"}}),
        ])
        .await;
    let each = (0..ITEMS).map(named).flat_map(|name| {
        let rack = json!({"rack": {"site": {"site": "ams1"}, "name": format!("{name}v"), "heightU": 42}});
        [rack, port(&format!("{name}a")), port(&format!("{name}b"))]
    });
    client.apply_all(each.collect()).await;
}

async fn server() -> Server {
    let server = Server::start(Database::Sqlite).env("UNDERLAY_LIMITS_TOKENS", "1000000").await;
    fleet(&server.client()).await;
    server
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn an_item_means_the_same_in_every_batch_in_every_form_and_over_every_transport() {
    let server = server().await;
    let mut ways = Ways::to(&server).await;
    let input =
        |items: &[Value], mode: &str| json!({"items": items, "mode": mode, "dryRun": true, "conflicts": "FAIL"});
    let items = items(ITEMS, 7);
    let mut alone = Vec::new();
    for item in &items {
        let each = ways.apply(&input(std::slice::from_ref(item), "PER_ITEM")).await;
        alone.push(each["data"]["apply"]["results"][0].clone());
        ways.apply(&input(std::slice::from_ref(item), "ATOMIC")).await;
    }
    let mut among = Vec::new();
    for few in items.chunks(10) {
        let batch = ways.apply(&input(few, "PER_ITEM")).await;
        among.extend(batch["data"]["apply"]["results"].as_array().cloned().unwrap_or_default());
        ways.apply(&input(few, "ATOMIC")).await;
    }
    let padding = (items.len()..LARGE).map(|at| json!({"region": {"name": format!("p{at}")}}));
    let large: Vec<Value> = items.iter().cloned().chain(padding).collect();
    let large = ways.apply(&input(&large, "PER_ITEM")).await;
    for (at, item) in items.iter().enumerate() {
        assert_eq!(among[at], alone[at], "among ten: {item:#}");
        assert_eq!(large["data"]["apply"]["results"][at], alone[at], "among a thousand: {item:#}");
    }
    let failed = alone.iter().filter(|result| result["status"] == "FAILED").count();
    let written = alone.len() - failed;
    assert!(failed >= 5 && written >= 5, "{failed} failed, {written} did not: there is nothing to compare");
}

/// The result of an item in a batch whose items stand alone, small and large: the same in both.
async fn result(client: &Client, item: &Value) -> Value {
    let padding = (0..100).map(|at| json!({"region": {"name": format!("p{at}"), "description": "x".repeat(500)}}));
    let large: Vec<Value> = std::iter::once(item.clone()).chain(padding).collect();
    let apply = |items: Vec<Value>| client.apply_input(json!({"items": items, "mode": "PER_ITEM", "dryRun": true}));
    let mut small = apply(vec![item.clone()]).await;
    let large = apply(large).await;
    for member in ["status", "kind", "name", "error"] {
        assert_eq!(large["results"][0][member], small["results"][0][member], "{item}");
    }
    assert!(large["results"].as_array().is_some_and(|all| all[1..].iter().all(|it| it["status"] == "CREATED")));
    small["results"][0].take()
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn what_is_wrong_with_one_item_fails_that_item_and_lists_what_is_allowed() {
    let server = server().await;
    let client = server.client();
    let site = |field: &str, value: Value| json!({"site": {"name": "s", "type": "EDGE", field: value}});
    let rack = |field: &str, value: Value| json!({"rack": {"name": "r", "site": {"site": "ams1"}, "heightU": 1, field: value}});
    let table = [
        (
            site("type", json!("CAVE")),
            "site.type",
            "type must be one of DATACENTER, AVAILABILITY_ZONE, EDGE, VIRTUAL, OTHER, not \"CAVE\"",
        ),
        (
            site("tipe", json!("EDGE")),
            "site.tipe",
            "tipe is no field of SiteInput; its fields are id, externalId, ifVersion, name, ",
        ),
        (
            rack("heightU", json!("42")),
            "rack.heightU",
            "heightU must be a whole number from -2147483648 to 2147483647 (Int), not \"42\"",
        ),
        (rack("heightU", json!(42.5)), "rack.heightU", "(Int), not 42.5"),
        (
            rack("site", json!({"sight": "ams1"})),
            "rack.site.sight",
            "site.sight is no field of SiteRef; its fields are id, source, externalId, site",
        ),
        (rack("labels", json!({"env": 1})), "rack.labels.env", "labels.env must be text or null, not 1"),
        (
            json!({"cable": {"name": "c", "aEnds": [{"prt": {}}]}}),
            "cable.aEnds[0].prt",
            "its fields are port, powerFeed, circuitTermination",
        ),
        (json!({"delete": {"cascade": true}}), "delete.ref", "ref is required"),
        (json!({"rak": {}}), "", "must have exactly one field, of region, site, "),
    ];
    for (item, path, says) in table {
        let failed = result(&client, &item).await;
        assert_eq!((&failed["status"], &failed["error"]["code"]), (&json!("FAILED"), &json!("INVALID")), "{item}");
        let message = failed["error"]["message"].as_str().unwrap_or_default();
        assert!(message.contains(says), "{item}: {message}");
        // Where the items stand and fall together, the batch is refused with the place of the item.
        let good = json!({"region": {"name": "good"}});
        let input = json!({"items": [good, item], "mode": "ATOMIC"});
        let errors = client.refused(crate::harness::APPLY, json!({"input": input})).await;
        let field = if path.is_empty() { "input.items.1".to_owned() } else { format!("input.items.1.{path}") };
        assert_eq!((errors[0].code.as_str(), errors[0].field.as_ref()), ("INVALID", Some(&field)), "{errors:?}");
        assert_eq!(errors[0].message, format!("item 1: {message}"));
        assert_eq!(errors.len(), 1, "{errors:?}");
    }
    assert_eq!(client.ok("{ revision }", json!({})).await["revision"], 2, "nothing was written");
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn what_graphql_coerces_is_coerced() {
    let server = server().await;
    let client = server.client();
    let rack = json!({"rack": {"name": "r", "site": {"site": "ams1"}, "heightU": 42.0}});
    assert_eq!(result(&client, &rack).await["status"], "CREATED");
    let written =
        r#"mutation { apply(input: {items: {rack: {name: "r", site: {site: "ams1"}, heightU: 42.0}}}) { revision } }"#;
    client.ok(written, json!({})).await;
    let cable = json!({"cable": {"name": "c", "riskGroups": "duct-1", "aEnds": {"port": {"device": "leaf-1", "port": "e1"}},
        "bEnds": {"port": {"device": "leaf-1", "port": "e2"}}}});
    client.apply_all(vec![cable]).await;
    let found = client.ok(r#"{ rack(name: "r") { heightU } cables { nodes { riskGroups } } }"#, json!({})).await;
    assert_eq!(found, json!({"rack": {"heightU": 42}, "cables": {"nodes": [{"riskGroups": ["duct-1"]}]}}));
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn an_external_reference_goes_only_when_that_is_said() {
    let server = server().await;
    let client = server.client();
    let named = |reference: Value| json!({"region": {"name": "eu", "externalRefs": [reference]}});
    client.apply_all(vec![named(json!({"source": "dcim", "externalId": "7"}))]).await;
    let failed = result(&client, &named(json!({"source": "dcim", "url": "https://dcim/7"}))).await;
    assert_eq!(failed["error"]["message"], "externalRefs[0] must have an externalId: text, or null to remove it");
    let region = r#"{ region(name: "eu") { id externalRefs { source externalId } } }"#;
    let before = client.ok(region, json!({})).await;
    let update = "mutation($id: ID!, $refs: [ExternalRefInput!]) { updateRegion(id: $id, patch: {externalRefs: $refs}) { revision } }";
    let id = before["region"]["id"].clone();
    let errors = client.refused(update, json!({"id": id, "refs": [{"source": "dcim"}]})).await;
    assert!(errors[0].message.contains("must have an externalId: text, or null to remove it"), "{errors:?}");
    assert_eq!(client.ok(region, json!({})).await, before, "it is still there");
    client.ok(update, json!({"id": id, "refs": [{"source": "dcim", "externalId": null}]})).await;
    assert_eq!(client.ok(region, json!({})).await["region"]["externalRefs"], json!([]));
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn what_stands_twice_or_deep_in_a_request_is_read_in_one_way() {
    let server = server().await;
    let mut ways = Ways::to(&server).await;
    let padding: Vec<String> = (0..LARGE).map(|at| format!(r#"{{"region":{{"name":"p{at}"}}}}"#)).collect();
    let nested = |depth: usize| format!("{}1{}", r#"{"a":"#.repeat(depth), "}".repeat(depth));
    let deep = |depth: usize| format!(r#"{{"region":{{"name":"a","attributes":{}}}}}"#, nested(depth));
    let twice = r#"{"region":{"name":7,"name":"b"}}"#.to_owned();
    for item in
        [twice, deep(33), deep(100), deep(119), deep(120), deep(121), deep(122), deep(123), deep(124), deep(130)]
    {
        let mut answers = Vec::new();
        for rest in [&padding[..0], &padding] {
            let items = [std::slice::from_ref(&item), rest].concat().join(",");
            let query = serde_json::to_string(&with_variables()).expect("JSON");
            let input = format!(r#"{{"mode":"PER_ITEM","dryRun":true,"items":[{items}]}}"#);
            let [posted, streamed, over_socket] =
                ways.ask(&format!(r#"{{"query":{query},"variables":{{"input":{input}}}}}"#)).await;
            assert!(posted == streamed && posted == over_socket, "{item}: {posted:#} {streamed:#} {over_socket:#}");
            // Of a body that cannot be read the message says in which column.
            let refused = posted["errors"][0]["message"]
                .as_str()
                .map(|message| message.split(" at line").next().map(str::to_owned));
            answers.push((refused, posted.pointer("/data/apply/results/0").cloned()));
        }
        assert_eq!(answers[0], answers[1], "{item}");
    }
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_mutation_that_fragments_repeat_is_executed_once() {
    let server = server().await;
    let client = server.client();
    let apply = "mutation($input: ApplyInput!) { ...F ...F ...G }
        fragment F on Mutation { apply(input: $input) { revision results { status } } }
        fragment G on Mutation { apply(input: $input) { results { name } } }";
    for count in [1, LARGE] {
        let items: Vec<Value> = (0..count).map(|at| json!({"region": {"name": format!("r{count}-{at}")}})).collect();
        let answer = client.ok(apply, json!({"input": {"items": items}})).await["apply"].take();
        assert!(answer["revision"].is_i64(), "{}", answer["revision"]);
        assert_eq!(answer["results"][0], json!({"status": "CREATED", "name": format!("r{count}-0")}));
    }
    let create =
        r#"mutation { ...F ...F } fragment F on Mutation { createRegion(input: {name: "once"}) { revision } }"#;
    assert_eq!(client.ok(create, json!({})).await, json!({"createRegion": {"revision": 5}}));
    let id = client.ok(r#"{ region(name: "once") { id } }"#, json!({})).await["region"]["id"].take();
    let delete = "mutation($id: ID!) { ...F ...F other: deleteRegion(id: $id) { revision } }
        fragment F on Mutation { deleteRegion(id: $id) { revision } }";
    let answer = client.execute(delete, json!({"id": id})).await;
    assert_eq!(answer.data, json!({"deleteRegion": {"revision": 6}, "other": null}));
    assert_eq!(answer.errors.len(), 1, "another name is another field: {:?}", answer.errors);
}
