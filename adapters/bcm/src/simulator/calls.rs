//! The calls that the simulator answers.

use std::sync::{Arc, Mutex};

use axum::Router;
use axum::body::Bytes;
use axum::extract::connect_info::ConnectInfo;
use axum::extract::{DefaultBodyLimit, State};
use axum::http::StatusCode;
use axum::response::{IntoResponse as _, Response};
use axum::routing::{get, post};
use serde::Deserialize;
use serde_json::{Value, json};

use super::fault::{Fault, json_of};
use super::listener::Caller;
use super::{Data, lock};

/// The maximum length of a request in bytes.
const MAX_REQUEST_BYTES: usize = 1 << 20;
/// The name under which the question for the version is counted, and fails.
const VERSION: &str = "version";

type Shared = Arc<Mutex<Data>>;

/// The body of a call.
#[derive(Deserialize)]
struct Request {
    service: String,
    call: String,
    #[serde(default)]
    args: Vec<Value>,
}

/// Returns the routes of a simulator.
pub fn routes(data: Shared) -> Router {
    Router::new()
        .route("/json", post(call))
        .route("/rest/v1/version", get(version))
        .layer(DefaultBodyLimit::max(MAX_REQUEST_BYTES))
        .with_state(data)
}

async fn version(State(data): State<Shared>) -> Response {
    let version = lock(&data).version.clone();
    let result = json!({"cm_version": version, "cmd_version": "3.1", "build_hash": "0", "build_index": 1,
        "database_version": 1});
    answer(&data, VERSION, result).await
}

async fn call(State(data): State<Shared>, ConnectInfo(caller): ConnectInfo<Caller>, body: Bytes) -> Response {
    let Ok(Request { service, call, args }) = serde_json::from_slice(&body) else {
        return (StatusCode::BAD_REQUEST, "a call is an object with service, call and args").into_response();
    };
    if !caller.is_known {
        return failed(&format!("Your certificate (profile:) does not allow access to {service}::{call}\n"));
    }
    let result = result(&lock(&data), &service, &call, &args);
    match result {
        Ok(result) => answer(&data, &call, result).await,
        Err(message) => failed(&message),
    }
}

/// Returns the result of a call, or the message about its error.
fn result(data: &Data, service: &str, call: &str, args: &[Value]) -> Result<Value, String> {
    let fleet = &data.fleet;
    match (service, call) {
        ("cmdevice", "getDevices") => Ok(fleet.devices.clone().into()),
        ("cmdevice", "getDevice") => Ok(device(&fleet.devices, args, |_| true)),
        // It knows nodes, and a lite node is none.
        ("cmdevice", "getNode") => Ok(device(&fleet.devices, args, |of| of == "PhysicalNode")),
        ("cmdevice", "getCategories") => Ok(fleet.categories.clone().into()),
        // The ids within the arguments are ignored.
        ("cmpart", "getRacksByUuids") => Ok(fleet.racks.clone().into()),
        ("cmdevice" | "cmpart", _) => Err(format!("No such call: '{service}::{call}'\n")),
        _ => Err(format!("No such service: '(cm){service}'\n")),
    }
}

fn device(devices: &[Value], args: &[Value], is_of_type: impl Fn(&Value) -> bool) -> Value {
    let hostname = args.first().unwrap_or(&Value::Null);
    let found = devices.iter().find(|device| &device["hostname"] == hostname && is_of_type(&device["childType"]));
    found.cloned().unwrap_or_default()
}

async fn answer(data: &Shared, call: &str, result: Value) -> Response {
    let fault = {
        let mut data = lock(data);
        *data.calls.entry(call.to_owned()).or_default() += 1;
        let fault = data.faults.remove(call);
        if let Some(left) = fault.clone().and_then(Fault::after_call) {
            data.faults.insert(call.to_owned(), left);
        }
        fault
    };
    match fault {
        Some(fault) => fault.answer(result).await,
        None => json_of(&result.to_string()),
    }
}

fn failed(message: &str) -> Response {
    json_of(&json!({ "errormessage": message }).to_string())
}
