//! A server that speaks the API of sources, and fails when a test asks for it.

use std::collections::{BTreeMap, BTreeSet, VecDeque};
use std::sync::{Arc, Mutex, MutexGuard};

use axum::Router;
use axum::body::{Body, Bytes};
use axum::extract::{Query, State};
use axum::http::{StatusCode, header};
use axum::response::{IntoResponse, Response};
use axum::routing::post;
use serde_json::{Map, Value, json};
use tokio::sync::watch;
use underlay_client::{Client, Patience};

use crate::sync::{Pauses, Server};

/// The fault of a request.
#[derive(Clone, Copy, Debug)]
pub enum Fault {
    /// It is not executed: the server is overloaded.
    Busy,
    /// It is not executed: the server fails.
    Error,
    /// It is executed, and the connection breaks before the answer.
    Lost,
}

/// A run.
#[derive(Debug)]
pub struct Run {
    pub id: String,
    pub mode: String,
    pub state: &'static str,
    pub complete: Option<bool>,
    pub seen: BTreeSet<String>,
    pub is_finished: bool,
    pub deleted: usize,
    pub held: usize,
}

/// The data of the server.
#[derive(Debug)]
pub struct Data {
    pub version: &'static str,
    pub history: String,
    /// The properties that the source got when the first run of it began.
    pub source: Option<Value>,
    pub interval: Option<u64>,
    /// The fields of the objects, by external id.
    pub objects: BTreeMap<String, Map<String, Value>>,
    /// The ids of objects that somebody else changed.
    pub changed: BTreeSet<String>,
    pub runs: Vec<Run>,
    /// More gone objects than this are held.
    pub max_gone: usize,
    /// Partial runs are held, because they would empty fields.
    pub holds_partial: bool,
    /// Nobody answers any call.
    pub is_away: bool,
    /// This call is refused for a reason that does not pass.
    pub refuses: Option<&'static str>,
    pub gone: Vec<String>,
    pub errors: Vec<Value>,
    pub counts: Vec<Value>,
    /// The faults of the next requests.
    pub faults: VecDeque<Option<Fault>>,
    /// The requests that were received, by what they ask for.
    pub requests: Vec<&'static str>,
    /// The ids that were written, in order.
    pub written: Vec<String>,
    answers: BTreeMap<String, Vec<u8>>,
}

/// The server.
#[derive(Clone)]
pub struct Fake {
    data: Arc<Mutex<Data>>,
    received: watch::Sender<usize>,
    address: std::net::SocketAddr,
}

impl Fake {
    pub async fn start() -> Self {
        let data = Data {
            version: "0.3.1",
            history: "h1".into(),
            source: None,
            interval: None,
            objects: BTreeMap::new(),
            changed: BTreeSet::new(),
            runs: Vec::new(),
            max_gone: usize::MAX,
            holds_partial: false,
            is_away: false,
            refuses: None,
            gone: Vec::new(),
            errors: Vec::new(),
            counts: Vec::new(),
            faults: VecDeque::new(),
            requests: Vec::new(),
            written: Vec::new(),
            answers: BTreeMap::new(),
        };
        let listener = tokio::net::TcpListener::bind("127.0.0.1:0").await.expect("a port");
        let address = listener.local_addr().expect("an address");
        let (received, _) = watch::channel(0);
        let fake = Self { data: Arc::new(Mutex::new(data)), received, address };
        let routes = Router::new()
            .route("/graphql", post(graphql))
            .route("/apply", post(apply))
            .layer(axum::extract::DefaultBodyLimit::disable())
            .with_state(fake.clone());
        tokio::spawn(async move { axum::serve(listener, routes).await });
        fake
    }

    pub fn data(&self) -> MutexGuard<'_, Data> {
        self.data.lock().expect("a lock")
    }

    /// The server as a synchronizer of the source `git` sees it.
    pub fn server(&self) -> Server {
        let address = format!("http://{}", self.address).parse().expect("an address");
        let client = Client::new(address, Patience::default()).expect("a client");
        let millis = std::time::Duration::from_millis;
        Server::new(client, "git".into(), Pauses { first: millis(1), longest: millis(20), total: millis(500) })
    }

    /// Waits until so many requests were received.
    pub async fn received(&self, count: usize) {
        self.received.subscribe().wait_for(|received| *received >= count).await.expect("the server runs");
    }

    /// Counts a request. Returns what goes wrong with it.
    fn receive(&self, what: &'static str) -> Option<Fault> {
        let mut data = self.data();
        data.requests.push(what);
        let fault = if data.is_away { Some(Fault::Busy) } else { data.faults.pop_front().flatten() };
        self.received.send_replace(data.requests.len());
        fault
    }
}

