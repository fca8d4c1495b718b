//! The language of GRUB: words, `if`, `for` and commands. What it does not have, such as `&&`, is an error here too.

mod parse;
mod run;
mod words;

pub use self::parse::{Branch, Statement, parse};
pub use self::words::{Part, SyntaxError, Word};
