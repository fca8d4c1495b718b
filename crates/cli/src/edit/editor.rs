//! Runs the user's editor on a temporary file.

use std::env;
use std::fs;
use std::io::{self, Write};
use std::path::PathBuf;
use std::process::Command;

use tempfile::{Builder, NamedTempFile};
use thiserror::Error;

/// The editor if neither VISUAL nor EDITOR is set.
const DEFAULT_EDITOR: &str = "vi";

/// The errors of running an editor.
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

/// An editor and the file that it edits.
pub(super) struct Editor {
    command: Vec<String>,
    file: NamedTempFile,
}

impl Editor {
    /// Returns the editor that VISUAL names, otherwise the one of EDITOR, otherwise `vi`.
    pub(super) fn from_environment() -> Result<Self, EditorError> {
        let named = ["VISUAL", "EDITOR"].into_iter().find_map(|variable| {
            let value = env::var(variable).ok().filter(|value| !value.trim().is_empty())?;
            Some((variable, value))
        });
        let (variable, value) = named.unwrap_or(("EDITOR", DEFAULT_EDITOR.to_owned()));
        let command = shell_words::split(&value);
        let command = command.map_err(|error| EditorError::Command { variable, value, reason: error.to_string() })?;
        let file = Builder::new().prefix("underlay-edit-").suffix(".yaml").tempfile()?;
        Ok(Self { command, file })
    }

    /// Lets the user edit a text. Returns the saved text.
    pub(super) fn edit(&mut self, text: &str) -> Result<String, EditorError> {
        fs::write(self.file.path(), text)?;
        let shown = self.command.join(" ");
        let (program, arguments) =
            self.command.split_first().map_or((DEFAULT_EDITOR, &[][..]), |(it, rest)| (it.as_str(), rest));
        let status = Command::new(program).args(arguments).arg(self.file.path()).status();
        let status = status.map_err(|error| EditorError::Start { command: shown.clone(), error })?;
        if !status.success() {
            return Err(EditorError::Ended { command: shown, status });
        }
        // Editors can replace the file by a new one, so it is read by its name.
        Ok(fs::read_to_string(self.file.path())?)
    }

    /// Keeps the file and returns its path.
    pub(super) fn keep(self, text: &str) -> Result<PathBuf, EditorError> {
        let (_, path) = self.file.keep().map_err(|error| EditorError::File(error.error))?;
        let mut file = fs::File::create(&path)?;
        file.write_all(text.as_bytes())?;
        Ok(path)
    }
}
