//! GraphQL over HTTP: media types, methods and status codes.

use serde_json::json;

use tokio::io::{AsyncReadExt as _, AsyncWriteExt as _};
use tokio::net::TcpStream;

use crate::harness::{Database, Server, on_both_databases};

on_both_databases! {
    async fn invalid_requests_get_a_status_code(server: Server) {
        let client = server.client();
        let table: [(&str, &[u8], u16); 5] = [
            ("application/json", br#"{"query": "{ __typename }"}"#, 200),
            ("application/json; charset=utf-8", br#"{"query": "{ __typename }"}"#, 200),
            ("text/plain", br#"{"query": "{ __typename }"}"#, 415),
            ("application/json", b"{", 400),
            ("application/json", b"{\"query\": \"\xff\"}", 400),
        ];
        for (media, body, status) in table {
            let answer = client.post_bytes(media, body).await.unwrap();
            assert_eq!(answer.status, status, "{media} {}", answer.text());
            assert_eq!(answer.headers["content-type"], "application/json; charset=utf-8");
            assert!(status == 200 || answer.json()["errors"][0]["extensions"]["code"] == "INVALID", "{}", answer.text());
        }
    }

    async fn get_accepts_only_queries(server: Server) {
        let client = server.client();
        let read = client.get("/graphql?query=%7B__typename%7D").await;
        assert_eq!((read.status, &read.json()["data"]["__typename"]), (200, &"Query".into()));
        let two = "/graphql?query=query%20A%7Ba:revision%7D%20query%20B%7Bb:revision%7D&operationName=B&variables=%7B%7D";
        assert_eq!(client.get(two).await.json()["data"], json!({"b": 0}), "the one that is named");
        for (bad, says) in [("query=%7Brevision%7D&variables=7", "variables"), ("query=%7Brevision%7D&extensions=%7B", "extensions")] {
            let answer = client.get(&format!("/graphql?{bad}")).await;
            assert_eq!(answer.status, 400, "{}", answer.text());
            assert!(answer.text().contains(&format!("the parameter {says} must be a JSON object")), "{}", answer.text());
        }
        let written = client.get("/graphql?query=mutation%7BreleaseSource(source:%22x%22)%7Breleased%7D%7D").await;
        assert_eq!(written.status, 405, "{}", written.text());
    }
}

/// Python's `gql` looks for `Sec-WebSocket-Protocol`, as it writes it, though names of headers have no case.
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_handshake_is_answered_with_the_names_that_the_client_writes() {
    let server = Server::start(Database::Sqlite).await;
    let address = server.url().strip_prefix("http://").expect("an address").to_owned();
    for name in ["Sec-WebSocket-Protocol", "sec-websocket-protocol", "SEC-WEBSOCKET-PROTOCOL"] {
        let mut connection = TcpStream::connect(&address).await.expect("a connection");
        let request = format!(
            "GET /graphql/ws HTTP/1.1\r\nHost: {address}\r\nConnection: Upgrade\r\nUpgrade: websocket\r\n\
             Sec-WebSocket-Version: 13\r\nSec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\n{name}: graphql-transport-ws\r\n\r\n"
        );
        connection.write_all(request.as_bytes()).await.expect("send");
        let (mut head, mut part) = (String::new(), [0; 512]);
        while !head.contains("\r\n\r\n") {
            let read = connection.read(&mut part).await.expect("an answer");
            assert!(read > 0, "{name}: {head}");
            head += &String::from_utf8_lossy(&part[..read]);
        }
        assert!(
            head.starts_with("HTTP/1.1 101 ") && head.contains(&format!("\r\n{name}: graphql-transport-ws\r\n")),
            "{head}"
        );
    }
}

/// Some clients look for `Content-Type` and find no `content-type`, though names of headers have no case.
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn names_of_headers_are_in_title_case_over_http_1() {
    let server = Server::start(Database::Sqlite).await;
    let address = server.url().strip_prefix("http://").expect("an address").to_owned();
    for path in ["/healthz", "/graphql?query=%7B__typename%7D", "/", "/nowhere"] {
        let mut connection = TcpStream::connect(&address).await.expect("a connection");
        let request = format!("GET {path} HTTP/1.1\r\nHost: {address}\r\nConnection: close\r\n\r\n");
        connection.write_all(request.as_bytes()).await.expect("send");
        let mut answer = Vec::new();
        connection.read_to_end(&mut answer).await.expect("an answer");
        let text = String::from_utf8_lossy(&answer);
        let head = text.split("\r\n\r\n").next().expect("a head");
        let names: Vec<&str> = head.lines().skip(1).filter_map(|line| line.split(':').next()).collect();
        assert!(names.contains(&"Content-Type") || path == "/nowhere", "{path}: {names:?}");
        let is_title = |name: &&str| name.split('-').all(|part| part.starts_with(|it: char| !it.is_ascii_lowercase()));
        assert!(names.iter().all(is_title), "{path}: {names:?}");
    }
}
