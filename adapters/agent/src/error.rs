//! The reasons why the program could not do what it was asked. Hardware that cannot be read is no error: the report says
//! so.

use std::io;
use std::path::PathBuf;

/// The reason why the program could not do what it was asked.
#[derive(Debug, thiserror::Error)]
pub enum AgentError {
    /// The folder of a recorded tree cannot be used.
    #[error("cannot read the tree {}: {source}", folder.display())]
    Tree {
        /// The folder.
        folder: PathBuf,
        /// The reason.
        source: io::Error,
    },
    /// The folder for a new recorded tree has something in it.
    #[error("{} is not empty; name a new folder for the recorded tree", folder.display())]
    NotEmpty {
        /// The folder.
        folder: PathBuf,
    },
    /// A file of a new recorded tree cannot be written.
    #[error("cannot write {}: {source}", path.display())]
    Write {
        /// The file or folder.
        path: PathBuf,
        /// The reason.
        source: io::Error,
    },
    /// The report cannot be written as JSON.
    #[error("cannot write the report as JSON: {0}")]
    Json(#[from] serde_json::Error),
    /// The report cannot be printed.
    #[error("cannot print the report: {0}")]
    Print(#[from] io::Error),
}
