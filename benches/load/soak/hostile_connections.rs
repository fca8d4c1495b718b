//! Further hostile clients of a soak: connections that accept nothing or send slowly, and requests that once took all
//! places for computations, all connections to the database, or all pinned revisions.

use std::net::SocketAddr;
use std::sync::Arc;
use std::time::{Duration, Instant};

use axum::http::Request;
use serde_json::Value;
use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tokio::net::TcpStream;
use tokio::task::JoinSet;
use tokio::time::{sleep, timeout};

use super::Counts;
use super::hostile::send;
use crate::client::Prepared;
use crate::feed::socket::Socket;
use crate::problem::{Doing, Result};

/// The number of connections of each kind that wait.
const WAITING_CONNECTIONS: usize = 20;
/// The time for which such a connection is kept, unless the server ends it.
const CONNECTION_LIFETIME: Duration = Duration::from_secs(20);
/// The number of answers that a client collects without accepting them.
const UNACCEPTED_ANSWERS: usize = 100;
/// The number of times that a field is repeated in a request.
const FIELD_REPEATS: usize = 900;
/// The pauses between two attempts, usual and long: the machine has other work as well.
const ATTEMPT_DELAY: Duration = Duration::from_millis(20);
const LONG_ATTEMPT_DELAY: Duration = Duration::from_secs(2);

/// One kind of hostile client.
#[derive(Clone, Copy, Debug)]
enum Hostile {
    /// Asks for a file of the console over HTTP/2 again and again, and opens no window for it.
    Window,
    /// Opens a WebSocket connection and says nothing.
    Silent,
    /// Sends lines to `/apply` a byte at a time.
    Lines,
    /// Repeats a long computation in one request.
    Repeated,
    /// Counts changes of which there are none, again and again in one request.
    Counting,
    /// Pins each revision that comes.
    Pinning,
}

/// Starts them all.
pub fn start(clients: &mut JoinSet<Result<()>>, server: SocketAddr, counts: &Arc<Counts>, end: Instant) {
    let mut begin = |hostile: Hostile, number: usize| {
        for _ in 0..number {
            clients.spawn(run(hostile, server, Arc::clone(counts), end));
        }
    };
    begin(Hostile::Silent, WAITING_CONNECTIONS);
    begin(Hostile::Lines, WAITING_CONNECTIONS);
    begin(Hostile::Window, 2);
    begin(Hostile::Repeated, 1);
    begin(Hostile::Counting, 1);
    begin(Hostile::Pinning, 1);
}

async fn run(hostile: Hostile, server: SocketAddr, counts: Arc<Counts>, end: Instant) -> Result<()> {
    let repeated = |field: &str| Prepared::graphql(&format!("{{ {} }}", field.repeat(FIELD_REPEATS)), &Value::Null);
    while Instant::now() < end {
        match hostile {
            Hostile::Window => without_a_window(server, end).await?,
            Hostile::Silent => silent(server, end).await,
            Hostile::Lines => slow_lines(server, end).await?,
            Hostile::Repeated => {
                send(server, repeated("singlePointsOfFailure(first: 0) { __typename } ").bytes()).await?;
            }
            Hostile::Counting => {
                send(server, repeated("changes(filter: {actors: [\"zz\"]}) { totalCount } ").bytes()).await?;
            }
            Hostile::Pinning => {
                let pin = Prepared::graphql("{ regions(first: 1, pin: true) { totalCount } }", &Value::Null);
                send(server, pin.bytes()).await?;
            }
        }
        Counts::count(&counts.hostile);
        let rest =
            if matches!(hostile, Hostile::Repeated | Hostile::Counting) { LONG_ATTEMPT_DELAY } else { ATTEMPT_DELAY };
        sleep(rest.min(end.saturating_duration_since(Instant::now()))).await;
    }
    Ok(())
}

fn kept(end: Instant) -> Duration {
    CONNECTION_LIFETIME.min(end.saturating_duration_since(Instant::now()))
}

/// Collects answers that the client never accepts.
async fn without_a_window(server: SocketAddr, end: Instant) -> Result<()> {
    let stream = TcpStream::connect(server).await.doing(|| format!("connect to {server}"))?;
    let mut builder = h2::client::Builder::new();
    builder.initial_window_size(0).initial_max_send_streams(UNACCEPTED_ANSWERS);
    // The server may end the connection at any time.
    let Ok((mut requests, connection)) = builder.handshake::<_, &[u8]>(stream).await else { return Ok(()) };
    let connection = tokio::spawn(connection);
    let mut answers = Vec::new();
    while answers.len() < UNACCEPTED_ANSWERS
        && let Ok(mut ready) = requests.ready().await
    {
        let request = Request::get("http://underlay/console/main.js").header("accept-encoding", "gzip");
        let sent = request.body(()).ok().and_then(|request| ready.send_request(request, true).ok());
        requests = ready;
        let Some((answer, _)) = sent else { break };
        answers.push(answer);
    }
    sleep(kept(end)).await;
    connection.abort();
    Ok(())
}

/// A connection that is never acknowledged, because the client does not say who it is.
async fn silent(server: SocketAddr, end: Instant) {
    // The connection may be refused or closed at any time.
    if let Ok(mut socket) = Socket::upgrade(server).await {
        socket.closed_within(kept(end)).await;
    }
}

/// A batch whose lines come so slowly that it never ends.
async fn slow_lines(server: SocketAddr, end: Instant) -> Result<()> {
    let mut stream = TcpStream::connect(server).await.doing(|| format!("connect to {server}"))?;
    let head = "POST /apply HTTP/1.1\r\nhost: localhost\r\ncontent-type: application/x-ndjson\r\n\
                content-length: 4000000\r\n\r\n";
    let goes = Instant::now() + kept(end);
    if stream.write_all(head.as_bytes()).await.is_err() {
        return Ok(());
    }
    let mut some = [0; 1024];
    while Instant::now() < goes && stream.write_all(b"\n").await.is_ok() {
        // The answer is a rejection, or the connection ends.
        if timeout(Duration::from_secs(1), stream.read(&mut some))
            .await
            .is_ok_and(|read| read.is_ok_and(|read| read == 0))
        {
            break;
        }
    }
    Ok(())
}
