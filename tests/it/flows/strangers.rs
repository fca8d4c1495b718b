//! Clients without a token take neither the memory nor the places of others, and slow clients lose their connections.

use std::collections::BTreeSet;
use std::path::PathBuf;
use std::time::Duration;

use axum::http::Request;
use futures_util::future::{join_all, select_all};
use serde_json::json;
use tokio::io::{AsyncReadExt as _, AsyncWriteExt as _};
use tokio::net::TcpStream;

use super::pressure::memory;
use crate::harness::{Client, Database, HANG, Received, Server, Socket, until};

/// The handshake of a WebSocket connection.
const UPGRADE: &str = "GET /graphql/ws HTTP/1.1\r\nhost: localhost\r\nconnection: upgrade\r\nupgrade: websocket\r\n\
    sec-websocket-version: 13\r\nsec-websocket-key: dGhlIHNhbXBsZSBub25jZQ==\r\n\
    sec-websocket-protocol: graphql-transport-ws\r\n\r\n";

async fn connection(server: &Server) -> TcpStream {
    let address = server.url().trim_start_matches("http://");
    TcpStream::connect(address).await.expect("a connection")
}

/// The divisor of the times of connections. A client that accepts nothing is disconnected after 11 instead of 55
/// seconds.
const DIVISOR: &str = "5";

