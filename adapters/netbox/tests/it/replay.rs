//! A small server that replays recorded answers of NetBox, and behaves like it: it pages, filters, authenticates, logs
//! changes, and fails on request.

use std::collections::{BTreeMap, BTreeSet};
use std::io::Read as _;
use std::path::Path;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use axum::Router;
use axum::body::Body;
use axum::extract::{RawQuery, State};
use axum::http::header::{AUTHORIZATION, CONTENT_TYPE, LOCATION, RETRY_AFTER};
use axum::http::{HeaderMap, StatusCode, Uri};
use axum::response::{IntoResponse as _, Response};
use flate2::read::GzDecoder;
use serde_json::{Value, json};
use tokio::net::TcpListener;

/// The token that the server takes.
pub const TOKEN: &str = "nbt_abcdefghijkl.0123456789";
/// Lists of NetBox that the recording does not have, because they were empty.
const EMPTY: [&str; 5] = [
    "dcim/console-server-ports",
    "dcim/inventory-items",
    "dcim/mac-addresses",
    "ipam/services",
    "wireless/wireless-links",
];

/// The way in which a list fails.
#[derive(Clone, Debug)]
pub enum Fault {
    /// The token has no right.
    Forbidden,
    /// The path does not exist.
    NotFound,
    /// The server fails for a number of calls, and asks to be left alone for a second.
    Broken(usize),
    /// The text of the answer ends in the middle.
    Truncated,
    /// The connection ends in the middle of the answer.
    Dies,
    /// The answer does not come.
    Slow,
    /// A page says that it is the last one, and is not.
    Short,
    /// Parameters are ignored.
    Ignores,
    /// The answer is at another place.
    Moved,
    /// The answer is a page for people.
    Html,
    /// A member of the first object has another value.
    Wrong(&'static str, Value),
}

/// The state of the server.
#[derive(Debug, Default)]
struct Data {
    lists: BTreeMap<String, BTreeMap<u64, Value>>,
    faults: BTreeMap<String, Fault>,
    version: String,
    page: usize,
    calls: Vec<String>,
    max_at_once: usize,
    at_once: usize,
    /// The lists that wait to be answered together, and their number then.
    gathered: BTreeSet<String>,
    gathers: usize,
}

/// A server that goes on until it is dropped.
#[derive(Debug)]
pub struct Replay {
    data: Arc<Mutex<Data>>,
    task: tokio::task::JoinHandle<()>,
    /// The address.
    pub url: String,
}

impl Drop for Replay {
    fn drop(&mut self) {
        self.task.abort();
    }
}

type Shared = Arc<Mutex<Data>>;

fn lock(data: &Shared) -> MutexGuard<'_, Data> {
    data.lock().unwrap_or_else(PoisonError::into_inner)
}

impl Replay {
    /// Starts a server with the recorded answers.
    pub async fn demo() -> Self {
        let folder = Path::new(env!("CARGO_MANIFEST_DIR"));
        let beside = folder.join("tests/demo");
        let folder = if beside.is_dir() { beside } else { folder.join("adapters/netbox/tests/demo") };
        let mut lists = BTreeMap::new();
        for file in std::fs::read_dir(folder).expect("the recording").flatten() {
            let name = file.file_name().to_string_lossy().into_owned();
            let Some(name) = name.strip_suffix(".json.gz") else { continue };
            let mut text = String::new();
            let file = std::fs::File::open(file.path()).expect("a recorded list");
            GzDecoder::new(file).read_to_string(&mut text).expect("a gzipped list");
            let objects: Vec<Value> = serde_json::from_str(&text).expect("a list");
            let by_id = objects.into_iter().map(|it| (it["id"].as_u64().expect("an id"), it)).collect();
            lists.insert(name.replacen('.', "/", 1), by_id);
        }
        Self::start(lists).await
    }

    /// Starts a server that has nothing.
    pub async fn empty() -> Self {
        let demo = Self::demo().await;
        let lists = lock(&demo.data).lists.keys().map(|name| (name.clone(), BTreeMap::new())).collect();
        Self::start(lists).await
    }

    async fn start(mut lists: BTreeMap<String, BTreeMap<u64, Value>>) -> Self {
        for name in EMPTY.into_iter().chain(["core/object-changes"]) {
            lists.entry(name.to_owned()).or_default();
        }
        let data = Data { lists, version: "4.7.3".to_owned(), page: 1_000, ..Data::default() };
        let data = Arc::new(Mutex::new(data));
        let router = Router::new().fallback(answer).with_state(Arc::clone(&data));
        let listener = TcpListener::bind("127.0.0.1:0").await.expect("a port");
        let url = format!("http://{}", listener.local_addr().expect("an address"));
        let task = tokio::spawn(async move { axum::serve(listener, router).await.expect("to serve") });
        Self { data, task, url }
    }

