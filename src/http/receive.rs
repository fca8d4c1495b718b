//! From a request to something that may be executed: who sends it, that there is room for it, what it says, that it does
//! not ask for too much. One way for all transports.

use std::sync::Arc;
use std::time::Duration;

use async_graphql::parser::types::OperationType;
use async_graphql::{Request, ServerError};
use axum::body::{Body, Bytes, HttpBody as _};
use axum::http::{HeaderMap, StatusCode, Uri};
use axum::response::Response;
use futures_util::StreamExt as _;
use tokio::time::{Instant, timeout_at};

use super::admission::{Admitted, Taken};
use super::execute::{ExpectedObjects, does};
use super::graphql::{NO_JSON, NO_QUERY, NOT_BY_GET, is_json, refused, refused_with};
use super::identity::{self, Asker};
use super::limits::{Limit, Limits};
use super::refused::Refused;
use super::{Service, body};
use crate::access::{Caller, WriteKind};
use crate::api::{self, Measured};
use crate::runtime::{block_in_place, run_in_background};
use underlay_inventory::Code;

/// From how many bytes on a body is large: reading it takes longer than anything should at a time.
const LARGE: usize = 64 * 1024;
/// The number of bytes from which a document is long: parsing it can take longer than a time slice.
const LONG_DOCUMENT: usize = 8 * 1024;
/// For how much of a body there is room at first. There is more once so much came, not once it is announced.
const FIRST: usize = 4 * 1024;
/// How many bytes of a body have to come each second, on average and after some time: who sends less only holds on to the
/// connection.
const LEAST_RATE: usize = 1_000;
const GRACE: Duration = Duration::from_secs(10);

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
    let answer = |refused: Refused| refused.answer(headers);
    let caller = identity::of(service, headers).await.map_err(answer)?;
    // Where nothing more can run, the body is not waited for. Who sends one runs only once it is there.
    let mut taken = service.admission.body(&caller);
    service.admission.has_room(&taken).map_err(answer)?;
    let limits = service.admission.limits();
    let may_apply = caller.permit(WriteKind::Apply { source: None }).is_ok();
    let (most, limit) = if may_apply { (limits.apply_body, Limit::ApplyBody) } else { (limits.body, Limit::Body) };
    let content = read(body, most, limit, limits.timeout, &mut taken).await.map_err(answer)?;
    let (asker, admitted) = admit(service, headers, caller, taken).await?;
    let unread = |unread: body::Unread| Refused::unread(&unread).answer(headers);
    let size = if content.len() < LARGE { Size::Usual } else { Size::Large };
    let read = || body::read(&content);
    let request = match size {
        Size::Usual => read(),
        Size::Large => block_in_place(read),
    };
    let request = request.map_err(unread)?;
    drop(content);
    let request = document(service, &asker.caller, request).map_err(|error| refused_with_status(headers, error))?;
    Ok(Received { asker, request, size, admitted })
}

/// A request in the address; `None` when there is none in it. It may do these things: an address is called again and
/// again, by pages and on the way, so that nothing is written by it.
pub async fn in_address(
    service: &Service,
    headers: &HeaderMap,
    address: &Uri,
    may_do: &[OperationType],
) -> Result<Option<Received>, Response> {
    let read = body::read_address(address);
    let request = match read.map_err(|error| refused(headers, StatusCode::BAD_REQUEST, &error))? {
        Some(request) => request,
        None => return Ok(None),
    };
    let caller = identity::of(service, headers).await.map_err(|refused| refused.answer(headers))?;
    let body = service.admission.body(&caller);
    let (asker, admitted) = admit(service, headers, caller, body).await?;
    let mut request = document(service, &asker.caller, request).map_err(|error| refused_with_status(headers, error))?;
    // What cannot be parsed is refused when it is executed.
    if does(&mut request).is_some_and(|does| !may_do.contains(&does)) {
        return Err(refused(headers, StatusCode::METHOD_NOT_ALLOWED, NOT_BY_GET));
    }
    Ok(Some(Received { asker, request, size: Size::Usual, admitted }))
}

/// That there must be a request in the address.
pub fn no_query(headers: &HeaderMap) -> Response {
    refused(headers, StatusCode::BAD_REQUEST, NO_QUERY)
}

