//! The refusals that several steps of a plan use.

use underlay_inventory::Refusal;

/// The error of an object whose parents form a cycle.
const CYCLE: &str = "is its own ancestor: the chain of parents forms a cycle";

/// Returns the refusal of an object whose parents form a cycle.
pub(super) fn cycle() -> Refusal {
    Refusal::Invalid { field: "parent".to_owned(), reason: CYCLE.to_owned() }
}

/// Returns true if an object was not identified because its parents form a cycle.
pub(super) fn is_cycle(refusal: &Refusal) -> bool {
    matches!(refusal, Refusal::Invalid { reason, .. } if reason == CYCLE)
}

/// Returns the refusal of an item whose object another item deletes.
pub(super) fn deleted(path: &str) -> Refusal {
    Refusal::Invalid { field: "id".to_owned(), reason: format!("is that of {path}: the same batch deletes it") }
}
