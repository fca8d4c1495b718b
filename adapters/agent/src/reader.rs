//! Reads for one section, and keeps what could not be read.

use std::str::FromStr;
use std::sync::Arc;
use std::time::Instant;

use underlay_facts::{Note, Section, Unread};

use crate::lldp::Listener;
use crate::programs::Call;
use crate::root::{Failure, Root, TEXT};
use crate::value;

/// The reason in the report for a file that is needed and is not there.
pub const NO_FILE: &str = "there is no such file";
/// The reason in the report for a folder that is needed and is not there.
pub const NO_FOLDER: &str = "there is no such folder";

/// Reads for one section.
#[derive(Debug)]
pub struct Reader {
    root: Root,
    unread: Vec<Unread>,
    notes: Vec<Note>,
    /// The time until which programs may run for this section, once one has.
    programs_until: Option<Instant>,
}

impl Reader {
    /// Returns a reader that has read nothing yet.
    pub fn new(root: Root) -> Self {
        Self { root, unread: Vec::new(), notes: Vec::new(), programs_until: None }
    }

    /// Returns the section with what was found. It is complete if everything could be read.
    pub fn section<T>(self, found: T) -> Section<T> {
        let mut section = Section { notes: self.notes, ..Section::complete(found) };
        for Unread { what, reason } in self.unread {
            section.lacks(what, reason);
        }
        section
    }

    /// Returns whether everything could be read so far.
    pub fn is_complete(&self) -> bool {
        self.unread.is_empty()
    }

    /// Notes something that could not be read.
    pub fn lacks(&mut self, what: &str, reason: &str) {
        self.unread.push(Unread { what: what.to_owned(), reason: reason.to_owned() });
    }

    /// Adds a remark that a reader of the section needs.
    pub fn note(&mut self, about: &str, text: &str) {
        self.notes.push(Note { about: about.to_owned(), text: text.to_owned() });
    }

    /// Returns what a program writes, if it is installed.
    pub fn program(&mut self, call: &Call) -> Option<Vec<u8>> {
        let found = self.try_program(call);
        self.found(&call.title(), found)
    }

    /// Returns what a program writes. If there is nothing, that is not noted: there may be another way.
    pub fn try_program(&mut self, call: &Call) -> Result<Vec<u8>, Failure> {
        let limit = self.root.limit_of_programs();
        let deadline = *self.programs_until.get_or_insert_with(|| Instant::now() + limit);
        self.root.program(call, deadline)
    }

    /// Returns what listens to LLDP, if anything does.
    pub fn listener(&self) -> Option<Arc<Listener>> {
        self.root.listener()
    }

    /// Reads the first bytes of a file, if it is there.
    pub fn head(&mut self, path: &str, count: u64) -> Option<Vec<u8>> {
        let found = self.root.head(path, count);
        self.found(path, found)
    }

    /// Reads a file of at most so many bytes, if it is there.
    pub fn bytes(&mut self, path: &str, bound: u64) -> Option<Vec<u8>> {
        let found = self.root.bytes(path, bound);
        self.found(path, found)
    }

    /// Reads a text, as lines, if it is there.
    pub fn lines(&mut self, path: &str) -> Option<Vec<String>> {
        let text = String::from_utf8_lossy(&self.bytes(path, TEXT)?).into_owned();
        Some(text.lines().map(str::to_owned).collect())
    }

    /// Reads a text of one line, if it is there and not empty.
    pub fn text(&mut self, path: &str) -> Option<String> {
        Some(value::clean(&self.bytes(path, TEXT)?)).filter(|text| !text.is_empty())
    }

    /// Reads a text of one line, if it is there and somebody filled it in.
    pub fn value(&mut self, path: &str) -> Option<String> {
        self.text(path).filter(|text| !value::is_junk(text))
    }

    /// Reads a version, if it is there and somebody filled it in.
    pub fn version(&mut self, path: &str) -> Option<String> {
        self.text(path).and_then(|text| value::version(text.as_bytes()))
    }

    /// Reads a number, if it is there.
    pub fn number<T: FromStr>(&mut self, path: &str) -> Option<T> {
        let text = self.text(path)?;
        let number = text.parse().ok();
        if number.is_none() {
            self.lacks(path, "is not a number in its bounds");
        }
        number
    }

    /// Reads the names in a folder, if it is there.
    pub fn names(&mut self, path: &str) -> Option<Vec<String>> {
        let found = self.root.names(path);
        self.found(path, found)
    }

    /// Reads the target of a link, if it is there.
    pub fn link(&mut self, path: &str) -> Option<String> {
        let found = self.root.link(path);
        self.found(path, found)
    }

    /// Returns whether there is a folder.
    pub fn has(&mut self, path: &str) -> bool {
        let found = self.root.folder(path);
        self.found(path, found).is_some()
    }

    /// Returns whether the machine has a device tree. The kernel makes one without any content on machines without it.
    pub fn has_device_tree(&mut self) -> bool {
        self.text("/proc/device-tree/compatible").is_some()
    }

    /// Returns the permanent MAC address that the driver of an interface names, if it names one. A driver that refuses
    /// is no matter: the address of the interface then serves.
    pub fn permanent_mac(&mut self, interface: &str) -> Option<String> {
        let address = self.root.permanent_mac(interface).ok()?;
        Some(value::clean(&address)).filter(|text| !text.is_empty())
    }

    fn found<T>(&mut self, path: &str, found: Result<T, Failure>) -> Option<T> {
        match found {
            Ok(value) => Some(value),
            Err(Failure::Absent) => None,
            Err(Failure::Unread(reason)) => {
                self.lacks(path, &reason);
                None
            }
        }
    }
}

/// Returns the last name of a path.
pub fn last(path: &str) -> &str {
    path.rsplit('/').next().unwrap_or(path)
}

/// Returns the PCI address that is nearest to the device at the end of a path below `/sys/devices`.
pub fn pci_address(path: &str) -> Option<&str> {
    path.rsplit('/').find(|name| is_pci_address(name))
}

/// Returns whether a name is a PCI address, such as `0000:41:00.0`.
fn is_pci_address(name: &str) -> bool {
    let parts: Vec<&str> = name.split([':', '.']).collect();
    let has_form = matches!(parts[..], [domain, bus, device, function]
        if domain.len() >= 4 && bus.len() == 2 && device.len() == 2 && function.len() == 1);
    has_form && parts.iter().all(|part| part.chars().all(|letter| letter.is_ascii_hexdigit()))
}
