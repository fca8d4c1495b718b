//! Fetches files from origins, part by part.

use std::io;
use std::sync::Arc;
use std::time::Duration;

use axum::body::{Body, BodyDataStream, Bytes};
use futures_util::TryStreamExt as _;
use futures_util::stream::try_unfold;
use hyper::body::Incoming;
use hyper::header::{ACCEPT_ENCODING, CONTENT_LENGTH, HOST, USER_AGENT};
use hyper::{Method, Request, Response, StatusCode};
use hyper_util::rt::TokioIo;
use reqwest::Url;
use rustls_platform_verifier::BuilderVerifierExt as _;
use thiserror::Error;
use tokio::io::{AsyncRead, AsyncWrite};
use tokio::net::TcpStream;
use tokio::task::JoinHandle;
use tokio::time::timeout;
use tokio_rustls::TlsConnector;
use tokio_rustls::rustls::ClientConfig;
use tokio_rustls::rustls::crypto::aws_lc_rs;
use tokio_rustls::rustls::pki_types::ServerName;

use super::digest::{Checking, Expected};
use super::{MAX_PART_BYTES, Opened};
use crate::settings::{Origin, Times};

/// The reason why a file is not fetched. A URL is shown without its query, in which secrets can be.
#[derive(Debug, Error)]
pub enum FetchError {
    #[error("{0:?} is not a URL")]
    NotUrl(String),
    #[error("{0} is below none of the origins of this boot server")]
    NotListed(String),
    #[error("{0:?} is not a checksum such as sha256:HEX or sha512:HEX")]
    Checksum(String),
    #[error("{url} cannot be fetched: {reason}")]
    Unreachable { url: String, reason: String },
    #[error("{url} answered with the status {status}{}", if status.is_redirection() { ", and redirects are not followed" } else { "" })]
    Status { url: String, status: StatusCode },
    #[error("{0} did not say how long it is")]
    NoLength(String),
}

/// The origins from which files may be fetched.
pub struct Origins {
    listed: Vec<Origin>,
    times: Times,
    /// Made when it is first needed, because it reads all certificates of the system.
    tls: tokio::sync::OnceCell<TlsConnector>,
}

impl Origins {
    pub fn new(listed: Vec<Origin>, times: Times) -> Self {
        Self { listed, times, tls: tokio::sync::OnceCell::new() }
    }

    /// Opens a file, or asks for its length alone.
    ///
    /// # Errors
    /// Returns the reason why it is not fetched.
    pub async fn open(&self, url: &str, checksum: Option<&str>, is_head: bool) -> Result<Opened, FetchError> {
        let url: Url = url.parse().map_err(|_| FetchError::NotUrl(url.to_owned()))?;
        let shown = shown(&url);
        if !self.listed.iter().any(|origin| origin.contains(&url)) {
            return Err(FetchError::NotListed(shown));
        }
        let expected = checksum.map(|text| Expected::parse(text).ok_or_else(|| FetchError::Checksum(text.to_owned())));
        let expected = expected.transpose()?;
        let method = if is_head { Method::HEAD } else { Method::GET };
        let unreachable = |reason: String| FetchError::Unreachable { url: shown.clone(), reason };
        let asking = timeout(self.times.origin, self.ask(&url, method)).await;
        let (response, connection) =
            asking.map_err(|_| unreachable("it did not answer in time".to_owned()))?.map_err(unreachable)?;
        if response.status() != StatusCode::OK {
            return Err(FetchError::Status { url: shown, status: response.status() });
        }
        let length = response.headers().get(CONTENT_LENGTH).and_then(|it| it.to_str().ok()?.parse().ok());
        let length = length.ok_or(FetchError::NoLength(shown))?;
        if is_head {
            return Ok(Opened::head(length));
        }
        let passing = Passing {
            body: Body::new(response.into_body()).into_data_stream(),
            _connection: connection,
            patience: self.times.part,
            checking: expected.map(Expected::begin),
            held: None,
            is_begun: false,
        };
        Ok(Opened::new(length, try_unfold(passing, Passing::next)))
    }

