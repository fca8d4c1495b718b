//! A server that replays a recorded NetBox: pages by id, filters, single objects, and the log of changes.
//!
//! It shares the cores with the programs that are measured, so it does next to nothing: objects are texts, and a page
//! is those texts one after the other. It runs on a thread of its own and ends when it is dropped.

use std::collections::BTreeMap;
use std::net::TcpListener;
use std::sync::{Arc, Mutex, PoisonError};
use std::thread::{self, JoinHandle};
use std::time::Instant;

use axum::Router;
use axum::extract::State;
use axum::http::header::CONTENT_TYPE;
use axum::http::{StatusCode, Uri};
use axum::response::{IntoResponse, Response};
use serde_json::{Value, json};
use tokio::sync::oneshot;

use super::recorded::{Lists, Recorded};
use crate::problem::{Doing, LoadError, Result};

/// The maximum number of objects on a page, as NetBox has it by default.
const MAX_PAGE_OBJECTS: usize = 1_000;
/// The path of the log of changes.
const CHANGES: &str = "core/object-changes";
const STATUS: &str = r#"{"django-version":"5.2","netbox-version":"4.7.3","plugins":{}}"#;

/// A running server of a recorded NetBox.
pub struct Replay {
    /// The server.
    pub served: Served,
    data: Arc<Mutex<Data>>,
}

/// A server on a thread of its own, which ends when it is dropped.
pub struct Served {
    /// The address.
    pub url: String,
    stop: Option<oneshot::Sender<()>>,
    thread: Option<JoinHandle<()>>,
}

struct Data {
    lists: Lists,
    /// The time of the first answer that showed each change.
    shown: BTreeMap<u64, Instant>,
}

impl Replay {
    /// Starts a server.
    pub fn start(lists: Lists) -> Result<Self> {
        let data = Arc::new(Mutex::new(Data { lists, shown: BTreeMap::new() }));
        let served = Served::start(Router::new().fallback(answer).with_state(Arc::clone(&data)))?;
        Ok(Self { served, data })
    }

    /// Returns the paths of the lists.
    pub fn lists(&self) -> Vec<String> {
        lock(&self.data).lists.keys().cloned().collect()
    }

    /// Sets a member of the `nth` object of a list, and logs the change as NetBox does. Returns the number of the
    /// change.
    pub fn change(&self, list: &str, of: &str, nth: usize, member: &str, value: &Value) -> Result<u64> {
        let mut data = lock(&self.data);
        let objects = data.lists.get_mut(list).filter(|list| !list.is_empty());
        let objects = objects.ok_or_else(|| LoadError::Answer(format!("the recording has no {list}")))?;
        let nth = nth % objects.len();
        let before: Value = serde_json::from_str(&objects[nth].text)?;
        let mut after = before.clone();
        after[member] = value.clone();
        objects[nth] = Recorded::of(&after)?;
        let id = objects[nth].id;
        let log = data.lists.entry(CHANGES.to_owned()).or_default();
        let number = log.last().map_or(1, |last| last.id + 1);
        log.push(Recorded::of(&json!({
            "id": number, "action": {"value": "update", "label": "Updated"}, "changed_object_type": of,
            "changed_object_id": id, "prechange_data": before, "postchange_data": after,
        }))?);
        Ok(number)
    }

    /// Returns the time of the first answer that showed a change.
    pub fn shown(&self, change: u64) -> Option<Instant> {
        lock(&self.data).shown.get(&change).copied()
    }
}

impl Served {
    /// Starts a server.
    pub fn start(routes: Router) -> Result<Self> {
        let listening = || "listen".to_owned();
        let listener = TcpListener::bind("127.0.0.1:0").doing(listening)?;
        listener.set_nonblocking(true).doing(listening)?;
        let url = format!("http://{}", listener.local_addr().doing(listening)?);
        let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build().doing(listening)?;
        let (stop, stopped) = oneshot::channel();
        let serve = move || {
            runtime.block_on(async {
                let Ok(listener) = tokio::net::TcpListener::from_std(listener) else { return };
                tokio::select! {
                    _ = axum::serve(listener, routes) => {}
                    _ = stopped => {}
                }
            });
        };
        let thread = thread::Builder::new().name("replay".to_owned()).spawn(serve).doing(|| "start".to_owned())?;
        Ok(Self { url, stop: Some(stop), thread: Some(thread) })
    }
}

impl Drop for Served {
    fn drop(&mut self) {
        if let Some(stop) = self.stop.take() {
            // The thread may have ended by itself.
            let _ = stop.send(());
        }
        if let Some(thread) = self.thread.take() {
            // A panic of the thread was printed, and its clients got no answer.
            let _ = thread.join();
        }
    }
}

