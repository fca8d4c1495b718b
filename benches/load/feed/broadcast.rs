//! The reference for subscriptions: a WebSocket server that sends each text to all connected clients, and does nothing
//! else: no filter, no order, no catching up.

use std::sync::Arc;
use std::sync::atomic::{AtomicI64, Ordering};

use axum::extract::State;
use axum::extract::ws::{Message, Utf8Bytes, WebSocket, WebSocketUpgrade};
use axum::response::Response;
use axum::routing::{get, post};
use axum::serve::ListenerExt;
use axum::{Json, Router};
use serde_json::{Value, json};
use tokio::net::TcpListener;
use tokio::sync::broadcast;

use crate::problem::{Doing, Result};
use crate::server::READY;

/// The number of texts that are kept for slow clients.
const KEPT_TEXTS: usize = 4096;
/// The placeholder for the number of a text.
pub const NUMBER_PLACEHOLDER: &str = "NUMBER";

/// Numbers the texts and passes them to the connections.
#[derive(Clone)]
struct Texts {
    sender: broadcast::Sender<Utf8Bytes>,
    number: Arc<AtomicI64>,
}

/// Serves until the process is killed.
pub async fn serve() -> Result<()> {
    let (sender, _) = broadcast::channel(KEPT_TEXTS);
    let texts = Texts { sender, number: Arc::default() };
    let routes = Router::new().route("/graphql", post(publish)).route("/graphql/ws", get(connect)).with_state(texts);
    let listener = TcpListener::bind("127.0.0.1:0").await.doing(|| "listen".to_owned())?;
    let address = listener.local_addr().doing(|| "listen".to_owned())?;
    println!("{READY}{address}/");
    let listener = listener.tap_io(|stream| drop(stream.set_nodelay(true)));
    axum::serve(listener, routes).await.doing(|| "serve".to_owned())
}

/// Sends the text of the query string, with its number in place of [`NUMBER_PLACEHOLDER`].
async fn publish(State(texts): State<Texts>, Json(request): Json<Value>) -> Json<Value> {
    let number = texts.number.fetch_add(1, Ordering::Relaxed) + 1;
    let text = request["query"].as_str().unwrap_or_default().replace(NUMBER_PLACEHOLDER, &number.to_string());
    // There may be no connection.
    let _ = texts.sender.send(text.into());
    Json(json!({"data": {"revision": number}}))
}

async fn connect(State(texts): State<Texts>, upgrade: WebSocketUpgrade) -> Response {
    upgrade.protocols(["graphql-transport-ws"]).on_upgrade(async |socket| {
        send(socket, texts).await;
    })
}

/// Acknowledges the connection, and sends all texts from the subscription until the client disconnects.
async fn send(mut socket: WebSocket, texts: Texts) -> Option<()> {
    socket.recv().await?.ok()?;
    socket.send(Message::text(r#"{"type":"connection_ack"}"#)).await.ok()?;
    socket.recv().await?.ok()?;
    let mut received = texts.sender.subscribe();
    loop {
        let text = received.recv().await.ok()?;
        socket.send(Message::Text(text)).await.ok()?;
    }
}
