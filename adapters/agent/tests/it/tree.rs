//! Makes trees of files as machines have them.

use std::fs;
use std::os::unix::fs::symlink;
use std::path::{Path, PathBuf};

use serde_json::Value;
use tempfile::TempDir;
use underlay_agent::{Root, report};
use underlay_facts::Report;
use underlay_testing::HANG;

/// The files of a machine, in a temporary folder.
pub struct Tree(TempDir);

impl Tree {
    pub fn new() -> Self {
        Self(tempfile::tempdir().expect("a folder"))
    }

    pub fn path(&self) -> &Path {
        self.0.path()
    }

    /// Returns where a path of the machine is.
    pub fn at(&self, path: &str) -> PathBuf {
        let full = self.path().join(path.trim_start_matches('/'));
        fs::create_dir_all(full.parent().expect("a parent")).expect("make a folder");
        full
    }

    pub fn file(self, path: &str, contents: impl AsRef<[u8]>) -> Self {
        fs::write(self.at(path), contents).expect("write a file");
        self
    }

    pub fn folder(self, path: &str) -> Self {
        fs::create_dir_all(self.at(path)).expect("make a folder");
        self
    }

    pub fn link(self, path: &str, target: &str) -> Self {
        symlink(target, self.at(path)).expect("make a link");
        self
    }

    /// Adds files of one line to a folder.
    pub fn files(self, folder: &str, files: &[(&str, &str)]) -> Self {
        files.iter().fold(self, |tree, (name, text)| tree.file(&format!("{folder}/{name}"), format!("{text}\n")))
    }

    /// Adds a device, with the link to it from its class.
    pub fn device(self, class: &str, real: &str, files: &[(&str, &str)]) -> Self {
        let name = real.rsplit('/').next().expect("a name");
        let up = "../".repeat(class.matches('/').count() - 1);
        let target = up + real.strip_prefix("/sys/").expect("a device");
        self.folder(real).link(&format!("{class}/{name}"), &target).files(real, files)
    }

    pub fn report(&self) -> Report {
        report(&Root::tree(self.path()).expect("a tree"), HANG)
    }

    /// Returns the sections of the report.
    pub fn sections(&self) -> Value {
        serde_json::to_value(self.report().sections).expect("JSON")
    }
}

/// A memory device of a firmware's table.
pub struct Dimm {
    pub bank: &'static str,
    pub locator: &'static str,
    pub size: u16,
    pub extended: u32,
    pub kind: u8,
    pub speed: u16,
    pub maker: &'static str,
    pub serial: &'static str,
    pub part: &'static str,
}

impl Dimm {
    pub fn bytes(&self) -> Vec<u8> {
        let mut bytes = vec![0_u8; 0x5c];
        bytes[0] = 17;
        bytes[1] = 0x5c;
        bytes[0x0c..0x0e].copy_from_slice(&self.size.to_le_bytes());
        bytes[0x12] = self.kind;
        bytes[0x1c..0x20].copy_from_slice(&self.extended.to_le_bytes());
        bytes[0x20..0x22].copy_from_slice(&self.speed.to_le_bytes());
        let texts =
            [(0x10, self.locator), (0x11, self.bank), (0x17, self.maker), (0x18, self.serial), (0x1a, self.part)];
        // An empty string has the number 0, because two zeros end all.
        for (number, (offset, text)) in (1..).zip(texts.iter().filter(|(_, text)| !text.is_empty())) {
            bytes[*offset] = number;
            bytes.extend(text.as_bytes());
            bytes.push(0);
        }
        bytes.push(0);
        bytes
    }
}

/// Returns a table that begins with a structure about the system, with a serial number that is in no file of its own.
pub fn table(dimms: &[Dimm]) -> Vec<u8> {
    let mut table = vec![1, 8, 0, 1, 1, 0, 0, 1];
    table.extend(b"HIDDEN7351\0\0");
    table.extend(dimms.iter().flat_map(Dimm::bytes));
    table.extend([127, 4, 0xff, 0xfe, 0, 0]);
    table
}
