//! The calls of the server's API that a synchronizer makes.
//!
//! Guarantee: every call of a run is repeated while it fails in passing, and a repeat changes nothing that the first
//! try did.

use std::collections::BTreeMap;

use serde::Deserialize;
use serde_json::{Value, json};
use underlay_client::{Client, ClientError, Lines};
use uuid::Uuid;

use super::error::SyncError;
use super::item::{ExternalId, Secret};
use super::messages::{BatchMode, ItemOutcome, NewSource, RunOutcome, RunReport, RunRequest, RunState, Started};
use super::prepared::Prepared;
use super::retry::Pauses;

/// The major version of the API that this synchronizer speaks.
const MAJOR: &str = "0";
/// The feature that a server must have.
const FEATURE: &str = "sources";

const SERVER: &str = "{ server { version features } }";
const RUNS: &str = "query($name: String!) {
  source(name: $name) { runs(first: 20) { nodes { id ...outcome } } }
}";
const START: &str = "mutation($input: StartRunInput!, $id: String!) {
  startRun(input: $input, requestId: $id) { run { id source { interval } } history }
}";
const REPORT: &str = "mutation($input: ReportRunInput!) { reportRun(input: $input) { resend { kind ids } } }";
const SETTLE: &str = "mutation($input: SettleRunInput!) { settleRun(input: $input) { run { ...outcome } } }";
const FINISH: &str = "mutation($input: FinishRunInput!) { finishRun(input: $input) { run { ...outcome } } }";
const CANCEL: &str = "mutation($input: CancelRunInput!) { cancelRun(input: $input) { run { ...outcome } } }";
const SECRETS: &str = "mutation($input: SetSecretsInput!) { setSecrets(input: $input) { set } }";
const OUTCOME: &str = "fragment outcome on SourceRun { state retired deleted released heldCount }";

/// The server, as a synchronizer of one source sees it.
#[derive(Clone, Debug)]
pub struct Server {
    client: Client,
    source: String,
    pauses: Pauses,
}

#[derive(Deserialize)]
struct Of {
    kind: String,
    ids: Vec<String>,
}

impl Server {
    /// Returns the server of a client for one source.
    pub const fn new(client: Client, source: String, pauses: Pauses) -> Self {
        Self { client, source, pauses }
    }

    /// Returns the name of the source.
    pub fn source(&self) -> &str {
        &self.source
    }

    /// Checks that the server understands this synchronizer.
    ///
    /// # Errors
    /// Returns an error if the server cannot be reached, is of another major version, or knows no sources.
    pub async fn check(&self) -> Result<(), SyncError> {
        #[derive(Deserialize)]
        struct Data {
            server: About,
        }
        #[derive(Deserialize)]
        struct About {
            version: String,
            features: Vec<String>,
        }
        // This call comes first. It is not repeated for long, so that a wrong address is reported soon.
        let about = match self.client.query::<Data>(SERVER, json!({})).await {
            Ok(Data { server }) => server,
            // A server that knows no sources has no such field.
            Err(ClientError::Graphql(errors)) if errors.iter().all(|error| error.code() == Some("INVALID")) => {
                return Err(SyncError::TooOld { server: self.client.server().to_string() });
            }
            Err(error) => return Err(error.into()),
        };
        if about.version.split('.').next() != Some(MAJOR) {
            return Err(SyncError::Version { server: self.client.server().to_string(), version: about.version });
        }
        match about.features.iter().any(|feature| feature == FEATURE) {
            true => Ok(()),
            false => Err(SyncError::TooOld { server: self.client.server().to_string() }),
        }
    }

    /// Begins a run, or returns the one that this request began. A source that the server does not have gets the
    /// properties in `new`.
    ///
    /// # Errors
    /// Returns an error if the server cannot be reached, or refuses the run: another one is going on, the source is
    /// paused, or the token is not allowed to.
    pub async fn start(&self, request: RunRequest, new: &NewSource) -> Result<Started, SyncError> {
        #[derive(Deserialize)]
        #[serde(rename_all = "camelCase")]
        struct Data {
            start_run: Payload,
        }
        #[derive(Deserialize)]
        struct Payload {
            run: Run,
            history: String,
        }
        #[derive(Deserialize)]
        struct Run {
            id: String,
            source: Option<Of>,
        }
        #[derive(Deserialize)]
        struct Of {
            interval: Option<u64>,
        }
        let new =
            json!({"type": new.kind, "url": new.url, "interval": new.interval_seconds, "prune": new.prune.name()});
        let input = json!({"source": self.source, "mode": request.mode.name(), "newSource": new});
        // All tries are one request, so that a lost answer leaves no run behind that blocks the next one.
        let variables = json!({"input": input, "id": request.id.to_string()});
        let Data { start_run: Payload { run, history } } = self.call(START, variables).await?;
        Ok(Started { run: run.id, history, interval_seconds: run.source.and_then(|source| source.interval) })
    }

