//! `/graphql/ws`: GraphQL over WebSocket with the protocol `graphql-transport-ws`, for subscriptions, queries and
//! mutations.
//!
//! A connection is one task, which takes the next answer of an operation when the last one was sent. Guarantees: no
//! answers queue up for a slow client, and a silent client is disconnected.

mod connection;
mod message;
mod meter;
mod sending;
mod upgrade;

use std::time::Duration;

use axum::Extension;
use axum::extract::{Request, State};
use axum::response::Response;
use futures_util::{SinkExt as _, StreamExt as _};
use tokio_tungstenite::tungstenite::protocol::CloseFrame;
use tokio_tungstenite::tungstenite::{self, Message};

use self::connection::Connection;
use self::message::Closing;
use self::meter::Meter;
use self::upgrade::{Socket, Upgrade};
use super::local_peer::Ends;
use super::open::Place;
use super::refusal::Refused;
use super::{Service, identity, origin, response};
use underlay_engine::access::Channel;
use underlay_error::Code;

/// The name of the protocol.
const PROTOCOL: &str = "graphql-transport-ws";
/// The most bytes of a message.
const MAX_MESSAGE_BYTES: usize = 4 * 1024 * 1024;
/// The number of bytes from which a message is not even read, so that the client gets no close code.
const UNREAD_BYTES: usize = 4 * MAX_MESSAGE_BYTES;
/// The size of the buffers for reading and writing. Most messages are small, and there can be thousands of connections.
const BUFFER_BYTES: usize = 8 * 1024;

/// The timeouts of a connection.
#[derive(Clone, Copy, Debug)]
pub struct Patience {
    /// The longest time until the first message.
    pub init: Duration,
    /// The time of silence after which the server sends a ping.
    pub quiet: Duration,
    /// The time of silence, or without accepting anything, after which the client is disconnected.
    pub dead: Duration,
}

impl Default for Patience {
    fn default() -> Self {
        let seconds = Duration::from_secs;
        Self { init: seconds(10), quiet: seconds(20), dead: seconds(50) }
    }
}

/// Accepts a connection.
pub async fn upgrade(
    State(service): State<Service>,
    Extension(ends): Extension<Ends>,
    channel: Channel,
    request: Request,
) -> Response {
    let headers = request.headers();
    if !origin::may_connect(&service, headers) {
        let refused = Refused::new(Code::Forbidden, "the server does not answer pages of this origin");
        return response::refusal_in_text(&refused);
    }
    // A client without a token in the header sends it in the first message.
    let token = match identity::bearer(headers) {
        Ok(token) => token.map(str::to_owned),
        Err(error) => return response::refusal_in_text(&error.into()),
    };
    let upgrade = match Upgrade::read(request).await {
        Ok(upgrade) => upgrade,
        Err(answer) => return answer,
    };
    let mut place = Place::of(service.open.arrivals().begin(ends.there.ip()));
    let (speaks, meter) = (upgrade.speaks, Meter::new(service.admission.body_of_nobody()));
    let (answer, socket) = upgrade.agree(meter.clone());
    tokio::spawn(async move {
        let Some(mut socket) = socket.await else { return };
        let patience = service.timing.socket;
        let closing = match speaks {
            true => Connection::new(service, &mut socket, meter, &mut place, (token, channel)).run().await,
            false => Some(Closing::Protocol),
        };
        if let Some(closing) = closing {
            close(&mut socket, &closing, patience).await;
        }
        drop(place);
    });
    answer
}

/// Sends the reason why the connection is closed, and waits briefly for the client to close it too.
async fn close(socket: &mut Socket, closing: &Closing, patience: Patience) {
    let frame = CloseFrame { code: closing.code().into(), reason: closing.reason().into() };
    let closed = async {
        socket.send(Message::Close(Some(frame))).await?;
        while let Some(Ok(_)) = socket.next().await {}
        socket.get_mut().discard().await;
        Ok::<_, tungstenite::Error>(())
    };
    // A client that does not answer is disconnected.
    let _ = tokio::time::timeout(patience.init.min(Duration::from_secs(2)), closed).await;
}