fn lock(data: &Mutex<Data>) -> std::sync::MutexGuard<'_, Data> {
    data.lock().unwrap_or_else(PoisonError::into_inner)
}

async fn answer(State(data): State<Arc<Mutex<Data>>>, uri: Uri) -> Response {
    let path = uri.path().strip_prefix("/api/").and_then(|path| path.strip_suffix('/'));
    let mut data = lock(&data);
    match path.map(|path| (path, path.split('/').count())) {
        Some(("status", 1)) => json_of(STATUS.to_owned()),
        Some((app, 1)) => {
            let lists = data.lists.keys().filter_map(|list| list.strip_prefix(app)?.strip_prefix('/'));
            json_of(json!(lists.map(|list| (list, "")).collect::<BTreeMap<_, _>>()).to_string())
        }
        Some((list, 2)) => {
            let page = Query::of(uri.query().unwrap_or_default()).page(data.lists.get(list).map_or(&[], Vec::as_slice));
            if list == CHANGES {
                let now = Instant::now();
                page.ids.iter().for_each(|id| {
                    data.shown.entry(*id).or_insert(now);
                });
            }
            json_of(page.text)
        }
        Some((path, 3)) => match object(&data.lists, path) {
            Some(object) => json_of(object.text.to_string()),
            None => (StatusCode::NOT_FOUND, axum::Json(json!({"detail": "No matching object found."}))).into_response(),
        },
        _ => StatusCode::NOT_FOUND.into_response(),
    }
}

/// Returns the object that a path names.
fn object<'a>(lists: &'a Lists, path: &str) -> Option<&'a Recorded> {
    let (list, id) = path.rsplit_once('/')?;
    let (list, id) = (lists.get(list)?, id.parse::<u64>().ok()?);
    list.binary_search_by_key(&id, |object| object.id).ok().map(|at| &list[at])
}

fn json_of(text: String) -> Response {
    ([(CONTENT_TYPE, "application/json")], text).into_response()
}

/// The parameters of a list, as far as the adapter uses them. Others are ignored, as NetBox does.
struct Query<'a> {
    parameters: Vec<(&'a str, &'a str)>,
}

struct Page {
    text: String,
    ids: Vec<u64>,
}

impl<'a> Query<'a> {
    fn of(query: &'a str) -> Self {
        Self { parameters: query.split('&').filter_map(|pair| pair.split_once('=')).collect() }
    }

    fn text(&self, name: &str) -> Option<&'a str> {
        self.parameters.iter().find(|(it, _)| *it == name).map(|(_, value)| *value)
    }

    fn number(&self, name: &str) -> Option<u64> {
        self.text(name)?.parse().ok()
    }

    fn page(&self, list: &[Recorded]) -> Page {
        let after = self.number("id__gt").unwrap_or_default();
        let rest = &list[list.partition_point(|object| object.id <= after)..];
        let limit = self.number("limit").map_or(50, |limit| limit as usize).min(MAX_PAGE_OBJECTS);
        let is_filtered = ["type", "profile__empty", "cable", "interface_id", "vminterface_id"]
            .iter()
            .any(|filter| self.text(filter).is_some());
        let (count, found): (usize, Vec<&Recorded>) = match (is_filtered, self.text("ordering")) {
            (false, Some("-id")) => (rest.len(), rest.iter().rev().take(limit).collect()),
            (false, _) => (rest.len(), rest.iter().take(limit).collect()),
            (true, _) => {
                let fitting = || rest.iter().filter(|object| self.fits(object));
                (fitting().count(), fitting().take(limit).collect())
            }
        };
        let next = if count > found.len() { r#""http://next""# } else { "null" };
        let length = found.iter().map(|object| object.text.len() + 1).sum::<usize>() + 100;
        let mut text = String::with_capacity(length);
        text.push_str(&format!(r#"{{"count":{count},"next":{next},"previous":null,"results":["#));
        for (index, object) in found.iter().enumerate() {
            if index > 0 {
                text.push(',');
            }
            text.push_str(&object.text);
        }
        text.push_str("]}");
        Page { text, ids: found.iter().map(|object| object.id).collect() }
    }

    fn fits(&self, object: &Recorded) -> bool {
        let of_interface = |name: &str| {
            self.number(name).is_none_or(|id| object.interface.is_some_and(|(it, its)| it == name && its == id))
        };
        self.text("type").is_none_or(|of| (of == "lag") == object.is_lag)
            && self.text("profile__empty").is_none_or(|_| object.has_profile)
            && self.number("cable").is_none_or(|cable| object.cable == Some(cable))
            && of_interface("interface_id")
            && of_interface("vminterface_id")
    }
}
