//! Standard output, and what it means when it cannot be written.

use std::io;

use super::exit::Exit;

/// What became of a text.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Printed {
    /// It was written.
    Whole,
    /// Who read it has seen enough, as `head` does.
    NobodyReads,
    /// It could not be written, which was said.
    Failed,
}

impl Printed {
    /// How a command ends that did nothing but print.
    pub(super) const fn exit(self) -> Exit {
        match self {
            Self::Whole | Self::NobodyReads => Exit::Done,
            Self::Failed => Exit::Failed,
        }
    }
}

/// What became of a text that was to be written.
pub(super) fn printed(written: io::Result<()>) -> Printed {
    match written {
        Ok(()) => Printed::Whole,
        Err(error) if error.kind() == io::ErrorKind::BrokenPipe => Printed::NobodyReads,
        Err(error) => {
            eprintln!("error: the output cannot be written: {error}");
            Printed::Failed
        }
    }
}
