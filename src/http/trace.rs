//! `/trace/{id}.svg`: a drawing of the line that begins at an object.

use std::sync::Arc;

use axum::extract::{Path, State};
use axum::http::{HeaderMap, HeaderName, header};
use axum::response::{IntoResponse, Response};

use super::Service;
use super::identity;
use super::refused::Refused;
use super::response;
use crate::kinds::trace::scene_from;
use underlay_error::Code;
use underlay_inventory::Snapshot;

/// The headers of a drawing. Nothing in it may run or load anything, wherever it is opened.
const HEADERS: [(HeaderName, &str); 3] = [
    (header::CONTENT_TYPE, "image/svg+xml; charset=utf-8"),
    (header::CONTENT_SECURITY_POLICY, "default-src 'none'; style-src 'unsafe-inline'"),
    (header::CACHE_CONTROL, "no-cache"),
];

/// Responds with the drawing at the current revision.
pub async fn svg(State(service): State<Service>, Path(file): Path<String>, headers: HeaderMap) -> Response {
    match drawing(&service, &file, &headers).await {
        Ok(drawing) => (HEADERS, drawing).into_response(),
        Err(refused) => response::refusal_in_text(&refused),
    }
}

async fn drawing(service: &Service, file: &str, headers: &HeaderMap) -> Result<String, Refused> {
    let snapshot = snapshot(service, headers).await?;
    let not_found = || Refused::new(Code::NotFound, "a drawing is at /trace/ID.svg, with the id of an object");
    let id = file.strip_suffix(".svg").ok_or_else(not_found)?;
    let scene = scene_from(&snapshot, id).map_err(|refusal| Refused::from(&refusal))?;
    Ok(underlay_drawing::page(&scene))
}

/// Returns the current snapshot that the caller may see.
async fn snapshot(service: &Service, headers: &HeaderMap) -> Result<Arc<Snapshot>, Refused> {
    let caller = identity::of(service, headers).await?;
    Ok(identity::seeing(service, caller).await?.view.current.get())
}
