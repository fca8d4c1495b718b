//! A token whose signing key was withdrawn ends what it began: WebSocket connections, event streams, and requests that
//! are written in many batches.

use std::sync::{Arc, Mutex};

use axum::extract::State;
use axum::routing::get;
use axum::{Json, Router};
use jsonwebtoken::jwk::{Jwk, JwkSet};
use jsonwebtoken::{Algorithm, EncodingKey, Header, encode};
use rcgen::{KeyPair, PKCS_ECDSA_P256_SHA256};
use reqwest::header::{ACCEPT, HeaderMap, HeaderValue};
use serde_json::{Value, json};
use tokio::io::{AsyncReadExt as _, AsyncWriteExt as _};
use tokio::sync::watch;

use super::access::now;
use crate::harness::{Database, HANG, Received, Server, Socket, scratch, until};

/// An issuer that runs in this process, with one key at a time.
struct Issuer {
    url: String,
    key: Mutex<(String, KeyPair)>,
}

fn key(kid: &str) -> (String, KeyPair) {
    (kid.to_owned(), KeyPair::generate_for(&PKCS_ECDSA_P256_SHA256).expect("a key"))
}

impl Issuer {
    async fn start() -> Arc<Self> {
        let listener = tokio::net::TcpListener::bind("127.0.0.1:0").await.expect("a port");
        let url = format!("http://{}", listener.local_addr().expect("an address"));
        let issuer = Arc::new(Self { url, key: Mutex::new(key("one")) });
        let keys = async |State(issuer): State<Arc<Self>>| Json(issuer.keys());
        let routes = Router::new().route("/keys", get(keys)).with_state(Arc::clone(&issuer));
        tokio::spawn(async move { axum::serve(listener, routes).await });
        issuer
    }

    fn rotate(&self, kid: &str) {
        *self.key.lock().expect("a key") = key(kid);
    }

    fn keys(&self) -> Value {
        let (kid, pair) = &*self.key.lock().expect("a key");
        let mut jwk = Jwk::from_encoding_key(&signing(pair), Algorithm::ES256).expect("a jwk");
        jwk.common.key_id = Some(kid.clone());
        serde_json::to_value(JwkSet { keys: vec![jwk] }).expect("plain values")
    }

    fn token(&self) -> String {
        let (kid, pair) = &*self.key.lock().expect("a key");
        let claims = json!({
            "iss": self.url, "aud": "underlay", "sub": "ann", "roles": ["operator"], "exp": now() + 3_600
        });
        let header = Header { kid: Some(kid.clone()), ..Header::new(Algorithm::ES256) };
        encode(&header, &claims, &signing(pair)).expect("a token")
    }
}

fn signing(pair: &KeyPair) -> EncodingKey {
    EncodingKey::from_ec_pem(pair.serialize_pem().as_bytes()).expect("a key")
}

async fn connected(server: &Server, token: &str) -> Socket {
    let mut socket = Socket::open(server.url(), Some("graphql-transport-ws")).await.expect("a connection");
    socket.send(json!({"type": "connection_init", "payload": {"token": token}})).await;
    assert_eq!(socket.receive().await, Received::Message(json!({"type": "connection_ack"})));
    socket
}

/// Checks that a connection ends because the token is no longer accepted. Returns true if an operation on it ended with
/// this error before.
async fn ended_with_an_operation(socket: &mut Socket) -> bool {
    loop {
        match socket.receive().await {
            Received::Message(message) if message["type"] == "next" => {}
            Received::Message(message) => {
                let code = &message["payload"][0]["extensions"]["code"];
                assert_eq!((&message["type"], code), (&json!("error"), &json!("UNAUTHENTICATED")), "{message}");
                assert!(matches!(socket.receive().await, Received::Closed(4403, _)));
                return true;
            }
            Received::Closed(4403, _) => return false,
            ended => panic!("no word about it: {ended:?}"),
        }
    }
}

/// Keeps a connection idle, but for answers to pings, until the token is withdrawn, and then asks for a write. Returns
/// true if the write was refused, and false if the server, which also checks now and then, had closed the connection
/// before.
async fn write_when_withdrawn(mut socket: Socket, mut withdrawn: watch::Receiver<()>) -> bool {
    tokio::select! {
        received = socket.receive() => {
            assert!(matches!(received, Received::Closed(4403, _)), "{received:?}");
            return false;
        }
        _ = withdrawn.changed() => {}
    }
    let write = "mutation { createRegion(input: {name: \"r\"}) { revision } }";
    socket.subscribe("1", write, json!({})).await;
    ended_with_an_operation(&mut socket).await
}