    /// Reports what was seen, found gone or cannot be mapped. Returns the identities that the server does not know, or
    /// has otherwise than this source last wrote them.
    ///
    /// # Errors
    /// Returns an error if the server cannot be reached, or the run is not going on any more.
    pub async fn report(&self, run: &str, report: &RunReport) -> Result<Vec<ExternalId>, SyncError> {
        #[derive(Deserialize)]
        #[serde(rename_all = "camelCase")]
        struct Data {
            report_run: Payload,
        }
        #[derive(Deserialize)]
        struct Payload {
            resend: Vec<Of>,
        }
        let seen = report.seen.iter().map(|(kind, ids)| json!({"kind": kind_name(kind), "ids": ids}));
        let gone = report.gone.iter().map(|it| json!({"kind": kind_name(&it.kind), "externalId": it.id}));
        let errors =
            report.errors.iter().map(|(id, code, message)| json!({"externalId": id, "code": code, "message": message}));
        let mut input = json!({"run": run, "seenIds": seen.collect::<Vec<_>>(), "gone": gone.collect::<Vec<_>>(),
            "errors": errors.collect::<Vec<_>>()});
        if let Some((read, put_aside, left_out)) = report.counts {
            input["counts"] = json!({"read": read, "putAside": put_aside, "leftOut": left_out});
        }
        let Data { report_run: Payload { resend } } = self.call(REPORT, json!({"input": input})).await?;
        let kinds: BTreeMap<String, &String> = report.seen.keys().map(|kind| (kind_name(kind), kind)).collect();
        let known = resend.into_iter().filter_map(|of| Some((*kinds.get(&of.kind)?, of.ids)));
        Ok(known.flat_map(|(kind, ids)| ids.into_iter().map(move |id| ExternalId::new(kind, id))).collect())
    }

    /// Has the server judge and remove what the source does not have any more. `complete` is false if the scan did not
    /// read everything; then nothing is removed.
    ///
    /// # Errors
    /// Returns an error if the server cannot be reached, or the run is not going on any more.
    pub async fn settle(&self, run: &str, complete: bool) -> Result<RunOutcome, SyncError> {
        self.outcome(SETTLE, json!({"run": run, "complete": complete})).await
    }

    /// Has the server judge and remove what the source has deleted for certain, in a partial run.
    ///
    /// # Errors
    /// Returns an error if the server cannot be reached, or the run is not going on any more.
    pub async fn settle_deleted(&self, run: &str, deleted: &[ExternalId]) -> Result<RunOutcome, SyncError> {
        let deleted = deleted.iter().map(|it| json!({"kind": kind_name(&it.kind), "externalId": it.id}));
        let input = json!({"run": run, "complete": false, "deleted": deleted.collect::<Vec<_>>()});
        self.outcome(SETTLE, input).await
    }

    /// Ends a run.
    ///
    /// # Errors
    /// Returns an error if the server cannot be reached, or the run is not going on any more.
    pub async fn finish(&self, run: &str, cursor: Option<&str>) -> Result<RunOutcome, SyncError> {
        match self.outcome(FINISH, json!({"run": run, "cursor": cursor})).await {
            // The answer to an earlier try may have been lost.
            Err(SyncError::Client(error)) if error.has_code("INCOMPATIBLE") => match self.ended(run).await? {
                Some(ended) => Ok(ended),
                None => Err(error.into()),
            },
            outcome => outcome,
        }
    }

