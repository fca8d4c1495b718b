//! An origin of files, and any other server that answers in its own way: it sends bytes as the test gives them.

use std::sync::Arc;

use tokio::io::{AsyncReadExt as _, AsyncWriteExt as _};
use tokio::net::TcpListener;
use tokio::task::JoinHandle;

/// The answer to a request.
pub enum Says {
    /// These bytes, and then the connection ends.
    Bytes(Vec<u8>),
    /// These bytes, and then nothing more, while the connection stays.
    Stalls(Vec<u8>),
}

/// A server of raw answers.
pub struct Raw {
    pub url: String,
    task: JoinHandle<()>,
}

impl Drop for Raw {
    fn drop(&mut self) {
        self.task.abort();
    }
}

impl Raw {
    /// Starts a server that answers a method and a path.
    pub async fn start(says: impl Fn(&str, &str) -> Says + Send + Sync + 'static) -> Self {
        let listener = TcpListener::bind("127.0.0.1:0").await.expect("a port");
        let url = format!("http://{}", listener.local_addr().expect("an address"));
        let says = Arc::new(says);
        let task = tokio::spawn(async move {
            while let Ok((mut stream, _)) = listener.accept().await {
                let says = Arc::clone(&says);
                tokio::spawn(async move {
                    let mut request = Vec::new();
                    while !request.windows(4).any(|window| window == b"\r\n\r\n") {
                        if !matches!(stream.read_buf(&mut request).await, Ok(1..)) {
                            return;
                        }
                    }
                    let request = String::from_utf8_lossy(&request).into_owned();
                    let mut words = request.split(' ');
                    let (method, path) = (words.next().unwrap_or_default(), words.next().unwrap_or_default());
                    match says(method, path) {
                        Says::Bytes(bytes) => {
                            // A client that does not want the end closes before it.
                            let _ = stream.write_all(&bytes).await;
                        }
                        Says::Stalls(bytes) => {
                            let _ = stream.write_all(&bytes).await;
                            std::future::pending::<()>().await;
                        }
                    }
                });
            }
        });
        Self { url, task }
    }
}

/// Returns an answer with the length of the body, which HEAD leaves out.
pub fn ok(method: &str, body: &[u8]) -> Vec<u8> {
    answer(method, "200 OK", &format!("Content-Length: {}\r\n", body.len()), body)
}

/// Returns an answer with these headers.
pub fn answer(method: &str, status: &str, headers: &str, body: &[u8]) -> Vec<u8> {
    let mut bytes = format!("HTTP/1.1 {status}\r\n{headers}\r\n").into_bytes();
    if method != "HEAD" {
        bytes.extend_from_slice(body);
    }
    bytes
}
