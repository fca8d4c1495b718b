//! Runs programs that others installed, for what the kernel does not say in files.
//!
//! Guarantees: a program is one of a folder of the system, and runs without a shell, without input and with an
//! environment of two variables. After its time, it and all that it started are killed. At most 1 MiB of what it writes
//! is kept. What ran is not run again for an hour, however it ended. If it cannot even be killed, it is not started
//! again: however sick a device is, at most one program waits for it.

mod process;

use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::path::PathBuf;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant};

use self::process::{Fault, Output};
use crate::root::Failure;

/// The folders of programs, in the order in which they are looked through.
const FOLDERS: [&str; 4] = ["/usr/sbin", "/usr/bin", "/sbin", "/bin"];
/// The greatest number of results that are kept. Only a machine that makes up disks has more; it forgets the oldest.
const MOST_KEPT: usize = 1024;
/// The most that is kept of what a program writes.
pub const MOST: u64 = 1024 * 1024;

/// A run of a program.
#[derive(Clone, Debug)]
pub struct Call {
    /// The name of the program.
    pub program: &'static str,
    /// The part of the machine about which it is asked, if it is asked about each by itself: one word.
    pub part: Option<String>,
    /// A text that differs if the result of an earlier run is about something else, such as a serial number.
    pub subject: String,
    /// The arguments.
    pub arguments: Vec<String>,
    /// The meaning of the status with which it ends.
    pub status: Status,
    /// Returns true for an output that says something. In place of one that does not, the last one counts that did.
    pub says: fn(&[u8]) -> bool,
}

/// The meaning of the status with which a program ends.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Status {
    /// It failed unless the status is 0.
    Success,
    /// Nothing: what it wrote says how it went.
    Anything,
}

/// The times that programs have.
#[derive(Clone, Copy, Debug)]
pub struct Limits {
    /// The time for one run.
    pub run: Duration,
    /// The time for all runs of a section of one report.
    pub section: Duration,
    /// The time after which a program is run again.
    pub again: Duration,
}

/// The programs of a machine, with what they said last.
#[derive(Debug)]
pub struct Programs {
    folders: Vec<PathBuf>,
    limits: Limits,
    kept: Mutex<BTreeMap<String, Kept>>,
    running: Arc<Mutex<BTreeSet<String>>>,
}

/// The result of a run.
#[derive(Clone, Debug)]
struct Kept {
    at: Instant,
    result: Result<Vec<u8>, Failure>,
}

/// A call that runs. Another one of its kind can run once this is dropped.
#[derive(Debug)]
struct Running {
    key: String,
    all: Arc<Mutex<BTreeSet<String>>>,
}

impl Call {
    /// Returns the name of the call in a report, such as `smartctl sda`.
    pub fn title(&self) -> String {
        self.part.as_ref().map_or_else(|| self.program.to_owned(), |part| format!("{} {part}", self.program))
    }

    /// Returns the name of the file that has the output in a recorded tree.
    pub fn path(&self) -> String {
        let name = |part: &String| format!("/programs/{}/{}", self.program, part.replace('/', "!"));
        self.part.as_ref().map_or_else(|| format!("/programs/{}", self.program), name)
    }

    fn key(&self) -> String {
        format!("{}\n{}", self.path(), self.subject)
    }
}

impl Default for Limits {
    fn default() -> Self {
        Self {
            // Without a daemon, the driver of NVIDIA prepares each GPU anew for each program.
            run: Duration::from_secs(30),
            section: Duration::from_secs(60),
            again: Duration::from_secs(60 * 60),
        }
    }
}

impl Programs {
    /// Returns the programs of the system.
    #[must_use]
    pub fn of_system() -> Self {
        Self::in_folders(FOLDERS.map(PathBuf::from).into(), Limits::default())
    }

    /// Returns the programs of some folders.
    #[must_use]
    pub fn in_folders(folders: Vec<PathBuf>, limits: Limits) -> Self {
        Self { folders, limits, kept: Mutex::default(), running: Arc::default() }
    }

    /// Returns the time that the programs of a section may take.
    pub fn limit_of_section(&self) -> Duration {
        self.limits.section
    }

    /// Returns what a program writes, or wrote within the last hour. It may run until the deadline.
    pub fn output(&self, call: &Call, deadline: Instant) -> Result<Vec<u8>, Failure> {
        let Some(program) = self.installed(call.program) else { return Err(Failure::Absent) };
        let key = call.key();
        let former = held(&self.kept).get(&key).cloned();
        if let Some(kept) = former.as_ref().filter(|kept| kept.at.elapsed() < self.limits.again) {
            return kept.result.clone();
        }
        let limit = deadline.saturating_duration_since(Instant::now()).min(self.limits.run);
        if limit.is_zero() {
            return former.map_or_else(|| unread("had no time left in this report"), |kept| kept.result);
        }

        let ran = match self.enter(&key) {
            Some(running) => process::run(program, &call.arguments, limit, running),
            None => Err(Fault::StillRuns),
        };
        let result = match ran.and_then(|output| accepted(output, call.status)) {
            Ok(bytes) if (call.says)(&bytes) => Ok(bytes),
            Ok(bytes) => former.and_then(|kept| kept.result.ok()).map_or(Ok(bytes), Ok),
            Err(fault) => unread(&fault.to_string()),
        };
        self.keep(key, &result);
        result
    }

    fn installed(&self, name: &str) -> Option<PathBuf> {
        let paths = self.folders.iter().map(|folder| folder.join(name));
        paths.into_iter().find(|path| fs::metadata(path).is_ok_and(|found| found.is_file()))
    }

    /// Begins a run, unless an earlier one of the call has not ended.
    fn enter(&self, key: &str) -> Option<Running> {
        let is_new = held(&self.running).insert(key.to_owned());
        is_new.then(|| Running { key: key.to_owned(), all: Arc::clone(&self.running) })
    }

    fn keep(&self, key: String, result: &Result<Vec<u8>, Failure>) {
        let mut kept = held(&self.kept);
        kept.insert(key, Kept { at: Instant::now(), result: result.clone() });
        if kept.len() > MOST_KEPT
            && let Some(oldest) = kept.iter().min_by_key(|(_, kept)| kept.at).map(|(key, _)| key.clone())
        {
            kept.remove(&oldest);
        }
    }
}

impl Drop for Running {
    fn drop(&mut self) {
        held(&self.all).remove(&self.key);
    }
}

fn accepted(output: Output, status: Status) -> Result<Vec<u8>, Fault> {
    match output.status {
        Some(0) => Ok(output.bytes),
        Some(_) if status == Status::Anything => Ok(output.bytes),
        Some(number) => Err(Fault::Status(number)),
        None => Err(Fault::Signal),
    }
}

fn unread<T>(reason: &str) -> Result<T, Failure> {
    Err(Failure::Unread(reason.to_owned()))
}

fn held<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}

#[cfg(test)]
mod tests;
