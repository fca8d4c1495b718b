//! A small server that answers as Ironic 39 does: it has microversions, pages, markers, sentences within sentences, masked
//! passwords and three kinds of authentication, and it fails on request. It is its own Keystone.

use std::collections::BTreeMap;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use axum::Router;
use axum::body::Bytes;
use axum::extract::{RawQuery, State};
use axum::http::header::{AUTHORIZATION, CONTENT_TYPE, LOCATION, RETRY_AFTER};
use axum::http::{HeaderMap, Method, StatusCode, Uri};
use axum::response::{IntoResponse as _, Response};
use serde_json::{Value, json};
use tokio::net::TcpListener;

/// The account of `http_basic`, as the header has it: `admin` with the password `hunter2`.
const BASIC: &str = "Basic YWRtaW46aHVudGVyMg==";
/// The password, here and at Keystone.
pub const PASSWORD: &str = "hunter2";

/// The way in which a path fails.
#[derive(Clone, Debug)]
pub enum Fault {
    /// A conductor has locked the node, for a number of calls.
    Locked(usize),
    /// Ironic is too busy, for a number of calls.
    Busy(usize),
    /// The user has no right.
    Forbidden,
    /// The answer does not come.
    Slow,
    /// The text of the answer ends in the middle.
    Truncated,
    /// The answer is a page for people.
    Html,
    /// The answer is at another place.
    Moved,
    /// The marker is ignored, so that each page is the first one.
    Endless,
    /// The answer is this text.
    Text(&'static str),
}

/// The authentication that the server asks for.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Asks {
    #[default]
    Nothing,
    Basic,
    Keystone,
}

#[derive(Debug, Default)]
struct Data {
    /// The objects of each list, the oldest first.
    lists: BTreeMap<&'static str, Vec<Value>>,
    inventories: BTreeMap<String, Value>,
    faults: BTreeMap<String, Fault>,
    versions: (&'static str, &'static str),
    page: usize,
    asks: Asks,
    /// The number of the token that Keystone gave last.
    token: usize,
    calls: Vec<String>,
    bodies: Vec<Value>,
    clock: usize,
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
    /// Starts a server that has nothing.
    pub async fn start() -> Self {
        let lists = ["nodes", "ports", "portgroups"].map(|name| (name, Vec::new())).into();
        let data = Data { lists, versions: ("1.1", "1.115"), page: 1_000, ..Data::default() };
        let data = Arc::new(Mutex::new(data));
        let router = Router::new().fallback(answer).with_state(Arc::clone(&data));
        let listener = TcpListener::bind("127.0.0.1:0").await.expect("a port");
        let url = format!("http://{}", listener.local_addr().expect("an address"));
        let task = tokio::spawn(async move { axum::serve(listener, router).await.expect("to serve") });
        Self { data, task, url }
    }

    /// Adds a node, and returns its id.
    pub fn node(&self, name: &str, members: Value) -> String {
        let uuid = self.add("nodes", "a", members);
        self.change("nodes", &uuid, json!({"name": name}));
        uuid
    }

    /// Adds a port of a node, and returns its id.
    pub fn port(&self, node: &str, address: &str, members: Value) -> String {
        let uuid = self.add("ports", "b", members);
        self.change("ports", &uuid, json!({"node_uuid": node, "address": address}));
        uuid
    }

    /// Adds a port group of a node, and returns its id.
    pub fn portgroup(&self, node: &str, members: Value) -> String {
        let uuid = self.add("portgroups", "c", members);
        self.change("portgroups", &uuid, json!({"node_uuid": node}));
        uuid
    }

    fn add(&self, list: &'static str, letter: &str, members: Value) -> String {
        let mut data = lock(&self.data);
        let time = data.tick();
        let list = data.lists.get_mut(list).expect("a list");
        let uuid = format!("{letter}{:07}-0000-4000-8000-000000000000", list.len());
        let mut object = json!({"uuid": uuid, "created_at": time, "updated_at": null, "extra": {}});
        merge(&mut object, members);
        list.push(object);
        uuid
    }

    /// Changes members of an object.
    pub fn change(&self, list: &str, uuid: &str, members: Value) {
        let mut data = lock(&self.data);
        let time = data.tick();
        let list = data.lists.get_mut(list).expect("a list");
        let object = list.iter_mut().find(|object| object["uuid"] == uuid).expect("an object");
        object["updated_at"] = time.into();
        merge(object, members);
    }

    /// Stores the inventory of a node.
    pub fn inventory(&self, node: &str, inventory: Value) {
        lock(&self.data).inventories.insert(node.to_owned(), inventory);
        self.change("nodes", node, json!({"inspection_finished_at": "2026-11-20T00:00:00+00:00"}));
    }

