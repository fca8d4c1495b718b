//! The runs of sources in the API: their mutations, and the runs of a source.
//!
//! Guarantee: nothing here is shown to a tenant, and one statement reads what a list of sources or runs asks for.

mod input;
mod list;
mod load;
mod mutation;
mod run;
mod server;

pub use list::{
    SourceRunConnection, held_count_of, holding_runs_of, last_errors_of, last_run_of, last_success_of, runs_of,
    suspect_count_of, suspects_of,
};
pub use load::SourceLoader;
pub use mutation::RunMutation;
pub use run::{SourceRun, Suspect};
pub use server::{ServerMutation, ServerRoots};

use async_graphql::{Context, Result};

use super::errors::{forbidden, refused};
use super::request::Request;
use underlay_engine::sources::{RunError, Sources};
use underlay_engine::store::StoreError;
use underlay_inventory::Refusal;

/// The number of held objects or suspects in one answer.
const MAX_LISTED_OBJECTS: i32 = 1_000;

fn sources<'a>(context: &Context<'a>) -> Result<&'a Sources> {
    let request = Request::of(context);
    // Sources are in no tenant's snapshot, so no tenant gets here. The log is the mark of a view of everything.
    request.log().map_err(|it| forbidden(&it))?;
    Ok(request.sources())
}

/// Returns the maximum number of entries of a list of a source.
///
/// # Errors
/// Returns an error if `first` is out of range.
pub fn most(first: Option<i32>) -> Result<u64> {
    let first = first.unwrap_or(MAX_LISTED_OBJECTS);
    let reason = || format!("must be from 0 to {MAX_LISTED_OBJECTS}, not {first}");
    let fits = (0..=MAX_LISTED_OBJECTS).contains(&first);
    let invalid = || refused(&Refusal::Invalid { field: "first".to_owned(), reason: reason() }, None, None);
    if fits { Ok(first.unsigned_abs().into()) } else { Err(invalid()) }
}

fn unread(error: &StoreError) -> async_graphql::Error {
    tracing::warn!("the runs of sources cannot be read: {error}");
    let message = "the database does not answer: try again later".to_owned();
    refused(&Refusal::Unavailable(message), None, None)
}

fn run_refused(error: RunError) -> async_graphql::Error {
    refused(&error.into(), None, None)
}
