//! A BMC: the connections to it, and the session or credential with which it is opened.
//!
//! A session (DSP0266, *Session-based authentication*) is opened at the first call that needs it, shared by all systems of
//! the BMC, opened anew when the BMC no longer accepts it, and deleted when it is not needed any more. A BMC that offers
//! no sessions gets the credential with each call.

use std::time::Duration;

use backon::{ExponentialBuilder, Retryable as _};
use reqwest::header::{ACCEPT, HeaderName, HeaderValue, IF_MATCH, LOCATION};
use reqwest::{Certificate, Client, Method, RequestBuilder, StatusCode, Url};
use serde_json::json;
use tokio::sync::{Mutex, MutexGuard};
use underlay_address::Exceptions;
use underlay_hosts::machine::{Secret, Target};

use crate::call::{Call, Effect, RedfishAnswer};
use crate::failure::RedfishError;
use crate::resolver::Checked;
use crate::resource::{Resource, object, resolve, text};

/// The header with the token of a session.
const TOKEN: HeaderName = HeaderName::from_static("x-auth-token");
/// The time for which a connection is kept for the next call. BMCs close idle ones, and a call on a connection that is
/// being closed would get no answer.
const IDLE_CONNECTION_LIFETIME: Duration = Duration::from_secs(2);

/// The times of calls. The controller gives a driver 20 seconds for a call, which is a few calls over Redfish.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Pace {
    /// The longest time for a connection.
    pub connect: Duration,
    /// The longest time for the answer to a read.
    pub read: Duration,
    /// The longest time for the reads before an act, with their repeats.
    pub prepare: Duration,
    /// The longest time for the answer to an act.
    pub act: Duration,
    /// The pause before the first repeat of a read. Later ones are longer.
    pub first_pause: Duration,
    /// The number of repeats of a read that failed in passing.
    pub repeats: usize,
}

impl Default for Pace {
    fn default() -> Self {
        Self {
            connect: Duration::from_secs(4),
            read: Duration::from_secs(6),
            prepare: Duration::from_secs(10),
            act: Duration::from_secs(9),
            first_pause: Duration::from_millis(200),
            repeats: 2,
        }
    }
}

/// The way in which calls are authenticated.
#[derive(Clone)]
enum Login {
    /// Nothing was tried yet.
    Unknown,
    /// With the credential itself, because the BMC offers no sessions.
    Basic,
    /// With the token of a session.
    Session { token: HeaderValue, url: Option<Url> },
}

/// A BMC with a credential.
pub struct Bmc {
    http: Client,
    root: Url,
    secret: Option<Secret>,
    login: Mutex<Login>,
    /// The turn of the one that reads the hardware of machines: this is long, and weak BMCs bear one at a time.
    turn: Mutex<()>,
    pace: Pace,
}

impl Bmc {
    /// Returns the BMC with a service root, opened as a target says. Nothing is sent yet.
    ///
    /// # Errors
    /// Returns an error if the trusted certificates cannot be read.
    pub fn new(root: Url, target: &Target, exceptions: &Exceptions, pace: Pace) -> Result<Self, RedfishError> {
        let wrong = |error: reqwest::Error| RedfishError::Authorities { reason: error.to_string() };
        let mut builder = Client::builder()
            .connect_timeout(pace.connect)
            .pool_idle_timeout(IDLE_CONNECTION_LIFETIME)
            // A redirect would lead to a host that was not checked, and so would a proxy.
            .redirect(reqwest::redirect::Policy::none())
            .no_proxy()
            .dns_resolver(Checked { exceptions: exceptions.clone(), allowed: target.allowed_hosts().to_vec() });
        if target.insecure {
            builder = builder.danger_accept_invalid_certs(true);
        } else if let Some(text) = target.trusted_cas.as_deref().filter(|text| !text.trim().is_empty()) {
            let authorities = Certificate::from_pem_bundle(text.as_bytes()).map_err(wrong)?;
            if authorities.is_empty() {
                return Err(RedfishError::Authorities { reason: "it holds no certificate".to_owned() });
            }
            builder = authorities.into_iter().fold(builder, reqwest::ClientBuilder::add_root_certificate);
        }
        let http = builder.build().map_err(wrong)?;
        Ok(Self {
            http,
            root,
            secret: target.secret.clone(),
            login: Mutex::new(Login::Unknown),
            turn: Mutex::new(()),
            pace,
        })
    }

    /// Reads the service root, which needs no credential (DSP0266).
    ///
    /// # Errors
    /// Returns an error if it cannot be read.
    pub async fn root(&self) -> Result<Resource, RedfishError> {
        let call = Call::read(self.root.clone());
        let once = || async { call.resource(call.send(self.request(&call), self.pace.read).await?) };
        once.retry(self.pauses()).when(RedfishError::is_passing).await
    }

    /// Reads a resource. A read that fails in passing is repeated.
    ///
    /// # Errors
    /// Returns an error if the resource cannot be read.
    pub async fn read(&self, url: Url) -> Result<Resource, RedfishError> {
        let call = Call::read(url);
        let once = || async { call.resource(self.make(&call, self.pace.read).await?) };
        once.retry(self.pauses()).when(RedfishError::is_passing).await
    }

