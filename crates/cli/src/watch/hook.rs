//! Runs the command of `--exec` for each event, one event after the other.
//!
//! Guarantees: an event counts as handled only if the command ends with exit code 0. A command ends within its time
//! limit, together with every process of its process group. The command need not read its standard input.

use std::convert::Infallible;
use std::fmt;
use std::io;
use std::process::{ExitStatus, Stdio};
use std::str::FromStr;
use std::time::Duration;

use thiserror::Error;
use tokio::io::AsyncWriteExt;
use tokio::process::{Child, ChildStdin, Command};
use tokio::time::sleep;
use underlay_client::Pauses;

use super::event::Event;
use crate::signals::Signals;
use underlay_kit::line;

/// A command with its arguments, which is run without a shell.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct CommandLine {
    program: String,
    arguments: Vec<String>,
}

impl FromStr for CommandLine {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        let mut words =
            shell_words::split(text).map_err(|error| format!("cannot be read as a command: {error}"))?.into_iter();
        let program = words.next().filter(|program| !program.is_empty()).ok_or("names no command")?;
        Ok(Self { program, arguments: words.collect() })
    }
}

impl fmt::Display for CommandLine {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        out.write_str(&line(&self.program))
    }
}

/// The error for a command that cannot be started.
#[derive(Debug, Error)]
#[error("the command {command} cannot be started: {error}")]
pub(super) struct NotStarted {
    command: CommandLine,
    error: io::Error,
}

/// The result of running the command for an event.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum HookResult {
    /// The command handled the event.
    Done,
    /// The command failed as often as it may.
    Failed,
    /// The command failed, and the watch was asked to end.
    Stopped,
}

/// The command to run for each event, and its limits.
#[derive(Clone, Debug)]
pub(super) struct Hook {
    pub(super) command: CommandLine,
    /// The address of the server, for commands that send requests.
    pub(super) server: String,
    /// The maximum number of tries for an event.
    pub(super) tries: u32,
    /// The maximum time of one run.
    pub(super) limit: Duration,
}

impl Hook {
    /// Runs the command for an event until it succeeds, at most `tries` times.
    pub(super) async fn run(&self, event: &Event, signals: &mut Signals) -> Result<HookResult, NotStarted> {
        let mut pauses = Pauses::default();
        for tried in 1..=self.tries {
            let Err(problem) = self.once(event, signals).await? else { return Ok(HookResult::Done) };
            let of = event.path().unwrap_or_default();
            eprintln!("note: {} {problem} at {} {of} (try {tried} of {})", self.command, event.what, self.tries);
            if signals.asked() {
                return Ok(HookResult::Stopped);
            }
            if tried < self.tries {
                tokio::select! {
                    () = signals.next() => return Ok(HookResult::Stopped),
                    () = sleep(pauses.next_pause()) => {}
                }
            }
        }
        Ok(HookResult::Failed)
    }

    /// Runs the command once. The inner result is an error text if the command failed.
    async fn once(&self, event: &Event, signals: &mut Signals) -> Result<Result<(), String>, NotStarted> {
        let failed = |error| NotStarted { command: self.command.clone(), error };
        let mut child = self.command(event).spawn().map_err(failed)?;
        let mut feeding = std::pin::pin!(feed(child.stdin.take(), event.json()));
        let mut limit = std::pin::pin!(sleep(self.limit));
        let problem = loop {
            tokio::select! {
                ended = child.wait() => return Ok(ended.map_err(|error| error.to_string()).and_then(judge)),
                never = &mut feeding => match never {},
                () = &mut limit => break format!("did not end within {} s and was killed", self.limit.as_secs()),
                () = signals.next() => match signals.count() {
                    0 | 1 => eprintln!("note: waiting for {} to end; another signal kills it", self.command),
                    _ => break "was killed".to_owned(),
                },
            }
        };
        kill(&mut child).await;
        Ok(Err(problem))
    }

    fn command(&self, event: &Event) -> Command {
        // An environment variable cannot contain NUL on any system.
        let text = |text: Option<&str>| text.unwrap_or_default().replace('\0', "");
        let mut command = Command::new(&self.command.program);
        command.args(&self.command.arguments).stdin(Stdio::piped()).kill_on_drop(true);
        command.env("UNDERLAY_EVENT", event.what.word());
        command.env("UNDERLAY_KIND", text(event.kind.as_deref()));
        command.env("UNDERLAY_ID", text(event.object_id.as_deref()));
        command.env("UNDERLAY_NAME", text(event.name.as_deref()));
        command.env("UNDERLAY_REVISION", event.revision.to_string());
        command.env("UNDERLAY_CURSOR", text(Some(&event.cursor)));
        command.env("UNDERLAY_SERVER", &self.server);
        // In a process group of its own, the command survives Ctrl+C in a terminal, and can be killed with all its
        // children.
        #[cfg(unix)]
        command.process_group(0);
        command
    }
}

/// Writes the input of a command. The command may end or close its input before it has read everything.
async fn feed(stdin: Option<ChildStdin>, text: String) -> Infallible {
    if let Some(mut stdin) = stdin {
        let _ = stdin.write_all(format!("{text}\n").as_bytes()).await;
    }
    std::future::pending().await
}

fn judge(status: ExitStatus) -> Result<(), String> {
    if status.success() { Ok(()) } else { Err(format!("ended with {status}")) }
}

/// Kills a command with every process of its group, and waits for its end.
async fn kill(child: &mut Child) {
    #[cfg(unix)]
    {
        use rustix::process::{Pid, Signal, kill_process_group};
        let id = child.id().and_then(|id| i32::try_from(id).ok()).and_then(Pid::from_raw);
        if let Some(id) = id {
            // The call fails only if no process of the group is left.
            let _ = kill_process_group(id, Signal::KILL);
        }
    }
    let _ = child.kill().await;
}

#[cfg(test)]
mod tests {
    use super::*;

    #[tokio::test]
    async fn a_command_need_not_read_input_larger_than_a_pipe() {
        let event = serde_json::from_value(serde_json::json!({
            "type": "UPDATED", "cursor": "c", "revision": 7, "at": "", "kind": "Rack", "objectId": "1", "name": "A\0",
            "objectRevision": 7, "change": {"before": {"a": "x".repeat(1 << 20)}, "after": {"a": ""}},
        }));
        let (event, mut signals) = (event.expect("an event"), Signals::listen());
        for (command, expected) in [
            ("true", HookResult::Done),
            ("false", HookResult::Failed),
            ("sh -c 'exec <&-; sleep 0.1'", HookResult::Done),
        ] {
            let command = command.parse().expect("a command");
            let hook = Hook { command, server: String::new(), tries: 1, limit: Duration::from_secs(60) };
            assert_eq!(hook.run(&event, &mut signals).await.expect("it starts"), expected);
        }
    }

    #[test]
    fn commands_are_split_without_a_shell() {
        let read = |text: &str| text.parse::<CommandLine>().map(|it| (it.program, it.arguments));
        let expected = ("./a b".to_owned(), vec!["c d".to_owned(), "$E".to_owned()]);
        assert_eq!(read("'./a b' \"c d\" $E"), Ok(expected));
        for (text, expected) in
            [("", "names no command"), ("''", "names no command"), ("a 'b", "cannot be read as a command")]
        {
            let message = read(text).expect_err("no command");
            assert!(message.starts_with(expected), "{text}: {message}");
        }
    }
}
