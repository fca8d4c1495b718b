//! The file of the contexts.
//!
//! The file is always replaced as a whole, so a reader finds either the old or the new content. Only its user may read
//! it.

use std::collections::BTreeMap;
use std::fmt::Write as _;
use std::path::{Path, PathBuf};
use std::{env, fs, io};

use figment::Figment;
use figment::providers::{Format, Toml};
use serde::Deserialize;
use thiserror::Error;
use underlay_client::{BadAddress, ServerAddress};

use super::name::ContextName;
use crate::exit::Exit;
use underlay_durable::{Durability, folder, replace_file};
use underlay_kit::{choices, printable};

/// The environment variable that names the file.
const VARIABLE: &str = "UNDERLAY_CONFIG";
/// The name of the file in the platform's configuration folder.
const NAME: &str = "contexts.toml";
/// The maximum size of the file in bytes.
const CONTEXTS_BYTES: u64 = 1 << 20;

/// The errors of the file of contexts.
#[derive(Debug, Error)]
pub enum ContextsError {
    /// There is no home directory.
    #[error("there is no home directory to keep contexts in: name a file with {VARIABLE}")]
    NoFolder,
    /// The file cannot be read.
    #[error("the contexts in {file} cannot be read: {reason}")]
    Unreadable {
        /// The path of the file.
        file: String,
        /// The error of the system or of the parser.
        reason: String,
    },
    /// The file cannot be written.
    #[error("the contexts in {file} cannot be written: {reason}")]
    Unwritable {
        /// The path of the file.
        file: String,
        /// The error of the operating system.
        reason: io::Error,
    },
    /// No context has the given name.
    #[error("there is no context {name}; {choices}")]
    Unknown {
        /// The name that no context has.
        name: ContextName,
        /// A sentence that lists the existing names.
        choices: String,
    },
    /// The address of the server is invalid.
    #[error("the context's server is not a valid address: {reason}")]
    Address {
        /// The part of the address that is invalid.
        reason: BadAddress,
    },
}

impl ContextsError {
    /// Prints the error and a hint how to solve it. Returns the exit code.
    pub fn explain(&self) -> Exit {
        eprintln!("error: {}", printable(&self.to_string()));
        match self {
            Self::Unknown { .. } => {
                eprintln!("hint: `underlay context set NAME --server URL` creates one");
                Exit::Usage
            }
            _ => Exit::Failed,
        }
    }
}

/// The contexts of a user.
#[derive(Debug)]
pub(crate) struct Contexts {
    path: PathBuf,
    content: Content,
}

#[derive(Debug, Default, Deserialize)]
#[serde(deny_unknown_fields)]
struct Content {
    current: Option<ContextName>,
    #[serde(default)]
    contexts: BTreeMap<ContextName, Context>,
}

#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
#[serde(rename_all = "camelCase")]
struct Context {
    server: String,
    /// The path of a file with a token. The tokens themselves are not stored in this file, because users share it.
    token_file: Option<PathBuf>,
}

impl Contexts {
    /// Reads the contexts of the user. Returns none if the file does not exist.
    pub(crate) fn read() -> Result<Self, ContextsError> {
        let path = path()?;
        let content =
            content(&path).map_err(|reason| ContextsError::Unreadable { file: path.display().to_string(), reason })?;
        Ok(Self { path, content })
    }

    /// Returns the context that commands use if no other is named.
    pub(crate) fn current(&self) -> Option<&ContextName> {
        self.content.current.as_ref()
    }

    /// Returns all contexts and their servers, ordered by name.
    pub(crate) fn all(&self) -> impl Iterator<Item = (&ContextName, &str)> {
        self.content.contexts.iter().map(|(name, context)| (name, context.server.as_str()))
    }

    /// Returns the server of a context.
    pub(crate) fn server(&self, name: &ContextName) -> Result<ServerAddress, ContextsError> {
        let context = self.content.contexts.get(name).ok_or_else(|| self.unknown(name))?;
        context.server.parse().map_err(|reason| ContextsError::Address { reason })
    }

