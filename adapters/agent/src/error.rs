//! The reasons why the program could not do what it was asked. Hardware that cannot be read is no error: the report says
//! so.

use std::io;
use std::path::PathBuf;
use std::time::Duration;

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
    /// The address of the server is none, or no token may be sent to it.
    #[error("--server: {reason}")]
    Server {
        /// The reason.
        reason: &'static str,
    },
    /// The file of the token cannot be read.
    #[error("cannot read the token file {}: {source}", path.display())]
    TokenFile {
        /// The file.
        path: PathBuf,
        /// The reason.
        source: io::Error,
    },
    /// The file of the token has no token, or others may read it.
    #[error("the token file {} is not used: {reason}", path.display())]
    Token {
        /// The file.
        path: PathBuf,
        /// The reason.
        reason: &'static str,
    },
    /// The file of the authorities cannot be read.
    #[error("cannot read the certificates of {}: {source}", path.display())]
    AuthorityFile {
        /// The file.
        path: PathBuf,
        /// The reason.
        source: io::Error,
    },
    /// The file of the authorities has none.
    #[error("{} must have certificates of authorities in PEM", path.display())]
    NoAuthority {
        /// The file.
        path: PathBuf,
    },
    /// There is no client for HTTP, for example because the machine has no certificates of authorities.
    #[error("cannot prepare connections to the server: {reason}")]
    Client {
        /// The reason.
        reason: String,
    },
    /// The system has no threads or no timers for the program.
    #[error("cannot start: {0}")]
    Start(io::Error),
    /// The report was not made.
    #[error("the program failed while it made the report: {0}")]
    NoReport(tokio::task::JoinError),
    /// The report is larger than servers read.
    #[error("the report has {bytes} bytes, and a server reads at most {most}")]
    TooLarge {
        /// The size of the report.
        bytes: usize,
        /// The greatest size.
        most: usize,
    },
    /// The report cannot be compressed.
    #[error("cannot compress the report: {0}")]
    Compress(io::Error),
    /// The server does not answer.
    #[error("{server} cannot be reached: {reason}")]
    Unreachable {
        /// The address of the server.
        server: String,
        /// The reason.
        reason: String,
    },
    /// The server answers that it failed.
    #[error("{server} failed with status {status}: {message}")]
    Failed {
        /// The address of the server.
        server: String,
        /// The status of HTTP.
        status: u16,
        /// The message of the server.
        message: String,
    },
    /// The server wants to be asked later.
    #[error("{server} has no time for the report, and wants it later")]
    Busy {
        /// The address of the server.
        server: String,
        /// The time after which it wants to be asked again. It is not in the sentence, because it differs each time.
        retry_after: Duration,
    },
    /// The server refuses the report.
    #[error("{server} refuses the report with status {status}: {message}")]
    Refused {
        /// The address of the server.
        server: String,
        /// The status of HTTP.
        status: u16,
        /// The message of the server.
        message: String,
    },
    /// The answer is not that of a server of Underlay.
    #[error("{server} does not answer as Underlay does: {reason}")]
    NoAnswer {
        /// The address of the server.
        server: String,
        /// The fault of the answer.
        reason: String,
    },
    /// The server asks for what it just got.
    #[error("{server} asks for the whole report, which it just got")]
    AskedAgain {
        /// The address of the server.
        server: String,
    },
}
