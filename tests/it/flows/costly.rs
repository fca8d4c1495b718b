//! Requests of a few kilobytes whose cost would be out of all proportion: fragments that double, values that are used
//! again and again, filters that visit everything many times, questions about the whole schema. Each is answered or
//! rejected soon, over every transport, and the server goes on.

use serde_json::{Value, json};

use crate::harness::{Client, Database, HANG, Received, Server, Socket, on_both_databases, until};

/// The query by which tools read a schema, as the reference implementation of GraphQL writes it.
const INTROSPECTION: &str = "query IntrospectionQuery {
  __schema {
    queryType { name } mutationType { name } subscriptionType { name }
    types { ...FullType }
    directives { name description locations args(includeDeprecated: true) { ...InputValue } }
  }
}
fragment FullType on __Type {
  kind name description isOneOf
  fields(includeDeprecated: true) {
    name description args(includeDeprecated: true) { ...InputValue } type { ...TypeRef } isDeprecated deprecationReason
  }
  inputFields(includeDeprecated: true) { ...InputValue }
  interfaces { ...TypeRef }
  enumValues(includeDeprecated: true) { name description isDeprecated deprecationReason }
  possibleTypes { ...TypeRef }
}
fragment InputValue on __InputValue { name description type { ...TypeRef } defaultValue isDeprecated deprecationReason }
fragment TypeRef on __Type {
  kind name ofType { kind name ofType { kind name ofType { kind name ofType { kind name ofType { kind name ofType {
    kind name ofType { kind name ofType { kind name ofType { kind name } } } } } } } } }
}";
/// Returns the errors of a request over HTTP, over an event stream and over WebSocket, which must be the same.
async fn refused(server: &Server, query: &str, operation: Option<&str>, variables: &Value) -> Vec<Value> {
    let payload = json!({"query": query, "operationName": operation, "variables": variables});
    let mut all = Vec::new();
    for path in ["graphql", "graphql/stream"] {
        let client = reqwest::Client::builder().no_proxy().timeout(HANG).build().expect("a client");
        let request = client.post(format!("{}/{path}", server.url())).json(&payload);
        let answer = request.send().await.unwrap_or_else(|error| panic!("{path}: no answer: {error}"));
        let body: Value = answer.json().await.unwrap_or_else(|error| panic!("{path}: no JSON: {error}"));
        all.push(body["errors"].as_array().unwrap_or_else(|| panic!("{path}: not refused: {body}")).clone());
    }
    let mut socket = Socket::connect(server.url()).await;
    socket.send(json!({"id": "1", "type": "subscribe", "payload": payload})).await;
    match socket.receive().await {
        Received::Message(mut message) if message["type"] == "error" => {
            all.push(message["payload"].as_array_mut().map(std::mem::take).unwrap_or_default());
        }
        other => panic!("not refused: {other:?}"),
    }
    let summary = |errors: &Vec<Value>| {
        errors.iter().map(|it| (it["message"].clone(), it["extensions"]["code"].clone())).collect::<Vec<_>>()
    };
    assert!(all.iter().all(|errors| summary(errors) == summary(&all[0])), "each transport says the same: {all:?}");
    all.swap_remove(0)
}

/// Checks that a request is rejected with one error.
async fn is_refused(server: &Server, query: &str, operation: Option<&str>, variables: Value, code: &str, says: &str) {
    let errors = refused(server, query, operation, &variables).await;
    let message = errors[0]["message"].as_str().unwrap_or_default();
    let shown: String = query.chars().take(100).collect();
    assert_eq!((errors.len(), &errors[0]["extensions"]["code"]), (1, &json!(code)), "{shown}: {message}");
    assert!(message.contains(says), "{shown}: {message}");
    assert!(message.len() < 400, "{shown}: {message}");
    Client::new(server.url()).ok("{ revision }", json!({})).await;
}

