//! Requests over HTTP, one connection each, and answers with their headers as they were written.

use std::time::Duration;

use tokio::io::{AsyncReadExt as _, AsyncWriteExt as _};
use tokio::net::TcpStream;
use tokio::time::timeout;

/// The most bytes of an answer.
const MAX_REPLY_BYTES: usize = 64 << 20;
/// The most bytes of the head of an answer.
const MAX_HEAD_BYTES: usize = 64 * 1024;

/// A request that was sent, with the status of its answer, if it got one.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Asked {
    pub method: String,
    pub path: String,
    pub status: Option<u16>,
}

/// A whole answer.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Reply {
    pub status: u16,
    /// The names and values, as they were written.
    pub headers: Vec<(String, String)>,
    pub body: Vec<u8>,
}

/// The reason why there is no whole answer.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Failure {
    NotUrl,
    Refused,
    /// The connection ended before the end of the answer, or the answer is none.
    Broken,
    TimedOut,
}

impl Reply {
    /// Returns a header by its name as it is written, as `strcmp` compares.
    pub fn header_as_written(&self, name: &str) -> Option<&str> {
        self.headers.iter().find(|(it, _)| it == name).map(|(_, value)| value.as_str())
    }

    /// Returns a header by its name in any case.
    pub fn header(&self, name: &str) -> Option<&str> {
        self.headers.iter().find(|(it, _)| it.eq_ignore_ascii_case(name)).map(|(_, value)| value.as_str())
    }
}

/// Splits a URL into the server and the path.
pub fn split(url: &str) -> Option<(&str, &str)> {
    let rest = url.strip_prefix("http://")?;
    let at = rest.find('/')?;
    Some((&rest[..at], &rest[at..]))
}

/// Sends a request, and waits for the whole answer for some time.
///
/// # Errors
/// Returns the reason why there is none.
pub async fn send(method: &str, url: &str, agent: &str, wait: Duration) -> Result<Reply, Failure> {
    let (server, path) = split(url).ok_or(Failure::NotUrl)?;
    let head = format!("{method} {path} HTTP/1.1\r\nHost: {server}\r\nAccept: */*\r\nUser-Agent: {agent}\r\n\r\n");
    exchange(server, head.as_bytes(), wait).await
}

/// Sends the bytes of a request to a server, and waits for the whole answer for some time.
///
/// # Errors
/// Returns the reason why there is none.
pub async fn exchange(server: &str, request: &[u8], wait: Duration) -> Result<Reply, Failure> {
    let address = if server.contains(':') { server.to_owned() } else { format!("{server}:80") };
    let exchange = async {
        let mut stream = TcpStream::connect(&address).await.map_err(|_| Failure::Refused)?;
        stream.write_all(request).await.map_err(|_| Failure::Broken)?;
        let reply = read(&mut stream, request.starts_with(b"HEAD ")).await;
        // Firmware resets its connections.
        let _ = stream.set_zero_linger();
        reply
    };
    timeout(wait, exchange).await.unwrap_or(Err(Failure::TimedOut))
}

/// Reads an answer. Its body ends with its length or the connection.
async fn read(stream: &mut TcpStream, is_head: bool) -> Result<Reply, Failure> {
    let mut bytes = Vec::new();
    let end = loop {
        if let Some(end) = bytes.windows(4).position(|window| window == b"\r\n\r\n") {
            break end;
        }
        if bytes.len() > MAX_HEAD_BYTES || stream.read_buf(&mut bytes).await.map_err(|_| Failure::Broken)? == 0 {
            return Err(Failure::Broken);
        }
    };
    let head = String::from_utf8_lossy(&bytes[..end]).into_owned();
    let mut lines = head.split("\r\n");
    let status = lines.next().and_then(|line| line.strip_prefix("HTTP/1.1 ")?.get(..3)?.parse().ok());
    let header = |line: &str| {
        let (name, value) = line.split_once(':')?;
        Some((name.to_owned(), value.trim().to_owned()))
    };
    let mut reply = Reply {
        status: status.ok_or(Failure::Broken)?,
        headers: lines.filter_map(header).collect(),
        body: bytes.split_off(end + 4),
    };
    if is_head {
        return Ok(reply);
    }
    let length =
        reply.header("content-length").map(|it| it.parse::<usize>().map_err(|_| Failure::Broken)).transpose()?;
    while length.is_none_or(|length| reply.body.len() < length) {
        if reply.body.len() > MAX_REPLY_BYTES {
            return Err(Failure::Broken);
        }
        match (stream.read_buf(&mut reply.body).await, length) {
            (Err(_), _) | (Ok(0), Some(_)) => return Err(Failure::Broken),
            (Ok(0), None) => break,
            (Ok(_), _) => {}
        }
    }
    Ok(reply)
}
