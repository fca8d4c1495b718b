//! Takes the connections of machines: plain HTTP/1.1 with names of headers in title case, as GRUB reads them.
//!
//! Guarantees: the number of connections is bounded, and so is the time of each for the head of a request and for
//! accepting a part of an answer. A connection that ends in disorder is no error: firmware resets all of its connections.

use std::convert::Infallible;
use std::net::SocketAddr;
use std::sync::Arc;
use std::time::Duration;

use axum::body::Body;
use hyper::body::Incoming;
use hyper::server::conn::http1;
use hyper::service::service_fn;
use hyper::{Request, Response};
use hyper_util::rt::{TokioIo, TokioTimer};
use tokio::net::{TcpListener, TcpStream};
use tokio::sync::{Semaphore, watch};
use tokio::task::JoinSet;
use tokio::time::{sleep, timeout};

use crate::answer;
use crate::patient::Patient;
use crate::serve::BootServer;

/// The most bytes in the head of a request, and in the buffer for what is sent.
const MAX_BUFFER_BYTES: usize = 64 * 1024;
/// The pause after a connection could not be accepted, usually because no file descriptors are left.
const ACCEPT_RETRY_DELAY: Duration = Duration::from_millis(200);
/// The longest time for which answers are finished when the boot server ends.
const MAX_ENDING: Duration = Duration::from_secs(10);

/// The listener of a boot server.
pub struct Listener {
    listener: TcpListener,
    address: SocketAddr,
}

impl Listener {
    /// Starts to listen on an address.
    ///
    /// # Errors
    /// Returns an error if the system does not allow it.
    pub async fn open(address: SocketAddr) -> std::io::Result<Self> {
        let listener = TcpListener::bind(address).await?;
        Ok(Self { address: listener.local_addr()?, listener })
    }

    /// Returns the address on which the boot server listens.
    pub fn address(&self) -> SocketAddr {
        self.address
    }

    /// Serves machines until `stop` is true.
    pub async fn serve(self, server: Arc<BootServer>, mut stop: watch::Receiver<bool>) {
        let most = server.connections();
        let room = Arc::new(Semaphore::new(most));
        let mut open = JoinSet::new();
        loop {
            let (stream, there) = tokio::select! {
                () = underlay_kit::control::stopped(&mut stop) => break,
                Some(_) = open.join_next(), if !open.is_empty() => continue,
                accepted = self.listener.accept() => match accepted {
                    Ok(accepted) => accepted,
                    Err(error) => {
                        server.note(&format!("no connection can be taken: {error}"));
                        sleep(ACCEPT_RETRY_DELAY).await;
                        continue;
                    }
                },
            };
            // A machine whose connection is closed goes to its disk.
            let Ok(permit) = Arc::clone(&room).try_acquire_owned() else { continue };
            let (server, stop) = (Arc::clone(&server), stop.clone());
            let room = Arc::clone(&room);
            open.spawn(async move {
                server.status().connected(most - room.available_permits());
                converse(stream, there, &server, stop).await;
                drop(permit);
                server.status().connected(most - room.available_permits());
            });
        }
        drop(self.listener);
        let ended = async { while open.join_next().await.is_some() {} };
        // What is not finished by then is cut off, and the machine goes to its disk.
        let _ = timeout(MAX_ENDING, ended).await;
    }
}

async fn converse(stream: TcpStream, there: SocketAddr, server: &Arc<BootServer>, mut stop: watch::Receiver<bool>) {
    // Without it, small answers could be sent late. A system that refuses costs only that.
    let _ = stream.set_nodelay(true);
    let times = server.times();
    let answer =
        service_fn(async |request: Request<Incoming>| Ok::<_, Infallible>(answered(request, there, server).await));
    let mut builder = http1::Builder::new();
    builder
        .timer(TokioTimer::new())
        .header_read_timeout(times.request)
        .max_buf_size(MAX_BUFFER_BYTES)
        .title_case_headers(true);
    let stream = TokioIo::new(Patient::new(stream, times.write));
    let mut connection = std::pin::pin!(builder.serve_connection(stream, answer));
    tokio::select! {
        _ = connection.as_mut() => return,
        () = underlay_kit::control::stopped(&mut stop) => connection.as_mut().graceful_shutdown(),
    }
    let _ = connection.await;
}

/// Answers a request. HEAD gets the answer of GET without its body.
async fn answered(request: Request<Incoming>, there: SocketAddr, server: &Arc<BootServer>) -> Response<Body> {
    let is_head = request.method() == hyper::Method::HEAD;
    let response = server.answer(request, there.ip().to_canonical()).await;
    if is_head { answer::without_body(response) } else { response }
}