/// A connection over HTTP/2 that opens no window, and asks for a file so many times. It returns once one of the
/// requests is answered; the task goes on until the server closes the connection.
async fn without_a_window(server: &Server, requests: usize) -> tokio::task::JoinHandle<()> {
    let mut builder = h2::client::Builder::new();
    builder.initial_window_size(0).initial_max_send_streams(requests);
    let (mut send, connection) = builder.handshake::<_, &[u8]>(connection(server).await).await.expect("HTTP/2");
    let connection = tokio::spawn(connection);
    let mut answers = Vec::new();
    for _ in 0..requests {
        let request = Request::get("http://localhost/console/style.css").header("accept-encoding", "gzip");
        send = send.ready().await.expect("a further stream");
        answers.push(send.send_request(request.body(()).expect("a request"), true).expect("it is sent").0);
    }
    // The server works on a few of them at a time, in any order.
    let (first, _, rest) = select_all(answers).await;
    let first = first.expect("an answer before the connection is closed");
    tokio::spawn(async move {
        let _closed = connection.await;
        drop((send, first, rest));
    })
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_client_that_opens_no_window_takes_little_memory_and_is_disconnected() {
    const CONNECTIONS: usize = 20;
    let server = Server::start(Database::Sqlite).env("UNDERLAY_TEST_TIMES", DIVISOR).await;
    // The first answer compresses the file.
    let gzip = reqwest::header::HeaderMap::from_iter([(
        reqwest::header::ACCEPT_ENCODING,
        reqwest::header::HeaderValue::from_static("gzip"),
    )]);
    let file = server.client().with_headers(gzip).get("/console/style.css").await;
    assert_eq!(file.headers["content-encoding"], "gzip");
    let before = memory(&server);
    let mut greedy = Vec::new();
    for _ in 0..CONNECTIONS {
        greedy.push(without_a_window(&server, 100).await);
    }
    until("they are disconnected", async || {
        let after = memory(&server);
        assert!(after < before + 60, "{before} MiB, then {after} MiB");
        server.client().ok("{ revision }", json!({})).await;
        greedy.iter().all(tokio::task::JoinHandle::is_finished)
    })
    .await;
}

/// Returns the open sockets of the server, such as `socket:[4711]`.
fn sockets(server: &Server) -> BTreeSet<PathBuf> {
    let files = std::fs::read_dir(format!("/proc/{}/fd", server.pid())).expect("read /proc");
    // A file can be closed meanwhile.
    let names = files.flatten().filter_map(|file| std::fs::read_link(file.path()).ok());
    names.filter(|name| name.to_string_lossy().starts_with("socket:")).collect()
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_client_that_reads_nothing_is_disconnected() {
    let server = Server::start(Database::Sqlite).env("UNDERLAY_TEST_TIMES", DIVISOR).await;
    let regions = (0..500).map(|it| json!({"region": {"name": format!("r{it}"), "description": "x".repeat(1_000)}}));
    server.client().apply_all(regions.collect()).await;
    let once = |number: usize| format!("q{number}: regions(first: 500) {{ nodes {{ description }} }}");
    // More than what the system keeps for a connection.
    let query = format!("{{ {} }}", (0..29).map(once).collect::<Vec<_>>().join(" "));
    let body = json!({"query": query}).to_string();
    let others = sockets(&server);
    let mut unread = connection(&server).await;
    let head = format!(
        "POST /graphql HTTP/1.1\r\nhost: localhost\r\ncontent-type: application/json\r\ncontent-length: {}\r\n\r\n{body}",
        body.len()
    );
    unread.write_all(head.as_bytes()).await.expect("it is sent");
    // Nothing tells a client that reads nothing that the connection is closed, so this looks at the end of the server.
    let own = until("the server accepts the connection", async || sockets(&server).difference(&others).next().cloned());
    let own = own.await;
    until("the server closes the connection", async || !sockets(&server).contains(&own)).await;
    let mut rest = Vec::new();
    let read = tokio::time::timeout(HANG, unread.read_to_end(&mut rest)).await;
    // What the system had already is read; the rest never comes.
    assert!(read.expect("it was closed").is_err() || rest.len() < 14_000_000, "{} bytes came", rest.len());
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn connections_that_are_not_acknowledged_lock_nobody_out() {
    let server = Server::start(Database::Sqlite).await;
    let mut waiting = Vec::new();
    for _ in 0..300 {
        let mut connection = connection(&server).await;
        connection.write_all(UPGRADE.as_bytes()).await.expect("it is sent");
        let mut answer = [0; 12];
        connection.read_exact(&mut answer).await.expect("an answer");
        assert_eq!(&answer, b"HTTP/1.1 101");
        waiting.push(connection);
    }
    // The first of them made room.
    let mut first = Vec::new();
    let closed = waiting[0].read_to_end(&mut first);
    tokio::time::timeout(HANG, closed).await.expect("it is closed before its time").expect("bytes");
    let text = String::from_utf8_lossy(&first).into_owned();
    assert!(text.contains("too many connections wait for connection_init"), "{text}");
    let mut socket = Socket::connect(server.url()).await;
    socket.subscribe("1", "{ revision }", json!({})).await;
    assert_eq!(socket.answer().await["data"]["revision"], 0);
    let open = crate::harness::metrics::Exported::of(&server).await.sum("underlay_open_connections", &[]);
    assert_eq!(open, 1.0, "only those count whose clients are known");
    drop(waiting);
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn announced_messages_take_no_room_from_others() {
    let server = Server::start(Database::Sqlite).env("UNDERLAY_LIMITS_BODIES", "1000000").await;
    let mut announcing = Vec::new();
    for _ in 0..80 {
        let mut connection = connection(&server).await;
        // The head of a text frame of 16,370 bytes, of which none comes.
        let mut bytes = UPGRADE.as_bytes().to_vec();
        bytes.extend([0x81, 0xfe, 0x3f, 0xf2, 1, 2, 3, 4]);
        connection.write_all(&bytes).await.expect("it is sent");
        let mut answer = [0; 12];
        connection.read_exact(&mut answer).await.expect("an answer");
        assert_eq!(&answer, b"HTTP/1.1 101", "the server reads messages now");
        announcing.push(connection);
    }
    let body = json!({"query": format!("{{ revision }}{}", " ".repeat(300_000))}).to_string();
    for _ in 0..3 {
        let answer = Client::new(server.url()).post_bytes("application/json", body.clone()).await.expect("an answer");
        assert_eq!(answer.status, 200, "{}", answer.text());
    }
    drop(announcing);
    let mut socket = Socket::open(server.url(), Some("graphql-transport-ws")).await.expect("a connection");
    socket.send(json!({"type": "connection_init", "payload": {"more": "x".repeat(10_000)}})).await;
    assert_eq!(socket.receive().await, Received::Message(json!({"type": "connection_ack"})));
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_slow_request_to_apply_is_rejected() {
    let server = Server::start(Database::Sqlite).env("UNDERLAY_LIMITS_TIMEOUT", "600s").await;
    let slow = async |query: &str| {
        let mut connection = connection(&server).await;
        let line = format!("{}\n", json!({"item": {"region": {"name": query.len().to_string()}}}));
        let head = format!(
            "POST /apply?{query} HTTP/1.1\r\nhost: localhost\r\ncontent-type: application/x-ndjson\r\n\
             content-length: 1000000\r\nconnection: close\r\n\r\n{line}"
        );
        connection.write_all(head.as_bytes()).await.expect("it is sent");
        let mut answer = Vec::new();
        let mut part = [0; 4096];
        // A byte now and then changes nothing.
        loop {
            match tokio::time::timeout(Duration::from_secs(1), connection.read(&mut part)).await {
                Ok(Ok(read)) if read > 0 => answer.extend_from_slice(&part[..read]),
                Ok(_) => break,
                Err(_) => drop(connection.write_all(b"\n").await),
            }
        }
        String::from_utf8_lossy(&answer).into_owned()
    };
    let answers = tokio::time::timeout(HANG, join_all([slow("mode=ATOMIC"), slow("")])).await;
    let [whole, parts] = answers.expect("they end").try_into().expect("two answers");
    assert!(whole.starts_with("HTTP/1.1 408") && whole.contains("1000 bytes a second"), "{whole}");
    assert!(parts.starts_with("HTTP/1.1 200") && parts.contains("\"end\":false"), "{parts}");
    assert!(parts.contains("TIMEOUT") && parts.contains("1000 bytes a second"), "{parts}");
}
