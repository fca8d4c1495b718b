//! A process between this one and a program, which ends the program with all that it started.
//!
//! The keeper is forked before the program is executed, and never executes anything itself. It adopts what the program
//! leaves behind (`PR_SET_CHILD_SUBREAPER`), in whatever group or session. It watches a pipe whose other end only this
//! process has: the system closes it when this process ends, also after a kill. `PR_SET_PDEATHSIG` would not do: it
//! belongs to the thread that forks, and reaches only the program itself. The program has it, though, so that it ends
//! with a keeper that is killed.
//!
//! Everything here runs between `fork` and `exec` of a process with several threads: only system calls that are safe
//! there are made, and nothing is allocated.

use std::io::{self, PipeReader, PipeWriter};
use std::os::fd::{AsRawFd as _, RawFd};

use libc::{c_int, pid_t, pollfd};
use tokio::process::Command;

/// The time after which the keeper looks for adopted processes that have ended, in milliseconds.
const REAP_INTERVAL_MILLIS: c_int = 1_000;
/// The time between two attempts to end what is left, in milliseconds.
const KILL_INTERVAL_MILLIS: c_int = 5;
/// The number of signals whose handlers are not the keeper's.
const SIGNALS: c_int = 32;
/// The exit code of a keeper that ended its program.
const ENDED: c_int = 128 + libc::SIGKILL;

/// Makes a command start its program under a keeper. Returns the end of the pipe that keeps the program alive, and the
/// end that the keeper watches, which must stay open until the command was started.
pub fn place_under(command: &mut Command) -> io::Result<(PipeWriter, PipeReader)> {
    let (watched, life) = io::pipe()?;
    let descriptor = watched.as_raw_fd();
    // SAFETY: the function makes only system calls that are safe between fork and exec, and allocates nothing.
    unsafe { command.pre_exec(move || divide(descriptor)) };
    Ok((life, watched))
}

/// Divides a process in two: the new one returns and becomes the program, this one becomes its keeper.
///
/// # Safety
/// The process must be the only thread of a fork that executes nothing else.
unsafe fn divide(watched: RawFd) -> io::Result<()> {
    // SAFETY: plain system calls, whose arguments are numbers.
    unsafe {
        if libc::prctl(libc::PR_SET_CHILD_SUBREAPER, 1) != 0 {
            return Err(io::Error::last_os_error());
        }
        let keeper = libc::getpid();
        match libc::fork() {
            -1 => Err(io::Error::last_os_error()),
            0 => {
                // A program that signals its own group does not mean its keeper.
                libc::setpgid(0, 0);
                if libc::prctl(libc::PR_SET_PDEATHSIG, libc::SIGKILL) != 0 {
                    return Err(io::Error::last_os_error());
                }
                // The keeper may have been killed before the line above.
                if libc::getppid() != keeper { Err(io::Error::from_raw_os_error(libc::ESRCH)) } else { Ok(()) }
            }
            program => keep(watched, program),
        }
    }
}

/// Waits until the program ends or its life does, ends what is left, and ends as the program did.
///
/// # Safety
/// As [`divide`].
unsafe fn keep(watched: RawFd, program: pid_t) -> ! {
    // SAFETY: plain system calls, on numbers and on values of this function.
    unsafe {
        // The handlers of this process mean nothing here.
        for signal in 1..SIGNALS {
            libc::signal(signal, libc::SIG_DFL);
        }
        // Nothing else may stay open: a reader of the program's output waits until all have closed it, and other
        // keepers wait for the ends of their own pipes.
        libc::dup2(watched, 0);
        libc::syscall(libc::SYS_close_range, 1, c_int::MAX, 0);
        // Without this call, which old systems do not have, the end of the program is found a little later.
        let exit = c_int::try_from(libc::syscall(libc::SYS_pidfd_open, program, 0)).unwrap_or(-1);
        let mut seen =
            [pollfd { fd: 0, events: libc::POLLIN, revents: 0 }, pollfd { fd: exit, events: libc::POLLIN, revents: 0 }];
        let mut status = None;
        while status.is_none() && seen[0].revents == 0 {
            libc::poll(seen.as_mut_ptr(), 2, REAP_INTERVAL_MILLIS);
            while let Some((process, how)) = reap() {
                status = status.or((process == program).then_some(how));
            }
        }
        end_all(program);
        match status {
            Some(how) if libc::WIFSIGNALED(how) => {
                // The one who waits for the keeper sees the signal.
                let none = libc::rlimit { rlim_cur: 0, rlim_max: 0 };
                libc::setrlimit(libc::RLIMIT_CORE, &raw const none);
                libc::kill(libc::getpid(), libc::WTERMSIG(how));
                libc::_exit(128 + libc::WTERMSIG(how))
            }
            Some(how) => libc::_exit(libc::WEXITSTATUS(how)),
            None => libc::_exit(ENDED),
        }
    }
}

/// Returns a child that has ended, with its status; `None` if none has.
unsafe fn reap() -> Option<(pid_t, c_int)> {
    let mut how = 0;
    // SAFETY: the status is a value of this function.
    let process = unsafe { libc::waitpid(-1, &raw mut how, libc::WNOHANG) };
    (process > 0).then_some((process, how))
}

/// Kills all children, and those that are adopted from them, until none is left.
unsafe fn end_all(program: pid_t) {
    // SAFETY: plain system calls, on numbers and on values of this function.
    unsafe {
        loop {
            if !kill_children() {
                // The system does not say which children there are: the group of the program is what is known.
                libc::kill(-program, libc::SIGKILL);
            }
            let mut how = 0;
            match libc::waitpid(-1, &raw mut how, libc::WNOHANG) {
                -1 => return,
                0 => {
                    libc::poll(std::ptr::null_mut(), 0, KILL_INTERVAL_MILLIS);
                }
                _ => {}
            }
        }
    }
}

/// Kills the children that the system lists. Returns false if it lists none, because it cannot.
unsafe fn kill_children() -> bool {
    // SAFETY: the path ends with a zero, and the buffer is as long as is said.
    unsafe {
        let list = libc::open(c"/proc/thread-self/children".as_ptr(), libc::O_RDONLY | libc::O_CLOEXEC);
        if list < 0 {
            return false;
        }
        let mut process: pid_t = 0;
        let mut part = [0_u8; 512];
        loop {
            let length = libc::read(list, part.as_mut_ptr().cast(), part.len());
            let Ok(length @ 1..) = usize::try_from(length) else { break };
            for byte in &part[..length] {
                match byte {
                    b'0'..=b'9' => process = process.wrapping_mul(10).wrapping_add(pid_t::from(byte - b'0')),
                    _ => {
                        if process > 0 {
                            libc::kill(process, libc::SIGKILL);
                        }
                        process = 0;
                    }
                }
            }
        }
        libc::close(list);
    }
    true
}
