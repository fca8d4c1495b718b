//! This module accepts connections over TCP, with TLS if there are certificates, as HTTP/1.1 or HTTP/2.
//!
//! The number of connections is bounded, and so is the time of each for TLS, for the head of a request, and for
//! accepting a part of a response. A slow connection does not delay any other.

use std::net::SocketAddr;
use std::sync::Arc;
use std::time::Duration;

use axum::Router;
use axum::body::Body;
use axum::http::Request;
use hyper::body::Incoming;
use hyper::service::service_fn;
use hyper_util::rt::{TokioExecutor, TokioIo, TokioTimer};
use hyper_util::server::conn::auto::Builder;
use socket2::TcpKeepalive;
use tokio::io::{AsyncRead, AsyncWrite};
use tokio::net::{TcpListener, TcpSocket, TcpStream};
use tokio::sync::{Semaphore, mpsc, watch};
use tokio::time::{sleep, timeout};
use tokio_rustls::TlsAcceptor;
use tower_service::Service as _;
use tracing::{debug, warn};

use super::channel::Transport;
use super::conversation::Conversation;
use super::local_peer::Ends;
use super::open::stopped;

/// The longest time that the TLS handshake may take.
const HANDSHAKE_TIMEOUT: Duration = Duration::from_secs(10);
/// The longest time until the head of a request has arrived, including the idle time before it.
const HEAD_TIMEOUT: Duration = Duration::from_secs(90);
/// The most bytes in the head of a request over HTTP/1.1, and in its headers over HTTP/2.
const MAX_HEAD_BYTES: usize = 64 * 1024;
/// The most requests that may run on one HTTP/2 connection.
const MAX_STREAMS: u32 = 200;
/// The number of connections that wait to be accepted. The system may allow fewer. If there is no room, a client
/// notices nothing and tries again after a second, so other clients must not fill it at once.
const MAX_WAITING_CONNECTIONS: u32 = 4096;
/// The pause after a connection could not be accepted, usually because no file descriptors are left.
const ACCEPT_RETRY_DELAY: Duration = Duration::from_millis(200);

/// The listener of a server, with its TLS settings.
pub struct Listener {
    listener: TcpListener,
    here: SocketAddr,
    tls: Option<TlsAcceptor>,
    /// The time for which a client may accept nothing before its connection is closed.
    write_timeout: Duration,
}

impl Listener {
    /// Starts to listen on an address, inside a runtime. A connection whose client accepts nothing for `write_timeout` is
    /// closed.
    ///
    /// # Errors
    /// Returns an error if the system does not allow it.
    pub fn open(address: SocketAddr, tls: Option<TlsAcceptor>, write_timeout: Duration) -> std::io::Result<Self> {
        let socket = match address {
            SocketAddr::V4(_) => TcpSocket::new_v4()?,
            SocketAddr::V6(_) => TcpSocket::new_v6()?,
        };
        // Otherwise a server that starts again would wait until the connections of the last one are forgotten.
        #[cfg(unix)]
        socket.set_reuseaddr(true)?;
        socket.bind(address)?;
        let listener = socket.listen(MAX_WAITING_CONNECTIONS)?;
        Ok(Self { here: listener.local_addr()?, listener, tls, write_timeout })
    }

    /// Returns the address on which the server listens.
    pub fn address(&self) -> SocketAddr {
        self.here
    }

    /// Serves at most `most` connections at a time until `stopping` is true. Returns when all connections have ended.
    pub async fn serve(self, routes: Router, most: usize, mut stopping: watch::Receiver<bool>) {
        let room = Arc::new(Semaphore::new(most));
        // Each connection holds a clone, so the receiver ends when all connections have ended.
        let (open, mut ended) = mpsc::channel::<()>(1);
        let signal = stopping.clone();
        let write_timeout = self.write_timeout;
        loop {
            let (stream, there) = tokio::select! {
                () = stopped(&mut stopping) => break,
                accepted = self.listener.accept() => match accepted {
                    Ok(accepted) => accepted,
                    Err(error) => {
                        warn!(%error, "no connection can be taken");
                        sleep(ACCEPT_RETRY_DELAY).await;
                        continue;
                    }
                },
            };
            let Ok(permit) = Arc::clone(&room).try_acquire_owned() else {
                debug!(%there, "there are too many connections");
                continue;
            };
            prepare(&stream, write_timeout);
            let ends = Ends { here: stream.local_addr().unwrap_or(self.here), there };
            let (tls, routes, open, signal) = (self.tls.clone(), routes.clone(), open.clone(), signal.clone());
            tokio::spawn(async move {
                let conversation = Conversation::new(write_timeout);
                match tls {
                    None => converse(stream, (ends, Transport::Tcp), routes, conversation, signal).await,
                    Some(tls) => match timeout(HANDSHAKE_TIMEOUT, tls.accept(stream)).await {
                        Ok(Ok(stream)) => converse(stream, (ends, Transport::Tls), routes, conversation, signal).await,
                        Ok(Err(error)) => debug!(%there, %error, "no TLS"),
                        Err(_) => debug!(%there, "TLS took too long"),
                    },
                }
                drop((permit, open));
            });
        }
        drop((self.listener, open));
        while ended.recv().await.is_some() {}
    }
}