    /// Deletes an object.
    pub fn delete(&self, list: &str, uuid: &str) {
        let mut data = lock(&self.data);
        data.lists.get_mut(list).expect("a list").retain(|object| object["uuid"] != uuid);
    }

    /// Lets all paths fail that begin with a path within the API, such as `nodes`.
    pub fn fail(&self, path: &str, fault: Fault) {
        lock(&self.data).faults.insert(path.to_owned(), fault);
    }

    /// Ends all failures.
    pub fn heal(&self) {
        lock(&self.data).faults.clear();
    }

    /// Sets the microversions that are offered.
    pub fn versions(&self, oldest: &'static str, newest: &'static str) {
        lock(&self.data).versions = (oldest, newest);
    }

    /// Sets the maximum number of objects on a page.
    pub fn page(&self, page: usize) {
        lock(&self.data).page = page;
    }

    /// Sets the authentication.
    pub fn ask(&self, asks: Asks) {
        lock(&self.data).asks = asks;
    }

    /// Makes the token that Keystone gave invalid.
    pub fn expire(&self) {
        lock(&self.data).token += 1;
    }

    /// Returns the calls so far that begin with a text, such as `GET /v1/nodes`.
    pub fn calls(&self, begin: &str) -> Vec<String> {
        lock(&self.data).calls.iter().filter(|call| call.starts_with(begin)).cloned().collect()
    }

    /// Returns the bodies of requests so far.
    pub fn bodies(&self) -> Vec<Value> {
        lock(&self.data).bodies.clone()
    }
}

impl Data {
    /// Returns a time that is later than all before it.
    fn tick(&mut self) -> String {
        self.clock += 1;
        format!("2026-11-{:02}T{:02}:{:02}:00+00:00", 1 + self.clock / 1_440, self.clock / 60 % 24, self.clock % 60)
    }
}

fn merge(object: &mut Value, members: Value) {
    for (name, value) in members.as_object().expect("an object") {
        object[name] = value.clone();
    }
}

/// Returns an error as Ironic says it.
fn error(status: StatusCode, sentence: &str) -> Response {
    let inner = json!({"faultcode": "Client", "faultstring": sentence, "debuginfo": null}).to_string();
    (status, axum::Json(json!({ "error_message": inner }))).into_response()
}

async fn answer(
    State(data): State<Shared>,
    method: Method,
    uri: Uri,
    RawQuery(query): RawQuery,
    headers: HeaderMap,
    body: Bytes,
) -> Response {
    let fault = {
        let mut data = lock(&data);
        data.calls.push(format!("{method} {uri}"));
        if let Ok(body) = serde_json::from_slice(&body) {
            data.bodies.push(body);
        }
        fault(&mut data, uri.path())
    };
    if matches!(fault, Some(Fault::Slow)) {
        tokio::time::sleep(Duration::from_secs(3_600)).await;
    }
    answered(&data, &method, uri.path(), &query.unwrap_or_default(), &headers, fault)
}

/// Returns how a path fails now.
fn fault(data: &mut Data, path: &str) -> Option<Fault> {
    let name = data.faults.keys().find(|name| path.starts_with(&format!("/v1/{name}")))?.clone();
    match data.faults.get_mut(&name)? {
        Fault::Locked(0) | Fault::Busy(0) => None,
        Fault::Locked(times) => {
            *times -= 1;
            Some(Fault::Locked(*times))
        }
        Fault::Busy(times) => {
            *times -= 1;
            Some(Fault::Busy(*times))
        }
        other => Some(other.clone()),
    }
}

