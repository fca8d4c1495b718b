//! What a command shows a server: a token that it was given, or one that it signs with the key of a server on this
//! machine.
//!
//! In this order: `--token-file`, `UNDERLAY_TOKEN_FILE`, `UNDERLAY_TOKEN`, the context's file, the key of the server,
//! nothing.

use std::fs::Metadata;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::Duration;

use underlay_client::{ServerAddress, Tokens};

use crate::access::{Grant, SigningKey, announced};

/// The variable that holds a token.
const VARIABLE: &str = "UNDERLAY_TOKEN";
/// How long a token of our own is good: as long as a request and its repeats take. Who follows for longer gets others.
const LIFE: Duration = Duration::from_secs(600);
/// More than a token has.
const MOST_BYTES: u64 = 64 * 1024;

/// What a command shows a server.
#[derive(Clone)]
pub(super) enum Credentials {
    /// Nothing.
    None,
    /// A token.
    Token(String),
    /// What is in a file, whenever it is asked for: others renew it.
    File(PathBuf),
    /// A token of the server's own key.
    Own(SigningKey),
}

impl Credentials {
    /// What to show a server, with the file that was named for it and the one that its context names.
    pub(super) fn find(server: &ServerAddress, named: Option<&Path>, of_context: Option<PathBuf>) -> Self {
        if let Some(file) = named {
            return Self::File(file.to_owned());
        }
        match std::env::var(VARIABLE) {
            Ok(token) if !token.trim().is_empty() => return Self::Token(token.trim().to_owned()),
            _ => {}
        }
        match of_context {
            Some(file) => Self::File(file),
            None => match announced(&server.local()) {
                Ok(key) => key.map_or(Self::None, Self::Own),
                Err(error) => {
                    eprintln!("note: {error}");
                    Self::None
                }
            },
        }
    }

    /// The tokens, one whenever it is asked for.
    pub(super) fn tokens(self) -> Option<Tokens> {
        match self {
            Self::None => None,
            Self::Token(token) => Some(Arc::new(move || Ok(token.clone()))),
            Self::File(file) => Some(Arc::new(move || read(&file))),
            Self::Own(key) => Some(Arc::new(move || sign(&key))),
        }
    }
}

fn read(file: &Path) -> Result<String, String> {
    let unusable = |reason: String| format!("the token in {} cannot be used: {reason}", file.display());
    let found = std::fs::metadata(file).map_err(|error| unusable(error.to_string()))?;
    if found.len() > MOST_BYTES {
        return Err(unusable(format!("it has {} bytes; at most {MOST_BYTES} are read", found.len())));
    }
    check_mode(&found).map_err(unusable)?;
    match std::fs::read_to_string(file).map_err(|error| unusable(error.to_string()))?.trim() {
        "" => Err(unusable("there is none in it".to_owned())),
        token => Ok(token.to_owned()),
    }
}

/// Refuses a file that other users of the machine can read. A pipe is not looked at: its name says nothing of who reads.
#[cfg(unix)]
fn check_mode(found: &Metadata) -> Result<(), String> {
    use std::os::unix::fs::PermissionsExt;
    let mode = found.permissions().mode() & 0o777;
    match found.is_file() && mode & 0o077 != 0 {
        true => {
            Err(format!("others can use the file (mode {mode:04o}); the mode must be 0600 or 0400: chmod 600 FILE"))
        }
        false => Ok(()),
    }
}

/// Elsewhere files have no mode.
#[cfg(not(unix))]
fn check_mode(_: &Metadata) -> Result<(), String> {
    Ok(())
}

fn sign(key: &SigningKey) -> Result<String, String> {
    key.sign(&Grant::of_user(LIFE)).map_err(|error| error.to_string())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[cfg(unix)]
    #[test]
    fn a_token_that_others_can_read_is_refused() {
        use std::fs::{Permissions, set_permissions};
        use std::os::unix::fs::PermissionsExt;
        let folder = tempfile::tempdir().expect("a folder");
        let file = folder.path().join("token");
        std::fs::write(&file, "secret\n").expect("a file");
        let read_with = |mode: u32| {
            set_permissions(&file, Permissions::from_mode(mode)).expect("a mode");
            read(&file)
        };
        for mode in [0o600, 0o400] {
            assert_eq!(read_with(mode), Ok("secret".to_owned()), "{mode:o}");
        }
        for mode in [0o644, 0o640, 0o604, 0o620, 0o666] {
            let refused = read_with(mode).expect_err("others can read it");
            let expected = format!("others can use the file (mode {mode:04o}); the mode must be 0600 or 0400");
            assert!(refused.contains(&expected) && !refused.contains("secret"), "{refused}");
        }
    }
}
