//! Finds the credentials for a server: a token of the user, or a token that the command signs with the key of a server
//! on this machine.
//!
//! The first of these that is set is used: `--token-file`, `UNDERLAY_TOKEN_FILE`, `UNDERLAY_TOKEN`, the file of the
//! context, the key of the server. Otherwise requests are sent without credentials.

use std::fs::Metadata;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::Duration;

use underlay_client::{ServerAddress, Tokens};

use underlay_engine::access::{Grant, SigningKey, announced};

/// The environment variable that holds a token.
const TOKEN_VARIABLE: &str = "UNDERLAY_TOKEN";
/// The lifetime of a token that the command signs: long enough for a request and its retries. Longer commands sign new
/// ones.
const TOKEN_LIFETIME: Duration = Duration::from_secs(600);
/// The maximum size of a token file in bytes.
const TOKEN_FILE_BYTES: u64 = 64 * 1024;

/// The credentials for a server.
#[derive(Clone)]
pub(super) enum Credentials {
    /// Requests are sent without a token.
    None,
    /// A fixed token.
    Token(String),
    /// A file that is read for every token, because other programs can renew it.
    File(PathBuf),
    /// A key of the server itself, which signs a token for every request.
    Own(SigningKey),
}

impl Credentials {
    /// Finds the credentials for a server. `named` is the file that the user named, `of_context` the file of the
    /// context.
    pub(super) fn find(server: &ServerAddress, named: Option<&Path>, of_context: Option<PathBuf>) -> Self {
        if let Some(file) = named {
            return Self::File(file.to_owned());
        }
        match std::env::var(TOKEN_VARIABLE) {
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

    /// Returns the source of tokens, which is asked for a token before each request.
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
    if found.len() > TOKEN_FILE_BYTES {
        return Err(unusable(format!("it has {} bytes; at most {TOKEN_FILE_BYTES} are read", found.len())));
    }
    check_mode(&found).map_err(unusable)?;
    match std::fs::read_to_string(file).map_err(|error| unusable(error.to_string()))?.trim() {
        "" => Err(unusable("the file is empty".to_owned())),
        token => Ok(token.to_owned()),
    }
}

/// Rejects a file that other users of the machine can read. Pipes are accepted, because their mode does not show who
/// can read.
#[cfg(unix)]
fn check_mode(found: &Metadata) -> Result<(), String> {
    use std::os::unix::fs::PermissionsExt;
    let mode = found.permissions().mode() & 0o777;
    match found.is_file() && mode & 0o077 != 0 {
        true => Err(format!(
            "other users can access the file (mode {mode:04o}); the mode must be 0600 or 0400: chmod 600 FILE"
        )),
        false => Ok(()),
    }
}

/// Other systems have no file modes.
#[cfg(not(unix))]
fn check_mode(_: &Metadata) -> Result<(), String> {
    Ok(())
}

fn sign(key: &SigningKey) -> Result<String, String> {
    key.sign(&Grant::of_user(TOKEN_LIFETIME)).map_err(|error| error.to_string())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[cfg(unix)]
    #[test]
    fn a_token_that_others_can_read_is_rejected() {
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
            let expected = format!("other users can access the file (mode {mode:04o}); the mode must be 0600 or 0400");
            assert!(refused.contains(&expected) && !refused.contains("secret"), "{refused}");
        }
    }
}
