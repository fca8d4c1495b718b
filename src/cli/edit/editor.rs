//! The editor of a person, on a file of its own.

use std::env;
use std::fs;
use std::io::{self, Write};
use std::path::PathBuf;
use std::process::Command;

use tempfile::{Builder, NamedTempFile};
use thiserror::Error;

/// What is tried when nobody says which editor.
const USUAL: &str = "vi";

/// Why nothing could be edited.
#[derive(Debug, Error)]
pub(super) enum EditorError {
    #[error("{variable} is {value:?}, which cannot be read as a command: {reason}")]
    Command { variable: &'static str, value: String, reason: String },
    #[error("the editor {command} cannot be started: {error}; set VISUAL or EDITOR")]
    Start { command: String, error: io::Error },
    #[error("the editor {command} ended with {status}")]
    Ended { command: String, status: std::process::ExitStatus },
    #[error("the file for the editor cannot be used: {0}")]
    File(#[from] io::Error),
}

/// An editor with a text in it.
pub(super) struct Editor {
    command: Vec<String>,
    file: NamedTempFile,
}

impl Editor {
    /// The editor that VISUAL names, else EDITOR, else `vi`.
    pub(super) fn from_environment() -> Result<Self, EditorError> {
        let named = ["VISUAL", "EDITOR"].into_iter().find_map(|variable| {
            let value = env::var(variable).ok().filter(|value| !value.trim().is_empty())?;
            Some((variable, value))
        });
        let (variable, value) = named.unwrap_or(("EDITOR", USUAL.to_owned()));
        let command = shell_words::split(&value);
        let command = command.map_err(|error| EditorError::Command { variable, value, reason: error.to_string() })?;
        let file = Builder::new().prefix("underlay-edit-").suffix(".yaml").tempfile()?;
        Ok(Self { command, file })
    }

    /// Lets a person edit a text; gives what they saved.
    pub(super) fn edit(&mut self, text: &str) -> Result<String, EditorError> {
        fs::write(self.file.path(), text)?;
        let shown = self.command.join(" ");
        let (program, arguments) =
            self.command.split_first().map_or((USUAL, &[][..]), |(it, rest)| (it.as_str(), rest));
        let status = Command::new(program).args(arguments).arg(self.file.path()).status();
        let status = status.map_err(|error| EditorError::Start { command: shown.clone(), error })?;
        if !status.success() {
            return Err(EditorError::Ended { command: shown, status });
        }
        // Editors write a new file in the place of the old one: it is read by its name.
        Ok(fs::read_to_string(self.file.path())?)
    }

    /// Keeps the file; says where it is.
    pub(super) fn keep(self, text: &str) -> Result<PathBuf, EditorError> {
        let (_, path) = self.file.keep().map_err(|error| EditorError::File(error.error))?;
        let mut file = fs::File::create(&path)?;
        file.write_all(text.as_bytes())?;
        Ok(path)
    }
}
