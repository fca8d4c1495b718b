//! The answers of the small Ironic over HTTP, and its faults there.

use axum::body::Bytes;
use axum::extract::State;
use axum::http::{Method, StatusCode, Uri};
use axum::response::{IntoResponse, Response};
use serde_json::{Value, json};

use super::{Fault, Model};

/// Answers a call, or has a fault instead.
pub(super) async fn answer(State(model): State<Model>, method: Method, uri: Uri, body: Bytes) -> Response {
    let is_change = method != Method::GET;
    let (path, query) = (uri.path(), uri.query().unwrap_or_default());
    let lost = {
        let mut inner = model.locked();
        inner.calls += usize::from(path.starts_with("/v1/nodes/"));
        inner.changes += usize::from(is_change);
        let (calls, changes) = (inner.calls, inner.changes);
        if inner.faults.contains(&Fault::Forgets(calls)) && path.starts_with("/v1/nodes/") {
            inner.faults.retain(|fault| *fault != Fault::Forgets(calls));
            inner.forget();
        }
        let lock = inner.faults.iter_mut().find_map(|fault| match fault {
            Fault::Locked(left) if is_change && *left > 0 => Some(left),
            _ => None,
        });
        if let Some(left) = lock {
            *left -= 1;
            let sentence = "Node 7 is locked by host a, please retry after the current operation is completed.";
            return refusal(409, sentence);
        }
        is_change && inner.faults.contains(&Fault::LostAnswer(changes))
    };
    let body: Value = serde_json::from_slice(&body).unwrap_or(Value::Null);
    let answered = model.locked().route(&method, path, query, &body);
    if lost {
        // The body ends before its length, so the client has no answer.
        let broken = axum::body::Body::from_stream(futures_util::stream::once(async {
            Err::<Bytes, _>(std::io::Error::other("the connection breaks"))
        }));
        return Response::new(broken);
    }
    match answered {
        Ok((status, Value::Null)) => with_versions(StatusCode::from_u16(status).expect("a status").into_response()),
        Ok((status, body)) => {
            with_versions((StatusCode::from_u16(status).expect("a status"), axum::Json(body)).into_response())
        }
        Err((status, sentence)) => refusal(status, &sentence),
    }
}

fn refusal(status: u16, sentence: &str) -> Response {
    let inner = json!({"faultcode": "Client", "faultstring": sentence, "debuginfo": null}).to_string();
    let status = StatusCode::from_u16(status).expect("a status");
    with_versions((status, axum::Json(json!({ "error_message": inner }))).into_response())
}

fn with_versions(mut response: Response) -> Response {
    for (name, value) in
        [("x-openstack-ironic-api-minimum-version", "1.1"), ("x-openstack-ironic-api-maximum-version", "1.115")]
    {
        response.headers_mut().insert(name, value.parse().expect("a value"));
    }
    response
}
