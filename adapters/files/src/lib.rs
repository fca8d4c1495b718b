//! Reads items from the files of folders: an inventory that people keep in git.
//!
//! The adapter finds the files, orders their items and notices changes. A [`Reader`] knows what is in a file.
//! Guarantees: a file that cannot be read is reported, and then nothing counts as gone; what memory holds is bounded by
//! [`CHUNK_ITEMS`] entries and two million values. An empty folder fails the scan: it is more likely that a file system
//! is not mounted than that somebody gave up a whole inventory. Files that change while they are read, as during `git
//! checkout`, are read again; a half-written tree is no complete scan. A link that leads out of its folder is reported
//! and not followed.

mod listing;
mod watch;

use std::ops::ControlFlow;
use std::path::PathBuf;
use std::sync::Arc;
use std::time::Duration;

use tokio::sync::mpsc;
use tokio::time::sleep;
use underlay_kit::sync::{Adapter, AdapterError, BadThing, ExternalId, HintStream, Item, Items, Scanned, Sink};
use underlay_kit::{ManifestError, printable};

use self::listing::Listing;
pub use self::listing::SourceFile;

/// The number of items that are put in order together. Within a chunk, what is referred to comes first, in whatever
/// files it stands; beyond it, the server is asked again for what it refused.
pub const CHUNK_ITEMS: usize = 30_000;
/// The number of values at which items are put in order although more would fit: most items have a few dozen.
const CHUNK_VALUES: usize = 2_000_000;
/// The number of entries that a reader prefetches.
const PREFETCHED_ENTRIES: usize = 200;
/// The number of times that files which change meanwhile are read, at most.
const MAX_READS: u32 = 5;
/// The pause before files that changed are read again. It doubles each time.
const FIRST_RETRY_DELAY: Duration = Duration::from_millis(200);

/// Something in a file.
#[derive(Clone, Debug, PartialEq)]
pub enum Entry {
    /// An object of the inventory, as an item of `apply`.
    Item(Item),
    /// Something that is no item.
    Bad(BadThing),
}

impl Entry {
    /// Returns the number of values that decide the memory of the entry.
    const fn values(&self) -> usize {
        match self {
            Self::Item(item) => item.values(),
            Self::Bad(_) => 1,
        }
    }
}

/// Knows what is in files.
pub trait Reader: Send + Sync + 'static {
    /// The endings of the names of the files that can be read.
    fn endings(&self) -> &[&'static str];

    /// Reads a file, and gives what is in it one after the other, until that is not wanted any more. A file that cannot
    /// be read is a [`BadThing`] without a kind.
    fn read(&self, file: &SourceFile, take: &mut dyn FnMut(Entry) -> ControlFlow<()>);

    /// Returns the position of a kind in the order in which kinds are written: what is referred to comes first.
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

    /// Lists all files on a thread of its own.
    async fn list(&self) -> Result<Listing, AdapterError> {
        let (paths, reader) = (self.paths.clone(), Arc::clone(&self.reader));
        let listed = tokio::task::spawn_blocking(move || Listing::of(&paths, reader.endings())).await;
        listed
            .unwrap_or_else(|error| Err(ManifestError::of_file(&self.name(), error.to_string())))
            .map_err(|error| AdapterError::Unreachable { call: format!("read {}", error.file), reason: error.reason })
    }

    /// Starts to read files on a thread of its own.
    fn read(&self, listing: &Listing) -> mpsc::Receiver<Entry> {
        let (sender, receiver) = mpsc::channel(PREFETCHED_ENTRIES);
        let (listing, reader) = (listing.clone(), Arc::clone(&self.reader));
        tokio::task::spawn_blocking(move || {
            for file in listing.files() {
                reader.read(file, &mut |entry| match sender.blocking_send(entry) {
                    Ok(()) => ControlFlow::Continue(()),
                    Err(_) => ControlFlow::Break(()),
                });
                if sender.is_closed() {
                    return;
                }
            }
        });
        receiver
    }

    /// Reads all files once, and emits what is in them. Returns false if they changed before anything was emitted.
    async fn pass(&self, sink: &mut Sink) -> Result<bool, AdapterError> {
        let before = self.list().await?;
        let mut entries = self.read(&before);
        let (mut chunk, mut values, mut has_emitted, mut is_read) = (Vec::new(), 0, false, false);
        while !is_read {
            match entries.recv().await {
                Some(entry) => {
                    values += entry.values();
                    chunk.push(entry);
                }
                None => is_read = true,
            }
            if chunk.len() < CHUNK_ITEMS && values < CHUNK_VALUES && !is_read {
                continue;
            }
            values = 0;
            match (self.list().await.is_ok_and(|now| now == before), has_emitted) {
                (true, _) => self.emit(&mut chunk, sink).await?,
                (false, false) => return Ok(false),
                (false, true) => {
                    return Err(
                        self.changing("what was read until then is written, and nothing counts as gone".to_owned())
                    );
                }
            }
            has_emitted = true;
        }
        Ok(true)
    }

    async fn emit(&self, chunk: &mut Vec<Entry>, sink: &mut Sink) -> Result<(), AdapterError> {
        // A stable order: items of a kind stay as the files have them.
        chunk.sort_by_key(|entry| match entry {
            Entry::Bad(_) => None,
            Entry::Item(item) => Some(self.reader.rank(&item.id().kind)),
        });
        for entry in chunk.drain(..) {
            match entry {
                Entry::Item(item) => {
                    sink.report().read(&item.id().kind, 1);
                    sink.report().mapped(&item.id().kind, 1);
                    sink.put(item).await?;
                }
                Entry::Bad(thing) => {
                    let of = thing.kind.as_deref().unwrap_or("file");
                    sink.report().read(of, 1);
                    sink.report().left_out(of, "cannot be read", 1);
                    sink.bad(thing).await?;
                }
            }
        }
        Ok(())
    }

    fn changing(&self, reason: String) -> AdapterError {
        AdapterError::Changing { call: format!("read {}", self.name()), reason }
    }

    /// The name of the files in messages.
    fn name(&self) -> String {
        self.paths.first().map(|path| printable(&path.to_string_lossy())).unwrap_or_default()
    }
}

impl<R: Reader> Adapter for Files<R> {
    async fn scan(&self, sink: &mut Sink) -> Result<Scanned, AdapterError> {
        for tried in 0..MAX_READS {
            if tried > 0 {
                sleep(FIRST_RETRY_DELAY * 2_u32.pow(tried - 1)).await;
            }
            if self.pass(sink).await? {
                return Ok(Scanned::default());
            }
        }
        Err(self.changing(format!(
            "it changed each of {MAX_READS} times; wait until nobody writes the files, and the next scan reads them"
        )))
    }

    /// An object can stand in any file, so all of them are read. Hints of this source never name a thing.
    async fn look(&self, id: &ExternalId) -> Result<Option<Items>, AdapterError> {
        let mut entries = self.read(&self.list().await?);
        while let Some(entry) = entries.recv().await {
            match entry {
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