#[tokio::test(flavor = "multi_thread", worker_threads = 4)]
async fn what_a_withdrawn_key_signed_is_not_accepted_on_open_connections() {
    const IDLE_CONNECTIONS: usize = 3;
    let issuer = Issuer::start().await;
    let folder = scratch::folder("withdrawn");
    let file = folder.path().join("underlay.toml");
    let url = &issuer.url;
    let text = format!("[[auth.issuers]]\nissuer = \"{url}\"\naudience = \"underlay\"\njwksUrl = \"{url}/keys\"\n");
    std::fs::write(&file, text).expect("write");
    let server = Server::start(Database::Sqlite).asking().env("UNDERLAY_CONFIG_FILE", &file);
    // What runs is checked every 20 seconds instead of every minute.
    let server = server.env("UNDERLAY_TEST_TIMES", "3").await;
    let token = issuer.token();
    let (withdraw, withdrawn) = watch::channel(());
    let mut idle = Vec::new();
    for _ in 0..IDLE_CONNECTIONS {
        let socket = connected(&server, &token).await;
        idle.push(tokio::spawn(write_when_withdrawn(socket, withdrawn.clone())));
    }
    let mut busy = connected(&server, &token).await;
    busy.subscribe("1", "subscription { changes { type } }", json!({})).await;
    let busy = tokio::spawn(async move { ended_with_an_operation(&mut busy).await });
    let stream = HeaderMap::from_iter([(ACCEPT, HeaderValue::from_static("text/event-stream"))]);
    let client = server.client().bearing(&token).with_headers(stream);
    let events =
        tokio::spawn(async move { client.get("/graphql/stream?query=subscription%7Bchanges%7Btype%7D%7D").await });
    let mut lines = tokio::net::TcpStream::connect(url_of(&server)).await.expect("a connection");
    let line = |name: &str| format!("{}\n", json!({"item": {"region": {"name": name}}}));
    let head = format!(
        "POST /apply HTTP/1.1\r\nhost: localhost\r\nauthorization: Bearer {token}\r\n\
         content-type: application/x-ndjson\r\ntransfer-encoding: chunked\r\nconnection: close\r\n\r\n"
    );
    lines.write_all(head.as_bytes()).await.expect("it is sent");
    let chunk = |text: &str| format!("{:x}\r\n{text}\r\n", text.len());
    lines.write_all(chunk(&line("a")).as_bytes()).await.expect("it is sent");

    issuer.rotate("two");
    // The server asks for the new key as soon as a pause after the last time is over, and learns that the old one is
    // gone.
    let new = server.client().bearing(&issuer.token());
    until("the new key is accepted", async || {
        // The request that is written keeps its rate meanwhile.
        lines.write_all(chunk(&" \n".repeat(5_000)).as_bytes()).await.expect("it is sent");
        new.execute("{ revision }", json!({})).await.errors.is_empty()
    })
    .await;
    withdraw.send_replace(());
    let mut refused = 0;
    for idle in idle {
        refused += usize::from(idle.await.expect("a connection"));
    }
    assert!(refused > 0, "the checks do not come at this moment on all connections");
    // The batch of these lines begins after the withdrawal.
    lines.write_all(format!("{}0\r\n\r\n", chunk(&line("b"))).as_bytes()).await.expect("it is sent");
    let mut answer = String::new();
    lines.read_to_string(&mut answer).await.expect("an answer");
    assert!(answer.contains("UNAUTHENTICATED") && answer.contains("\"end\":false"), "{answer}");
    // What runs ends when it is checked.
    assert!(busy.await.expect("a connection"), "the subscription ends with the error");
    let text = tokio::time::timeout(HANG, events).await.expect("it ends").expect("an answer").text();
    assert!(text.contains("UNAUTHENTICATED") && text.ends_with("event: complete\ndata:\n\n"), "{text}");
    assert_eq!(new.ok("{ revision }", json!({})).await["revision"], 0, "nothing was written");
}

fn url_of(server: &Server) -> &str {
    server.url().trim_start_matches("http://")
}
