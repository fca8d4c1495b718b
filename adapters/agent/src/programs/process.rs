//! One run of a program, in a process group of its own.

use std::io::{self, Read as _};
use std::os::unix::process::{CommandExt as _, ExitStatusExt as _};
use std::path::PathBuf;
use std::process::{Child, Command, Stdio};
use std::sync::mpsc::{self, RecvTimeoutError};
use std::sync::{Arc, Mutex};
use std::thread;
use std::time::Duration;

use rustix::process::{Pid, Signal, WaitId, WaitIdOptions, kill_process_group, waitid};

use super::{MOST, held};

/// The environment of programs. What they say must not depend on the language of the machine.
const ENVIRONMENT: [(&str, &str); 2] = [("PATH", "/usr/sbin:/usr/bin:/sbin:/bin"), ("LC_ALL", "C")];

/// The end of a program that ended by itself.
#[derive(Debug)]
pub struct Output {
    /// The bytes that it wrote.
    pub bytes: Vec<u8>,
    /// The status. Absent if a signal ended it.
    pub status: Option<i32>,
}

/// The reason why a program gave nothing that can be used. The sentences are about the program, and are the same ones
/// each time.
#[derive(Debug, thiserror::Error)]
pub enum Fault {
    /// It could not be started.
    #[error("cannot be started: {}", .0.kind())]
    Start(io::Error),
    /// Its output could not be read.
    #[error("cannot be read: {}", .0.kind())]
    Read(io::Error),
    /// It did not end in its time.
    #[error("did not end in time")]
    Late,
    /// An earlier run could not be ended.
    #[error("still runs, and cannot be ended")]
    StillRuns,
    /// It wrote more than is read.
    #[error("wrote more than {} KiB", MOST / 1024)]
    TooMuch,
    /// It failed.
    #[error("ended with status {0}")]
    Status(i32),
    /// It was killed by somebody else.
    #[error("was ended by a signal")]
    Signal,
    /// The thread that waits for it failed.
    #[error("was not waited for")]
    Lost,
}

/// The state of a run, which two threads share: one waits for the program, and one for the time.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum State {
    Starts,
    Runs(Pid),
    /// The number of the process may be that of another one now.
    Over,
    OutOfTime,
}

/// Runs a program. What it gets to hold is dropped when the process is gone, which may be later if it cannot be killed.
pub fn run(
    program: PathBuf,
    arguments: &[String],
    limit: Duration,
    hold: impl Send + 'static,
) -> Result<Output, Fault> {
    let mut command = Command::new(program);
    command.args(arguments).env_clear().envs(ENVIRONMENT).current_dir("/").process_group(0);
    command.stdin(Stdio::null()).stdout(Stdio::piped()).stderr(Stdio::null());

    let state = Arc::new(Mutex::new(State::Starts));
    let shared = Arc::clone(&state);
    let (results, result) = mpsc::channel();
    let started = thread::Builder::new().name("program".to_owned()).spawn(move || {
        let output = to_end(command, &shared);
        drop(hold);
        // Nobody waits for it once the time is over.
        let _ = results.send(output);
    });
    started.map_err(Fault::Start)?;
    match result.recv_timeout(limit) {
        Ok(output) => output,
        Err(RecvTimeoutError::Timeout) => {
            end(&state);
            Err(Fault::Late)
        }
        Err(RecvTimeoutError::Disconnected) => Err(Fault::Lost),
    }
}

/// Starts a program and waits for it.
fn to_end(mut command: Command, state: &Mutex<State>) -> Result<Output, Fault> {
    let (mut child, pid) = {
        let mut now = held(state);
        if *now == State::OutOfTime {
            return Err(Fault::Late);
        }
        let child = command.spawn().map_err(Fault::Start)?;
        let pid = Pid::from_child(&child);
        *now = State::Runs(pid);
        (child, pid)
    };

    let read = read(&mut child);
    if !matches!(&read, Ok(bytes) if bytes.len() as u64 <= MOST) {
        kill(pid);
    }
    // The process is not waited for here, so that its number is nobody else's while the other thread may kill it.
    let _ = rustix::io::retry_on_intr(|| waitid(WaitId::Pid(pid), WaitIdOptions::EXITED | WaitIdOptions::NOWAIT));
    let mut now = held(state);
    kill(pid);
    let ended = child.wait().map_err(Fault::Read)?;
    *now = State::Over;

    let bytes = read.map_err(Fault::Read)?;
    if bytes.len() as u64 > MOST {
        return Err(Fault::TooMuch);
    }
    let status = ended.signal().is_none().then(|| ended.code()).flatten();
    Ok(Output { bytes, status })
}

/// Reads what a program writes, or a byte more than is allowed.
fn read(child: &mut Child) -> io::Result<Vec<u8>> {
    let mut bytes = Vec::new();
    if let Some(output) = child.stdout.take() {
        output.take(MOST + 1).read_to_end(&mut bytes)?;
    }
    Ok(bytes)
}

/// Ends a program whose time is over.
fn end(state: &Mutex<State>) {
    let mut now = held(state);
    if let State::Runs(pid) = *now {
        kill(pid);
    }
    if *now != State::Over {
        *now = State::OutOfTime;
    }
}

/// Kills a process that was not waited for, and its group.
fn kill(pid: Pid) {
    // It may have ended by itself.
    let _ = kill_process_group(pid, Signal::KILL);
}
