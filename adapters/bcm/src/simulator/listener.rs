//! Accepts connections over TLS. A client without a certificate is let in, and gets an error from each call, as from
//! BCM.

use std::net::SocketAddr;
use std::sync::Arc;
use std::time::Duration;

use axum::extract::connect_info::Connected;
use axum::serve::{IncomingStream, Listener};
use tokio::net::{TcpListener, TcpStream};
use tokio::sync::{Semaphore, mpsc};
use tokio::task::JoinHandle;
use tokio::time::{sleep, timeout};
use tokio_rustls::TlsAcceptor;
use tokio_rustls::rustls::ServerConfig;
use tokio_rustls::server::TlsStream;

/// The maximum number of connections whose handshake is going on.
const MAX_HANDSHAKES: usize = 64;
/// The time within which a handshake must end.
const HANDSHAKE_TIMEOUT: Duration = Duration::from_secs(10);
/// The pause after an error of the operating system, such as too many open files.
const ACCEPT_RETRY_DELAY: Duration = Duration::from_millis(100);

/// The client of a connection.
#[derive(Clone, Copy, Debug)]
pub struct Caller {
    /// True if the client showed a certificate of the simulator's authority. Others end the handshake.
    pub is_known: bool,
}

/// A listener that makes the handshakes, several at a time.
pub struct TlsListener {
    ready: mpsc::Receiver<(TlsStream<TcpStream>, SocketAddr)>,
    address: SocketAddr,
    task: JoinHandle<()>,
}

impl TlsListener {
    pub fn new(listener: TcpListener, address: SocketAddr, config: ServerConfig) -> Self {
        let (sender, ready) = mpsc::channel(1);
        let task = tokio::spawn(accept(listener, TlsAcceptor::from(Arc::new(config)), sender));
        Self { ready, address, task }
    }
}

impl Drop for TlsListener {
    fn drop(&mut self) {
        self.task.abort();
    }
}

async fn accept(listener: TcpListener, acceptor: TlsAcceptor, ready: mpsc::Sender<(TlsStream<TcpStream>, SocketAddr)>) {
    let turns = Arc::new(Semaphore::new(MAX_HANDSHAKES));
    while !ready.is_closed() {
        let Ok(turn) = Arc::clone(&turns).acquire_owned().await else { return };
        let Ok((stream, from)) = listener.accept().await else {
            sleep(ACCEPT_RETRY_DELAY).await;
            continue;
        };
        let (acceptor, ready) = (acceptor.clone(), ready.clone());
        tokio::spawn(async move {
            let _turn = turn;
            if let Ok(Ok(stream)) = timeout(HANDSHAKE_TIMEOUT, acceptor.accept(stream)).await {
                // Nobody takes it if the simulator ends, and then it is closed.
                drop(ready.send((stream, from)).await);
            }
        });
    }
}

impl Listener for TlsListener {
    type Io = TlsStream<TcpStream>;
    type Addr = SocketAddr;

    async fn accept(&mut self) -> (Self::Io, Self::Addr) {
        match self.ready.recv().await {
            Some(connection) => connection,
            // The task of the handshakes ends only with the listener.
            None => std::future::pending().await,
        }
    }

    fn local_addr(&self) -> std::io::Result<Self::Addr> {
        Ok(self.address)
    }
}

impl Connected<IncomingStream<'_, TlsListener>> for Caller {
    fn connect_info(stream: IncomingStream<'_, TlsListener>) -> Self {
        let (_, session) = stream.io().get_ref();
        Self { is_known: session.peer_certificates().is_some_and(|certificates| !certificates.is_empty()) }
    }
}
