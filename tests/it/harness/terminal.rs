//! Runs a command at a pseudo-terminal, as a person does.

use std::fs::File;
use std::io::{self, Write as _};
use std::os::fd::{FromRawFd as _, OwnedFd};
use std::os::unix::process::CommandExt as _;
use std::process::{Child, ExitStatus, Stdio};

use rustix::termios::{LocalModes, tcgetattr};
use underlay_testing::process::{Capture, spawn};
use underlay_testing::until;

use super::program;

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
        let mut command = program::underlay();
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
        let child = spawn(command, libc::SIGKILL).expect("start the program");
        let keyboard = File::from(own);
        let screen = Capture::of(keyboard.try_clone().expect("another handle of the terminal"));
        Self { keyboard, line, screen, child }
    }

    /// Waits until the terminal shows a text.
    pub async fn shows(&self, text: &str) {
        until(format!("the terminal shows {text:?}"), async || {
            let screen = self.screen.text();
            if screen.contains(text) { Ok(()) } else { Err(format!("{screen:?}")) }
        })
        .await;
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
        let (child, screen) = (&mut self.child, &self.screen);
        until("the command ends", async || {
            child.try_wait().expect("wait for a child").ok_or_else(|| format!("it shows {:?}", screen.text()))
        })
        .await
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
