//! Runs programs under Python, with libraries from PyPI.

use std::path::Path;
use std::process::Command;

use tempfile::TempDir;

use super::{Process, scratch};

/// Returns a folder with an environment that has these packages.
pub async fn libraries(packages: &[&str]) -> TempDir {
    let folder = scratch::folder("python");
    let mut environment = Command::new("python3");
    environment.args(["-m", "venv"]).arg(folder.path().join("environment"));
    let mut process = Process::start(environment, None);
    assert!(process.end().await.success(), "python3 -m venv: {}", process.stderr());

    let mut pip = Command::new(folder.path().join("environment/bin/pip"));
    pip.args(["install", "--quiet", "--disable-pip-version-check"]).args(packages);
    let mut process = Process::start(pip, None);
    assert!(process.end().await.success(), "pip install: {}", process.stderr());
    folder
}

/// Starts a program in such a folder.
pub fn start(folder: &Path, name: &str, text: &str, arguments: &[&str]) -> Process {
    let path = folder.join(name);
    std::fs::write(&path, text).expect("write a program");
    let mut python = Command::new(folder.join("environment/bin/python"));
    python.arg(path).args(arguments);
    Process::start(python, None)
}
