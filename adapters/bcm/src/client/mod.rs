//! The client of BCM's JSON API: a call is a `POST` to `/json` with the name of a service and of its call.
//!
//! Guarantees: every call has a time limit; an answer has a bounded size; redirects are not followed; a call that fails
//! in passing is repeated with growing pauses. Nothing of an answer is in a message but what BCM says about an error,
//! because devices hold the passwords of their BMCs.

mod answer;
mod tls;
mod version;

use std::sync::Arc;

use backon::{ExponentialBuilder, Retryable as _};
use reqwest::{RequestBuilder, Url};
use serde_json::{Value, json};
use underlay_kit::sync::AdapterError;

use self::answer::{BcmFailure, judge, parse, read, unreachable};
pub use self::version::Version;
use crate::object::Object;
use crate::settings::{Pace, Settings, SettingsError, base};

/// A call of the API.
#[derive(Clone, Debug)]
pub struct Call {
    service: &'static str,
    name: &'static str,
    arguments: Value,
}

impl Call {
    /// All devices, of every type.
    pub fn devices() -> Self {
        Self { service: "cmdevice", name: "getDevices", arguments: json!([]) }
    }

    /// One device by its host name; the answer is `null` if there is none. `getNode` would not return lite nodes.
    pub fn device(hostname: &str) -> Self {
        Self { service: "cmdevice", name: "getDevice", arguments: json!([hostname]) }
    }

    /// All categories of devices.
    pub fn categories() -> Self {
        Self { service: "cmdevice", name: "getCategories", arguments: json!([]) }
    }

    /// All racks. BCM ignores the list of ids within the arguments.
    pub fn racks() -> Self {
        Self { service: "cmpart", name: "getRacksByUuids", arguments: json!([[]]) }
    }
}

/// A client of one BCM.
#[derive(Debug)]
pub struct Client {
    http: reqwest::Client,
    base: Url,
    pace: Pace,
}

impl Client {
    /// Returns a client with the certificates that are in the files now.
    ///
    /// # Errors
    /// Returns an error if the settings cannot be used.
    pub fn new(settings: &Settings) -> Result<Self, SettingsError> {
        Ok(Self { http: tls::client(settings)?, base: base(&settings.url)?, pace: settings.pace })
    }

    /// Returns all objects that a call names.
    ///
    /// # Errors
    /// Returns an error if BCM does not answer, refuses, or answers something else than a list of objects.
    pub async fn list(&self, call: &Call) -> Result<Vec<Object>, AdapterError> {
        let (text, body) = self.post(call).await?;
        parse::list(&text, &body)
    }

    /// Returns the object that a call names, `None` if there is none.
    ///
    /// # Errors
    /// Returns an error if BCM does not answer, refuses, or answers something else than an object or null.
    pub async fn find(&self, call: &Call) -> Result<Option<Object>, AdapterError> {
        let (text, body) = self.post(call).await?;
        parse::find(&text, &body)
    }

    /// Returns the version of BCM, which is new enough.
    ///
    /// # Errors
    /// Returns an error if it does not answer, is none, or is too old.
    pub async fn version(&self) -> Result<Version, AdapterError> {
        let url = self.at("rest/v1/version");
        let text: Arc<str> = format!("GET {url}").into();
        // This call comes first. It is not repeated, so that a wrong address is reported soon.
        let body = self.once(&text, self.http.get(url)).await.map_err(BcmFailure::into_error)?;
        Version::read(&text, &body)
    }

    /// Makes a call, and makes it again while it fails in passing. Returns the call as it is shown in messages, and the
    /// body of the answer.
    async fn post(&self, call: &Call) -> Result<(Arc<str>, String), AdapterError> {
        let url = self.at("json");
        let text: Arc<str> = format!("POST {url} {}.{}", call.service, call.name).into();
        let body = json!({"service": call.service, "call": call.name, "args": call.arguments});
        let pauses = ExponentialBuilder::default()
            .with_min_delay(self.pace.first_pause)
            .with_max_delay(self.pace.longest_pause)
            .with_max_times(self.pace.repeats)
            .with_jitter();
        let longest = self.pace.longest_pause;
        let answered = (|| self.once(&text, self.http.post(url.clone()).json(&body)))
            .retry(pauses)
            .when(|failure| matches!(failure, BcmFailure::Passing { .. }))
            .adjust(move |failure, pause| match failure {
                BcmFailure::Passing { after, .. } => {
                    let asked = after.unwrap_or_default().min(longest);
                    pause.map(|pause| pause.max(asked))
                }
                BcmFailure::Final(_) => pause,
            })
            .await;
        answered.map(|body| (Arc::clone(&text), body)).map_err(BcmFailure::into_error)
    }

    async fn once(&self, call: &str, request: RequestBuilder) -> Result<String, BcmFailure> {
        let response = request.send().await.map_err(|error| unreachable(call, &error))?;
        let head = judge(&response);
        let body = read(call, response).await;
        head.finish(call, body)
    }

    fn at(&self, path: &str) -> Url {
        let mut url = self.base.clone();
        url.set_path(&format!("{}{path}", self.base.path()));
        url
    }
}
