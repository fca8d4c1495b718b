//! Reports to a server with the clock, the signals and the standard error of the process.
//!
//! Guarantee: a process that is asked to end by SIGTERM or SIGINT ends at once and without an error, also while it
//! waits for a device or for the server.

use std::io::{self, Write as _};
use std::ops::ControlFlow;
use std::sync::Arc;

use tokio::runtime::Builder;
use tokio::signal::unix::{SignalKind, signal};
use underlay_facts::{Answer, EnrolAnswer};

use crate::enrol::Enroller;
use crate::error::AgentError;
use crate::report::{PATIENCE, report};
use crate::rhythm::Rhythm;
use crate::root::Root;
use crate::run::{self, Reports};
use crate::send::Sender;

/// Reports once.
///
/// # Errors
/// Returns an error if the server does not accept the report.
pub fn report_once(mut sender: Sender, root: Root) -> Result<Answer, AgentError> {
    to_end(run::report_once(&mut sender, &reports_of(root)))
}

/// Enrols the agent of this machine.
///
/// # Errors
/// Returns an error if the server does not accept it.
pub fn enrol_once(enroller: &Enroller, root: Root) -> Result<EnrolAnswer, AgentError> {
    to_end(enroller.enrol(report(&root, PATIENCE)))
}

/// Reports until the process is asked to end.
///
/// # Errors
/// Returns an error if there is no token, or the system does not let the program start.
pub fn report_for_ever(mut sender: Sender, root: Root) -> Result<(), AgentError> {
    sender.check_token()?;
    // What is heard before the first report is in it.
    root.listen();
    to_end(until_signalled(&mut sender, &reports_of(root)))
}

async fn until_signalled(sender: &mut Sender, reports: &Reports) -> Result<(), AgentError> {
    let mut interrupt = signal(SignalKind::interrupt()).map_err(AgentError::Start)?;
    let mut terminate = signal(SignalKind::terminate()).map_err(AgentError::Start)?;
    log(&format!("reports to {}", sender.server()));

    let wait = async |pause| {
        tokio::time::sleep(pause).await;
        ControlFlow::Continue(())
    };
    tokio::select! {
        () = run::run(sender, reports, Rhythm::new(rand::random), wait, log) => {}
        _ = interrupt.recv() => {}
        _ = terminate.recv() => {}
    }
    Ok(())
}

fn reports_of(root: Root) -> Reports {
    Arc::new(move || report(&root, PATIENCE))
}

/// Runs a task on this thread. Only what waits for devices and names has threads of its own.
fn to_end<T>(task: impl Future<Output = Result<T, AgentError>>) -> Result<T, AgentError> {
    let runtime = Builder::new_current_thread().enable_all().build().map_err(AgentError::Start)?;
    let result = runtime.block_on(task);
    // A device that never answers does not keep the process.
    runtime.shutdown_background();
    result
}

fn log(line: &str) {
    // Nothing is left to be told where even this cannot be written.
    let _ = writeln!(io::stderr(), "underlay-agent: {line}");
}
