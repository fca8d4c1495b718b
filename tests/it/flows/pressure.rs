//! The input of one client is bounded in memory, whatever it sends, and other clients are answered.

use futures_util::future::select_all;
use serde_json::json;
use sha2::{Digest as _, Sha256};
use tokio::io::{AsyncReadExt as _, AsyncWriteExt as _};
use tokio::net::TcpStream;
use tokio_tungstenite::tungstenite::Message;

use crate::harness::{Client, Database, HANG, Received, Server, Socket, until};

/// Returns the memory of a process in MiB.
pub fn memory(server: &Server) -> u64 {
    let status = std::fs::read_to_string(format!("/proc/{}/status", server.pid())).expect("read /proc");
    let line = status.lines().find_map(|line| line.strip_prefix("VmRSS:")).expect("VmRSS");
    line.trim().trim_end_matches(" kB").parse::<u64>().expect("a number") / 1024
}

/// A connection over which something was sent.
async fn sending(server: &Server, bytes: &[u8]) -> TcpStream {
    let address = server.url().trim_start_matches("http://");
    let mut connection = TcpStream::connect(address).await.expect("a connection");
    // A client whose connection is closed meanwhile has sent enough.
    let _ = connection.write_all(bytes).await;
    connection
}

/// A request of which the body is announced, and its beginning.
async fn unfinished(server: &Server, announced: usize, begin: &str) -> TcpStream {
    let head = format!(
        "POST /graphql HTTP/1.1\r\nhost: localhost\r\ncontent-type: application/json\r\ncontent-length: {announced}\r\n\r\n"
    );
    sending(server, (head + begin).as_bytes()).await
}

/// Returns all text that is received over a connection until it is closed.
async fn all(mut connection: TcpStream) -> String {
    let mut bytes = Vec::new();
    let reading = connection.read_to_end(&mut bytes);
    let _ = tokio::time::timeout(HANG, reading).await.expect("it is closed");
    String::from_utf8_lossy(&bytes).into_owned()
}

