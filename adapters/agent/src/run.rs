//! Reports for ever.
//!
//! Guarantees: whatever the server answers, the next report is made and sent. There is a line for each change of how it
//! goes, and none for a message that fares as the one before.

use std::ops::ControlFlow;
use std::sync::Arc;
use std::time::Duration;

use underlay_facts::{Answer, Report};

use crate::error::AgentError;
use crate::rhythm::{Last, Rhythm};
use crate::send::Sender;

/// Makes a report of the machine, afresh each time.
pub type Reports = Arc<dyn Fn() -> Report + Send + Sync>;

/// Reports in a rhythm until a wait says that it is enough. Each line is a sentence without its full stop.
pub async fn run(
    sender: &mut Sender,
    reports: &Reports,
    mut rhythm: Rhythm<impl FnMut() -> f64>,
    mut wait: impl AsyncFnMut(Duration) -> ControlFlow<()>,
    mut log: impl FnMut(&str),
) {
    let mut before = String::new();
    let mut pause = rhythm.first();
    while wait(pause).await.is_continue() {
        let result = report_once(sender, reports).await;
        let now = match &result {
            Ok(_) => format!("{} accepts the reports", sender.server()),
            Err(error) => error.to_string(),
        };
        if now != before {
            log(&now);
            before = now;
        }

        pause = rhythm.after(end_of(&result));
    }
}

/// Makes a report and sends it.
///
/// # Errors
/// Returns an error if the server does not accept it.
pub async fn report_once(sender: &mut Sender, reports: &Reports) -> Result<Answer, AgentError> {
    let reports = Arc::clone(reports);
    // Devices may take their time, in which the program listens to signals.
    let made = tokio::task::spawn_blocking(move || reports()).await;
    sender.send(made.map_err(AgentError::NoReport)?).await
}

fn end_of(result: &Result<Answer, AgentError>) -> Last {
    match result {
        Ok(answer) => Last::Sent { every: Duration::from_secs(answer.every_seconds.into()) },
        Err(AgentError::Unreachable { .. } | AgentError::Failed { .. }) => Last::Unreachable,
        Err(AgentError::Busy { retry_after, .. }) => Last::Busy { retry_after: *retry_after },
        Err(_) => Last::Refused,
    }
}
