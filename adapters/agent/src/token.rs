//! The token by which a server knows the machine.
//!
//! Guarantees: the file is read afresh each time, so a new token is used without a new start. A file that others may
//! read is refused. A token is in no sentence and in no `Debug`.

use std::fmt;
use std::fs::{File, OpenOptions};
use std::io::{self, Read as _};
use std::os::unix::fs::{MetadataExt as _, OpenOptionsExt as _};
use std::path::{Path, PathBuf};

use reqwest::header::HeaderValue;

use crate::error::AgentError;

/// The greatest size of the file in bytes.
const MAX_BYTES: usize = 4096;
/// The permissions of others than the owner.
const OF_OTHERS: u32 = 0o077;

/// The file of a token.
#[derive(Clone, Debug)]
pub struct TokenFile(PathBuf);

/// The place of a token.
#[derive(Debug)]
pub enum TokenSource {
    /// A file, which is read afresh each time.
    File(TokenFile),
    /// The token itself.
    Given(Token),
}

/// A token.
#[derive(Clone)]
pub struct Token {
    text: String,
    header: HeaderValue,
}

impl TokenSource {
    /// Returns the token.
    ///
    /// # Errors
    /// Returns the error of [`TokenFile::read`].
    pub fn read(&self) -> Result<Token, AgentError> {
        match self {
            Self::File(file) => file.read(),
            Self::Given(token) => Ok(token.clone()),
        }
    }
}

impl TokenFile {
    /// Names the file.
    #[must_use]
    pub fn new(path: PathBuf) -> Self {
        Self(path)
    }

    /// Reads the token.
    ///
    /// # Errors
    /// Returns an error if the file cannot be read, if others than its owner may use it, or if it has no token.
    pub fn read(&self) -> Result<Token, AgentError> {
        let unreadable = |source| AgentError::TokenFile { path: self.0.clone(), source };
        let refused = |reason| AgentError::Token { path: self.0.clone(), reason };
        let file = open(&self.0).map_err(unreadable)?;
        let about = file.metadata().map_err(unreadable)?;
        if !about.is_file() {
            return Err(refused("it is not a file"));
        }
        if about.mode() & OF_OTHERS != 0 {
            return Err(refused("others than its owner may use it; take that away by chmod 600"));
        }

        let mut bytes = Vec::new();
        file.take(MAX_BYTES as u64 + 1).read_to_end(&mut bytes).map_err(unreadable)?;
        if bytes.len() > MAX_BYTES {
            return Err(refused("it is larger than 4 KiB"));
        }
        match bytes.trim_ascii() {
            [] => Err(refused("it is empty")),
            text => Token::of(text).ok_or_else(|| refused("it has blanks or characters that are in no token")),
        }
    }
}

impl Token {
    /// Reads a token. Returns `None` if the text has blanks or characters that are in no token.
    #[must_use]
    pub fn of(text: &[u8]) -> Option<Self> {
        let text = str::from_utf8(text).ok().filter(|text| text.bytes().all(|byte| byte.is_ascii_graphic()))?;
        let mut header = HeaderValue::try_from(format!("Bearer {text}")).ok()?;
        header.set_sensitive(true);
        Some(Self { text: text.to_owned(), header })
    }

    /// Returns the token itself.
    pub fn text(&self) -> &str {
        &self.text
    }

    /// Returns the value of the header by which a request has the token.
    pub fn header(&self) -> HeaderValue {
        self.header.clone()
    }

    /// Returns a text without the token: a server, or what stands before it, may repeat what it got.
    pub fn hidden_in(&self, text: &str) -> String {
        text.replace(&self.text, "(the token)")
    }
}

// This is written by hand because tokens are secrets.
impl fmt::Debug for Token {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        out.debug_struct("Token").finish_non_exhaustive()
    }
}

/// Opens a file. A pipe that nobody writes to does not keep the agent waiting.
fn open(path: &Path) -> io::Result<File> {
    OpenOptions::new().read(true).custom_flags(libc::O_NONBLOCK).open(path)
}

#[cfg(test)]
mod tests {
    use std::fs::{self, Permissions};
    use std::os::unix::fs::PermissionsExt as _;

    use super::*;

    fn write(path: &Path, contents: &[u8], mode: u32) -> TokenFile {
        fs::write(path, contents).expect("write a file");
        fs::set_permissions(path, Permissions::from_mode(mode)).expect("set permissions");
        TokenFile::new(path.to_owned())
    }

    #[test]
    fn a_token_is_read_without_what_surrounds_it() {
        let folder = tempfile::tempdir().expect("a folder");
        let path = folder.path().join("token");
        for contents in ["ul_s3cret", "ul_s3cret\n", "  ul_s3cret \r\n"] {
            let token = write(&path, contents.as_bytes(), 0o600).read().expect("a token");
            let header = token.header();
            assert_eq!(header, "Bearer ul_s3cret");
            assert!(!format!("{token:?} {header:?}").contains("s3cret"));
            assert_eq!(token.hidden_in("got ul_s3cret"), "got (the token)");
        }
        let longest = "a".repeat(MAX_BYTES);
        assert!(write(&path, longest.as_bytes(), 0o400).read().is_ok());
    }

    #[test]
    fn files_that_are_no_secret_of_the_owner_are_refused() {
        let folder = tempfile::tempdir().expect("a folder");
        let path = folder.path().join("token");
        let too_long = "a".repeat(MAX_BYTES + 1);
        for (contents, mode, says) in [
            ("ul_s3cret", 0o604, "others than its owner may use it"),
            ("ul_s3cret", 0o640, "others than its owner may use it"),
            ("ul_s3cret", 0o620, "others than its owner may use it"),
            ("", 0o600, "it is empty"),
            (" \n", 0o600, "it is empty"),
            ("ul_s3cret ul_s3cret", 0o600, "it has blanks"),
            ("ul_s3cr\u{e9}t", 0o600, "characters that are in no token"),
            (&too_long, 0o600, "it is larger than 4 KiB"),
        ] {
            let refused = write(&path, contents.as_bytes(), mode).read().expect_err("no token").to_string();
            assert!(refused.contains(says) && refused.contains("/token"), "{refused}");
            assert!(!refused.contains("s3cr"), "{refused}");
        }

        let refused = TokenFile::new(folder.path().to_owned()).read().expect_err("no token").to_string();
        assert!(refused.contains("it is not a file"), "{refused}");
        let absent = TokenFile::new(folder.path().join("absent")).read().expect_err("no token").to_string();
        assert!(absent.contains("No such file"), "{absent}");
    }
}
