//! Reads items from the files of folders: an inventory that people keep in git.
//!
//! The adapter finds the files, orders their items and notices changes. A [`Reader`] knows what is in a file.
//! Guarantees: a file that cannot be read is reported, and then nothing counts as gone; what memory holds is bounded by
//! [`CHUNK`] items. An empty folder fails the scan: it is more likely that a file system is not mounted than that
//! somebody gave up a whole inventory.

mod watch;

use std::ops::ControlFlow;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use tokio::sync::mpsc;
use underlay_kit::source::files_ending;
use underlay_kit::sync::{Adapter, AdapterError, BadThing, ExternalId, HintStream, Item, Items, Scanned, Sink};

/// The number of items that are put in order together. Within a chunk, what is referred to comes first, in whatever
/// files it stands; beyond it, the server is asked again for what it refused.
pub const CHUNK: usize = 30_000;
/// The number of entries that a reader prefetches.
const PREFETCHED_ENTRIES: usize = 1_000;

/// Something in a file.
#[derive(Clone, Debug, PartialEq)]
pub enum Entry {
    /// An object of the inventory, as an item of `apply`.
    Item(Item),
    /// Something that is no item.
    Bad(BadThing),
}

/// Knows what is in files.
pub trait Reader: Send + Sync + 'static {
    /// The endings of the names of the files that can be read.
    fn endings(&self) -> &[&'static str];

    /// Reads a file, and gives what is in it one after the other, until that is not wanted any more. A file that cannot
    /// be read is a [`BadThing`] without a kind.
    fn read(&self, file: &Path, take: &mut dyn FnMut(Entry) -> ControlFlow<()>);

    /// Returns the place of a kind in the order in which kinds are written: what is referred to comes first.
    fn rank(&self, kind: &str) -> usize;
}

/// A source that is the files of folders.
pub struct Files<R> {
    paths: Vec<PathBuf>,
    reader: Arc<R>,
}

impl<R: Reader> Files<R> {
    /// Returns the source for files, and for folders with all their folders.
    pub fn new(paths: Vec<PathBuf>, reader: R) -> Self {
        Self { paths, reader: Arc::new(reader) }
    }

    /// Starts to read all files on a thread of its own.
    fn read(&self) -> mpsc::Receiver<Result<Entry, AdapterError>> {
        let (sender, receiver) = mpsc::channel(PREFETCHED_ENTRIES);
        let (paths, reader) = (self.paths.clone(), Arc::clone(&self.reader));
        tokio::task::spawn_blocking(move || {
            for path in &paths {
                let files = match files_ending(path, reader.endings()) {
                    Ok(files) => files,
                    Err(error) => {
                        let reason = error.reason;
                        let error = AdapterError::Unreachable { call: format!("read {}", error.file), reason };
                        return drop(sender.blocking_send(Err(error)));
                    }
                };
                for file in files {
                    reader.read(&file, &mut |entry| match sender.blocking_send(Ok(entry)) {
                        Ok(()) => ControlFlow::Continue(()),
                        Err(_) => ControlFlow::Break(()),
                    });
                    if sender.is_closed() {
                        return;
                    }
                }
            }
        });
        receiver
    }

    async fn emit(&self, chunk: &mut Vec<Item>, sink: &mut Sink) -> Result<(), AdapterError> {
        // A stable order: items of a kind stay as the files have them.
        chunk.sort_by_key(|item| self.reader.rank(&item.id().kind));
        for item in chunk.drain(..) {
            sink.report().mapped(&item.id().kind, 1);
            sink.put(item).await?;
        }
        Ok(())
    }
}

impl<R: Reader> Adapter for Files<R> {
    async fn scan(&self, sink: &mut Sink) -> Result<Scanned, AdapterError> {
        let mut entries = self.read();
        let mut chunk = Vec::new();
        while let Some(entry) = entries.recv().await {
            match entry? {
                Entry::Item(item) => {
                    sink.report().read(&item.id().kind, 1);
                    chunk.push(item);
                    if chunk.len() >= CHUNK {
                        self.emit(&mut chunk, sink).await?;
                    }
                }
                Entry::Bad(thing) => {
                    let of = thing.kind.as_deref().unwrap_or("file");
                    sink.report().read(of, 1);
                    sink.report().left_out(of, "cannot be read", 1);
                    sink.bad(thing).await?;
                }
            }
        }
        self.emit(&mut chunk, sink).await?;
        Ok(Scanned::default())
    }

    /// An object can stand in any file, so all of them are read. Hints of this source never name a thing.
    async fn look(&self, id: &ExternalId) -> Result<Option<Items>, AdapterError> {
        let mut entries = self.read();
        while let Some(entry) = entries.recv().await {
            match entry? {
                Entry::Item(item) if item.id() == id => return Ok(Some(vec![item])),
                _ => {}
            }
        }
        Ok(None)
    }

    fn hints(&self) -> Option<HintStream> {
        let paths = self.paths.clone();
        Some(HintStream::start(|hints| watch::gather(paths, hints)))
    }
}

#[cfg(test)]
mod tests;
