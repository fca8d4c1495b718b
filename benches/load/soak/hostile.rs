//! The hostile clients of a soak: each repeats something that once stopped a server, filled its memory, or blocked
//! others. They can be rejected, disconnected or answered; the probes beside them measure their effect.

use std::net::SocketAddr;
use std::sync::Arc;
use std::time::{Duration, Instant};

use serde_json::{Value, json};
use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tokio::net::TcpStream;
use tokio::task::JoinSet;
use tokio::time::{sleep, timeout};

use super::Counts;
use crate::client::Prepared;
use crate::feed::socket::Socket;
use crate::problem::{Doing, Result};

/// The longest wait for an answer that may never come.
const ANSWER_TIMEOUT: Duration = Duration::from_secs(30);
/// The number of connections that never finish their first WebSocket frame, and of those whose body comes byte by byte.
const SOCKETS: usize = 100;
const BODIES: usize = 100;
/// The time for which such a connection is kept, unless the server ends it.
const CONNECTION_LIFETIME: Duration = Duration::from_secs(20);
/// The rests between two attempts: the machine has other work as well.
const ATTEMPT_DELAY: Duration = Duration::from_millis(20);
const LONG_ATTEMPT_DELAY: Duration = Duration::from_millis(500);
/// The number of values of a large variable.
const VARIABLE_VALUES: usize = 2_000_000;
/// The content of an unfinished frame.
const FRAME_BYTES: usize = 16 * 1024;

/// One kind of hostile client.
#[derive(Clone, Copy, Debug)]
enum Hostile {
    /// Asks `/readyz` without end.
    Ready,
    /// Begins a WebSocket message before `connection_init`, and never ends it.
    Socket,
    /// Sends a body one byte at a time.
    Body,
    /// Asks for as much as one request may, several times over.
    Read,
    /// Sends brackets behind what another reader of the text takes for a comment or a string.
    Deep,
    /// Writes a text that no database can store, beside a valid one.
    Nul,
    /// Filters devices by the devices of their site, again and again.
    Filter,
    /// Sends fragments that double, for an operation that does not run.
    Fragments,
    /// Sends a body of small values, which take far more memory than their text.
    Values,
    /// Asks about the whole schema, again and again.
    Schema,
}

/// Starts them all.
pub fn start(clients: &mut JoinSet<Result<()>>, server: SocketAddr, port: &str, counts: &Arc<Counts>, end: Instant) {
    let mut begin = |hostile: Hostile, number: usize| {
        for _ in 0..number {
            clients.spawn(run(hostile, server, port.to_owned(), Arc::clone(counts), end));
        }
    };
    begin(Hostile::Socket, SOCKETS);
    begin(Hostile::Body, BODIES);
    begin(Hostile::Ready, 2);
    begin(Hostile::Read, 1);
    begin(Hostile::Deep, 1);
    begin(Hostile::Nul, 1);
    begin(Hostile::Filter, 2);
    begin(Hostile::Fragments, 1);
    begin(Hostile::Values, 1);
    begin(Hostile::Schema, 1);
}

/// Lets many tenants query a server in turn, so that their views are built and evicted.
pub async fn tenants(server: SocketAddr, tokens: Vec<String>, counts: Arc<Counts>, end: Instant) -> Result<()> {
    let look = Prepared::graphql("{ sites(first: 5) { totalCount nodes { name } } }", &Value::Null);
    let looks: Vec<Prepared> = tokens.iter().map(|token| look.bearing(token)).collect();
    for look in looks.iter().cycle() {
        if Instant::now() >= end {
            break;
        }
        send(server, look.bytes()).await?;
        Counts::count(&counts.hostile);
        sleep(LONG_ATTEMPT_DELAY).await;
    }
    Ok(())
}

async fn run(hostile: Hostile, server: SocketAddr, port: String, counts: Arc<Counts>, end: Instant) -> Result<()> {
    // They are built once, because the servers need the processors.
    let requests = requests(hostile, &port);
    let mut turns = requests.iter().cycle();
    while Instant::now() < end {
        match (hostile, turns.next()) {
            (_, Some(request)) => send(server, request.bytes()).await?,
            (Hostile::Body, None) => slow_body(server, end).await?,
            (_, None) => unfinished(server, end).await?,
        }
        Counts::count(&counts.hostile);
        let rest = if matches!(hostile, Hostile::Read | Hostile::Values) { LONG_ATTEMPT_DELAY } else { ATTEMPT_DELAY };
        sleep(rest.min(end.saturating_duration_since(Instant::now()))).await;
    }
    Ok(())
}

/// Returns the requests that a hostile client sends in turn. One that ends no request has none.
fn requests(hostile: Hostile, port: &str) -> Vec<Prepared> {
    let query = |document: String| Prepared::graphql(&document, &Value::Null);
    match hostile {
        Hostile::Socket | Hostile::Body => Vec::new(),
        Hostile::Ready => vec![Prepared::get("/readyz")],
        Hostile::Read => vec![query(large())],
        Hostile::Deep => (0..3).map(deep).map(query).collect(),
        Hostile::Nul => (0..3).map(|turn| nul(port, turn)).collect(),
        Hostile::Filter => (0..3).map(filter).map(query).collect(),
        Hostile::Fragments => vec![query(fragments())],
        Hostile::Values => {
            let variables = json!({"x": vec![0; VARIABLE_VALUES]});
            vec![Prepared::graphql("subscription { changes { cursor } }", &variables)]
        }
        Hostile::Schema => vec![query(schema())],
    }
}

