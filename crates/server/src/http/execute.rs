//! This module executes requests, and completes all answers in the same way, whatever transport they use.

use std::sync::Arc;
use std::time::Duration;

use async_graphql::dataloader::DataLoader;
use async_graphql::indexmap::IndexMap;
use async_graphql::parser::types::OperationType;
use async_graphql::{Name, PathSegment, Response as GraphqlResponse, Value};

use super::Service;
use super::field_order::Order;
use super::identity::Asker;
use super::json_answer::{Answered, too_much, with_long};
use super::refusal::Refused;
use super::request::{Parsed, Size};
use super::request_metrics::RequestTimer;
use super::response;
use underlay_engine::runtime::offload;
use underlay_error::Code;
use underlay_inventory::Snapshot;
use underlay_kinds::SecretLoader;
use underlay_kinds::changes::{ChangeLoader, MAX_LOADED_OBJECTS};
use underlay_kinds::control::ControlLoader;
use underlay_kinds::facts::FactsLoader;
use underlay_kinds::request::Request;
use underlay_kinds::runs::SourceLoader;
use underlay_read::{Budget, LONG_REQUEST_OBJECTS};

/// The factor by which a mutation may take longer than a query.
pub const MUTATION_TIMEOUT_FACTOR: u32 = 4;

/// Returns a request that can be executed on a snapshot, and the state that its resolvers use.
pub fn prepare(
    service: &Service,
    asker: Asker,
    request: async_graphql::Request,
    current: &Arc<Snapshot>,
    budget: &Arc<Budget>,
) -> (async_graphql::Request, Arc<Request>) {
    // Each request has its own copy. Thousands of objects of an answer count their references to the snapshot, and
    // concurrent requests would otherwise contend for one counter.
    let snapshot = Arc::new(Snapshot::clone(current));
    let Asker { caller, view, channel } = asker;
    let state = Request::new(snapshot, caller, view, service.sources.clone());
    let limits = service.admission.limits();
    let state = state.with_max_items(limits.items).with_max_steps(limits.steps as u64);
    let state = state.with_places(service.admission.places().clone());
    let state = state.with_secrets(service.secrets.clone(), channel);
    let state = Arc::new(state.with_budget(Arc::clone(budget)));
    let request = request.data(Arc::clone(&state)).data(Arc::clone(&state.pace));
    let facts = DataLoader::new(FactsLoader(service.facts.clone()), tokio::spawn).max_batch_size(MAX_LOADED_OBJECTS);
    let request = request.data(facts);
    match state.log().ok().cloned() {
        Some(log) => {
            let sources = DataLoader::new(SourceLoader(log.clone()), tokio::spawn).max_batch_size(MAX_LOADED_OBJECTS);
            let control = DataLoader::new(ControlLoader(log.clone()), tokio::spawn).max_batch_size(MAX_LOADED_OBJECTS);
            let changes = DataLoader::new(ChangeLoader(log), tokio::spawn).max_batch_size(MAX_LOADED_OBJECTS);
            let secrets =
                DataLoader::new(SecretLoader(service.secrets.for_caller(state.caller_key().clone())), tokio::spawn);
            let secrets = secrets.max_batch_size(MAX_LOADED_OBJECTS);
            (request.data(changes).data(sources).data(secrets).data(control), state)
        }
        None => (request, state),
    }
}

/// Executes a query or a mutation on a snapshot. A large query is long from its beginning. A large batch does not wait
/// for the turns of long queries.
pub async fn execute(service: &Service, asker: Asker, mut parsed: Parsed, current: Arc<Snapshot>) -> Answered {
    match (parsed.size, parsed.operation) {
        (Size::Usual, _) => run(service, asker, parsed, current).await,
        (Size::Large, Some(OperationType::Mutation)) => offload(run(service, asker, parsed, current)).await,
        (Size::Large, _) => {
            parsed.objects = parsed.objects.max(LONG_REQUEST_OBJECTS);
            run(service, asker, parsed, current).await
        }
    }
}

async fn run(service: &Service, asker: Asker, parsed: Parsed, current: Arc<Snapshot>) -> Answered {
    let Parsed { mut request, operation, objects, size } = parsed;
    let measured = RequestTimer::begin(operation);
    // A mutation may wait for other mutations.
    let patience = if operation == Some(OperationType::Mutation) { MUTATION_TIMEOUT_FACTOR } else { 1 };
    let time = service.admission.limits().timeout * patience;
    let order = size.run(|| service.documents.order(&mut request));
    let budget = service.admission.answers().begin(&asker.caller.key(), objects);
    let (request, state) = prepare(service, asker, request, &current, &budget);
    drop(current);
    // If the answer is too large or too late, dropping the future stops the work.
    let answer = tokio::select! {
        answer = state.pace.in_slices(service.api.execute(request)) => answer,
        over = budget.over() => GraphqlResponse::from_errors(vec![too_much(over)]),
        () = tokio::time::sleep(time) => {
            GraphqlResponse::from_errors(vec![Refused::new(Code::Timeout, late(time)).error()])
        }
    };
    let answer = with_long(&budget, || finish(answer, &state, &order));
    measured.answered(&answer);
    Answered::new(answer, budget)
}

/// Returns the message about a request that took too long.
pub fn late(time: Duration) -> String {
    format!(
        "the request was not answered within {} s (limits.timeout); its writes may have been committed",
        time.as_secs()
    )
}

/// Completes an answer for clients: with its revision, a code for each error, and its fields in the order of the request.
pub fn finish(mut answer: GraphqlResponse, state: &Request, order: &Order) -> GraphqlResponse {
    answer.extensions.insert("revision".to_owned(), Value::from(state.snapshot().revision()));
    answer.errors.iter_mut().for_each(response::complete);
    let GraphqlResponse { data, errors, .. } = &mut answer;
    errors.iter().for_each(|error| put_null(data, &error.path));
    // The library answers null where everything was skipped; the answer to no fields is an object without fields.
    if errors.is_empty() && *data == Value::Null {
        *data = Value::Object(IndexMap::new());
    }
    order.put(data);
    answer
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
