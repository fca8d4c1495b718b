//! A request that exceeds a limit is rejected with the name of the limit, and nothing else suffers.

use serde_json::json;

use crate::harness::{Client, Database, Received, Server, Socket, until};

/// A server of which one limit is another one.
async fn limited(limit: &str, value: &str) -> Server {
    Server::start(Database::Sqlite).env(format!("UNDERLAY_LIMITS_{limit}"), value).await
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn the_cost_of_a_document_is_limited() {
    let doubling = |times: usize| {
        let mut text = "{ regions { nodes { ...F0 } } }".to_owned();
        (0..times).for_each(|n| text += &format!(" fragment F{n} on Region {{ name ...F{m} ...F{m} }}", m = n + 1));
        text + &format!(" fragment F{times} on Region {{ name }}")
    };
    for (limit, value, name, fits, breaks) in [
        ("TOKENS", "20", "limits.tokens", "{ revision }".to_owned(), format!("{{ {} }}", "revision ".repeat(30))),
        ("DEPTH", "3", "limits.depth", "{ regions { nodes { id } } }".to_owned(), {
            "{ regions { nodes { children { nodes { id } } } } }".to_owned()
        }),
        ("FIELDS", "100", "limits.fields", doubling(3), doubling(40)),
        ("OBJECTS", "1000", "limits.objects", "{ regions(first: 1000) { nodes { id } } }".to_owned(), {
            "{ regions(first: 100) { nodes { sites(first: 100) { nodes { id } } } } }".to_owned()
        }),
        ("ALIASES", "2", "limits.aliases", "{ a: revision b: revision }".to_owned(), {
            "{ a: revision b: revision c: revision }".to_owned()
        }),
        ("DIRECTIVES", "1", "limits.directives", "{ revision @include(if: true) }".to_owned(), {
            "{ revision @include(if: true) @skip(if: false) }".to_owned()
        }),
    ] {
        let server = limited(limit, value).await;
        server.client().ok(&fits, json!({})).await;
        let errors = server.client().refused(&breaks, json!({})).await;
        assert!(errors[0].code == "TOO_COMPLEX" && errors[0].message.contains(name), "{name}: {errors:?}");
        assert!(errors[0].message.contains(value), "what is allowed: {errors:?}");
        let mut socket = Socket::connect(server.url()).await;
        socket.subscribe("1", &breaks, json!({})).await;
        let Received::Message(error) = socket.receive().await else { panic!("{name}: the connection ended") };
        assert_eq!(error["payload"][0]["extensions"]["code"], "TOO_COMPLEX", "{name}: {error}");
    }
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn introspection_can_be_disabled() {
    let server = limited("INTROSPECTION", "false").await;
    for query in ["{ __schema { types { name } } }", "{ a: __type(name: \"Site\") { name } }"] {
        let errors = server.client().refused(query, json!({})).await;
        assert!(errors[0].message.contains("limits.introspection"), "{errors:?}");
    }
    server.client().ok("{ __typename }", json!({})).await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn the_size_of_a_body_is_limited() {
    let body = |length: usize| format!("{{\"query\":\"{{ revision }}{}\"}}", " ".repeat(length));
    for (limit, name, status) in [
        ("APPLY_BODY", "limits.applyBody", 413),
        // All may write here; so that all bodies together are too much, one is enough.
        ("BODIES", "limits.bodies", 503),
    ] {
        let server = limited(limit, "10000").await;
        let post = async |length| server.client().post_bytes("application/json", body(length)).await;
        assert_eq!(post(100).await.expect("an answer").status, 200);
        // The connection of a client that sends more than is read may be closed before it reads the answer.
        if let Ok(answer) = post(1 << 20).await {
            assert!(answer.status == status && answer.text().contains(name), "{} {}", answer.status, answer.text());
        }
        // On another connection: that one is of no use any more.
        let again = Client::new(server.url()).post_bytes("application/json", body(100)).await;
        assert_eq!(again.expect("an answer").status, 200, "what was taken is given back");
    }
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn the_size_of_a_batch_is_limited() {
    let server = limited("ITEMS", "2").await;
    let items = |count: usize| (0..count).map(|n| json!({"region": {"name": format!("r{n}")}})).collect::<Vec<_>>();
    server.client().apply_all(items(2)).await;
    let apply = "mutation($input: ApplyInput!) { apply(input: $input) { revision } }";
    let errors = server.client().refused(apply, json!({"input": {"items": items(3)}})).await;
    assert!(errors[0].code == "BATCH_TOO_LARGE" && errors[0].message.contains("at most 2"), "{errors:?}");
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn the_subscriptions_of_a_caller_are_limited() {
    let server = limited("SUBSCRIPTIONS", "2").await;
    server.client().apply_all(vec![json!({"region": {"name": "r"}})]).await;
    let mut socket = Socket::connect(server.url()).await;
    for id in ["1", "2", "3"] {
        socket.subscribe(id, "subscription { changes { type } }", json!({})).await;
    }
    let refused = loop {
        match socket.receive().await {
            Received::Message(message) if message["type"] == "error" => break message,
            Received::Message(_) => {}
            ended => panic!("{ended:?}"),
        }
    };
    assert_eq!((&refused["id"], &refused["payload"][0]["extensions"]["code"]), (&json!("3"), &json!("UNAVAILABLE")));
    assert!(refused["payload"][0]["message"].as_str().expect("text").contains("limits.subscriptions"), "{refused}");
    socket.send(json!({"type": "complete", "id": "1"})).await;
    // One that has ended makes room.
    until("there is room", async || {
        // It is answered at once, by an old change or by an error.
        socket.subscribe("4", "subscription { changes(after: 0) { type } }", json!({})).await;
        loop {
            match socket.receive().await {
                Received::Message(message) if message["id"] == "4" => return message["type"] == "next",
                Received::Message(_) => {}
                ended => panic!("{ended:?}"),
            }
        }
    })
    .await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn excess_requests_are_rejected_at_once() {
    let server = limited("REQUESTS", "1").await;
    // One that waits for a revision that does not come runs for seconds.
    let waits = json!({"query": "{ revision }", "extensions": {"minRevision": 99}}).to_string();
    let waiting = Client::new(server.url());
    // It may itself be the one too many, or be answered before the other one comes: then it asks again.
    let slow = tokio::spawn(async move {
        loop {
            waiting.post_bytes("application/json", waits.clone()).await.expect("an answer");
        }
    });
    let refused = until("one is too many", async || {
        let answer = server.client().post_bytes("application/json", r#"{"query":"{ revision }"}"#).await;
        answer.ok().filter(|answer| answer.status == 503)
    });
    let refused = refused.await;
    assert!(refused.headers.contains_key("retry-after") && refused.text().contains("limits.requests"), "{refused:?}");
    slow.abort();
    until("the client that is gone counts no more", async || {
        let answer = server.client().post_bytes("application/json", r#"{"query":"{ revision }"}"#).await;
        answer.is_ok_and(|answer| answer.status == 200)
    })
    .await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_query_that_takes_too_long_is_stopped() {
    let server = Server::start(Database::Sqlite).arg("--demo").env("UNDERLAY_LIMITS_TIMEOUT", "1s").await;
    let sites = server.client().ok("{ sites { nodes { id } } }", json!({})).await;
    let site = sites["sites"]["nodes"][0]["id"].as_str().expect("a site").to_owned();
    // Each has another answer: equal fields are computed once.
    let once = |number: usize| {
        format!("q{number}: singlePointsOfFailure(within: \"{site}\", first: {number}) {{ __typename }}")
    };
    let all: Vec<String> = (0..90).map(once).collect();
    let errors = server.client().refused(&format!("{{ {} }}", all.join(" ")), json!({})).await;
    assert!(errors[0].code == "TIMEOUT" && errors[0].message.contains("limits.timeout"), "{errors:?}");
    server.client().ok("{ revision }", json!({})).await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn the_time_of_a_request_is_limited() {
    let server = limited("TIMEOUT", "1s").await;
    let address = server.url().trim_start_matches("http://").to_owned();
    let mut slow = tokio::net::TcpStream::connect(&address).await.expect("a connection");
    let head = format!(
        "POST /graphql HTTP/1.1\r\nhost: {address}\r\ncontent-type: application/json\r\ncontent-length: 99\r\n\r\n{{"
    );
    tokio::io::AsyncWriteExt::write_all(&mut slow, head.as_bytes()).await.expect("write");
    let mut answer = [0; 12];
    tokio::io::AsyncReadExt::read_exact(&mut slow, &mut answer).await.expect("an answer");
    assert_eq!(&answer, b"HTTP/1.1 408");
}
