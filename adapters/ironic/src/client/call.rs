//! The client: it agrees on a microversion, authenticates calls, and repeats those that failed in passing.

use std::sync::{Mutex, PoisonError};

use backon::{ExponentialBuilder, Retryable as _};
use reqwest::{Method, Url};
use serde_json::{Map, Value};
use tokio::sync::Semaphore;

use super::address::{ConnectionError, base};
use super::answer::{IronicAnswer, IronicFailure, VERSIONS, offered};
use super::auth::Authenticator;
use super::connection::{Connection, Pace};
use super::error::IronicError;
use super::request::{Call, Effect};
use super::version::Microversion;

/// The maximum number of calls at a time, so that Ironic stays usable for others.
const MAX_CALLS: usize = 8;
/// The header that names the microversion of a request.
const VERSION: &str = "x-openstack-ironic-api-version";

/// A client of one Ironic.
#[derive(Debug)]
pub struct Client {
    http: reqwest::Client,
    base: Url,
    auth: Authenticator,
    pace: Pace,
    calls: Semaphore,
    /// The microversion that both know, once it was asked for.
    version: Mutex<Option<Microversion>>,
}

impl Client {
    /// Returns a client. It connects when it is used.
    ///
    /// # Errors
    /// Returns an error if the connection cannot be used.
    pub fn new(connection: &Connection) -> Result<Self, ConnectionError> {
        Ok(Self {
            http: connection.http()?,
            base: base("Ironic", &connection.url, "/v1", "https://ironic.example.com:6385")?,
            auth: Authenticator::new(connection.auth.clone())?,
            pace: connection.pace,
            calls: Semaphore::new(MAX_CALLS),
            version: Mutex::new(None),
        })
    }

    /// Returns the address of Ironic, which ends with a slash.
    pub const fn base(&self) -> &Url {
        &self.base
    }

    /// Asks Ironic for its microversions, and returns the newest that both know. Later calls use it. This call is not
    /// repeated, so that a wrong address is reported soon, and it does not authenticate.
    ///
    /// # Errors
    /// Returns an error if Ironic does not answer, is none, or both know no microversion in common.
    pub async fn negotiate(&self) -> Result<Microversion, IronicError> {
        let call = Call::new(Method::GET, self.at(&["v1"]), Effect::Reads);
        let answer = IronicAnswer::of(&call, self.http.get(call.url.clone())).await.map_err(|failure| failure.error)?;
        let read = |name| Microversion::parse(answer.headers.get(name)?.to_str().ok()?);
        let [Some(oldest), Some(newest)] = VERSIONS.map(read) else {
            let expected =
                format!("the headers {} and {}; check that the URL is that of Ironic", VERSIONS[0], VERSIONS[1]);
            return Err(call.wrong("", expected));
        };
        let agreed = Microversion::agree(oldest, newest);
        *self.version.lock().unwrap_or_else(PoisonError::into_inner) = agreed;
        agreed.ok_or_else(|| {
            let advice = if newest < Microversion::OLDEST { "upgrade Ironic first" } else { "upgrade Underlay first" };
            IronicError::Version { call: call.text.to_string(), offered: offered(&answer.headers), advice }
        })
    }

    /// Returns the call of a path within the API, such as `["nodes", ID]`.
    pub(super) fn call(&self, method: Method, path: &[&str], effect: Effect) -> Call {
        let path: Vec<&str> = std::iter::once("v1").chain(path.iter().copied()).collect();
        Call::new(method, self.at(&path), effect)
    }

    /// Makes a call whose answer is an object, and makes it again while it failed in passing.
    pub(super) async fn object(&self, call: &Call) -> Result<Map<String, Value>, IronicError> {
        self.make(call).await?.object(call)
    }

    /// Makes a call, and makes it again while it failed in passing.
    pub(super) async fn make(&self, call: &Call) -> Result<IronicAnswer, IronicError> {
        let pauses = ExponentialBuilder::default()
            .with_min_delay(self.pace.first_pause)
            .with_max_delay(self.pace.longest_pause)
            .with_max_times(self.pace.repeats)
            .with_jitter();
        let longest = self.pace.longest_pause;
        let answered = (|| self.authenticated(call))
            .retry(pauses)
            .when(|failure: &IronicFailure| failure.error.is_passing())
            .adjust(move |failure, pause| {
                let asked = failure.after.unwrap_or_default().min(longest);
                pause.map(|pause| pause.max(asked))
            })
            .await;
        answered.map_err(|failure| failure.error)
    }

    /// Makes a call once, or twice if its token was refused.
    async fn authenticated(&self, call: &Call) -> Result<IronicAnswer, IronicFailure> {
        // The semaphore is never closed, so waiting for it does not fail.
        let _turn = self.calls.acquire().await;
        let known = *self.version.lock().unwrap_or_else(PoisonError::into_inner);
        let version = match known {
            Some(version) => version,
            None => self.negotiate().await?,
        };
        let header = self.auth.header(&self.http, call).await?;
        let answered = self.once(call, version, header.as_ref()).await;
        let is_refused = |failure: &IronicFailure| matches!(&failure.error, IronicError::Access { status, .. } if status.as_u16() == 401);
        match answered {
            // A call that is refused did nothing, so it can be made again.
            Err(failure) if is_refused(&failure) => {
                if !self.auth.renew(header.as_ref().map(|(_, value)| value)).await {
                    return Err(failure);
                }
                let header = self.auth.header(&self.http, call).await?;
                self.once(call, version, header.as_ref()).await
            }
            Err(failure) if matches!(failure.error, IronicError::Version { .. }) => {
                *self.version.lock().unwrap_or_else(PoisonError::into_inner) = None;
                Err(failure)
            }
            answered => answered,
        }
    }

    async fn once(
        &self,
        call: &Call,
        version: Microversion,
        header: Option<&(reqwest::header::HeaderName, reqwest::header::HeaderValue)>,
    ) -> Result<IronicAnswer, IronicFailure> {
        let mut request = self.http.request(call.method.clone(), call.url.clone());
        request = request.header(VERSION, version.to_string()).header(reqwest::header::ACCEPT, "application/json");
        if let Some((name, value)) = header {
            request = request.header(name, value);
        }
        if let Some(body) = &call.body {
            request = request.json(body);
        }
        IronicAnswer::of(call, request).await
    }

    fn at(&self, path: &[&str]) -> Url {
        let mut url = self.base.clone();
        // Names are escaped, so that none leads to another path. An address with a host has segments.
        if let Ok(mut segments) = url.path_segments_mut() {
            segments.pop_if_empty().extend(path);
        }
        url
    }
}
