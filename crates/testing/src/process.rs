//! Starts child processes that never outlive the test process.
//!
//! Dropping a value ends its child; if the test is failing then, it also prints the output of the child. A test process can also be killed, or end without dropping anything (statics, an
//! abort). For these cases, the kernel is asked to signal the child when its parent dies. The kernel's "parent" is the
//! *thread* that created the child, and threads of tests and runtimes end early. So a single thread that lives as long
//! as the process creates all children.

use std::io::{self, Read, Write};
use std::os::unix::process::{CommandExt, ExitStatusExt};
use std::process::{Child, Command, ExitStatus, Stdio};
use std::sync::{Arc, Mutex, OnceLock, PoisonError, mpsc};
use std::thread::{self, JoinHandle};
use std::time::Duration;

use crate::wait::{until_seen, within};

/// The time for which pipes of an ended process may stay open, because a grandchild can hold them.
const PIPE_TIMEOUT: Duration = Duration::from_secs(5);
/// The number of bytes of an output that are shown if a test fails.
const MAX_SHOWN_BYTES: usize = 64 << 10;

type Order = (Command, mpsc::Sender<io::Result<Child>>);

/// Starts a process that gets `signal` when this process ends in any way.
pub fn spawn(mut command: Command, signal: libc::c_int) -> io::Result<Child> {
    static MAKER: OnceLock<mpsc::Sender<Order>> = OnceLock::new();
    let maker = MAKER.get_or_init(|| {
        let (orders, inbox) = mpsc::channel::<Order>();
        thread::Builder::new()
            .name("maker of processes".to_owned())
            .spawn(move || {
                for (mut command, reply) in inbox {
                    // A caller that is gone does not want the answer.
                    let _ = reply.send(command.spawn());
                }
            })
            .expect("start a thread");
        orders
    });
    die_with_parent(&mut command, signal);
    let (reply, child) = mpsc::channel();
    maker.send((command, reply)).expect("the maker of processes runs");
    child.recv().expect("the maker of processes runs")
}

#[cfg(target_os = "linux")]
fn die_with_parent(command: &mut Command, signal: libc::c_int) {
    let parent = libc::pid_t::try_from(std::process::id()).expect("a process id");
    // SAFETY: between fork and exec only system calls that are safe there are made, and nothing is allocated.
    unsafe {
        command.pre_exec(move || {
            // Changing the user clears this, so it matters that std changes the user before it calls us.
            if libc::prctl(libc::PR_SET_PDEATHSIG, signal) != 0 {
                return Err(io::Error::last_os_error());
            }
            // The parent may have died before the line above: nobody would signal us then.
            if libc::getppid() != parent {
                return Err(io::Error::from_raw_os_error(libc::ESRCH));
            }
            Ok(())
        });
    }
}

/// Other systems have no such thing; there, only a killed test process leaves its children behind.
#[cfg(not(target_os = "linux"))]
fn die_with_parent(_command: &mut Command, _signal: libc::c_int) {}

/// Returns a command without the developer's own environment variables.
pub fn without_variables(mut command: Command) -> Command {
    for (name, _) in std::env::vars_os() {
        if name.to_string_lossy().starts_with("UNDERLAY_") {
            command.env_remove(name);
        }
    }
    command
}

/// A running process whose output is captured; killed and reaped when dropped.
pub struct Process {
    child: Child,
    /// The command, for messages.
    shown: String,
    stdout: Capture,
    stderr: Capture,
}

impl Process {
    /// Starts a process. Without `stdin`, its input is empty.
    pub fn start(mut command: Command, stdin: Option<Vec<u8>>) -> Self {
        command.stdin(if stdin.is_some() { Stdio::piped() } else { Stdio::null() });
        command.stdout(Stdio::piped()).stderr(Stdio::piped());
        let shown = format!("{command:?}");
        let mut child = spawn(command, libc::SIGKILL).unwrap_or_else(|error| panic!("{shown} does not start: {error}"));
        if let (Some(text), Some(mut pipe)) = (stdin, child.stdin.take()) {
            // The input is written on a thread of its own, because the program can write before it has read everything.
            // It can also end without reading everything, which is not an error here.
            thread::spawn(move || pipe.write_all(&text));
        }
        let stdout = Capture::of(child.stdout.take().expect("a pipe"));
        let stderr = Capture::of(child.stderr.take().expect("a pipe"));
        Self { child, shown, stdout, stderr }
    }

    pub fn pid(&self) -> u32 {
        self.child.id()
    }

    /// Returns the standard output so far.
    pub fn stdout(&self) -> String {
        self.stdout.text()
    }

    /// Returns the standard error so far.
    pub fn stderr(&self) -> String {
        self.stderr.text()
    }

    /// Returns the exit status if the process has ended.
    pub fn ended(&mut self) -> Option<ExitStatus> {
        self.child.try_wait().expect("wait for a child")
    }

