//! The terminal while a person types a secret, which it does not show.
//!
//! Guarantee: Ctrl+C in the middle ends the process as it always does, and the terminal shows again what is typed. The
//! terminal sends no signals meanwhile; its bytes are read one by one, and the ones that edit a line or end the process
//! have their usual meaning.

use std::io::{self, BufRead, Write as _};

use rustix::process::{Signal, getpid, kill_process};
use rustix::termios::{LocalModes, OptionalActions, SpecialCodeIndex, SpecialCodes, Termios, tcgetattr, tcsetattr};

/// The reason why there is no line.
#[derive(Debug)]
pub(super) enum LineError {
    /// The person ended the process.
    Ended,
    /// The line is not valid UTF-8.
    NotText,
    /// The terminal cannot be read.
    Unreadable(io::Error),
}

impl From<io::Error> for LineError {
    fn from(error: io::Error) -> Self {
        Self::Unreadable(error)
    }
}

/// The terminal while it does not show what is typed. Dropping this value shows it again.
pub(super) struct Hidden {
    before: Termios,
}

impl Hidden {
    /// Hides what is typed from now on.
    pub(super) fn begin() -> io::Result<Self> {
        let before = tcgetattr(io::stdin())?;
        let mut hidden = before.clone();
        hidden.local_modes.remove(LocalModes::ECHO | LocalModes::ICANON | LocalModes::ISIG);
        // A read returns as soon as there is a byte.
        hidden.special_codes[SpecialCodeIndex::VMIN] = 1;
        hidden.special_codes[SpecialCodeIndex::VTIME] = 0;
        tcsetattr(io::stdin(), OptionalActions::Flush, &hidden)?;
        Ok(Self { before })
    }

    /// Asks for a line.
    pub(super) fn line(&self, prompt: &str) -> Result<String, LineError> {
        eprint!("{prompt}");
        io::stderr().flush()?;
        let typed = read_line(&mut io::stdin().lock(), &Keys::from(&self.before.special_codes));
        // The line break of the person was not shown either.
        eprintln!();
        match typed? {
            Typed::Line(bytes) => String::from_utf8(bytes).map_err(|_| LineError::NotText),
            Typed::Signal(signal) => {
                self.show();
                kill_process(getpid(), signal).map_err(io::Error::from)?;
                Err(LineError::Ended)
            }
        }
    }

    /// Shows what is typed again.
    fn show(&self) {
        if let Err(error) = tcsetattr(io::stdin(), OptionalActions::Now, &self.before) {
            eprintln!("note: the terminal may not show what is typed ({error}); `stty sane` shows it again");
        }
    }
}

impl Drop for Hidden {
    fn drop(&mut self) {
        self.show();
    }
}

/// The end of a line that a person types.
#[derive(Debug, PartialEq, Eq)]
enum Typed {
    Line(Vec<u8>),
    /// A key that ends the process.
    Signal(Signal),
}

/// The keys of a terminal that edit a line or end the process. A key that is 0 is not in use.
struct Keys {
    interrupt: u8,
    quit: u8,
    erase: u8,
    clear: u8,
    end: u8,
    suspend: u8,
}

impl From<&SpecialCodes> for Keys {
    fn from(codes: &SpecialCodes) -> Self {
        Self {
            interrupt: codes[SpecialCodeIndex::VINTR],
            quit: codes[SpecialCodeIndex::VQUIT],
            erase: codes[SpecialCodeIndex::VERASE],
            clear: codes[SpecialCodeIndex::VKILL],
            end: codes[SpecialCodeIndex::VEOF],
            suspend: codes[SpecialCodeIndex::VSUSP],
        }
    }
}

/// Reads the keys of a line up to its end, or up to a key that ends the input.
fn read_line(input: &mut impl BufRead, keys: &Keys) -> io::Result<Typed> {
    let mut line = Vec::new();
    for byte in io::Read::bytes(input) {
        match byte? {
            b'\n' | b'\r' => break,
            0 => line.push(0),
            byte if byte == keys.interrupt => return Ok(Typed::Signal(Signal::INT)),
            byte if byte == keys.quit => return Ok(Typed::Signal(Signal::QUIT)),
            byte if byte == keys.end => break,
            byte if byte == keys.erase => erase(&mut line),
            byte if byte == keys.clear => line.clear(),
            byte if byte == keys.suspend => {}
            byte => line.push(byte),
        }
    }
    Ok(Typed::Line(line))
}

/// Erases the last character, which can have several bytes.
fn erase(line: &mut Vec<u8>) {
    const CONTINUES: std::ops::RangeInclusive<u8> = 0x80..=0xbf;
    while line.pop().is_some_and(|byte| CONTINUES.contains(&byte)) {}
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn keys_edit_the_line_or_end_the_process() {
        let keys = Keys { interrupt: 3, quit: 28, erase: 127, clear: 21, end: 4, suspend: 26 };
        let line = |text: &str| Typed::Line(text.as_bytes().to_vec());
        for (typed, expected) in [
            ("secret\nmore", line("secret")),
            ("secret\r", line("secret")),
            ("\n", line("")),
            ("ab\x7fc\n", line("ac")),
            ("aé\x7fb\n", line("ab")),
            ("\x7f\x7fa\n", line("a")),
            ("wrong\x15right\n", line("right")),
            ("se\x04", line("se")),
            ("a\x1ab\n", line("ab")),
            ("a\0b\n", line("a\0b")),
            ("sec\x03ret\n", Typed::Signal(Signal::INT)),
            ("sec\x1c", Typed::Signal(Signal::QUIT)),
        ] {
            assert_eq!(read_line(&mut typed.as_bytes(), &keys).expect("bytes"), expected, "{typed:?}");
        }
    }
}
