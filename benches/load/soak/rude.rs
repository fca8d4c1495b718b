//! The bad clients of a soak: they send invalid HTTP, invalid JSON, partial requests, expensive documents or forged
//! tokens, and disconnect at any time.

use std::net::SocketAddr;
use std::sync::Arc;
use std::time::{Duration, Instant};

use rand::rngs::SmallRng;
use rand::{Rng as _, RngCore as _, SeedableRng as _};
use serde_json::{Value, json};
use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tokio::net::TcpStream;
use tokio::task::JoinSet;
use tokio::time::{sleep, timeout};

use super::Counts;
use crate::client::Prepared;
use crate::problem::{Doing, LoadError, Result};
use crate::server::Server;

/// The time limit of an answer. A partial request gets none.
const ANSWER_TIMEOUT: Duration = Duration::from_secs(30);
/// The time for which a partial request is left open.
const PARTIAL_REQUEST_TIME: Duration = Duration::from_millis(300);
/// The pause between requests, which leaves room for good clients.
const REQUEST_DELAY: Duration = Duration::from_millis(10);
/// The number of bytes that are read of an answer: its head and the beginning of its errors.
const READ_BYTES: usize = 4096;
/// The number of random bytes that are sent.
const GARBAGE_BYTES: usize = 2_000;

/// The behaviour of a bad client.
#[derive(Clone, Copy, Debug)]
enum Rude {
    /// Sends random bytes.
    Garbage,
    /// Sends a part of a request, and waits.
    Half,
    /// Disconnects during the answer.
    Cut,
    /// Sends documents that must be rejected.
    Greedy,
    /// Sends forged tokens.
    Forged,
}

/// Starts one client of each kind. The one with tokens uses the server with authentication.
pub fn start(clients: &mut JoinSet<Result<()>>, server: &Server, asking: &Server, counts: &Arc<Counts>, end: Instant) {
    for (seed, rude) in [Rude::Garbage, Rude::Half, Rude::Cut, Rude::Greedy, Rude::Forged].into_iter().enumerate() {
        let address = if matches!(rude, Rude::Forged) { asking.address() } else { server.address() };
        let random = SmallRng::seed_from_u64(seed as u64);
        clients.spawn(run(rude, address, random, Arc::clone(counts), end));
    }
}

/// Checks that a server rejects a request without a token.
pub async fn is_refused(address: SocketAddr) -> Result<()> {
    refused(address, Prepared::graphql("{ revision }", &Value::Null).bytes()).await
}

async fn run(rude: Rude, address: SocketAddr, mut random: SmallRng, counts: Arc<Counts>, end: Instant) -> Result<()> {
    while Instant::now() < end {
        match rude {
            Rude::Garbage | Rude::Half | Rude::Cut => {
                cut(rude, address, &mut random).await?;
                Counts::count(&counts.cut);
            }
            Rude::Greedy => {
                refused(address, Prepared::graphql(&greedy(&mut random), &Value::Null).bytes()).await?;
                Counts::count(&counts.refused);
            }
            Rude::Forged => {
                refused(address, &forged(&mut random)).await?;
                Counts::count(&counts.refused);
            }
        }
        sleep(REQUEST_DELAY).await;
    }
    Ok(())
}

/// Sends an incomplete request, or does not wait for the answer. Only a refused connection is an error.
async fn cut(rude: Rude, address: SocketAddr, random: &mut SmallRng) -> Result<()> {
    let mut stream = TcpStream::connect(address).await.doing(|| format!("connect to {address}"))?;
    let whole = Prepared::graphql("{ devices(first: 1000) { nodes { name labels site { name } } } }", &Value::Null);
    let bytes = match rude {
        Rude::Garbage => {
            let mut bytes = vec![0; random.random_range(1..GARBAGE_BYTES)];
            random.fill_bytes(&mut bytes);
            bytes
        }
        Rude::Half => whole.bytes()[..random.random_range(1..whole.bytes().len())].to_vec(),
        Rude::Cut | Rude::Greedy | Rude::Forged => whole.bytes().to_vec(),
    };
    // The server may disconnect first.
    if stream.write_all(&bytes).await.is_ok() {
        let mut some = [0; READ_BYTES];
        let _hung_up = timeout(PARTIAL_REQUEST_TIME, stream.read(&mut some)).await;
    }
    Ok(())
}

/// Returns a document that is too deep, too wide, exponential, too expensive, or invalid.
fn greedy(random: &mut SmallRng) -> String {
    match random.random_range(0..5) {
        0 => format!("{}name{}", "{ sites { nodes ".repeat(60), "} }".repeat(60)),
        1 => format!("{{ {} }}", (0..9_000).map(|n| format!("a{n}: revision ")).collect::<String>()),
        2 => {
            let fragments = (0..50).map(|n| format!("fragment F{n} on Site {{ ...F{m} ...F{m} }} ", m = n + 1));
            format!("{{ sites {{ nodes {{ ...F0 }} }} }} {}fragment F50 on Site {{ name }}", fragments.collect::<String>())
        }
        3 => "{ sites(first: 1000) { nodes { racks(first: 1000) { nodes { devices(first: 1000) { nodes { id } } } } } } }"
            .to_owned(),
        _ => "{".repeat(random.random_range(1..20_000)),
    }
}

/// Returns a request with a token that looks valid.
fn forged(random: &mut SmallRng) -> Vec<u8> {
    let mut part = |length: usize| -> String {
        (0..length)
            .map(|_| char::from(b"ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz"[random.random_range(0..52)]))
            .collect()
    };
    let token = format!("eyJhbGciOiJIUzI1NiJ9.{}.{}", part(120), part(43));
    let body = json!({"query": "{ revision }"}).to_string();
    let head = format!(
        "POST /graphql HTTP/1.1\r\nhost: localhost\r\nauthorization: Bearer {token}\r\n\
         content-type: application/json\r\ncontent-length: {}\r\n\r\n",
        body.len()
    );
    [head.as_bytes(), body.as_bytes()].concat()
}

/// Sends a complete request that must be rejected by its status or by errors.
async fn refused(address: SocketAddr, request: &[u8]) -> Result<()> {
    let exchange = async {
        let mut stream = TcpStream::connect(address).await.doing(|| format!("connect to {address}"))?;
        stream.write_all(request).await.doing(|| "send a request".to_owned())?;
        let mut answer = Vec::new();
        let mut some = [0; READ_BYTES];
        while !answer.windows(9).any(|nine| nine == b"\"errors\":") {
            match stream.read(&mut some).await.doing(|| "read a refusal".to_owned())? {
                0 => break,
                read if answer.len() < READ_BYTES => answer.extend_from_slice(&some[..read]),
                _ => break,
            }
        }
        Ok::<_, LoadError>(String::from_utf8_lossy(&answer).into_owned())
    };
    let what = "a refusal".to_owned();
    let answer =
        timeout(ANSWER_TIMEOUT, exchange).await.map_err(|_| LoadError::TimedOut { what, limit: ANSWER_TIMEOUT })??;
    match answer.contains("\"errors\":") && !answer.starts_with("HTTP/1.1 5") {
        true => Ok(()),
        false => Err(LoadError::Answer(format!("what was to be refused was answered with {answer}"))),
    }
}
