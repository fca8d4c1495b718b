//! This module makes something that may be executed out of a request, in one way for all transports. It authenticates
//! the caller, checks that there is room, reads the request, and checks that the request does not ask for too much.

use std::sync::Arc;
use std::time::Duration;

use async_graphql::parser::types::OperationType;
use async_graphql::{Name, Request};
use axum::body::{Body, Bytes, HttpBody as _};
use axum::http::{HeaderMap, StatusCode, Uri, header};
use foldhash::HashSet;
use futures_util::StreamExt as _;
use tokio::time::{Instant, timeout_at};

use super::admission::{Admitted, Taken};
use super::body::{Parameters, VALUE_BYTES};
use super::identity::{self, Asker};
use super::limits::{Limit, Limits};
use super::refusal::Refused;
use super::{Service, body};
use crate::api::{self, Bounds, Operation, QueryCost};
use underlay_engine::access::{Caller, Channel, WriteKind};
use underlay_engine::runtime::run_in_background;
use underlay_error::Code;

/// The media type of requests in a body.
const JSON: &str = "application/json";
/// The number of bytes from which a body is large. Reading a large body takes longer than a time slice.
const BULK_BODY_BYTES: usize = 64 * 1024;
/// The number of bytes from which a document is long. Parsing a long document can take longer than a time slice.
const LONG_DOCUMENT_BYTES: usize = 8 * 1024;
/// The number of values in variables and arguments from which checking them can take longer than a time slice.
const LONG_CHECK_VALUES: u64 = 10_000;
/// The number of bytes for which there is room at first. Room grows with the bytes that arrive, not with the announced
/// length.
const INITIAL_BODY_BYTES: usize = 4 * 1024;
/// The number of bytes of a body that must arrive each second, on average and after [`RATE_CHECK_DELAY`]. A slower
/// client would only occupy the connection.
pub const MIN_BYTES_PER_SECOND: usize = 1_000;
/// The time after which the rate of a body is checked.
const RATE_CHECK_DELAY: Duration = Duration::from_secs(10);

/// Returns the longest time in which so many bytes of a body, and one more, arrive.
pub fn time_for(bytes: usize) -> Duration {
    RATE_CHECK_DELAY + Duration::from_secs((bytes / MIN_BYTES_PER_SECOND) as u64)
}

/// The size of a request: of its text, its document or its values.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Size {
    /// The size of most requests.
    Usual,
    /// The size of a large batch or a long document. To read it, check it or begin with it takes longer than a time
    /// slice.
    Large,
}

impl Size {
    /// Returns the size of a text of so many bytes.
    pub fn of(bytes: usize) -> Self {
        if bytes < BULK_BODY_BYTES { Self::Usual } else { Self::Large }
    }

    /// Runs work on a text of this size. A thread with a lower priority works on a large one.
    pub fn run<T: Send>(self, work: impl FnOnce() -> T + Send) -> T {
        match self {
            Self::Usual => work(),
            Self::Large => run_in_background(work),
        }
    }
}

/// A GraphQL request with the type of the operation that it executes.
#[derive(Debug)]
pub struct Parsed {
    /// The request, with its document.
    pub request: Request,
    /// The type of the operation. `None` if the document cannot be parsed; the execution then reports the error.
    pub operation: Option<OperationType>,
    /// The maximum number of objects that the answer can have, as the document says.
    pub objects: u64,
    /// The size of the request.
    pub size: Size,
}

/// A request that may be executed.
pub struct Received {
    /// The caller with its view.
    pub asker: Asker,
    /// The request itself.
    pub parsed: Parsed,
    /// The place that counts the request among those that run. It is held while the request runs.
    pub admitted: Admitted,
}

impl Received {
    /// Returns the request as one that arrived on a connection with this protection.
    pub fn over(self, channel: Channel) -> Self {
        Self { asker: self.asker.over(channel), ..self }
    }
}

/// Receives a request in the body.
///
/// # Errors
/// Returns an error if the request may not be executed.
pub async fn in_body(service: &Service, headers: &HeaderMap, body: Body) -> Result<Received, Refused> {
    if !content_type(headers).eq_ignore_ascii_case(JSON) {
        return Err(Refused::media_type("JSON, with the header content-type: application/json"));
    }
    let caller = identity::of_call(service, headers).await?;
    // If no more requests can run, the body is not read. A request runs only once its body has arrived.
    let mut taken = service.admission.body(&caller);
    service.admission.has_room(&taken)?;
    let limits = service.admission.limits();
    let may_apply = caller.permit(WriteKind::Apply { source: None }).is_ok();
    let (most, limit) = if may_apply { (limits.apply_body, Limit::ApplyBody) } else { (limits.body, Limit::Body) };
    let content = read(body, most, limit, limits.timeout, &mut taken).await?;
    let (asker, mut admitted) = admit(service, caller, taken).await?;
    let parsed = parsed(service, &asker.caller, &content, admitted.body())?;
    if parsed.operation != Some(OperationType::Mutation) {
        // Each mutation checks what its caller may do before it answers.
        asker.caller.reads()?;
    }
    Ok(Received { asker, parsed, admitted })
}

