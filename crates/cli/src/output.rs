//! Reports the result of writing to standard output.
//!
//! A closed pipe is not an error: the reader has seen enough, as `head` does.

use std::io;

use super::exit::Exit;

/// The result of writing a text to standard output.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Printed {
    /// The whole text was written.
    Whole,
    /// The reader has closed the pipe, as `head` does once it has seen enough.
    NobodyReads,
    /// The text could not be written. The error has been printed.
    Failed,
}

impl Printed {
    /// Returns the exit code of a command that only prints.
    pub const fn exit(self) -> Exit {
        match self {
            Self::Whole | Self::NobodyReads => Exit::Done,
            Self::Failed => Exit::Failed,
        }
    }
}

/// Converts the result of a write, and prints an error unless the reader has closed the pipe.
pub fn printed(written: io::Result<()>) -> Printed {
    match written {
        Ok(()) => Printed::Whole,
        Err(error) if error.kind() == io::ErrorKind::BrokenPipe => Printed::NobodyReads,
        Err(error) => {
            eprintln!("error: the output cannot be written: {error}");
            Printed::Failed
        }
    }
}