    /// Waits for the turn to read the hardware of a machine, which ends when the guard is dropped.
    pub async fn turn_to_be_read(&self) -> MutexGuard<'_, ()> {
        self.turn.lock().await
    }

    /// Makes a call that changes something, once. It is made again only after an answer which shows that it was not made:
    /// the session had ended, or the BMC wants to know which version of the resource is changed.
    ///
    /// # Errors
    /// Returns an error if the BMC refuses the call, or does not answer.
    pub async fn change(&self, mut call: Call, resource: &Resource) -> Result<(), RedfishError> {
        let answer = self.make(&call, self.pace.act).await?;
        let wants_version =
            matches!(answer.status, StatusCode::PRECONDITION_FAILED | StatusCode::PRECONDITION_REQUIRED);
        if !wants_version {
            return call.check(&answer);
        }
        let now = self.read(resource.url.clone()).await?;
        call.if_match = Some(now.etag.unwrap_or_else(|| "*".to_owned()));
        let answer = self.make(&call, self.pace.act).await?;
        call.check(&answer)
    }

    /// Deletes the session, if there is one.
    pub async fn close(&self) {
        let login = std::mem::replace(&mut *self.login.lock().await, Login::Unknown);
        let Login::Session { token, url: Some(url) } = login else { return };
        let call = Call { method: Method::DELETE, ..Call::read(url) };
        // A session that cannot be deleted ends by itself, after the time-out that the BMC has for sessions.
        drop(call.send(self.request(&call).header(TOKEN, token), self.pace.read).await);
    }

    /// Makes a call with the credential.
    async fn make(&self, call: &Call, within: Duration) -> Result<RedfishAnswer, RedfishError> {
        let login = self.login().await?;
        let answer = call.send(self.authenticated(call, &login), within).await?;
        let Login::Session { token, .. } = login else { return Ok(answer) };
        if answer.status != StatusCode::UNAUTHORIZED {
            return Ok(answer);
        }
        self.forget(&token).await;
        let login = self.login().await?;
        call.send(self.authenticated(call, &login), within).await
    }

    fn request(&self, call: &Call) -> RequestBuilder {
        let request = self.http.request(call.method.clone(), call.url.clone());
        let request = request.header(ACCEPT, "application/json").header("odata-version", "4.0");
        match &call.if_match {
            Some(etag) => request.header(IF_MATCH, etag),
            None => request,
        }
    }

    fn authenticated(&self, call: &Call, login: &Login) -> RequestBuilder {
        let request = self.request(call);
        match (login, &self.secret) {
            (Login::Session { token, .. }, _) => request.header(TOKEN, token.clone()),
            (_, Some(secret)) => request.basic_auth(&secret.username, Some(&secret.password)),
            (_, None) => request,
        }
    }

    /// Returns the way to authenticate, and opens a session if there is none. Calls that come meanwhile wait for it.
    async fn login(&self) -> Result<Login, RedfishError> {
        let mut login = self.login.lock().await;
        if matches!(*login, Login::Unknown) {
            *login = match &self.secret {
                Some(secret) => self.open(secret).await?,
                None => Login::Basic,
            };
        }
        Ok(login.clone())
    }

    /// Forgets a session that the BMC does not accept, unless another call has done so already.
    async fn forget(&self, ended: &HeaderValue) {
        let mut login = self.login.lock().await;
        if matches!(&*login, Login::Session { token, .. } if token == ended) {
            *login = Login::Unknown;
        }
    }

    /// Opens a session, if the BMC offers them.
    async fn open(&self, secret: &Secret) -> Result<Login, RedfishError> {
        let root = self.root().await?;
        // DSP0268 demands this link in the service root of a BMC with sessions.
        let link = object(&root.members, "Links").and_then(|links| object(links, "Sessions"));
        let Some(link) = link.and_then(|link| text(link, "@odata.id")) else { return Ok(Login::Basic) };
        let url = root.resolve(link, "Links.Sessions")?;
        let body = json!({"UserName": secret.username, "Password": secret.password});
        // A session that got no answer is harmless, so the call counts as a read.
        let call = Call::change(Method::POST, url.clone(), body, Effect::Reads);
        let answer = call.send(self.request(&call), self.pace.read).await?;
        match answer.status {
            StatusCode::UNAUTHORIZED | StatusCode::FORBIDDEN => call.check(&answer)?,
            status if status.is_redirection() => call.check(&answer)?,
            _ => {}
        }
        let token = answer.headers.get(&TOKEN).filter(|_| answer.status.is_success());
        // BMCs name sessions that they do not have, and refuse them when they have too many.
        let Some(token) = token else { return Ok(Login::Basic) };
        let mut token = token.clone();
        token.set_sensitive(true);
        let location = answer.headers.get(LOCATION).and_then(|value| value.to_str().ok());
        let location = location.or_else(|| answer.members.as_ref().and_then(|members| text(members, "@odata.id")));
        Ok(Login::Session { token, url: location.and_then(|location| resolve(&url, location)) })
    }

    fn pauses(&self) -> ExponentialBuilder {
        ExponentialBuilder::default()
            .with_min_delay(self.pace.first_pause)
            .with_max_times(self.pace.repeats)
            .with_jitter()
    }
}
