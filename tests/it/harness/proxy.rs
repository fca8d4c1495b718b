//! A network between a server and its database that a test can interrupt.

use std::net::SocketAddr;
use std::sync::Arc;

use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tokio::net::{TcpListener, TcpStream};
use tokio::sync::watch;
use tokio::task::JoinHandle;

/// The treatment of connections.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum State {
    /// Everything passes.
    Open,
    /// Connections of clients are closed, also new ones; the database does not notice.
    Cut,
    /// Nothing passes, and neither side is notified.
    Silent,
}

/// The network as all connections see it.
#[derive(Clone, Copy, Debug)]
struct Network {
    state: State,
    /// The number of cuts. A connection that sees a cut late, when the network is open again, is cut all the same.
    cuts: u64,
}

/// A proxy in front of a database.
pub struct Proxy {
    address: SocketAddr,
    network: Arc<watch::Sender<Network>>,
    acceptor: JoinHandle<()>,
}

impl Proxy {
    /// Starts a proxy for the database of a URL. Also returns the URL that leads through the proxy.
    pub async fn to(url: &str) -> (Self, String) {
        let (start, rest) = url.split_once('@').expect("postgres://user@host:port/database");
        let (target, database) = rest.split_once('/').expect("a database");
        let listener = TcpListener::bind("127.0.0.1:0").await.expect("bind to a free port");
        let address = listener.local_addr().expect("an address");
        let network = Arc::new(watch::Sender::new(Network { state: State::Open, cuts: 0 }));
        let acceptor = tokio::spawn(accept(listener, target.to_owned(), Arc::clone(&network)));
        (Self { address, network, acceptor }, format!("{start}@{address}/{database}"))
    }

    /// Closes all connections of clients. The database still processes what they sent.
    pub fn cut(&self) {
        self.network.send_modify(|network| *network = Network { state: State::Cut, cuts: network.cuts + 1 });
    }

    /// Swallows all traffic, like a broken network.
    pub fn silence(&self) {
        self.network.send_modify(|network| network.state = State::Silent);
    }

    /// Passes all traffic again.
    pub fn open(&self) {
        self.network.send_modify(|network| network.state = State::Open);
    }
}

impl Drop for Proxy {
    fn drop(&mut self) {
        self.acceptor.abort();
        // A client that still connects here is not ours.
        let _ = self.address;
    }
}

async fn accept(listener: TcpListener, target: String, network: Arc<watch::Sender<Network>>) {
    while let Ok((client, _)) = listener.accept().await {
        let Network { state, cuts } = *network.borrow();
        if state == State::Cut {
            continue;
        }
        let Ok(database) = TcpStream::connect(&target).await else { continue };
        tokio::spawn(pass(client, database, network.subscribe(), cuts));
    }
}

/// Passes bytes in both directions until one side closes or the client is cut off.
async fn pass(mut client: TcpStream, mut database: TcpStream, mut network: watch::Receiver<Network>, cuts: u64) {
    let (mut up, mut down) = (vec![0; 64 * 1024], vec![0; 64 * 1024]);
    loop {
        let is_silent = network.borrow().state == State::Silent;
        if is_silent && network.wait_for(|network| network.state != State::Silent).await.is_err() {
            return;
        }
        if network.borrow().cuts > cuts {
            drop(client);
            // The database continues with what it received, and its answers reach nobody.
            while database.read(&mut down).await.is_ok_and(|count| count > 0) {}
            return;
        }
        tokio::select! {
            read = client.read(&mut up) => match read {
                Ok(count @ 1..) => if database.write_all(&up[..count]).await.is_err() { return },
                _ => return,
            },
            read = database.read(&mut down) => match read {
                Ok(count @ 1..) => if client.write_all(&down[..count]).await.is_err() { return },
                _ => return,
            },
            changed = network.changed() => if changed.is_err() { return },
        }
    }
}
