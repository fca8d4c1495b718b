//! The language of iPXE: lines of words without quotes, in which settings are replaced.

mod run;
mod words;

pub use self::words::{Command, Next, commands, expand};
