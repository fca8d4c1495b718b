//! Checks that the tables are as the migrations make them.

use super::database::{REACH, RESTORE};
use super::report::{Check, Finding};
use underlay_engine::store::Store;

/// The maximum number of differences that are reported one by one.
const DIFFERENCES_REPORTED: usize = 10;

/// Compares columns, indexes, constraints and triggers with those that the migrations make.
pub(super) async fn schema(store: &Store) -> Vec<Finding> {
    let check = Check::Schema;
    let differences = match store.schema_differences().await {
        Ok(differences) => differences,
        Err(error) => return vec![Finding::problem(check, format!("it cannot be read: {error}"), REACH)],
    };
    let advice = "it can change or reject what is written: drop it";
    let missing = differences.missing.iter().map(|part| (format!("missing or changed: {part}"), RESTORE));
    let added = differences.added.iter().map(|part| (format!("not made by Underlay: {part}"), advice));
    let mut findings: Vec<Finding> =
        missing.chain(added).map(|(message, advice)| Finding::problem(check, message, advice)).collect();
    if findings.len() > DIFFERENCES_REPORTED {
        let more = format!("{} more differences", findings.len() - DIFFERENCES_REPORTED);
        findings.truncate(DIFFERENCES_REPORTED);
        findings.push(Finding::problem(check, more, RESTORE));
    }
    if findings.is_empty() {
        findings.push(Finding::ok(check, "columns, indexes, constraints and triggers are as the migrations make them"));
    }
    findings
}
