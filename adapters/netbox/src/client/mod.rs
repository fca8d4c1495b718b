//! The client of NetBox's REST API.
//!
//! Guarantees: at most 4 calls at a time; every call has a time limit; an answer has a bounded size; redirects are not
//! followed; a call that fails in passing is repeated with growing pauses. The token is in no message.

mod answer;
mod pages;

use std::sync::Arc;

use backon::{ExponentialBuilder, Retryable as _};
use reqwest::header::{ACCEPT, AUTHORIZATION};
use reqwest::{Certificate, Url};
use tokio::sync::Semaphore;
use underlay_kit::sync::AdapterError;

use self::answer::{NetBoxFailure, judge, read, unreachable};
pub use self::pages::{Page, Pages};
use crate::object::Object;
use crate::settings::{Pace, Settings, SettingsError, TokenSource, base};

/// The maximum number of calls at a time, so that NetBox stays usable for people.
const MAX_CALLS: usize = 4;
/// The first version of NetBox that can be read.
const OLDEST: (u64, u64) = (4, 1);

/// A call: what is asked, and its text for messages.
#[derive(Clone, Debug)]
pub struct Call {
    url: Url,
    /// The call as it is shown in messages.
    pub text: Arc<str>,
}

/// A client of one NetBox.
#[derive(Debug)]
pub struct Client {
    http: reqwest::Client,
    base: Url,
    token: TokenSource,
    pace: Pace,
    calls: Semaphore,
}

impl Client {
    /// Returns a client.
    ///
    /// # Errors
    /// Returns an error if the settings cannot be used.
    pub fn new(settings: &Settings) -> Result<Self, SettingsError> {
        let pace = settings.pace;
        let mut builder = reqwest::Client::builder()
            .connect_timeout(pace.connect)
            .timeout(pace.answer)
            // A redirect would return the answer of another server.
            .redirect(reqwest::redirect::Policy::none());
        if let Some(path) = &settings.authority {
            let wrong = |reason: String| SettingsError::Certificate { file: path.display().to_string(), reason };
            let text = std::fs::read(path).map_err(|error| wrong(error.to_string()))?;
            let authorities = Certificate::from_pem_bundle(&text).map_err(|error| wrong(error.to_string()))?;
            if authorities.is_empty() {
                return Err(wrong("it holds no certificate in PEM".to_owned()));
            }
            builder = authorities.into_iter().fold(builder, reqwest::ClientBuilder::add_root_certificate);
        }
        let http = builder.build().map_err(|error| SettingsError::Client { reason: error.to_string() })?;
        let (base, token) = (base(&settings.url)?, settings.token.clone());
        Ok(Self { http, base, token, pace, calls: Semaphore::new(MAX_CALLS) })
    }

    /// Returns the address of NetBox, which ends with a slash.
    pub const fn base(&self) -> &Url {
        &self.base
    }

    /// Returns the call of a path within the API, such as `dcim/sites/`, with parameters.
    pub fn call(&self, path: &str, parameters: &[(&str, &str)]) -> Call {
        let mut url = self.base.clone();
        url.set_path(&format!("{}api/{path}", self.base.path()));
        if !parameters.is_empty() {
            url.query_pairs_mut().extend_pairs(parameters);
        }
        let text = format!("GET {url}");
        Call { url, text: text.into() }
    }

    /// Makes a call, and returns the body of its answer.
    ///
    /// # Errors
    /// Returns an error if NetBox does not answer, refuses, or answers something else than JSON.
    pub async fn get(&self, call: &Call) -> Result<String, AdapterError> {
        self.persist(call).await.map_err(|failure| failure.into_error(call))
    }

    /// Reads one object, `None` if NetBox does not have it.
    ///
    /// # Errors
    /// Returns an error if NetBox does not answer, refuses, or answers something else.
    pub async fn object(&self, path: &str, id: u64) -> Result<Option<Object>, AdapterError> {
        let call = self.call(&format!("{path}/{id}/"), &[("exclude", "config_context")]);
        let body = match self.persist(&call).await {
            Ok(body) => body,
            Err(NetBoxFailure::NoObject) => return Ok(None),
            Err(failure) => return Err(failure.into_error(&call)),
        };
        let object = Object::read(&body, &call.text, String::new())?;
        let found = object.id()?;
        if found == id { Ok(Some(object)) } else { Err(object.wrong("id", &id.to_string(), &found.into())) }
    }

    /// Checks that the address is that of a NetBox which can be read, and returns its version: major and minor.
    ///
    /// # Errors
    /// Returns an error if it does not answer, refuses the token, is none, or is too old.
    pub async fn check(&self) -> Result<(u64, u64), AdapterError> {
        let call = self.call("status/", &[]);
        // This call comes first. It is not repeated, so that a wrong address is reported soon.
        let body = self.once(&call).await.map_err(|failure| failure.into_error(&call))?;
        let status = Object::read(&body, &call.text, String::new())?;
        let version = status.required_text("netbox-version")?;
        let mut parts = version.split('.').map(|part| part.parse::<u64>().ok());
        match (parts.next().flatten(), parts.next().flatten()) {
            (Some(major), Some(minor)) if (major, minor) >= OLDEST => Ok((major, minor)),
            _ => {
                let expected = format!("version {}.{} or later; upgrade NetBox first", OLDEST.0, OLDEST.1);
                Err(status.wrong("netbox-version", &expected, &version.into()))
            }
        }
    }

    /// Makes a call, and makes it again while it fails in passing.
    async fn persist(&self, call: &Call) -> Result<String, NetBoxFailure> {
        let pauses = ExponentialBuilder::default()
            .with_min_delay(self.pace.first_pause)
            .with_max_delay(self.pace.longest_pause)
            .with_max_times(self.pace.repeats)
            .with_jitter();
        let longest = self.pace.longest_pause;
        (|| self.once(call))
            .retry(pauses)
            .when(|failure| matches!(failure, NetBoxFailure::Passing { .. }))
            .adjust(move |failure, pause| {
                let asked = match failure {
                    NetBoxFailure::Passing { after, .. } => after.unwrap_or_default().min(longest),
                    NetBoxFailure::NoObject | NetBoxFailure::NoPath | NetBoxFailure::Final(_) => return pause,
                };
                pause.map(|pause| pause.max(asked))
            })
            .await
    }

    async fn once(&self, call: &Call) -> Result<String, NetBoxFailure> {
        let unusable = |reason| AdapterError::Unusable { call: call.text.to_string(), reason };
        let token = self.token.header().await.map_err(|reason| NetBoxFailure::Final(unusable(reason)))?;
        // The semaphore is never closed, so waiting for it does not fail.
        let _turn = self.calls.acquire().await;
        let request = self.http.get(call.url.clone()).header(AUTHORIZATION, token).header(ACCEPT, "application/json");
        let response = request.send().await.map_err(|error| unreachable(call, &error))?;
        let head = judge(&response);
        let body = read(call, response).await;
        head.finish(call, body)
    }
}
