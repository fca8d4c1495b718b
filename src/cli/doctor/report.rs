//! What was found, and how it is printed.

use std::io::{self, Write};

use serde::Serialize;

use crate::cli::show::of_word;
use underlay_kit::line;

/// How it is.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "lowercase")]
pub(super) enum Level {
    /// As it should be.
    Ok,
    /// It works, but something should be done.
    Warning,
    /// It is wrong.
    Problem,
    /// It could not be looked at, because of a problem.
    Skipped,
}

impl Level {
    const fn word(self) -> &'static str {
        match self {
            Self::Ok => "ok",
            Self::Warning => "warning",
            Self::Problem => "problem",
            Self::Skipped => "skipped",
        }
    }
}

/// What is looked at.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "lowercase")]
pub(super) enum Check {
    /// Whether the database can be reached.
    Database,
    /// Whether its tables are those of this version.
    Migrations,
    /// The columns, indexes, constraints and triggers of its tables.
    Schema,
    /// Whether an SQLite file is damaged.
    Integrity,
    /// Whether the revisions are a chain, each with its changes.
    Revisions,
    /// Whether the rows make a value that keeps all rules.
    Value,
    /// Whether the rows are what the change log says.
    Rows,
    /// The parts of the change log beside fields, such as names, containers and authors.
    Log,
    /// Whether old changes are dropped.
    Retention,
    /// Whether others may look into files.
    Files,
    /// Whether there is room on the disk.
    Disk,
}

impl Check {
    const fn word(self) -> &'static str {
        match self {
            Self::Database => "database",
            Self::Migrations => "migrations",
            Self::Schema => "schema",
            Self::Integrity => "integrity",
            Self::Revisions => "revisions",
            Self::Value => "value",
            Self::Rows => "rows",
            Self::Log => "log",
            Self::Retention => "retention",
            Self::Files => "files",
            Self::Disk => "disk",
        }
    }
}

/// One thing that was found.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub(super) struct Finding {
    pub level: Level,
    pub check: Check,
    /// How it is.
    pub message: String,
    /// What to do about it.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub advice: Option<String>,
}

impl Finding {
    /// It is as it should be.
    pub fn ok(check: Check, message: impl Into<String>) -> Self {
        Self { level: Level::Ok, check, message: message.into(), advice: None }
    }

    /// Something should be done.
    pub fn warning(check: Check, message: impl Into<String>, advice: impl Into<String>) -> Self {
        Self { level: Level::Warning, check, message: message.into(), advice: Some(advice.into()) }
    }

    /// Something is wrong.
    pub fn problem(check: Check, message: impl Into<String>, advice: impl Into<String>) -> Self {
        Self { level: Level::Problem, check, message: message.into(), advice: Some(advice.into()) }
    }

    /// It could not be looked at.
    pub fn skipped(check: Check, because: Check) -> Self {
        let message = format!("not looked at, because of the problem with: {}", because.word());
        Self { level: Level::Skipped, check, message, advice: None }
    }
}

/// Whether there is a problem.
pub(super) fn is_bad(findings: &[Finding]) -> bool {
    findings.iter().any(|finding| finding.level == Level::Problem)
}

/// Prints a line for each.
pub(super) fn print(findings: &[Finding], out: &mut impl Write) -> io::Result<()> {
    for Finding { level, check, message, advice } in findings {
        let style = of_word(level.word());
        let advice = advice.as_deref().map_or_else(String::new, |advice| format!("; {advice}"));
        let said = line(&format!("{message}{advice}"));
        writeln!(out, "{style}{:<8}{style:#} {:<10}  {said}", level.word(), check.word())?;
    }
    Ok(())
}
