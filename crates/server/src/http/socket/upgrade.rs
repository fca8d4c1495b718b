//! The handshake of WebSocket. axum checks the request of the client; this module takes over the connection, so that
//! its bytes are counted from the first one on.

use axum::extract::ws::WebSocketUpgrade;
use axum::extract::{FromRequestParts, Request};
use axum::http::{HeaderValue, StatusCode, Version, header};
use axum::response::{IntoResponse, Response};
use hyper::upgrade::{OnUpgrade, Upgraded};
use hyper_util::rt::TokioIo;
use tokio_tungstenite::WebSocketStream;
use tokio_tungstenite::tungstenite::handshake::derive_accept_key;
use tokio_tungstenite::tungstenite::protocol::{Role, WebSocketConfig};

use super::meter::{Meter, Metered};
use super::{BUFFER_BYTES, PROTOCOL, UNREAD_BYTES};

/// A connection that carries messages.
pub type Socket = WebSocketStream<Metered<TokioIo<Upgraded>>>;

/// A valid request for a connection.
pub struct Upgrade {
    connection: OnUpgrade,
    /// True if the client offers the protocol of this server.
    pub speaks: bool,
    answer: Response,
}

impl Upgrade {
    /// Reads a request.
    ///
    /// # Errors
    /// Returns the response if the request is no valid handshake.
    pub async fn read(request: Request) -> Result<Self, Response> {
        let (mut parts, _) = request.into_parts();
        let connection = parts.extensions.get::<OnUpgrade>().cloned();
        let mut names = parts.extensions.clone();
        names.remove::<OnUpgrade>();
        let asked = WebSocketUpgrade::from_request_parts(&mut parts, &()).await.map_err(IntoResponse::into_response)?;
        let speaks = asked.protocols([PROTOCOL]).selected_protocol().is_some();
        let connection = connection.ok_or_else(|| StatusCode::UPGRADE_REQUIRED.into_response())?;
        let mut answer = Response::default();
        // Over HTTP/2 the response has no such headers (RFC 8441).
        if parts.version <= Version::HTTP_11 {
            let key = parts.headers.get(header::SEC_WEBSOCKET_KEY).map(HeaderValue::as_bytes).unwrap_or_default();
            *answer.status_mut() = StatusCode::SWITCHING_PROTOCOLS;
            // They say how the client writes the names of headers, and hyper writes those of the response like them.
            // Python's gql looks for `Sec-WebSocket-Protocol` and finds no `Sec-Websocket-Protocol`.
            *answer.extensions_mut() = names;
            let headers = answer.headers_mut();
            headers.insert(header::CONNECTION, HeaderValue::from_static("upgrade"));
            headers.insert(header::UPGRADE, HeaderValue::from_static("websocket"));
            let accept = HeaderValue::from_str(&derive_accept_key(key));
            headers.insert(header::SEC_WEBSOCKET_ACCEPT, accept.map_err(|_| StatusCode::BAD_REQUEST.into_response())?);
        }
        if speaks {
            answer.headers_mut().insert(header::SEC_WEBSOCKET_PROTOCOL, HeaderValue::from_static(PROTOCOL));
        }
        Ok(Self { connection, speaks, answer })
    }

    /// Accepts the connection. Returns the response, and the connection, which begins once the response was sent. The
    /// meter counts its bytes.
    pub fn agree(self, meter: Meter) -> (Response, impl Future<Output = Option<Socket>> + Send) {
        let Self { connection, answer, .. } = self;
        let socket = async move {
            let stream = Metered::new(TokioIo::new(connection.await.ok()?), meter);
            let config = WebSocketConfig::default()
                .max_message_size(Some(UNREAD_BYTES))
                .max_frame_size(Some(UNREAD_BYTES))
                .read_buffer_size(BUFFER_BYTES)
                .write_buffer_size(BUFFER_BYTES);
            Some(WebSocketStream::from_raw_socket(stream, Role::Server, Some(config)).await)
        };
        (answer, socket)
    }
}
