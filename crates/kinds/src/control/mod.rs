//! The part of the API about the work of controllers that the database alone holds: the last observation of an object,
//! the acts on it, and the enlistment of an appliance.
//!
//! Guarantee: nothing here is shown to a tenant, and one statement reads what a list of objects asks for.

mod acts;
mod enlistment;
mod load;
mod observation;

pub use acts::{ActConnection, acts_of};
pub use enlistment::{Enlistment, enlistment_of};
pub use load::{BootAttemptOf, BootsOf, ControlLoader, load};
pub use observation::{Observation, observation_of};

use async_graphql::Error;

use super::errors::refused;
use underlay_engine::store::StoreError;
use underlay_inventory::Refusal;

/// Returns the error for what the database cannot answer now.
pub fn unanswered(error: &StoreError) -> Error {
    tracing::warn!("what controllers do cannot be read or stored: {error}");
    let message = "the database does not answer, or cannot be written: try again later".to_owned();
    refused(&Refusal::Unavailable(message), None, None)
}
