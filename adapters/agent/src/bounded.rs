//! Reads a section in a thread of its own, because a sick device may never answer.
//!
//! Guarantee: however many reports a program makes, at most one thread of it waits for the answer to a section.

use std::sync::mpsc::{self, Receiver, RecvTimeoutError};
use std::thread;
use std::time::Instant;

use underlay_facts::Section;

use crate::reader::Reader;
use crate::root::Root;

/// The words of a report about a section for which there was no answer.
const LATE: &str = "did not answer in time";

/// A section that is being read.
#[derive(Debug)]
pub struct Reading<T> {
    name: &'static str,
    root: Root,
    /// Absent if an earlier reader still waits for its answer.
    answer: Option<Receiver<Section<T>>>,
}

impl<T: Default + Send + 'static> Reading<T> {
    /// Begins to read a section, unless an earlier reader of it is still at work: this one would wait as well.
    pub fn start(name: &'static str, root: &Root, read: fn(&mut Reader) -> T) -> Self {
        let entered = match root.enter(name) {
            Ok(entered) => entered,
            Err(root) => return Self { name, root, answer: None },
        };

        let root = entered.root();
        let (answers, answer) = mpsc::channel();
        // Without a thread nothing answers, which is the same as a thread that ends without an answer.
        let _ = thread::Builder::new().name(name.to_owned()).spawn(move || {
            let mut reader = Reader::new(entered.root());
            let found = read(&mut reader);
            drop(entered);
            // Nobody waits for it once the time is over.
            let _ = answers.send(reader.section(found));
        });
        Self { name, root, answer: Some(answer) }
    }

    /// Returns the section. If it is not there in time, it is empty and says at which file it was.
    pub fn end(self, deadline: Instant) -> Section<T> {
        let left = deadline.saturating_duration_since(Instant::now());
        let reason = match self.answer.map(|answer| answer.recv_timeout(left)) {
            Some(Ok(section)) => return section,
            None | Some(Err(RecvTimeoutError::Timeout)) => LATE,
            Some(Err(RecvTimeoutError::Disconnected)) => "the program failed while it read this",
        };

        let what = self.root.now();
        let mut section = Section::complete(T::default());
        section.lacks(if what.is_empty() { self.name.to_owned() } else { what }, reason);
        section
    }
}

#[cfg(test)]
mod tests {
    use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};

    use underlay_testing::{HANG, until_seen};

    use super::*;

    static IS_WELL: AtomicBool = AtomicBool::new(false);
    static READERS: AtomicUsize = AtomicUsize::new(0);

    /// Reads a device that answers once the test lets it.
    fn read(reader: &mut Reader) -> u32 {
        READERS.fetch_add(1, Ordering::SeqCst);
        let _ = reader.text("/sys/sick");
        while !IS_WELL.load(Ordering::SeqCst) {
            thread::yield_now();
        }
        7
    }

    #[tokio::test]
    async fn a_device_that_never_answers_keeps_one_thread() {
        let root = Root::live();
        let first = Reading::start("sick", &root, read);
        until_seen("the device is read", || !first.root.now().is_empty()).await;
        let late = first.end(Instant::now());
        assert_eq!((late.unread[0].what.as_str(), late.unread[0].reason.as_str()), ("/sys/sick", LATE));

        // It is the same report, so that its digest does not change.
        assert_eq!(Reading::start("sick", &root, read).end(Instant::now() + HANG), late);
        assert_eq!(READERS.load(Ordering::SeqCst), 1);

        IS_WELL.store(true, Ordering::SeqCst);
        until_seen("the first reader ends", || root.enter("sick").is_ok()).await;
        let section = Reading::start("sick", &root, read).end(Instant::now() + HANG);
        assert_eq!((section.complete, section.found), (true, 7));
    }

    #[tokio::test]
    async fn a_reader_that_fails_leaves_room_for_the_next() {
        let root = Root::live();
        let failed = Reading::<u32>::start("failing", &root, |_| panic!("a fault")).end(Instant::now() + HANG);
        assert_eq!(failed.unread[0].reason, "the program failed while it read this");
        until_seen("the reader is gone", || root.enter("failing").is_ok()).await;
        let next = Reading::start("failing", &root, |_| 3).end(Instant::now() + HANG);
        assert_eq!(next.found, 3);
    }
}