/// Queries that hide their brackets from a reader that reads text differently than the parser, with the error of each.
fn hidden() -> Vec<(String, &'static str)> {
    let many = "[".repeat(30_000);
    vec![
        (format!("{{ a(x: #\r{many}"), "TOO_COMPLEX"),
        (format!("{{ a(x: [\"\"\"b\" {many}"), "INVALID"),
        (format!("{{ a(x: [\"\"\"\\\\\"\"\" \"\"\" {many}"), "TOO_COMPLEX"),
        (format!("{{ a(x: [\"\"\"\\\"\"\" {many}"), "INVALID"),
        (format!("query($v: #\r{many}"), "TOO_COMPLEX"),
    ]
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn no_document_ends_the_process() {
    let server = Server::start(Database::Sqlite).await;
    for (query, code) in hidden() {
        let errors = server.client().refused(&query, json!({})).await;
        assert_eq!(errors[0].code, code, "{errors:?}");
        let hash: String = Sha256::digest(query.as_bytes()).iter().map(|byte| format!("{byte:02x}")).collect();
        let named = json!({"persistedQuery": {"version": 1, "sha256Hash": hash}});
        for body in [json!({"query": query, "extensions": named}), json!({"extensions": named})] {
            let answer = server.client().post_bytes("application/json", body.to_string()).await.expect("an answer");
            let refusal = &answer.json()["errors"][0]["extensions"]["code"];
            assert!(refusal == code || refusal == "PERSISTED_QUERY_NOT_FOUND", "{}", answer.text());
        }
        let mut socket = Socket::connect(server.url()).await;
        socket.subscribe("1", &query, json!({})).await;
        assert_eq!(socket.refusal().await[0]["extensions"]["code"], code);
        let short = query.replace(&"[".repeat(30_000), &"[".repeat(4_000)).replace('#', "%23");
        let short = short.replace(['"', '\\', '\r'], "").replace(' ', "%20");
        let answer = server.client().get(&format!("/graphql?query={short}")).await;
        assert!(answer.status < 500, "{}", answer.text());
    }
    // The deepest text that is parsed.
    let deep = format!("{{ a(x: {}1{}) }}", "[".repeat(126), "]".repeat(126));
    let errors = server.client().refused(&deep, json!({})).await;
    assert_eq!(errors[0].code, "INVALID", "{errors:?}");
    server.client().ok("{ revision }", json!({})).await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn hidden_tokens_count() {
    let server = Server::start(Database::Sqlite).await;
    let before = memory(&server);
    let query = format!("{{ a(x: #\r[{}", "1 ".repeat(2_000_000));
    let errors = server.client().refused(&query, json!({})).await;
    assert!(errors[0].message.contains("limits.tokens"), "{errors:?}");
    let after = memory(&server);
    assert!(after < before + 150, "{before} MiB, then {after} MiB");
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_document_with_quadratic_cost_is_rejected() {
    let server = Server::start(Database::Sqlite).await;
    // The parser would look for the end of a block string from each of these on, and find none.
    let query = format!("{{ a(x: [\"\"\" {}{}", " \" \"\\\"\"\"\"\"".repeat(5_000), " ".repeat(3_000_000));
    let errors = server.client().refused(&query, json!({})).await;
    assert!(errors[0].message.contains("is not closed"), "{errors:?}");
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn unauthenticated_connections_use_little_memory() {
    const REQUEST_COUNT: usize = 100;
    let server = Server::start(Database::Sqlite).await;
    let upgrade = "GET /graphql/ws HTTP/1.1\r\nhost: localhost\r\nconnection: upgrade\r\nupgrade: websocket\r\n\
        sec-websocket-version: 13\r\nsec-websocket-key: dGhlIHNhbXBsZSBub25jZQ==\r\n\
        sec-websocket-protocol: graphql-transport-ws\r\n\r\n";
    // A text frame of 4 MiB, masked, of which the last bytes do not come; alone, and as the first of several.
    let before = memory(&server);
    let mut open = Vec::new();
    for number in 0..REQUEST_COUNT {
        let first = if number % 2 == 0 { 0x81 } else { 0x01 };
        let mut bytes = upgrade.as_bytes().to_vec();
        bytes.extend([first, 0xff, 0, 0, 0, 0, 0, 0x40, 0, 0, 1, 2, 3, 4]);
        bytes.resize(bytes.len() + 4 * 1024 * 1024 - 10, b'x');
        open.push(sending(&server, &bytes).await);
    }
    let after = memory(&server);
    assert!(after < before + 100, "{before} MiB, then {after} MiB");
    // A text of the length of a token is accepted.
    let mut socket = Socket::open(server.url(), Some("graphql-transport-ws")).await.expect("a connection");
    socket.send(json!({"type": "ping"})).await;
    assert_eq!(socket.receive().await, Received::Message(json!({"type": "pong"})));
    socket.send(json!({"type": "connection_init", "payload": {"more": "x".repeat(8_000)}})).await;
    assert_eq!(socket.receive().await, Received::Message(json!({"type": "connection_ack"})));
    let mut socket = Socket::open(server.url(), Some("graphql-transport-ws")).await.expect("a connection");
    let _ = socket.try_send(json!({"type": "connection_init", "payload": {"more": "x".repeat(100_000)}})).await;
    let ended = socket.receive().await;
    assert!(matches!(ended, Received::Closed(1009, _) | Received::Lost), "{ended:?}");
    drop(open);
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn incoming_messages_count_as_bodies() {
    let server = Server::start(Database::Sqlite).env("UNDERLAY_LIMITS_BODIES", "300000").await;
    let mut large = Socket::connect(server.url()).await;
    let long = format!("{{ revision }}{}", " ".repeat(200_000));
    large.subscribe("1", &long, json!({})).await;
    assert_eq!(large.answer().await["data"], json!({"revision": 0}));
    // It was given back.
    for _ in 0..3 {
        assert!(matches!(large.receive().await, Received::Message(done) if done["type"] == "complete"));
        large.subscribe("1", &long, json!({})).await;
        assert_eq!(large.answer().await["data"], json!({"revision": 0}));
    }
    let payload = json!({"query": "{ revision }", "variables": {"more": "x".repeat(400_000)}});
    let message = json!({"id": "2", "type": "subscribe", "payload": payload});
    let _ = large.try_send_raw(Message::text(message.to_string())).await;
    let ended = loop {
        match large.receive().await {
            Received::Message(message) if message["type"] == "complete" => {}
            ended => break ended,
        }
    };
    assert!(matches!(ended, Received::Closed(1013, _) | Received::Lost), "{ended:?}");
    server.client().ok("{ revision }", json!({})).await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn missing_bodies_delay_nobody() {
    let server = Server::start(Database::Sqlite).env("UNDERLAY_LIMITS_REQUESTS", "4").await;
    let mut slow = Vec::new();
    for _ in 0..20 {
        slow.push(unfinished(&server, 99, "{").await);
    }
    for _ in 0..20 {
        Client::new(server.url()).ok("{ revision }", json!({})).await;
    }
    drop(slow);
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn memory_is_reserved_for_the_received_part_of_a_body() {
    const REQUEST_COUNT: usize = 300;
    let server = Server::start(Database::Sqlite).await;
    let before = memory(&server);
    let mut slow = Vec::new();
    for _ in 0..REQUEST_COUNT {
        slow.push(unfinished(&server, 4_000_000, "{").await);
    }
    server.client().ok("{ revision }", json!({})).await;
    let after = memory(&server);
    assert!(after < before + 100, "{before} MiB, then {after} MiB");
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn started_bodies_count() {
    let server = Server::start(Database::Sqlite).env("UNDERLAY_LIMITS_BODIES", "30000").await;
    let mut slow = Vec::new();
    for _ in 0..20 {
        slow.push(unfinished(&server, 4_000, "{").await);
    }
    // Those that found room wait for the rest of their bodies. Which ones found room is not certain.
    let (refused, _, _others) = select_all(slow.into_iter().map(|connection| Box::pin(all(connection)))).await;
    assert!(refused.starts_with("HTTP/1.1 503") && refused.contains("limits.bodies"), "{refused}");
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_slow_body_is_rejected() {
    let server = Server::start(Database::Sqlite).env("UNDERLAY_LIMITS_TIMEOUT", "600s").await;
    let answer = all(unfinished(&server, 99, "{").await).await;
    assert!(answer.starts_with("HTTP/1.1 408") && answer.contains("1000 bytes a second"), "{answer}");
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_get_request_writes_nothing() {
    let server = Server::start(Database::Sqlite).await;
    let write = "mutation { createRegion(input: {name: \"r\"}) { region { id } } }";
    let encode = |query: &str| query.bytes().map(|byte| format!("%{byte:02X}")).collect::<String>();
    for path in ["/graphql", "/graphql/stream"] {
        for query in
            [write.to_owned(), format!("query A {{ revision }} {}", write.replacen("mutation", "mutation B", 1))]
        {
            let operation = if query.starts_with("query") { "&operationName=B" } else { "" };
            let answer = server.client().get(&format!("{path}?query={}{operation}", encode(&query))).await;
            assert_eq!(answer.status, 405, "{path}: {}", answer.text());
        }
    }
    let answer = server.client().get(&format!("/graphql/stream?query={}", encode("{ revision }"))).await;
    assert!(answer.status == 200 && answer.text().contains("\"revision\":0"), "{}", answer.text());
    let data = server.client().ok("{ revision regions { totalCount } }", json!({})).await;
    assert_eq!(data, json!({"revision": 0, "regions": {"totalCount": 0}}));
}

/// Regions with long texts, and a query that asks for all of them so many times.
async fn with_long_texts(server: &Server, times: usize) -> String {
    let items = (0..500).map(|it| json!({"region": {"name": format!("r{it}"), "description": "x".repeat(1_000)}}));
    server.client().apply_all(items.collect()).await;
    let once = |number: usize| format!("q{number}: regions(first: 500) {{ nodes {{ name description }} }}");
    format!("{{ {} }}", (0..times).map(once).collect::<Vec<_>>().join(" "))
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn the_size_of_an_answer_is_limited() {
    let server = Server::start(Database::Sqlite).env("UNDERLAY_LIMITS_ANSWER", "2000000").await;
    let (fits, breaks) = (with_long_texts(&server, 3).await, with_long_texts(&server, 5).await);
    server.client().ok(&fits, json!({})).await;
    let errors = server.client().refused(&breaks, json!({})).await;
    let refusal = &errors[0];
    assert!(refusal.code == "TOO_COMPLEX" && refusal.message.contains("2000000 (limits.answer)"), "{errors:?}");
    assert!(refusal.message.contains("ask for shorter pages"), "{errors:?}");
    let mut socket = Socket::connect(server.url()).await;
    socket.subscribe("1", &breaks, json!({})).await;
    assert_eq!(socket.refusal().await[0]["extensions"]["code"], "TOO_COMPLEX");
    server.client().ok(&fits, json!({})).await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn the_command_line_requests_shorter_pages_if_necessary() {
    for (limit, value) in [("UNDERLAY_LIMITS_OBJECTS", "2000"), ("UNDERLAY_LIMITS_ANSWER", "300000")] {
        let server = Server::start(Database::Sqlite).env(limit, value).await;
        with_long_texts(&server, 1).await;
        let listed = server.cli(["get", "regions", "-o", "json"]).await;
        assert_eq!((listed.code, listed.stderr.as_str()), (0, ""), "{limit}");
        assert_eq!(listed.stdout.matches(&"x".repeat(1_000)).count(), 500, "{limit}");
    }
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn unread_answers_are_limited_together() {
    let server = Server::start(Database::Sqlite).env("UNDERLAY_LIMITS_ANSWERS", "20000000").await;
    // More than what the system keeps for a connection.
    let query = with_long_texts(&server, 29).await;
    let body = json!({"query": query}).to_string();
    let mut slow = unfinished(&server, body.len(), &body).await;
    let mut begin = [0; 12];
    slow.read_exact(&mut begin).await.expect("an answer");
    assert_eq!(&begin, b"HTTP/1.1 200");
    let answer = Client::new(server.url()).post_bytes("application/json", body.clone()).await.expect("an answer");
    let refused = answer.json()["errors"][0].clone();
    assert_eq!(refused["extensions"]["code"], "UNAVAILABLE", "{refused}");
    assert!(refused["message"].as_str().is_some_and(|it| it.contains("limits.answers")), "{refused}");
    server.client().ok("{ revision }", json!({})).await;
    drop(slow);
    until("the client that is gone counts no more", async || {
        let answer = Client::new(server.url()).post_bytes("application/json", body.clone()).await.expect("an answer");
        answer.json()["data"].is_object()
    })
    .await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn connections_are_limited_by_open_files() {
    let server = Server::start(Database::Sqlite).limited_to_files(300).await;
    let log = server.log();
    assert!(log.contains("limits.connections is 25000") && log.contains("at most 172 connections"), "{log}");
    let server = Server::start(Database::Sqlite).env("UNDERLAY_LIMITS_CONNECTIONS", "2").await;
    server.client().ok("{ revision }", json!({})).await;
    assert!(!server.log().contains("limits.connections"), "{}", server.log());
    let mut open = Vec::new();
    let mut closed = false;
    for _ in 0..20 {
        let mut connection = sending(&server, b"GET /healthz HTTP/1.1\r\nhost: localhost\r\n\r\n").await;
        let mut answer = [0; 12];
        closed |= connection.read_exact(&mut answer).await.is_err();
        open.push(connection);
    }
    assert!(closed, "a third connection is not served");
}
