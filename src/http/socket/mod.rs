//! `/graphql/ws`: GraphQL over WebSocket with the protocol `graphql-transport-ws`: subscriptions, and queries and
//! mutations too.
//!
//! A connection is one task, which takes the next answer of an operation when the last one was sent: nothing is kept for
//! a client that is slow. One that gives no sign of life is dropped.

mod connection;
mod message;
mod meter;
mod upgrade;

use std::time::Duration;

use axum::extract::{Request, State};
use axum::http::StatusCode;
use axum::response::{IntoResponse, Response};
use futures_util::{SinkExt as _, StreamExt as _};
use tokio_tungstenite::tungstenite::protocol::CloseFrame;
use tokio_tungstenite::tungstenite::{self, Message};

use self::connection::Connection;
use self::message::Closing;
use self::meter::Meter;
use self::upgrade::{Socket, Upgrade};
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
pub async fn upgrade(State(service): State<Service>, request: Request) -> Response {
    let headers = request.headers();
    if !origin::may_connect(&service, headers) {
        return (StatusCode::FORBIDDEN, "pages of other origins are not answered\n").into_response();
    }
    // Who has no token here says it in the first message.
    let token = match identity::bearer(headers) {
        Ok(token) => token.map(str::to_owned),
        Err(error) => return Refused::from(error).plain(),
    };
    let upgrade = match Upgrade::read(request).await {
        Ok(upgrade) => upgrade,
        Err(answer) => return answer,
    };
    let Some(mut open) = service.open.begin() else {
        return (StatusCode::SERVICE_UNAVAILABLE, "there are too many connections: try again later\n").into_response();
    };
    let (speaks, meter) = (upgrade.speaks, Meter::new(service.admission.body_of_nobody()));
    let (answer, socket) = upgrade.agree(meter.clone());
    tokio::spawn(async move {
        let Some(mut socket) = socket.await else { return };
        let patience = service.patience;
        let closing = match speaks {
            true => Connection::new(service, &mut socket, meter, &mut open, token).run().await,
            false => Some(Closing::Protocol),
        };
        if let Some(closing) = closing {
            close(&mut socket, &closing, patience).await;
        }
        drop(open);
    });
    answer
}

/// Says why a connection is closed, and waits a little for the client to close it too.
async fn close(socket: &mut Socket, closing: &Closing, patience: Patience) {
    let frame = CloseFrame { code: closing.code().into(), reason: closing.reason().into() };
    let said = async {
        socket.send(Message::Close(Some(frame))).await?;
        while let Some(Ok(_)) = socket.next().await {}
        socket.get_mut().discard().await;
        Ok::<_, tungstenite::Error>(())
    };
    // One that does not answer is dropped.
    let _ = tokio::time::timeout(patience.init.min(Duration::from_secs(2)), said).await;
}
