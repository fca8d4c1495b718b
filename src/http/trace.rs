//! `/trace/{id}.svg`: the line of an object as a drawing.

use std::sync::Arc;

use axum::extract::{Path, State};
use axum::http::{HeaderMap, HeaderName, StatusCode, header};
use axum::response::{IntoResponse, Response};

use super::Service;
use super::identity;
use super::refused::Refused;
use crate::kinds::trace::{DrawError, draw};
use underlay_inventory::Snapshot;

/// Nothing in a drawing may run or load anything, wherever it is opened.
const POLICY: &str = "default-src 'none'; style-src 'unsafe-inline'";

/// The drawing, of the newest revision.
pub async fn svg(State(service): State<Service>, Path(file): Path<String>, asked: HeaderMap) -> Response {
    let value = match value(&service, &asked).await {
        Ok(value) => value,
        Err(refused) => return refused.plain(),
    };
    let Some(id) = file.strip_suffix(".svg") else {
        return (StatusCode::NOT_FOUND, "there is /trace/ID.svg, with the id of an object\n").into_response();
    };
    let headers: [(HeaderName, &str); 3] = [
        (header::CONTENT_TYPE, "image/svg+xml; charset=utf-8"),
        (header::CONTENT_SECURITY_POLICY, POLICY),
        (header::CACHE_CONTROL, "no-cache"),
    ];
    match draw(&value, id) {
        Ok(drawing) => (headers, drawing).into_response(),
        Err(error) => {
            let status = match error {
                DrawError::NotFound(_) => StatusCode::NOT_FOUND,
                DrawError::Invalid(_) => StatusCode::BAD_REQUEST,
            };
            (status, format!("{error}\n")).into_response()
        }
    }
}

/// The newest value that whoever asks may see.
async fn value(service: &Service, headers: &HeaderMap) -> Result<Arc<Snapshot>, Refused> {
    let caller = identity::of(service, headers).await?;
    Ok(identity::seeing(service, caller).await?.view.newest.get())
}