    /// Lets a list fail, or all lists under a path.
    pub fn fail(&self, path: &str, fault: Fault) {
        lock(&self.data).faults.insert(path.to_owned(), fault);
    }

    /// Ends all failures.
    pub fn heal(&self) {
        lock(&self.data).faults.clear();
    }

    /// Sets the version.
    pub fn version(&self, version: &str) {
        lock(&self.data).version = version.to_owned();
    }

    /// Answers no list before so many of them are asked for.
    pub fn gather(&self, lists: usize) {
        lock(&self.data).gathers = lists;
    }

    /// Sets the maximum number of objects on a page.
    pub fn page(&self, page: usize) {
        lock(&self.data).page = page;
    }

    /// Returns the calls so far, and the greatest number of calls at a time.
    pub fn calls(&self) -> (Vec<String>, usize) {
        let data = lock(&self.data);
        (data.calls.clone(), data.max_at_once)
    }

    /// Returns the objects of a list.
    pub fn list(&self, path: &str) -> Vec<Value> {
        lock(&self.data).lists.get(path).map(|list| list.values().cloned().collect()).unwrap_or_default()
    }

    /// Returns the number of objects of each list.
    pub fn counts(&self) -> BTreeMap<String, u64> {
        lock(&self.data).lists.iter().map(|(name, list)| (name.clone(), list.len() as u64)).collect()
    }

    /// Hides an object from the token, without logging anything.
    pub fn hide(&self, path: &str, id: u64) {
        lock(&self.data).lists.get_mut(path).expect("a list").remove(&id).expect("an object");
    }

    /// Adds an object, without logging it.
    pub fn insert(&self, path: &str, object: Value) {
        let id = object["id"].as_u64().expect("an id");
        lock(&self.data).lists.entry(path.to_owned()).or_default().insert(id, object);
    }

    /// Adds or replaces an object, and logs it as NetBox does.
    pub fn put(&self, path: &str, of: &str, object: Value) {
        let id = object["id"].as_u64().expect("an id");
        let mut data = lock(&self.data);
        let list = data.lists.entry(path.to_owned()).or_default();
        let before = list.insert(id, object.clone()).unwrap_or_default();
        let action = if before.is_null() { "create" } else { "update" };
        log(&mut data, of, id, action, &before, &object);
    }

    /// Changes members of an object, and logs it.
    pub fn change(&self, path: &str, of: &str, id: u64, members: Value) {
        let mut object = lock(&self.data).lists[path][&id].clone();
        for (name, value) in members.as_object().expect("an object") {
            object[name] = value.clone();
        }
        self.put(path, of, object);
    }

    /// Empties the log of changes.
    pub fn forget_changes(&self) {
        lock(&self.data).lists.insert("core/object-changes".to_owned(), BTreeMap::new());
    }

    /// Deletes an object, and logs it.
    pub fn delete(&self, path: &str, of: &str, id: u64) {
        let mut data = lock(&self.data);
        let before = data.lists.get_mut(path).and_then(|list| list.remove(&id)).expect("an object");
        log(&mut data, of, id, "delete", &before, &Value::Null);
    }
}

/// Logs a change of an object, if it is one for NetBox. The ends of a cable are objects of their own, and so are the bays
/// that devices are in.
fn log(data: &mut Data, of: &str, id: u64, action: &str, before: &Value, after: &Value) {
    let [was_in, is_in] = [before, after].map(|device| device["parent_device"]["device_bay"]["id"].as_u64());
    if was_in != is_in {
        let [with, without] = [json!({"installed_device": id}), json!({"installed_device": null})];
        let left = was_in.map(|bay| (bay, &with, &without));
        let entered = is_in.map(|bay| (bay, &without, &with));
        for (bay, before, after) in left.into_iter().chain(entered) {
            entry(data, "dcim.devicebay", bay, "update", before.clone(), after.clone());
        }
    }
    let [was, is] = [before, after].map(ends);
    let [before, after] = [before, after].map(logged);
    for (end, action) in was.difference(&is).map(|end| (end, "delete")) {
        entry(data, "dcim.cabletermination", 1, action, end_of(id, end), Value::Null);
    }
    if before != after {
        entry(data, of, id, action, before, after);
    }
    for (end, action) in is.difference(&was).map(|end| (end, "create")) {
        entry(data, "dcim.cabletermination", 1, action, Value::Null, end_of(id, end));
    }
}

fn entry(data: &mut Data, of: &str, id: u64, action: &str, before: Value, after: Value) {
    let changes = data.lists.entry("core/object-changes".to_owned()).or_default();
    let number = changes.last_key_value().map_or(1, |(last, _)| last + 1);
    let change = json!({
        "id": number, "action": {"value": action, "label": action}, "changed_object_type": of,
        "changed_object_id": id, "prechange_data": before, "postchange_data": after,
    });
    changes.insert(number, change);
}