/// Fragments each of which uses the next one twice.
fn doubling(times: usize, last: &str) -> String {
    let one = |n: usize| format!(" fragment F{n} on Query {{ ...F{m} ...F{m} }}", m = n + 1);
    (0..times).map(one).collect::<String>() + &format!(" fragment F{times} on Query {{ {last} }}")
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn fragments_that_double_are_rejected_wherever_they_stand() {
    let server = Server::start(Database::Sqlite).await;
    let fields = "limits.fields";
    // The last fragment has no field, and none that exists.
    for last in ["...Nowhere", "... { ...Nowhere }", "revision"] {
        let fragments = doubling(59, last);
        for (head, operation) in
            [("{ ...F0 }", None), ("query A { revision } query B { ...F0 }", Some("A")), ("{ revision }", None)]
        {
            is_refused(&server, &(head.to_owned() + &fragments), operation, json!({}), "TOO_COMPLEX", fields).await;
        }
    }
    // The parser itself bounds what is nested in the text, and fragments are nested without it.
    let inline = format!("{{ revision {} }}", "... { revision ".repeat(110) + &"}".repeat(110));
    is_refused(&server, &inline, None, json!({}), "INVALID", "recursion limit").await;
    let chain: String = (0..110).map(|n| format!(" fragment F{n} on Query {{ ...F{m} }}", m = n + 1)).collect();
    let chain = format!("{{ ...F0 }} {chain} fragment F110 on Query {{ revision }}");
    is_refused(&server, &chain, None, json!({}), "TOO_COMPLEX", "nested too deep").await;
    let level = format!("{{ {} {} {} }}", "... { ".repeat(50), "revision ".repeat(60), "}".repeat(50));
    is_refused(&server, &level, None, json!({}), "TOO_COMPLEX", fields).await;
    let many: String = (0..900).map(|n| format!(" fragment G{n} on Query {{ ...H }}")).collect();
    let shared = format!("{{ revision }} {many} fragment H on Query {{ {} }}", "revision ".repeat(500));
    is_refused(&server, &shared, None, json!({}), "TOO_COMPLEX", fields).await;
    for circle in ["{ ...A } fragment A on Query { ...B ...A } fragment B on Query { revision }", {
        "{ revision } fragment A on Query { ... { ...B } } fragment B on Query { ...A }"
    }] {
        is_refused(&server, circle, None, json!({}), "INVALID", "uses itself").await;
    }
}

/// Puts a filter into another one.
type Shape = fn(Value) -> Value;

/// Reading a filter takes a part of the stack for each level.
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_filter_may_be_as_deep_as_a_document() {
    let server = Server::start(Database::Sqlite).await;
    let client = server.client();
    client.apply_all(vec![json!({"site": {"name": "ams1", "type": "DATACENTER"}})]).await;
    let too_deep = Some("references and lists in each other");
    let shapes: [(Shape, usize, Option<&str>); 5] = [
        (|inner| json!({"not": inner}), 120, None),
        (|inner| json!({"and": [inner]}), 60, None),
        (|inner| json!({"or": [inner]}), 60, None),
        (|inner| json!({"devices": {"some": {"site": inner}}}), 40, too_deep),
        (|inner| json!({"devices": {"none": {"site": inner}}}), 40, too_deep),
    ];
    for (shape, levels, error) in shapes {
        let filter = (0..levels).fold(json!({"name": {"eq": "ams1"}}), |inner, _| shape(inner));
        let names = ["not", "and", "or", "devices", "some", "none", "site", "name", "eq"];
        let literal = names
            .iter()
            .fold(filter.to_string(), |text, name| text.replace(&format!("\"{name}\":"), &format!("{name}:")));
        let literal = format!("{{ sites(filter: {literal}) {{ totalCount }} }}");
        let variable = "query($filter: SiteFilter) { sites(filter: $filter) { totalCount } }";
        for (query, variables) in [(literal.as_str(), json!({})), (variable, json!({"filter": filter}))] {
            match error {
                None => assert_eq!(client.ok(query, variables).await["sites"]["totalCount"], 1, "{query}"),
                Some(error) => {
                    let errors = client.refused(query, variables).await;
                    assert!(errors[0].message.contains(error), "{errors:?}");
                }
            }
        }
    }
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn the_number_of_errors_of_a_document_is_bounded() {
    let server = Server::start(Database::Sqlite).await;
    // Each of the later fields would be compared with each argument of the first one.
    let arguments: String = (0..1_600).map(|n| format!("x{n}: 1 ")).collect();
    let merged = format!("{{ revision({arguments}) {} }}", "revision ".repeat(1_900));
    is_refused(&server, &merged, None, json!({}), "TOO_COMPLEX", "has 1600 arguments").await;
    // Each operation would report each variable.
    let operations: String = (0..600).map(|n| format!("query A{n} {{ ...F }} ")).collect();
    let variables: String = (0..3_000).map(|n| format!("$v{n} ")).collect();
    let undefined =
        format!("{operations} fragment F on Query {{ devices(filter: {{and: [{variables}]}}) {{ totalCount }} }}");
    is_refused(&server, &undefined, Some("A1"), json!({}), "TOO_COMPLEX", "limits.tokens").await;
    // Each name would be compared with all names of the schema.
    let names: String = (0..1_900).map(|n| format!("x{n}{} ", "y".repeat(2_000))).collect();
    is_refused(&server, &format!("{{ {names} }}"), None, json!({}), "TOO_COMPLEX", "at most 128 bytes").await;
    // A name that is a little wrong still gets a proposal.
    let errors = server.client().refused("{ devises { totalCount } }", json!({})).await;
    assert!(errors[0].message.contains("Did you mean") && errors[0].message.contains("devices"), "{errors:?}");
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn values_count_wherever_they_are_used() {
    let server = Server::start(Database::Sqlite).env("UNDERLAY_LIMITS_VALUES", "10000").await;
    let names = |count: usize| json!({"f": {"name": {"in": vec!["x"; count]}}});
    let used = |times: usize| {
        let list = "devices(filter: $f, first: 1) { totalCount }";
        format!("query($f: DeviceFilter) {{ {} }}", vec![list; times].join(" "))
    };
    server.client().ok(&used(9), names(1_000)).await;
    is_refused(&server, &used(100), None, names(1_000), "TOO_COMPLEX", "limits.values").await;
    // A list within a list reads its arguments for each object of the outer one.
    let nested = "query($f: PortFilter) { devices(first: 500) { nodes { ports(filter: $f) { totalCount } } } }";
    is_refused(&server, nested, None, names(100), "TOO_COMPLEX", "limits.values").await;
    server.client().ok(nested, names(10)).await;
    let unused = "{ revision } fragment F on Query { devices(filter: $f) { totalCount } }";
    is_refused(&server, unused, None, json!({"f": vec![0; 20_000]}), "TOO_COMPLEX", "limits.values").await;
    // A variable that is not defined is dropped, and one that is defined and too large is refused with it.
    server.client().ok("{ revision }", json!({"x": vec![0; 5_000]})).await;
    let subscription = "subscription { changes { cursor } }";
    is_refused(&server, subscription, None, json!({"x": vec![0; 20_000]}), "TOO_COMPLEX", "limits.values").await;
    let extensions = json!({"query": "{ revision }", "extensions": {"x": vec![0; 20_000]}}).to_string();
    let answer = server.client().post_bytes("application/json", extensions).await.expect("an answer");
    assert!(answer.text().contains("limits.values"), "{}", answer.text());
    let list = format!("[{}]", "0,".repeat(12_000) + "0");
    let address = format!("/graphql?query=%7Brevision%7D&variables=%7B%22x%22:{list}%7D");
    let answer = server.client().get(&address).await;
    assert!(answer.text().contains("limits.values"), "{}: {}", answer.status, answer.text());
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn the_values_of_requests_count_as_their_bodies() {
    // 3,000 values have 6 kB of text, and 216 kB in memory.
    let server = Server::start(Database::Sqlite)
        .env("UNDERLAY_LIMITS_VALUES", "3010")
        .env("UNDERLAY_LIMITS_APPLY_BODY", "8000")
        .env("UNDERLAY_LIMITS_BODIES", "330000");
    let server = server.await;
    let values = json!({"x": vec![0; 3_000]});
    server.client().ok("{ revision }", values.clone()).await;
    // They count as long as the subscription runs.
    let mut socket = Socket::connect(server.url()).await;
    server.client().apply_all(vec![json!({"region": {"name": "r"}})]).await;
    socket.subscribe("1", "subscription { changes(after: 0) { type } }", values.clone()).await;
    assert_eq!(socket.answer().await["data"]["changes"]["type"], "CREATED");
    let errors = server.client().refused("{ revision }", values.clone()).await;
    assert!(errors[0].code == "UNAVAILABLE" && errors[0].message.contains("limits.bodies"), "{errors:?}");
    server.client().ok("{ revision }", json!({})).await;
    socket.send(json!({"id": "1", "type": "complete"})).await;
    until("the subscription that has ended counts no more", async || {
        server.client().execute("{ revision }", values.clone()).await.errors.is_empty()
    })
    .await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_batch_of_the_most_items_is_written() {
    let server = Server::start(Database::Sqlite).await;
    let item = |number: usize| {
        json!({"region": {
            "name": format!("r{number}"), "description": "x".repeat(200),
            "labels": {"a": "b", "c": "d"}, "attributes": {"e": [1, 2, {"f": null}], "g": {"h": true}},
        }})
    };
    let payload = server.client().apply_all((0..10_000).map(item).collect()).await;
    assert_eq!(payload["revision"], 1);
}

/// A filter on devices through their site and its devices, so many times.
fn through_sites(times: usize) -> String {
    (0..times).fold("name: {eq: \"?\"}".to_owned(), |inner, _| format!("site: {{devices: {{some: {{{inner}}}}}}}"))
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_filter_that_visits_everything_again_and_again_is_stopped() {
    let server = Server::start(Database::Sqlite)
        .arg("--demo")
        .env("UNDERLAY_LIMITS_TIMEOUT", "2s")
        .env("UNDERLAY_LIMITS_STEPS", "1000000000");
    let server = server.await;
    // It is not finished, but it ends, and so do those whose client has gone.
    let slow = format!("{{ devices(filter: {{{}}}) {{ totalCount }} }}", through_sites(3));
    for _ in 0..3 {
        let errors = server.client().refused(&slow, json!({})).await;
        assert!(errors[0].code == "TIMEOUT" && errors[0].message.contains("limits.timeout"), "{errors:?}");
    }
    let filters: Vec<Value> =
        (0..5_000).map(|n| json!({"ports": {"some": {"name": {"contains": format!("?{n}")}}}})).collect();
    let many = "query($f: DeviceFilter) { devices(filter: $f) { totalCount } }";
    let client = server.client();
    let errors = client.refused(many, json!({"f": {"or": filters}})).await;
    assert_eq!(errors[0].code, "TIMEOUT", "{errors:?}");
    server.client().ok("{ devices { totalCount } }", json!({})).await;

    let server = Server::start(Database::Sqlite).arg("--demo").env("UNDERLAY_LIMITS_STEPS", "50000").await;
    let errors = server.client().refused(&slow, json!({})).await;
    let message = &errors[0].message;
    assert!(
        errors[0].code == "TOO_COMPLEX" && message.contains("50000 steps") && message.contains("limits.steps"),
        "{message}"
    );
    assert_eq!(errors[0].field.as_deref(), Some("filter"), "{errors:?}");
    let paged = slow.replace("totalCount", "nodes { name }");
    for query in [paged, slow.replace("totalCount", "facets(by: [\"name\"]) { by }")] {
        assert_eq!(server.client().refused(&query, json!({})).await[0].code, "TOO_COMPLEX", "{query}");
    }
    let usual = "{ ports(filter: {device: {site: {name: {startsWith: \"a\"}}}, cabled: true}) { totalCount } }";
    server.client().ok(usual, json!({})).await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_filter_has_bounds_that_its_errors_name() {
    let server = Server::start(Database::Sqlite).await;
    let deep = |times: usize| format!("{{ devices(filter: {{{}}}) {{ totalCount }} }}", through_sites(times));
    server.client().ok(&deep(3), json!({})).await;
    let errors = server.client().refused(&deep(4), json!({})).await;
    assert_eq!((errors[0].code.as_str(), errors[0].field.as_deref()), ("INVALID", Some("filter")), "{errors:?}");
    assert!(errors[0].message.contains("8 references and lists in each other; at most 6"), "{errors:?}");
    let ends =
        "{ cables(filter: {end: {port: {device: {rack: {location: {site: {name: {eq: \"a\"}}}}}}}}) { totalCount } }";
    server.client().ok(ends, json!({})).await;
    let query = "query($f: DeviceFilter) { devices(filter: $f) { totalCount } }";
    let names = |count: usize| json!({"f": {"not": {"name": {"in": vec!["x"; count], "caseInsensitive": true}}}});
    server.client().ok(query, names(1_000)).await;
    let too_long = [
        names(1_001),
        json!({"f": {"id": {"in": vec!["x"; 1_001]}}}),
        json!({"f": {"version": {"in": vec![1; 1_001]}}}),
        json!({"f": {"role": {"notIn": vec!["SERVER"; 1_001]}}}),
    ];
    for variables in too_long {
        let errors = server.client().refused(query, variables).await;
        assert!(errors[0].code == "INVALID" && errors[0].message.contains("1001 entries; at most 1000"), "{errors:?}");
    }
    let labels = json!({"f": {"labels": format!("a in ({})", vec!["b"; 1_001].join(","))}});
    let errors = server.client().refused(query, labels).await;
    assert!(errors[0].code == "INVALID" && errors[0].message.contains("at most 1000 are allowed"), "{errors:?}");
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn the_objects_of_the_schema_count_as_they_are() {
    let server = Server::start(Database::Sqlite).await;
    let schema = server.client().ok(INTROSPECTION, json!({})).await;
    assert!(schema["__schema"]["types"].as_array().is_some_and(|types| types.len() > 400));
    let inner = "type { ofType { fields { type { ofType { fields { type { ofType { name } } } } } } } }";
    let types = |number: usize| format!("s{number}: __schema {{ types {{ fields {{ {inner} }} }} }} ");
    server.client().ok(&format!("{{ {} }}", types(0)), json!({})).await;
    let many: String = (0..30).map(types).collect();
    for query in [format!("{{ {many} }}"), format!("{{ {} }}", "__type(name: \"Site\") { name } ".repeat(900))] {
        is_refused(&server, &query, None, json!({}), "TOO_COMPLEX", "limits.objects").await;
    }
    server.client().ok("{ __type(name: \"Site\") { fields { name args { name type { name } } } } }", json!({})).await;
}

on_both_databases! {
    async fn lists_in_filters_of_the_log_are_bounded(server: Server) {
        let client = server.client();
        client.apply_all(vec![json!({"region": {"name": "r"}})]).await;
        let list = |count: usize| vec!["00000000-0000-7000-8000-000000000000"; count];
        let changes = "query($f: ChangeFilter) { changes(filter: $f) { totalCount nodes { revision } } }";
        let diff = "query($f: ObjectDiffFilter) { diff(from: 0, to: 1, filter: $f) { nodes { name } } }";
        for (query, member) in
            [(changes, "objects"), (changes, "actors"), (changes, "sources"), (diff, "objects")]
        {
            client.ok(query, json!({"f": {member: list(1_000)}})).await;
            for count in [1_001, 70_000] {
                let errors = client.refused(query, json!({"f": {member: list(count)}})).await;
                let found = (errors[0].code.as_str(), errors[0].field.as_deref());
                assert_eq!(found, ("INVALID", Some(member)), "{errors:?}");
                assert!(errors[0].message.contains("at most 1000 are allowed"), "{errors:?}");
            }
        }
        for (query, member, value) in
            [(changes, "kinds", "Region"), (changes, "operations", "CREATED"), (diff, "operations", "CREATED")]
        {
            let errors = client.refused(query, json!({"f": {member: vec![value; 70_000]}})).await;
            assert_eq!((errors[0].code.as_str(), errors[0].field.as_deref()), ("INVALID", Some(member)), "{errors:?}");
        }
        let found = client.ok(changes, json!({"f": {"kinds": vec!["Region"; 1_000]}})).await;
        assert_eq!(found["changes"]["totalCount"], 1);
    }
}
