//! From a request to something that may be executed: who sends it, that there is room for it, what it says, that it does
//! not ask for too much. One way for all transports.

use std::time::Duration;

use async_graphql::{Request, ServerError};
use axum::body::{Body, Bytes, HttpBody as _};
use axum::http::{HeaderMap, StatusCode, Uri};
use axum::response::Response;
use futures_util::StreamExt as _;
use tokio::time::timeout;

use super::admission::Admitted;
use super::graphql::{NO_JSON, NO_QUERY, is_json, refused, refused_with};
use super::identity::{self, Asker};
use super::limits::{Limit, Limits};
use super::refused::Refused;
use super::{Service, body};
use crate::access::Way;
use crate::inventory::Code;
use crate::schema::{self, Measured};
use crate::store::in_place;

/// From how many bytes on a body is large: reading it takes longer than anything should at a time.
const LARGE: usize = 64 * 1024;
/// For how much of what a client says it will send there is room at once: memory that is not written costs nothing.
const MOST_EXPECTED: usize = 4 * 1024 * 1024;

/// How large a request is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Size {
    /// As most are.
    Usual,
    /// A large batch.
    Large,
}

/// A request that may be executed.
pub struct Received {
    /// Who sends it.
    pub asker: Asker,
    /// What they ask.
    pub request: Request,
    /// How much there was to read.
    pub size: Size,
    /// Held as long as it runs.
    pub admitted: Admitted,
}

/// A request in the body.
pub async fn in_body(service: &Service, headers: &HeaderMap, body: Body) -> Result<Received, Response> {
    if !is_json(headers) {
        return Err(refused(headers, StatusCode::UNSUPPORTED_MEDIA_TYPE, NO_JSON));
    }
    let (asker, mut admitted) = admit(service, headers).await?;
    let answer = |refused: Refused| refused.answer(headers);
    let limits = service.admission.limits();
    let may_apply = asker.caller.permit(Way::Apply { source: None }).is_ok();
    let (most, limit) = if may_apply { (limits.apply_body, Limit::ApplyBody) } else { (limits.body, Limit::Body) };
    let content = read(body, most, limit, limits.timeout, &mut admitted).await.map_err(answer)?;
    let unread = |unread: body::Unread| Refused::unread(&unread).answer(headers);
    let size = if content.len() < LARGE { Size::Usual } else { Size::Large };
    let read = || body::read(&content, limits.tokens);
    let request = match size {
        Size::Usual => read(),
        Size::Large => in_place(read),
    };
    let request = request.map_err(unread)?;
    drop(content);
    let request = document(service, request).map_err(|error| refused_with_status(headers, error))?;
    Ok(Received { asker, request, size, admitted })
}

/// A request in the address; `None` when there is none in it.
pub async fn in_address(service: &Service, headers: &HeaderMap, address: &Uri) -> Result<Option<Received>, Response> {
    let read = body::read_address(address);
    let request = match read.map_err(|error| refused(headers, StatusCode::BAD_REQUEST, &error))? {
        Some(request) => request,
        None => return Ok(None),
    };
    let (asker, admitted) = admit(service, headers).await?;
    let request = document(service, request).map_err(|error| refused_with_status(headers, error))?;
    Ok(Some(Received { asker, request, size: Size::Usual, admitted }))
}

/// That there must be a request in the address.
pub fn no_query(headers: &HeaderMap) -> Response {
    refused(headers, StatusCode::BAD_REQUEST, NO_QUERY)
}

/// The request with its document, if that does not ask for too much.
///
/// # Errors
/// With what it asks for too much, or why there is none.
pub fn document(service: &Service, request: Request) -> Result<Request, ServerError> {
    let mut request = service.persisted.resolve(request)?;
    service.documents.read(&mut request, service.admission.limits().tokens)?;
    // Variables can be large: they are taken out while the document is looked at, and not copied.
    let (operation, variables) = (request.operation_name.clone(), std::mem::take(&mut request.variables));
    // What cannot be parsed is refused when it is executed.
    let parsed = request.parsed_query().ok();
    let measured = parsed.map(|parsed| schema::measure(parsed, operation.as_deref(), &variables));
    request.variables = variables;
    match measured.and_then(|measured| excess(&measured, service.admission.limits())) {
        None => Ok(request),
        Some(error) => Err(error),
    }
}

async fn admit(service: &Service, headers: &HeaderMap) -> Result<(Asker, Admitted), Response> {
    let answer = |refused: Refused| refused.answer(headers);
    let caller = identity::of(service, headers).await.map_err(answer)?;
    let admitted = service.admission.request().map_err(answer)?;
    let asker = identity::seeing(service, caller).await.map_err(answer)?;
    Ok((asker, admitted))
}

/// The whole body, if it comes in time.
async fn read(
    body: Body,
    most: usize,
    limit: Limit,
    time: Duration,
    admitted: &mut Admitted,
) -> Result<Bytes, Refused> {
    let expected = usize::try_from(body.size_hint().lower()).map_or(MOST_EXPECTED, |size| size.min(MOST_EXPECTED));
    let mut stream = body.into_data_stream();
    let all = async {
        let mut content = Vec::with_capacity(expected);
        while let Some(chunk) = stream.next().await {
            let chunk = chunk.map_err(|error| Refused::broken(&error))?;
            if content.len() + chunk.len() > most {
                return Err(Refused::too_large(limit, most));
            }
            admitted.take(chunk.len())?;
            content.extend_from_slice(&chunk);
        }
        Ok(content.into())
    };
    timeout(time, all).await.unwrap_or_else(|_| Err(Refused::slow(time)))
}

/// What a document asks for too much.
fn excess(measured: &Measured, limits: &Limits) -> Option<ServerError> {
    if measured.introspects && !limits.introspection {
        return Some(super::execute::with(Code::Invalid, Limit::Introspection.off()));
    }
    let counts = [
        (measured.depth, limits.depth, Limit::Depth),
        (measured.fields, limits.fields, Limit::Fields),
        (measured.aliases, limits.aliases, Limit::Aliases),
        (measured.directives, limits.directives, Limit::Directives),
        (measured.objects, limits.objects, Limit::Objects),
    ];
    let (needs, most, limit) = counts.into_iter().find(|(needs, most, _)| *needs > *most as u64)?;
    Some(super::execute::with(Code::TooComplex, limit.exceeded(needs, most)))
}

fn refused_with_status(headers: &HeaderMap, error: ServerError) -> Response {
    // In plain JSON what was refused before it ran always was a 200.
    refused_with(headers, super::graphql::status_of_refused(headers), error)
}
