//! A BMC for tests: it keeps to DSP0266 for sessions, and has faults on request.

use std::collections::BTreeSet;
use std::sync::{Arc, Mutex};
use std::time::Duration;

use axum::Router;
use axum::body::{Body, Bytes};
use axum::extract::{Request, State};
use axum::http::{HeaderMap, Method, StatusCode};
use axum::response::{IntoResponse as _, Response};
use axum::serve::Listener;
use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;
use futures_util::stream;
use rcgen::{CertifiedKey, generate_simple_self_signed};
use serde_json::{Value, json};
use tokio::net::{TcpListener, TcpStream};
use tokio::task::JoinHandle;
use tokio_rustls::TlsAcceptor;
use tokio_rustls::rustls::ServerConfig;
use tokio_rustls::rustls::pki_types::{PrivateKeyDer, PrivatePkcs8KeyDer};
use tokio_rustls::server::TlsStream;
use underlay_hosts::machine::{Secret, Target};
use underlay_redfish::Pace;
use underlay_testing::HANG;

pub const USER: &str = "operator";
pub const PASSWORD: &str = "Tr0ub4dor-and-3";

/// A fault of the BMC.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Fault {
    #[default]
    None,
    /// It never answers a reset, and does it.
    Silent,
    /// It never answers anything.
    Deaf,
    /// It answers a page of HTML.
    Garbage,
    /// Its answers break off in the middle.
    Half,
    /// Its answers never end.
    Endless,
    /// It accepts resets and does nothing.
    Lies,
    /// It refuses resets.
    Conflict,
    /// It breaks off the answer to a reset.
    HalfReset,
    /// It fails with HTTP 503.
    Busy,
    /// It fails with HTTP 503 in the first two reads.
    BusyAtFirst,
    /// It redirects everything.
    Redirects,
    /// It has too many sessions.
    Full,
}

/// The state of the BMC, and the calls that it got.
#[derive(Default)]
pub struct Inner {
    pub fault: Fault,
    pub power: String,
    /// The systems and their parts, by their paths.
    pub systems: Vec<(String, Value)>,
    pub offers_sessions: bool,
    pub sessions: BTreeSet<String>,
    pub opened: usize,
    pub wants_version: bool,
    pub resets: Vec<String>,
    pub boots: Vec<Value>,
    pub reads: usize,
    /// The calls that are no reads, each with its method and path.
    pub changes: Vec<String>,
    /// The path at which it never answers.
    pub hangs_at: Option<String>,
}

/// A BMC that runs until it is dropped.
pub struct Bmc {
    pub port: u16,
    /// The certificate in PEM, if it speaks TLS.
    pub certificate: Option<String>,
    inner: Arc<Mutex<Inner>>,
    running: JoinHandle<()>,
}

impl Drop for Bmc {
    fn drop(&mut self) {
        self.running.abort();
    }
}

/// Listens for connections with TLS.
struct Tls {
    listener: TcpListener,
    acceptor: TlsAcceptor,
}

impl Listener for Tls {
    type Io = TlsStream<TcpStream>;
    type Addr = std::net::SocketAddr;

    async fn accept(&mut self) -> (Self::Io, Self::Addr) {
        loop {
            let Ok((stream, address)) = self.listener.accept().await else { continue };
            // A client that does not trust the certificate goes away.
            if let Ok(stream) = self.acceptor.accept(stream).await {
                return (stream, address);
            }
        }
    }

    fn local_addr(&self) -> std::io::Result<Self::Addr> {
        self.listener.local_addr()
    }
}

fn system(uuid: &str, serial: &str) -> Value {
    json!({
        "Id": "1", "Name": "System", "UUID": uuid, "SerialNumber": serial,
        "Boot": {"BootSourceOverrideTarget@Redfish.AllowableValues": ["None", "Pxe", "Hdd", "UefiHttp"], "HttpBootUri": null},
        "Actions": {"#ComputerSystem.Reset": {
            "target": "Actions/Reset",
            "ResetType@Redfish.AllowableValues": ["On", "ForceOff", "GracefulShutdown", "ForceRestart"]}},
    })
}

pub const UUID: &str = "38947555-7742-3448-3784-823347823834";
pub const SYSTEM: &str = "/redfish/v1/Systems/1";

impl Bmc {
    pub async fn start() -> Self {
        let listener = TcpListener::bind("127.0.0.1:0").await.expect("a port");
        Self::run(listener.local_addr().expect("an address").port(), None, |router| async move {
            axum::serve(listener, router).await.expect("serves");
        })
    }

