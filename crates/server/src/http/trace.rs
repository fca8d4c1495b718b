//! `/trace/{id}.svg`: a drawing of the line that begins at an object.

use axum::extract::{Path, State};
use axum::http::{HeaderMap, HeaderName, header};
use axum::response::{IntoResponse, Response};
use tokio::time::timeout;

use super::json_answer::{Written, refused_for};
use super::refusal::Refused;
use super::{Service, identity, request, response};
use underlay_engine::runtime::compute;
use underlay_error::Code;
use underlay_kinds::trace::scene_from;

/// The headers of a drawing. Nothing in it may run or load anything, wherever it is opened.
const HEADERS: [(HeaderName, &str); 3] = [
    (header::CONTENT_TYPE, "image/svg+xml; charset=utf-8"),
    (header::CONTENT_SECURITY_POLICY, "default-src 'none'; style-src 'unsafe-inline'"),
    (header::CACHE_CONTROL, "no-cache"),
];

/// Responds with the drawing at the current revision.
pub async fn svg(State(service): State<Service>, Path(file): Path<String>, headers: HeaderMap) -> Response {
    match drawing(&service, &file, &headers).await {
        Ok(drawing) => {
            let (encoding, body) = drawing.encoded(&headers);
            (HEADERS, encoding, body).into_response()
        }
        Err(refused) => response::refusal_in_text(&refused),
    }
}

/// Returns the drawing. It is admitted and bounded as a query is.
async fn drawing(service: &Service, file: &str, headers: &HeaderMap) -> Result<Written, Refused> {
    let caller = identity::of(service, headers).await?;
    let not_found = || Refused::new(Code::NotFound, "a drawing is at /trace/ID.svg, with the id of an object");
    let id = file.strip_suffix(".svg").ok_or_else(not_found)?.to_owned();
    let body = service.admission.body(&caller);
    let (asker, _admitted) = request::admit(service, caller, body).await?;
    let drawn = async {
        let turn = service.admission.places().computations.acquire(asker.caller.key()).await;
        let snapshot = asker.view.current.get();
        compute(move |_| {
            let drawn = scene_from(&snapshot, &id).map(|scene| underlay_drawing::page(&scene));
            drop(turn);
            drawn
        })
        .await
    };
    let time = service.admission.limits().timeout;
    let drawn = timeout(time, drawn).await.map_err(|_| Refused::late(time))?;
    let drawing = drawn.map_err(|refusal| Refused::from(&refusal))?.into_bytes();
    Written::new(drawing, service.admission.answers().begin(&asker.caller.key(), 0)).map_err(refused_for)
}
