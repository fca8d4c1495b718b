//! Checks what was reported of the hardware of hosts: the file beside an SQLite database, or the tables in PostgreSQL.

use super::database::REACH;
use super::report::{Check, Finding};
use underlay_engine::store::{DatabaseUrl, Store, StoreError, facts_file, open_facts_to_look};

/// Checks the facts that belong to an inventory. With SQLite, there are none before a server of this version has run.
pub(super) async fn facts(store: &Store, url: &DatabaseUrl) -> Option<Finding> {
    match url.sqlite_file() {
        Ok(None) => Some(judge(store, "the database").await),
        Ok(Some(database)) => match open_facts_to_look(&database).await {
            Ok(None) => None,
            Ok(Some(beside)) => {
                let finding = of_file(store, &beside, &facts_file(&database).display().to_string()).await;
                // Nothing was written, so closing cannot lose anything.
                let _ = beside.close().await;
                Some(finding)
            }
            Err(error) => Some(unreadable(&error)),
        },
        Err(error) => Some(unreadable(&error)),
    }
}

fn unreadable(error: &StoreError) -> Finding {
    let advice = "check the disk; a server whose facts cannot be read does not start: move their file away, and the \
                  agents report again";
    Finding::problem(Check::Facts, format!("the facts cannot be read: {error}"), advice)
}

/// Checks the file with the facts of an SQLite database.
async fn of_file(store: &Store, beside: &Store, name: &str) -> Finding {
    match beside.damages().await {
        Ok(damages) => {
            if let Some(first) = damages.first() {
                let message = format!("{name} is damaged in {} places at least, such as: {first}", damages.len());
                let advice = "check the disk, and move the file away: the agents report again";
                return Finding::problem(Check::Facts, message, advice);
            }
        }
        Err(error) => return unreadable(&error),
    }
    match (beside.facts_history().await, store.kept_history().await) {
        (Ok(facts), Ok(own)) if facts.is_some() && facts != own => {
            let message = format!(
                "{name} belongs to another inventory, such as that before a restore: the next server gives it another name"
            );
            Finding::ok(Check::Facts, message)
        }
        (Ok(_), Ok(_)) => judge(beside, name).await,
        (Err(error), _) | (_, Err(error)) => unreadable(&error),
    }
}

/// Checks that each report has its facts.
async fn judge(store: &Store, name: &str) -> Finding {
    match store.count_facts().await {
        Ok(counted) if counted.without_body + counted.without_row == 0 => {
            let reports = if counted.reports == 1 { "report" } else { "reports" };
            Finding::ok(Check::Facts, format!("{name} has {} {reports} about the hardware of hosts", counted.reports))
        }
        Ok(counted) => {
            let message = format!(
                "{name} has {} reports without their facts, and {} facts without their report",
                counted.without_body, counted.without_row
            );
            let advice = "the disk lost data, or something other than Underlay wrote: what is missing is reported again \
                          when it changes";
            Finding::problem(Check::Facts, message, advice)
        }
        Err(error) => Finding::problem(Check::Facts, format!("the facts cannot be counted: {error}"), REACH),
    }
}
