//! Tests of what callers share: equal fields of a request are computed once, and one caller leaves room for others.

use futures_util::future::join_all;
use serde_json::{Value, json};

use super::access::{now, signed_as, with_secret};
use crate::harness::metrics::Exported;
use crate::harness::{Client, Database, Received, Server, Socket, on_both_databases, until};

/// Returns a token that lasts, of a caller with this name and role.
fn token(actor: &str, role: &str) -> String {
    signed_as(json!({"sub": actor, "roles": role, "exp": now() + 3_600}))
}

/// Returns the number of topology queries of a type that the server has answered.
async fn questions(client: &Client, question: &str) -> f64 {
    Exported::to(client).await.sum("underlay_question_seconds_count", &[("question", question)])
}

async fn statements(client: &Client) -> f64 {
    Exported::to(client).await.sum("underlay_statements_total", &[])
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn equal_fields_are_computed_once() {
    let server = Server::start(Database::Sqlite).arg("--demo").await;
    let client = server.client();
    let found = client
        .ok("{ sites { nodes { id } } devices(first: 2, filter: {role: {eq: SERVER}}) { nodes { id } } }", json!({}))
        .await;
    let (site, devices) = (&found["sites"]["nodes"][0]["id"], &found["devices"]["nodes"]);
    let (one, other) = (&devices[0]["id"], &devices[1]["id"]);
    for (question, field) in [
        ("singlePointsOfFailure", "singlePointsOfFailure(first: 0) { __typename }".to_owned()),
        ("impact", format!("impact(of: [{site}]) {{ revision }}")),
        ("paths", format!("paths(from: {one}, to: {other}) {{ revision }}")),
        ("diversity", format!("diversity(from: {one}, to: {other}) {{ revision }}")),
        ("graph", "graph(first: 0) { revision }".to_owned()),
    ] {
        let before = questions(&client, question).await;
        // Neither many fields nor aliases nor fragments make it more.
        let query = format!("{{ {} a: {field} ... {{ {field} }} }}", format!("{field} ").repeat(900));
        let data = client.ok(&query, json!({})).await;
        assert_eq!(data["a"], data[question], "{question}");
        assert_eq!(questions(&client, question).await - before, 1.0, "{question}");
    }
    let three = "{ a: impact(of: [\"$1\"]) { revision } b: impact(of: [\"$2\"]) { revision } c: impact(of: [\"$1\"]) { revision } }";
    let three = three.replace("\"$1\"", &one.to_string()).replace("\"$2\"", &other.to_string());
    let before = questions(&client, "impact").await;
    client.ok(&three, json!({})).await;
    assert_eq!(questions(&client, "impact").await - before, 2.0, "different questions have answers of their own");
}

on_both_databases! {
    async fn equal_fields_ask_the_database_once(server: Server) {
        let client = server.client();
        client.apply_all(vec![json!({"region": {"name": "r"}})]).await;
        client.apply_all(vec![json!({"region": {"name": "r", "description": "new"}})]).await;
        for field in [
            "changes(filter: {actors: [\"zz\"]}) { totalCount }",
            "changes(first: 1, after: $after) { nodes { revision } totalCount }",
            "diff(from: 0, to: 2) { nodes { name } }",
            "oldestRevision",
        ] {
            let declared = if field.contains("$after") { "query($after: String)" } else { "" };
            let query = format!("{declared} {{ {} a: {field} b: {field} }}", format!("{field} ").repeat(300));
            let before = statements(&client).await;
            let data = client.ok(&query, json!({})).await;
            assert_eq!(data["a"], data["b"], "{field}");
            let asked = statements(&client).await - before;
            // The server has some of its own in the background.
            assert!(asked < 100.0, "{field}: {asked} statements");
        }
        let counts = client.ok("{ a: changes(filter: {kinds: [\"Region\"]}) { totalCount } b: changes(filter: {actors: [\"zz\"]}) { totalCount } }", json!({})).await;
        assert_eq!(counts, json!({"a": {"totalCount": 2}, "b": {"totalCount": 0}}));
    }
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn one_caller_leaves_places_for_computations_of_others() {
    let server = with_secret().arg("--demo").await;
    let [greedy, modest] = ["greedy", "modest"].map(|actor| server.client().bearing(&token(actor, "viewer")));
    let sites = modest.ok("{ sites { nodes { id } } }", json!({})).await;
    let site = sites["sites"]["nodes"][0]["id"].clone();
    // Each has another answer, and there are more than places.
    let many: String =
        (0..95).map(|first| format!("q{first}: singlePointsOfFailure(first: {first}) {{ __typename }} ")).collect();
    let mut greedy = tokio::spawn(async move {
        let query = format!("{{ {many} }}");
        join_all((0..4).map(|_| greedy.execute(&query, json!({})))).await
    });
    until("the greedy one has answers", async || questions(&modest, "singlePointsOfFailure").await > 0.0).await;
    // It waits neither for those before it nor for all threads.
    for _ in 0..3 {
        let few = format!("{{ impact(of: [{site}]) {{ counts {{ count }} }} }}");
        modest.ok(&few, json!({})).await;
        assert!(!greedy.is_finished(), "the greedy one has more to do");
    }
    greedy.abort();
    let _ = (&mut greedy).await;
    modest.ok("{ revision }", json!({})).await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_drawing_is_admitted_as_a_query_is() {
    let server = Server::start(Database::Sqlite).env("UNDERLAY_LIMITS_REQUESTS", "1").await;
    // One that waits for a revision that does not come runs for seconds.
    let waits = json!({"query": "{ revision }", "extensions": {"minRevision": 99}}).to_string();
    let waiting = Client::new(server.url());
    let slow = tokio::spawn(async move {
        loop {
            waiting.post_bytes("application/json", waits.clone()).await.expect("an answer");
        }
    });
    let refused = until("one is too many", async || {
        let answer = server.client().get("/trace/01a20000-0000-7000-8000-000000000000.svg").await;
        assert!([404, 503].contains(&answer.status), "{}", answer.text());
        (answer.status == 503).then_some(answer)
    });
    let refused = refused.await;
    assert!(refused.text().contains("limits.requests"), "{}", refused.text());
    slow.abort();
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_caller_that_pins_many_revisions_takes_none_from_others() {
    let server = with_secret().await;
    let client = |actor: &str, role: &str| server.client().bearing(&token(actor, role));
    let (writer, exporter, greedy) = (client("ann", "operator"), client("bob", "viewer"), client("eve", "viewer"));
    let region = |name: String| json!({"region": {"name": name}});
    writer.apply_all(vec![region("a".to_owned()), region("b".to_owned())]).await;
    let page = async |client: &Client, arguments: &str| {
        let query = format!("{{ regions({arguments}) {{ totalCount pageInfo {{ endCursor }} }} }}");
        client.execute(&query, json!({})).await
    };
    let first = page(&exporter, "first: 1, pin: true").await.data;
    for number in 0..20 {
        writer.apply_all(vec![region(format!("more-{number}"))]).await;
        page(&greedy, "first: 1, pin: true").await;
    }
    let next = page(&exporter, &format!("after: {}", first["regions"]["pageInfo"]["endCursor"])).await;
    assert_eq!((next.errors.len(), &next.data["regions"]["totalCount"]), (0, &json!(2)), "{:?}", next.errors);
}

/// Regions with long texts below a region, and a subscription whose events have all of them so many times.
async fn with_long_events(server: &Server, times: usize) -> String {
    let mut items = vec![json!({"region": {"name": "p"}})];
    let child = |it: usize| {
        let description = "x".repeat(1_000);
        json!({"region": {"name": format!("r{it}"), "description": description, "parent": {"region": "p"}}})
    };
    items.extend((0..500).map(child));
    // Each part takes far less than the shortest time limit of these tests.
    for part in items.chunks(100) {
        server.client().apply_all(part.to_vec()).await;
    }
    let once = |number: usize| format!("q{number}: children(first: 500) {{ nodes {{ name description }} }}");
    let all: String = (0..times).map(once).collect::<Vec<_>>().join(" ");
    format!(
        "subscription($after: ChangeCursor) {{ changes(filter: {{kinds: [\"Region\"]}}, after: $after) {{ \
            type object {{ ... on Region {{ {all} }} }} }} }}"
    )
}

/// Subscribes to the changes after the current revision, so that none is missed while the subscription begins.
async fn follow(server: &Server, socket: &mut Socket, id: &str, query: &str) {
    let revision = server.client().ok("{ revision }", json!({})).await["revision"].take();
    socket.subscribe(id, query, json!({"after": revision})).await;
}

/// Changes the region of such events.
async fn touch(server: &Server, round: usize) {
    server.client().apply_all(vec![json!({"region": {"name": "p", "description": format!("{round}")}})]).await;
}

/// Returns the next message that is not about progress.
async fn told(socket: &mut Socket) -> Value {
    loop {
        match socket.receive().await {
            Received::Message(message) if message["payload"]["data"]["changes"]["type"] == "PROGRESS" => {}
            Received::Message(message) => return message,
            ended => panic!("{ended:?}"),
        }
    }
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn the_size_of_an_event_is_limited() {
    let server = Server::start(Database::Sqlite).env("UNDERLAY_LIMITS_ANSWER", "2000000").await;
    let (fits, breaks) = (with_long_events(&server, 3).await, with_long_events(&server, 5).await);
    let mut socket = Socket::connect(server.url()).await;
    follow(&server, &mut socket, "fits", &fits).await;
    follow(&server, &mut socket, "breaks", &breaks).await;
    touch(&server, 1).await;
    let mut messages = [told(&mut socket).await, told(&mut socket).await];
    messages.sort_by_key(|message| message["id"].to_string());
    let [broken, event] = &messages;
    assert_eq!((&broken["id"], &broken["type"]), (&json!("breaks"), &json!("error")), "{broken}");
    let error = &broken["payload"][0];
    assert_eq!(error["extensions"]["code"], "TOO_COMPLEX", "{error}");
    assert!(error["message"].as_str().is_some_and(|it| it.contains("2000000 (limits.answer)")), "{error}");
    let texts = &event["payload"]["data"]["changes"]["object"]["q2"]["nodes"];
    assert_eq!((event["id"].as_str(), texts.as_array().map(Vec::len)), (Some("fits"), Some(500)));
    touch(&server, 2).await;
    assert_eq!(told(&mut socket).await["id"], "fits", "it goes on");
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn unread_events_are_limited_together() {
    let server = Server::start(Database::Sqlite).env("UNDERLAY_LIMITS_ANSWERS", "20000000").await;
    // More than what the system keeps for a connection.
    let query = with_long_events(&server, 29).await;
    let mut unread = Socket::connect(server.url()).await;
    follow(&server, &mut unread, "1", &query).await;
    touch(&server, 0).await;
    // From here the whole event counts. Before, an event of the other subscription could take its room.
    unread.wait_for_bytes(10_000).await;
    // The second has an execution of its own, because it names its answer otherwise.
    let other = query.replace("q0:", "other:");
    let mut refused = None;
    for round in 1..=20 {
        let mut reading = Socket::connect(server.url()).await;
        follow(&server, &mut reading, "1", &other).await;
        touch(&server, round).await;
        let message = told(&mut reading).await;
        if message["type"] == "error" {
            refused = Some(message);
            break;
        }
    }
    let refused = refused.expect("what is not read does not count");
    let error = &refused["payload"][0];
    assert_eq!(error["extensions"]["code"], "UNAVAILABLE", "{error}");
    assert!(error["message"].as_str().is_some_and(|it| it.contains("limits.answers")), "{error}");
    server.client().ok("{ revision }", json!({})).await;
    drop(unread);
    let mut round = 100;
    until("the client that is gone counts no more", async || {
        round += 1;
        let mut reading = Socket::connect(server.url()).await;
        follow(&server, &mut reading, "1", &other).await;
        touch(&server, round).await;
        let message = told(&mut reading).await;
        if message["type"] == "next" { Ok(()) } else { Err(message.to_string()) }
    })
    .await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn the_time_of_an_event_is_limited() {
    let server = Server::start(Database::Sqlite).env("UNDERLAY_LIMITS_OBJECTS", "100000000");
    let server = server.env("UNDERLAY_LIMITS_ANSWER", "4000000000").env("UNDERLAY_LIMITS_ANSWERS", "4000000000");
    let server = server.env("UNDERLAY_LIMITS_TIMEOUT", "1s").await;
    with_long_events(&server, 1).await;
    let below = "children(first: 500) { nodes { parent { children(first: 500) { nodes { id } } } } }";
    let query = format!(
        "subscription($after: ChangeCursor) {{ changes(after: $after) {{ type object {{ ... on Region {{ {below} }} }} }} }}"
    );
    let mut socket = Socket::connect(server.url()).await;
    follow(&server, &mut socket, "1", &query).await;
    let short = "subscription($after: ChangeCursor) { changes(after: $after) { type revision } }";
    follow(&server, &mut socket, "2", short).await;
    touch(&server, 1).await;
    let mut messages = [told(&mut socket).await, told(&mut socket).await];
    messages.sort_by_key(|message| message["id"].to_string());
    let error = &messages[0]["payload"][0];
    assert_eq!((&messages[0]["type"], &error["extensions"]["code"]), (&json!("error"), &json!("TIMEOUT")), "{error}");
    assert!(error["message"].as_str().is_some_and(|it| it.contains("limits.timeout")), "{error}");
    assert_eq!(messages[1]["type"], "next", "others go on");
}
