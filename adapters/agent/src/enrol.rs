//! Enrols the agent: makes its token, and asks the server to accept it for the host that this machine is.
//!
//! Guarantees: the token is on the disk before the server knows it, so an answer that is lost costs nothing: the next try
//! sends the same token. A file that has a token already is never overwritten. A token that the server refuses is removed
//! again, if it was made for this try.

use std::fs::{self, File, OpenOptions};
use std::io::{self, Write as _};
use std::os::unix::fs::OpenOptionsExt as _;
use std::path::{Path, PathBuf};

use rand::TryRngCore as _;
use rand::rngs::OsRng;
use underlay_facts::{EnrolAnswer, EnrolRequest, Report};

use crate::connection::Connection;
use crate::error::AgentError;
use crate::server::ServerAddress;
use crate::token::{Token, TokenFile, TokenSource};

/// The beginning of the token of an agent.
const PREFIX: &str = "underlay-agent-";
/// The permissions of the file of a token: only its owner may use it.
const OWNER_ONLY: u32 = 0o600;

/// An enrolment that is asked for.
#[derive(Debug)]
pub struct Enroller {
    connection: Connection,
    /// The file for the token of the agent.
    file: PathBuf,
}

/// The token of the agent, and the part that this try has in it.
struct Own {
    token: Token,
    made: Made,
}

/// The time at which a token was made.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Made {
    /// For this try.
    Now,
    /// Before.
    Earlier,
}

impl Enroller {
    /// Prepares an enrolment with the token of one. With a file of authorities, only their certificates count.
    ///
    /// # Errors
    /// Returns an error if the file of authorities has none.
    pub fn new(
        server: ServerAddress,
        enrolment: TokenFile,
        file: PathBuf,
        authorities: Option<&Path>,
    ) -> Result<Self, AgentError> {
        let connection = Connection::new(server, TokenSource::File(enrolment), authorities)?;
        Ok(Self { connection, file })
    }

    /// Enrols the agent of the machine that a report is about. Returns the answer of the server.
    ///
    /// # Errors
    /// Returns an error if the token cannot be made or read, or if the server does not accept it.
    pub async fn enrol(&self, report: Report) -> Result<EnrolAnswer, AgentError> {
        self.connection.check_token()?;
        let own = self.own_token()?;
        let request = EnrolRequest { token: own.token.text().to_owned(), report };
        let answer = self.connection.enrol(&request, &own.token).await;
        if matches!(answer, Err(AgentError::Refused { .. })) && own.made == Made::Now {
            // The server does not know it, and a later try is to begin anew.
            fs::remove_file(&self.file).map_err(|source| self.unwritten(source))?;
        }
        answer
    }

    /// Returns the token in the file. Without a file, makes both.
    fn own_token(&self) -> Result<Own, AgentError> {
        match self.new_file() {
            Ok(file) => Ok(Own { token: self.make_token(file)?, made: Made::Now }),
            Err(error) if error.kind() == io::ErrorKind::AlreadyExists => {
                Ok(Own { token: TokenFile::new(self.file.clone()).read()?, made: Made::Earlier })
            }
            Err(source) => Err(self.unwritten(source)),
        }
    }

    fn new_file(&self) -> io::Result<File> {
        OpenOptions::new().write(true).create_new(true).mode(OWNER_ONLY).open(&self.file)
    }

    fn make_token(&self, mut file: File) -> Result<Token, AgentError> {
        let made = new_text().and_then(|text| {
            file.write_all(format!("{text}\n").as_bytes())?;
            file.sync_all()?;
            Token::of(text.as_bytes()).ok_or_else(|| io::Error::other("it is no token"))
        });
        made.map_err(|source| {
            // An empty file would stand in the way of the next try.
            let _ = fs::remove_file(&self.file);
            self.unwritten(source)
        })
    }

    fn unwritten(&self, source: io::Error) -> AgentError {
        AgentError::Write { path: self.file.clone(), source }
    }
}

/// Makes up the text of a token: an id as of a UUID (RFC 9562, version 4), and a secret of 32 bytes.
fn new_text() -> io::Result<String> {
    let mut random = [0_u8; 48];
    OsRng.try_fill_bytes(&mut random).map_err(|error| io::Error::other(error.to_string()))?;
    random[6] = random[6] & 0x0f | 0x40;
    random[8] = random[8] & 0x3f | 0x80;
    let hexadecimal: String = random.iter().map(|byte| format!("{byte:02x}")).collect();
    let (id, secret) = hexadecimal.split_at(32);
    Ok(format!("{PREFIX}{id}-{secret}"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn tokens_have_the_form_that_the_server_wants() {
        let (one, other) = (new_text().expect("random numbers"), new_text().expect("random numbers"));
        assert_ne!(one, other);
        let (id, secret) = one.strip_prefix(PREFIX).and_then(|it| it.split_once('-')).expect("two parts");
        let is_hexadecimal = |text: &str| text.bytes().all(|digit| digit.is_ascii_hexdigit());
        assert!(id.len() == 32 && secret.len() == 64 && is_hexadecimal(id) && is_hexadecimal(secret), "{one}");
        assert!(id.as_bytes()[12] == b'4' && b"89ab".contains(&id.as_bytes()[16]), "{one}");
    }
}