/// Sends a request and reads the answer for a while. Only a refused connection is an error.
pub async fn send(server: SocketAddr, request: &[u8]) -> Result<()> {
    let mut stream = TcpStream::connect(server).await.doing(|| format!("connect to {server}"))?;
    let exchange = async {
        stream.write_all(request).await?;
        let mut some = vec![0; 64 * 1024];
        // The answers are immediate except for the large read, of which the rest is read as it arrives.
        while stream.read(&mut some).await? == some.len() {}
        Ok::<_, std::io::Error>(())
    };
    let _cut_or_answered = timeout(ANSWER_TIMEOUT, exchange).await;
    Ok(())
}

/// A connection whose first message never ends.
async fn unfinished(server: SocketAddr, end: Instant) -> Result<()> {
    // The connection may be closed already.
    if let Ok(mut socket) = Socket::upgrade(server).await {
        let _cut = socket.begin_message(&[b'x'; FRAME_BYTES]).await;
        socket.closed_within(CONNECTION_LIFETIME.min(end.saturating_duration_since(Instant::now()))).await;
    }
    Ok(())
}

/// A request with a body so slow that it never ends.
async fn slow_body(server: SocketAddr, end: Instant) -> Result<()> {
    let mut stream = TcpStream::connect(server).await.doing(|| format!("connect to {server}"))?;
    let head = "POST /graphql HTTP/1.1\r\nhost: localhost\r\ncontent-type: application/json\r\ncontent-length: 4000000\r\n\r\n";
    let goes = end.min(Instant::now() + CONNECTION_LIFETIME);
    if stream.write_all(head.as_bytes()).await.is_err() {
        return Ok(());
    }
    let mut some = [0; 1024];
    while Instant::now() < goes && stream.write_all(b" ").await.is_ok() {
        // The answer is a rejection, or the connection ends.
        if timeout(Duration::from_secs(1), stream.read(&mut some)).await.is_ok() {
            break;
        }
    }
    Ok(())
}

/// A query for as many objects and fields as one request may have.
fn large() -> String {
    let device = "nodes { ports(first: 60) { nodes { id name type family labels enabled mtu mac description attributes \
                  createdAt updatedAt version managers { field manager since } } } }";
    (0..4)
        .map(|alias| format!("a{alias}: devices(first: 400) {{ {device} }} "))
        .fold("{ ".to_owned(), |all, one| all + &one)
        + "}"
}

/// A document whose brackets are visible only to a reader that parses comments and strings as GraphQL does.
fn deep(turn: u64) -> String {
    let brackets = "[".repeat(100_000);
    match turn % 3 {
        0 => format!("{{ a(x: #\r{brackets}"),
        1 => format!("{{ a(x: \"\"\"b\" {brackets}"),
        _ => format!("{{ a(x: \"\"\"\\\\\"\"\" \"\"\" {brackets}"),
    }
}

/// A filter whose cost grows with a power of the number of devices, of a shape that is allowed or of one that nests too
/// deep, or one with many conditions on the ports of each device.
fn filter(turn: u64) -> String {
    let through = |times: usize| {
        (0..times).fold("name: {eq: \"?\"}".to_owned(), |inner, _| format!("site: {{devices: {{some: {{{inner}}}}}}}"))
    };
    let filter = match turn % 3 {
        0 => through(3),
        1 => through(20),
        _ => format!("or: [{}]", "{ports: {some: {name: {contains: \"?\"}}}} ".repeat(500)),
    };
    format!("{{ devices(filter: {{{filter}}}) {{ totalCount }} }}")
}

/// Fragments each of which uses the next one twice.
fn fragments() -> String {
    let one = |n: usize| format!(" fragment F{n} on Query {{ ...F{m} ...F{m} }}", m = n + 1);
    "{ revision }".to_owned() + &(0..59).map(one).collect::<String>() + " fragment F59 on Query { ...Nowhere }"
}

/// A question about the types of the fields of the types of all fields.
fn schema() -> String {
    let fields = "fields { type { ofType { fields { type { ofType { fields { type { name } } } } } } } }";
    format!("{{ {} __schema {{ types {{ {fields} }} }} }}", "__type(name: \"Query\") { name } ".repeat(500))
}

/// A batch with one valid item.
fn nul(port: &str, turn: u64) -> Prepared {
    let items = json!([
        {"port": {"id": port, "description": format!("{turn}")}},
        {"region": {"name": "a\u{0}b"}},
    ]);
    let query = "mutation($items: [ApplyItem!]!) { apply(input: {mode: PER_ITEM, items: $items}) { revision } }";
    Prepared::graphql(query, &json!({"items": items}))
}