    /// A BMC with TLS and a certificate for a name.
    pub async fn secure(name: &str) -> Self {
        let CertifiedKey { cert, signing_key } = generate_simple_self_signed([name.to_owned()]).expect("a certificate");
        let key = PrivateKeyDer::Pkcs8(PrivatePkcs8KeyDer::from(signing_key.serialize_der()));
        let config = ServerConfig::builder().with_no_client_auth().with_single_cert(vec![cert.der().clone()], key);
        let acceptor = TlsAcceptor::from(Arc::new(config.expect("a configuration")));
        let listener = TcpListener::bind("127.0.0.1:0").await.expect("a port");
        let port = listener.local_addr().expect("an address").port();
        Self::run(port, Some(cert.pem()), |router| async move {
            axum::serve(Tls { listener, acceptor }, router).await.expect("serves");
        })
    }

    fn run<F>(port: u16, certificate: Option<String>, serve: impl FnOnce(Router) -> F) -> Self
    where
        F: Future<Output = ()> + Send + 'static,
    {
        let inner = Inner {
            power: "Off".to_owned(),
            systems: vec![(SYSTEM.to_owned(), system(UUID, "437XR"))],
            offers_sessions: true,
            ..Inner::default()
        };
        let inner = Arc::new(Mutex::new(inner));
        let router = Router::new().fallback(answer).with_state(Arc::clone(&inner));
        Self { port, certificate, inner, running: tokio::spawn(serve(router)) }
    }

    /// Looks at the BMC, or changes it.
    pub fn with<T>(&self, work: impl FnOnce(&mut Inner) -> T) -> T {
        work(&mut self.inner.lock().expect("the BMC"))
    }

    /// Adds a system.
    pub fn add(&self, path: &str, members: Value) {
        self.with(|it| it.systems.push((path.to_owned(), members)));
    }

    /// The machine of the BMC.
    pub fn target(&self, path: &str) -> Target {
        let scheme = if self.certificate.is_some() { "redfish" } else { "redfish+http" };
        let secret = Secret { username: USER.to_owned(), password: PASSWORD.to_owned(), ..Secret::default() };
        Target { url: format!("{scheme}://127.0.0.1:{}{path}", self.port), secret: Some(secret), ..Target::default() }
    }
}

async fn answer(State(inner): State<Arc<Mutex<Inner>>>, request: Request) -> Response {
    let (parts, body) = request.into_parts();
    let body = axum::body::to_bytes(body, 1 << 20).await.unwrap_or_default();
    let path = parts.uri.path().to_owned();
    let fault = {
        let mut inner = inner.lock().expect("the BMC");
        inner.reads += usize::from(parts.method == Method::GET);
        if parts.method != Method::GET {
            inner.changes.push(format!("{} {path}", parts.method));
        }
        match inner.fault {
            Fault::BusyAtFirst if inner.reads > 2 => Fault::None,
            _ if inner.hangs_at.as_ref() == Some(&path) => Fault::Deaf,
            fault => fault,
        }
    };
    match fault {
        Fault::Deaf => std::future::pending().await,
        Fault::Garbage => (StatusCode::OK, "<html>Welcome</html>").into_response(),
        Fault::Half => half(),
        Fault::Endless => {
            let piece = Bytes::from(vec![b' '; 1 << 16]);
            Body::from_stream(stream::repeat_with(move || Ok::<_, std::io::Error>(piece.clone()))).into_response()
        }
        Fault::Busy | Fault::BusyAtFirst => error(StatusCode::SERVICE_UNAVAILABLE, "The BMC restarts."),
        Fault::Redirects => (StatusCode::FOUND, [("location", "http://169.254.169.254/")]).into_response(),
        _ => {
            let answer = inner.lock().expect("the BMC").route(&parts.method, &path, &parts.headers, &body);
            match fault {
                Fault::Silent if path.ends_with("/Reset") => std::future::pending().await,
                Fault::HalfReset if path.ends_with("/Reset") => half(),
                _ => answer,
            }
        }
    }
}

/// An answer that breaks off.
fn half() -> Response {
    let pieces = [Ok(Bytes::from_static(b"{\"Members\": [")), Err(std::io::Error::other("the BMC restarts"))];
    let body = Body::from_stream(stream::iter(pieces));
    Response::builder().header("content-length", "1000").body(body).expect("an answer")
}

