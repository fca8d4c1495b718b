//! What a command shows a server: a token that it was given, or one that it signs with the key of a server on this
//! machine.
//!
//! In this order: `--token-file`, `UNDERLAY_TOKEN_FILE`, `UNDERLAY_TOKEN`, the context's file, the key of the server,
//! nothing.

use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::Duration;

use underlay_adapters::{ServerAddress, Tokens};

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
    let length = std::fs::metadata(file).map_err(|error| unusable(error.to_string()))?.len();
    if length > MOST_BYTES {
        return Err(unusable(format!("it has {length} bytes; at most {MOST_BYTES} are read")));
    }
    match std::fs::read_to_string(file).map_err(|error| unusable(error.to_string()))?.trim() {
        "" => Err(unusable("there is none in it".to_owned())),
        token => Ok(token.to_owned()),
    }
}

fn sign(key: &SigningKey) -> Result<String, String> {
    key.sign(&Grant::of_user(LIFE)).map_err(|error| error.to_string())
}
