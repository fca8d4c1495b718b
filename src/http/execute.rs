//! This module executes requests, and completes all answers in the same way, whatever transport they use.

use std::any::TypeId;
use std::sync::Arc;
use std::time::Duration;

use async_graphql::dataloader::DataLoader;
use async_graphql::parser::types::OperationType;
use async_graphql::{ErrorExtensionValues, Name, PathSegment, Response as Answer, ServerError, Value};

use axum::body::Bytes;

use super::Service;
use super::answered::{Answered, too_much, with_long};
use super::identity::Asker;
use super::measured::{self, Measured};
use super::ordered::Order;
use crate::kinds::changes::{ChangeLoader, MOST_LOADED};
use crate::kinds::request::Request;
use crate::read::Budget;
use underlay_inventory::{Code, Snapshot};

/// The factor by which a mutation may take longer than a query.
pub const PATIENCE_OF_WRITERS: u32 = 4;

/// Returns a request that can be executed on a snapshot, and the state that its resolvers use.
pub fn prepare(
    service: &Service,
    asker: Asker,
    request: async_graphql::Request,
    newest: &Arc<Snapshot>,
    budget: Option<&Arc<Budget>>,
) -> (async_graphql::Request, Arc<Request>) {
    // Each request has its own copy. Thousands of objects of an answer count their references to the snapshot, and
    // concurrent requests would otherwise contend for one counter.
    let snapshot = Arc::new(Snapshot::clone(newest));
    let Asker { caller, view } = asker;
    let log = view.log().cloned();
    let state = Request::new(snapshot, caller, view, service.writer.clone());
    let state = state.with_most_items(service.admission.limits().items);
    let state = Arc::new(match budget {
        Some(budget) => state.with_budget(Arc::clone(budget)),
        None => state,
    });
    let request = request.data(Arc::clone(&state)).data(Arc::clone(&state.pace));
    match log {
        Some(log) => {
            let loader = DataLoader::new(ChangeLoader(log), tokio::spawn).max_batch_size(MOST_LOADED);
            (request.data(loader), state)
        }
        None => (request, state),
    }
}

/// Executes a query or a mutation on a snapshot.
pub async fn execute(
    service: &Service,
    asker: Asker,
    mut request: async_graphql::Request,
    newest: Arc<Snapshot>,
) -> Answered {
    let does = does(&mut request);
    let measured = Measured::begin(does);
    // A mutation may wait for other mutations.
    let patience = if does == Some(OperationType::Mutation) { PATIENCE_OF_WRITERS } else { 1 };
    let time = service.admission.limits().timeout * patience;
    let order = service.documents.order(&mut request);
    let budget = service.admission.answers().begin(expected_objects(&request));
    let (request, state) = prepare(service, asker, request, &newest, Some(&budget));
    drop(newest);
    // If the answer is too large or too late, dropping the future stops the work.
    let answer = tokio::select! {
        answer = state.pace.in_slices(service.api.execute(request)) => answer,
        over = budget.over() => Answer::from_errors(vec![too_much(over)]),
        () = tokio::time::sleep(time) => Answer::from_errors(vec![with(Code::Timeout, late(time))]),
    };
    let answer = with_long(&budget, || finish(answer, &state, &order));
    measured.answered(&answer);
    Answered::new(answer, budget)
}

/// Returns the type of the operation that a request executes. A document with several operations executes the named
/// one.
pub fn does(request: &mut async_graphql::Request) -> Option<OperationType> {
    let name = request.operation_name.clone();
    let document = request.parsed_query().ok()?;
    let mut operations = document.operations.iter();
    let found = operations.find(|(own, _)| name.is_none() || own.map(Name::as_str) == name.as_deref());
    found.map(|(_, operation)| operation.node.ty)
}

/// The maximum number of objects that the answer to a request can have, as its document says.
#[derive(Clone, Copy, Debug)]
pub struct ExpectedObjects(pub u64);

/// Returns the number that the request was given when its document was measured.
fn expected_objects(request: &async_graphql::Request) -> u64 {
    let expected = request.data.get(&TypeId::of::<ExpectedObjects>());
    expected.and_then(|it| it.downcast_ref()).map_or(0, |ExpectedObjects(objects)| *objects)
}

/// Returns the message about a request that took too long.
pub fn late(time: Duration) -> String {
    format!(
        "the request was not answered within {} s (limits.timeout); what it was to write may have been written",
        time.as_secs()
    )
}

/// An error with a code.
pub fn with(code: Code, message: String) -> ServerError {
    let mut extensions = ErrorExtensionValues::default();
    extensions.set("code", code.as_str());
    ServerError { extensions: Some(extensions), ..ServerError::new(message, None) }
}

/// An answer as clients see it.
pub fn finish(mut answer: Answer, state: &Request, order: &Order) -> Answer {
    answer.extensions.insert("revision".to_owned(), Value::from(state.snapshot().revision()));
    answer.errors.iter_mut().for_each(with_code);
    let Answer { data, errors, .. } = &mut answer;
    errors.iter().for_each(|error| put_null(data, &error.path));
    order.put(data);
    answer
}

/// Something of an answer as JSON.
pub fn json(value: &impl serde::Serialize) -> Bytes {
    // Answers are plain values, which can always be written.
    serde_json::to_vec(value).unwrap_or_else(|_| b"null".to_vec()).into()
}

/// The list of one error, as JSON.
pub fn errors(mut error: ServerError) -> Bytes {
    with_code(&mut error);
    measured::refused(&error);
    json(&[error])
}

/// Puts `null` where a field failed. The library leaves the field out, which clients that know the schema do not
/// expect of a nullable field.
fn put_null(data: &mut Value, path: &[PathSegment]) {
    let Some((PathSegment::Field(field), rest)) = path.split_first() else {
        if let (Some((PathSegment::Index(at), rest)), Value::List(list)) = (path.split_first(), data)
            && let Some(entry) = list.get_mut(*at)
        {
            put_null(entry, rest);
        }
        return;
    };
    if rest.is_empty() && matches!(data, Value::Null) {
        *data = Value::Object(Default::default());
    }
    let Value::Object(members) = data else { return };
    match members.get_mut(field.as_str()) {
        Some(inner) => put_null(inner, rest),
        None if rest.is_empty() => {
            members.insert(Name::new(field), Value::Null);
        }
        None => {}
    }
}

/// What the library refuses before a resolver runs has no code of ours yet.
pub fn with_code(error: &mut ServerError) {
    let extensions = error.extensions.get_or_insert_default();
    if extensions.get("code").is_none() {
        let code = match error.message.contains("recursion depth") {
            true => Code::TooComplex,
            false => Code::Invalid,
        };
        extensions.set("code", code.as_str());
    }
    // The field says where it was; the library's list of all types around it says nothing more.
    if let Some(end) = error.message.find(" (occurred while parsing \"") {
        error.message.truncate(end);
    }
    let place = misplaced(&error.message).map(str::to_owned);
    if let (Some(place), None) = (place, extensions.get("field")) {
        extensions.set("field", place);
    }
}

/// The place in the variables of a value that the library refuses: it stands in the message alone.
fn misplaced(message: &str) -> Option<&str> {
    let (place, _) = message.strip_prefix("Invalid value for argument \"")?.split_once('"')?;
    Some(place)
}
