//! Programs that are scripts, in place of real ones.

use std::io::Write as _;
use std::path::Path;
use std::process::{Command, Stdio};

/// Makes a program of a script for `/bin/sh`.
///
/// Another process writes it. A file that this process has open for writing is open in each child that another thread
/// starts meanwhile, and the kernel runs no program that somebody may still change.
///
/// # Panics
/// Panics if the file cannot be written.
pub fn script(path: &Path, lines: &str) {
    let mut command = Command::new("/bin/sh");
    command.args(["-c", "cat > \"$1\" && chmod 755 \"$1\"", "sh"]).arg(path).stdin(Stdio::piped());
    let mut child = command.spawn().expect("run a shell");
    let mut input = child.stdin.take().expect("its input");
    input.write_all(format!("#!/bin/sh\n{lines}\n").as_bytes()).expect("write a script");
    drop(input);
    let status = child.wait().expect("wait for the shell");
    assert!(status.success(), "cannot write {}: {status}", path.display());
}