/// Returns the ends of a cable: the side, and the id of what is there.
fn ends(cable: &Value) -> BTreeSet<(&'static str, u64)> {
    let of = |side: &'static str, member: &str| {
        let list = cable[member].as_array().cloned().unwrap_or_default();
        list.into_iter().filter_map(move |end| Some((side, end["object_id"].as_u64()?)))
    };
    of("A", "a_terminations").chain(of("B", "b_terminations")).collect()
}

fn end_of(cable: u64, (side, id): &(&str, u64)) -> Value {
    json!({"cable": cable, "cable_end": side, "termination_type": 7, "termination_id": id})
}

/// Returns the data of an object in the log: of what it refers to, the log has the ids, and it does not say what the
/// API works out.
fn logged(object: &Value) -> Value {
    const WORKED_OUT: [&str; 6] = ["id", "url", "display", "a_terminations", "b_terminations", "parent_device"];
    let Value::Object(members) = object else { return Value::Null };
    let members = members.iter().filter(|(name, _)| !WORKED_OUT.contains(&name.as_str()));
    let plain = |(name, value): (&String, &Value)| {
        let value = match (name.as_str(), value) {
            ("custom_fields", value) => value.clone(),
            // The types of objects have numbers of their own.
            ("assigned_object_type" | "termination_type", Value::String(_)) => json!(7),
            (_, Value::Array(list)) => list.iter().map(in_log).collect(),
            (_, value) => in_log(value),
        };
        (name.clone(), value)
    };
    Value::Object(members.map(plain).collect())
}

fn in_log(value: &Value) -> Value {
    match value {
        Value::Object(members) => members.get("id").or_else(|| members.get("value")).unwrap_or(value).clone(),
        plain => plain.clone(),
    }
}

async fn answer(State(data): State<Shared>, uri: Uri, RawQuery(query): RawQuery, headers: HeaderMap) -> Response {
    {
        let mut data = lock(&data);
        data.calls.push(uri.to_string());
        data.at_once += 1;
        data.max_at_once = data.max_at_once.max(data.at_once);
    }
    // Calls that overlap can only be seen if they take a moment.
    tokio::task::yield_now().await;
    let query_text = query.clone().unwrap_or_default();
    while query_text.contains("id__gt=") && waits(&data, uri.path()) {
        tokio::task::yield_now().await;
    }
    let fault = fault(&data, uri.path());
    if matches!(fault, Some(Fault::Slow)) {
        tokio::time::sleep(Duration::from_secs(3_600)).await;
    }
    let answer = answered(&data, uri.path(), &query.unwrap_or_default(), &headers, fault);
    lock(&data).at_once -= 1;
    answer
}

/// Returns true while a list waits for others.
fn waits(data: &Shared, path: &str) -> bool {
    let mut data = lock(data);
    data.gathered.insert(path.to_owned());
    if data.gathered.len() >= data.gathers {
        data.gathers = 0;
    }
    data.gathers > 0
}

/// Returns how a path fails now.
fn fault(data: &Shared, path: &str) -> Option<Fault> {
    let mut data = lock(data);
    let name = data.faults.keys().find(|name| path.starts_with(&format!("/api/{name}/")))?.clone();
    match data.faults.get_mut(&name) {
        Some(Fault::Broken(0)) => None,
        Some(Fault::Broken(times)) => {
            *times -= 1;
            Some(Fault::Broken(*times))
        }
        other => other.cloned(),
    }
}