    /// Sends a request, each over a connection of its own.
    async fn ask(&self, url: &Url, method: Method) -> Result<(Response<Incoming>, Connection), String> {
        let host = url.host_str().ok_or("it has no host")?;
        let port = url.port_or_known_default().ok_or("it has no port")?;
        let stream =
            TcpStream::connect((host.trim_matches(['[', ']']), port)).await.map_err(|error| error.to_string())?;
        match url.scheme() {
            "https" => {
                let tls = self.tls.get_or_try_init(async || connector()).await?;
                let name = ServerName::try_from(host.trim_matches(['[', ']']).to_owned());
                let name = name.map_err(|error| error.to_string())?;
                let stream = tls.connect(name, stream).await.map_err(|error| error.to_string())?;
                send(stream, url, method).await
            }
            _ => send(stream, url, method).await,
        }
    }
}

fn connector() -> Result<TlsConnector, String> {
    let builder = ClientConfig::builder_with_provider(Arc::new(aws_lc_rs::default_provider()));
    let config = builder.with_safe_default_protocol_versions().and_then(|builder| builder.with_platform_verifier());
    let config = config.map_err(|error| error.to_string())?;
    Ok(TlsConnector::from(Arc::new(config.with_no_client_auth())))
}

/// The task of a connection, which ends with it.
struct Connection(JoinHandle<()>);

impl Drop for Connection {
    fn drop(&mut self) {
        self.0.abort();
    }
}

async fn send<S>(stream: S, url: &Url, method: Method) -> Result<(Response<Incoming>, Connection), String>
where
    S: AsyncRead + AsyncWrite + Unpin + Send + 'static,
{
    let mut builder = hyper::client::conn::http1::Builder::new();
    builder.max_buf_size(MAX_PART_BYTES).title_case_headers(true);
    let (mut sender, connection) =
        builder.handshake::<_, Body>(TokioIo::new(stream)).await.map_err(|error| error.to_string())?;
    // Its failure is that of the request, or of the body.
    let connection = Connection(tokio::spawn(async move { drop(connection.await) }));
    let target = match url.query() {
        Some(query) => format!("{}?{query}", url.path()),
        None => url.path().to_owned(),
    };
    let host = match url.port() {
        Some(port) => format!("{}:{port}", url.host_str().unwrap_or_default()),
        None => url.host_str().unwrap_or_default().to_owned(),
    };
    let request = Request::builder()
        .method(method)
        .uri(target)
        .header(HOST, host)
        .header(USER_AGENT, concat!("underlay-boot-server/", env!("CARGO_PKG_VERSION")))
        .header(ACCEPT_ENCODING, "identity")
        .body(Body::empty())
        .map_err(|error| error.to_string())?;
    let response = sender.send_request(request).await.map_err(|error| error.to_string())?;
    Ok((response, connection))
}

/// Returns a URL without its query.
fn shown(url: &Url) -> String {
    let mut url = url.clone();
    url.set_query(None);
    url.set_fragment(None);
    url.to_string()
}

/// A body that is being passed on.
struct Passing {
    body: BodyDataStream,
    _connection: Connection,
    patience: Duration,
    checking: Option<Checking>,
    /// The part that is kept back until more comes, or until the digest was checked.
    held: Option<Bytes>,
    /// True once a part came.
    is_begun: bool,
}

impl Passing {
    /// Returns the next part, with what is left.
    async fn next(mut self) -> io::Result<Option<(Bytes, Self)>> {
        loop {
            let next = timeout(self.patience, self.body.try_next()).await.map_err(|_| io::ErrorKind::TimedOut)?;
            let Some(part) = next.map_err(io::Error::other)? else { return self.end() };
            if part.is_empty() {
                continue;
            }
            // A page with an error that comes as a 200: no kernel begins so, and iPXE would execute it.
            if !self.is_begun && part.starts_with(b"<") {
                return Err(io::Error::new(io::ErrorKind::InvalidData, "it is a page, and not the file"));
            }
            self.is_begun = true;
            match &mut self.checking {
                None => return Ok(Some((part, self))),
                Some(checking) => {
                    checking.add(&part);
                    if let Some(before) = self.held.replace(part) {
                        return Ok(Some((before, self)));
                    }
                }
            }
        }
    }

    /// Returns what was kept back if the digest is right.
    fn end(mut self) -> io::Result<Option<(Bytes, Self)>> {
        if let Some(found) = self.checking.take().and_then(Checking::wrong) {
            return Err(io::Error::new(io::ErrorKind::InvalidData, format!("the digest is {found}")));
        }
        Ok(self.held.take().map(|last| (last, self)))
    }
}