    /// Returns what became of a run, if it ended as a whole.
    async fn ended(&self, run: &str) -> Result<Option<RunOutcome>, SyncError> {
        #[derive(Deserialize)]
        struct Data {
            source: Option<Source>,
        }
        #[derive(Deserialize)]
        struct Source {
            runs: Runs,
        }
        #[derive(Deserialize)]
        struct Runs {
            nodes: Vec<Run>,
        }
        #[derive(Deserialize)]
        struct Run {
            id: String,
            #[serde(flatten)]
            outcome: RunOutcome,
        }
        let data: Data = self.call(&with_outcome(RUNS), json!({"name": self.source})).await?;
        let runs = data.source.map(|source| source.runs.nodes).unwrap_or_default();
        let is_whole = |state| matches!(state, RunState::Succeeded | RunState::Held | RunState::Failed);
        let found = runs.into_iter().find(|found| found.id == run && is_whole(found.outcome.state));
        Ok(found.map(|found| found.outcome))
    }

    /// Gives a run up, without repeating the call: the server abandons the run anyway.
    ///
    /// # Errors
    /// Returns an error if the server cannot be reached, or the run is not going on any more.
    pub async fn cancel(&self, run: &str) -> Result<(), SyncError> {
        let variables = json!({"input": {"run": run}});
        let cancelled: Result<Value, _> = self.client.query(&with_outcome(CANCEL), variables).await;
        Ok(cancelled.map(drop)?)
    }

    async fn outcome(&self, mutation: &str, input: Value) -> Result<RunOutcome, SyncError> {
        #[derive(Deserialize)]
        struct Payload {
            run: RunOutcome,
        }
        let data: BTreeMap<String, Payload> = self.call(&with_outcome(mutation), json!({ "input": input })).await?;
        let payload = data.into_values().next();
        payload.map(|payload| payload.run).ok_or_else(|| self.unexpected("the answer has no run").into())
    }

    /// Writes a batch within a run. Returns what became of each item, in their order.
    ///
    /// # Errors
    /// Returns an error if the server cannot be reached, or refuses the batch as a whole.
    pub async fn apply(&self, run: &str, mode: BatchMode, items: &[Prepared]) -> Result<Vec<ItemOutcome>, SyncError> {
        let mode = match mode {
            BatchMode::PerItem => "PER_ITEM",
            BatchMode::Atomic => "ATOMIC",
        };
        let parameters = [("run", run), ("source", &self.source), ("mode", mode), ("conflicts", "SKIP")];
        let mut lines = Lines::default();
        items.iter().for_each(|item| lines.push(&item.json));
        // All tries are one request, so that the server writes the batch once.
        let id = Uuid::new_v4().to_string();
        let outcomes = self.pauses.persist(async || self.client.apply_as(&id, &parameters, lines.clone()).await);
        Ok(outcomes.await?)
    }

    /// Returns true if nobody on the way to the server can read what is sent to it.
    pub fn is_protected(&self) -> bool {
        let server = self.client.server();
        server.is_local() || server.to_string().starts_with("https://")
    }

    /// Sets secrets of credentials of the source, all of them or none.
    ///
    /// # Errors
    /// Returns an error if the server cannot be reached, or refuses one of them.
    pub async fn set_secrets(&self, secrets: &[Secret]) -> Result<(), ClientError> {
        let secret = |it: &Secret| {
            let credential = json!({"source": self.source, "externalId": it.credential});
            json!({"credential": credential, "field": it.field, "value": it.value})
        };
        let input = json!({"secrets": secrets.iter().map(secret).collect::<Vec<_>>()});
        self.call::<Value>(SECRETS, json!({ "input": input })).await.map(drop)
    }

    async fn call<T: serde::de::DeserializeOwned>(&self, operation: &str, variables: Value) -> Result<T, ClientError> {
        self.pauses.persist(async || self.client.query(operation, variables.clone()).await).await
    }

    fn unexpected(&self, reason: &str) -> ClientError {
        ClientError::NotGraphql { server: self.client.server().to_string(), reason: reason.to_owned() }
    }
}

fn with_outcome(mutation: &str) -> String {
    format!("{mutation}\n{OUTCOME}")
}

/// Returns the name of a kind: that of `powerFeed` is `PowerFeed`.
fn kind_name(kind: &str) -> String {
    let (first, rest) = kind.split_at(kind.chars().next().map_or(0, char::len_utf8));
    first.to_uppercase() + rest
}

#[cfg(test)]
mod tests {
    use underlay_testing::graphql::assert_valid;

    use super::*;

    #[test]
    fn the_server_has_what_is_asked() {
        [SERVER, START, REPORT, SECRETS].iter().for_each(assert_valid);
        [RUNS, SETTLE, FINISH, CANCEL].iter().for_each(|document| assert_valid(with_outcome(document)));
    }
}