fn answer(fault: Option<Fault>, answer: impl FnOnce() -> Vec<u8>) -> Response {
    match fault {
        Some(Fault::Busy) => (StatusCode::SERVICE_UNAVAILABLE, [(header::RETRY_AFTER, "0")]).into_response(),
        Some(Fault::Error) => StatusCode::INTERNAL_SERVER_ERROR.into_response(),
        Some(Fault::Lost) => {
            drop(answer());
            let broken = std::io::Error::other("the connection breaks");
            let parts = vec![Ok(Bytes::from_static(b"{\"da")), Err(broken)];
            Body::from_stream(futures_util::stream::iter(parts)).into_response()
        }
        None => answer().into_response(),
    }
}

fn refused(code: &str, message: &str) -> Value {
    json!({"errors": [{"message": message, "extensions": {"code": code}}]})
}

/// The field that stands for the kind of an item that is no rack.
const OTHER_KIND: &str = "otherKind";
const CALLS: [&str; 7] = ["startRun", "reportRun", "settleRun", "finishRun", "cancelRun", "runs(", "server {"];

async fn graphql(State(fake): State<Fake>, body: Bytes) -> Response {
    let request: Value = serde_json::from_slice(&body).expect("JSON");
    let query = request["query"].as_str().expect("a query");
    let call = CALLS.into_iter().find(|call| query.contains(call)).expect("a call that the API has");
    let fault = fake.receive(call);
    let variables = &request["variables"];
    answer(fault, || match variables["id"].as_str() {
        Some(id) => fake.data().once(id, call, &variables["input"]),
        None => serde_json::to_vec(&fake.data().call(call, &variables["input"])).expect("JSON"),
    })
}

async fn apply(State(fake): State<Fake>, Query(parameters): Query<BTreeMap<String, String>>, body: Bytes) -> Response {
    let fault = fake.receive("apply");
    let mut lines = body.split(|byte| *byte == b'\n').filter(|line| !line.is_empty()).map(|line| {
        let line: Value = serde_json::from_slice(line).expect("JSON");
        let (kind, fields) = line["item"].as_object().and_then(|item| item.iter().next()).expect("an item");
        let mut fields = fields.as_object().expect("fields").clone();
        if kind != "rack" {
            fields.insert(OTHER_KIND.to_owned(), kind.as_str().into());
        }
        (fields["externalId"].as_str().expect("an id").to_owned(), fields)
    });
    let items = lines.by_ref().collect();
    answer(fault, || fake.data().apply(&parameters, items))
}

impl Data {
    /// Executes a named request once. A repeat gets the answer of the first time.
    fn once(&mut self, id: &str, call: &str, input: &Value) -> Vec<u8> {
        if let Some(answer) = self.answers.get(id) {
            return answer.clone();
        }
        let answer = serde_json::to_vec(&self.call(call, input)).expect("JSON");
        self.answers.insert(id.to_owned(), answer.clone());
        answer
    }