/// Reads a request in JSON, and finds the operation that it executes. This is the one way for all transports. The
/// values of the request count as bytes of its body, because they take more memory than their text.
///
/// # Errors
/// Returns an error if the text is no request, or asks for too much.
pub fn parsed(service: &Service, caller: &Caller, content: &[u8], body: &mut Taken) -> Result<Parsed, Refused> {
    let size = Size::of(content.len());
    let request = size.run(|| {
        let values = underlay_json::values(content);
        take_values(service, values, body)?;
        Ok::<_, Refused>((body::read(content)?, values))
    });
    let (request, values) = request?;
    document(service, caller, (request, values), size, body)
}

/// Counts the values of a request in its body.
fn take_values(service: &Service, values: usize, body: &mut Taken) -> Result<(), Refused> {
    let most = service.admission.limits().values;
    if values > most {
        return Err(Refused::request_error(Code::TooComplex, Limit::Values.exceeded(values as u64, most)));
    }
    body.take(values.saturating_mul(VALUE_BYTES))
}

/// Receives a request in the URL; returns `None` if the URL has none. Only some types of operations are allowed: pages
/// and caches request a URL again and again, so it must not write.
///
/// # Errors
/// Returns an error if the request may not be executed.
pub async fn in_address(
    service: &Service,
    headers: &HeaderMap,
    address: &Uri,
    allowed: &[OperationType],
) -> Result<Option<Received>, Refused> {
    let invalid = |message| Refused::new(Code::Invalid, message);
    let Some(parameters) = Parameters::of(address).map_err(invalid)? else { return Ok(None) };
    let caller = identity::of(service, headers).await?;
    let body = service.admission.body(&caller);
    let (asker, mut admitted) = admit(service, caller, body).await?;
    let values = parameters.values();
    take_values(service, values, admitted.body())?;
    let request = parameters.read().map_err(invalid)?;
    let parsed = document(service, &asker.caller, (request, values), Size::Usual, admitted.body())?;
    if parsed.operation.is_some_and(|operation| !allowed.contains(&operation)) {
        let refused = Refused::new(Code::Invalid, "GET is for queries; send mutations by POST");
        return Err(refused.with_status(StatusCode::METHOD_NOT_ALLOWED));
    }
    Ok(Some(Received { asker, parsed, admitted }))
}

/// Returns the refusal of a URL without a request.
pub fn no_query() -> Refused {
    Refused::new(Code::Invalid, "a query is needed, as the parameter query")
}

/// Returns the media type of the body that the headers name, without its parameters.
pub fn content_type(headers: &HeaderMap) -> &str {
    let content = headers.get(header::CONTENT_TYPE).and_then(|value| value.to_str().ok()).unwrap_or_default();
    content.split(';').next().unwrap_or_default().trim()
}

/// Reads the document of a request with so many values, and finds the operation that the request executes. A thread
/// with a lower priority reads a long document.
fn document(
    service: &Service,
    caller: &Caller,
    (request, values): (Request, usize),
    size: Size,
    body: &mut Taken,
) -> Result<Parsed, Refused> {
    let request = service.persisted.resolve(caller.tenant(), request)?;
    let is_long = request.query.len() >= LONG_DOCUMENT_BYTES;
    let read = || parse(service, request);
    let (mut parsed, measured) = if is_long { Size::Large } else { size }.run(read)?;
    // Arguments that are read for many objects take more memory than the request itself.
    let more = usize::try_from(measured.values).unwrap_or(usize::MAX).saturating_sub(values);
    body.take(more.saturating_mul(VALUE_BYTES))?;
    if is_long || size == Size::Large || measured.values >= LONG_CHECK_VALUES {
        parsed.size = Size::Large;
    }
    Ok(parsed)
}

