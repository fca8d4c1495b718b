//! Where an export goes: a file that is there only when it is whole, or standard output.
//!
//! It is written on a thread of its own, which a reader that takes its time holds up; the export meanwhile says to the
//! server that it goes on. Only a few pages wait to be written.

use std::fs::File;
use std::io::{self, BufWriter, ErrorKind, Write};
use std::path::{Path, PathBuf};

use tempfile::NamedTempFile;
use thiserror::Error;
use tokio::sync::mpsc::{self, Permit, Sender};
use tokio::task::JoinHandle;

/// How many pages may wait to be written.
const MOST_WAITING: usize = 4;

/// Why an export could not be written.
#[derive(Debug, Error)]
pub(super) enum OutputError {
    /// Nobody reads any more: not a failure.
    #[error("nobody reads the export any more")]
    Closed,
    /// The disk is full, or something like that.
    #[error("{to} cannot be written: {error}")]
    Failed {
        /// The file, or standard output.
        to: String,
        /// What the system says.
        error: io::Error,
    },
}

/// Writes an export.
pub(super) struct Output {
    pages: Sender<Vec<u8>>,
    thread: JoinHandle<io::Result<Written>>,
    to: String,
}

enum Written {
    ToFile(NamedTempFile, PathBuf),
    ToStandardOutput,
}

impl Output {
    /// Begins to write to a file, or to standard output.
    pub(super) fn begin(path: Option<&Path>) -> Result<Self, OutputError> {
        let to = path.map_or_else(|| "standard output".to_owned(), |path| path.to_string_lossy().into_owned());
        let file = path.map(|path| Ok((temporary(path)?, path.to_owned()))).transpose();
        let file = file.map_err(|error| OutputError::Failed { to: to.clone(), error })?;
        let (pages, mut inbox) = mpsc::channel::<Vec<u8>>(MOST_WAITING);
        let thread = tokio::task::spawn_blocking(move || match file {
            Some((file, path)) => {
                let mut out: BufWriter<&File> = BufWriter::new(file.as_file());
                while let Some(page) = inbox.blocking_recv() {
                    out.write_all(&page)?;
                }
                out.flush()?;
                drop(out);
                Ok(Written::ToFile(file, path))
            }
            None => {
                let mut out = io::stdout().lock();
                while let Some(page) = inbox.blocking_recv() {
                    out.write_all(&page)?;
                    out.flush()?;
                }
                Ok(Written::ToStandardOutput)
            }
        });
        Ok(Self { pages, thread, to })
    }

    /// Waits until a page can be written; `None` when nobody takes it.
    pub(super) async fn ready(&self) -> Option<Permit<'_, Vec<u8>>> {
        self.pages.reserve().await.ok()
    }

    /// Waits until everything is written. Only now a file has its name.
    pub(super) async fn finish(self) -> Result<(), OutputError> {
        let to = self.to.clone();
        match self.written().await? {
            Written::ToFile(file, path) => {
                file.persist(path).map(drop).map_err(|error| OutputError::Failed { to, error: error.error })
            }
            Written::ToStandardOutput => Ok(()),
        }
    }

    /// Gives up an export that will not be whole: a file is not there then. Says what went wrong here, if it did.
    pub(super) async fn give_up(self) -> Result<(), OutputError> {
        self.written().await.map(drop)
    }

    async fn written(self) -> Result<Written, OutputError> {
        drop(self.pages);
        let failed = |error: io::Error| match error.kind() {
            ErrorKind::BrokenPipe => OutputError::Closed,
            _ => OutputError::Failed { to: self.to.clone(), error },
        };
        self.thread.await.map_err(|error| failed(io::Error::other(error)))?.map_err(failed)
    }
}

/// A file in the folder where the export is to be. Only its user may read it: an export holds the whole inventory.
fn temporary(path: &Path) -> io::Result<NamedTempFile> {
    let folder = path.parent().filter(|folder| !folder.as_os_str().is_empty()).unwrap_or(Path::new("."));
    NamedTempFile::with_prefix_in(".underlay-export-", folder)
}
