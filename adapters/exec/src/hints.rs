//! Hints from a program that prints a line whenever something changed.

use std::time::Duration;

use tokio::io::{AsyncBufReadExt as _, BufReader};
use tokio::time::{Instant, sleep};
use underlay_kit::sync::{AdapterError, Hint, HintSender};

use super::process::{Program, Running};

/// The pauses before the program is started again after it ended. They double, until it runs for as long as the
/// longest.
const FIRST_RESTART_DELAY: Duration = Duration::from_secs(1);
const MAX_RESTART_DELAY: Duration = Duration::from_secs(300);

/// Runs the program, again whenever it ends. Each line means that something changed; what it says does not matter.
///
/// # Errors
/// Returns an error if the program cannot be started, or nobody listens any more.
pub async fn gather(program: Program, hints: HintSender) -> Result<(), AdapterError> {
    let mut pause = FIRST_RESTART_DELAY;
    loop {
        let started = Instant::now();
        let (mut running, output) = Running::start(&program)?;
        let mut output = BufReader::new(output);
        let mut is_inside = false;
        // Lines are not kept, so it does not matter how long they are.
        while let Ok(part) = output.fill_buf().await {
            if part.is_empty() {
                break;
            }
            let (length, ends) = (part.len(), part.contains(&b'\n'));
            is_inside = !part.ends_with(b"\n");
            output.consume(length);
            if ends {
                hints.send(Hint::Everything).await?;
            }
        }
        if is_inside {
            hints.send(Hint::Everything).await?;
        }
        running.wait().await?;
        pause = if started.elapsed() > MAX_RESTART_DELAY { FIRST_RESTART_DELAY } else { pause };
        sleep(pause).await;
        pause = (pause * 2).min(MAX_RESTART_DELAY);
    }
}