    fn call(&mut self, call: &str, input: &Value) -> Value {
        let run = input["run"].as_str().unwrap_or_default();
        match call {
            "server {" => json!({"data": {"server": {"version": self.version, "features": ["sources"]}}}),
            "runs(" => {
                let run = |run: &Run| {
                    json!({"id": run.id, "state": run.state, "retired": 0, "deleted": run.deleted, "released": 0,
                        "heldCount": run.held})
                };
                json!({"data": {"source": {"runs": {"nodes": self.runs.iter().rev().map(run).collect::<Vec<_>>()}}}})
            }
            "startRun" => self.start(input),
            _ if self.refuses == Some(call) => refused("INTERNAL", "an internal error; its id is 7"),
            _ if !self.runs.iter().any(|it| it.id == run) => refused("NOT_FOUND", "there is no such run"),
            _ if self.run(run).is_finished => refused("INCOMPATIBLE", "the run is not going on"),
            "reportRun" => self.report(run, input),
            "settleRun" => self.settle(run, input),
            "finishRun" => {
                let holds_partial = self.holds_partial;
                let open = self.run(run);
                open.is_finished = true;
                let holds = holds_partial && open.mode == "PARTIAL";
                open.state = match (open.mode.as_str(), open.complete, open.state) {
                    ("FULL", Some(false) | None, _) => "FAILED",
                    _ if holds => "HELD",
                    (_, _, "HELD") => "HELD",
                    _ => "SUCCEEDED",
                };
                self.outcome("finishRun", run)
            }
            _ => {
                self.run(run).is_finished = true;
                self.run(run).state = "CANCELLED";
                self.outcome("cancelRun", run)
            }
        }
    }

    pub fn run(&mut self, id: &str) -> &mut Run {
        self.runs.iter_mut().find(|run| run.id == id).expect("a run")
    }

    fn start(&mut self, input: &Value) -> Value {
        self.source.get_or_insert_with(|| input["newSource"].clone());
        let mode = input["mode"].as_str().expect("a mode").to_owned();
        if mode == "FULL" && self.runs.iter().any(|run| !run.is_finished && run.mode == "FULL") {
            return refused("IN_USE", "another run is still running");
        }
        let id = format!("run{}", self.runs.len());
        self.runs.push(Run {
            id: id.clone(),
            mode,
            state: "RUNNING",
            complete: None,
            seen: BTreeSet::new(),
            is_finished: false,
            deleted: 0,
            held: 0,
        });
        let run = json!({"id": id, "source": {"interval": self.interval}});
        json!({"data": {"startRun": {"run": run, "history": self.history}}})
    }

    fn report(&mut self, run: &str, input: &Value) -> Value {
        let mut resend = Vec::new();
        let ids = |of: &Value| of["ids"].as_array().map_or(0, Vec::len);
        let count: usize = input["seenIds"].as_array().into_iter().flatten().map(ids).sum();
        if count > 10_000 {
            return refused("INVALID", &format!("seenIds has {count} entries; at most 10000 are allowed"));
        }
        let kinds = input["seenIds"].as_array().into_iter().flatten().map(|of| &of["kind"]);
        if let Some(unknown) = kinds.into_iter().find(|kind| **kind != "Rack") {
            let message = format!("kinds must hold kinds, not {unknown}; the kinds are Rack");
            return json!({"errors": [{"message": message, "extensions": {"code": "INVALID", "field": "kinds"}}]});
        }
        for of in input["seenIds"].as_array().into_iter().flatten() {
            for id in of["ids"].as_array().expect("ids") {
                let id = id.as_str().expect("an id").to_owned();
                self.run(run).seen.insert(id.clone());
                if !self.objects.contains_key(&id) || self.changed.contains(&id) {
                    resend.push(id);
                }
            }
        }
        let texts = |list: &Value, member: &str| -> Vec<String> {
            let list = list.as_array().into_iter().flatten();
            list.map(|it| it[member].as_str().expect("a text").to_owned()).collect()
        };
        self.gone.extend(texts(&input["gone"], "externalId"));
        self.errors.extend(input["errors"].as_array().cloned().unwrap_or_default());
        self.counts.extend(input.get("counts").cloned());
        let resend = if resend.is_empty() { json!([]) } else { json!([{"kind": "Rack", "ids": resend}]) };
        json!({"data": {"reportRun": {"resend": resend}}})
    }

    fn settle(&mut self, run: &str, input: &Value) -> Value {
        let complete = input["complete"] == true;
        self.run(run).complete = Some(complete);
        let seen = self.run(run).seen.clone();
        let deleted = input["deleted"].as_array().into_iter().flatten().filter_map(|it| it["externalId"].as_str());
        let deleted: BTreeSet<&str> = deleted.collect();
        assert!(deleted.is_empty() || self.run(run).mode == "PARTIAL", "a full run is judged by what it did not see");
        let is_gone = |id: &&String| !seen.contains(*id) && (complete || deleted.contains(id.as_str()));
        let gone: Vec<String> = self.objects.keys().filter(is_gone).cloned().collect();
        if gone.len() > self.max_gone {
            self.run(run).state = "HELD";
            self.run(run).held = gone.len();
            return self.outcome("settleRun", run);
        }
        gone.iter().for_each(|id| drop(self.objects.remove(id)));
        self.run(run).deleted += gone.len();
        self.outcome("settleRun", run)
    }

