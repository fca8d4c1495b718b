//! `POST /apply`: large batches, as lines of JSON, without GraphQL in between.
//!
//! The lines of the request are those of `underlay export` ([`underlay_kinds::lines`]); the header and the last line of an
//! export can be left out. The answer has a line for each item, in their order, and a last line with `end`. A client
//! that has not received `"end":true` does not know what became of the items without an answer.
//!
//! By default each item stands alone: the lines are cut into batches, which are planned and committed one after the
//! other while further lines arrive, so memory does not grow with the body. A batch is read only when the client has
//! taken the answers of the batches before it, so a client must read the answer while it sends. With `mode=ATOMIC` or
//! `dryRun=true` all lines are one batch, and its answer begins when the batch is committed.

mod answer;
mod lines;
mod parameters;
mod reader;
mod run;

use std::convert::Infallible;

use axum::Router;
use axum::body::{Body, Bytes};
use axum::extract::State;
use axum::http::{HeaderMap, StatusCode, Uri, header};
use axum::response::{IntoResponse, Response};
use axum::routing::post;
use futures_util::stream;
use tower_http::compression::CompressionLayer;
use tower_http::decompression::RequestDecompressionLayer;
use uuid::Uuid;

use self::lines::Lines;
use self::parameters::{Parameters, Plan};
use self::run::Run;
use super::Service;
use super::identity;
use super::refusal::Refused;
use super::request::content_type;
use super::response;
use underlay_engine::access::{Caller, WriteKind};

/// The media type of requests and answers: JSON Lines.
const MEDIA: &str = "application/x-ndjson";
/// Further media types of requests with the same meaning.
const ALSO_READ: [&str; 2] = ["application/jsonl", "application/x-jsonlines"];

/// Returns the route. Bodies can be compressed with gzip, and answers are if the client accepts that.
pub fn routes() -> Router<Service> {
    let routes = Router::new().route("/apply", post(apply));
    routes.layer(RequestDecompressionLayer::new()).layer(CompressionLayer::new().gzip(true))
}

async fn apply(State(service): State<Service>, address: Uri, headers: HeaderMap, body: Body) -> Response {
    match answer(service, &address, &headers, body).await {
        Ok(body) => (StatusCode::OK, [(header::CONTENT_TYPE, MEDIA)], body).into_response(),
        Err(refused) => response::refusal(&headers, &refused),
    }
}

async fn answer(service: Service, address: &Uri, headers: &HeaderMap, body: Body) -> Result<Body, Refused> {
    // A page of another site cannot send this type without the permission that CORS asks for.
    if !is_lines(headers) {
        return Err(Refused::media_type(&format!("lines of JSON, with the header content-type: {MEDIA}")));
    }
    // Nothing of the body is read, and so nothing is decompressed, before the caller is known to be allowed to write.
    let caller = identity::of(&service, headers).await?;
    let mut parameters = Parameters::read(address)?;
    let run = run_of(&service, &caller, &mut parameters).await?;
    caller.permit(WriteKind::Apply { source: parameters.source.as_deref() })?;
    let asker = identity::seeing(&service, caller).await?;
    let taken = service.admission.body(&asker.caller);
    service.admission.has_room(&taken)?;
    let lines = Lines::new(body, taken, service.admission.limits());
    let plan = parameters.plan();
    let token = identity::bearer(headers)?.map(str::to_owned);
    let mut run = Run::new(service, (asker, token), parameters, run, lines);
    match plan {
        Plan::OneBatch { mode, dry_run } => run.whole(mode, dry_run).await.map(Body::from),
        Plan::Batches => Ok(in_batches(run)),
    }
}

/// Returns the run that a request names. All items are written in the name of its source.
async fn run_of(service: &Service, caller: &Caller, parameters: &mut Parameters) -> Result<Option<Uuid>, Refused> {
    let Some(run) = &parameters.run else { return Ok(None) };
    // Only callers that may run sources learn that such a run exists.
    caller.permit(WriteKind::Run { source: None })?;
    let found = Box::pin(service.sources.run_for(run, parameters.source.as_deref())).await;
    let (run, source) = found.map_err(|error| Refused::from(&error.into()))?;
    parameters.source = Some(source);
    Ok(Some(run))
}

/// Returns the answer to a request that is written batch by batch: each part is made when the client takes it.
fn in_batches(run: Run) -> Body {
    Body::from_stream(stream::unfold(Some(run), |run| async {
        let mut run = run?;
        let (part, is_last) = run.next_part().await;
        Some((Ok::<_, Infallible>(Bytes::from(part)), (!is_last).then_some(run)))
    }))
}

fn is_lines(headers: &HeaderMap) -> bool {
    let media = content_type(headers);
    std::iter::once(MEDIA).chain(ALSO_READ).any(|known| known.eq_ignore_ascii_case(media))
}