fn answered(data: &Shared, path: &str, query: &str, headers: &HeaderMap, fault: Option<Fault>) -> Response {
    let detail = |status: StatusCode, text: &str| (status, axum::Json(json!({ "detail": text }))).into_response();
    match &fault {
        Some(Fault::NotFound) => return html(StatusCode::NOT_FOUND),
        Some(Fault::Html) => return html(StatusCode::OK),
        Some(Fault::Moved) => return (StatusCode::FOUND, [(LOCATION, "/login/?next=/api/")]).into_response(),
        Some(Fault::Forbidden) => {
            return detail(StatusCode::FORBIDDEN, "You do not have permission to perform this action.");
        }
        Some(Fault::Broken(_)) => {
            let body = axum::Json(json!({"error": "database is locked", "exception": "OperationalError"}));
            return (StatusCode::INTERNAL_SERVER_ERROR, [(RETRY_AFTER, "0")], body).into_response();
        }
        _ => {}
    }
    let authorized = headers.get(AUTHORIZATION).and_then(|value| value.to_str().ok());
    if authorized != Some(&format!("Bearer {TOKEN}")) {
        return detail(StatusCode::FORBIDDEN, "Invalid v2 token");
    }
    let data = lock(data);
    let Some(path) = path.strip_prefix("/api/").and_then(|path| path.strip_suffix('/')) else {
        return html(StatusCode::NOT_FOUND);
    };
    if path == "status" {
        return axum::Json(json!({"django-version": "5.2", "netbox-version": data.version, "plugins": {}}))
            .into_response();
    }
    if let Some(list) = data.lists.get(path) {
        let answer = page(list, query, data.page, fault.as_ref());
        return send(answer, fault.as_ref());
    }
    let of_app = data.lists.keys().filter_map(|list| list.strip_prefix(path)?.strip_prefix('/'));
    let of_app: BTreeMap<&str, &str> = of_app.map(|list| (list, "http://next")).collect();
    if !of_app.is_empty() {
        return axum::Json(of_app).into_response();
    }
    let object = path.rsplit_once('/').and_then(|(list, id)| Some((data.lists.get(list)?, id.parse::<u64>().ok()?)));
    match object.map(|(list, id)| list.get(&id)) {
        Some(Some(object)) => axum::Json(object).into_response(),
        Some(None) => detail(StatusCode::NOT_FOUND, "No matching object found."),
        None => html(StatusCode::NOT_FOUND),
    }
}

fn html(status: StatusCode) -> Response {
    (status, [(CONTENT_TYPE, "text/html; charset=utf-8")], "<!DOCTYPE html><title>Page Not Found</title>")
        .into_response()
}

/// Returns a page of a list. Parameters that NetBox does not know are ignored, as there.
fn page(list: &BTreeMap<u64, Value>, query: &str, most: usize, fault: Option<&Fault>) -> Value {
    let parameters: Vec<(&str, &str)> = query.split('&').filter_map(|pair| pair.split_once('=')).collect();
    let given = |name: &str| parameters.iter().find(|(it, _)| *it == name).map(|(_, value)| *value);
    let number = |name: &str| given(name).and_then(|value| value.parse::<u64>().ok());
    let assigned = |object: &Value, of: &str, id: u64| {
        object["assigned_object_type"] == of && object["assigned_object_id"].as_u64() == Some(id)
    };
    let fits = |object: &Value| {
        matches!(fault, Some(Fault::Ignores))
            || (number("id__gt").is_none_or(|least| object["id"].as_u64() > Some(least))
                && given("type").is_none_or(|of| object["type"]["value"] == of)
                && given("profile__empty").is_none_or(|_| !object["profile"].is_null())
                && number("cable").is_none_or(|cable| object["cable"].as_u64() == Some(cable))
                && ["bridge", "device", "virtual_chassis", "vrf"].iter().all(|member| {
                    number(&format!("{member}_id")).is_none_or(|id| object[member]["id"].as_u64() == Some(id))
                })
                && number("interface_id").is_none_or(|id| assigned(object, "dcim.interface", id))
                && number("vminterface_id").is_none_or(|id| assigned(object, "virtualization.vminterface", id)))
    };
    let mut all: Vec<&Value> = list.values().filter(|object| fits(object)).collect();
    if given("ordering") == Some("-id") {
        all.reverse();
    }
    let limit = number("limit").map_or(50, |limit| limit as usize).min(most);
    let count = all.len();
    let mut results: Vec<Value> = all.into_iter().take(limit).cloned().collect();
    if let (Some(Fault::Wrong(member, value)), Some(first)) = (fault, results.first_mut()) {
        first[*member] = value.clone();
    }
    let next = (count > results.len() && !matches!(fault, Some(Fault::Short))).then_some("http://next");
    json!({ "count": count, "next": next, "previous": null, "results": results })
}

fn send(answer: Value, fault: Option<&Fault>) -> Response {
    let text = answer.to_string();
    let half = text.get(..text.len() / 2).unwrap_or_default().to_owned();
    let json = [(CONTENT_TYPE, "application/json")];
    match fault {
        Some(Fault::Truncated) => (json, half).into_response(),
        Some(Fault::Dies) => {
            let pieces = [Ok(half), Err(std::io::Error::other("the peer died"))];
            (json, Body::from_stream(Pieces(pieces.into_iter().collect()))).into_response()
        }
        _ => (json, text).into_response(),
    }
}

/// A body that ends with an error.
struct Pieces(std::collections::VecDeque<Result<String, std::io::Error>>);

impl futures_util::Stream for Pieces {
    type Item = Result<String, std::io::Error>;

    fn poll_next(
        mut self: std::pin::Pin<&mut Self>,
        _cx: &mut std::task::Context<'_>,
    ) -> std::task::Poll<Option<Self::Item>> {
        std::task::Poll::Ready(self.0.pop_front())
    }
}
