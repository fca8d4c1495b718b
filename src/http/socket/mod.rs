//! `/graphql/ws`: GraphQL over WebSocket with the protocol `graphql-transport-ws`: subscriptions, and queries and
//! mutations too.
//!
//! A connection is one task, which takes the next answer of an operation when the last one was sent: nothing is kept for
//! a client that is slow. One that gives no sign of life is dropped.

mod connection;
mod message;

use std::time::Duration;

use axum::extract::State;
use axum::extract::ws::{CloseFrame, Message, WebSocket, WebSocketUpgrade};
use axum::http::{HeaderMap, StatusCode};
use axum::response::{IntoResponse, Response};

use self::connection::Connection;
use self::message::Closing;
use super::refused::Refused;
use super::{Service, identity, origin};

/// The protocol.
const PROTOCOL: &str = "graphql-transport-ws";
/// How many bytes a message may have.
const MOST_BYTES: usize = 4 * 1024 * 1024;
/// From how many bytes on it is not even read, so that nobody can be told.
const UNREAD_BYTES: usize = 4 * MOST_BYTES;
/// What is read and written at a time: most messages are small, and there may be thousands of connections.
const BUFFER: usize = 8 * 1024;

/// How long a connection is waited for.
#[derive(Clone, Copy, Debug)]
pub struct Patience {
    /// For the first message.
    pub init: Duration,
    /// How long nothing is heard before the client is asked whether it is there.
    pub quiet: Duration,
    /// How long nothing is heard, or nothing can be sent, before it is dropped.
    pub dead: Duration,
}

impl Default for Patience {
    fn default() -> Self {
        let seconds = Duration::from_secs;
        Self { init: seconds(10), quiet: seconds(20), dead: seconds(50) }
    }
}

/// Begins a connection.
pub async fn upgrade(State(service): State<Service>, headers: HeaderMap, upgrade: WebSocketUpgrade) -> Response {
    if !origin::may_connect(&service, &headers) {
        return (StatusCode::FORBIDDEN, "pages of other origins are not answered\n").into_response();
    }
    // Who has no token here says it in the first message.
    let token = match identity::bearer(&headers) {
        Ok(token) => token.map(str::to_owned),
        Err(error) => return Refused::from(error).plain(),
    };
    let Some(mut open) = service.open.begin() else {
        return (StatusCode::SERVICE_UNAVAILABLE, "there are too many connections: try again later\n").into_response();
    };
    let upgrade = upgrade
        .protocols([PROTOCOL])
        .max_message_size(UNREAD_BYTES)
        .max_frame_size(UNREAD_BYTES)
        .read_buffer_size(BUFFER)
        .write_buffer_size(BUFFER);
    upgrade.on_upgrade(async move |mut socket| {
        let speaks = socket.protocol().is_some_and(|protocol| protocol == PROTOCOL);
        let patience = service.patience;
        let closing = match speaks {
            true => Connection::new(service, &mut socket, &mut open, token).run().await,
            false => Some(Closing::Protocol),
        };
        if let Some(closing) = closing {
            close(&mut socket, &closing, patience).await;
        }
        drop(open);
    })
}

/// Says why a connection is closed, and waits a little for the client to close it too.
async fn close(socket: &mut WebSocket, closing: &Closing, patience: Patience) {
    let frame = CloseFrame { code: closing.code(), reason: closing.reason().into() };
    let said = async {
        socket.send(Message::Close(Some(frame))).await?;
        while let Some(Ok(_)) = socket.recv().await {}
        Ok::<_, axum::Error>(())
    };
    // One that does not answer is dropped.
    let _ = tokio::time::timeout(patience.init.min(Duration::from_secs(2)), said).await;
}