fn answered(
    data: &Shared,
    method: &Method,
    path: &str,
    query: &str,
    headers: &HeaderMap,
    fault: Option<Fault>,
) -> Response {
    let mut data = lock(data);
    let given = |name: &str| headers.get(name).and_then(|value| value.to_str().ok());
    let (oldest, newest) = data.versions;
    let versions =
        [("x-openstack-ironic-api-minimum-version", oldest), ("x-openstack-ironic-api-maximum-version", newest)];
    if path == "/v3/auth/tokens" {
        return keystone(&mut data);
    }
    if path == "/v1" {
        return (versions, axum::Json(json!({"id": "v1"}))).into_response();
    }
    let minor = |version: &str| version.split_once('.').and_then(|(_, minor)| minor.parse::<u32>().ok());
    match given("x-openstack-ironic-api-version").and_then(minor) {
        Some(asked) if Some(asked) <= minor(newest) && Some(asked) >= minor(oldest) => {}
        _ => return (versions, error(StatusCode::NOT_ACCEPTABLE, "Version is not supported.")).into_response(),
    }
    let is_known = match data.asks {
        Asks::Nothing => true,
        Asks::Basic => given(AUTHORIZATION.as_str()) == Some(BASIC),
        Asks::Keystone => given("x-auth-token") == Some(&format!("token-{}", data.token)),
    };
    if !is_known {
        return error(StatusCode::UNAUTHORIZED, "Incorrect username or password");
    }
    match &fault {
        Some(Fault::Locked(_)) => {
            let sentence = "Node 7 is locked by host test, please retry after the current operation is completed.";
            return error(StatusCode::CONFLICT, sentence);
        }
        Some(Fault::Busy(_)) => {
            let busy = error(StatusCode::SERVICE_UNAVAILABLE, "Requested action cannot be performed.");
            return ([(RETRY_AFTER, "0")], busy).into_response();
        }
        Some(Fault::Forbidden) => return error(StatusCode::FORBIDDEN, "Access was denied."),
        Some(Fault::Html) => return ([(CONTENT_TYPE, "text/html")], "<!DOCTYPE html>").into_response(),
        Some(Fault::Moved) => return (StatusCode::FOUND, [(LOCATION, "/login")]).into_response(),
        Some(Fault::Text(text)) => return ([(CONTENT_TYPE, "application/json")], *text).into_response(),
        _ => {}
    }
    if *method != Method::GET {
        return StatusCode::ACCEPTED.into_response();
    }
    let text = read(&data, path, query, matches!(fault, Some(Fault::Endless)));
    match (text, fault) {
        (Ok(text), Some(Fault::Truncated)) => text[..text.len() / 2].to_owned().into_response(),
        (Ok(text), _) => ([(CONTENT_TYPE, "application/json")], text).into_response(),
        (Err(sentence), _) => error(StatusCode::NOT_FOUND, &sentence),
    }
}

fn keystone(data: &mut Data) -> Response {
    let password = data.bodies.last().map(ToString::to_string).unwrap_or_default();
    if !password.contains(PASSWORD) {
        let body = json!({"error": {"code": 401, "message": "The request you have made requires authentication."}});
        return (StatusCode::UNAUTHORIZED, axum::Json(body)).into_response();
    }
    data.token += 1;
    let token = format!("token-{}", data.token);
    (StatusCode::CREATED, [("x-subject-token", token)], axum::Json(json!({"token": {}}))).into_response()
}

/// Returns the answer to a call that reads, or the sentence that there is none.
fn read(data: &Data, path: &str, query: &str, is_endless: bool) -> Result<String, String> {
    let parts: Vec<&str> = path.trim_start_matches("/v1/").split('/').collect();
    let find = |list: &str, id: &str| {
        let list = data.lists.get(list)?;
        list.iter().find(|object| object["uuid"] == id || object["name"] == id)
    };
    let answer = match parts.as_slice() {
        [list] if data.lists.contains_key(list) => Some(page(data, list, query, is_endless)?),
        [list, id] => find(list, id).cloned(),
        ["nodes", id, "inventory"] => data.inventories.get(*id).cloned(),
        _ => None,
    };
    answer.map(|answer| answer.to_string()).ok_or_else(|| format!("{} could not be found.", parts.join(" ")))
}

/// Returns a page of a list. The link to the next one is that of a proxy which nobody can reach, as it often is.
fn page(data: &Data, list: &str, query: &str, is_endless: bool) -> Result<Value, String> {
    let parameters: Vec<(&str, &str)> = query.split('&').filter_map(|pair| pair.split_once('=')).collect();
    let given = |name: &str| parameters.iter().find(|(it, _)| *it == name).map(|(_, value)| *value);
    let mut all: Vec<&Value> = data.lists[list].iter().collect();
    all.retain(|object| given("node").is_none_or(|node| object["node_uuid"] == node));
    if let Some(key) = given("sort_key") {
        all.sort_by_key(|object| object[key].as_str().unwrap_or_default().to_owned());
        if given("sort_dir") == Some("desc") {
            all.reverse();
        }
    }
    let begin = match given("marker").filter(|_| !is_endless) {
        None => 0,
        Some(marker) => {
            let at = all.iter().position(|object| object["uuid"] == marker);
            1 + at.ok_or_else(|| format!("Node {marker} could not be found."))?
        }
    };
    let limit = given("limit").and_then(|limit| limit.parse().ok()).unwrap_or(1_000).min(data.page);
    let rest = &all[begin.min(all.len())..];
    let rows: Vec<&&Value> = rest.iter().take(limit).collect();
    let mut answer = json!({});
    answer[list] = json!(rows);
    if rest.len() > limit {
        answer["next"] = format!("http://ironic.invalid/v1/{list}?marker=of-another").into();
    }
    Ok(answer)
}