/// Serves one connection until it ends.
async fn converse<S>(
    stream: S,
    (ends, transport): (Ends, Transport),
    routes: Router,
    conversation: Arc<Conversation>,
    mut stopping: watch::Receiver<bool>,
) where
    S: AsyncRead + AsyncWrite + Unpin + Send + 'static,
{
    let own = Arc::clone(&conversation);
    let answer = service_fn(move |request: Request<Incoming>| {
        let mut request = request.map(Body::new);
        request.extensions_mut().insert(ends);
        request.extensions_mut().insert(transport);
        // The router is always ready for a call.
        let mut routes = routes.clone();
        Arc::clone(&own).answer(request, move |request| routes.call(request))
    });
    let mut builder = Builder::new(TokioExecutor::new());
    builder.http1().timer(TokioTimer::new()).header_read_timeout(HEAD_TIMEOUT).max_buf_size(MAX_HEAD_BYTES);
    // Names of headers have no case, but some clients look for `Content-Type` as most servers write it.
    builder.http1().title_case_headers(true);
    // The answer to a handshake of WebSocket has the names as the client wrote them (`src/http/socket/upgrade.rs`).
    builder.http1().preserve_header_case(true);
    builder
        .http2()
        .timer(TokioTimer::new())
        .keep_alive_interval(conversation.patience() / 3)
        .keep_alive_timeout(conversation.patience() / 3);
    builder.http2().max_concurrent_streams(MAX_STREAMS).max_header_list_size(MAX_HEAD_BYTES as u32);
    // This allows WebSocket over HTTP/2 (RFC 8441).
    builder.http2().enable_connect_protocol();
    let mut connection = std::pin::pin!(builder.serve_connection_with_upgrades(TokioIo::new(stream), answer));
    tokio::select! {
        ended = connection.as_mut() => {
            if let Err(error) = ended {
                debug!(there = %ends.there, error, "a connection ended in disorder");
            }
            return;
        }
        () = conversation.stalled() => return debug!(there = %ends.there, "a client accepts nothing"),
        () = stopped(&mut stopping) => connection.as_mut().graceful_shutdown(),
    }
    if let Err(error) = connection.await {
        debug!(there = %ends.there, error, "a connection ended in disorder");
    }
}

/// Sets the options of a socket. The system sends written data at once. Otherwise an event that soon follows another
/// one would wait until the client acknowledges the first, which clients delay by up to 40 ms. The system also closes a
/// connection whose other end is gone without notice, or accepts nothing for long. Where a system cannot do so, only
/// connections that get no reply to keep-alive probes are closed.
fn prepare(stream: &TcpStream, write_timeout: Duration) {
    if let Err(error) = stream.set_nodelay(true) {
        debug!("a connection sends with delay: {error}");
    }
    let socket = socket2::SockRef::from(stream);
    let keep_alive = TcpKeepalive::new().with_time(write_timeout / 3).with_interval(write_timeout / 6);
    if let Err(error) = socket.set_tcp_keepalive(&keep_alive) {
        debug!("a connection cannot be kept alive: {error}");
    }
    #[cfg(target_os = "linux")]
    if let Err(error) = socket.set_tcp_user_timeout(Some(write_timeout)) {
        debug!("a connection cannot be bounded: {error}");
    }
}

#[cfg(test)]
#[cfg(target_os = "linux")]
mod tests {
    use underlay_testing::HANG;

    use super::*;

    /// The system accepts this number of connections for the server, even if it does nothing for a while.
    #[tokio::test]
    async fn many_connections_at_once_wait_to_be_accepted() {
        let allowed: usize = std::fs::read_to_string("/proc/sys/net/core/somaxconn").unwrap().trim().parse().unwrap();
        let listener = Listener::open("127.0.0.1:0".parse().unwrap(), None, Duration::from_secs(55)).unwrap();
        let mut waiting = Vec::new();
        for number in 0..allowed.min(500) {
            let connecting = timeout(HANG, TcpStream::connect(listener.address()));
            let connected = connecting.await.unwrap_or_else(|_| panic!("connection {number} finds no room"));
            waiting.push(connected.unwrap());
        }
    }
}