/// Returns the request of a caller with its document, if that does not ask for too much. A thread with a lower priority
/// parses a long document.
///
/// # Errors
/// Returns the limit that the document exceeds, or the reason why there is no document.
pub fn document(service: &Service, caller: &Caller, request: Request) -> Result<Request, ServerError> {
    match request.query.len() {
        ..LONG_DOCUMENT => parse(service, caller, request),
        _ => run_in_background(|| parse(service, caller, request)),
    }
}

fn parse(service: &Service, caller: &Caller, request: Request) -> Result<Request, ServerError> {
    let mut request = service.persisted.resolve(caller.tenant(), request)?;
    service.documents.read(&mut request, service.admission.limits().tokens)?;
    // Variables can be large: they are taken out while the document is looked at, and not copied.
    let (operation, variables) = (request.operation_name.clone(), std::mem::take(&mut request.variables));
    // What cannot be parsed is refused when it is executed.
    let parsed = request.parsed_query().ok();
    let measured = parsed.map(|parsed| api::measure(parsed, operation.as_deref(), &variables));
    request.variables = variables;
    let Some(measured) = measured else { return Ok(request) };
    match excess(&measured, service.admission.limits()) {
        None => Ok(request.data(ExpectedObjects(measured.objects))),
        Some(error) => Err(error),
    }
}

async fn admit(
    service: &Service,
    headers: &HeaderMap,
    caller: Arc<Caller>,
    body: Taken,
) -> Result<(Asker, Admitted), Response> {
    let answer = |refused: Refused| refused.answer(headers);
    let admitted = service.admission.request(body).map_err(answer)?;
    let asker = identity::seeing(service, caller).await.map_err(answer)?;
    Ok((asker, admitted))
}

/// The whole body, if it comes in time.
async fn read(body: Body, most: usize, limit: Limit, time: Duration, taken: &mut Taken) -> Result<Bytes, Refused> {
    // A body of which the length is not said may be as long as any.
    let announced = body.size_hint().exact().map_or(most, |size| usize::try_from(size).unwrap_or(usize::MAX));
    if announced > most {
        return Err(Refused::too_large(limit, most));
    }
    let (mut stream, began) = (body.into_data_stream(), Instant::now());
    let mut content = Vec::new();
    loop {
        let in_time = GRACE + Duration::from_secs((content.len() / LEAST_RATE) as u64);
        let Ok(chunk) = timeout_at(began + time.min(in_time), stream.next()).await else {
            return Err(if in_time < time { Refused::crawling(LEAST_RATE) } else { Refused::slow(time) });
        };
        let Some(chunk) = chunk else { return Ok(content.into()) };
        let chunk = chunk.map_err(|error| Refused::broken(&error))?;
        if content.len() + chunk.len() > most {
            return Err(Refused::too_large(limit, most));
        }
        make_room(&mut content, chunk.len(), announced, taken)?;
        content.extend_from_slice(&chunk);
    }
}

/// Makes room for a part of a body that has so many bytes at most. All room counts, filled or not.
fn make_room(content: &mut Vec<u8>, more: usize, announced: usize, taken: &mut Taken) -> Result<(), Refused> {
    let (needs, has) = (content.len() + more, content.capacity());
    if needs > has {
        let room = (has * 2).max(FIRST).min(announced).max(needs);
        taken.take(room - has)?;
        content.reserve_exact(room - content.len());
    }
    Ok(())
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

#[cfg(test)]
mod tests {
    use super::*;
    use crate::http::admission::Admission;

    #[test]
    fn room_for_a_body_grows_with_it_and_counts() {
        let admission = Admission::new(Limits { bodies: 100_000, ..Limits::unbounded() });
        for announced in [10, 5_000, 60_000] {
            let (mut content, mut taken) = (Vec::new(), admission.body_of_nobody());
            let mut grown = 0;
            while content.len() < announced {
                let part = 100.min(announced - content.len());
                let before = content.capacity();
                make_room(&mut content, part, announced, &mut taken).expect("there is room");
                content.extend(std::iter::repeat_n(b'x', part));
                grown += usize::from(content.capacity() > before);
                assert_eq!(taken.bytes(), content.capacity());
                assert!(content.capacity() <= (2 * content.len()).max(FIRST).min(announced), "{announced}");
            }
            assert!(grown <= 6, "it grew {grown} times");
        }
        let (mut content, mut taken) = (Vec::new(), admission.body_of_nobody());
        let refused = make_room(&mut content, 100_001, 200_000, &mut taken).expect_err("there is no room");
        assert!(refused.message.contains("limits.bodies"), "{refused:?}");
    }
}
