//! The tables themselves: whether they are as the migrations make them.

use super::database::{REACH, RESTORE};
use super::report::{Check, Finding};
use crate::store::Store;

/// The number of parts that are told of one by one.
const MOST_TOLD: usize = 10;

/// Compares columns, indexes, constraints and triggers with those that the migrations make.
pub(super) async fn schema(store: &Store) -> Vec<Finding> {
    let check = Check::Schema;
    let differences = match store.schema_differences().await {
        Ok(differences) => differences,
        Err(error) => return vec![Finding::problem(check, format!("it cannot be read: {error}"), REACH)],
    };
    let advice = "what the migrations did not make may change or refuse what is written: drop it";
    let missing = differences.missing.iter().map(|part| (format!("missing or changed: {part}"), RESTORE));
    let added = differences.added.iter().map(|part| (format!("not made by Underlay: {part}"), advice));
    let mut told: Vec<Finding> =
        missing.chain(added).map(|(message, advice)| Finding::problem(check, message, advice)).collect();
    if told.len() > MOST_TOLD {
        let more = format!("{} more differences", told.len() - MOST_TOLD);
        told.truncate(MOST_TOLD);
        told.push(Finding::problem(check, more, RESTORE));
    }
    if told.is_empty() {
        told.push(Finding::ok(check, "columns, indexes, constraints and triggers are as the migrations make them"));
    }
    told
}