    /// Waits for the end of the process, and then for the rest of its output.
    #[track_caller]
    pub fn end(&mut self) -> impl Future<Output = ExitStatus> {
        let (child, stdout, stderr) = (&mut self.child, &self.stdout, &self.stderr);
        let ended = until_seen(format!("{} ends", self.shown), || child.try_wait().expect("wait for a child"));
        async move {
            let status = ended.await;
            within(PIPE_TIMEOUT, || (stdout.complete() && stderr.complete()).then_some(())).await;
            status
        }
    }

    /// Waits for the end of the process for a program that handles the end of the time itself. A test uses `end`.
    pub async fn ended_within(&mut self, limit: Duration) -> Option<ExitStatus> {
        let status = within(limit, || self.ended()).await?;
        within(PIPE_TIMEOUT, || (self.stdout.complete() && self.stderr.complete()).then_some(())).await;
        Some(status)
    }

    /// Sends a signal. The process must not have ended, because another process can have its id by then.
    pub fn signal(&mut self, signal: libc::c_int) {
        if let Some(status) = self.ended() {
            panic!("process {} has ended already ({status}):\n{}", self.pid(), self.stderr());
        }
        // SAFETY: a plain system call; the child is not reaped yet, so the id is still its own.
        let sent = unsafe { libc::kill(raw(self.pid()), signal) };
        assert_eq!(sent, 0, "signal {signal}: {}", io::Error::last_os_error());
    }

    /// Stops the process and returns once it has stopped; the signal alone takes effect a little later.
    pub async fn freeze(&mut self) {
        self.signal(libc::SIGSTOP);
        let id = libc::id_t::from(self.pid());
        let shown = &self.shown;
        until_seen(format!("{shown} stops at SIGSTOP"), || {
            // SAFETY: a siginfo of zeros is a valid one, and the call only writes to it. Without WEXITED it reaps
            // nothing, so `Child` keeps its view of the process.
            let (answer, seen) = unsafe {
                let mut seen: libc::siginfo_t = std::mem::zeroed();
                (libc::waitid(libc::P_PID, id, &raw mut seen, libc::WSTOPPED | libc::WNOHANG), seen.si_pid())
            };
            answer == 0 && seen != 0
        })
        .await;
    }

    /// Continues a stopped process.
    pub fn thaw(&mut self) {
        self.signal(libc::SIGCONT);
    }

    /// Sends SIGKILL and waits for the end. Does nothing if the process has ended.
    pub fn kill(&mut self) {
        // This fails only for a process that was already reaped.
        let _ = self.child.kill();
        self.child.wait().expect("wait for a child");
    }
}

impl Drop for Process {
    fn drop(&mut self) {
        let _ = self.child.kill();
        let ended = self.child.wait();
        if thread::panicking() {
            eprintln!("--- process {} ({ended:?}): {}", self.pid(), self.shown);
            eprintln!("--- its standard output:\n{}", last_part(&self.stdout()));
            eprintln!("--- its standard error:\n{}", last_part(&self.stderr()));
        }
    }
}

/// Returns the end of a text that may be too long to be read.
fn last_part(text: &str) -> &str {
    let begin = text.len().saturating_sub(MAX_SHOWN_BYTES);
    let begin = text.char_indices().map(|(at, _)| at).find(|at| *at >= begin);
    &text[begin.unwrap_or(text.len())..]
}

/// Returns the exit code. A process that was ended by a signal has none, which is a failure.
pub fn exit_code(status: ExitStatus) -> Result<i32, String> {
    match status.signal() {
        Some(signal) => Err(format!("ended by signal {signal}")),
        None => status.code().ok_or_else(|| "ended without an exit code".to_owned()),
    }
}

/// Converts a process id for system calls.
pub fn raw(pid: u32) -> libc::pid_t {
    libc::pid_t::try_from(pid).expect("a process id")
}

/// Everything that comes out of a pipe. Read on a thread, not a task, so that a child never blocks on a full pipe while
/// the test's runtime is busy or gone.
pub struct Capture {
    bytes: Arc<Mutex<Vec<u8>>>,
    reader: JoinHandle<()>,
}

impl Capture {
    pub fn of(mut pipe: impl Read + Send + 'static) -> Self {
        let bytes = Arc::new(Mutex::new(Vec::new()));
        let sink = Arc::clone(&bytes);
        let reader = thread::spawn(move || {
            let mut buffer = [0; 8192];
            while let Ok(count @ 1..) = pipe.read(&mut buffer) {
                sink.lock().unwrap_or_else(PoisonError::into_inner).extend_from_slice(&buffer[..count]);
            }
        });
        Self { bytes, reader }
    }

    pub fn text(&self) -> String {
        String::from_utf8_lossy(&self.bytes.lock().unwrap_or_else(PoisonError::into_inner)).into_owned()
    }

    fn complete(&self) -> bool {
        self.reader.is_finished()
    }
}
