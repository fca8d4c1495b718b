//! How connections come in: over TCP, through TLS where there are certificates, as HTTP/1.1 or HTTP/2.
//!
//! There are so many at a time, and each has so much time for TLS and for the head of a request; one that is slow holds
//! up nobody else.

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
use tokio::net::{TcpListener, TcpStream};
use tokio::sync::{Semaphore, mpsc, watch};
use tokio::time::{sleep, timeout};
use tokio_rustls::TlsAcceptor;
use tower_service::Service as _;
use tracing::{debug, warn};

use super::near::Ends;
use super::open::stopped;

/// How long TLS may take to begin.
const HANDSHAKE: Duration = Duration::from_secs(10);
/// How long a connection may take for the head of a request, with the time in which it asks nothing.
const HEAD: Duration = Duration::from_secs(90);
/// How many bytes the head of a request may have over HTTP/1.1, and its headers over HTTP/2.
const MOST_BYTES: usize = 64 * 1024;
/// How many requests may run on one connection of HTTP/2.
const MOST_STREAMS: u32 = 200;
/// How long a client may take nothing before its connection is closed.
const DEAD: Duration = Duration::from_secs(55);
/// The pause when no connection can be taken: there are no files left, as a rule.
const PAUSE: Duration = Duration::from_millis(200);

/// Where connections come in.
pub struct Doors {
    listener: TcpListener,
    here: SocketAddr,
    tls: Option<TlsAcceptor>,
}

impl Doors {
    /// Listens at an address.
    ///
    /// # Errors
    /// When the system does not let it.
    pub async fn open(address: SocketAddr, tls: Option<TlsAcceptor>) -> std::io::Result<Self> {
        let listener = TcpListener::bind(address).await?;
        Ok(Self { here: listener.local_addr()?, listener, tls })
    }

    /// Where it listens.
    pub fn address(&self) -> SocketAddr {
        self.here
    }

    /// Serves so many connections at a time until it is told to stop, and then until what runs is done.
    pub async fn serve(self, routes: Router, most: usize, mut stopping: watch::Receiver<bool>) {
        let room = Arc::new(Semaphore::new(most));
        // Held by each connection: who has the other end sees when all are gone.
        let (open, mut ended) = mpsc::channel::<()>(1);
        let signal = stopping.clone();
        loop {
            let (stream, there) = tokio::select! {
                () = stopped(&mut stopping) => break,
                accepted = self.listener.accept() => match accepted {
                    Ok(accepted) => accepted,
                    Err(error) => {
                        warn!(%error, "no connection can be taken");
                        sleep(PAUSE).await;
                        continue;
                    }
                },
            };
            let Ok(place) = Arc::clone(&room).try_acquire_owned() else {
                debug!(%there, "there are too many connections");
                continue;
            };
            prepare(&stream);
            let ends = Ends { here: stream.local_addr().unwrap_or(self.here), there };
            let (tls, routes, open, signal) = (self.tls.clone(), routes.clone(), open.clone(), signal.clone());
            tokio::spawn(async move {
                match tls {
                    None => converse(stream, ends, routes, signal).await,
                    Some(tls) => match timeout(HANDSHAKE, tls.accept(stream)).await {
                        Ok(Ok(stream)) => converse(stream, ends, routes, signal).await,
                        Ok(Err(error)) => debug!(%there, %error, "no TLS"),
                        Err(_) => debug!(%there, "TLS took too long"),
                    },
                }
                drop((place, open));
            });
        }
        drop((self.listener, open));
        while ended.recv().await.is_some() {}
    }
}

/// Serves one connection.
async fn converse<S>(stream: S, ends: Ends, routes: Router, mut stopping: watch::Receiver<bool>)
where
    S: AsyncRead + AsyncWrite + Unpin + Send + 'static,
{
    let answer = service_fn(move |request: Request<Incoming>| {
        let mut request = request.map(Body::new);
        request.extensions_mut().insert(ends);
        // The routes are always ready.
        routes.clone().call(request)
    });
    let mut builder = Builder::new(TokioExecutor::new());
    builder.http1().timer(TokioTimer::new()).header_read_timeout(HEAD).max_buf_size(MOST_BYTES);
    builder.http2().timer(TokioTimer::new()).keep_alive_interval(DEAD / 3).keep_alive_timeout(DEAD / 3);
    builder.http2().max_concurrent_streams(MOST_STREAMS).max_header_list_size(MOST_BYTES as u32);
    // WebSocket over HTTP/2 (RFC 8441).
    builder.http2().enable_connect_protocol();
    let mut connection = std::pin::pin!(builder.serve_connection_with_upgrades(TokioIo::new(stream), answer));
    tokio::select! {
        ended = connection.as_mut() => {
            if let Err(error) = ended {
                debug!(there = %ends.there, error, "a connection ended in disorder");
            }
            return;
        }
        () = stopped(&mut stopping) => connection.as_mut().graceful_shutdown(),
    }
    if let Err(error) = connection.await {
        debug!(there = %ends.there, error, "a connection ended in disorder");
    }
}

/// Has the system send what is written at once: an event that follows another one soon would else wait until the client
/// acknowledges that, which clients put off for up to 40 ms. And has it close a connection whose other end is gone without
/// a word, or takes nothing for long; where it cannot, only those end that are asked for a sign of life.
fn prepare(stream: &TcpStream) {
    if let Err(error) = stream.set_nodelay(true) {
        debug!("a connection sends with delay: {error}");
    }
    let socket = socket2::SockRef::from(stream);
    let keep_alive = TcpKeepalive::new().with_time(DEAD / 3).with_interval(DEAD / 6);
    if let Err(error) = socket.set_tcp_keepalive(&keep_alive) {
        debug!("a connection cannot be kept alive: {error}");
    }
    #[cfg(target_os = "linux")]
    if let Err(error) = socket.set_tcp_user_timeout(Some(DEAD)) {
        debug!("a connection cannot be bounded: {error}");
    }
}