fn parse(service: &Service, mut request: Request) -> Result<(Parsed, QueryCost), Refused> {
    let limits = service.admission.limits();
    service.documents.read(&mut request, limits.tokens)?;
    // Variables can be large, so they are not copied: they are taken out while the document is borrowed.
    let (name, mut variables) = (request.operation_name.clone(), std::mem::take(&mut request.variables));
    let (operation, measured) = match request.parsed_query() {
        Ok(document) => {
            let operation = api::operation(document, name.as_deref())?;
            // A variable that the operation does not define has no meaning.
            let defined: HashSet<&Name> = operation.variables().iter().map(|it| &it.node.name.node).collect();
            variables.retain(|name, _| defined.contains(name));
            let measured = api::measure(operation, &variables, bounds(limits))?;
            check(&measured, limits)?;
            // After the check: only now is it known that the document, with the defaults in it, has a bounded size.
            api::complete(operation, &mut variables)?;
            api::check_conditions(operation, &variables)?;
            api::check_filters(operation, &variables)?;
            (Some(Operation::ty(operation)), measured)
        }
        Err(_) => (None, QueryCost::default()),
    };
    request.variables = variables;
    Ok((Parsed { request, operation, objects: measured.objects, size: Size::Usual }, measured))
}

fn bounds(limits: &Limits) -> Bounds {
    Bounds { fields: limits.fields as u64, objects: limits.objects as u64 }
}

/// Admits a request of a caller, whose body has been read, and finds the view that the caller has.
///
/// # Errors
/// Returns an error if too many requests run, or if there is no room for the view.
pub async fn admit(service: &Service, caller: Arc<Caller>, body: Taken) -> Result<(Asker, Admitted), Refused> {
    let admitted = service.admission.request(body)?;
    let asker = identity::seeing(service, caller).await?;
    Ok((asker, admitted))
}

/// Reads the whole body.
///
/// # Errors
/// Returns an error if the body is too large, does not arrive in time, or breaks off.
async fn read(body: Body, most: usize, limit: Limit, time: Duration, taken: &mut Taken) -> Result<Bytes, Refused> {
    // A body without an announced length can be as long as is allowed.
    let announced = body.size_hint().exact().map_or(most, |size| usize::try_from(size).unwrap_or(usize::MAX));
    if announced > most {
        return Err(Refused::too_large(limit, most));
    }
    let (mut stream, began) = (body.into_data_stream(), Instant::now());
    let mut content = Vec::new();
    loop {
        let in_time = time_for(content.len());
        let Ok(chunk) = timeout_at(began + time.min(in_time), stream.next()).await else {
            return Err(if in_time < time { Refused::crawling(MIN_BYTES_PER_SECOND) } else { Refused::slow(time) });
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

/// Makes room for a further part of a body, whose announced length is the most that it needs. All room counts, filled or
/// not.
fn make_room(content: &mut Vec<u8>, more: usize, announced: usize, taken: &mut Taken) -> Result<(), Refused> {
    let (needs, has) = (content.len() + more, content.capacity());
    if needs > has {
        let room = (has * 2).max(INITIAL_BODY_BYTES).min(announced).max(needs);
        taken.take(room - has)?;
        // New memory for a large body takes longer than a time slice: the system clears it, and the body is copied.
        Size::of(room).run(|| content.reserve_exact(room - content.len()));
    }
    Ok(())
}

/// Checks the measure of an operation against the limits.
fn check(measured: &QueryCost, limits: &Limits) -> Result<(), Refused> {
    if measured.introspects && !limits.introspection {
        return Err(Refused::request_error(Code::Invalid, Limit::Introspection.off()));
    }
    let counts = [
        (measured.depth, limits.depth, Limit::Depth),
        (measured.fields, limits.fields, Limit::Fields),
        (measured.variables, limits.tokens, Limit::Tokens),
        (measured.values, limits.values, Limit::Values),
        (measured.aliases, limits.aliases, Limit::Aliases),
        (measured.directives, limits.directives, Limit::Directives),
        (measured.objects, limits.objects, Limit::Objects),
    ];
    match counts.into_iter().find(|(needs, most, _)| *needs > *most as u64) {
        None => Ok(()),
        Some((needs, most, limit)) => Err(Refused::request_error(Code::TooComplex, limit.exceeded(needs, most))),
    }
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
                assert!(
                    content.capacity() <= (2 * content.len()).max(INITIAL_BODY_BYTES).min(announced),
                    "{announced}"
                );
            }
            assert!(grown <= 6, "it grew {grown} times");
        }
        let (mut content, mut taken) = (Vec::new(), admission.body_of_nobody());
        let refused = make_room(&mut content, 100_001, 200_000, &mut taken).expect_err("there is no room");
        assert!(refused.message.contains("limits.bodies"), "{refused:?}");
    }
}