    /// Returns the token file that a context names.
    pub(crate) fn token_file(&self, name: &ContextName) -> Option<PathBuf> {
        self.content.contexts.get(name)?.token_file.clone()
    }

    fn unknown(&self, name: &ContextName) -> ContextsError {
        let names: Vec<String> = self.content.contexts.keys().map(ContextName::to_string).collect();
        let names: Vec<&str> = names.iter().map(String::as_str).collect();
        ContextsError::Unknown { name: name.clone(), choices: choices(&name.to_string(), &names) }
    }

    /// Makes a context the current one. Returns a message for the user.
    pub(crate) fn make_current(&mut self, name: &ContextName) -> Result<String, ContextsError> {
        let server = self.server(name)?;
        self.content.current = Some(name.clone());
        Ok(format!("commands now talk to {name}: {server}"))
    }

    /// Creates or changes a context. Returns a message for the user.
    pub(crate) fn set(&mut self, name: &ContextName, server: &ServerAddress, token_file: Option<PathBuf>) -> String {
        let context = Context { server: server.to_string(), token_file };
        let word = if self.content.contexts.insert(name.clone(), context).is_some() { "changed" } else { "made" };
        match self.content.current {
            Some(_) => format!("{word} {name}: {server}"),
            None => {
                self.content.current = Some(name.clone());
                format!("{word} {name}: {server}; commands now talk to it")
            }
        }
    }

    /// Deletes a context. Returns a message for the user.
    pub(crate) fn delete(&mut self, name: &ContextName) -> Result<String, ContextsError> {
        self.content.contexts.remove(name).ok_or_else(|| self.unknown(name))?;
        if self.content.current.as_ref() != Some(name) {
            return Ok(format!("deleted {name}"));
        }
        self.content.current = None;
        Ok(format!("deleted {name}; there is no current context now"))
    }

    /// Replaces the file.
    pub(crate) fn write(&self) -> Result<(), ContextsError> {
        replace(&self.path, &self.content.text())
            .map_err(|reason| ContextsError::Unwritable { file: self.path.display().to_string(), reason })
    }
}

impl Content {
    /// Formats the contexts as TOML. Names are plain words, and addresses contain no quotation marks.
    fn text(&self) -> String {
        let mut text = "# The servers that underlay commands talk to: see underlay context --help.\n".to_owned();
        if let Some(current) = &self.current {
            let _ = writeln!(text, "current = \"{current}\"");
        }
        for (name, context) in &self.contexts {
            let _ = writeln!(text, "\n[contexts.\"{name}\"]\nserver = \"{}\"", context.server);
            if let Some(file) = &context.token_file {
                // A text quoted for JSON is also quoted for TOML.
                let _ = writeln!(text, "tokenFile = {}", serde_json::json!(file));
            }
        }
        text
    }
}

fn path() -> Result<PathBuf, ContextsError> {
    if let Some(path) = env::var_os(VARIABLE).filter(|path| !path.is_empty()) {
        return Ok(path.into());
    }
    let folders = directories::ProjectDirs::from("", "", "underlay").ok_or(ContextsError::NoFolder)?;
    Ok(folders.config_dir().join(NAME))
}

fn content(path: &Path) -> Result<Content, String> {
    let length = match fs::metadata(path) {
        Ok(found) => found.len(),
        Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok(Content::default()),
        Err(error) => return Err(error.to_string()),
    };
    if length > CONTEXTS_BYTES {
        return Err(format!("it has {length} bytes; at most {CONTEXTS_BYTES} are read"));
    }
    let text = fs::read_to_string(path).map_err(|error| error.to_string())?;
    Figment::from(Toml::string(&text)).extract().map_err(|error| error.to_string())
}

