//! Runs a command at a pseudo-terminal, as a person does.

use std::fs::File;
use std::io::{self, Write as _};
use std::os::fd::{FromRawFd as _, OwnedFd};
use std::os::unix::process::CommandExt as _;
use std::process::{Child, ExitStatus, Stdio};
use std::time::Duration;

use rustix::termios::{LocalModes, tcgetattr};

use super::process::{self, Capture, until};

/// The time limit for what a command shows, and for its end.
const WAIT_TIMEOUT: Duration = Duration::from_secs(60);

/// A command that runs at a terminal of its own.
pub struct Terminal {
    keyboard: File,
    /// The end of the terminal that the command has. While it is open the terminal exists.
    line: OwnedFd,
    screen: Capture,
    child: Child,
}

impl Terminal {
    /// Starts the program under test.
    pub fn start(arguments: &[&str]) -> Self {
        let (own, line) = open().expect("a pseudo-terminal");
        let end = || Stdio::from(line.try_clone().expect("another handle of the terminal"));
        let mut command = process::underlay();
        // No server listens at this address.
        command
            .args(arguments)
            .env("UNDERLAY_SERVER", "http://127.0.0.1:1")
            .env("UNDERLAY_CONFIG", "/nowhere/contexts.toml");
        command.stdin(end()).stdout(end()).stderr(end());
        // The tests may run in the background of a shell, whose programs inherit that they ignore Ctrl+C.
        // SAFETY: between fork and exec only this system call is made, which is safe there, and nothing is allocated.
        unsafe {
            command.pre_exec(|| match libc::signal(libc::SIGINT, libc::SIG_DFL) {
                libc::SIG_ERR => Err(io::Error::last_os_error()),
                _ => Ok(()),
            });
        }
        let child = process::spawn(command, libc::SIGKILL).expect("start the program");
        let keyboard = File::from(own);
        let screen = Capture::of(keyboard.try_clone().expect("another handle of the terminal"));
        Self { keyboard, line, screen, child }
    }

    /// Waits until the terminal shows a text.
    pub async fn shows(&self, text: &str) {
        let shown = until(WAIT_TIMEOUT, || self.screen.text().contains(text).then_some(())).await;
        assert!(shown.is_some(), "{text:?} is not in {:?}", self.screen.text());
    }

    /// Returns everything that the terminal showed.
    pub fn screen(&self) -> String {
        self.screen.text()
    }

    /// Types something.
    pub fn type_in(&mut self, keys: &str) {
        self.keyboard.write_all(keys.as_bytes()).expect("the terminal is open");
    }

    /// Returns true if the terminal shows what is typed, line by line, and its keys send signals.
    pub fn is_usual(&self) -> bool {
        let modes = tcgetattr(&self.line).expect("a terminal").local_modes;
        modes.contains(LocalModes::ECHO | LocalModes::ICANON | LocalModes::ISIG)
    }

    /// Waits for the end of the command.
    pub async fn ended(&mut self) -> ExitStatus {
        let ended = until(WAIT_TIMEOUT, || self.child.try_wait().expect("wait for a child")).await;
        ended.unwrap_or_else(|| panic!("the command does not end; it shows {:?}", self.screen.text()))
    }
}

impl Drop for Terminal {
    fn drop(&mut self) {
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

/// Opens a pseudo-terminal. Returns the end of the person and that of the program.
fn open() -> io::Result<(OwnedFd, OwnedFd)> {
    let (mut own, mut line) = (-1, -1);
    let nothing = std::ptr::null_mut;
    // SAFETY: the call writes two descriptors, and reads nothing because the name and the settings are null.
    let opened = unsafe { libc::openpty(&raw mut own, &raw mut line, nothing(), std::ptr::null(), std::ptr::null()) };
    if opened != 0 {
        return Err(io::Error::last_os_error());
    }
    // SAFETY: both descriptors were just opened, and nothing else has them.
    Ok(unsafe { (OwnedFd::from_raw_fd(own), OwnedFd::from_raw_fd(line)) })
}
