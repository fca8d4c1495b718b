//! One run of a program: a line in, a line out.

use std::process::Stdio;

use thiserror::Error;
use tokio::io::{AsyncBufReadExt as _, AsyncReadExt as _, AsyncWriteExt as _, BufReader};
use underlay_kit::program::{Environment, Running};

use super::Program;

/// The maximum length of an answer in bytes: 10,000 machines have about 2 MiB.
const MAX_ANSWER_BYTES: u64 = 4 << 20;

/// The reason why a program gave no answer.
#[derive(Debug, Error)]
pub enum RunError {
    /// The program cannot be started, so it did nothing.
    #[error("it cannot be started: {0}")]
    NotStarted(std::io::Error),
    /// The program cannot be read from or written to.
    #[error("its input or output broke: {0}")]
    Broken(#[from] std::io::Error),
    /// The program printed no line.
    #[error("it printed nothing and ended with {status}")]
    Nothing {
        /// The exit status.
        status: std::process::ExitStatus,
    },
    /// The program printed more than a line may have.
    #[error("it printed more than {} MiB", MAX_ANSWER_BYTES >> 20)]
    TooLong,
    /// The program printed an answer and failed nevertheless.
    #[error("it printed an answer and ended with {status}")]
    Failed {
        /// The exit status.
        status: std::process::ExitStatus,
    },
}

/// Runs a program, and returns the line that it printed. Some of what it writes to standard error goes to that of this
/// process. Whatever it started ends with it, also if the future is dropped or this process is killed.
///
/// # Errors
/// Returns an error if the program cannot be started, prints no line, or fails.
pub async fn run(program: &Program, line: &[u8]) -> Result<Vec<u8>, RunError> {
    let what = (&*program.program, &*program.arguments);
    let started = Running::start(&program.program, what, &Environment::WithoutOurs, Stdio::piped());
    let mut running = started.map_err(RunError::NotStarted)?;
    let (input, output) = (running.take_input(), running.take_output());
    let (Some(mut input), Some(output)) = (input, output) else {
        return Err(RunError::Broken(std::io::ErrorKind::BrokenPipe.into()));
    };
    let write = async move {
        // A program that does not read its input can answer nevertheless.
        drop(input.write_all(line).await);
        drop(input.shutdown().await);
    };
    let mut answer = Vec::new();
    let mut reader = BufReader::new(output.take(MAX_ANSWER_BYTES + 1));
    let ((), read) = tokio::join!(write, reader.read_until(b'\n', &mut answer));
    read?;
    if answer.len() as u64 > MAX_ANSWER_BYTES {
        return Err(RunError::TooLong);
    }
    drop(reader);
    let status = running.wait().await?;
    match (answer.iter().all(u8::is_ascii_whitespace), status.success()) {
        (true, _) => Err(RunError::Nothing { status }),
        (false, false) => Err(RunError::Failed { status }),
        (false, true) => Ok(answer),
    }
}