/// Replaces a file, and creates the folders that it needs.
fn replace(path: &Path, text: &str) -> io::Result<()> {
    // If the path is a link, its target is replaced, not the link.
    let path = fs::canonicalize(path).unwrap_or_else(|_| path.to_owned());
    // A rename would delete a device or a pipe.
    if fs::metadata(&path).is_ok_and(|found| !found.is_file()) {
        return Err(io::Error::new(io::ErrorKind::InvalidInput, "it is not a file"));
    }
    fs::create_dir_all(folder(&path))?;
    replace_file(&path, Durability::Content, text.as_bytes()).map(drop)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn contexts(folder: &Path) -> Contexts {
        let path = folder.join("deep/contexts.toml");
        let content = content(&path).expect("contexts");
        Contexts { path, content }
    }

    fn name(text: &str) -> ContextName {
        text.parse().expect("a name")
    }

    #[test]
    fn contexts_are_saved() {
        let folder = tempfile::tempdir().expect("a folder");
        let mut made = contexts(folder.path());
        let server: ServerAddress = "http://example.org/under/".parse().expect("an address");
        assert!(made.set(&name("eu.1"), &server, Some("/t\"1".into())).ends_with("commands now talk to it"));
        assert_eq!(made.set(&name("lab"), &server, None), "made lab: http://example.org/under");
        made.write().expect("write");

        let mut read = contexts(folder.path());
        assert_eq!(read.current(), Some(&name("eu.1")));
        assert_eq!(read.server(&name("lab")).expect("a server").to_string(), "http://example.org/under");
        assert_eq!(read.token_file(&name("eu.1")), Some("/t\"1".into()));
        assert_eq!(read.token_file(&name("lab")), None);
        let unknown = read.server(&name("labs")).expect_err("unknown").to_string();
        assert_eq!(unknown, "there is no context labs; did you mean lab? Allowed: eu.1, lab");
        read.delete(&name("eu.1")).expect("delete");
        read.write().expect("write");
        assert_eq!(contexts(folder.path()).current(), None);

        let left: Vec<_> = fs::read_dir(folder.path().join("deep")).expect("a folder").collect();
        assert_eq!(left.len(), 1, "{left:?}");
    }

    #[cfg(unix)]
    #[test]
    fn the_file_is_private_and_links_are_followed() {
        use std::os::unix::fs::PermissionsExt;
        let folder = tempfile::tempdir().expect("a folder");
        let (file, link) = (folder.path().join("a"), folder.path().join("link"));
        fs::write(&file, "old").expect("write");
        std::os::unix::fs::symlink(&file, &link).expect("link");
        replace(&link, "new").expect("replace");
        assert_eq!(fs::read_to_string(&file).expect("read"), "new");
        assert!(fs::symlink_metadata(&link).expect("a link").is_symlink());
        assert_eq!(fs::metadata(&file).expect("a file").permissions().mode() & 0o777, 0o600);
    }

    #[cfg(unix)]
    #[test]
    fn other_than_regular_files_are_not_replaced() {
        let folder = tempfile::tempdir().expect("a folder");
        let socket = folder.path().join("socket");
        let _socket = std::os::unix::net::UnixListener::bind(&socket).expect("a socket");
        assert!(replace(&socket, "").is_err_and(|error| error.to_string() == "it is not a file"));
        assert!(replace(folder.path(), "").is_err());
        assert!(!fs::metadata(&socket).expect("the socket").is_file());
    }

    #[test]
    fn invalid_content_is_rejected() {
        let folder = tempfile::tempdir().expect("a folder");
        let file = folder.path().join("contexts.toml");
        for (text, expected) in [
            ("current = \n", "TOML"),
            ("colour = \"red\"\n", "unknown field"),
            ("[contexts.a]\nserver = 1\n", "invalid type"),
            ("[contexts.a]\nserver = \"http://x\"\ntoken = \"secret\"\n", "unknown field"),
            ("current = \"a b\"\n", "the name of a context must be"),
        ] {
            fs::write(&file, text).expect("write");
            let message = content(&file).expect_err("refused");
            assert!(message.contains(expected), "{text}: {message}");
        }
    }
}