fn error(status: StatusCode, message: &str) -> Response {
    let error = json!({"error": {"code": "Base.1.8.GeneralError", "message": "See ExtendedInfo.",
        "@Message.ExtendedInfo": [{"MessageId": "Base.1.8.X", "Message": message}]}});
    (status, axum::Json(error)).into_response()
}

impl Inner {
    fn route(&mut self, method: &Method, path: &str, headers: &HeaderMap, body: &[u8]) -> Response {
        let body: Value = serde_json::from_slice(body).unwrap_or_default();
        let found = |value: Value| axum::Json(value).into_response();
        match (method.as_str(), path) {
            ("GET", "/redfish/v1/") => {
                let links = match self.offers_sessions {
                    true => json!({"Sessions": {"@odata.id": "/redfish/v1/SessionService/Sessions"}}),
                    false => json!({}),
                };
                return found(json!({"@odata.id": "/redfish/v1/", "Systems": {"@odata.id": "Systems"}, "Links": links,
                        "UpdateService": {"@odata.id": "/update"}}));
            }
            ("POST", "/redfish/v1/SessionService/Sessions") => return self.open(&body),
            _ if !self.admits(headers) => return error(StatusCode::UNAUTHORIZED, "Who are you?"),
            _ => {}
        }
        if let Some(token) =
            path.strip_prefix("/redfish/v1/SessionService/Sessions/").filter(|_| method == Method::DELETE)
        {
            self.sessions.remove(token);
            return StatusCode::NO_CONTENT.into_response();
        }
        let systems = self.systems.iter().filter(|(path, _)| path.starts_with("/redfish/v1/Systems/"));
        let members: Vec<Value> = systems.map(|(path, _)| json!({"@odata.id": path})).collect();
        let system = self.systems.iter().find(|(own, _)| own == path).map(|(_, members)| members.clone());
        match (method.as_str(), system) {
            ("GET", _) if path == "/redfish/v1/Systems" => found(json!({ "Members": members })),
            ("GET", Some(mut system)) => {
                system["PowerState"] = json!(self.power);
                ([("etag", "W/\"7\"")], axum::Json(system)).into_response()
            }
            ("PATCH", Some(_)) if self.wants_version && headers.get("if-match").is_none_or(|it| it != "W/\"7\"") => {
                error(StatusCode::PRECONDITION_REQUIRED, "Give a version.")
            }
            ("PATCH", Some(_)) => {
                self.boots.push(body["Boot"].clone());
                StatusCode::NO_CONTENT.into_response()
            }
            ("POST", _) if path == "/redfish/v1/Systems/Actions/Reset" => self.reset(&body),
            _ => error(StatusCode::NOT_FOUND, "There is nothing here."),
        }
    }

    fn open(&mut self, body: &Value) -> Response {
        if body != &json!({"UserName": USER, "Password": PASSWORD}) {
            return error(StatusCode::UNAUTHORIZED, "Wrong password.");
        }
        if self.fault == Fault::Full {
            return error(StatusCode::BAD_REQUEST, "The maximum number of sessions is reached.");
        }
        self.opened += 1;
        let token = format!("t{}", self.opened);
        self.sessions.insert(token.clone());
        let location = format!("https://bmc.local/redfish/v1/SessionService/Sessions/{token}");
        (StatusCode::CREATED, [("x-auth-token", token), ("location", location)]).into_response()
    }

    fn admits(&self, headers: &HeaderMap) -> bool {
        let text = |name: &str| headers.get(name).and_then(|value| value.to_str().ok());
        let basic = format!("Basic {}", STANDARD.encode(format!("{USER}:{PASSWORD}")));
        text("x-auth-token").is_some_and(|token| self.sessions.contains(token)) || text("authorization") == Some(&basic)
    }

    fn reset(&mut self, body: &Value) -> Response {
        let name = body["ResetType"].as_str().unwrap_or_default().to_owned();
        if self.fault == Fault::Conflict {
            return error(StatusCode::CONFLICT, "The system is being updated.");
        }
        self.resets.push(name.clone());
        if self.fault != Fault::Lies {
            self.power = if name.ends_with("Off") || name == "GracefulShutdown" { "Off" } else { "On" }.to_owned();
        }
        StatusCode::NO_CONTENT.into_response()
    }
}

/// The times of calls in tests: longer than a slow machine takes for any of them.
pub fn pace() -> Pace {
    Pace { connect: HANG, read: HANG, prepare: HANG, act: HANG, first_pause: Duration::from_millis(10), repeats: 2 }
}
