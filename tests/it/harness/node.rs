//! Runs programs under Node, with libraries from npm.

use std::path::Path;
use std::process::Command;

use tempfile::TempDir;

use super::{Process, scratch};

/// Returns a folder with these packages.
pub async fn libraries(packages: &[&str]) -> TempDir {
    let folder = scratch::folder("node");
    std::fs::write(folder.path().join("package.json"), r#"{"type":"module","private":true}"#).expect("write a file");
    let mut npm = Command::new("npm");
    npm.current_dir(folder.path()).arg("install").args(["--no-audit", "--no-fund", "--loglevel=error"]).args(packages);
    let mut process = Process::start(npm, None);
    assert!(process.end().await.success(), "npm install: {}", process.stderr());
    folder
}

/// Starts a program in such a folder.
pub fn start(folder: &Path, name: &str, text: &str, arguments: &[&str]) -> Process {
    let path = folder.join(name);
    std::fs::write(&path, text).expect("write a program");
    let mut node = Command::new("node");
    node.arg(path).args(arguments);
    Process::start(node, None)
}
