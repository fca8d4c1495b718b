//! Writes an export to a file that appears only when it is complete, or to standard output.
//!
//! The output is written on a thread of its own, because a slow reader can block it. Meanwhile the export can use its
//! revision, so that the server keeps it. Only a few pages wait to be written.

use std::fs::File;
use std::io::{self, BufWriter, ErrorKind, Write};
use std::path::Path;

use thiserror::Error;
use tokio::sync::mpsc::{self, Permit, Sender};
use tokio::task::JoinHandle;
use underlay_durable::{Durability, PendingFile};

/// The number of pages that can wait to be written.
const WAITING_PAGES: usize = 4;

/// The errors of writing an export.
#[derive(Debug, Error)]
pub(super) enum OutputError {
    /// The reader has closed the pipe. This is not a failure.
    #[error("the reader of the export has closed the pipe")]
    Closed,
    /// The export cannot be written, for example because the disk is full.
    #[error("{to} cannot be written: {error}")]
    Failed {
        /// The path of the file, or `standard output`.
        to: String,
        /// The error of the operating system.
        error: io::Error,
    },
}

/// The output of an export.
pub(super) struct ExportWriter {
    pages: Sender<Vec<u8>>,
    thread: JoinHandle<io::Result<FinishedOutput>>,
    to: String,
}

enum FinishedOutput {
    ToFile(PendingFile),
    ToStandardOutput,
}

impl ExportWriter {
    /// Starts to write to a file or to standard output. Only its user can read the file, because an export holds the whole
    /// inventory.
    pub(super) fn begin(path: Option<&Path>) -> Result<Self, OutputError> {
        let to = path.map_or_else(|| "standard output".to_owned(), |path| path.to_string_lossy().into_owned());
        let file =
            path.map(PendingFile::of).transpose().map_err(|error| OutputError::Failed { to: to.clone(), error })?;
        let (pages, mut inbox) = mpsc::channel::<Vec<u8>>(WAITING_PAGES);
        let thread = tokio::task::spawn_blocking(move || match file {
            Some(file) => {
                let mut out: BufWriter<&File> = BufWriter::new(file.as_file());
                while let Some(page) = inbox.blocking_recv() {
                    out.write_all(&page)?;
                }
                out.flush()?;
                drop(out);
                Ok(FinishedOutput::ToFile(file))
            }
            None => {
                let mut out = io::stdout().lock();
                while let Some(page) = inbox.blocking_recv() {
                    out.write_all(&page)?;
                    out.flush()?;
                }
                Ok(FinishedOutput::ToStandardOutput)
            }
        });
        Ok(Self { pages, thread, to })
    }

    /// Waits until a page can be written. Returns `None` if writing has ended.
    pub(super) async fn ready(&self) -> Option<Permit<'_, Vec<u8>>> {
        self.pages.reserve().await.ok()
    }

    /// Waits until everything is written. Then a file gets its name.
    pub(super) async fn finish(self) -> Result<(), OutputError> {
        let to = self.to.clone();
        match self.written().await? {
            FinishedOutput::ToFile(file) => {
                file.replace(Durability::Process).map(drop).map_err(|error| OutputError::Failed { to, error })
            }
            FinishedOutput::ToStandardOutput => Ok(()),
        }
    }

    /// Gives up an incomplete export, and removes its file. Returns the error of writing, if there was one.
    pub(super) async fn give_up(self) -> Result<(), OutputError> {
        self.written().await.map(drop)
    }

    async fn written(self) -> Result<FinishedOutput, OutputError> {
        drop(self.pages);
        let failed = |error: io::Error| match error.kind() {
            ErrorKind::BrokenPipe => OutputError::Closed,
            _ => OutputError::Failed { to: self.to.clone(), error },
        };
        self.thread.await.map_err(|error| failed(io::Error::other(error)))?.map_err(failed)
    }
}
