//! Gets a secret from a person, a pipe or a file, without showing it.

use std::fs::File;
use std::io::{self, IsTerminal as _, Read};
use std::path::Path;

use thiserror::Error;
use underlay_client::ServerAddress;

#[cfg(unix)]
use super::terminal::{Hidden, LineError};

/// The greatest size of a secret that is read, in bytes. The server accepts less.
const MAX_SECRET_BYTES: u64 = 256 * 1024;

/// The reason why there is no secret.
#[derive(Debug, Error)]
pub(crate) enum AskError {
    #[error("--ask needs a terminal; without one, pipe the secret into the standard input")]
    NoTerminal,
    #[error("the two inputs differ")]
    Differ,
    #[cfg(unix)]
    #[error("interrupted")]
    Ended,
    #[error("the secret is larger than {MAX_SECRET_BYTES} bytes")]
    TooLarge,
    #[error("the secret is not valid UTF-8")]
    NotText,
    #[error("{what} cannot be read: {error}")]
    Unreadable { what: String, error: io::Error },
}

/// Returns true if nobody on the way to the server can read what is sent to it.
pub(crate) fn is_protected(server: &ServerAddress) -> bool {
    server.is_local() || server.to_string().starts_with("https://")
}

/// Asks for a secret at the terminal, twice, without showing it.
pub(crate) fn ask(what: &str) -> Result<String, AskError> {
    let stdin = io::stdin();
    if !stdin.is_terminal() || !io::stderr().is_terminal() {
        return Err(AskError::NoTerminal);
    }
    let (first, second) = ask_twice(what)?;
    if first == second { Ok(first) } else { Err(AskError::Differ) }
}

#[cfg(unix)]
fn ask_twice(what: &str) -> Result<(String, String), AskError> {
    let refused = |error| match error {
        LineError::Ended => AskError::Ended,
        LineError::NotText => AskError::NotText,
        LineError::Unreadable(error) => AskError::Unreadable { what: "the terminal".to_owned(), error },
    };
    let hidden = Hidden::begin().map_err(|error| refused(LineError::Unreadable(error)))?;
    let first = hidden.line(&format!("{what}: ")).map_err(refused)?;
    Ok((first, hidden.line("again: ").map_err(refused)?))
}

/// Other systems have no such terminals.
#[cfg(not(unix))]
fn ask_twice(_what: &str) -> Result<(String, String), AskError> {
    let error = io::Error::other("this system cannot hide what is typed; pipe the secret into the standard input");
    Err(AskError::Unreadable { what: "the terminal".to_owned(), error })
}

/// Reads a secret from the standard input. One line break at its end is not a part of it.
pub(super) fn from_stdin() -> Result<String, AskError> {
    read(&mut io::stdin().lock(), "the standard input")
}

/// Reads a secret from a file.
pub(crate) fn from_file(path: &Path) -> Result<String, AskError> {
    let what = path.display().to_string();
    let mut file = File::open(path).map_err(|error| AskError::Unreadable { what: what.clone(), error })?;
    read(&mut file, &what)
}

fn read(input: &mut impl Read, what: &str) -> Result<String, AskError> {
    let mut bytes = Vec::new();
    let read = input.take(MAX_SECRET_BYTES + 1).read_to_end(&mut bytes);
    read.map_err(|error| AskError::Unreadable { what: what.to_owned(), error })?;
    if bytes.len() as u64 > MAX_SECRET_BYTES {
        return Err(AskError::TooLarge);
    }
    let text = String::from_utf8(bytes).map_err(|_| AskError::NotText)?;
    let text = text.strip_suffix('\n').unwrap_or(&text);
    Ok(text.strip_suffix('\r').unwrap_or(text).to_owned())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn one_line_break_at_the_end_is_no_part_of_a_secret() {
        for (text, expected) in
            [("a", "a"), ("a\n", "a"), ("a\r\n", "a"), ("a\n\n", "a\n"), ("", ""), ("a\nb\n", "a\nb")]
        {
            assert_eq!(read(&mut text.as_bytes(), "it").expect("text"), expected, "{text:?}");
        }
        let long = vec![b'x'; MAX_SECRET_BYTES as usize + 1];
        assert!(matches!(read(&mut long.as_slice(), "it"), Err(AskError::TooLarge)));
        assert!(matches!(read(&mut [0xff].as_slice(), "it"), Err(AskError::NotText)));
    }

    #[test]
    fn secrets_are_sent_by_https_or_to_this_machine() {
        for (server, protected) in [
            ("http://127.0.0.1:8080", true),
            ("http://localhost", true),
            ("https://underlay.example.org", true),
            ("http://underlay.example.org", false),
            ("http://10.0.0.7:8080", false),
        ] {
            let address: ServerAddress = server.parse().expect("an address");
            assert_eq!(is_protected(&address), protected, "{server}");
        }
    }
}