    fn outcome(&mut self, call: &str, run: &str) -> Value {
        let Run { state, deleted, held, .. } = *self.run(run);
        let run = json!({"state": state, "retired": 0, "deleted": deleted, "released": 0, "heldCount": held});
        json!({"data": {call: {"run": run}}})
    }

    /// Writes items. `needs` of an item names one that must be there, and no two objects have the same `slot`.
    fn apply(&mut self, parameters: &BTreeMap<String, String>, items: Vec<(String, Map<String, Value>)>) -> Vec<u8> {
        assert_eq!((&*parameters["conflicts"], &*parameters["source"]), ("SKIP", "git"));
        if let Some(answer) = self.answers.get(&parameters["requestId"]) {
            return answer.clone();
        }
        let run = &parameters["run"];
        if !self.runs.iter().any(|it| it.id == *run && !it.is_finished) {
            return serde_json::to_vec(
                &json!({"end": false, "error": {"code": "NOT_FOUND", "message": "no such run"}}),
            )
            .expect("JSON");
        }
        if self.refuses == Some("apply") {
            let error = json!({"code": "INTERNAL", "message": "an internal error; its id is 7"});
            return serde_json::to_vec(&json!({"end": false, "error": error})).expect("JSON");
        }
        let atomic = parameters["mode"] == "ATOMIC";
        let before = self.objects.clone();
        let mut statuses = Vec::new();
        if atomic {
            self.objects.extend(items.iter().cloned());
        }
        let ids: BTreeSet<&String> = items.iter().map(|(id, _)| id).collect();
        for (id, fields) in &items {
            if !fields.contains_key(OTHER_KIND) {
                self.run(run).seen.insert(id.clone());
            }
            let error = self.refusal(id, fields, &ids);
            let status = match (&error, before.get(id)) {
                (Some(_), _) => "FAILED",
                (None, None) => "CREATED",
                (None, Some(old)) if old == fields => "UNCHANGED",
                (None, Some(_)) => "UPDATED",
            };
            if error.is_none() {
                self.objects.insert(id.clone(), fields.clone());
                self.changed.remove(id);
                self.written.push(id.clone());
            }
            statuses.push(json!({"status": status, "error": error}));
        }
        if atomic && statuses.iter().any(|status| status["status"] == "FAILED") {
            self.objects = before;
        }
        statuses.push(json!({"end": true}));
        let lines = statuses.iter().map(|status| format!("{status}\n")).collect::<String>().into_bytes();
        self.answers.insert(parameters["requestId"].clone(), lines.clone());
        lines
    }

    fn refusal(&self, id: &String, fields: &Map<String, Value>, batch: &BTreeSet<&String>) -> Option<Value> {
        if let Some(kind) = fields.get(OTHER_KIND) {
            let message = format!("item must have exactly one field, of rack; not {kind}");
            return Some(json!({"code": "INVALID", "field": "item", "message": message}));
        }
        let needs = fields.get("needs").and_then(Value::as_str).map(str::to_owned);
        if needs.is_some_and(|needs| !self.objects.contains_key(&needs) && !batch.contains(&needs)) {
            return Some(json!({"code": "NOT_FOUND", "field": "needs", "message": "there is no such rack"}));
        }
        let beside = fields.get("beside").and_then(Value::as_str).and_then(|beside| self.objects.get(beside));
        if beside.is_some_and(|beside| beside.get("site") != fields.get("site")) {
            return Some(json!({"code": "INCOMPATIBLE", "field": "site", "message": "the other one is elsewhere"}));
        }
        let slot = fields.get("slot")?;
        let taken = self.objects.iter().any(|(other, it)| other != id && it.get("slot") == Some(slot));
        taken.then(|| json!({"code": "OVERLAP", "field": "slot", "message": "the slot is taken"}))
    }
}
