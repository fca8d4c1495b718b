//! The language of iPXE: lines of words without quotes, in which settings are replaced.

mod words;

pub use self::words::{Command, Next, commands, expand};
