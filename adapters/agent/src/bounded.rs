//! Reads a section in a thread of its own, because a sick device may never answer.

use std::sync::mpsc::{self, Receiver, RecvTimeoutError};
use std::thread;
use std::time::Instant;

use underlay_facts::Section;

use crate::reader::Reader;
use crate::root::Root;

/// A section that is being read.
#[derive(Debug)]
pub struct Reading<T> {
    name: &'static str,
    root: Root,
    answer: Receiver<Section<T>>,
}

impl<T: Default + Send + 'static> Reading<T> {
    /// Begins to read a section.
    pub fn start(name: &'static str, root: &Root, read: fn(&mut Reader) -> T) -> Self {
        let root = root.beside();
        let mut reader = Reader::new(root.along());
        let (answers, answer) = mpsc::channel();
        // Without a thread nothing answers, which is the same as a thread that ends without an answer.
        let _ = thread::Builder::new().name(name.to_owned()).spawn(move || {
            let found = read(&mut reader);
            // Nobody waits for it once the time is over.
            let _ = answers.send(reader.section(found));
        });
        Self { name, root, answer }
    }

    /// Returns the section. If it is not there in time, it is empty and says at which file it was.
    pub fn end(self, deadline: Instant) -> Section<T> {
        let (what, reason) = match self.answer.recv_timeout(deadline.saturating_duration_since(Instant::now())) {
            Ok(section) => return section,
            Err(RecvTimeoutError::Timeout) => (self.root.now(), "did not answer in time"),
            Err(RecvTimeoutError::Disconnected) => (self.root.now(), "the program failed while it read this"),
        };
        let mut section = Section::complete(T::default());
        section.lacks(if what.is_empty() { self.name.to_owned() } else { what }, reason);
        section
    }
}
