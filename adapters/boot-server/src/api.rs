//! Asks the server by its API what a machine may do, and passes on what machines report.

use std::time::Duration;

use serde::{Deserialize, Serialize};
use serde_json::{Value, json};
use tokio::time::{sleep, timeout};
use underlay_client::{Client, ClientError, Pauses};

use crate::settings::Settings;

const ANSWER: &str = "mutation AnswerBoot($input: AnswerBootInput!) {
    answerBoot(input: $input) { target reason host text contentType files { name url checksum } }
}";
const REPORT: &str = "mutation ReportBoot($input: ReportBootInput!) { reportBoot(input: $input) { host message } }";

/// The part of a boot that a question is about.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "UPPERCASE")]
pub enum Stage {
    /// The firmware asks for a loader.
    Loader,
    /// The loader asks for its script: a boot begins.
    Start,
    /// A file of a boot is fetched.
    Files,
    /// The installer asks for its text.
    Text,
}

impl Stage {
    /// Returns the word of the API.
    pub fn name(self) -> &'static str {
        match self {
            Self::Loader => "LOADER",
            Self::Start => "START",
            Self::Files => "FILES",
            Self::Text => "TEXT",
        }
    }
}

/// The program that executes a script.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "UPPERCASE")]
pub enum Executes {
    Grub,
    Ipxe,
}

/// A question about a machine.
#[derive(Clone, Debug, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct Question {
    pub stage: Stage,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub program: Option<Executes>,
    pub macs: Vec<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub serial: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub uuid: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub board_serial: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub address: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub token: Option<String>,
}

impl Question {
    /// Returns a question that names no machine yet.
    pub fn new(stage: Stage) -> Self {
        Self {
            stage,
            program: None,
            macs: Vec::new(),
            serial: None,
            uuid: None,
            board_serial: None,
            address: None,
            token: None,
        }
    }
}

/// The boot that a machine gets. A word of a later server counts as `LOCAL` does.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "UPPERCASE")]
pub enum Target {
    Discover,
    Install,
    Wipe,
    #[serde(other)]
    Local,
}

impl Target {
    /// Returns the word of the API.
    pub fn name(self) -> &'static str {
        match self {
            Self::Local => "LOCAL",
            Self::Discover => "DISCOVER",
            Self::Install => "INSTALL",
            Self::Wipe => "WIPE",
        }
    }
}

/// The answer of the server.
#[derive(Clone, Debug, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct Answer {
    pub target: Target,
    pub reason: String,
    pub host: Option<String>,
    pub text: Option<String>,
    pub content_type: Option<String>,
    pub files: Vec<File>,
}

/// A file that a machine may fetch.
#[derive(Clone, Debug, Deserialize)]
pub struct File {
    pub name: String,
    pub url: String,
    pub checksum: Option<String>,
}

/// A report of a machine.
#[derive(Clone, Debug, PartialEq, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct Report {
    pub token: String,
    pub outcome: Outcome,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub stage: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub percent: Option<u8>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub message: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub facts: Option<Value>,
}

/// The state of what a boot does.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "UPPERCASE")]
pub enum Outcome {
    Working,
    Done,
    Failed,
}

/// The answer of the server to a report.
#[derive(Clone, Debug, Deserialize)]
pub struct Reported {
    pub message: Option<String>,
}

#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
struct Answered {
    answer_boot: Answer,
}

#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
struct Noted {
    report_boot: Reported,
}

/// A question as it is sent.
#[derive(Serialize)]
struct Input<'a> {
    #[serde(flatten)]
    question: &'a Question,
    url: &'a str,
    #[serde(skip_serializing_if = "Option::is_none")]
    within: Option<&'a str>,
}

/// The API of a server, for a boot server.
#[derive(Clone, Debug)]
pub struct Api {
    client: Client,
    url: String,
    within: Option<String>,
    question: Duration,
    report: Duration,
}

impl Api {
    /// Creates the API for a boot server with some settings.
    pub fn new(client: Client, settings: &Settings) -> Self {
        Self {
            client,
            url: settings.url.clone(),
            within: settings.within.clone(),
            question: settings.times.question,
            report: settings.times.report,
        }
    }

    /// Asks what a machine may do, within the time for a question. A question that begins a boot is sent once. Any other
    /// one is sent again if the connection breaks.
    ///
    /// # Errors
    /// Returns the reason why there is no answer.
    pub async fn answer(&self, question: &Question) -> Result<Answer, ClientError> {
        let input = Input { question, url: &self.url, within: self.within.as_deref() };
        let asking = async {
            let Answered { answer_boot } = match question.stage {
                Stage::Start => {
                    let whole = self.client.ask(ANSWER, json!({"input": input}), None).await?;
                    if !whole.errors.is_empty() {
                        return Err(ClientError::Graphql(whole.errors));
                    }
                    serde_json::from_value(whole.data).map_err(|error| self.not_graphql(&error))?
                }
                _ => self.client.mutate(ANSWER, |_| json!({"input": input})).await?,
            };
            Ok(answer_boot)
        };
        timeout(self.question, asking).await.unwrap_or_else(|_| Err(self.timed_out(self.question)))
    }

    /// Passes a report on. It is sent again while the server is away, within the time for a report.
    ///
    /// # Errors
    /// Returns the reason why the server did not take it.
    pub async fn report(&self, report: &Report) -> Result<Reported, ClientError> {
        let mut pauses = Pauses::default();
        let reporting = async {
            loop {
                match self.client.mutate(REPORT, |_| json!({"input": report})).await {
                    Ok(Noted { report_boot }) => return Ok(report_boot),
                    Err(error) if error.is_passing() => sleep(pauses.next_pause()).await,
                    Err(error) => return Err(error),
                }
            }
        };
        timeout(self.report, reporting).await.unwrap_or_else(|_| Err(self.timed_out(self.report)))
    }

    fn timed_out(&self, after: Duration) -> ClientError {
        ClientError::TimedOut { server: self.client.server().to_string(), seconds: after.as_secs() }
    }

    fn not_graphql(&self, error: &serde_json::Error) -> ClientError {
        ClientError::NotGraphql { server: self.client.server().to_string(), reason: error.to_string() }
    }
}
